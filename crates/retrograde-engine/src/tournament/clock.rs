//! The time that players have.

use std::str::FromStr;
use std::time::Duration;

/// Turns for which the time of a clock is to last, where nobody says how many remain.
const TURNS_LEFT: u32 = 30;
/// Time of a clock that is kept for sending the answer.
const RESERVE: Duration = Duration::from_millis(50);

/// The part of a clock's time that one turn may take.
pub(crate) fn share_of_clock(time: Duration, increment: Duration, turns_left: Option<u32>) -> Duration {
    let share = time / turns_left.unwrap_or(TURNS_LEFT).max(1) + increment * 3 / 4;
    share.min(time.saturating_sub(RESERVE))
}

/// The time that both players have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeControl {
    /// So much for each turn.
    Turn(Duration),
    /// So much for the game, and some more after each turn.
    Clock {
        /// For the game.
        time: Duration,
        /// After each turn.
        increment: Duration,
    },
}

impl FromStr for TimeControl {
    type Err = String;

    /// Reads a clock: seconds for the game, and seconds after each turn, as in `60+0.5`.
    fn from_str(text: &str) -> Result<TimeControl, String> {
        let wrong =
            || format!("expected seconds for the game and after each turn, as in 60+0.5; found “{text}”");
        let (time, increment) = text.split_once('+').unwrap_or((text, "0"));
        let seconds = |text: &str| {
            let seconds = text.trim().parse::<f64>().ok().filter(|seconds| (0.0..=1e7).contains(seconds));
            seconds.map(Duration::from_secs_f64).ok_or_else(wrong)
        };
        Ok(TimeControl::Clock { time: seconds(time)?, increment: seconds(increment)? })
    }
}

/// The time that remains to each player in a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clocks {
    control: TimeControl,
    /// Of the first player and of the second; nothing without clocks.
    pub(super) left: [Duration; 2],
    /// Time over the limit that is forgiven.
    margin: Duration,
}

impl Clocks {
    pub(super) fn new(control: TimeControl, margin: Duration) -> Clocks {
        let left = match control {
            TimeControl::Turn(_) => Duration::ZERO,
            TimeControl::Clock { time, .. } => time,
        };
        Clocks { control, left: [left; 2], margin }
    }

    pub(super) fn control(&self) -> TimeControl {
        self.control
    }

    /// The time after which a player, 0 or 1, has lost.
    pub(super) fn longest(&self, player: usize) -> Duration {
        let time = match self.control {
            TimeControl::Turn(time) => time,
            TimeControl::Clock { .. } => self.left[player],
        };
        time.saturating_add(self.margin)
    }

    /// The time that a player may think who wants to play on.
    pub(super) fn for_thinking(&self, player: usize) -> Duration {
        match self.control {
            TimeControl::Turn(time) => time,
            TimeControl::Clock { increment, .. } => share_of_clock(self.left[player], increment, None),
        }
    }

    /// Takes the time of a turn; false if it was too much.
    pub(super) fn spend(&mut self, player: usize, used: Duration) -> bool {
        let in_time = used <= self.longest(player);
        if let TimeControl::Clock { increment, .. } = self.control {
            self.left[player] = self.left[player].saturating_sub(used).saturating_add(increment);
        }
        in_time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn clocks_run() {
        let control = "10+0.5".parse().unwrap();
        let mut clocks = Clocks::new(control, SECOND);
        assert!(clocks.spend(1, 4 * SECOND));
        assert_eq!(clocks.left, [10 * SECOND, Duration::from_millis(6500)]);
        assert!(!clocks.spend(0, 12 * SECOND), "ten seconds, and one that is forgiven");
        let mut turns = Clocks::new(TimeControl::Turn(SECOND), SECOND);
        assert!(turns.spend(0, 2 * SECOND) && turns.spend(0, 2 * SECOND) && !turns.spend(0, 3 * SECOND));
        for wrong in ["", "soon", "-1", "10+", "1e9", "nan"] {
            assert!(wrong.parse::<TimeControl>().unwrap_err().contains("as in 60+0.5"), "{wrong}");
        }
    }

    #[test]
    fn a_clock_lasts_for_the_game() {
        let share = |time: u64, increment: u64| {
            share_of_clock(Duration::from_millis(time), Duration::from_millis(increment), None)
        };
        assert_eq!(share(60_000, 1_000), Duration::from_millis(2750));
        assert_eq!(share(40, 1_000), Duration::ZERO, "never more than there is");
    }
}

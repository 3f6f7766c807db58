//! The clocks of the players.

use std::str::FromStr;
use std::time::Duration;

/// The assumed number of remaining turns, if it is not given.
const TURNS_LEFT: u32 = 30;
/// The time reserved for sending the answer.
const RESERVE: Duration = Duration::from_millis(50);

/// The share of the remaining time that one turn may use.
pub(crate) fn share_of_clock(time: Duration, increment: Duration, turns_left: Option<u32>) -> Duration {
    let share = time / turns_left.unwrap_or(TURNS_LEFT).max(1) + increment * 3 / 4;
    share.min(time.saturating_sub(RESERVE))
}

/// The time control for both players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeControl {
    /// A fixed time per turn.
    Turn(Duration),
    /// A time for the game with an increment after each turn.
    Clock {
        /// The time for the game.
        time: Duration,
        /// The increment.
        increment: Duration,
    },
}

impl FromStr for TimeControl {
    type Err = String;

    /// Parses a clock: seconds for the game and the increment in seconds, as in `60+0.5`.
    fn from_str(text: &str) -> Result<TimeControl, String> {
        let wrong =
            || format!("expected seconds for the game and an increment, such as 60+0.5, not “{text}”");
        let (time, increment) = text.split_once('+').unwrap_or((text, "0"));
        let seconds = |text: &str| {
            let seconds = text.trim().parse::<f64>().ok().filter(|seconds| (0.0..=1e7).contains(seconds));
            seconds.map(Duration::from_secs_f64).ok_or_else(wrong)
        };
        Ok(TimeControl::Clock { time: seconds(time)?, increment: seconds(increment)? })
    }
}

/// The remaining time of each player in a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clocks {
    control: TimeControl,
    /// The times of the first and the second player; `None` without clocks.
    pub(super) left: [Duration; 2],
    /// The tolerance for exceeding the limit.
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

    /// The time after which a player (0 or 1) loses.
    pub(super) fn longest(&self, player: usize) -> Duration {
        let time = match self.control {
            TimeControl::Turn(time) => time,
            TimeControl::Clock { .. } => self.left[player],
        };
        time.saturating_add(self.margin)
    }

    /// The time that a player should use for a turn.
    pub(super) fn for_thinking(&self, player: usize) -> Duration {
        match self.control {
            TimeControl::Turn(time) => time,
            TimeControl::Clock { increment, .. } => share_of_clock(self.left[player], increment, None),
        }
    }

    /// Subtracts the time of a turn; returns `false` if the limit is exceeded.
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
            assert!(wrong.parse::<TimeControl>().unwrap_err().contains("such as 60+0.5"), "{wrong}");
        }
    }
}

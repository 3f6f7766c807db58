//! Strengths: the horizon of a player and its rate of mistakes.

use std::fmt;
use std::str::FromStr;

use retrograde_explore::{TurnValue, Verdict};
use retrograde_game::Random;

/// How a player chooses among turns whose values are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength {
    /// How many turns of both players it looks ahead; it treats later ends as draws. `None` for no limit.
    pub horizon: Option<u16>,
    /// The probability in per cent that it plays a random turn.
    pub errs: u8,
    /// Whether it chooses the hardest task among turns that hold a draw ([`press`](crate::press)).
    pub presses: bool,
}

impl Strength {
    /// Plays a best turn, as far as values are known.
    pub const PERFECT: Strength = Strength { horizon: None, errs: 0, presses: false };
    /// Plays random turns.
    pub const RANDOM: Strength = Strength { horizon: Some(0), errs: 100, presses: false };

    /// Whether it only plays best turns.
    pub fn is_perfect(self) -> bool {
        Strength { presses: false, ..self } == Strength::PERFECT
    }

    /// Whether it ignores values.
    pub fn is_random(self) -> bool {
        self.errs >= 100
    }

    /// The same strength with its horizon limited to a number of turns.
    #[must_use]
    pub fn within(self, turns: Option<u16>) -> Strength {
        let horizon = match (self.horizon, turns) {
            (Some(own), Some(given)) => Some(own.min(given)),
            (own, given) => own.or(given),
        };
        Strength { horizon, ..self }
    }

    /// The value of a turn within the horizon; higher is better.
    fn rank(self, value: Verdict) -> (i8, i32) {
        let far = |turns: u16| self.horizon.is_some_and(|horizon| turns > horizon);
        match (value.outcome, value.turns) {
            ("win", Some(turns)) if !far(turns) => (1, -i32::from(turns)),
            ("loss", Some(turns)) if !far(turns) => (-1, i32::from(turns)),
            ("win", None) if self.horizon.is_none() => (1, i32::MIN),
            ("loss", None) if self.horizon.is_none() => (-1, 0),
            _ => (0, 0),
        }
    }

    /// Chooses a turn: a best one within the horizon, at random among equals, unless it makes a mistake. `None` if
    /// there are no turns.
    pub fn choose<'t>(self, turns: &'t [TurnValue], random: &mut Random) -> Option<&'t TurnValue> {
        let candidates = self.candidates(turns, random);
        random.choose(&candidates).copied()
    }

    /// The turns to choose from: the best ones within the horizon, or all if it makes a mistake.
    pub(crate) fn candidates<'t>(self, turns: &'t [TurnValue], random: &mut Random) -> Vec<&'t TurnValue> {
        if self.errs > 0 && random.below(100) < u64::from(self.errs) {
            return turns.iter().collect();
        }
        let best = turns.iter().map(|turn| self.rank(turn.verdict)).max();
        turns.iter().filter(|turn| Some(self.rank(turn.verdict)) == best).collect()
    }
}

impl FromStr for Strength {
    type Err = String;

    /// Parses `perfect`, `perfect,presses`, `random` or a number of turns, each but `random` optionally with
    /// `,errs=N%`.
    fn from_str(text: &str) -> Result<Strength, String> {
        let wrong = || {
            format!(
                "a strength must be `perfect`, `perfect,presses`, `random` or a number of turns to look \
                 ahead, optionally with mistakes as in `3,errs=15%`, not “{text}”"
            )
        };
        let mut words = text.split(',').map(str::trim).peekable();
        let mut strength = match words.next().unwrap_or_default() {
            "perfect" => Strength::PERFECT,
            "random" => Strength::RANDOM,
            turns => Strength { horizon: Some(turns.parse().map_err(|_| wrong())?), ..Strength::PERFECT },
        };
        // A player with a limited horizon cannot recognise draws.
        strength.presses = strength.is_perfect() && words.next_if_eq(&"presses").is_some();
        if let Some(mistakes) = words.next_if(|_| !strength.is_random()) {
            let percent = mistakes.strip_prefix("errs=").and_then(|percent| percent.strip_suffix('%'));
            let percent = percent.and_then(|percent| percent.parse().ok());
            strength.errs = percent.filter(|percent| *percent <= 100).ok_or_else(wrong)?;
        }
        if words.next().is_none() { Ok(strength) } else { Err(wrong()) }
    }
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.horizon {
            _ if self.is_random() => return f.write_str("random"),
            None => f.write_str("perfect")?,
            Some(turns) => write!(f, "{turns}")?,
        }
        if self.presses {
            f.write_str(",presses")?;
        }
        if self.errs > 0 { write!(f, ",errs={}%", self.errs) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(text: &str, outcome: &'static str, turns: Option<u16>) -> TurnValue {
        TurnValue {
            turn: text.to_owned(),
            turn_on_board: text.to_owned(),
            position: String::new(),
            verdict: Verdict { outcome, turns },
            shade: None,
            nimber: None,
        }
    }

    #[test]
    fn strengths_are_parsed_from_their_own_text() {
        for text in [
            "perfect",
            "random",
            "0",
            "3",
            "3,errs=15%",
            "perfect,errs=5%",
            "perfect,presses",
            "perfect,presses,errs=5%",
        ] {
            assert_eq!(text.parse::<Strength>().unwrap().to_string(), text);
        }
        for wrong in [
            "",
            "best",
            "-1",
            "3,errs=15",
            "3,errs=101%",
            "3,",
            "random,errs=5%",
            "70000",
            "3,presses",
            "random,presses",
            "perfect,presses,",
            "perfect,presses,presses",
            "presses",
        ] {
            assert!(wrong.parse::<Strength>().unwrap_err().contains("a strength must be"), "{wrong}");
        }
        assert_eq!("perfect".parse::<Strength>().unwrap().within(Some(4)).to_string(), "4");
        assert_eq!("3".parse::<Strength>().unwrap().within(Some(4)).to_string(), "3");
    }

    #[test]
    fn it_finds_wins_only_within_its_horizon() {
        let turns =
            [turn("slow", "win", Some(9)), turn("fast", "win", Some(5)), turn("lost", "loss", Some(4))];
        let mut random = Random::new(1);
        for _ in 0..50 {
            assert_eq!(Strength::PERFECT.choose(&turns, &mut random).unwrap().turn, "fast");
        }
        let mut seen = |strength: &str| -> Vec<String> {
            let strength: Strength = strength.parse().unwrap();
            let chosen = (0..200).map(|_| strength.choose(&turns, &mut random).unwrap().turn.clone());
            let mut chosen: Vec<String> = chosen.collect();
            chosen.sort();
            chosen.dedup();
            chosen
        };
        assert_eq!(seen("5"), ["fast"]);
        assert_eq!(seen("4"), ["fast", "slow"], "both wins are too far to be told from draws");
        assert_eq!(seen("3"), ["fast", "lost", "slow"]);
        assert_eq!(seen("random"), ["fast", "lost", "slow"]);
        assert_eq!(seen("perfect,errs=50%"), ["fast", "lost", "slow"]);
        assert!(Strength::PERFECT.choose(&[], &mut Random::new(1)).is_none());
    }

    #[test]
    fn a_win_without_turns_is_better_than_a_draw_and_not_than_one_with_turns() {
        let turns = [turn("some", "win", None), turn("draw", "draw", None), turn("sure", "win", Some(60))];
        let mut random = Random::new(1);
        assert_eq!(Strength::PERFECT.choose(&turns, &mut random).unwrap().turn, "sure");
        assert_eq!(Strength::PERFECT.choose(&turns[..2], &mut random).unwrap().turn, "some");
    }
}

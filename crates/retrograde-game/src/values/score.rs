//! Scores: a value, or the lack of one, in one or two bytes. Comparing scores compares values.
//!
//! A loss in t turns is the number t, a win in t turns is MAX − t, and a draw is between them. The
//! best turn leads to the position with the *smallest* score for the opponent, so the score of a
//! position is the minimum over its successors, followed by one [`Score::before_turn`]. Solvers
//! keep scores in memory and tables store them in files; both use the definition in this module.
//!
//! Three more codes are not values: [`Score::NONE`] (no position has this index),
//! [`Score::UNKNOWN`] (not decided yet) and [`Score::NOT_LOST`] (in tables that keep only the
//! losses).

use super::value::{Knowledge, Outcome, Turns, Value};

/// The meaning of a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stored {
    /// No position has this index.
    Nothing,
    /// There is a position, with this knowledge about it.
    Known(Knowledge),
}

/// A score of one byte (up to 125 turns) or two (up to 32,765).
///
/// | code | `u8` | `u16` |
/// |---|---|---|
/// | loss in t | t | t |
/// | no position | 126 | 32766 |
/// | draw | 127 | 32767 |
/// | not decided | 128 | 32768 |
/// | not lost | 129 | 32769 |
/// | win in t | 255 − t | 65535 − t |
pub trait Score: Copy + Ord + Send + Sync + std::fmt::Debug + 'static {
    /// The size of a score in bytes.
    const BYTES: usize;
    /// The most turns that a score can hold.
    const MAX_TURNS: Turns;
    /// No position has this index.
    const NONE: Self;
    /// A draw.
    const DRAW: Self;
    /// Not decided yet.
    const UNKNOWN: Self;
    /// Won or drawn.
    const NOT_LOST: Self;
    /// The greatest code: a win in 0 turns.
    const MAX: Self;

    /// The score of a value; `None` if it has more than [`Score::MAX_TURNS`] turns.
    fn from_value(value: Value) -> Option<Self>;
    /// The value, unless this is one of the three codes that are not values.
    fn value(self) -> Option<Value>;
    /// The score of a finished game.
    #[inline]
    fn over(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win => Self::MAX,
            Outcome::Draw => Self::DRAW,
            Outcome::Loss => Self::from_value(Value::over(Outcome::Loss)).unwrap_or(Self::NONE),
        }
    }
    /// The score one turn earlier, for the other player. `None` if it does not fit or there is no value.
    fn before_turn(self) -> Option<Self>;

    /// The same value for the other player. Codes that are not values stay the same.
    fn flipped(self) -> Self;

    /// The meaning of the score.
    fn stored(self) -> Stored {
        match self.value() {
            Some(value) => Stored::Known(Knowledge::Exact(value)),
            None if self == Self::NONE => Stored::Nothing,
            None if self == Self::NOT_LOST => Stored::Known(Knowledge::NotLost),
            None => Stored::Known(Knowledge::Unknown),
        }
    }
}

macro_rules! score {
    ($int:ty) => {
        impl Score for $int {
            const BYTES: usize = size_of::<$int>();
            const MAX_TURNS: Turns = Turns((<$int>::MAX / 2 - 2) as u16);
            const NONE: Self = <$int>::MAX / 2 - 1;
            const DRAW: Self = <$int>::MAX / 2;
            const UNKNOWN: Self = <$int>::MAX / 2 + 1;
            const NOT_LOST: Self = <$int>::MAX / 2 + 2;
            const MAX: Self = <$int>::MAX;

            #[inline]
            fn from_value(value: Value) -> Option<Self> {
                match value {
                    Value::Draw => Some(Self::DRAW),
                    Value::Loss(turns) if turns <= Self::MAX_TURNS => Some(turns.0 as $int),
                    Value::Win(turns) if turns <= Self::MAX_TURNS => Some(<$int>::MAX - turns.0 as $int),
                    _ => None,
                }
            }

            #[inline]
            fn value(self) -> Option<Value> {
                if self <= Self::MAX_TURNS.0 as $int {
                    Some(Value::Loss(Turns(self as u16)))
                } else if self >= <$int>::MAX - Self::MAX_TURNS.0 as $int {
                    Some(Value::Win(Turns((<$int>::MAX - self) as u16)))
                } else if self == Self::DRAW {
                    Some(Value::Draw)
                } else {
                    None
                }
            }

            #[inline]
            fn flipped(self) -> Self {
                let decided =
                    self <= Self::MAX_TURNS.0 as $int || self >= <$int>::MAX - Self::MAX_TURNS.0 as $int;
                if decided { <$int>::MAX - self } else { self }
            }

            #[inline]
            fn before_turn(self) -> Option<Self> {
                if self < Self::MAX_TURNS.0 as $int {
                    Some(<$int>::MAX - 1 - self)
                } else if self > <$int>::MAX - Self::MAX_TURNS.0 as $int {
                    Some(<$int>::MAX - self + 1)
                } else if self == Self::DRAW {
                    Some(Self::DRAW)
                } else {
                    None
                }
            }
        }
    };
}

score!(u8);
score!(u16);

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees_with_values<S: Score>(all: impl Iterator<Item = S> + Clone) {
        let mut values = 0;
        for score in all.clone() {
            let Some(value) = score.value() else {
                assert!(
                    score == S::NONE || score == S::UNKNOWN || score == S::NOT_LOST,
                    "{score:?} has no meaning"
                );
                assert_eq!(score.before_turn(), None);
                continue;
            };
            values += 1;
            assert_eq!(S::from_value(value), Some(score));
            assert_eq!(score.before_turn(), S::from_value(value.before_turn()), "{value}");
            for turns in [0, 1, 2, 50, 125] {
                let other = S::from_value(Value::Win(Turns(turns))).unwrap();
                assert_eq!(score.cmp(&other), value.cmp(&Value::Win(Turns(turns))));
            }
        }
        assert_eq!(values, 2 * (usize::from(S::MAX_TURNS.0) + 1) + 1);
    }

    #[test]
    fn scores_agree_with_values() {
        agrees_with_values(0..=u8::MAX);
        agrees_with_values(0..=u16::MAX);
        assert_eq!(u8::MAX_TURNS, Turns(125));
    }

    #[test]
    fn games_that_are_too_long_are_rejected() {
        assert_eq!(u8::from_value(Value::Win(Turns(126))), None);
        assert_eq!(u8::from_value(Value::Win(Turns(125))).unwrap().before_turn(), None);
        assert_eq!(u16::from_value(Value::Win(Turns(126))).unwrap().before_turn(), Some(127));
    }
}

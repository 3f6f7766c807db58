//! Values of positions for the side to move. The types fix the perspective and the unit.
//!
//! The perspective is always the side to move and the unit is always turns of both players
//! together, so callers never have to ask whose win it is or whether "3" counts one player's turns
//! or both.

use std::cmp::Ordering;
use std::fmt;

/// A number of turns of both players together; 0 if the game is over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Turns(pub u16);

impl fmt::Display for Turns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The result of a game, for the side to move. Better outcomes are greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// The side to move loses.
    Loss,
    /// Neither side can force a win.
    Draw,
    /// The side to move wins.
    Win,
}

impl Outcome {
    /// The three outcomes, worst first.
    pub const ALL: [Outcome; 3] = [Outcome::Loss, Outcome::Draw, Outcome::Win];

    /// The same outcome for the other player.
    #[must_use]
    pub fn flipped(self) -> Outcome {
        match self {
            Outcome::Win => Outcome::Loss,
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss => Outcome::Win,
        }
    }

    /// Returns [`Outcome::flipped`] if `flip` is true. Converts a result after a turn to the
    /// opponent's view if the same player moves again.
    #[inline]
    #[must_use]
    pub fn flipped_if(self, flip: bool) -> Outcome {
        if flip { self.flipped() } else { self }
    }

    /// The word used in JSON and on the command line: `win`, `loss` or `draw`.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Win => "win",
            Outcome::Draw => "draw",
            Outcome::Loss => "loss",
        }
    }

    /// The outcome with this word.
    pub fn from_word(word: &str) -> Option<Outcome> {
        Outcome::ALL.into_iter().find(|outcome| outcome.word() == word)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// The exact value of a position for the side to move: the outcome, and the turns to the end if the
/// winner hurries and the loser delays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// The side to move loses in this number of turns.
    Loss(Turns),
    /// Neither side can force a win.
    Draw,
    /// The side to move wins in this number of turns.
    Win(Turns),
}

impl Value {
    /// The value of a finished game.
    pub fn over(outcome: Outcome) -> Value {
        match outcome {
            Outcome::Win => Value::Win(Turns(0)),
            Outcome::Draw => Value::Draw,
            Outcome::Loss => Value::Loss(Turns(0)),
        }
    }

    /// The outcome without the turns.
    pub fn outcome(self) -> Outcome {
        match self {
            Value::Win(_) => Outcome::Win,
            Value::Draw => Outcome::Draw,
            Value::Loss(_) => Outcome::Loss,
        }
    }

    /// The turns to the end; `None` for a draw.
    pub fn turns(self) -> Option<Turns> {
        match self {
            Value::Win(turns) | Value::Loss(turns) => Some(turns),
            Value::Draw => None,
        }
    }

    /// The same value for the other player, at the same moment.
    #[must_use]
    pub fn flipped(self) -> Value {
        match self {
            Value::Win(turns) => Value::Loss(turns),
            Value::Draw => Value::Draw,
            Value::Loss(turns) => Value::Win(turns),
        }
    }

    /// Returns [`Value::flipped`] if `flip` is true. Converts the value after a turn to the
    /// opponent's view if the same player moves again.
    #[inline]
    #[must_use]
    pub fn flipped_if(self, flip: bool) -> Value {
        if flip { self.flipped() } else { self }
    }

    /// The value of a turn for the player who makes it. `self` is the value of the position after
    /// it, for the opponent.
    #[must_use]
    pub fn before_turn(self) -> Value {
        match self {
            Value::Win(turns) => Value::Loss(Turns(turns.0 + 1)),
            Value::Draw => Value::Draw,
            Value::Loss(turns) => Value::Win(Turns(turns.0 + 1)),
        }
    }

    /// Returns [`Value::before_turn`] if the turn counts, [`Value::flipped`] if it does not (a placement).
    #[must_use]
    pub fn before(self, counts: bool) -> Value {
        if counts { self.before_turn() } else { self.flipped() }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Orders by the preference of the side to move: quick win, slow win, draw, slow loss, quick loss.
impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Value::Win(a), Value::Win(b)) => b.cmp(a),
            (Value::Loss(a), Value::Loss(b)) => a.cmp(b),
            _ => self.outcome().cmp(&other.outcome()),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.turns() {
            None => f.pad(self.outcome().word()),
            Some(turns) => f.pad(&format!("{} in {turns}", self.outcome())),
        }
    }
}

/// The knowledge about a position. Some tables, and searches that run out of time, know less than a
/// value. `Unknown` is not `Draw`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Knowledge {
    /// The value.
    Exact(Value),
    /// The outcome, without the turns.
    Outcome(Outcome),
    /// Won or drawn; the successors show which.
    NotLost,
    /// Nothing.
    Unknown,
}

impl Knowledge {
    /// The outcome, if known.
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Knowledge::Exact(value) => Some(value.outcome()),
            Knowledge::Outcome(outcome) => Some(outcome),
            Knowledge::NotLost | Knowledge::Unknown => None,
        }
    }

    /// The turns to the end, if known.
    pub fn turns(self) -> Option<Turns> {
        match self {
            Knowledge::Exact(value) => value.turns(),
            _ => None,
        }
    }

    /// The value, if known. A draw counts even without turns.
    pub fn value(self) -> Option<Value> {
        match self {
            Knowledge::Exact(value) => Some(value),
            Knowledge::Outcome(Outcome::Draw) => Some(Value::Draw),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preference_runs_from_quick_loss_to_quick_win() {
        let best_last = [
            Value::Loss(Turns(0)),
            Value::Loss(Turns(2)),
            Value::Draw,
            Value::Win(Turns(9)),
            Value::Win(Turns(1)),
        ];
        for (i, a) in best_last.iter().enumerate() {
            for (j, b) in best_last.iter().enumerate() {
                assert_eq!(a.cmp(b), i.cmp(&j), "{a} against {b}");
            }
        }
    }

    #[test]
    fn a_turn_flips_the_preference() {
        let some = [Value::Loss(Turns(3)), Value::Draw, Value::Win(Turns(4)), Value::Win(Turns(0))];
        for a in some {
            for b in some {
                assert_eq!(a.cmp(&b), b.before_turn().cmp(&a.before_turn()));
            }
        }
    }

    #[test]
    fn words_and_display() {
        assert_eq!(Outcome::from_word("loss"), Some(Outcome::Loss));
        assert_eq!(Outcome::from_word("lost"), None);
        assert_eq!(Value::Win(Turns(5)).to_string(), "win in 5");
        assert_eq!(Value::Draw.to_string(), "draw");
    }
}

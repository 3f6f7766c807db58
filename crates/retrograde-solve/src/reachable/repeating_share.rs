//! The keys of a game that can repeat while they are gathered, and the phases in which positions are decided.

use std::io;
use std::ops::RangeInclusive;

use retrograde_game::{Score, Turns, Value};

use super::share::{GradeState, SavedPiece};
use super::waiting::{DividedKeys, Waiting};
use crate::job::SolveError;

/// The known keys.
pub struct GatheredShare {
    pub all: Waiting,
    /// The known keys whose successors have not been found yet.
    pub new: Vec<u64>,
}

impl Default for GatheredShare {
    fn default() -> GatheredShare {
        GatheredShare { all: Waiting::new(), new: Vec::new() }
    }
}

impl GatheredShare {
    /// Adds keys. Those that were not known are new.
    pub fn add(&mut self, pool: &crate::Pool, found: &[DividedKeys]) {
        self.new.extend(self.all.add_new(pool, found).into_iter().flatten());
    }

    /// Adds keys whose successors are known.
    pub fn add_known(&mut self, pool: &crate::Pool, keys: &[u64]) {
        self.all.add(pool, &[DividedKeys::new(keys)]);
    }

    /// Takes the keys whose successors have not been found yet.
    pub fn take_new(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.new)
    }

    /// The number of keys.
    pub fn len(&self) -> u64 {
        self.all.len() as u64
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> u64 {
        self.all.bytes() + self.new.len() as u64 * 8
    }

    /// Visits all keys in pieces of at most `most`. The keys in `left` have not been expanded yet either.
    ///
    /// # Errors
    /// The first error of `visit`.
    pub fn each_piece(
        &self,
        left: &[u64],
        most: usize,
        visit: &mut dyn FnMut(SavedPiece) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut waiting = [left, &self.new].concat();
        waiting.sort_unstable();
        let known: Vec<u64> = self.all.keys().filter(|key| waiting.binary_search(key).is_err()).collect();
        for (state, keys) in [(GradeState::Waiting, waiting), (GradeState::Gathered, known)] {
            for keys in keys.chunks(most) {
                visit(SavedPiece { state, grade: 0, keys: keys.to_vec(), scores: Vec::new() })?;
            }
        }
        Ok(())
    }
}

/// The scores that a phase passes on to predecessors, and the scores that it decides.
#[derive(Clone, Debug)]
pub struct Phase {
    /// The losses to pass on, if any.
    pub lost: Option<u16>,
    /// The wins to pass on.
    pub won: RangeInclusive<u16>,
    /// The score of a position with a turn to one of these losses.
    pub win: u16,
    /// The score of a position whose last turn is refuted.
    pub loss: u16,
}

impl Phase {
    /// The phase that decides positions that end in exactly `turns` turns, at least one.
    ///
    /// # Errors
    /// [`SolveError::TooDeep`].
    pub fn new(turns: u16) -> Result<Phase, SolveError> {
        let score = |value| u16::from_value(value).ok_or(SolveError::TooDeep);
        let (here, last) = (Turns(turns), Turns(turns.saturating_sub(1)));
        let won = score(Value::Win(last))?;
        Ok(Phase {
            lost: Some(score(Value::Loss(last))?),
            won: won..=won,
            win: score(Value::Win(here))?,
            loss: score(Value::Loss(here))?,
        })
    }

    /// All refuted turns that earlier phases have passed on. A resumed solve counts turns again and needs
    /// them.
    ///
    /// # Errors
    /// [`SolveError::TooDeep`].
    pub fn told_before(turns: u16) -> Result<Phase, SolveError> {
        let last = Phase::new(turns.saturating_sub(1).max(1))?;
        let won = if turns < 2 { RangeInclusive::new(1, 0) } else { *last.won.start()..=u16::MAX };
        Ok(Phase { lost: None, won, ..last })
    }

    /// Whether predecessors of a position with this score win.
    #[inline]
    pub fn tells_loss(&self, score: u16) -> bool {
        self.lost == Some(score)
    }

    /// Whether predecessors of a position with this score have a refuted turn.
    #[inline]
    pub fn tells_win(&self, score: u16) -> bool {
        self.won.contains(&score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_as_long_as_scores() {
        let longest = u16::MAX_TURNS.0;
        assert!(Phase::new(longest).is_ok() && Phase::told_before(longest + 1).is_ok());
        assert!(matches!(Phase::new(longest + 1), Err(SolveError::TooDeep)));
    }

    #[test]
    fn what_was_told_before_is_what_earlier_phases_have_told() {
        let score = |turns| u16::from_value(Value::Win(Turns(turns))).unwrap();
        for turns in 1..6 {
            let again = Phase::told_before(turns).unwrap();
            let told =
                |won: u16| (1..turns).any(|turns| Phase::new(turns).unwrap().won.contains(&score(won)));
            assert!(again.lost.is_none());
            assert!((0..9).all(|won| again.won.contains(&score(won)) == told(won)), "before {turns}");
        }
    }
}

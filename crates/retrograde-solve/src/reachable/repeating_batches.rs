//! A game that can repeat, as several processes see it that share what occurs: they ask about many
//! positions at a time, which they know by their keys, as [`super::batches`] does for games that
//! cannot.

use std::ops::ControlFlow;

use retrograde_game::{Game, Outcome, Predecessors, Score, Turns, Value};

use super::batches::{Asked, ByGrade, Positions, PositionsOf};
use super::coding::{Coding, key_of};
use super::settle::smaller;
use super::successors::{Successor, each_next, position_of};
use crate::job::{SolveError, need_alternation};

/// Questions about many positions of a game that can repeat, all of which have the grade 0.
pub trait RepeatingBatches: Positions {
    /// What positions tell by themselves, in the order of the keys.
    ///
    /// # Errors
    /// If the game breaks a promise.
    fn first_look(&self, keys: &[u64]) -> Result<Vec<FirstLook>, SolveError>;

    /// The keys of the predecessors of positions, once for each of these; some of them may not occur.
    ///
    /// # Errors
    /// If the game breaks a promise.
    fn predecessors(&self, keys: &[u64]) -> Result<Vec<u64>, SolveError>;
}

/// What a position tells by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstLook {
    /// It comes before the game proper.
    Before,
    /// Its score, of two bytes: it has no turns, wins at once, or loses by every turn at once.
    Decided(u16),
    /// It has so many different successors; if one of its turns ends the game as a draw, one more.
    Open(u32),
}

/// A game with the codes of its positions, and the position to begin with.
pub struct RepeatingCoded<'a, G: Game, C> {
    /// The rules.
    pub game: &'a G,
    /// The codes of positions.
    pub coding: C,
    /// The position to begin with.
    pub start: &'a G::Position,
}

impl<G: Game, C: Coding<G>> RepeatingCoded<'_, G, C> {
    fn first_look_at(&self, position: &G::Position, next: &mut Vec<u64>) -> Result<FirstLook, SolveError> {
        if !self.game.turn_is_counted(position) {
            return Ok(FirstLook::Before);
        }
        next.clear();
        let (mut least, mut draws) = (None, 0);
        each_next(self.game, self.coding, position, (|_: &G::Position| 0, 1), |after| match after {
            Successor::Over(outcome) => {
                least = smaller(least, u16::over(outcome));
                draws |= u32::from(outcome == Outcome::Draw);
            }
            Successor::At { key, .. } => next.push(key),
        })?;
        if least == Some(u16::over(Outcome::Loss)) {
            return Ok(FirstLook::Decided(score_of(Value::Win(Turns(1)))));
        }
        if next.is_empty() && draws == 0 {
            let without_turns = u16::over(self.game.outcome_without_turns());
            return Ok(FirstLook::Decided(match least {
                None => without_turns,
                Some(_) => score_of(Value::Loss(Turns(1))),
            }));
        }
        next.sort_unstable();
        next.dedup();
        Ok(FirstLook::Open(next.len() as u32 + draws))
    }
}

/// The score of a value of few turns.
fn score_of(value: Value) -> u16 {
    u16::from_value(value).unwrap_or(u16::UNKNOWN)
}

impl<G: Game, C: Coding<G>> RepeatingCoded<'_, G, C> {
    fn of_one_grade(&self) -> PositionsOf<'_, G, C, impl Fn(&G::Position) -> u64> {
        let &RepeatingCoded { game, coding, start } = self;
        PositionsOf { game, coding, start, grade_of: |_: &G::Position| 0 }
    }
}

impl<G: Game, C: Coding<G>> Positions for RepeatingCoded<'_, G, C> {
    fn start(&self) -> Result<Option<(u64, u64)>, SolveError> {
        need_alternation(self.game, "solving positions that occur in files or on several processes")?;
        self.of_one_grade().start()
    }
    fn successors(&self, keys: &[u64], _grade: u64) -> Result<ByGrade, SolveError> {
        self.of_one_grade().successors(keys, 1)
    }
    fn ask(&self, first: u32, keys: &[u64], _grade: u64) -> Result<Asked, SolveError> {
        self.of_one_grade().ask(first, keys, 1)
    }
    fn scores(&self, keys: &[u64], least: &[Option<u16>]) -> Result<Vec<u16>, SolveError> {
        self.of_one_grade().scores(keys, least)
    }
}

impl<G: Predecessors, C: Coding<G>> RepeatingBatches for RepeatingCoded<'_, G, C> {
    fn first_look(&self, keys: &[u64]) -> Result<Vec<FirstLook>, SolveError> {
        let mut next = Vec::new();
        let look = |&key: &u64| {
            let position = position_of(self.game, self.coding, key)?;
            self.first_look_at(&position, &mut next)
        };
        keys.iter().map(look).collect()
    }

    fn predecessors(&self, keys: &[u64]) -> Result<Vec<u64>, SolveError> {
        let mut all = Vec::new();
        let mut here = Vec::new();
        for &key in keys {
            let position = position_of(self.game, self.coding, key)?;
            here.clear();
            let _ = self.game.each_predecessor(&position, |previous| {
                here.extend(self.coding.code(self.game, &previous).map(key_of));
                ControlFlow::Continue(())
            });
            here.sort_unstable();
            here.dedup();
            all.extend_from_slice(&here);
        }
        Ok(all)
    }
}

//! The interface between the solvers of reachable positions and the games. Solvers ask about many positions
//! at a time, which they know by their keys, so the loops over keys, layers and files are compiled once. Only
//! the work for each position is compiled for each game and each coding.

use std::ops::ControlFlow;

use retrograde_game::{Game, Graded, Index, Outcome, Predecessors, Score, Turns, Value};

use super::coding::{Coding, key_of};
use super::settle::{LowerLayers, Settler, smaller};
use super::successors::{Successor, each_next, first_before, key_of_position, position_of};
use crate::job::{Scores, SolveError, require_alternation};
use crate::position::score_before;

/// Questions about many positions of a game. Positions have grades. In a game that cannot repeat every turn
/// lowers them; otherwise all are 0.
pub trait Positions: Sync {
    /// Returns the grade and the key of the start, unless the game is over there.
    ///
    /// # Errors
    /// If it has no code.
    fn start(&self) -> Result<Option<(u64, u64)>, SolveError>;

    /// Fails if a player can move several times in a row. Only [`Batches::settle`] handles such games.
    ///
    /// # Errors
    /// [`SolveError::NotAlternating`].
    fn require_alternation(&self) -> Result<(), SolveError>;

    /// Returns the keys of the unfinished successors of positions, by grade, in any order and some of them
    /// several times. Their grades are below `end`.
    ///
    /// # Errors
    /// If the game breaks a promise.
    fn successors(&self, keys: &[u64], end: u64) -> Result<ByGrade, SolveError>;

    /// Returns the successors of positions to be looked up elsewhere. Their grades are below `end`. The
    /// first of the positions has the number `first`.
    ///
    /// # Errors
    /// If the game breaks a promise.
    fn ask(&self, first: u32, keys: &[u64], end: u64) -> Result<SuccessorLookups, SolveError>;

    /// Returns the scores of positions, given the least scores of their successors.
    ///
    /// # Errors
    /// If the game breaks a promise or a game takes too long.
    fn scores(&self, keys: &[u64], least: &[Option<u16>]) -> Result<Vec<u16>, SolveError>;
}

/// Keys by grade.
pub type ByGrade = Vec<(u64, Vec<u64>)>;

/// Questions about many positions of a game that cannot repeat.
pub trait Batches: Positions {
    /// Returns the scores of positions of a grade from the scores of lower grades.
    ///
    /// # Errors
    /// If the game breaks a promise or a game takes too long.
    #[doc(hidden)]
    fn settle(&self, keys: &[u64], grade: u64, lower: &LowerLayers<'_>) -> Result<Scores, SolveError>;
}

/// Questions about many positions of a game that can repeat.
pub trait RepeatingBatches: Positions {
    /// Returns what is known of positions without looking further than their successors, in the order of the
    /// keys.
    ///
    /// # Errors
    /// If the game breaks a promise.
    fn first_look(&self, keys: &[u64]) -> Result<Vec<FirstLook>, SolveError>;

    /// Returns the keys of the predecessors of each of the positions, without duplicates. Some of them may
    /// be unreachable.
    ///
    /// # Errors
    /// If the game breaks a promise.
    fn predecessors(&self, keys: &[u64]) -> Result<Vec<u64>, SolveError>;
}

/// A first look at a position, from its successors alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstLook {
    /// It comes before the game proper.
    Before,
    /// Its two-byte score: it has no turns, wins at once, or loses at once by every turn.
    Decided(u16),
    /// The number of its distinct successors, plus one if a turn ends the game as a draw.
    Open(u32),
}

/// The successors of some positions.
#[derive(Default, Debug)]
pub struct SuccessorLookups {
    /// By position: the least score of its finished successors.
    pub least: Vec<Option<u16>>,
    /// By grade: the keys of unfinished successors, each with the number of its predecessor.
    pub lookups: Vec<(u64, Vec<(u64, u32)>)>,
}

impl SuccessorLookups {
    fn look_up(&mut self, grade: u64, key: u64, asker: u32) {
        match self.lookups.iter_mut().find(|(known, _)| *known == grade) {
            Some((_, keys)) => keys.push((key, asker)),
            None => self.lookups.push((grade, vec![(key, asker)])),
        }
    }
}

/// A game with the codes of its positions, the start and the grades.
pub struct Coded<'a, G: Game, C, F> {
    game: &'a G,
    coding: C,
    start: &'a G::Position,
    grade_of: F,
}

impl<'a, G: Graded, C: Coding<G>> Coded<'a, G, C, ()> {
    /// A game that cannot repeat.
    pub fn graded(game: &'a G, coding: C, start: &'a G::Position) -> impl Batches + use<'a, G, C> {
        Coded { game, coding, start, grade_of: |position: &G::Position| game.grade(position) }
    }
}

impl<'a, G: Predecessors, C: Coding<G>> Coded<'a, G, C, ()> {
    /// A game that can repeat.
    pub fn repeating(
        game: &'a G,
        coding: C,
        start: &'a G::Position,
    ) -> impl RepeatingBatches + use<'a, G, C> {
        Coded { game, coding, start, grade_of: |_: &G::Position| 0 }
    }
}

impl<G: Game, C: Coding<G>, F: Fn(&G::Position) -> u64 + Sync> Positions for Coded<'_, G, C, F> {
    fn start(&self) -> Result<Option<(u64, u64)>, SolveError> {
        match self.game.result(self.start) {
            Some(_) => Ok(None),
            None => {
                let key = key_of_position(self.game, self.coding, self.start)?;
                Ok(Some(((self.grade_of)(self.start), key)))
            }
        }
    }

    fn require_alternation(&self) -> Result<(), SolveError> {
        require_alternation(self.game, "solving reachable positions in files or on several processes")
    }

    fn successors(&self, keys: &[u64], end: u64) -> Result<ByGrade, SolveError> {
        let mut found: ByGrade = Vec::new();
        for &key in keys {
            let position = position_of(self.game, self.coding, key)?;
            each_next(self.game, self.coding, &position, (&self.grade_of, end), |next| {
                if let Successor::At { grade, key, .. } = next {
                    match found.iter_mut().find(|(known, _)| *known == grade) {
                        Some((_, keys)) => keys.push(key),
                        None => found.push((grade, vec![key])),
                    }
                }
            })?;
        }
        Ok(found)
    }

    fn ask(&self, first: u32, keys: &[u64], end: u64) -> Result<SuccessorLookups, SolveError> {
        let mut lookups = SuccessorLookups::default();
        for (asker, &key) in (first..).zip(keys) {
            let position = position_of(self.game, self.coding, key)?;
            let mut over = None;
            let grades = (&self.grade_of, end);
            each_next(self.game, self.coding, &position, grades, |next| match next {
                Successor::Over(outcome) => over = smaller(over, u16::over(outcome)),
                Successor::At { grade, key, .. } => lookups.look_up(grade, key, asker),
            })?;
            lookups.least.push(over);
        }
        Ok(lookups)
    }

    fn scores(&self, keys: &[u64], least: &[Option<u16>]) -> Result<Vec<u16>, SolveError> {
        let score = |(&key, &least): (&u64, &Option<u16>)| {
            let position = position_of(self.game, self.coding, key)?;
            score_before(self.game, &position, least, false).ok_or(SolveError::TooDeep)
        };
        keys.iter().zip(least).map(score).collect()
    }
}

impl<G: Graded, C: Coding<G>, F: Fn(&G::Position) -> u64 + Sync> Batches for Coded<'_, G, C, F> {
    fn settle(&self, keys: &[u64], grade: u64, lower: &LowerLayers<'_>) -> Result<Scores, SolveError> {
        Settler { game: self.game, coding: self.coding, lower }.settle(keys, grade)
    }
}

impl<G: Predecessors, C: Coding<G>, F: Fn(&G::Position) -> u64 + Sync> RepeatingBatches
    for Coded<'_, G, C, F>
{
    fn first_look(&self, keys: &[u64]) -> Result<Vec<FirstLook>, SolveError> {
        let (mut next, first_before) = (Vec::new(), first_before(self.game));
        let look = |&key: &u64| {
            let position = position_of(self.game, self.coding, key)?;
            // The turns of some positions before the game count, such as the first turn after a placement.
            if self.game.prelude() > 0 && self.game.index(&position) >= Some(Index(first_before)) {
                return Ok(FirstLook::Before);
            }
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

impl<G: Game, C: Coding<G>, F: Fn(&G::Position) -> u64> Coded<'_, G, C, F> {
    fn first_look_at(&self, position: &G::Position, next: &mut Vec<u64>) -> Result<FirstLook, SolveError> {
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
            return Ok(FirstLook::Decided(match least {
                None => u16::over(self.game.outcome_without_turns()),
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

/// Returns the images of positions by number, with their scores.
///
/// # Errors
/// If a key has no position, or a position has no number.
pub fn images_by_number<G: Game, C: Coding<G>>(
    game: &G,
    coding: C,
    number: &impl Fn(&G, &G::Position) -> Option<u64>,
    scored: &[(u64, u16)],
) -> Result<Vec<(u64, u16)>, SolveError> {
    let mut images = Vec::with_capacity(scored.len());
    let mut missing = false;
    for &(key, score) in scored {
        let position = position_of(game, coding, key)?;
        let _ = coding.each_image(game, &position, |image| {
            match number(game, image) {
                Some(number) => images.push((number, score)),
                None => missing = true,
            }
            ControlFlow::Continue(())
        });
    }
    if missing {
        return Err(SolveError::BrokenPromise("a reachable position has no index".to_owned()));
    }
    Ok(images)
}

/// [`images_by_number`] of a game with its codes and numbers.
pub type Numbers<'a> = &'a (dyn Fn(&[(u64, u16)]) -> Result<Vec<(u64, u16)>, SolveError> + Sync);

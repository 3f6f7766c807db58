//! A game as the solvers of this room see it: they ask about many positions at a time, which they
//! know by their keys. So the loops over keys, layers and files exist once, and only what is done
//! for each position is compiled for each game and each coding.

use std::ops::ControlFlow;

use retrograde_game::{Game, Graded, Score};

use super::coding::Coding;
use super::settle::{LowerLayers, Settled, Settler, score_before, smaller};
use super::successors::{Successor, each_next, key_of_position, position_of};
use crate::job::{SolveError, need_alternation};

/// Questions about many positions of a game. Positions have grades: in a game that cannot repeat every
/// turn lowers them; in others all are 0.
pub trait Positions: Sync {
    /// The grade and the key of the position to begin with, unless the game is over there.
    ///
    /// # Errors
    /// If it has no code.
    fn start(&self) -> Result<Option<(u64, u64)>, SolveError>;

    /// The keys of the unfinished successors of positions of a grade, by grade; in no order, and some
    /// of them more than once.
    ///
    /// # Errors
    /// If the game breaks a promise.
    fn successors(&self, keys: &[u64], grade: u64) -> Result<ByGrade, SolveError>;

    /// The successors of positions of a grade, to be looked up elsewhere; the first of these
    /// positions has this number.
    ///
    /// # Errors
    /// If the game breaks a promise.
    fn ask(&self, first: u32, keys: &[u64], grade: u64) -> Result<Asked, SolveError>;

    /// The scores of positions whose successors' least scores are known.
    ///
    /// # Errors
    /// If the game breaks a promise, or takes too long.
    fn scores(&self, keys: &[u64], least: &[Option<u16>]) -> Result<Vec<u16>, SolveError>;
}

/// Keys by grade.
pub type ByGrade = Vec<(u64, Vec<u64>)>;

/// Questions about many positions of a game that cannot repeat.
pub trait Batches: Positions {
    /// The scores of positions of a grade, from those of the lower ones.
    ///
    /// # Errors
    /// If the game breaks a promise, or takes too long.
    #[doc(hidden)]
    fn settle(&self, keys: &[u64], grade: u64, lower: &LowerLayers<'_>) -> Result<Settled, SolveError>;
}

/// The successors of some positions.
#[derive(Default, Debug)]
pub struct Asked {
    /// By position: the least score of those that are over.
    pub least: Vec<Option<u16>>,
    /// By grade: the keys of those that are to be looked up, each with the number of the position
    /// that has it.
    pub lookups: Vec<(u64, Vec<(u64, u32)>)>,
}

impl Asked {
    fn look_up(&mut self, grade: u64, key: u64, asker: u32) {
        match self.lookups.iter_mut().find(|(known, _)| *known == grade) {
            Some((_, keys)) => keys.push((key, asker)),
            None => self.lookups.push((grade, vec![(key, asker)])),
        }
    }
}

/// A game with the codes of its positions, and the position to begin with.
pub struct Coded<'a, G: Graded, C> {
    /// The rules.
    pub game: &'a G,
    /// The codes of positions.
    pub coding: C,
    /// The position to begin with.
    pub start: &'a G::Position,
}

impl<G: Graded, C: Coding<G>> Coded<'_, G, C> {
    fn graded(&self) -> PositionsOf<'_, G, C, impl Fn(&G::Position) -> u64> {
        let &Coded { game, coding, start } = self;
        PositionsOf { game, coding, start, grade_of: |position: &G::Position| game.grade(position) }
    }
}

impl<G: Graded, C: Coding<G>> Positions for Coded<'_, G, C> {
    fn start(&self) -> Result<Option<(u64, u64)>, SolveError> {
        self.graded().start()
    }
    fn successors(&self, keys: &[u64], grade: u64) -> Result<ByGrade, SolveError> {
        self.graded().successors(keys, grade)
    }
    fn ask(&self, first: u32, keys: &[u64], grade: u64) -> Result<Asked, SolveError> {
        need_alternation(self.game, "solving positions that occur in files or on several processes")?;
        self.graded().ask(first, keys, grade)
    }
    fn scores(&self, keys: &[u64], least: &[Option<u16>]) -> Result<Vec<u16>, SolveError> {
        self.graded().scores(keys, least)
    }
}

impl<G: Graded, C: Coding<G>> Batches for Coded<'_, G, C> {
    fn settle(&self, keys: &[u64], grade: u64, lower: &LowerLayers<'_>) -> Result<Settled, SolveError> {
        Settler { game: self.game, coding: self.coding, lower }.settle(keys, grade)
    }
}

/// The positions of a game by their codes, with grades.
pub(super) struct PositionsOf<'a, G: Game, C, F> {
    pub game: &'a G,
    pub coding: C,
    pub start: &'a G::Position,
    pub grade_of: F,
}

impl<G: Game, C: Coding<G>, F: Fn(&G::Position) -> u64> PositionsOf<'_, G, C, F> {
    pub fn start(&self) -> Result<Option<(u64, u64)>, SolveError> {
        match self.game.result(self.start) {
            Some(_) => Ok(None),
            None => {
                let key = key_of_position(self.game, self.coding, self.start)?;
                Ok(Some(((self.grade_of)(self.start), key)))
            }
        }
    }

    pub fn successors(&self, keys: &[u64], end: u64) -> Result<ByGrade, SolveError> {
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

    pub fn ask(&self, first: u32, keys: &[u64], end: u64) -> Result<Asked, SolveError> {
        let mut asked = Asked::default();
        for (asker, &key) in (first..).zip(keys) {
            let position = position_of(self.game, self.coding, key)?;
            let mut over = None;
            let grades = (&self.grade_of, end);
            each_next(self.game, self.coding, &position, grades, |next| match next {
                Successor::Over(outcome) => over = smaller(over, u16::over(outcome)),
                Successor::At { grade, key, .. } => asked.look_up(grade, key, asker),
            })?;
            asked.least.push(over);
        }
        Ok(asked)
    }

    pub fn scores(&self, keys: &[u64], least: &[Option<u16>]) -> Result<Vec<u16>, SolveError> {
        let score = |(&key, &least): (&u64, &Option<u16>)| {
            let position = position_of(self.game, self.coding, key)?;
            score_before(self.game, &position, least).ok_or(SolveError::TooDeep)
        };
        keys.iter().zip(least).map(score).collect()
    }
}

/// The images of positions by number, with their scores.
///
/// # Errors
/// If a key has no position, or a position no number.
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
        return Err(SolveError::BrokenPromise("a position occurs and has no number".to_owned()));
    }
    Ok(images)
}

/// [`images_by_number`] of a game with its codes and numbers.
pub type Numbers<'a> = &'a (dyn Fn(&[(u64, u16)]) -> Result<Vec<(u64, u16)>, SolveError> + Sync);

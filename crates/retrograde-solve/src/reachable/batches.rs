//! The interface between the solvers of reachable positions and the games. Solvers ask about many positions
//! at a time, which they know by their keys, so the loops over keys, layers and files are compiled once. Only
//! the work for each position is compiled for each game and each coding.

use std::ops::ControlFlow;

use retrograde_game::{Dense, Game, Graded, Index, Outcome, Predecessors, Score, Turns, Value};

use super::coding::{Coding, key_of};
use super::settle::{LowerLayers, Settler, smaller};
use super::successors::{Successor, each_next, first_before, key_of_position, position_of};
use crate::job::{Scores, SolveError, require_alternation};
use crate::position::score_before;

/// A game with a start and the codes of its positions. Its reachable positions can be solved in memory, in files
/// or by several processes, and are numbered by their indices.
pub struct Reachable<'a>(pub(crate) Kind<'a>);

/// Whether a game can repeat.
pub(crate) enum Kind<'a> {
    Graded(Box<dyn Batches + 'a>),
    Repeating(Box<dyn RepeatingBatches + 'a>),
}

impl<'a> Reachable<'a> {
    /// A game that cannot repeat: turns lower the grade.
    pub fn graded<G: Dense + Graded, C: Coding<G> + 'a>(
        game: &'a G,
        coding: C,
        start: &G::Position,
    ) -> Reachable<'a> {
        let grade_of = move |position: &G::Position| game.grade(position);
        Reachable(Kind::Graded(Box::new(Coded { game, coding, start: start.clone(), grade_of })))
    }

    /// A game that can repeat. Loops are draws.
    pub fn repeating<G: Predecessors, C: Coding<G> + 'a>(
        game: &'a G,
        coding: C,
        start: &G::Position,
    ) -> Reachable<'a> {
        let grade_of = |_: &G::Position| 0;
        Reachable(Kind::Repeating(Box::new(Coded { game, coding, start: start.clone(), grade_of })))
    }

    /// Fails if a player can move several times in a row: only [`Batches::settle`] handles such games.
    pub(crate) fn require_alternation(&self) -> Result<(), SolveError> {
        match &self.0 {
            Kind::Graded(game) => game.require_alternation(),
            Kind::Repeating(game) => game.require_alternation(),
        }
    }
}

/// Questions about many positions of a game. Positions have grades. In a game that cannot repeat every turn
/// lowers them; otherwise all are 0.
pub(crate) trait Positions: Sync {
    /// Returns the grade and the key of the start, unless the game is over there. Fails if it has no code.
    fn start(&self) -> Result<Option<(u64, u64)>, SolveError>;

    /// Fails if a player can move several times in a row.
    fn require_alternation(&self) -> Result<(), SolveError>;

    /// Returns the keys of the unfinished successors of positions, by grade, in any order and some of them
    /// several times. Their grades are below `end`.
    fn successors(&self, keys: &[u64], end: u64) -> Result<ByGrade, SolveError>;

    /// Returns the successors of positions to be looked up elsewhere. Their grades are below `end`. The
    /// first of the positions has the number `first`.
    fn ask(&self, first: u32, keys: &[u64], end: u64) -> Result<SuccessorLookups, SolveError>;

    /// Returns the scores of positions, given the least scores of their successors.
    fn scores(&self, keys: &[u64], least: &[Option<u16>]) -> Result<Vec<u16>, SolveError>;

    /// Returns the indices of all images of positions, with their scores. Fails if a position has no index.
    fn numbered(&self, scored: &[(u64, u16)]) -> Result<Vec<(u64, u16)>, SolveError>;
}

/// Keys by grade.
pub(crate) type ByGrade = Vec<(u64, Vec<u64>)>;

/// Questions about many positions of a game that cannot repeat.
pub(crate) trait Batches: Positions {
    /// Returns the scores of positions of a grade from the scores of lower grades.
    fn settle(&self, keys: &[u64], grade: u64, lower: &LowerLayers<'_>) -> Result<Scores, SolveError>;
}

/// Questions about many positions of a game that can repeat.
pub(crate) trait RepeatingBatches: Positions {
    /// Returns what is known of positions without looking further than their successors, in the order of the
    /// keys.
    fn first_look(&self, keys: &[u64]) -> Result<Vec<FirstLook>, SolveError>;

    /// Returns the keys of the predecessors of each of the positions, without duplicates. Some of them may
    /// be unreachable.
    fn predecessors(&self, keys: &[u64]) -> Result<Vec<u64>, SolveError>;
}

/// A first look at a position, from its successors alone.
#[derive(Clone, Copy)]
pub(crate) enum FirstLook {
    /// It comes before the game proper.
    Before,
    /// Its two-byte score: it has no turns, wins at once, or loses at once by every turn.
    Decided(u16),
    /// The number of its distinct successors, plus one if a turn ends the game as a draw.
    Open(u32),
}

/// The successors of some positions.
#[derive(Default)]
pub(crate) struct SuccessorLookups {
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
struct Coded<'a, G: Game, C, F> {
    game: &'a G,
    coding: C,
    start: G::Position,
    grade_of: F,
}

impl<G: Dense, C: Coding<G>, F: Fn(&G::Position) -> u64 + Sync> Positions for Coded<'_, G, C, F> {
    fn start(&self) -> Result<Option<(u64, u64)>, SolveError> {
        match self.game.result(&self.start) {
            Some(_) => Ok(None),
            None => {
                let key = key_of_position(self.game, self.coding, &self.start)?;
                Ok(Some(((self.grade_of)(&self.start), key)))
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

    fn numbered(&self, scored: &[(u64, u16)]) -> Result<Vec<(u64, u16)>, SolveError> {
        let mut images = Vec::with_capacity(scored.len());
        let mut missing = false;
        for &(key, score) in scored {
            let position = position_of(self.game, self.coding, key)?;
            let _ = self.coding.each_image(self.game, &position, |image| {
                match self.game.index(image) {
                    Some(Index(index)) => images.push((index, score)),
                    None => missing = true,
                }
                ControlFlow::Continue(())
            });
        }
        match missing {
            true => Err(SolveError::BrokenPromise("a reachable position has no index".to_owned())),
            false => Ok(images),
        }
    }
}

impl<G: Dense + Graded, C: Coding<G>, F: Fn(&G::Position) -> u64 + Sync> Batches for Coded<'_, G, C, F> {
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

//! The type-erased dense numbering of a game. Loops over all indices are compiled for the game's
//! type.

use std::ops::{ControlFlow, Range};

use retrograde_game::{Dense, Index, Outcome, Show, Successor};
use retrograde_solve::{Progress, ReachableCounts, SolveError};

use crate::game::rules::{Position, Typed};
use crate::game::sample::{Sample, sample};
use crate::game::stamp::version_stamp;
use crate::store::derive::Check;
use crate::{Findings, LONG_WORK};

/// The constants of a dense numbering. What a game computes, such as the number of indices, is asked for alone: a query
/// asks often, and a server asks for the memory before anything is built.
pub(crate) struct NumberingFacts {
    pub index_version: u32,
    pub up_to_symmetry: bool,
    /// The versions of the rules and of the numbering, as a text.
    pub version_stamp: &'static str,
}

/// A game with a dense numbering. Its methods correspond to those of [`Dense`] with the same names.
pub(crate) trait Numbered: Send + Sync {
    fn facts(&self) -> NumberingFacts;
    fn sample(&self) -> Option<Sample>;
    fn index_count(&self) -> u128;
    fn prelude(&self) -> u64;
    fn index_memory(&self) -> u64;
    fn index(&self, position: &Position) -> Option<Index>;
    fn position(&self, index: Index) -> Option<Position>;
    /// The text of the position at an index. If `planes` are given, they are filled with its
    /// planes.
    fn text(&self, index: Index, planes: Option<&mut [u8]>) -> Option<String>;
    fn unnumbered(&self) -> Vec<(Outcome, u128)>;
    fn each_successor_at(
        &self,
        index: Index,
        visit: &mut dyn FnMut(Successor) -> ControlFlow<()>,
    ) -> ControlFlow<()>;
    /// Recomputes the values of these places.
    fn derive(&self, check: &Check<'_>, places: Range<u64>, findings: &mut Findings);
    /// Counts the reachable positions and their indices.
    fn count_reachable(&self, memory: u64, progress: &dyn Progress) -> Result<ReachableCounts, SolveError>;
}

impl<G: Dense + Show + 'static> Numbered for Typed<G> {
    fn facts(&self) -> NumberingFacts {
        NumberingFacts {
            index_version: G::INDEX_VERSION,
            up_to_symmetry: G::UP_TO_SYMMETRY,
            version_stamp: version_stamp::<G>(),
        }
    }
    fn sample(&self) -> Option<Sample> {
        if LONG_WORK { sample(&*self.game) } else { None }
    }
    fn index_count(&self) -> u128 {
        self.game.index_count()
    }
    fn prelude(&self) -> u64 {
        self.game.prelude()
    }
    fn index_memory(&self) -> u64 {
        self.game.index_memory()
    }
    fn index(&self, position: &Position) -> Option<Index> {
        self.game.index(position.get())
    }
    fn position(&self, index: Index) -> Option<Position> {
        self.game.position(index).map(Position::new)
    }
    fn text(&self, index: Index, planes: Option<&mut [u8]>) -> Option<String> {
        let position = self.game.position(index)?;
        if let Some(planes) = planes {
            self.game.planes(&position, planes);
        }
        Some(self.game.position_text(&position))
    }
    fn unnumbered(&self) -> Vec<(Outcome, u128)> {
        self.game.unnumbered()
    }
    fn each_successor_at(
        &self,
        index: Index,
        visit: &mut dyn FnMut(Successor) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.game.each_successor_at(index, visit)
    }
    fn derive(&self, check: &Check<'_>, places: Range<u64>, findings: &mut Findings) {
        // Only verification uses this.
        if LONG_WORK {
            crate::store::derive::derive(&*self.game, check, places, findings);
        }
    }
    fn count_reachable(&self, memory: u64, progress: &dyn Progress) -> Result<ReachableCounts, SolveError> {
        // Only long work uses this.
        if !LONG_WORK {
            return Err(SolveError::Stopped);
        }
        let game = &*self.game;
        let number = |position: &G::Position| game.index(position).map(|index| index.0);
        retrograde_solve::count_reachable(game, &game.start(), &number, memory, progress)
    }
}

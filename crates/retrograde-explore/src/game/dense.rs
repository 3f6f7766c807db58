//! The abilities of a game with a dense numbering, behind one pointer.
//!
//! [`Entry`](crate::Entry) does not know whether its game is [`Dense`]; when a newcomer says so,
//! this trait keeps the promise. The one hot loop, deriving values again, stays compiled for the
//! game.

use std::ops::{ControlFlow, Range};

use retrograde_game::{Dense, Game, Index, Outcome, Successor};
use retrograde_solve::retrograde::Capabilities;
use retrograde_solve::shades::{self, Draws, Shades};
use retrograde_solve::{Job, SolveError};

use crate::Findings;
use crate::game::sample::{Sample, sample};
use crate::game::stamp::version_stamp;
use crate::long_work::LONG_WORK;
use crate::store::derive::Check;

/// A numbering whose game is known only as `G: Game`.
pub(crate) trait DynDense<G: Game>: Send + Sync {
    fn index_version(&self) -> u32;
    fn up_to_symmetry(&self) -> bool;
    fn version_stamp(&self) -> &'static str;
    fn sample(&self, game: &G) -> Option<Sample>;
    fn index_count(&self, game: &G) -> u128;
    fn index(&self, game: &G, position: &G::Position) -> Option<Index>;
    fn position(&self, game: &G, index: Index) -> Option<G::Position>;
    fn prelude(&self, game: &G) -> u64;
    fn unnumbered(&self, game: &G) -> Vec<(Outcome, u128)>;
    fn index_memory(&self, game: &G) -> u64;
    fn each_successor_at(
        &self,
        game: &G,
        index: Index,
        visit: &mut dyn FnMut(Successor) -> ControlFlow<()>,
    ) -> ControlFlow<()>;
    /// Derives the values of these places again.
    fn derive(&self, game: &G, check: &Check<'_>, places: Range<u64>, findings: &mut Findings);
    /// Finds the shades of draws.
    fn shades(
        &self,
        game: &G,
        able: Capabilities<G>,
        draws: &Draws,
        job: &Job<'_>,
    ) -> Result<Shades, SolveError>;
}

/// The implementation for a game that is [`Dense`].
pub(crate) struct DenseGame;

impl<G: Dense> DynDense<G> for DenseGame {
    fn index_version(&self) -> u32 {
        G::INDEX_VERSION
    }
    fn up_to_symmetry(&self) -> bool {
        G::UP_TO_SYMMETRY
    }
    fn version_stamp(&self) -> &'static str {
        version_stamp::<G>()
    }
    fn sample(&self, game: &G) -> Option<Sample> {
        if LONG_WORK { sample(game) } else { None }
    }
    fn index_count(&self, game: &G) -> u128 {
        game.index_count()
    }
    fn index(&self, game: &G, position: &G::Position) -> Option<Index> {
        game.index(position)
    }
    fn position(&self, game: &G, index: Index) -> Option<G::Position> {
        game.position(index)
    }
    fn prelude(&self, game: &G) -> u64 {
        game.prelude()
    }
    fn unnumbered(&self, game: &G) -> Vec<(Outcome, u128)> {
        game.unnumbered()
    }
    fn index_memory(&self, game: &G) -> u64 {
        game.index_memory()
    }
    fn each_successor_at(
        &self,
        game: &G,
        index: Index,
        visit: &mut dyn FnMut(Successor) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        game.each_successor_at(index, visit)
    }
    fn derive(&self, game: &G, check: &Check<'_>, places: Range<u64>, findings: &mut Findings) {
        // Nothing but a verification asks.
        if LONG_WORK {
            crate::store::derive::derive(game, check, places, findings);
        }
    }
    fn shades(
        &self,
        game: &G,
        able: Capabilities<G>,
        draws: &Draws,
        job: &Job<'_>,
    ) -> Result<Shades, SolveError> {
        // Only a solve asks.
        if LONG_WORK { shades::solve(game, able, draws, job) } else { Err(SolveError::Stopped) }
    }
}

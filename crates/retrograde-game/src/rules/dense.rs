//! The [`Dense`] trait: a number for each position.

use std::fmt;
use std::ops::Range;

use super::broken::broken_promise;
use super::game::{Flow, Game};
use crate::text::TextError;
use crate::values::Outcome;

/// The number of a position in a dense numbering.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Index(pub u64);

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Converts a range of indices to a range of numbers.
#[must_use]
pub fn numbers(indices: Range<Index>) -> Range<u64> {
    indices.start.0..indices.end.0
}

/// A successor in a dense numbering.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Successor {
    /// [`Game::result`] ends the game, with this outcome for the opponent of the player who made
    /// the turn ([`Game::result_after`]).
    Terminal(Outcome),
    /// A position with this index, in which the other player is to move.
    At(Index),
    /// A position with this index, in which the same player moves again.
    Again(Index),
}

impl Successor {
    /// The index of an unfinished successor.
    #[inline]
    pub fn index(self) -> Option<Index> {
        match self {
            Successor::Terminal(_) => None,
            Successor::At(index) | Successor::Again(index) => Some(index),
        }
    }
}

/// A numbering of positions from 0 to [`Dense::index_count`], dense enough to store one value per index.
///
/// Every successor of a numbered position is numbered, or [`Game::result`] ends the game there.
/// Finished positions may be numbered too.
pub trait Dense: Game {
    /// Increase this when positions get different indices. Stored in tables.
    const INDEX_VERSION: u32;

    /// Whether images of a position share its index ([`Dense::index`]), so that
    /// [`Game::position_count`] counts them once.
    const UP_TO_SYMMETRY: bool = false;

    /// The number of indices, including those without a position.
    fn index_count(&self) -> u128;

    /// The index of a position, or `None` if it is not numbered.
    ///
    /// A position and its images under the symmetries of the board may share one index, as with
    /// `retrograde_index::ReducedArrangements`. Then [`Dense::representative`] returns the one that
    /// represents them, [`Game::position_count`] counts them once, and the game does not need to
    /// list its [`Symmetries`](crate::Symmetries).
    fn index(&self, position: &Self::Position) -> Option<Index>;

    /// The position with an index, or `None` if no position has it. If several share it, returns the
    /// representative.
    fn position(&self, index: Index) -> Option<Self::Position>;

    /// Returns the position that `text` describes, if it is numbered.
    ///
    /// # Errors
    /// If it is not; `reason` must be true of all positions that are not numbered.
    fn numbered(
        &self,
        position: Self::Position,
        text: &str,
        reason: &str,
    ) -> Result<Self::Position, TextError> {
        match self.index(&position) {
            Some(_) => Ok(position),
            None => Err(TextError::impossible("position", text, reason)),
        }
    }

    /// The representative of all positions that share the index of a numbered position: itself,
    /// unless images share an index.
    fn representative(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// The number of positions before the game proper, which have the *last* indices. No turn leads
    /// back to them, and each has only successors with smaller indices. They are solved last and
    /// not counted in [`Game::position_count`]. Push Fight's placements are an example.
    fn prelude(&self) -> u64 {
        0
    }

    /// The finished positions that [`Game::position_count`] counts but that are not numbered: how
    /// many there are of each outcome.
    fn unnumbered(&self) -> Vec<(Outcome, u128)> {
        Vec::new()
    }

    /// Counts the positions of the game proper one by one, plus [`Dense::unnumbered`]: the
    /// [`Game::position_count`] of a small game without a formula. Visits every index, so cache the
    /// result.
    fn count_positions(&self) -> u128 {
        let indices = u64::try_from(self.index_count()).unwrap_or(u64::MAX).saturating_sub(self.prelude());
        let mut count = 0;
        let _ = self.walk_down(Index(0)..Index(indices), |_, _| {
            count += 1;
            Flow::Continue(())
        });
        self.unnumbered().iter().fold(count, |sum, (_, more)| sum + more)
    }

    /// The bytes of memory that the index tables need once they are built. Returns quickly and
    /// builds nothing. A server uses it to reject games before it opens them.
    fn index_memory(&self) -> u64 {
        0
    }

    /// Visits the positions of a range of indices, largest index first, until the visitor stops;
    /// skips indices without a position. Solvers scan their tables with it. Override this if a
    /// position is quick to derive from its neighbour, as in
    /// `retrograde_index::Arrangements::walk_down`.
    fn walk_down(&self, indices: Range<Index>, mut visit: impl FnMut(Index, Self::Position) -> Flow) -> Flow {
        for index in numbers(indices).rev().map(Index) {
            if let Some(position) = self.position(index) {
                visit(index, position)?;
            }
        }
        Flow::Continue(())
    }

    /// Visits the successors of a *numbered* position, each at least once, until the visitor stops;
    /// visits nothing if the game is over. Override this if the index of a successor can be
    /// computed from the parts it shares with the position.
    fn each_numbered_successor(
        &self,
        position: &Self::Position,
        mut visit: impl FnMut(Successor) -> Flow,
    ) -> Flow {
        self.each_successor(position, |next| match self.result_after(position, &next) {
            Some(outcome) => visit(Successor::Terminal(outcome)),
            None => match self.index(&next) {
                Some(index) if self.moves_again(position, &next) => visit(Successor::Again(index)),
                Some(index) => visit(Successor::At(index)),
                None => unnumbered(self, position, &next),
            },
        })
    }

    /// Visits the successors of the position with an index, each at least once, until the visitor
    /// stops. Visits nothing if there is no such position or the game is over. It calls
    /// [`Dense::position`] and [`Dense::each_numbered_successor`]; override the latter.
    fn each_successor_at(&self, index: Index, visit: impl FnMut(Successor) -> Flow) -> Flow {
        match self.position(index) {
            Some(position) => self.each_numbered_successor(&position, visit),
            None => Flow::Continue(()),
        }
    }
}

/// Panics, since a successor must have an index. Apart from [`Dense::each_numbered_successor`], which is
/// compiled once for each of its callers.
#[cold]
fn unnumbered<G: Dense>(game: &G, position: &G::Position, next: &G::Position) -> ! {
    let [from, to] = [position, next].map(|position| game.position_text(position));
    broken_promise(format!("{to} follows {from} and has no index (`Dense::index`)"))
}

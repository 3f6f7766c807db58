//! Traits for going back: the predecessors of a position.

use super::dense::{Dense, Index};
use super::game::Flow;

/// A game that can list the predecessors of a position.
pub trait Predecessors: Dense {
    /// Visits every *numbered* position outside the prelude with a turn to this one, at least once,
    /// until the visitor stops. Finished positions have no turns, so they are not predecessors.
    fn each_predecessor(&self, position: &Self::Position, visit: impl FnMut(Self::Position) -> Flow) -> Flow;

    /// Visits the indices of the predecessors, each at least once; visits nothing if the index has
    /// no position. Solvers call this. Override it if the index is known without ranking the
    /// position.
    fn each_predecessor_at(&self, index: Index, mut visit: impl FnMut(Index)) {
        let Some(position) = self.position(index) else { return };
        let _ = self.each_predecessor(&position, |previous| {
            if let Some(index) = self.index(&previous) {
                visit(index);
            }
            Flow::Continue(())
        });
    }

    /// Visits at least the predecessors in the same stage, in a [`Staged`](crate::Staged) game. Solving by
    /// counting does not need others.
    fn each_predecessor_within_stage(&self, index: Index, visit: impl FnMut(Index)) {
        self.each_predecessor_at(index, visit);
    }
}

/// A game that can take turns back. This is the easiest way to implement [`Predecessors`].
///
/// An un-move is often a turn of the same rules played backwards: a piece goes back to a square
/// that is empty now.
pub trait Unmoves: Dense {
    /// Whether every visited position that is numbered and not over really has a turn to this one.
    /// If `false`, its turns are searched; in games with many turns that costs as much as knowing
    /// the predecessors saves.
    const EXACT: bool;

    /// Visits positions before this one until the visitor stops. Every numbered position with a
    /// turn to this one must be visited at least once; others may be visited too, if that is
    /// simpler. Positions without an index, finished positions and positions of the prelude are
    /// filtered out.
    fn each_unmove(&self, position: &Self::Position, visit: impl FnMut(Self::Position) -> Flow) -> Flow;

    /// Visits at least the un-moves in the same stage, in a [`Staged`](crate::Staged) game.
    fn each_unmove_within_stage(
        &self,
        position: &Self::Position,
        visit: impl FnMut(Self::Position) -> Flow,
    ) -> Flow {
        self.each_unmove(position, visit)
    }
}

impl<G: Unmoves> Predecessors for G {
    fn each_predecessor(
        &self,
        position: &Self::Position,
        mut visit: impl FnMut(Self::Position) -> Flow,
    ) -> Flow {
        self.each_unmove(position, unmade(self, position, |previous, _| visit(previous)))
    }

    fn each_predecessor_at(&self, index: Index, visit: impl FnMut(Index)) {
        let Some(position) = self.position(index) else { return };
        let _ = self.each_unmove(&position, unmade(self, &position, index_alone(visit)));
    }

    fn each_predecessor_within_stage(&self, index: Index, visit: impl FnMut(Index)) {
        let Some(position) = self.position(index) else { return };
        let _ = self.each_unmove_within_stage(&position, unmade(self, &position, index_alone(visit)));
    }
}

/// Adapts a visitor of indices to visit positions with their indices.
fn index_alone<P>(mut visit: impl FnMut(Index)) -> impl FnMut(P, Index) -> Flow {
    move |_, index| {
        visit(index);
        Flow::Continue(())
    }
}

/// A visitor for [`Unmoves::each_unmove`] that passes on the real predecessors, with their indices.
fn unmade<G, F>(game: &G, position: &G::Position, mut visit: F) -> impl FnMut(G::Position) -> Flow
where
    G: Unmoves,
    F: FnMut(G::Position, Index) -> Flow,
{
    let prelude = game.prelude();
    // Most games have no prelude; then the indices are not counted.
    let numbered = if prelude == 0 { u128::MAX } else { game.index_count() - u128::from(prelude) };
    move |previous| {
        if game.result(&previous).is_some() {
            return Flow::Continue(());
        }
        let leads_here = || {
            let found = |next| if next == *position { Flow::Break(()) } else { Flow::Continue(()) };
            G::EXACT || game.each_successor(&previous, found).is_break()
        };
        match game.index(&previous) {
            Some(index) if u128::from(index.0) < numbered && leads_here() => visit(previous, index),
            _ => Flow::Continue(()),
        }
    }
}

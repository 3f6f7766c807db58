//! Traits for the order in which positions can be solved.

use std::ops::Range;

use super::dense::{Dense, Index, Successor};
use super::game::{Flow, Game};

/// A game in which positions cannot repeat, because every turn lowers a number.
pub trait Graded: Game {
    /// A number that every turn lowers. A position and its images under [`Symmetries`](crate::Symmetries) have the same one.
    fn grade(&self, position: &Self::Position) -> u64;
}

/// A graded game whose dense numbering can be solved in one pass.
///
/// By default all indices are one layer, which is correct if every turn leads to a *larger* index.
/// One thread solves it.
pub trait Layered: Dense + Graded {
    /// The number of layers.
    fn layer_count(&self) -> usize {
        1
    }

    /// The indices of a layer, as ranges that may be solved in parallel. The layers cover every
    /// index outside the prelude once. Every successor of an index is finished, in an earlier
    /// layer, or at a *larger* index of the same range; a range is solved from its end.
    fn layer(&self, _layer: usize) -> Vec<Range<Index>> {
        let count = u64::try_from(self.index_count()).unwrap_or(u64::MAX);
        vec![Index(0)..Index(count.saturating_sub(self.prelude()))]
    }
}

/// Splits the indices of one layer, which do not depend on each other, into ranges for threads.
#[must_use]
pub fn side_by_side(indices: Range<u64>) -> Vec<Range<Index>> {
    const LENGTH: usize = 1 << 16;
    let starts = indices.clone().step_by(LENGTH);
    starts.map(|start| Index(start)..Index(indices.end.min(start.saturating_add(LENGTH as u64)))).collect()
}

/// A game in which positions can repeat, but which has stages that no turn leads back to, as captures do.
///
/// Such a game is solved stage by stage, so the working memory of retrograde analysis is needed for
/// one stage at a time. If the scores do not fit into memory either, it is enough to hold the scores
/// of a stage and of the stages that its turns lead to.
pub trait Staged: Dense {
    /// The number of stages.
    fn stage_count(&self) -> usize;

    /// The indices of a stage, as ranges. The stages cover every index outside the prelude once.
    /// Every successor of an index is finished, in the same stage, or in an earlier one.
    fn stage(&self, stage: usize) -> Vec<Range<Index>>;

    /// The stages that turns of a stage lead to, including the stage itself; by default all stages
    /// up to it. Override this if the game does not fit into memory.
    fn stages_after(&self, stage: usize) -> Vec<usize> {
        (0..=stage).collect()
    }

    /// Whether [`Staged::each_earlier_successor`] is much faster than visiting all successors.
    const LISTS_EARLIER: bool = false;

    /// Visits at least the successors of a *numbered* position that are finished or in earlier
    /// stages, until the visitor stops. By default visits all successors.
    fn each_earlier_successor(
        &self,
        position: &Self::Position,
        visit: impl FnMut(Successor) -> Flow,
    ) -> Flow {
        self.each_numbered_successor(position, visit)
    }
}

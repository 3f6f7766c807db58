//! The capabilities of a game as plain functions, so that the solver is compiled once for games with and
//! without them.

use std::ops::{ControlFlow, Range};

use retrograde_game::{Dense, Game, Index, Predecessors, Staged, Successor, Symmetries, numbers};

/// Visits the indices of predecessors.
pub(crate) type EachPredecessorIndex<G> = fn(&G, Index, &mut dyn FnMut(Index));

/// Visits the indices of the images of a position until the visitor breaks. The position itself is left out,
/// unless it is its own image.
pub(crate) type EachImageIndex<G> = fn(&G, &<G as Game>::Position, &mut dyn FnMut(u64) -> ControlFlow<()>);

/// Visits at least the successors of a position that are finished or in earlier stages.
pub(crate) type EachEarlierSuccessor<G> = fn(&G, &<G as Game>::Position, &mut dyn FnMut(Successor));

/// A stage: its non-empty ranges of indices, and the stages that its turns lead to.
pub(crate) type StageIndices = (Vec<Range<u64>>, Vec<usize>);

/// All stages.
pub(crate) type Stages<G> = fn(&G) -> Vec<StageIndices>;

/// The abilities of a game, in addition to its numbering, that solving backwards can use.
pub struct Capabilities<G: Game> {
    pub(crate) before: Option<EachPredecessorIndex<G>>,
    /// Like `before`, but predecessors in other stages may be left out.
    pub(crate) before_within: Option<EachPredecessorIndex<G>>,
    pub(crate) images: Option<EachImageIndex<G>>,
    pub(crate) stages: Option<Stages<G>>,
    /// Set if it is faster than listing all successors.
    pub(crate) earlier: Option<EachEarlierSuccessor<G>>,
}

impl<G: Game> Clone for Capabilities<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Capabilities<G> {}

impl<G: Game> Default for Capabilities<G> {
    fn default() -> Self {
        Capabilities { before: None, before_within: None, images: None, stages: None, earlier: None }
    }
}

impl<G: Game> Capabilities<G> {
    /// Uses the predecessors of a position.
    #[must_use]
    pub fn predecessors(self) -> Self
    where
        G: Predecessors,
    {
        Capabilities {
            before: Some(|game, index, visit| game.each_predecessor_at(index, visit)),
            before_within: Some(|game, index, visit| game.each_predecessor_within_stage(index, visit)),
            ..self
        }
    }

    /// Uses the symmetries of the board.
    #[must_use]
    pub fn symmetries(self) -> Self
    where
        G: Dense + Symmetries,
    {
        let images: EachImageIndex<G> = |game, position, visit| {
            let _ = game.each_image_index(position, |Index(image)| visit(image));
        };
        Capabilities { images: Some(images), ..self }
    }

    /// Uses the stages of the game.
    #[must_use]
    pub fn staged(self) -> Self
    where
        G: Staged,
    {
        let earlier: EachEarlierSuccessor<G> = |game, position, visit| {
            let _ = game.each_earlier_successor(position, |next| {
                visit(next);
                ControlFlow::Continue(())
            });
        };
        Capabilities { stages: Some(stages::<G>), earlier: G::LISTS_EARLIER.then_some(earlier), ..self }
    }

    /// Whether predecessors are available.
    pub fn has_predecessors(&self) -> bool {
        self.before.is_some()
    }
}

fn stages<G: Staged>(game: &G) -> Vec<StageIndices> {
    let stage = |stage: usize| {
        let ranges = game.stage(stage).into_iter().map(numbers);
        (ranges.filter(|range| !range.is_empty()).collect(), game.stages_after(stage))
    };
    (0..game.stage_count()).map(stage).collect()
}

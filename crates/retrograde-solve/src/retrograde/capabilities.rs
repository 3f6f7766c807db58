//! The capabilities of a game as plain functions, so that the solver is compiled once for games
//! with and without them.

use std::ops::ControlFlow;

use retrograde_game::{Dense, Index, Predecessors, Symmetries};

/// Calls a visitor with the indices before a position.
pub type EachPredecessorIndex<G> = fn(&G, Index, &mut dyn FnMut(Index));

/// Calls a visitor with the indices of the images of a position, itself not (or perhaps, if it is
/// its own image), until it breaks.
pub(crate) type EachImageIndex<G> =
    fn(&G, &<G as retrograde_game::Game>::Position, &mut dyn FnMut(u64) -> ControlFlow<()>);

/// Visits the indices of the numbered predecessors of the position at an index.
pub fn each_predecessor_index<G: Predecessors>(game: &G, index: Index, visit: &mut dyn FnMut(Index)) {
    game.each_predecessor_at(index, visit);
}

/// Visits the indices of the images of a position.
pub(crate) fn each_image_index<G: Dense + Symmetries>(
    game: &G,
    position: &G::Position,
    visit: &mut dyn FnMut(u64) -> ControlFlow<()>,
) {
    let _ = (1..game.symmetry_count()).try_for_each(|symmetry| {
        match game.index(&game.image(symmetry, position)) {
            Some(image) => visit(image.0),
            None => ControlFlow::Continue(()),
        }
    });
}

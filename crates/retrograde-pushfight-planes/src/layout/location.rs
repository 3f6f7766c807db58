//! Locations of positions in planes: from a position to its bit, and from cells to their positions.

use retrograde_game::{Square, Squares};
use retrograde_pushfight::Position;

use crate::layout::lanes::LocalLane;
use crate::layout::numbering::Layout;
use crate::layout::sets::{expand, lanes_of};
use crate::layout::sparse::SparseCells;
use crate::layout::superblocks::SuperblockId;

/// The place of a position in the planes and logs of a board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Location {
    pub superblock: SuperblockId,
    pub cell: usize,
    pub row: LocalLane,
    pub bit: LocalLane,
}

/// Whether each side's pieces are on its half, as before the first push.
pub(crate) fn is_on_halves(layout: &Layout, position: &Position) -> bool {
    let [first, second] = layout.board.halves;
    let outside = [position.own().squares() & !first, position.other().squares() & !second];
    outside.iter().all(|outside| outside.is_empty())
}

/// The location of the image of a position under a symmetry, which maps the anchor to `anchor`; `None` if it
/// is not stored.
pub(crate) fn image_location(
    layout: &Layout,
    symmetry: usize,
    anchor: Square,
    position: &Position,
) -> Option<Location> {
    let opponent = layout.symmetries.pusher_image(symmetry, layout.pushers(position.other_pushers));
    let superblock = layout.superblock_of(opponent, anchor)?;
    let own =
        layout.pusher_sets[layout.symmetries.pusher_image(symmetry, layout.pushers(position.own_pushers))];
    let (images, locals) = (layout.symmetries.lane_images(symmetry), layout.locals(opponent));
    let lane = |pawns: Squares| locals[images[layout.lane(pawns)]];
    Some(Location {
        superblock,
        cell: layout.cell(layout.pusher_sets[opponent], own),
        row: lane(position.other_pawns),
        bit: lane(position.own_pawns),
    })
}

/// Visits the rows of a superblock's cells, each as a position without the mover's pawns and the lanes of
/// these.
pub(crate) fn rows(
    layout: &Layout,
    superblock: SuperblockId,
    cells: &SparseCells,
    mut visit: impl FnMut(Position, &[u64]),
) {
    let number = layout.superblocks[superblock].pushers as usize;
    let other_pushers = layout.pusher_sets[number];
    cells.for_each_row(|cell, lane, row| {
        let own_pushers = expand(layout.cells[cell], layout.board.all & !other_pushers);
        let other_pawns = layout.local_pawns(number, lane);
        let anchor = layout.anchor(superblock);
        let own_pawns = Squares::EMPTY;
        visit(Position { own_pushers, own_pawns, other_pushers, other_pawns, anchor }, row);
    });
}

/// Visits the positions of a superblock's cells.
pub(crate) fn positions(
    layout: &Layout,
    superblock: SuperblockId,
    cells: &SparseCells,
    mut visit: impl FnMut(Position),
) {
    let number = layout.superblocks[superblock].pushers as usize;
    rows(layout, superblock, cells, |position, row| {
        for own_lane in lanes_of(row) {
            visit(Position { own_pawns: layout.local_pawns(number, own_lane), ..position });
        }
    });
}

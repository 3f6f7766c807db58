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
    let [first, second] = layout.board.halves();
    let outside = [position.own().squares() & !first, position.other().squares() & !second];
    outside.iter().all(|outside| outside.is_empty())
}

/// The place where a cell is stored.
#[derive(Clone, Copy)]
pub(crate) struct CellLocation {
    pub superblock: SuperblockId,
    pub cell: usize,
    /// The symmetry that maps the cell to its stored image, and the set of pushers that its lanes
    /// are local to.
    pub symmetry: usize,
    pub image: usize,
}

impl CellLocation {
    /// Locates the cell in which the side with the pushers `opponent` has just pushed, with the one
    /// on `anchor`, and the side with the pushers `mover` is to move.
    #[inline(always)]
    pub(crate) fn new(
        layout: &Layout,
        opponent: usize,
        anchor: Square,
        mover: usize,
    ) -> Option<CellLocation> {
        let (canonical_anchor, symmetry) = layout.symmetries.canonical_anchor(anchor);
        CellLocation::of_image(layout, symmetry, opponent, canonical_anchor, mover)
    }

    /// Locates the image of a cell under a symmetry, which maps its anchor to `anchor`; `None` if it is not
    /// stored.
    #[inline(always)]
    pub(crate) fn of_image(
        layout: &Layout,
        symmetry: usize,
        opponent: usize,
        anchor: Square,
        mover: usize,
    ) -> Option<CellLocation> {
        let image = layout.symmetries.pusher_image(symmetry, opponent);
        let superblock = layout.superblock_of(image, anchor)?;
        let mover = layout.pusher_sets[layout.symmetries.pusher_image(symmetry, mover)];
        let cell = layout.cell(layout.pusher_sets[image], mover);
        Some(CellLocation { superblock, cell, symmetry, image })
    }
}

/// The location of the image of a position under a symmetry, which maps the anchor to `anchor`; `None` if it
/// is not stored.
pub(crate) fn image_location(
    layout: &Layout,
    symmetry: usize,
    anchor: Square,
    position: &Position,
) -> Option<Location> {
    let [opponent, mover] = [position.other_pushers, position.own_pushers].map(|set| layout.pushers(set));
    let CellLocation { superblock, cell, image, .. } =
        CellLocation::of_image(layout, symmetry, opponent, anchor, mover)?;
    let (images, locals) = (layout.symmetries.lane_images(symmetry), layout.locals(image));
    let lane = |pawns: Squares| locals[images[layout.lane(pawns)]];
    Some(Location { superblock, cell, row: lane(position.other_pawns), bit: lane(position.own_pawns) })
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
        let own_pushers = expand(layout.cells[cell], layout.board.all() & !other_pushers);
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

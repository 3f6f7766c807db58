//! The gadget that uses up White's moves, for any number of moves per turn but 0.
//!
//! A row of pieces, the *train*, fills a corridor except for one square at an end. Its first and last piece are
//! black kings, the *locomotives*. Between them are *units*, as many as a turn has moves. A unit is two columns,
//! with a square above each that is open at the top. In one column is a black king; above it is a
//! white pawn. This is the gadget for one move:
//!
//! ```text
//! + + + + + + + + +
//!  # # #|. o|# # #
//! +-+-+-+ + +-+-+-+
//! |. Y o o X o o X|
//! +-+-+-+-+-+-+-+-+
//! ```
//!
//! White must move the pawn above the king to the other column of its unit, or Black ejects
//! it. That takes a move in each unit. Then a locomotive can push the train to the other end, and
//! every king is below a white pawn again. `docs/reductions.md` shows why Black cannot do better.

use crate::reductions::{Cell, Direction, Place, Position};

/// The rows of the gadget.
pub(super) const WASTE_ROWS: usize = 2;

/// The columns of the gadget.
pub(super) fn columns(moves: usize) -> usize {
    moves.saturating_add(3).saturating_mul(moves).saturating_add(4)
}

/// The move-wasting gadget for turns of `moves` moves, with White to move.
///
/// Between two units, and between a unit and a locomotive, there are `moves` pawns, so that only the king
/// of a unit can come below its pawn, even if all kings leave the corridor.
#[must_use]
pub fn move_wasting(moves: usize) -> Position {
    let columns = columns(moves);
    let mut position = Position::filled(WASTE_ROWS, columns, Cell::Void);
    for column in 0..columns {
        position.set(Place::new(1, column), Cell::WhitePawn);
    }
    position.set(Place::new(1, 0), Cell::Empty);
    position.set(Place::new(1, 1), Cell::BlackAnchored);
    position.set(Place::new(1, columns - 1), Cell::BlackKing);
    let lefts = (0..moves).map(|unit| (moves + 2) * (unit + 1));
    for left in lefts.clone() {
        position.set(Place::new(1, left + 1), Cell::BlackKing);
        position.set(Place::new(0, left), Cell::Empty);
        position.set(Place::new(0, left + 1), Cell::WhitePawn);
    }
    position.rail_everywhere();
    for column in lefts.flat_map(|left| [left, left + 1]) {
        position.open(Place::new(0, column), Direction::North);
    }
    position
}

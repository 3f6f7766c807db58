//! Location.

use retrograde_pushfight::{Position, PushFight};

use crate::layout::numbering::{Scope, Shape};
use crate::layout::sets::{expand, squares};
use crate::layout::sparse::Cells;

/// Where a position stands in the files of a board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Spot {
    pub superblock: usize,
    pub cell: usize,
    pub row: usize,
    pub bit: usize,
}

/// Where a position stands, in one of the ways in which symmetries show it; `None` if it is outside the shape's
/// scope.
pub(crate) fn spot(shape: &Shape, game: &PushFight, position: &Position) -> Option<Spot> {
    let (anchor, symmetry) = if position.anchor == 0 {
        let [first, second] = shape.halves;
        let own = position.own_pushers | position.own_pawns;
        let other = position.other_pushers | position.other_pawns;
        if own == 0 || other == 0 || own & !first != 0 || other & !second != 0 {
            return None;
        }
        (shape.squares, 0)
    } else {
        if shape.scope != Scope::All && !game.is_plausible(position) {
            return None;
        }
        let (anchor, symmetry) = shape.stands_for[position.anchor.trailing_zeros() as usize];
        (usize::from(anchor), symmetry)
    };
    let sets = &shape.sets;
    let opponent = shape.pusher_image(symmetry, sets.rank(position.other_pushers) as usize);
    let superblock = shape.super_of(opponent, anchor)?;
    let own = shape.pusher_sets[shape.pusher_image(symmetry, sets.rank(position.own_pushers) as usize)];
    let (images, locals) = (shape.lane_images(symmetry), shape.locals(opponent));
    let lane = |pawns: u64| usize::from(locals[usize::from(images[sets.rank(pawns) as usize])]);
    Some(Spot {
        superblock,
        cell: shape.cell(shape.pusher_sets[opponent], own),
        row: lane(position.other_pawns),
        bit: lane(position.own_pawns),
    })
}

/// Visits the positions of a superblock's cells.
pub(crate) fn positions<const W: usize>(
    shape: &Shape,
    superblock: usize,
    cells: &Cells<W>,
    mut visit: impl FnMut(Position),
) {
    let place = shape.supers[superblock];
    let number = place.pushers as usize;
    let other_pushers = shape.pusher_sets[number];
    cells.each(|cell, lane, row| {
        let own_pushers = expand(shape.cells[cell], shape.all & !other_pushers);
        let other_pawns = shape.pawn_sets[shape.global(number, lane)];
        for (word, &bits) in row.iter().enumerate() {
            for bit in squares(bits) {
                visit(Position {
                    own_pushers,
                    own_pawns: shape.pawn_sets[shape.global(number, 64 * word + bit)],
                    other_pushers,
                    other_pawns,
                    anchor: shape.anchor(superblock),
                });
            }
        }
    });
}

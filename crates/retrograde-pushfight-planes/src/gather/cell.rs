//! Cells of a plane, selected and transposed.

use super::each;
use crate::cells::Cells;
use crate::engine::Level;
use crate::shape::{NONE, Shape};
use crate::turn::turn_all;

/// Bits of a cell that are as quickly moved one by one as in a transposition of everything.
pub(super) const FEW: u32 = 400;

/// A cell before and after it is transposed.
pub(crate) struct Buffer<const W: usize> {
    level: Level,
    /// Rows and the columns they become.
    pub rows: Vec<(u16, [u64; W])>,
    pub before: Vec<[u64; W]>,
    pub after: Vec<[u64; W]>,
}

impl<const W: usize> Buffer<W> {
    pub(crate) fn new(level: Level) -> Buffer<W> {
        let rows = || vec![[0; W]; 64 * W];
        Buffer { level, rows: Vec::new(), before: rows(), after: rows() }
    }
}

/// Rows of a cell in a buffer.
pub(super) struct Fetched {
    /// What took the cell to where it is stored, and the set of pushers that its lanes are local to.
    pub symmetry: usize,
    pub image: usize,
    pub bits: u32,
}

/// Selects rows of the cell of a plane where one side's pushers have just pushed, the one on `anchor`, and the other
/// side, whose pushers are `mover`, is to move: those that have a `column` by their (global) lane, if any.
#[inline(always)]
pub(super) fn select<const W: usize>(
    shape: &Shape,
    plane: &[Cells<W>],
    opponent: usize,
    anchor: usize,
    mover: usize,
    buffer: &mut Buffer<W>,
    column: impl Fn(usize) -> u16,
) -> Option<Fetched> {
    let (stands_for, symmetry) = shape.stands_for[anchor];
    let image = shape.pusher_image(symmetry, opponent);
    let superblock = &plane[shape.super_of(image, usize::from(stands_for))?];
    if superblock.is_empty() {
        return None;
    }
    let mover = shape.pusher_sets[shape.pusher_image(symmetry, mover)];
    let cell = superblock.cell(shape.cell(shape.pusher_sets[image], mover))?;
    let globals = shape.globals(image);
    let back = shape.lane_images(shape.inverse[symmetry]);
    buffer.rows.clear();
    let mut bits = 0;
    for (lane, row) in each(cell.there).zip(cell.rows) {
        let column = column(usize::from(back[usize::from(globals[lane])]));
        if column != NONE {
            for word in 0..W {
                bits += row[word].count_ones();
            }
            buffer.rows.push((column, *row));
        }
    }
    (bits > 0).then_some(Fetched { symmetry, image, bits })
}

/// Turns the selected rows into columns: a row for each lane local to the set of pushers.
#[inline(always)]
pub(crate) fn transpose<const W: usize>(buffer: &mut Buffer<W>, bits: u32) {
    if bits < FEW {
        // One by one.
        buffer.after.fill([0; W]);
        for (column, row) in &buffer.rows {
            let (word, bit) = (usize::from(column / 64), 1 << (column % 64));
            for lane in each(row) {
                buffer.after[lane][word] |= bit;
            }
        }
        return;
    }
    buffer.before.fill([0; W]);
    for &(column, row) in &buffer.rows {
        buffer.before[usize::from(column)] = row;
    }
    turn_all(buffer.level, &buffer.before, &mut buffer.after);
}

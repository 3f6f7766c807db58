//! Cells of a plane, selected and transposed.

use crate::kernel::simd::Level;
use crate::kernel::transpose::turn_all;
use crate::layout::numbering::{NONE, Shape};
use crate::layout::sets::each;
use crate::layout::sparse::Cells;

/// Bits of a cell that are as quickly moved one by one as in a transposition of everything.
pub(crate) const FEW: u32 = 400;

/// A cell before and after it is transposed.
pub(crate) struct Buffer<const W: usize> {
    level: Level,
    /// The selected rows: which column each becomes, and which of the cell it is.
    pub rows: Vec<(u16, u16)>,
    before: Vec<[u64; W]>,
    pub after: Vec<[u64; W]>,
}

impl<const W: usize> Buffer<W> {
    pub(crate) fn new(level: Level) -> Buffer<W> {
        let rows = || vec![[0; W]; 64 * W];
        Buffer { level, rows: Vec::new(), before: rows(), after: rows() }
    }
}

/// Where a cell is stored.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    superblock: u32,
    cell: u32,
    /// What took the cell there, and the set of pushers that its lanes are local to.
    image: u32,
    symmetry: u8,
}

impl Place {
    /// Of the cell where one side's pushers have just pushed, the one on `anchor`, and the other side, whose pushers are
    /// `mover`, is to move.
    #[inline(always)]
    pub(crate) fn new(shape: &Shape, opponent: usize, anchor: usize, mover: usize) -> Option<Place> {
        let (stands_for, symmetry) = shape.stands_for[anchor];
        let image = shape.pusher_image(symmetry, opponent);
        let superblock = shape.super_of(image, usize::from(stands_for))? as u32;
        let mover = shape.pusher_sets[shape.pusher_image(symmetry, mover)];
        let cell = shape.cell(shape.pusher_sets[image], mover) as u32;
        Some(Place { superblock, cell, image: image as u32, symmetry: symmetry as u8 })
    }

    #[inline(always)]
    pub(crate) fn symmetry(&self) -> usize {
        usize::from(self.symmetry)
    }

    #[inline(always)]
    pub(crate) fn image(&self) -> usize {
        self.image as usize
    }

    /// To be called some cells ahead: the processor fetches what says where the cell's rows are.
    #[inline(always)]
    pub(crate) fn expect<const W: usize>(&self, plane: &[Cells<W>]) {
        plane[self.superblock as usize].expect(self.cell as usize);
    }

    /// The same, not so far ahead, for the rows.
    #[inline(always)]
    pub(crate) fn expect_rows<const W: usize>(&self, plane: &[Cells<W>]) {
        plane[self.superblock as usize].expect_rows(self.cell as usize);
    }
}

/// A cell of which rows are selected.
pub(crate) struct Fetched<'a, const W: usize> {
    pub rows: &'a [[u64; W]],
    pub bits: u32,
}

/// Selects rows of a cell of a plane: those that have a `column` by their (global) lane, if any.
#[inline(always)]
pub(crate) fn select<'a, const W: usize>(
    shape: &Shape,
    plane: &'a [Cells<W>],
    place: &Place,
    buffer: &mut Buffer<W>,
    column: impl Fn(usize) -> u16,
) -> Option<Fetched<'a, W>> {
    let cell = plane[place.superblock as usize].cell(place.cell as usize)?;
    let globals = shape.globals(place.image());
    let back = shape.lane_images(shape.inverse[place.symmetry()]);
    buffer.rows.clear();
    let mut bits = 0;
    for (number, (lane, row)) in each(cell.there).zip(cell.rows).enumerate() {
        let column = column(usize::from(back[usize::from(globals[lane])]));
        if column != NONE {
            for word in 0..W {
                bits += row[word].count_ones();
            }
            buffer.rows.push((column, number as u16));
        }
    }
    (bits > 0).then_some(Fetched { rows: cell.rows, bits })
}

/// Turns the selected rows into columns: a row for each lane local to the set of pushers.
#[inline(always)]
pub(crate) fn transpose<const W: usize>(buffer: &mut Buffer<W>, fetched: &Fetched<'_, W>) {
    if fetched.bits < FEW {
        // One by one.
        buffer.after.fill([0; W]);
        for &(column, row) in &buffer.rows {
            let (word, bit) = (usize::from(column / 64), 1 << (column % 64));
            for lane in each(&fetched.rows[usize::from(row)]) {
                buffer.after[lane][word] |= bit;
            }
        }
        return;
    }
    buffer.before.fill([0; W]);
    for &(column, row) in &buffer.rows {
        buffer.before[usize::from(column)] = fetched.rows[usize::from(row)];
    }
    turn_all(buffer.level, &buffer.before, &mut buffer.after);
}

//! Selects rows of a cell of a plane and transposes them.

use crate::kernel::pext::Pext;
use crate::kernel::simd::{Kernel, SimdLevel};
use crate::kernel::transpose::transpose_bits;
use crate::layout::lanes::{GlobalLane, LocalLane};
use crate::layout::location::CellLocation;
use crate::layout::numbering::Layout;
use crate::layout::sets::{insert_lane, lanes_of};
use crate::layout::sparse::{CellRows, SparseCells};

/// Up to this number of bits in a cell, moving bits one by one is as fast as transposing all.
pub(crate) const MAX_SCATTERED_BITS: u32 = 400;

/// A cell before and after it is transposed.
pub(crate) struct TransposeBuffer<const W: usize> {
    pub level: SimdLevel,
    /// The selected rows: which column each becomes, and which of the cell it is.
    pub rows: Vec<(LocalLane, u16)>,
    before: Vec<[u64; W]>,
    pub after: Vec<[u64; W]>,
}

impl<const W: usize> TransposeBuffer<W> {
    pub(crate) fn new(level: SimdLevel) -> TransposeBuffer<W> {
        let rows = || vec![[0; W]; 64 * W];
        TransposeBuffer { level, rows: Vec::new(), before: rows(), after: rows() }
    }
}

impl CellLocation {
    /// The cell, if it is not empty.
    #[inline(always)]
    pub(crate) fn rows<'a, const W: usize>(&self, plane: &'a [SparseCells]) -> Option<CellRows<'a, W>> {
        plane[self.superblock].cell_rows(self.cell)
    }

    /// Whether the cell's superblock is empty.
    #[inline(always)]
    pub(crate) fn is_empty_superblock(&self, plane: &[SparseCells]) -> bool {
        plane[self.superblock].is_empty()
    }

    /// Prefetches the positions of the cell's rows; must be called some cells ahead.
    #[inline(always)]
    pub(crate) fn prefetch<const W: usize>(&self, plane: &[SparseCells]) {
        plane[self.superblock].prefetch::<W>(self.cell);
    }

    /// Prefetches the rows themselves; must be called after [`CellLocation::prefetch`] has had time.
    #[inline(always)]
    pub(crate) fn prefetch_rows<const W: usize>(&self, plane: &[SparseCells]) {
        plane[self.superblock].prefetch_rows::<W>(self.cell);
    }
}

/// A cell with selected rows.
pub(crate) struct SelectedCell<'a, const W: usize> {
    pub rows: &'a [[u64; W]],
    pub bits: u32,
}

/// Selects the rows of a cell of a plane whose (global) lane has a `column`; `None` if there is no such
/// row.
#[inline(always)]
pub(crate) fn select<'a, const W: usize>(
    layout: &Layout,
    plane: &'a [SparseCells],
    location: &CellLocation,
    buffer: &mut TransposeBuffer<W>,
    column: impl Fn(GlobalLane) -> LocalLane,
) -> Option<SelectedCell<'a, W>> {
    let cell = location.rows(plane)?;
    let globals = layout.globals(location.image);
    let back = layout.symmetries.lane_images(layout.symmetries.inverse(location.symmetry));
    buffer.rows.clear();
    let mut bits = 0;
    for (number, (lane, row)) in lanes_of(cell.present).zip(cell.rows).enumerate() {
        let column = column(back[globals[lane]]);
        if column != LocalLane::NONE {
            for word in 0..W {
                bits += row[word].count_ones();
            }
            buffer.rows.push((column, number as u16));
        }
    }
    (bits > 0).then_some(SelectedCell { rows: cell.rows, bits })
}

/// Turns the selected rows into columns: the result has a row for each lane local to the set of
/// pushers.
#[inline(always)]
pub(crate) fn transpose_selected<const W: usize>(
    buffer: &mut TransposeBuffer<W>,
    selected: &SelectedCell<'_, W>,
) {
    if selected.bits < MAX_SCATTERED_BITS {
        // One by one.
        buffer.after.fill([0; W]);
        for &(column, row) in &buffer.rows {
            for lane in lanes_of(&selected.rows[usize::from(row)]) {
                insert_lane(&mut buffer.after[lane], column);
            }
        }
        return;
    }
    buffer.before.fill([0; W]);
    for &(column, row) in &buffer.rows {
        buffer.before[column] = selected.rows[usize::from(row)];
    }
    buffer.level.run(Transpose { buffer });
}

/// Transposes the rows of a buffer, compiled once for all callers.
struct Transpose<'a, const W: usize> {
    buffer: &'a mut TransposeBuffer<W>,
}

impl<const W: usize> Kernel for Transpose<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self, _pext: impl Pext) {
        let TransposeBuffer { level, before, after, .. } = self.buffer;
        transpose_bits(*level, before, after);
    }
}

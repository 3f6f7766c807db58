//! Sparse planes: a set of positions, by superblock and cell.
//!
//! A *superblock* is all positions with one set of opposing pushers, one of them anchored. It has a
//! *cell* for each set of the mover's pushers. A cell is a matrix of bits: a row for each set of
//! opposing pawns, with a bit for each set of the mover's pawns, both numbered over the squares
//! that the opposing pushers leave free. Empty rows are not stored.
//!
//! All rows of a board have the same number of words. Hot loops are compiled for each such number `W`, and
//! see rows as arrays; everything else sees slices.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::layout::lanes::LocalLane;
use crate::layout::sets::{bits_of, has_lane, insert_lane, lanes_of};
use crate::parallel::for_each_parallel;

/// The number of cells of a superblock, and the words of their rows.
#[derive(Clone, Copy)]
pub(crate) struct CellShape {
    pub words: usize,
    pub cells: usize,
}

/// The rows of a superblock that are not empty; none by default.
#[derive(Clone, PartialEq, Default)]
pub(crate) struct SparseCells {
    /// The words of a row; 0 if nothing is stored.
    words: usize,
    /// For each cell its first row; one more at the end.
    start: Vec<u32>,
    /// For each cell a row: the rows that it has, as bits.
    pub present: Vec<u64>,
    /// All rows.
    pub rows: Vec<u64>,
}

/// A row of a superblock: its cell, its opposing pawns, its bits.
pub(crate) type SparseRow<const W: usize> = (u32, LocalLane, [u64; W]);

/// The number of bits that are set.
#[inline(always)]
pub(crate) fn count_bits(words: &[u64]) -> u64 {
    words.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// Whether no bit of a row is set. ([`any_bit`](crate::layout::sets::any_bit) is for hot loops.)
pub(crate) fn is_empty_row(row: &[u64]) -> bool {
    row.iter().all(|&word| word == 0)
}

/// Prefetches a value.
#[inline(always)]
fn prefetch_value<T>(value: Option<&T>) {
    #[cfg(target_arch = "x86_64")]
    if let Some(value) = value {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every such processor has it, and it changes nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// The rows of a cell.
pub(crate) struct CellRows<'a, const W: usize> {
    pub present: &'a [u64; W],
    pub rows: &'a [[u64; W]],
}

impl SparseCells {
    /// Builds cells from rows in any order of cells, but in order of opposing pawns within each.
    pub(crate) fn new<const W: usize>(cells: usize, list: &[SparseRow<W>]) -> SparseCells {
        if list.is_empty() {
            return SparseCells::default();
        }
        let mut present = vec![0; cells * W];
        for &(cell, lane, _) in list {
            insert_lane(&mut present[cell as usize * W..][..W], lane);
        }
        let mut all = SparseCells::with_presence(W, present);
        let mut at = all.start.clone();
        for (cell, _, row) in list {
            all.rows.as_chunks_mut::<W>().0[at[*cell as usize] as usize] = *row;
            at[*cell as usize] += 1;
        }
        all
    }

    /// Builds cells from positions in any order: cell, opposing pawns, own pawns.
    pub(crate) fn of_positions(
        CellShape { words, cells }: CellShape,
        positions: &[(u32, LocalLane, LocalLane)],
    ) -> SparseCells {
        if positions.is_empty() {
            return SparseCells::default();
        }
        let mut present = vec![0; cells * words];
        for &(cell, row, _) in positions {
            insert_lane(&mut present[cell as usize * words..][..words], row);
        }
        let mut all = SparseCells::with_presence(words, present);
        for &(cell, row, bit) in positions {
            if let Some(at) = all.row_index(words, cell as usize, row) {
                insert_lane(&mut all.rows[at * words..][..words], bit);
            }
        }
        all
    }

    /// Cells with these rows, all of them without positions so far.
    fn with_presence(words: usize, present: Vec<u64>) -> SparseCells {
        let rows = count_bits(&present) as usize * words;
        SparseCells::from_parts(words, present, vec![0; rows])
    }

    /// Cells with these fields; the number of rows must match.
    pub(crate) fn from_parts(words: usize, present: Vec<u64>, rows: Vec<u64>) -> SparseCells {
        let mut start = Vec::with_capacity(present.len() / words + 1);
        let mut before = 0;
        start.push(0);
        for present in present.chunks_exact(words) {
            before += count_bits(present) as u32;
            start.push(before);
        }
        SparseCells { words, start, present, rows }
    }

    /// The number of cells that have a place, which is 0 if nothing is stored.
    fn cells(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// The union of several sets.
    pub(crate) fn union(CellShape { words, cells }: CellShape, all: &[SparseCells]) -> SparseCells {
        let mut present = vec![0; cells * words];
        for one in all {
            present.iter_mut().zip(&one.present).for_each(|(present, one)| *present |= one);
        }
        let mut union = SparseCells::with_presence(words, present);
        for one in all {
            one.for_each_row(|cell, lane, bits| {
                if let Some(row) = union.row_index(words, cell, lane) {
                    union.rows[row * words..].iter_mut().zip(bits).for_each(|(row, bits)| *row |= bits);
                }
            });
        }
        if union.is_empty() { SparseCells::default() } else { union }
    }

    /// Puts cells together in this order.
    fn gather<'a>(cells: impl Iterator<Item = Option<Cell<'a>>> + Clone) -> SparseCells {
        let Some(first) = cells.clone().flatten().next() else { return SparseCells::default() };
        let words = first.present.len();
        let mut rows = Vec::with_capacity(cells.clone().flatten().map(|cell| cell.rows.len()).sum());
        let mut present = Vec::with_capacity(cells.size_hint().0 * words);
        for cell in cells {
            match cell {
                Some(cell) => {
                    rows.extend_from_slice(cell.rows);
                    present.extend_from_slice(cell.present);
                }
                None => present.resize(present.len() + words, 0),
            }
        }
        SparseCells::from_parts(words, present, rows)
    }

    /// Keeps some of the cells.
    pub(crate) fn filter_cells(&self, is_kept: impl Fn(usize) -> bool) -> SparseCells {
        let is_kept = &is_kept;
        SparseCells::gather((0..self.cells()).map(|cell| self.cell(cell).filter(|_| is_kept(cell))))
    }

    /// Extracts some of the cells, numbered in the order of the list.
    pub(crate) fn extract(&self, cells: &[u16]) -> SparseCells {
        SparseCells::gather(cells.iter().map(|&cell| self.cell(usize::from(cell))))
    }

    /// Combines the cells of `self` that are kept with the wanted cells of the extracts.
    pub(crate) fn assemble(
        &self,
        cells: usize,
        is_kept: impl Fn(usize) -> bool,
        extracts: &[(&[u16], SparseCells)],
        is_wanted: impl Fn(usize) -> bool,
    ) -> SparseCells {
        let mut sources: Vec<Option<Cell<'_>>> =
            (0..cells).map(|cell| self.cell(cell).filter(|_| is_kept(cell))).collect();
        for (list, extract) in extracts {
            for (place, &cell) in list.iter().enumerate() {
                let cell = usize::from(cell);
                if let Some(rows) = extract.cell(place)
                    && !is_kept(cell)
                    && is_wanted(cell)
                {
                    sources[cell] = Some(rows);
                }
            }
        }
        SparseCells::gather(sources.into_iter())
    }

    /// Drops rows that have become empty.
    pub(crate) fn drop_empty_rows(&mut self) {
        let empty = self.count_empty_rows();
        if empty > 0 {
            self.compact(empty);
        }
    }

    fn count_empty_rows(&self) -> usize {
        if self.is_empty() {
            return 0;
        }
        self.rows.chunks_exact(self.words).filter(|row| is_empty_row(row)).count()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The number of stored rows.
    #[inline(always)]
    pub(crate) fn row_count(&self) -> usize {
        self.start.last().map_or(0, |&rows| rows as usize)
    }

    /// The number of bits that are set.
    pub(crate) fn count(&self) -> u64 {
        count_bits(&self.rows)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.start.capacity() * 4 + (self.present.capacity() + self.rows.capacity()) * 8
    }

    /// The first row of a cell and the one after its last, if it is not empty.
    #[inline(always)]
    fn rows_of(&self, cell: usize) -> Option<(usize, usize)> {
        let (from, to) = (*self.start.get(cell)? as usize, *self.start.get(cell + 1)? as usize);
        (from < to).then_some((from, to))
    }

    /// A cell that is not empty.
    pub(crate) fn cell(&self, cell: usize) -> Option<Cell<'_>> {
        let (from, to) = self.rows_of(cell)?;
        Some(Cell {
            present: &self.present[cell * self.words..][..self.words],
            rows: &self.rows[from * self.words..to * self.words],
        })
    }

    /// A cell that is not empty, for rows of `W` words.
    #[inline(always)]
    pub(crate) fn cell_rows<const W: usize>(&self, cell: usize) -> Option<CellRows<'_, W>> {
        debug_assert!(self.words == W || self.is_empty());
        let (from, to) = self.rows_of(cell)?;
        let (present, rows) = (self.present.as_chunks::<W>().0, self.rows.as_chunks::<W>().0);
        Some(CellRows { present: &present[cell], rows: &rows[from..to] })
    }

    /// Prefetches the place of a cell's rows.
    #[inline(always)]
    pub(crate) fn prefetch<const W: usize>(&self, cell: usize) {
        prefetch_value(self.start.get(cell));
        prefetch_value(self.present.get(cell * W));
    }

    /// Prefetches a cell's first rows; the processor fetches the others by itself.
    #[inline(always)]
    pub(crate) fn prefetch_rows<const W: usize>(&self, cell: usize) {
        const LINE: usize = 8;
        if let Some(&first) = self.start.get(cell) {
            for row in 0..4 {
                prefetch_value(self.rows.get(first as usize * W + row * LINE.max(W)));
            }
        }
    }

    /// Prefetches a row.
    #[inline(always)]
    pub(crate) fn prefetch_row<const W: usize>(&self, cell: usize, lane: LocalLane) {
        prefetch_value(self.row::<W>(cell, lane));
    }

    /// The place of a row, if it is there.
    #[inline(always)]
    fn row_index(&self, words: usize, cell: usize, lane: LocalLane) -> Option<usize> {
        let present = self.present.get(cell * words..(cell + 1) * words)?;
        if !has_lane(present, lane) {
            return None;
        }
        let (word, bit) = (lane.index() / 64, lane.index() % 64);
        let mut before = (present[word] & ((1 << bit) - 1)).count_ones();
        for (at, present) in present.iter().enumerate() {
            before += if at < word { present.count_ones() } else { 0 };
        }
        Some((self.start[cell] + before) as usize)
    }

    #[inline(always)]
    pub(crate) fn row<const W: usize>(&self, cell: usize, lane: LocalLane) -> Option<&[u64; W]> {
        debug_assert!(self.words == W || self.is_empty());
        self.row_index(W, cell, lane).map(|row| &self.rows.as_chunks::<W>().0[row])
    }

    /// Copies the rows of a lane in some cells; missing rows are empty. These rows are far apart, so
    /// several are prefetched at a time.
    #[inline(always)]
    pub(crate) fn copy_rows<const W: usize>(&self, cells: &[u16], lane: LocalLane, into: &mut [[u64; W]]) {
        const TOGETHER: usize = 32;
        const NOT_THERE: u32 = u32::MAX;
        if self.is_empty() {
            return into.fill([0; W]);
        }
        let rows = self.rows.as_chunks::<W>().0;
        for (cells, into) in cells.chunks(TOGETHER).zip(into.chunks_mut(TOGETHER)) {
            let mut places = [NOT_THERE; TOGETHER];
            for (place, &cell) in places.iter_mut().zip(cells) {
                if let Some(row) = self.row_index(W, usize::from(cell), lane) {
                    *place = row as u32;
                    prefetch_value(rows.get(row));
                }
            }
            for (into, &place) in into.iter_mut().zip(&places) {
                *into = rows.get(place as usize).copied().unwrap_or([0; W]);
            }
        }
    }

    /// Visits all rows, by cell.
    #[inline(always)]
    pub(crate) fn for_each_row(&self, mut visit: impl FnMut(usize, LocalLane, &[u64])) {
        for number in 0..self.cells() {
            let Some(cell) = self.cell(number) else { continue };
            cell.rows().for_each(|(lane, row)| visit(number, lane, row));
        }
    }

    /// Removes the positions of `removed`; `on_removed` is called for each row that these cells have. Empty
    /// rows are dropped once there are many.
    pub(crate) fn subtract(&mut self, removed: &SparseCells, mut on_removed: impl FnMut(LocalLane, u32)) {
        if removed.is_empty() {
            return;
        }
        let words = removed.words;
        removed.for_each_row(|cell, lane, bits| {
            if let Some(row) = self.row_index(words, cell, lane) {
                on_removed(lane, count_bits(bits) as u32);
                let row = &mut self.rows[row * words..][..words];
                row.iter_mut().zip(bits).for_each(|(row, bits)| *row &= !bits);
            }
        });
        let empty = self.count_empty_rows();
        if empty * 16 > self.row_count() {
            self.compact(empty);
        }
    }

    /// Drops the `empty` rows that have become empty.
    fn compact(&mut self, empty: usize) {
        if empty == self.row_count() {
            *self = SparseCells::default();
            return;
        }
        let mut rows = Vec::with_capacity(self.rows.len() - empty * self.words);
        let mut old = self.rows.chunks_exact(self.words);
        for (start, present) in self.start.iter_mut().zip(self.present.chunks_exact_mut(self.words)) {
            *start = (rows.len() / self.words) as u32;
            for present in present {
                for (bit, row) in bits_of(*present).zip(&mut old) {
                    if is_empty_row(row) {
                        *present &= !(1 << bit);
                    } else {
                        rows.extend_from_slice(row);
                    }
                }
            }
        }
        if let Some(last) = self.start.last_mut() {
            *last = (rows.len() / self.words) as u32;
        }
        self.rows = rows;
    }
}

/// A cell that is not empty.
#[derive(Clone, Copy)]
pub(crate) struct Cell<'a> {
    /// The rows that it has, as bits.
    present: &'a [u64],
    rows: &'a [u64],
}

impl<'a> Cell<'a> {
    /// The rows, each with its opposing pawns.
    #[inline(always)]
    pub(crate) fn rows(self) -> impl Iterator<Item = (LocalLane, &'a [u64])> {
        lanes_of(self.present).zip(self.rows.chunks_exact(self.present.len()))
    }
}

/// A plane: the cells of every superblock.
pub(crate) type Plane = Vec<SparseCells>;

pub(crate) fn empty_plane(superblocks: usize) -> Plane {
    vec![SparseCells::default(); superblocks]
}

/// The number of positions in a plane.
pub(crate) fn count_positions(plane: &[SparseCells], threads: usize) -> u64 {
    let count = AtomicU64::new(0);
    for_each_parallel(threads, plane.iter().collect(), |cells| {
        count.fetch_add(cells.count(), Ordering::Relaxed);
    });
    count.into_inner()
}

/// Removes positions from a plane that has them.
pub(crate) fn subtract_plane(plane: &mut [SparseCells], removed: &[SparseCells], threads: usize) {
    for_each_parallel(threads, plane.iter_mut().zip(removed).collect(), |(cells, removed)| {
        cells.subtract(removed, |_, _| ())
    });
}

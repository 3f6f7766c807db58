//! Sparse planes: a set of positions, by superblock and cell.
//!
//! A *superblock* is all positions with one set of opposing pushers, one of them anchored. It has a
//! *cell* for each set of the mover's pushers. A cell is a matrix of bits: a row for each set of
//! opposing pawns, with a bit for each set of the mover's pawns, both numbered over the squares
//! that the opposing pushers leave free. Empty rows are not stored.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::layout::lanes::LocalLane;
use crate::layout::sets::{bits_of, has_lane, insert_lane};
use crate::parallel::for_each_parallel;

/// The rows of a superblock that are not empty.
#[derive(Clone, PartialEq)]
pub(crate) struct SparseCells<const W: usize> {
    /// For each cell its first row; one more at the end.
    start: Vec<u32>,
    /// The rows that each cell has, as bits.
    present: Vec<[u64; W]>,
    rows: Vec<[u64; W]>,
}

/// A row of a superblock: its cell, its opposing pawns, its bits.
pub(crate) type SparseRow<const W: usize> = (u32, LocalLane, [u64; W]);

/// The number of positions in some rows.
#[inline(always)]
pub(crate) fn count_bits<const W: usize>(rows: &[[u64; W]]) -> u64 {
    rows.iter().flatten().map(|word| u64::from(word.count_ones())).sum()
}

/// Sorts rows and merges rows of the same place.
pub(crate) fn merge_rows<const W: usize>(list: &mut Vec<SparseRow<W>>) {
    list.sort_unstable_by_key(|&(cell, lane, _)| (cell, lane));
    list.dedup_by(|row, kept| {
        let same = (row.0, row.1) == (kept.0, kept.1);
        if same {
            kept.2.iter_mut().zip(row.2).for_each(|(kept, bits)| *kept |= bits);
        }
        same
    });
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

pub(crate) struct CellRows<'a, const W: usize> {
    pub present: &'a [u64; W],
    pub rows: &'a [[u64; W]],
}

impl<const W: usize> SparseCells<W> {
    pub(crate) fn empty() -> SparseCells<W> {
        SparseCells { start: Vec::new(), present: Vec::new(), rows: Vec::new() }
    }

    /// Builds cells from rows in any order of cells, but in order of opposing pawns within each.
    pub(crate) fn new(cells: usize, list: &[SparseRow<W>]) -> SparseCells<W> {
        if list.is_empty() {
            return SparseCells::empty();
        }
        let mut start = vec![0_u32; cells + 1];
        let mut present = vec![[0; W]; cells];
        for &(cell, lane, _) in list {
            start[cell as usize + 1] += 1;
            insert_lane(&mut present[cell as usize], lane);
        }
        for cell in 0..cells {
            start[cell + 1] += start[cell];
        }
        let mut rows = vec![[0; W]; list.len()];
        let mut at = start.clone();
        for &(cell, _, row) in list {
            rows[at[cell as usize] as usize] = row;
            at[cell as usize] += 1;
        }
        SparseCells { start, present, rows }
    }

    /// The rows that each cell has, as bits, and all rows.
    pub(crate) fn presence_and_rows(&self) -> (&[[u64; W]], &[[u64; W]]) {
        (&self.present, &self.rows)
    }

    /// The inverse of [`SparseCells::presence_and_rows`]; the number of rows must match.
    pub(crate) fn from_parts(present: Vec<[u64; W]>, rows: Vec<[u64; W]>) -> SparseCells<W> {
        let mut start = Vec::with_capacity(present.len() + 1);
        let mut before = 0;
        start.push(0);
        for present in &present {
            before += present.iter().map(|word| word.count_ones()).sum::<u32>();
            start.push(before);
        }
        SparseCells { start, present, rows }
    }

    /// The union of several sets.
    pub(crate) fn union(cells: usize, all: &[SparseCells<W>]) -> SparseCells<W> {
        let mut list: Vec<SparseRow<W>> = Vec::with_capacity(all.iter().map(|cells| cells.rows.len()).sum());
        for cells in all {
            cells.for_each_row(|cell, lane, bits| list.push((cell as u32, lane, *bits)));
        }
        merge_rows(&mut list);
        SparseCells::new(cells, &list)
    }

    /// Keeps some of the cells.
    pub(crate) fn filter_cells(&self, is_kept: impl Fn(usize) -> bool) -> SparseCells<W> {
        let mut rows = Vec::new();
        let present: Vec<[u64; W]> = (0..self.present.len())
            .map(|number| match self.cell(number).filter(|_| is_kept(number)) {
                Some(cell) => {
                    rows.extend_from_slice(cell.rows);
                    *cell.present
                }
                None => [0; W],
            })
            .collect();
        if rows.is_empty() { SparseCells::empty() } else { SparseCells::from_parts(present, rows) }
    }

    /// Extracts some of the cells, numbered in the order of the list.
    pub(crate) fn extract(&self, cells: &[u16]) -> SparseCells<W> {
        let found = |&cell: &u16| self.cell(usize::from(cell));
        let count: usize = cells.iter().filter_map(found).map(|cell| cell.rows.len()).sum();
        if count == 0 {
            return SparseCells::empty();
        }
        let mut rows = Vec::with_capacity(count);
        let present = |cell: &u16| {
            found(cell).map_or([0; W], |cell| {
                rows.extend_from_slice(cell.rows);
                *cell.present
            })
        };
        let present = cells.iter().map(present).collect();
        SparseCells::from_parts(present, rows)
    }

    /// Combines the cells of `self` that are kept with the wanted cells of the extracts.
    pub(crate) fn assemble(
        &self,
        cells: usize,
        is_kept: impl Fn(usize) -> bool,
        extracts: &[(&[u16], SparseCells<W>)],
        is_wanted: impl Fn(usize) -> bool,
    ) -> SparseCells<W> {
        /// Where a cell comes from: nowhere, from the present cells, or from an extract.
        const NOWHERE: u16 = u16::MAX;
        const HERE: u16 = u16::MAX - 1;
        let here = |cell: usize| if self.cell(cell).is_some() && is_kept(cell) { HERE } else { NOWHERE };
        let mut sources: Vec<(u16, u16)> = (0..cells).map(|cell| (here(cell), 0)).collect();
        for (number, (list, extract)) in (0_u16..).zip(extracts) {
            for (place, &cell) in (0_u16..).zip(*list) {
                let cell = usize::from(cell);
                if extract.cell(usize::from(place)).is_some() && !is_kept(cell) && is_wanted(cell) {
                    sources[cell] = (number, place);
                }
            }
        }
        let find = |cell: usize| match sources[cell] {
            (NOWHERE, _) => None,
            (HERE, _) => self.cell(cell),
            (number, place) => extracts[usize::from(number)].1.cell(usize::from(place)),
        };
        let count: usize = (0..cells).filter_map(find).map(|cell| cell.rows.len()).sum();
        if count == 0 {
            return SparseCells::empty();
        }
        let mut rows = Vec::with_capacity(count);
        let present = |cell: usize| {
            find(cell).map_or([0; W], |cell| {
                rows.extend_from_slice(cell.rows);
                *cell.present
            })
        };
        let present = (0..cells).map(present).collect();
        SparseCells::from_parts(present, rows)
    }

    /// Drops rows that have become empty.
    pub(crate) fn drop_empty_rows(&mut self) {
        let nonempty = self.rows.iter().filter(|row| row.iter().any(|&word| word != 0)).count();
        if nonempty < self.rows.len() {
            self.compact(nonempty);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The number of stored rows.
    #[inline(always)]
    pub(crate) fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// The number of bits that are set.
    pub(crate) fn count(&self) -> u64 {
        count_bits(&self.rows)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.start.capacity() * 4 + (self.present.capacity() + self.rows.capacity()) * 8 * W
    }

    #[inline(always)]
    pub(crate) fn cell(&self, cell: usize) -> Option<CellRows<'_, W>> {
        let (from, to) = (*self.start.get(cell)? as usize, *self.start.get(cell + 1)? as usize);
        (from < to).then(|| CellRows { present: &self.present[cell], rows: &self.rows[from..to] })
    }

    /// Prefetches the place of a cell's rows.
    #[inline(always)]
    pub(crate) fn prefetch(&self, cell: usize) {
        prefetch_value(self.start.get(cell));
        prefetch_value(self.present.get(cell));
    }

    /// Prefetches a cell's first rows; the processor fetches the others by itself.
    #[inline(always)]
    pub(crate) fn prefetch_rows(&self, cell: usize) {
        if let Some(&first) = self.start.get(cell) {
            for row in 0..4 {
                prefetch_value(self.rows.get(first as usize + row * (64 / size_of::<[u64; W]>()).max(1)));
            }
        }
    }

    /// Prefetches a row.
    #[inline(always)]
    pub(crate) fn prefetch_row(&self, cell: usize, lane: LocalLane) {
        prefetch_value(self.row(cell, lane));
    }

    /// The place of a row, if it is there.
    #[inline(always)]
    fn row_index(&self, cell: usize, lane: LocalLane) -> Option<usize> {
        let present = self.present.get(cell)?;
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
    pub(crate) fn row(&self, cell: usize, lane: LocalLane) -> Option<&[u64; W]> {
        self.row_index(cell, lane).map(|row_index| &self.rows[row_index])
    }

    /// Copies the rows of a lane in some cells; missing rows are empty. These rows are far apart, so
    /// several are prefetched at a time.
    #[inline(always)]
    pub(crate) fn copy_rows(&self, cells: &[u16], lane: LocalLane, into: &mut [[u64; W]]) {
        const TOGETHER: usize = 32;
        const NOT_THERE: u32 = u32::MAX;
        if self.is_empty() {
            return into.fill([0; W]);
        }
        for (cells, into) in cells.chunks(TOGETHER).zip(into.chunks_mut(TOGETHER)) {
            let mut places = [NOT_THERE; TOGETHER];
            for (place, &cell) in places.iter_mut().zip(cells) {
                if let Some(row_index) = self.row_index(usize::from(cell), lane) {
                    *place = row_index as u32;
                    prefetch_value(self.rows.get(row_index));
                }
            }
            for (into, &place) in into.iter_mut().zip(&places) {
                *into = self.rows.get(place as usize).copied().unwrap_or([0; W]);
            }
        }
    }

    /// Visits all rows, by cell.
    #[inline(always)]
    pub(crate) fn for_each_row(&self, mut visit: impl FnMut(usize, LocalLane, &[u64; W])) {
        for number in 0..self.present.len() {
            let Some(cell) = self.cell(number) else { continue };
            let mut at = 0;
            for (word, &present) in cell.present.iter().enumerate() {
                for bit in bits_of(present) {
                    visit(number, LocalLane::new(word * 64 + bit), &cell.rows[at]);
                    at += 1;
                }
            }
        }
    }

    /// Removes the positions of `removed`; `on_removed` is called for each of its rows. Empty rows are
    /// dropped once there are many.
    pub(crate) fn subtract(&mut self, removed: &SparseCells<W>, mut on_removed: impl FnMut(LocalLane, u32)) {
        removed.for_each_row(|cell, lane, bits| {
            on_removed(lane, bits.iter().map(|word| word.count_ones()).sum());
            if let Some(row_index) = self.row_index(cell, lane) {
                let row = &mut self.rows[row_index];
                for (row, bits) in row.iter_mut().zip(bits) {
                    *row &= !bits;
                }
            }
        });
        if removed.is_empty() {
            return;
        }
        let empty = self.rows.iter().filter(|row| row.iter().all(|&word| word == 0)).count();
        if empty * 16 > self.rows.len() {
            self.compact(self.rows.len() - empty);
        }
    }

    fn compact(&mut self, nonempty: usize) {
        if nonempty == 0 {
            *self = SparseCells::empty();
            return;
        }
        let mut rows = Vec::with_capacity(nonempty);
        let mut from = 0;
        for cell in 0..self.present.len() {
            self.start[cell] = rows.len() as u32;
            for present in &mut self.present[cell] {
                for bit in bits_of(*present) {
                    let row = self.rows[from];
                    from += 1;
                    if row.iter().all(|&word| word == 0) {
                        *present &= !(1 << bit);
                    } else {
                        rows.push(row);
                    }
                }
            }
        }
        if let Some(last) = self.start.last_mut() {
            *last = rows.len() as u32;
        }
        self.rows = rows;
    }
}

/// A plane: the cells of every superblock.
pub(crate) type Plane<const W: usize> = Vec<SparseCells<W>>;

pub(crate) fn empty_plane<const W: usize>(superblocks: usize) -> Plane<W> {
    (0..superblocks).map(|_| SparseCells::empty()).collect()
}

/// The number of positions in a plane.
pub(crate) fn count_positions<const W: usize>(plane: &[SparseCells<W>], threads: usize) -> u64 {
    let count = AtomicU64::new(0);
    for_each_parallel(threads, plane.iter().collect(), |cells| {
        count.fetch_add(cells.count(), Ordering::Relaxed);
    });
    count.into_inner()
}

/// Removes positions from a plane that has them.
pub(crate) fn subtract_plane<const W: usize>(
    plane: &mut [SparseCells<W>],
    removed: &[SparseCells<W>],
    threads: usize,
) {
    for_each_parallel(threads, plane.iter_mut().zip(removed).collect(), |(cells, removed)| {
        cells.subtract(removed, |_, _| ())
    });
}

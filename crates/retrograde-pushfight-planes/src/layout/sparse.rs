//! What is stored: sparse planes, by superblock and cell.
//!
//! A *superblock* is all positions with one set of opposing pushers, one of them anchored; its *cells* are by the
//! mover's pushers. A cell is a matrix of bits: a row for each set of opposing pawns, in it a bit for each set of the
//! mover's pawns, both numbered over the squares that the opposing pushers leave free. Empty rows are not kept.

use crate::layout::sets::squares;
use crate::parallel::shared;

/// The rows of a superblock that are not empty.
#[derive(Clone, PartialEq)]
pub(crate) struct Cells<const W: usize> {
    /// For each cell its first row; one more at the end.
    start: Vec<u32>,
    /// For each cell which rows there are.
    there: Vec<[u64; W]>,
    rows: Vec<[u64; W]>,
}

/// A row of a superblock: its cell, its opposing pawns, its bits.
pub(crate) type Row<const W: usize> = (u32, u16, [u64; W]);

/// Positions in some rows.
#[inline(always)]
pub(crate) fn count_bits<const W: usize>(rows: &[[u64; W]]) -> u64 {
    rows.iter().flatten().map(|word| u64::from(word.count_ones())).sum()
}

/// Sorts rows and puts those together that stand in the same place.
pub(crate) fn merge<const W: usize>(list: &mut Vec<Row<W>>) {
    list.sort_unstable_by_key(|&(cell, lane, _)| (cell, lane));
    list.dedup_by(|row, kept| {
        let same = (row.0, row.1) == (kept.0, kept.1);
        if same {
            kept.2.iter_mut().zip(row.2).for_each(|(kept, bits)| *kept |= bits);
        }
        same
    });
}

/// Has the processor fetch a value that is wanted soon.
#[inline(always)]
fn fetch<T>(value: Option<&T>) {
    #[cfg(target_arch = "x86_64")]
    if let Some(value) = value {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every such processor has it, and it changes nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

pub(crate) struct Cell<'a, const W: usize> {
    pub there: &'a [u64; W],
    pub rows: &'a [[u64; W]],
}

impl<const W: usize> Cells<W> {
    pub(crate) fn empty() -> Cells<W> {
        Cells { start: Vec::new(), there: Vec::new(), rows: Vec::new() }
    }

    /// From rows in any order of cells, but in order of opposing pawns within each.
    pub(crate) fn new(cells: usize, list: &[Row<W>]) -> Cells<W> {
        if list.is_empty() {
            return Cells::empty();
        }
        let mut start = vec![0_u32; cells + 1];
        let mut there = vec![[0; W]; cells];
        for &(cell, lane, _) in list {
            start[cell as usize + 1] += 1;
            there[cell as usize][usize::from(lane) / 64] |= 1 << (lane % 64);
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
        Cells { start, there, rows }
    }

    /// Which rows each cell has, and all rows.
    pub(crate) fn parts(&self) -> (&[[u64; W]], &[[u64; W]]) {
        (&self.there, &self.rows)
    }

    /// The inverse of [`Cells::parts`]: there are as many rows as that says.
    pub(crate) fn from_parts(there: Vec<[u64; W]>, rows: Vec<[u64; W]>) -> Cells<W> {
        let mut start = Vec::with_capacity(there.len() + 1);
        let mut before = 0;
        start.push(0);
        for there in &there {
            before += there.iter().map(|word| word.count_ones()).sum::<u32>();
            start.push(before);
        }
        Cells { start, there, rows }
    }

    /// What any of some has.
    pub(crate) fn union(cells: usize, all: &[Cells<W>]) -> Cells<W> {
        let mut list: Vec<Row<W>> = Vec::with_capacity(all.iter().map(|cells| cells.rows.len()).sum());
        for cells in all {
            cells.each(|cell, lane, bits| list.push((cell as u32, lane as u16, *bits)));
        }
        merge(&mut list);
        Cells::new(cells, &list)
    }

    /// Some of the cells.
    pub(crate) fn only(&self, keep: impl Fn(usize) -> bool) -> Cells<W> {
        let mut rows = Vec::new();
        let there: Vec<[u64; W]> = (0..self.there.len())
            .map(|number| match self.cell(number).filter(|_| keep(number)) {
                Some(cell) => {
                    rows.extend_from_slice(cell.rows);
                    *cell.there
                }
                None => [0; W],
            })
            .collect();
        if rows.is_empty() { Cells::empty() } else { Cells::from_parts(there, rows) }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The number of bits that are set.
    pub(crate) fn count(&self) -> u64 {
        count_bits(&self.rows)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.start.capacity() * 4 + (self.there.capacity() + self.rows.capacity()) * 8 * W
    }

    #[inline(always)]
    pub(crate) fn cell(&self, cell: usize) -> Option<Cell<'_, W>> {
        let (from, to) = (*self.start.get(cell)? as usize, *self.start.get(cell + 1)? as usize);
        (from < to).then(|| Cell { there: &self.there[cell], rows: &self.rows[from..to] })
    }

    /// Has the processor fetch where a cell's rows are.
    #[inline(always)]
    pub(crate) fn expect(&self, cell: usize) {
        fetch(self.start.get(cell));
        fetch(self.there.get(cell));
    }

    /// Has the processor fetch a cell's first rows; the others it fetches by itself.
    #[inline(always)]
    pub(crate) fn expect_rows(&self, cell: usize) {
        if let Some(&first) = self.start.get(cell) {
            for row in 0..4 {
                fetch(self.rows.get(first as usize + row * (64 / size_of::<[u64; W]>()).max(1)));
            }
        }
    }

    /// The place of a row, if it is there.
    #[inline(always)]
    fn place(&self, cell: usize, lane: usize) -> Option<usize> {
        let there = self.there.get(cell)?;
        let (word, bit) = (lane / 64, lane % 64);
        if there[word] >> bit & 1 == 0 {
            return None;
        }
        let mut before = (there[word] & ((1 << bit) - 1)).count_ones();
        for (at, there) in there.iter().enumerate() {
            before += if at < word { there.count_ones() } else { 0 };
        }
        Some((self.start[cell] + before) as usize)
    }

    #[inline(always)]
    pub(crate) fn row(&self, cell: usize, lane: usize) -> Option<&[u64; W]> {
        self.place(cell, lane).map(|place| &self.rows[place])
    }

    /// Visits all rows, by cell.
    #[inline(always)]
    pub(crate) fn each(&self, mut visit: impl FnMut(usize, usize, &[u64; W])) {
        for number in 0..self.there.len() {
            let Some(cell) = self.cell(number) else { continue };
            let mut at = 0;
            for (word, &there) in cell.there.iter().enumerate() {
                for bit in squares(there) {
                    visit(number, word * 64 + bit, &cell.rows[at]);
                    at += 1;
                }
            }
        }
    }

    /// Takes away what others have, if it is here; `gone` hears of each of their rows. Rows that are empty now
    /// are dropped when they are many.
    pub(crate) fn subtract(&mut self, others: &Cells<W>, mut gone: impl FnMut(usize, u32)) {
        others.each(|cell, lane, bits| {
            gone(lane, bits.iter().map(|word| word.count_ones()).sum());
            if let Some(place) = self.place(cell, lane) {
                let row = &mut self.rows[place];
                for (row, bits) in row.iter_mut().zip(bits) {
                    *row &= !bits;
                }
            }
        });
        if others.is_empty() {
            return;
        }
        let empty = self.rows.iter().filter(|row| row.iter().all(|&word| word == 0)).count();
        if empty * 16 > self.rows.len() {
            self.compact(self.rows.len() - empty);
        }
    }

    fn compact(&mut self, left: usize) {
        if left == 0 {
            *self = Cells::empty();
            return;
        }
        let mut rows = Vec::with_capacity(left);
        let mut from = 0;
        for cell in 0..self.there.len() {
            self.start[cell] = rows.len() as u32;
            for there in &mut self.there[cell] {
                for bit in squares(*there) {
                    let row = self.rows[from];
                    from += 1;
                    if row.iter().all(|&word| word == 0) {
                        *there &= !(1 << bit);
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
pub(crate) type Plane<const W: usize> = Vec<Cells<W>>;

pub(crate) fn empty_plane<const W: usize>(superblocks: usize) -> Plane<W> {
    (0..superblocks).map(|_| Cells::empty()).collect()
}

/// Positions in a plane.
pub(crate) fn count<const W: usize>(plane: &[Cells<W>]) -> u64 {
    plane.iter().map(Cells::count).sum()
}

/// Takes positions away from a plane that has them.
pub(crate) fn subtract<const W: usize>(plane: &mut [Cells<W>], those: &[Cells<W>], threads: usize) {
    shared(threads, plane.iter_mut().zip(those).collect(), |(cells, those)| cells.subtract(those, |_, _| ()));
}

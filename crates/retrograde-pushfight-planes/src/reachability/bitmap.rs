//! What has been found: a bit for each position that can have come from a push, or is a start, and nothing for all others. A
//! cell has its rows one behind the other, of each row the bits that there may be, so that one in two of all
//! arrangements takes no room.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::kernel::pext::Bits;
use crate::kernel::push_cell::{Buffer, Fetched, transpose};
use crate::kernel::simd::Level;
use crate::layout::legal_rows::there;
use crate::layout::numbering::{NONE, Shape};
use crate::layout::pusher_set_job::Unit;
use crate::layout::sets::each;
use crate::layout::sets::{expand, some};

/// A superblock.
struct Stored<const W: usize> {
    /// For each cell its bits, once there are any; none any more when it is full.
    cells: Vec<Option<Box<[u64]>>>,
    /// The opposing pawns of which something was found since they were last asked for.
    changed: [u64; W],
    count: u64,
}

pub(crate) struct Plane<'a, const W: usize> {
    pub shape: &'a Shape,
    /// For every set of opposing pushers what there is to know of it; nothing is needed of any.
    pub units: Vec<Unit<W>>,
    superblocks: Vec<Mutex<Stored<W>>>,
    /// For every superblock a bit for each cell of which all has been found.
    full: Vec<Vec<AtomicU64>>,
    /// For every cell and lane of opposing pawns the number of the row in a block.
    rows: Vec<u16>,
}

/// The cell that a push leads to: sets of pushers, the one that pushed, as on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    pub opponent: usize,
    pub anchor: usize,
    pub mover: usize,
}

/// Room of a thread.
pub(crate) struct Scratch<const W: usize> {
    /// The bits that there may be of each row of a cell.
    masks: Vec<[u64; W]>,
    buffer: Buffer<W>,
    /// For every row the column that it was before it was transposed.
    column_of: Vec<u16>,
}

impl<const W: usize> Scratch<W> {
    pub(crate) fn new(level: Level) -> Scratch<W> {
        let rows = || vec![[0; W]; 64 * W];
        Scratch { masks: rows(), buffer: Buffer::new(level), column_of: vec![NONE; 64 * W] }
    }
}

/// So many bits of a stream from a place on, at most 64.
#[inline(always)]
fn taken(stream: &[u64], at: usize, count: u32) -> u64 {
    if count == 0 {
        return 0;
    }
    let (word, bit) = (at / 64, (at % 64) as u32);
    let mut bits = stream[word] >> bit;
    if bit + count > 64 {
        bits |= stream[word + 1] << (64 - bit);
    }
    bits & u64::MAX >> (64 - count)
}

/// Adds bits to a stream.
#[inline(always)]
fn put(stream: &mut [u64], at: usize, count: u32, bits: u64) {
    let (word, bit) = (at / 64, (at % 64) as u32);
    stream[word] |= bits << bit;
    if bit + count > 64 {
        stream[word + 1] |= bits >> (64 - bit);
    }
}

impl<'a, const W: usize> Plane<'a, W> {
    /// With all starts, and nothing else.
    pub(crate) fn new(shape: &'a Shape) -> Plane<'a, W> {
        let units: Vec<Unit<W>> =
            (0..shape.pusher_sets.len()).map(|number| Unit::new(shape, number, |_| [0; W])).collect();
        let mut rows = vec![NONE; shape.cells.len() * shape.lanes];
        for (lane, beside) in shape.cells_beside.iter().enumerate() {
            for (row, &cell) in beside.iter().enumerate() {
                rows[usize::from(cell) * shape.lanes + lane] = row as u16;
            }
        }
        let is_start = |superblock: usize| shape.is_start(superblock);
        let mut plane = Plane { shape, units, superblocks: Vec::new(), full: Vec::new(), rows };
        let mut scratch = Scratch::new(Level::Portable);
        for superblock in 0..shape.supers.len() {
            let full = if is_start(superblock) { u64::MAX } else { 0 };
            let words = shape.cells.len().div_ceil(64);
            plane.full.push((0..words).map(|_| AtomicU64::new(full)).collect());
            let mut stored = Stored { cells: vec![None; shape.cells.len()], changed: [0; W], count: 0 };
            if is_start(superblock) {
                let unit = &plane.units[shape.supers[superblock].pushers as usize];
                stored.changed = unit.lanes(0, 0);
                for cell in 0..shape.cells.len() {
                    let lanes = plane.masks(superblock, cell, &mut scratch.masks);
                    stored.count += each(&lanes).map(|lane| ones(&scratch.masks[lane])).sum::<u64>();
                }
            }
            plane.superblocks.push(Mutex::new(stored));
        }
        plane
    }

    fn lock(&self, superblock: usize) -> MutexGuard<'_, Stored<W>> {
        self.superblocks[superblock].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_full(&self, superblock: usize, cell: usize) -> bool {
        self.full[superblock][cell / 64].load(Ordering::Relaxed) >> (cell % 64) & 1 == 1
    }

    /// Positions of a superblock that were found.
    pub(crate) fn count(&self, superblock: usize) -> u64 {
        self.lock(superblock).count
    }

    /// The number of the row in the block of a lane of opposing pawns that a cell has there.
    #[inline(always)]
    pub(crate) fn row(&self, cell: usize, lane: usize) -> usize {
        usize::from(self.rows[cell * self.shape.lanes + lane])
    }

    /// The opposing pawns of which something is new in a superblock; from now on it is not.
    pub(crate) fn take_changed(&self, superblock: usize) -> [u64; W] {
        std::mem::replace(&mut self.lock(superblock).changed, [0; W])
    }

    /// The bits that there may be of each row of a cell, and which rows may have any.
    #[inline(always)]
    fn masks(&self, superblock: usize, cell: usize, masks: &mut [[u64; W]]) -> [u64; W] {
        let shape = self.shape;
        let place = shape.supers[superblock];
        let unit = &self.units[place.pushers as usize];
        let pushers = expand(shape.cells[cell], shape.all & !unit.pushers);
        let own = unit.lanes(0, pushers);
        for lane in each(&own) {
            let pawns = shape.pawn_sets[shape.global(unit.number, lane)];
            let base = unit.lanes(0, pawns);
            masks[lane] = there(shape, unit, place.anchor.into(), pawns, (pushers, own), &base);
        }
        own
    }

    /// Brings rows of a superblock into blocks, those of the lanes that are needed.
    ///
    /// # Safety
    /// The processor has what `B` uses.
    #[inline(always)]
    pub(crate) unsafe fn load<B: Bits>(
        &self,
        superblock: usize,
        needed: &[u64; W],
        block_of: &[u32],
        blocks: &mut [[u64; W]],
        scratch: &mut Scratch<W>,
    ) {
        let height = self.shape.rows.len();
        let stored = self.lock(superblock);
        for cell in 0..self.shape.cells.len() {
            let stream = stored.cells[cell].as_deref();
            let full = self.is_full(superblock, cell);
            if stream.is_none() && !full {
                continue;
            }
            let lanes = self.masks(superblock, cell, &mut scratch.masks);
            let mut at = 0;
            for lane in each(&lanes) {
                let mask = &scratch.masks[lane];
                if needed[lane / 64] >> (lane % 64) & 1 == 0 {
                    at += ones(mask) as usize;
                    continue;
                }
                let row = &mut blocks[block_of[lane] as usize * height + self.row(cell, lane)];
                match stream {
                    Some(stream) => {
                        for word in 0..W {
                            let count = mask[word].count_ones();
                            // SAFETY: the caller's promise.
                            row[word] = unsafe { B::scatter(taken(stream, at, count), mask[word]) };
                            at += count as usize;
                        }
                    }
                    None => *row = *mask,
                }
            }
        }
    }

    /// Adds what pushes lead to: rows by opposing pawns as they are before the sides change, those that are `there`, with
    /// bits for the pawns of the side that has pushed, all numbered over what the pushers of the side to move leave
    /// free.
    ///
    /// # Safety
    /// The processor has what `B` uses.
    #[inline(always)]
    pub(crate) unsafe fn add<B: Bits>(
        &self,
        target: Target,
        record: &[[u64; W]],
        there: &[u64; W],
        scratch: &mut Scratch<W>,
    ) {
        if !some(there) {
            return;
        }
        let shape = self.shape;
        let (stands_for, _) = shape.stands_for[target.anchor];
        for (symmetry, squares) in shape.symmetries.iter().enumerate() {
            // More than one takes the anchor there where one leaves its square alone.
            if squares[target.anchor] == stands_for {
                // SAFETY: the caller's promise.
                unsafe { self.add_image::<B>(target, symmetry, record, there, scratch) };
            }
        }
    }

    /// # Safety
    /// The processor has what `B` uses.
    #[inline(always)]
    unsafe fn add_image<B: Bits>(
        &self,
        target: Target,
        symmetry: usize,
        record: &[[u64; W]],
        there: &[u64; W],
        scratch: &mut Scratch<W>,
    ) {
        let shape = self.shape;
        let (stands_for, _) = shape.stands_for[target.anchor];
        let opponent = shape.pusher_image(symmetry, target.opponent);
        let Some(superblock) = shape.super_of(opponent, usize::from(stands_for)) else { return };
        let mover = shape.pusher_sets[shape.pusher_image(symmetry, target.mover)];
        let cell = shape.cell(shape.pusher_sets[opponent], mover);
        if self.is_full(superblock, cell) {
            return;
        }
        // What were rows become columns.
        let (images, locals) = (shape.lane_images(symmetry), shape.locals(opponent));
        let globals = shape.globals(target.mover);
        let stored_lane = |lane: usize| locals[usize::from(images[usize::from(globals[lane])])];
        let (mut bits, mut columns) = (0, [0; W]);
        scratch.buffer.rows.clear();
        for lane in each(there) {
            let row = &record[lane];
            for word in 0..W {
                bits += row[word].count_ones();
                columns[word] |= row[word];
            }
            scratch.buffer.rows.push((stored_lane(lane), lane as u16));
        }
        transpose(&mut scratch.buffer, &Fetched { rows: record, bits });
        scratch.column_of.fill(NONE);
        for column in each(&columns) {
            scratch.column_of[usize::from(stored_lane(column))] = column as u16;
        }
        let lanes = self.masks(superblock, cell, &mut scratch.masks);
        let size: u64 = each(&lanes).map(|lane| ones(&scratch.masks[lane])).sum();
        let mut stored = self.lock(superblock);
        if self.is_full(superblock, cell) {
            return;
        }
        let stored = &mut *stored;
        let stream = stored.cells[cell].get_or_insert_with(|| vec![0; size.div_ceil(64) as usize].into());
        let (mut at, mut new) = (0, 0);
        for lane in each(&lanes) {
            let mask = &scratch.masks[lane];
            let column = scratch.column_of[lane];
            if column == NONE {
                at += ones(mask) as usize;
                continue;
            }
            let row = &scratch.buffer.after[usize::from(column)];
            let before = new;
            for word in 0..W {
                debug_assert_eq!(row[word] & !mask[word], 0, "a push leads to what can have come from one");
                let count = mask[word].count_ones();
                // SAFETY: the caller's promise.
                let bits = unsafe { B::gather(row[word], mask[word]) };
                let bits = bits & !taken(stream, at, count);
                if bits != 0 {
                    put(stream, at, count, bits);
                    new += u64::from(bits.count_ones());
                }
                at += count as usize;
            }
            stored.changed[lane / 64] |= u64::from(new > before) << (lane % 64);
        }
        stored.count += new;
        if new > 0 && stream.iter().map(|word| u64::from(word.count_ones())).sum::<u64>() == size {
            stored.cells[cell] = None;
            self.full[superblock][cell / 64].fetch_or(1 << (cell % 64), Ordering::Relaxed);
        }
    }
}

/// The bits of a row.
#[inline(always)]
fn ones<const W: usize>(row: &[u64; W]) -> u64 {
    let mut count = 0;
    for word in 0..W {
        count += u64::from(row[word].count_ones());
    }
    count
}

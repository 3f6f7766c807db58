//! The set of positions found so far: one bit per plausible position and per start.
//!
//! The rows of a cell are concatenated, each with its legal bits only, so that the implausible half of
//! all arrangements takes no space. A full cell takes no space either.

use parking_lot::{Mutex, MutexGuard};
use retrograde_game::{Square, Squares};

use crate::kernel::pext::Pext;
use crate::kernel::push_cell::{SelectedCell, TransposeBuffer, transpose_selected};
use crate::kernel::simd::{Kernel, SimdLevel};
use crate::layout::lanes::LocalLane;
use crate::layout::legal_rows::legal_row;
use crate::layout::location::CellLocation;
use crate::layout::numbering::Layout;
use crate::layout::pusher_set_job::PusherSetJob;
use crate::layout::sets::{any_bit, expand, has_lane, insert_lane_if, lanes_of};
use crate::layout::sparse::count_bits;
use crate::layout::superblocks::SuperblockId;

/// A cell has no row for pawns that its pushers stand on.
const NO_ROW: u16 = u16::MAX;

/// A superblock.
struct BitmapSuperblock<const W: usize> {
    /// The bits of each cell: `None` while it is empty, and no words once it is full.
    cells: Vec<Option<Box<[u64]>>>,
    /// The opposing pawns with new positions since the last query.
    changed: [u64; W],
    count: u64,
}

impl<const W: usize> BitmapSuperblock<W> {
    fn is_full(&self, cell: usize) -> bool {
        self.cells[cell].as_ref().is_some_and(|words| words.is_empty())
    }
}

pub(crate) struct ReachableBitmap<'a, const W: usize> {
    pub layout: &'a Layout,
    /// The job of every set of opposing pushers, with no lane needed.
    pub jobs: Vec<PusherSetJob<W>>,
    superblocks: Vec<Mutex<BitmapSuperblock<W>>>,
    /// For every cell and lane of opposing pawns the number of the row in a block.
    rows: Vec<u16>,
}

/// The cell that a push leads to: both sets of pushers, and the pusher that pushed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PushTarget {
    pub opponent: usize,
    pub anchor: Square,
    pub mover: usize,
}

/// The scratch memory of a thread.
pub(crate) struct BitmapScratch<const W: usize> {
    /// The legal bits of each row of a cell.
    masks: Vec<[u64; W]>,
    buffer: TransposeBuffer<W>,
    /// For every row the column that it was before it was transposed.
    column_of: Vec<LocalLane>,
}

impl<const W: usize> BitmapScratch<W> {
    pub(crate) fn new(level: SimdLevel) -> BitmapScratch<W> {
        let rows = || vec![[0; W]; 64 * W];
        BitmapScratch {
            masks: rows(),
            buffer: TransposeBuffer::new(level),
            column_of: vec![LocalLane::NONE; 64 * W],
        }
    }
}

/// Reads up to 64 bits of a stream from an offset on.
#[inline(always)]
fn read_bits(stream: &[u64], at: usize, count: u32) -> u64 {
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
fn or_bits(stream: &mut [u64], at: usize, count: u32, bits: u64) {
    let (word, bit) = (at / 64, (at % 64) as u32);
    stream[word] |= bits << bit;
    if bit + count > 64 {
        stream[word + 1] |= bits >> (64 - bit);
    }
}

impl<'a, const W: usize> ReachableBitmap<'a, W> {
    /// Returns a bitmap with all starts and nothing else.
    pub(crate) fn new(layout: &'a Layout) -> ReachableBitmap<'a, W> {
        let jobs: Vec<PusherSetJob<W>> = (0..layout.pusher_sets.len())
            .map(|number| PusherSetJob::new(layout, number, &mut |_| [0; W]))
            .collect();
        let mut rows = vec![NO_ROW; layout.cells.len() * layout.lanes];
        for (lane, cells) in layout.cells_clear_of.iter().enumerate() {
            for (row, &cell) in cells.iter().enumerate() {
                rows[usize::from(cell) * layout.lanes + lane] = row as u16;
            }
        }
        let mut bitmap = ReachableBitmap { layout, jobs, superblocks: Vec::new(), rows };
        let mut scratch = BitmapScratch::new(SimdLevel::Portable);
        for superblock in layout.superblocks.ids() {
            let cells = vec![layout.is_start(superblock).then(Box::default); layout.cells.len()];
            let mut stored = BitmapSuperblock { cells, changed: [0; W], count: 0 };
            if layout.is_start(superblock) {
                let job = &bitmap.jobs[layout.superblocks[superblock].pushers as usize];
                stored.changed = job.lanes_clear_of(Squares::EMPTY);
                for cell in 0..layout.cells.len() {
                    let lanes = bitmap.masks(superblock, cell, &mut scratch.masks);
                    stored.count +=
                        lanes_of(&lanes).map(|lane| count_bits(&scratch.masks[lane])).sum::<u64>();
                }
            }
            bitmap.superblocks.push(Mutex::new(stored));
        }
        bitmap
    }

    fn lock(&self, superblock: SuperblockId) -> MutexGuard<'_, BitmapSuperblock<W>> {
        self.superblocks[superblock].lock()
    }

    /// The number of positions found in a superblock.
    pub(crate) fn count(&self, superblock: SuperblockId) -> u64 {
        self.lock(superblock).count
    }

    /// The row of a cell in the block of a lane of opposing pawns.
    #[inline(always)]
    pub(crate) fn row(&self, cell: usize, lane: LocalLane) -> usize {
        usize::from(self.rows[cell * self.layout.lanes + lane.index()])
    }

    /// Returns the opposing pawns with new positions in a superblock, and marks these as seen.
    pub(crate) fn take_changed(&self, superblock: SuperblockId) -> [u64; W] {
        std::mem::replace(&mut self.lock(superblock).changed, [0; W])
    }

    /// Computes the legal bits of each row of a cell, and the rows that have any.
    #[inline(always)]
    fn masks(&self, superblock: SuperblockId, cell: usize, masks: &mut [[u64; W]]) -> [u64; W] {
        let layout = self.layout;
        let key = layout.superblocks[superblock];
        let job = &self.jobs[key.pushers as usize];
        let pushers = expand(layout.cells[cell], layout.board.all() & !job.pushers);
        let own = job.lanes_clear_of(pushers);
        for lane in lanes_of(&own) {
            let pawns = layout.local_pawns(job.number, lane);
            let base = job.lanes_clear_of(pawns);
            masks[lane] = legal_row(layout, job, key.anchor, pawns, (pushers, own), &base);
        }
        own
    }

    /// Loads the rows of a superblock into blocks, for the needed lanes only.
    #[inline(always)]
    pub(crate) fn load(
        &self,
        pext: impl Pext,
        superblock: SuperblockId,
        needed: &[u64; W],
        block_of: &[u32],
        blocks: &mut [[u64; W]],
        scratch: &mut BitmapScratch<W>,
    ) {
        let height = self.layout.rows.len();
        let stored = self.lock(superblock);
        for cell in 0..self.layout.cells.len() {
            let Some(stream) = stored.cells[cell].as_deref() else { continue };
            let lanes = self.masks(superblock, cell, &mut scratch.masks);
            let mut at = 0;
            for lane in lanes_of(&lanes) {
                let mask = &scratch.masks[lane];
                if !has_lane(needed, lane) {
                    at += count_bits(mask) as usize;
                    continue;
                }
                let row = &mut blocks[block_of[lane] as usize * height + self.row(cell, lane)];
                if stream.is_empty() {
                    *row = *mask;
                    continue;
                }
                for word in 0..W {
                    let count = mask[word].count_ones();
                    row[word] = pext.deposit(read_bits(stream, at, count), mask[word]);
                    at += count as usize;
                }
            }
        }
    }

    /// Adds the targets of pushes. They have the rows of `record` that are `present`: rows for sets of
    /// opposing pawns as before the change of sides, and bits for the pawns of the side that has
    /// pushed. All lanes are local to the pushers of the side to move.
    ///
    /// Compiled once for each set of instructions, regardless of the number of callers.
    pub(crate) fn add(
        &self,
        target: PushTarget,
        record: &[[u64; W]],
        present: &[u64; W],
        scratch: &mut BitmapScratch<W>,
    ) {
        let level = scratch.buffer.level;
        level.run(AddTarget { bitmap: self, target, record, present, scratch });
    }

    #[inline(always)]
    fn add_image(
        &self,
        pext: impl Pext,
        target: PushTarget,
        symmetry: usize,
        record: &[[u64; W]],
        present: &[u64; W],
        scratch: &mut BitmapScratch<W>,
    ) {
        let layout = self.layout;
        let (canonical_anchor, _) = layout.symmetries.canonical_anchor(target.anchor);
        let PushTarget { opponent, mover, .. } = target;
        let location = CellLocation::of_image(layout, symmetry, opponent, canonical_anchor, mover);
        let Some(location) = location else { return };
        let (superblock, cell) = (location.superblock, location.cell);
        if self.lock(superblock).is_full(cell) {
            return;
        }
        // Rows become columns.
        let (images, locals) = (layout.symmetries.lane_images(symmetry), layout.locals(location.image));
        let globals = layout.globals(target.mover);
        let stored_lane = |lane: LocalLane| locals[images[globals[lane]]];
        let (mut bits, mut columns) = (0, [0; W]);
        scratch.buffer.rows.clear();
        for lane in lanes_of(present) {
            let row = &record[lane];
            for word in 0..W {
                bits += row[word].count_ones();
                columns[word] |= row[word];
            }
            scratch.buffer.rows.push((stored_lane(lane), lane.index() as u16));
        }
        transpose_selected(&mut scratch.buffer, &SelectedCell { rows: record, bits });
        scratch.column_of.fill(LocalLane::NONE);
        for column in lanes_of(&columns) {
            scratch.column_of[stored_lane(column)] = column;
        }
        let lanes = self.masks(superblock, cell, &mut scratch.masks);
        let size: u64 = lanes_of(&lanes).map(|lane| count_bits(&scratch.masks[lane])).sum();
        let mut stored = self.lock(superblock);
        if stored.is_full(cell) {
            return;
        }
        let stored = &mut *stored;
        let stream = stored.cells[cell].get_or_insert_with(|| vec![0; size.div_ceil(64) as usize].into());
        let (mut at, mut new) = (0, 0);
        for lane in lanes_of(&lanes) {
            let mask = &scratch.masks[lane];
            let column = scratch.column_of[lane];
            if column == LocalLane::NONE {
                at += count_bits(mask) as usize;
                continue;
            }
            let row = &scratch.buffer.after[column];
            let before = new;
            for word in 0..W {
                debug_assert_eq!(row[word] & !mask[word], 0, "a push leads to what can have come from one");
                let count = mask[word].count_ones();
                let bits = pext.extract(row[word], mask[word]) & !read_bits(stream, at, count);
                if bits != 0 {
                    or_bits(stream, at, count, bits);
                    new += u64::from(bits.count_ones());
                }
                at += count as usize;
            }
            insert_lane_if(&mut stored.changed, lane, new > before);
        }
        stored.count += new;
        if new > 0 && count_bits(stream) == size {
            stored.cells[cell] = Some(Box::default());
        }
    }
}

/// The arguments of [`ReachableBitmap::add`].
struct AddTarget<'a, const W: usize> {
    bitmap: &'a ReachableBitmap<'a, W>,
    target: PushTarget,
    record: &'a [[u64; W]],
    present: &'a [u64; W],
    scratch: &'a mut BitmapScratch<W>,
}

impl<const W: usize> Kernel for AddTarget<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self, pext: impl Pext) {
        let AddTarget { bitmap, target, record, present, scratch } = self;
        if !any_bit(present) {
            return;
        }
        let symmetries = &bitmap.layout.symmetries;
        let (canonical_anchor, _) = symmetries.canonical_anchor(target.anchor);
        for symmetry in 0..symmetries.count() {
            // Several symmetries may map the anchor there, if one of them maps its square to itself.
            if symmetries.square_image(symmetry, target.anchor) == canonical_anchor {
                bitmap.add_image(pext, target, symmetry, record, present, scratch);
            }
        }
    }
}

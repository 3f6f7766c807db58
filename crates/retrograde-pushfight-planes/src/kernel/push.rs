//! Pushes, for all positions with one set of opposing pushers at once.
//!
//! Finds the positions that have a push into a plane, cell by cell. For each of the mover's pushers and
//! each direction, the line ahead is walked. Pushers on it are known; a square without one is empty, or
//! holds a pawn of the mover or of the opponent, and each case is a *pattern*. A pattern reads one cell
//! of the plane, which belongs to the mover's pushers after the push. In the plane, its rows are sets
//! of the mover's pawns and its bits sets of opposing pawns; here it is needed the other way round, so
//! it is transposed. Symmetries of the board cost nothing then, because they only relabel rows before
//! and after.
//!
//! If a push displaces no opposing pusher, the cell that it reads is transposed once for all patterns.
//! Other cells are transposed for the one pattern that needs them.
//!
//! All this costs nearly the same if the plane has few positions. In that case pushes are retracted
//! from these positions one by one instead, see [`crate::kernel::push_retraction`].

use retrograde_game::Squares;

use crate::kernel::pext::{LaneRemap, Pext};
use crate::kernel::push_cell::{TransposeBuffer, select, transpose_selected};
use crate::kernel::push_pattern::{Push, PushLine, PushPattern, push_patterns};
use crate::kernel::push_retraction::{BlockSink, PushRetraction};
use crate::kernel::simd::SimdLevel;
use crate::layout::lanes::{GlobalLane, LocalLane};
use crate::layout::location::CellLocation;
use crate::layout::numbering::Layout;
use crate::layout::pusher_set_job::PusherSetJob;
use crate::layout::sets::{any_bit, expand, has_lane, index_in, insert_lane, insert_lane_if, lanes_of};
use crate::layout::sparse::SparseCells;

/// The condition on a push.
#[derive(Clone, Copy)]
pub(crate) enum PushGoal<'a> {
    /// Eject a piece of the opponent.
    Eject,
    /// Be allowed.
    Any,
    /// Lead into a plane.
    Into(&'a [SparseCells], PushSearch),
}

/// How pushes into a plane are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PushSearch {
    /// By pattern, for all positions at once.
    ByPattern,
    /// By retraction, one by one from the positions after the pushes.
    ByRetraction,
}

/// The positions of a plane per searched cell above which patterns are faster.
const MAX_RETRACTED: usize = 24;

impl PushSearch {
    /// The faster way to find the pushes from `cells` cells into a plane with `rows` rows. Its
    /// positions are only counted if necessary.
    pub(crate) fn faster(cells: usize, rows: usize, count: impl FnOnce() -> u64) -> PushSearch {
        let most = cells * MAX_RETRACTED;
        // Every stored row has a position, so the positions of a large plane do not have to be counted.
        if rows <= most && count() <= most as u64 { PushSearch::ByRetraction } else { PushSearch::ByPattern }
    }
}

/// The scratch memory and the result of a search for pushes, reused from job to job.
pub(crate) struct PushFinder<const W: usize> {
    /// For each cell and each of its pushers, the number of the transposed cell if it is not empty.
    slots: Vec<u32>,
    /// Transposed cells: a row for each wanted set of opposing pawns.
    records: Vec<[u64; W]>,
    nonempty: Vec<[u64; W]>,
    /// The rows of records by local lanes.
    record_row: Vec<u16>,
    wanted: Vec<LocalLane>,
    /// The cells to transpose, each with its place among [`PushFinder::slots`].
    locations: Vec<(u32, CellLocation)>,
    buffer: TransposeBuffer<W>,
    /// The results of a cell's pushes, by opposing pawns: for any anchor, and for each anchor.
    common: Vec<[u64; W]>,
    by_anchor: Vec<Vec<[u64; W]>>,
    /// The sets of opposing pawns with possible results.
    touched: [u64; W],
    /// The result: blocks by anchor and opposing pawns, their rows, and whether they are not empty.
    block_of: Vec<Vec<u32>>,
    blocks: Vec<[u64; W]>,
    any: Vec<bool>,
    cursor: Vec<u32>,
    patterns: Vec<PushPattern<W>>,
    retraction: PushRetraction,
}

const EMPTY: u32 = u32::MAX;
/// The row of lanes that no pattern reads.
const NO_RECORD: u16 = u16::MAX;
/// How many cells ahead rows are prefetched.
const PREFETCH_DISTANCE: usize = 4;
/// The maximum number of bits of a cell that are moved one by one.
const MAX_SCATTERED_BITS: u32 = 100;

impl<const W: usize> PushFinder<W> {
    pub(crate) fn new(layout: &Layout, level: SimdLevel) -> PushFinder<W> {
        let rows = || vec![[0; W]; 64 * W];
        PushFinder {
            slots: vec![EMPTY; layout.cells.len() * layout.pusher_count],
            records: Vec::new(),
            nonempty: Vec::new(),
            record_row: vec![NO_RECORD; 64 * W],
            wanted: Vec::new(),
            locations: Vec::new(),
            buffer: TransposeBuffer::new(level),
            common: rows(),
            by_anchor: (0..=layout.pusher_count).map(|_| rows()).collect(),
            touched: [0; W],
            block_of: vec![vec![EMPTY; 64 * W]; layout.pusher_count + 1],
            blocks: Vec::new(),
            any: Vec::new(),
            cursor: vec![0; 64 * W],
            patterns: Vec::new(),
            retraction: PushRetraction::default(),
        }
    }

    /// A block of the result, if it is not empty.
    #[inline(always)]
    pub(crate) fn block(
        &mut self,
        layout: &Layout,
        anchor: usize,
        lane: LocalLane,
    ) -> Option<&mut [[u64; W]]> {
        let block = self.block_of[anchor][lane] as usize;
        let rows = layout.rows.len();
        self.any[block].then(|| &mut self.blocks[block * rows..][..rows])
    }

    /// The given lanes whose block is not empty.
    pub(crate) fn filled(&self, anchor: usize, lanes: &[u64; W]) -> [u64; W] {
        let mut filled = [0; W];
        for lane in lanes_of(lanes).filter(|&lane| self.any[self.block_of[anchor][lane] as usize]) {
            insert_lane(&mut filled, lane);
        }
        filled
    }

    /// Finds the positions with a push that meets `goal`; see [`PushFinder::block`].
    #[inline(always)]
    pub(crate) fn find(
        &mut self,
        pext: impl Pext,
        layout: &Layout,
        job: &PusherSetJob<W>,
        goal: PushGoal<'_>,
    ) {
        let mut blocks = 0;
        for (anchor, needed) in job.needed.iter().enumerate() {
            for lane in lanes_of(needed) {
                self.block_of[anchor][lane] = blocks;
                blocks += 1;
            }
        }
        self.any.clear();
        self.any.resize(blocks as usize, false);
        let rows = blocks as usize * layout.rows.len();
        if self.blocks.len() < rows {
            retrograde_solve::memory::reserve_huge(&mut self.blocks, rows);
            self.blocks.resize(rows, [0; W]);
        }
        if let PushGoal::Into(plane, PushSearch::ByRetraction) = goal {
            let (block_of, blocks, any) = (&self.block_of, &mut self.blocks, &mut self.any);
            let mut sink = BlockSink { block_of, blocks, any };
            return self.retraction.find(pext, layout, job, plane, &mut sink);
        }
        self.cursor.fill(0);
        if let PushGoal::Into(plane, _) = goal {
            self.transpose_cells(layout, job, plane);
        }
        for &packed in &layout.cells {
            let pushers = expand(packed, layout.board.all() & !job.pushers);
            let clear = job.lanes_clear_of(pushers);
            let lanes: [u64; W] = std::array::from_fn(|word| clear[word] & job.needed_any[word]);
            if !any_bit(&lanes) {
                continue;
            }
            let mut patterns = std::mem::take(&mut self.patterns);
            push_patterns(layout, job, pushers, &lanes, &mut patterns);
            for (push, line, ejects) in &patterns {
                match goal {
                    PushGoal::Eject if !ejects => {}
                    PushGoal::Eject | PushGoal::Any => self.add_allowed_pattern(job, &clear, line),
                    PushGoal::Into(..) if *ejects => {}
                    PushGoal::Into(..) if line.other_pushers.is_empty() => {
                        self.add_from_records(pext, layout, job, *push, line)
                    }
                    PushGoal::Into(plane, _) => self.add_from_plane(layout, job, plane, *push, line),
                }
            }
            self.patterns = patterns;
            self.store_cell(layout, job, &lanes);
        }
    }

    /// Transposes the cells of a plane that are read by pushes which displace no opposing pusher.
    #[inline(always)]
    fn transpose_cells(&mut self, layout: &Layout, job: &PusherSetJob<W>, plane: &[SparseCells]) {
        self.list_wanted_lanes(layout, job);
        self.slots.fill(EMPTY);
        let most = self.slots.len() * self.wanted.len();
        if self.records.len() < most {
            retrograde_solve::memory::reserve_huge(&mut self.records, most);
            self.records.resize(most, [0; W]);
        }
        self.nonempty.clear();
        let locals = layout.locals(job.number);
        let globals = layout.globals(job.number);
        self.locations.clear();
        for (cell, &packed) in layout.cells.iter().enumerate() {
            let set = expand(packed, layout.board.all() & !job.pushers);
            let number = layout.pushers(set);
            let locations = set.into_iter().enumerate().filter_map(|(at, anchor)| {
                let slot = cell * layout.pusher_count + at;
                Some((slot as u32, CellLocation::new(layout, number, anchor, job.number)?))
            });
            self.locations.extend(locations);
        }
        let column = |lane: GlobalLane| locals[lane];
        for (number, (slot, location)) in self.locations.iter().enumerate() {
            if let Some((_, location)) = self.locations.get(number + 2 * PREFETCH_DISTANCE) {
                location.prefetch::<W>(plane);
            }
            if let Some((_, location)) = self.locations.get(number + PREFETCH_DISTANCE) {
                location.prefetch_rows::<W>(plane);
            }
            let Some(selected) = select(layout, plane, location, &mut self.buffer, column) else { continue };
            let at = self.nonempty.len();
            self.slots[*slot as usize] = at as u32;
            let records = &mut self.records[at * self.wanted.len()..][..self.wanted.len()];
            let mut nonempty = [0; W];
            if selected.bits < MAX_SCATTERED_BITS {
                let back = layout.symmetries.lane_images(layout.symmetries.inverse(location.symmetry));
                let present = layout.globals(location.image);
                for &(column, row) in &self.buffer.rows {
                    for lane in lanes_of(&selected.rows[usize::from(row)]) {
                        let lane = locals[back[present[lane]]];
                        let row = self.record_row.get(lane.index()).copied().unwrap_or(NO_RECORD);
                        if row == NO_RECORD {
                            continue;
                        }
                        let record = &mut records[usize::from(row)];
                        if !has_lane(&nonempty, lane) {
                            insert_lane(&mut nonempty, lane);
                            *record = [0; W];
                        }
                        insert_lane(record, column);
                    }
                }
            } else {
                transpose_selected(&mut self.buffer, &selected);
                let (images, rows) =
                    (layout.symmetries.lane_images(location.symmetry), layout.locals(location.image));
                for (record, &lane) in records.iter_mut().zip(&self.wanted) {
                    let row = rows[images[globals[lane]]];
                    let row = if row == LocalLane::NONE { [0; W] } else { self.buffer.after[row] };
                    insert_lane_if(&mut nonempty, lane, any_bit(&row));
                    *record = row;
                }
            }
            self.nonempty.push(nonempty);
        }
    }

    /// Lists the sets of opposing pawns that are needed, and the sets that these can become when some
    /// pawns are displaced.
    fn list_wanted_lanes(&mut self, layout: &Layout, job: &PusherSetJob<W>) {
        let (locals, globals) = (layout.locals(job.number), layout.globals(job.number));
        let mut wanted = job.needed_any;
        for lane in lanes_of(&job.needed_any) {
            let pawns = layout.pawns(globals[lane]);
            for direction in 0..4 {
                let mut part = pawns;
                while !part.is_empty() {
                    let after = pawns & !part | layout.board.shifted(part, direction);
                    if after.len() == pawns.len() {
                        let after = locals[layout.lane(after)];
                        if after != LocalLane::NONE {
                            insert_lane(&mut wanted, after);
                        }
                    }
                    part = Squares(part.0 - 1) & pawns;
                }
            }
        }
        self.wanted.clear();
        self.record_row.fill(NO_RECORD);
        for lane in lanes_of(&wanted) {
            self.record_row[lane] = self.wanted.len() as u16;
            self.wanted.push(lane);
        }
    }

    /// Stores the results of a cell's pushes in its rows of the blocks. A block is cleared when it
    /// gets its first row.
    #[inline(always)]
    fn store_cell(&mut self, layout: &Layout, job: &PusherSetJob<W>, lanes: &[u64; W]) {
        let rows = layout.rows.len();
        for word in 0..W {
            self.touched[word] &= lanes[word];
        }
        for lane in lanes_of(&self.touched) {
            let row = self.cursor[lane] as usize;
            for (anchor, needed) in job.needed.iter().enumerate() {
                let own = std::mem::replace(&mut self.by_anchor[anchor][lane], [0; W]);
                if has_lane(needed, lane) {
                    let common = &self.common[lane];
                    let mut both = [0; W];
                    for word in 0..W {
                        both[word] = own[word] | common[word];
                    }
                    if any_bit(&both) {
                        let block = self.block_of[anchor][lane] as usize;
                        let into = &mut self.blocks[block * rows..][..rows];
                        if !self.any[block] {
                            self.any[block] = true;
                            into.fill([0; W]);
                        }
                        into[row] = both;
                    }
                }
            }
            self.common[lane] = [0; W];
        }
        self.touched = [0; W];
        for lane in lanes_of(lanes) {
            self.cursor[lane] += 1;
        }
    }

    /// Adds a pattern that is allowed wherever other pieces stand. (In some of its lanes, pawns of both
    /// sides may stand on one square.)
    #[inline(always)]
    fn add_allowed_pattern(&mut self, job: &PusherSetJob<W>, clear: &[u64; W], line: &PushLine<W>) {
        let bits = std::array::from_fn(|word| line.before[word] & clear[word]);
        for word in 0..W {
            self.touched[word] |= line.cases[word];
        }
        for lane in lanes_of(&line.cases) {
            add(&mut self.common, &mut self.by_anchor, job, line.other_pushers, lane, &bits);
        }
    }

    /// Adds a pattern that displaces no opposing pusher: its cell is already transposed.
    #[inline(always)]
    fn add_from_records(
        &mut self,
        pext: impl Pext,
        layout: &Layout,
        job: &PusherSetJob<W>,
        push: Push,
        line: &PushLine<W>,
    ) {
        let after = pushers_after(push, line);
        let at = index_in(after, push.to);
        let slot = self.slots[layout.cell(job.pushers, after) * layout.pusher_count + at];
        if slot == EMPTY {
            return;
        }
        let mut cases = line.cases;
        if line.other_pawns.is_empty() {
            let nonempty = &self.nonempty[slot as usize];
            for word in 0..W {
                cases[word] &= nonempty[word];
            }
        }
        if !any_bit(&cases) {
            return;
        }
        let records = &self.records[slot as usize * self.wanted.len()..][..self.wanted.len()];
        let nonempty = &self.nonempty[slot as usize];
        for word in 0..W {
            self.touched[word] |= cases[word];
        }
        let remap = LaneRemap::new(&line.after, &line.before);
        let globals = layout.globals(job.number);
        let locals = layout.locals(job.number);
        for lane in lanes_of(&cases) {
            let mut source = lane;
            if !line.other_pawns.is_empty() {
                source = locals[displaced_lane(layout, globals[lane], line.other_pawns, push.direction)];
                if !has_lane(nonempty, source) {
                    continue;
                }
            }
            let record = &records[usize::from(self.record_row[source])];
            let common = &mut self.common[lane];
            if line.own_pawns.is_empty() {
                for word in 0..W {
                    common[word] |= record[word] & line.before[word];
                }
            } else {
                remap.add(pext, record, common);
            }
        }
    }

    /// Adds a pattern that displaces opposing pushers: its cell is transposed for this pattern alone.
    #[inline(always)]
    fn add_from_plane(
        &mut self,
        layout: &Layout,
        job: &PusherSetJob<W>,
        plane: &[SparseCells],
        push: Push,
        line: &PushLine<W>,
    ) {
        let mover = layout.pushers(job.pushers & !line.other_pushers | line.other_pushers_after);
        let locals = layout.locals(job.number);
        let opposite = (push.direction + 2) % 4;
        // The mover's pawns are known after the push, and needed as they were before it.
        let column = |lane: GlobalLane| {
            if layout.pawns(lane) & line.squares != line.own_pawns_after {
                return LocalLane::NONE;
            }
            match line.own_pawns.is_empty() {
                true => locals[lane],
                false => locals[displaced_lane(layout, lane, line.own_pawns_after, opposite)],
            }
        };
        let opponent = layout.pushers(pushers_after(push, line));
        let Some(location) = CellLocation::new(layout, opponent, push.to, mover) else { return };
        let Some(selected) = select(layout, plane, &location, &mut self.buffer, column) else { return };
        transpose_selected(&mut self.buffer, &selected);
        for word in 0..W {
            self.touched[word] |= line.cases[word];
        }
        let globals = layout.globals(job.number);
        let (images, rows) =
            (layout.symmetries.lane_images(location.symmetry), layout.locals(location.image));
        for lane in lanes_of(&line.cases) {
            let displaced = displaced_lane(layout, globals[lane], line.other_pawns, push.direction);
            let row = rows[images[displaced]];
            if row != LocalLane::NONE {
                let bits = &self.buffer.after[row];
                add(&mut self.common, &mut self.by_anchor, job, line.other_pushers, lane, bits);
            }
        }
    }
}

/// The mover's pushers after a push.
#[inline(always)]
pub(crate) fn pushers_after<const W: usize>(push: Push, line: &PushLine<W>) -> Squares {
    push.pushers & !(push.from.set() | line.own_pushers) | push.to.set() | line.own_pushers_after
}

/// Adds to the results of a cell's pushes, for the anchors that are not displaced.
#[inline(always)]
fn add<const W: usize>(
    common: &mut [[u64; W]],
    by_anchor: &mut [Vec<[u64; W]>],
    job: &PusherSetJob<W>,
    displaced: Squares,
    lane: LocalLane,
    bits: &[u64; W],
) {
    if displaced.is_empty() {
        for word in 0..W {
            common[lane][word] |= bits[word];
        }
        return;
    }
    for (by_anchor, &(anchor, _)) in by_anchor.iter_mut().zip(&job.anchors) {
        if !displaced.contains(anchor) {
            for word in 0..W {
                by_anchor[lane][word] |= bits[word];
            }
        }
    }
}

/// The global lane with some pawns, all in one line, moved one step along it.
#[inline(always)]
pub(crate) fn displaced_lane(
    layout: &Layout,
    mut lane: GlobalLane,
    pawns: Squares,
    direction: usize,
) -> GlobalLane {
    // The pawn at the front moves first: its next square has none of these pawns.
    let mut left = pawns;
    while !left.is_empty() {
        for square in left {
            if !left.intersects(layout.board.ahead(square, direction)) {
                lane = layout.shifted_lane(direction, square, lane);
                left = left.without(square);
                break;
            }
        }
    }
    lane
}

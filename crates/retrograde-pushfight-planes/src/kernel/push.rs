//! Pushes, for all positions with one set of opposing pushers at once.
//!
//! Whether a push leads into a plane is asked cell by cell: for the mover's pushers, the one that pushes and its
//! direction, the line ahead is walked. Pushers on it are known; a square without one is empty, or has a pawn of the
//! mover or of the opponent, and each case is a *branch*. A branch reads one cell of the plane: that of the mover's pushers after
//! the push. The plane has it by the mover's pawns, with a bit for each set of opposing pawns; here it is needed the other way
//! round, so it is transposed. Symmetries of the board cost nothing then: turning the board relabels rows before and
//! after.
//!
//! Cells that are read when no opposing pusher is displaced are transposed once for all branches; the others when
//! they are needed, each by one branch.

use crate::kernel::pext::{Bits, Relabel};
use crate::kernel::push_cell::{Buffer, Place, select, transpose};
use crate::kernel::push_pattern::{Line, Push, branches_of};
use crate::kernel::simd::Level;
use crate::layout::numbering::{NONE, Shape};
use crate::layout::pusher_set_job::Unit;
use crate::layout::sets::each;
use crate::layout::sets::{expand, some, squares};
use crate::layout::sparse::Cells;

/// What a push has to do.
#[derive(Clone, Copy)]
pub(crate) enum Goal<'a, const W: usize> {
    /// Eject a piece of the opponent.
    Eject,
    /// Be allowed.
    Any,
    /// Lead into a plane.
    Into(&'a [Cells<W>]),
}

/// Room for gathering, kept from unit to unit.
pub(crate) struct Gathered<const W: usize> {
    /// For a cell and one of its pushers the transposed cell, if it is not empty.
    slots: Vec<u32>,
    /// Transposed cells: a row for each set of opposing pawns that is wanted.
    records: Vec<[u64; W]>,
    nonempty: Vec<[u64; W]>,
    /// The rows of records by local lanes.
    record_row: Vec<u16>,
    wanted: Vec<u16>,
    /// The cells to transpose, each with its place among [`Gathered::slots`].
    places: Vec<(u32, Place)>,
    buffer: Buffer<W>,
    /// What a cell's pushes give, by opposing pawns: whatever the anchor, and for each anchor.
    common: Vec<[u64; W]>,
    by_anchor: Vec<Vec<[u64; W]>>,
    /// The opposing pawns for which that may be something.
    touched: [u64; W],
    /// The result: blocks by anchor and opposing pawns, their rows, and whether there is anything in them.
    block_of: Vec<Vec<u32>>,
    blocks: Vec<[u64; W]>,
    any: Vec<bool>,
    cursor: Vec<u32>,
    branches: Vec<(Push, Line<W>, bool)>,
}

const EMPTY: u32 = u32::MAX;
/// Cells whose rows are on their way to the processor while one is transposed.
const AHEAD: usize = 4;
/// Bits of a cell that are brought one by one to where they are read.
const FEWEST: u32 = 100;

impl<const W: usize> Gathered<W> {
    pub(crate) fn new(shape: &Shape, level: Level) -> Gathered<W> {
        let rows = || vec![[0; W]; 64 * W];
        Gathered {
            slots: vec![EMPTY; shape.cells.len() * shape.pushers],
            records: Vec::new(),
            nonempty: Vec::new(),
            record_row: vec![NONE; 64 * W],
            wanted: Vec::new(),
            places: Vec::new(),
            buffer: Buffer::new(level),
            common: rows(),
            by_anchor: (0..=shape.pushers).map(|_| rows()).collect(),
            touched: [0; W],
            block_of: vec![vec![EMPTY; 64 * W]; shape.pushers + 1],
            blocks: Vec::new(),
            any: Vec::new(),
            cursor: vec![0; 64 * W],
            branches: Vec::new(),
        }
    }

    /// A block of the result, if there is anything in it.
    #[inline(always)]
    pub(crate) fn block(&mut self, shape: &Shape, anchor: usize, lane: usize) -> Option<&mut [[u64; W]]> {
        let block = self.block_of[anchor][lane] as usize;
        let rows = shape.rows.len();
        self.any[block].then(|| &mut self.blocks[block * rows..][..rows])
    }

    /// Of some lanes those whose block has anything.
    pub(crate) fn filled(&self, anchor: usize, lanes: &[u64; W]) -> [u64; W] {
        let mut filled = [0; W];
        for lane in each(lanes).filter(|&lane| self.any[self.block_of[anchor][lane] as usize]) {
            filled[lane / 64] |= 1 << (lane % 64);
        }
        filled
    }

    /// Finds which positions have a push that does something; see [`Gathered::block`].
    ///
    /// # Safety
    /// The processor has what `B` uses.
    #[inline(always)]
    pub(crate) unsafe fn gather<B: Bits>(&mut self, shape: &Shape, unit: &Unit<W>, goal: Goal<'_, W>) {
        let mut blocks = 0;
        for (anchor, needed) in unit.needed.iter().enumerate() {
            for lane in each(needed) {
                self.block_of[anchor][lane] = blocks;
                blocks += 1;
            }
        }
        self.any.clear();
        self.any.resize(blocks as usize, false);
        let rows = blocks as usize * shape.rows.len();
        if self.blocks.len() < rows {
            crate::kernel::huge_pages::reserve(&mut self.blocks, rows);
            self.blocks.resize(rows, [0; W]);
        }
        self.cursor.fill(0);
        if let Goal::Into(plane) = goal {
            self.transpose(shape, unit, plane);
        }
        for &packed in &shape.cells {
            let pushers = expand(packed, shape.all & !unit.pushers);
            let beside = unit.lanes(0, pushers);
            let lanes: [u64; W] = std::array::from_fn(|word| beside[word] & unit.needed_any[word]);
            if !some(&lanes) {
                continue;
            }
            let mut branches = std::mem::take(&mut self.branches);
            branches_of(shape, unit, pushers, &lanes, &mut branches);
            for (push, line, ejects) in &branches {
                match goal {
                    Goal::Eject if !ejects => {}
                    Goal::Eject | Goal::Any => self.allow(unit, &beside, line),
                    Goal::Into(_) if *ejects => {}
                    // SAFETY: the caller's promise.
                    Goal::Into(plane) => unsafe { self.read::<B>(shape, unit, plane, *push, line) },
                }
            }
            self.branches = branches;
            self.store(shape, unit, &lanes);
        }
    }

    /// Transposes the cells of a plane that are read by pushes which displace no opposing pusher.
    #[inline(always)]
    fn transpose(&mut self, shape: &Shape, unit: &Unit<W>, plane: &[Cells<W>]) {
        self.want(shape, unit);
        self.slots.fill(EMPTY);
        let most = self.slots.len() * self.wanted.len();
        if self.records.len() < most {
            crate::kernel::huge_pages::reserve(&mut self.records, most);
            self.records.resize(most, [0; W]);
        }
        self.nonempty.clear();
        let locals = shape.locals(unit.number);
        let globals = shape.globals(unit.number);
        self.places.clear();
        for (cell, &packed) in shape.cells.iter().enumerate() {
            let set = expand(packed, shape.all & !unit.pushers);
            let number = shape.pushers(set);
            let places = squares(set).enumerate().filter_map(|(at, anchor)| {
                let slot = cell * shape.pushers + at;
                Some((slot as u32, Place::new(shape, number, anchor, unit.number)?))
            });
            self.places.extend(places);
        }
        let column = |global: usize| locals[global];
        for (number, (slot, place)) in self.places.iter().enumerate() {
            if let Some((_, place)) = self.places.get(number + 2 * AHEAD) {
                place.expect(plane);
            }
            if let Some((_, place)) = self.places.get(number + AHEAD) {
                place.expect_rows(plane);
            }
            let Some(fetched) = select(shape, plane, place, &mut self.buffer, column) else { continue };
            let at = self.nonempty.len();
            self.slots[*slot as usize] = at as u32;
            let records = &mut self.records[at * self.wanted.len()..][..self.wanted.len()];
            let mut nonempty = [0; W];
            if fetched.bits < FEWEST {
                let back = shape.lane_images(shape.inverse[place.symmetry()]);
                let there = shape.globals(place.image());
                for &(column, row) in &self.buffer.rows {
                    let (word, bit) = (usize::from(column / 64), 1 << (column % 64));
                    for lane in each(&fetched.rows[usize::from(row)]) {
                        let lane = usize::from(locals[usize::from(back[usize::from(there[lane])])]);
                        let row = self.record_row.get(lane).copied().unwrap_or(NONE);
                        if row == NONE {
                            continue;
                        }
                        let (first, new) = (&mut nonempty[lane / 64], 1 << (lane % 64));
                        let record = &mut records[usize::from(row)];
                        if *first & new == 0 {
                            *first |= new;
                            *record = [0; W];
                        }
                        record[word] |= bit;
                    }
                }
            } else {
                transpose(&mut self.buffer, &fetched);
                let (images, rows) = (shape.lane_images(place.symmetry()), shape.locals(place.image()));
                for (record, &lane) in records.iter_mut().zip(&self.wanted) {
                    let lane = usize::from(lane);
                    let row = rows[usize::from(images[usize::from(globals[lane])])];
                    let row = if row == NONE { [0; W] } else { self.buffer.after[usize::from(row)] };
                    nonempty[lane / 64] |= u64::from(some(&row)) << (lane % 64);
                    *record = row;
                }
            }
            self.nonempty.push(nonempty);
        }
    }

    /// Lists the opposing pawns that are needed, and those that they can become when some are displaced.
    fn want(&mut self, shape: &Shape, unit: &Unit<W>) {
        let (locals, globals) = (shape.locals(unit.number), shape.globals(unit.number));
        let mut wanted = unit.needed_any;
        for lane in each(&unit.needed_any) {
            let pawns = shape.pawn_sets[usize::from(globals[lane])];
            for direction in 0..4 {
                let mut part = pawns;
                while part != 0 {
                    let after = pawns & !part | shape.shifted(part, direction);
                    if after.count_ones() == pawns.count_ones() {
                        let after = locals[shape.sets.rank(after) as usize];
                        if after != NONE {
                            wanted[usize::from(after) / 64] |= 1 << (after % 64);
                        }
                    }
                    part = (part - 1) & pawns;
                }
            }
        }
        self.wanted.clear();
        self.record_row.fill(NONE);
        for lane in each(&wanted) {
            self.record_row[lane] = self.wanted.len() as u16;
            self.wanted.push(lane as u16);
        }
    }

    /// Puts what the pushes of a cell gave into its rows of the blocks. A block is cleared when it gets its first row.
    #[inline(always)]
    fn store(&mut self, shape: &Shape, unit: &Unit<W>, lanes: &[u64; W]) {
        let rows = shape.rows.len();
        for word in 0..W {
            self.touched[word] &= lanes[word];
        }
        for lane in each(&self.touched) {
            let row = self.cursor[lane] as usize;
            for (anchor, needed) in unit.needed.iter().enumerate() {
                let own = std::mem::replace(&mut self.by_anchor[anchor][lane], [0; W]);
                if needed[lane / 64] >> (lane % 64) & 1 == 1 {
                    let common = &self.common[lane];
                    let mut both = [0; W];
                    for word in 0..W {
                        both[word] = own[word] | common[word];
                    }
                    if some(&both) {
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
        for lane in each(lanes) {
            self.cursor[lane] += 1;
        }
    }

    /// A branch that is allowed whatever else stands where. (Of the mover's pawns some may stand on the opponent's.)
    #[inline(always)]
    fn allow(&mut self, unit: &Unit<W>, beside: &[u64; W], line: &Line<W>) {
        let bits = std::array::from_fn(|word| line.before[word] & beside[word]);
        for word in 0..W {
            self.touched[word] |= line.cases[word];
        }
        for lane in each(&line.cases) {
            add(&mut self.common, &mut self.by_anchor, unit, line.other_pushers, lane, &bits);
        }
    }

    /// A branch that leads where a plane has something.
    ///
    /// # Safety
    /// The processor has what `B` uses.
    #[inline(always)]
    unsafe fn read<B: Bits>(
        &mut self,
        shape: &Shape,
        unit: &Unit<W>,
        plane: &[Cells<W>],
        push: Push,
        line: &Line<W>,
    ) {
        let direction = push.direction;
        let after =
            push.pushers & !(1 << push.from | line.own_pushers) | 1 << push.to | line.own_pushers_after;
        let pawns_after = line.own_pawns_after;
        if line.other_pushers == 0 {
            let at = (after & ((1 << push.to) - 1)).count_ones() as usize;
            let slot = self.slots[shape.cell(unit.pushers, after) * shape.pushers + at];
            if slot == EMPTY {
                return;
            }
            let mut cases = line.cases;
            if line.other_pawns == 0 {
                let nonempty = &self.nonempty[slot as usize];
                for word in 0..W {
                    cases[word] &= nonempty[word];
                }
            }
            if !some(&cases) {
                return;
            }
            let records = &self.records[slot as usize * self.wanted.len()..][..self.wanted.len()];
            let nonempty = &self.nonempty[slot as usize];
            for word in 0..W {
                self.touched[word] |= cases[word];
            }
            let relabel = Relabel::new(&line.after, &line.before);
            let globals = shape.globals(unit.number);
            let locals = shape.locals(unit.number);
            for lane in each(&cases) {
                let read = match line.other_pawns {
                    0 => lane,
                    pawns => {
                        let global = displaced(shape, usize::from(globals[lane]), pawns, direction);
                        let read = usize::from(locals[global]);
                        if nonempty[read / 64] >> (read % 64) & 1 == 0 {
                            continue;
                        }
                        read
                    }
                };
                let record = &records[usize::from(self.record_row[read])];
                let common = &mut self.common[lane];
                if line.own_pawns == 0 {
                    for word in 0..W {
                        common[word] |= record[word] & line.before[word];
                    }
                } else {
                    // SAFETY: the caller's promise.
                    unsafe { relabel.add::<B>(record, common) };
                }
            }
            return;
        }
        let mover = shape.pushers(unit.pushers & !line.other_pushers | line.other_pushers_after);
        let locals = shape.locals(unit.number);
        let opposite = (direction + 2) % 4;
        // The mover's pawns after the push are wanted by what they were before it.
        let column = |global: usize| {
            let pawns = shape.pawn_sets[global];
            if pawns & line.squares != pawns_after {
                return NONE;
            }
            match line.own_pawns {
                0 => locals[global],
                _ => locals[displaced(shape, global, pawns_after, opposite)],
            }
        };
        let Some(place) = Place::new(shape, shape.pushers(after), push.to, mover) else { return };
        let Some(fetched) = select(shape, plane, &place, &mut self.buffer, column) else { return };
        transpose(&mut self.buffer, &fetched);
        for word in 0..W {
            self.touched[word] |= line.cases[word];
        }
        let globals = shape.globals(unit.number);
        let (images, rows) = (shape.lane_images(place.symmetry()), shape.locals(place.image()));
        for lane in each(&line.cases) {
            let global = displaced(shape, usize::from(globals[lane]), line.other_pawns, direction);
            let row = rows[usize::from(images[global])];
            if row != NONE {
                let bits = &self.buffer.after[usize::from(row)];
                add(&mut self.common, &mut self.by_anchor, unit, line.other_pushers, lane, bits);
            }
        }
    }
}

/// Adds to what pushes of a cell give, for the anchors that are not displaced.
#[inline(always)]
fn add<const W: usize>(
    common: &mut [[u64; W]],
    by_anchor: &mut [Vec<[u64; W]>],
    unit: &Unit<W>,
    displaced: u64,
    lane: usize,
    bits: &[u64; W],
) {
    if displaced == 0 {
        for word in 0..W {
            common[lane][word] |= bits[word];
        }
        return;
    }
    for (by_anchor, &(anchor, _)) in by_anchor.iter_mut().zip(&unit.anchors) {
        if displaced >> anchor & 1 == 0 {
            for word in 0..W {
                by_anchor[lane][word] |= bits[word];
            }
        }
    }
}

/// The global lane with some pawns, all in one line, moved one step along it.
#[inline(always)]
pub(crate) fn displaced(shape: &Shape, mut global: usize, pawns: u64, direction: usize) -> usize {
    // The one ahead goes first: a pawn whose next square has none of them.
    let mut left = pawns;
    while left != 0 {
        for square in squares(left) {
            let ahead = shape.next[square & 63][direction].map_or(0, |next| 1_u64 << next);
            if left & ahead == 0 {
                global = shape.shifted_lane(direction, square & 63, global);
                left &= !(1 << square);
                break;
            }
        }
    }
    global
}

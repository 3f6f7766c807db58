//! One phase after the other, over all superblocks.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use retrograde_solve::{Progress, SolveError};

use crate::bits::{Bits, Portable};
use crate::cells::{Cells, Row};
use crate::few::{Block, Few};
use crate::floods::{Ground, Room, spread_at};
use crate::gather::{Gathered, Goal, Unit, each};
use crate::parts::Part;
use crate::shape::{Scope, Shape, some, squares};
use crate::ways::Ways;

/// A plane: the cells of every superblock.
pub(crate) type Plane<const W: usize> = Vec<Cells<W>>;

/// What a phase is about.
#[derive(Clone, Copy)]
pub(crate) enum Phase<'a, const W: usize> {
    /// What is there at all, and not won in one turn by ejecting a piece.
    Begin,
    /// What of it has no turn at all.
    Stuck,
    /// What is undecided, and has no way to what is in a plane: that of the undecided ones.
    /// With the newest wins, only what has a way to them can be new. (A way to a position that was found lost has made
    /// a position a win since.)
    Losses(&'a [Cells<W>], Newest<'a, W>),
    /// What is undecided, and has a way to what is in a plane: that of the newest losses.
    Wins(&'a [Cells<W>]),
}

/// What a phase is called.
pub(crate) fn phase_name(turns: u16) -> String {
    let how = if turns.is_multiple_of(2) { "lost" } else { "won" };
    format!("{how} in {turns} turns")
}

/// The newest wins, which are what has changed for [`Phase::Losses`].
#[derive(Clone, Copy)]
pub(crate) enum Newest<'a, const W: usize> {
    /// So many that nothing can be left out, or not known.
    Most,
    /// Blocks are left out that have no push into them.
    Many(&'a [Cells<W>]),
    /// Blocks are looked at position by position; see [`crate::few`].
    Few(&'a [Cells<W>]),
}

/// What a phase found in a superblock.
pub(crate) struct Found<const W: usize> {
    pub cells: Cells<W>,
    /// Positions in it.
    pub count: u64,
    /// In [`Phase::Begin`]: the others, which are won.
    pub won: u64,
}

/// Which instructions are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Level {
    Portable,
    /// x86-64 with AVX2 and BMI2.
    #[cfg(target_arch = "x86_64")]
    V3,
    /// Also with AVX-512.
    #[cfg(target_arch = "x86_64")]
    V4,
}

impl Level {
    pub(crate) fn best() -> Level {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
        {
            let v4 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq");
            return if v4 { Level::V4 } else { Level::V3 };
        }
        Level::Portable
    }
}

/// Short rows gain nothing by longer vectors, and very long ones little; every version takes its time to compile.
#[cfg(target_arch = "x86_64")]
pub(crate) const fn long_vectors(words: usize) -> bool {
    words == 4 || words == 8
}

/// The board, what is undecided, and what the last phase found.
pub(crate) struct Engine<const W: usize> {
    pub shape: Shape,
    pub left: Plane<W>,
    /// If given, only the part's own superblocks are worked on.
    pub part: Option<Arc<Part>>,
    /// If given, only these positions are asked for.
    pub only: Option<Plane<W>>,
    /// If given, pushes into the undecided are kept there from one loss phase to the next.
    pub ways: Option<Ways<W>>,
    /// For every superblock and local lane of opposing pawns how many positions are undecided.
    open: Vec<Vec<u32>>,
    level: Level,
    threads: usize,
}

/// Undecided blocks for each new win above which positions are looked at one by one: a position that has few turns to
/// undecided ones is looked at for long.
const FEW: u64 = 64;
/// New wins for each undecided block above which nearly every block reads some.
const MANY: u64 = 1000;
/// New wins for each undecided block below which pushes are kept.
const KEEP: u64 = 150;
/// Pushes into new wins in each block above which finding all pushes anew is quicker than looking at each.
const PUSHES: u64 = 500;
/// Positions of a block that have a push into the newest losses, or none left into the undecided, above which it is flooded.
const NEAR: usize = 8;

/// Room of a thread.
struct Scratch<const W: usize> {
    gathered: Gathered<W>,
    room: Room<W>,
    few: Few,
    /// What a block is about.
    asked: Vec<[u64; W]>,
    /// Own pieces of positions near which something changes, and rows and lanes of those that are decided.
    near: Vec<(u64, u64)>,
    found: Vec<(usize, usize)>,
    list: Vec<Row<W>>,
}

impl<const W: usize> Engine<W> {
    pub(crate) fn new(shape: Shape, level: Level, threads: usize) -> Engine<W> {
        let left = shape.supers.iter().map(|_| Cells::empty()).collect();
        let open = shape.supers.iter().map(|_| Vec::new()).collect();
        Engine { shape, left, part: None, only: None, ways: None, open, level, threads: threads.max(1) }
    }

    /// Bytes that the undecided positions take.
    pub(crate) fn bytes(&self) -> usize {
        self.left.iter().map(Cells::bytes).sum()
    }

    /// Blocks in which something is undecided, of those that are worked on.
    pub(crate) fn blocks(&self) -> usize {
        let own = |superblock| self.part.as_ref().is_none_or(|part| part.owns(&self.shape, superblock));
        let open = self.open.iter().enumerate().filter(|(superblock, _)| own(*superblock));
        open.flat_map(|(_, open)| open).filter(|open| **open > 0).count()
    }

    /// Does a phase, and hands over what it finds superblock by superblock, in any order. Those that are `done` are
    /// left out (the list may be shorter), and those without an undecided position.
    pub(crate) fn phase(
        &self,
        name: &str,
        phase: Phase<'_, W>,
        done: &[bool],
        progress: &dyn Progress,
        found: impl Fn(usize, Found<W>) + Sync,
    ) -> Result<(), SolveError> {
        let units: Vec<usize> = (0..self.shape.pusher_sets.len())
            .filter(|&number| self.part.as_ref().is_none_or(|part| part.owns_set(number)))
            .filter(|&number| {
                squares(self.shape.pusher_sets[number] | 1 << self.shape.squares)
                    .any(|anchor| self.shape.super_of(number, anchor).is_some())
            })
            .collect();
        progress.stage(name, units.len() as u64);
        let next = AtomicUsize::new(0);
        let stopped = AtomicBool::new(false);
        let work = || {
            let mut room = Scratch {
                gathered: Gathered::new(&self.shape),
                room: Room::new(&self.shape),
                few: Few::new(&self.shape),
                asked: vec![[0; W]; self.shape.rows.len()],
                near: Vec::new(),
                found: Vec::new(),
                list: Vec::new(),
            };
            while let Some(&number) = units.get(next.fetch_add(1, Ordering::Relaxed)) {
                if stopped.load(Ordering::Relaxed) || progress.stopped() {
                    stopped.store(true, Ordering::Relaxed);
                    return;
                }
                let unit = Unit::new(&self.shape, number, |superblock| match phase {
                    _ if done.get(superblock) == Some(&true) => [0; W],
                    Phase::Begin if let Some(only) = &self.only => {
                        let (there, _) = only[superblock].parts();
                        there.iter().fold([0; W], |any, row| std::array::from_fn(|at| any[at] | row[at]))
                    }
                    Phase::Begin => {
                        std::array::from_fn(|word| match self.shape.lanes.saturating_sub(64 * word) {
                            0 => 0,
                            left @ 1..64 => (1 << left) - 1,
                            _ => u64::MAX,
                        })
                    }
                    _ => {
                        let mut lanes = [0; W];
                        for (lane, _) in
                            self.open[superblock].iter().enumerate().filter(|(_, open)| **open > 0)
                        {
                            lanes[lane / 64] |= 1 << (lane % 64);
                        }
                        lanes
                    }
                });
                if !unit.idle() {
                    self.run(&unit, phase, &mut room, &found);
                }
                progress.advance(1);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(work);
            }
            work();
        });
        if stopped.load(Ordering::Relaxed) { Err(SolveError::Stopped) } else { Ok(()) }
    }

    /// What hears of results is no type parameter: all this would be compiled anew for each caller.
    fn run(
        &self,
        unit: &Unit<W>,
        phase: Phase<'_, W>,
        room: &mut Scratch<W>,
        found: &(dyn Fn(usize, Found<W>) + Sync),
    ) {
        // SAFETY: the level has been seen to be there.
        unsafe {
            match self.level {
                Level::Portable => run::<W, Portable>(self, unit, phase, room, found),
                #[cfg(target_arch = "x86_64")]
                Level::V3 => run_v3(self, unit, phase, room, found),
                #[cfg(target_arch = "x86_64")]
                Level::V4 => {
                    if long_vectors(W) {
                        run_v4(self, unit, phase, room, found);
                    } else {
                        run_v3(self, unit, phase, room, found);
                    }
                }
            }
        }
    }

    /// What finds the positions that end in so many turns; `newest` is what was found last, none if that is not known.
    pub(crate) fn phase_of<'a>(&'a self, turns: u16, newest: &'a [Cells<W>]) -> Phase<'a, W> {
        match turns {
            0 => Phase::Stuck,
            // What is won in one turn is not kept.
            2 => Phase::Losses(&self.left, Newest::Most),
            _ if turns.is_multiple_of(2) => Phase::Losses(&self.left, self.newest(newest)),
            _ => Phase::Wins(newest),
        }
    }

    /// How to look at newest wins: the ways cost about the same where they meet.
    pub(crate) fn newest<'a>(&self, wins: &'a [Cells<W>]) -> Newest<'a, W> {
        if wins.is_empty() {
            return Newest::Most;
        }
        let (count, blocks) = (wins.iter().map(Cells::count).sum::<u64>(), self.blocks() as u64);
        match count {
            count if count < blocks / FEW && self.ways.is_none() => Newest::Few(wins),
            count if count < blocks * MANY => Newest::Many(wins),
            _ => Newest::Most,
        }
    }

    /// To be called before a loss phase: keeps pushes from now on if there are few enough new wins and there is room for
    /// them in so much memory.
    pub(crate) fn keep_ways(&mut self, turns: u16, newest: &[Cells<W>], memory: u64) {
        if self.ways.is_none() && turns > 2 {
            let (count, blocks) = (newest.iter().map(Cells::count).sum::<u64>(), self.blocks());
            // Beside what is undecided there is what is new, and what threads work with.
            let need = Ways::<W>::most(&self.shape, blocks) + self.bytes() as u64 * 3 / 2;
            if count < blocks as u64 * KEEP && need <= memory {
                self.ways = Some(Ways::new(&self.shape));
            }
        }
        if let Some(ways) = &mut self.ways {
            ways.begin(turns);
        }
    }

    /// Takes decided positions away from the undecided ones, among which they are.
    pub(crate) fn apply(&mut self, decided: &[Cells<W>]) {
        let items = self.left.iter_mut().zip(&mut self.open).zip(decided);
        shared(self.threads, items.collect(), |((left, open), decided)| {
            left.subtract(decided, |lane, count| open[lane] -= count);
        });
    }

    /// Sets what is undecided.
    pub(crate) fn set(&mut self, left: Plane<W>) {
        self.open = left
            .iter()
            .map(|cells| {
                let mut open = vec![0; self.shape.lanes];
                cells
                    .each(|_, lane, row| open[lane] += row.iter().map(|word| word.count_ones()).sum::<u32>());
                open
            })
            .collect();
        self.left = left;
    }
}

/// Takes positions away from a plane that has them.
pub(crate) fn subtract<const W: usize>(plane: &mut [Cells<W>], those: &[Cells<W>], threads: usize) {
    shared(threads, plane.iter_mut().zip(those).collect(), |(cells, those)| cells.subtract(those, |_, _| ()));
}

/// Does something with each item, on several threads.
fn shared<T: Send>(threads: usize, items: Vec<T>, act: impl Fn(T) + Sync) {
    let items = Mutex::new(items.into_iter());
    let next = || items.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
    let work = || {
        while let Some(item) = next() {
            act(item);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_v3<const W: usize>(
    engine: &Engine<W>,
    unit: &Unit<W>,
    phase: Phase<'_, W>,
    room: &mut Scratch<W>,
    found: &(dyn Fn(usize, Found<W>) + Sync),
) {
    // SAFETY: the features are those of this function.
    unsafe { run::<W, crate::bits::Bmi2>(engine, unit, phase, room, found) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_v4<const W: usize>(
    engine: &Engine<W>,
    unit: &Unit<W>,
    phase: Phase<'_, W>,
    room: &mut Scratch<W>,
    found: &(dyn Fn(usize, Found<W>) + Sync),
) {
    // SAFETY: the features are those of this function.
    unsafe { run::<W, crate::bits::Bmi2>(engine, unit, phase, room, found) }
}

/// # Safety
/// The processor has what `B` uses.
#[inline(always)]
unsafe fn run<const W: usize, B: Bits>(
    engine: &Engine<W>,
    unit: &Unit<W>,
    phase: Phase<'_, W>,
    room: &mut Scratch<W>,
    found: &(dyn Fn(usize, Found<W>) + Sync),
) {
    let shape = &engine.shape;
    let goal = match phase {
        Phase::Begin => Goal::Eject,
        Phase::Stuck => Goal::Any,
        Phase::Losses(_, Newest::Few(wins)) => Goal::Into(wins),
        Phase::Losses(plane, _) | Phase::Wins(plane) => Goal::Into(plane),
    };
    let mut changed = None;
    let ways = engine.ways.as_ref().filter(|_| matches!(phase, Phase::Losses(..)));
    let known = |ways: &Ways<W>| {
        let mut needed = unit.anchors.iter().zip(&unit.needed).filter(|(_, needed)| some(needed));
        needed.all(|((_, superblock), _)| ways.are_known(*superblock))
    };
    // Whether pushes are taken from where they are kept.
    let mut kept = false;
    if let Phase::Losses(_, Newest::Many(wins)) = phase
        && ways.is_none_or(known)
    {
        // SAFETY: the caller's promise.
        unsafe { room.gathered.gather::<B>(shape, unit, Goal::Into(wins)) };
        let filled: Vec<(usize, [u64; W])> = (unit.anchors.iter().zip(&unit.needed).enumerate())
            .map(|(anchor, (&(_, superblock), needed))| (superblock, room.gathered.filled(anchor, needed)))
            .collect();
        if ways.is_some() {
            let (blocks, pushes) = (filled.iter().enumerate())
                .flat_map(|(anchor, (_, lanes))| each(lanes).map(move |lane| (anchor, lane)))
                .fold((0, 0), |(blocks, pushes), (anchor, lane)| {
                    let block = room.gathered.block(shape, anchor, lane).map_or(0, |block| count_bits(block));
                    (blocks + 1, pushes + block)
                });
            kept = pushes <= blocks * PUSHES;
        }
        if !kept {
            let needed =
                |number| filled.iter().find(|filled| filled.0 == number).map_or([0; W], |filled| filled.1);
            changed = Some(Unit::new(shape, unit.number, needed));
        }
    }
    let (whole, unit) = (unit, changed.as_ref().unwrap_or(unit));
    if !kept {
        // SAFETY: the caller's promise.
        unsafe { room.gathered.gather::<B>(shape, unit, goal) };
    }
    let beside: Vec<(u64, [u64; W])> = shape
        .cells
        .iter()
        .map(|&packed| {
            let pushers = crate::shape::expand(packed, shape.all & !unit.pushers);
            (pushers, unit.lanes(0, pushers))
        })
        .collect();
    for (number, &(anchor, superblock)) in unit.anchors.iter().enumerate() {
        if !some(&whole.needed[number]) {
            continue;
        }
        room.list.clear();
        let mut ways = ways.map(|ways| ways.of(shape, superblock));
        if let Some(ways) = &mut ways {
            ways.only(&whole.needed[number]);
        }
        let (mut count, mut won) = (0, 0);
        for lane in each(&unit.needed[number]) {
            let mut block = room.gathered.block(shape, number, lane);
            if block.is_none() && (kept || matches!(phase, Phase::Wins(_) | Phase::Losses(_, Newest::Few(_))))
            {
                continue;
            }
            let pawns = shape.pawn_sets[shape.global(unit.number, lane)];
            let base = unit.lanes(0, pawns);
            let cells = &shape.cells_beside[lane];
            let few = match phase {
                Phase::Losses(plane, Newest::Few(_)) => {
                    room.few.clear();
                    Some(Block::new(shape, plane, unit, anchor, pawns))
                }
                _ => None,
            };
            // Whether what is left of the block are those that are looked for, and not the others.
            let mut those = matches!(phase, Phase::Wins(_)) || few.is_some();
            // Positions near which something changes, if these are few.
            let mut near = None;
            room.near.clear();
            if let (Some(ways), false) = (&mut ways, kept) {
                ways.set(lane, block.as_deref());
            } else if let (Some(ways), Some(block), Phase::Losses(plane, _)) = (&mut ways, &mut block, phase)
            {
                let view = Block::new(shape, plane, unit, anchor, pawns);
                let ways = ways.block(lane);
                for (row, (new, &cell)) in block.iter().zip(cells).enumerate() {
                    if !some(new) {
                        continue;
                    }
                    let Some(kept) = ways.row(row) else { continue };
                    let pushers = beside[usize::from(cell)].0;
                    for lane in each(&std::array::from_fn::<_, W, _>(|word| new[word] & kept[word])) {
                        let own = (pushers, shape.pawn_sets[shape.global(unit.number, lane)]);
                        if !view.has_push(own.0, own.1) {
                            kept[lane / 64] &= !(1 << (lane % 64));
                            room.near.push(own);
                        }
                    }
                }
                if room.near.is_empty() {
                    continue;
                }
                ways.load(block);
                near = (room.near.len() <= NEAR).then_some(view);
            } else if let (Phase::Wins(plane), Some(block)) = (phase, &block)
                && shape.moves.is_some_and(|moves| moves <= 2)
                && count_bits(block) <= NEAR as u64
            {
                for (row, &cell) in block.iter().zip(cells) {
                    let pushers = beside[usize::from(cell)].0;
                    for lane in each(row) {
                        room.near.push((pushers, shape.pawn_sets[shape.global(unit.number, lane)]));
                    }
                }
                near = Some(Block::new(shape, plane, unit, anchor, pawns));
            }
            // What the block is about.
            let asked = &mut room.asked;
            for (asked, &cell) in asked.iter_mut().zip(cells) {
                let cell = usize::from(cell);
                *asked = match phase {
                    Phase::Begin => {
                        let mut bits = there(shape, unit, anchor, pawns, beside[cell], &base);
                        if let Some(only) = &engine.only {
                            let only = only[superblock].row(cell, lane).copied().unwrap_or([0; W]);
                            and(&mut bits, &only);
                        }
                        bits
                    }
                    _ => engine.left[superblock].row(cell, lane).copied().unwrap_or([0; W]),
                };
            }
            // No closures here: they would be compiled without the instructions of this function.
            let reached: &[[u64; W]] = match block {
                Some(block) if let Some(near) = near => {
                    let lanes: Vec<u16> = each(&base).map(|lane| lane as u16).collect();
                    let ways = kept.then_some(&*block);
                    room.found.clear();
                    room.few.near(&near, &room.near, asked, ways, &lanes, &mut room.found);
                    if room.found.is_empty() {
                        continue;
                    }
                    block.fill([0; W]);
                    for &(row, lane) in &room.found {
                        block[row][lane / 64] |= 1 << (lane % 64);
                    }
                    those = true;
                    block
                }
                Some(block) => {
                    if matches!(goal, Goal::Eject | Goal::Any) {
                        for row in &mut *block {
                            and(row, &base);
                        }
                    }
                    if let Some(few) = &few {
                        // Those that have another push stay as they are.
                        let mut left = [0; W];
                        for (row, &cell) in block.iter_mut().zip(cells) {
                            let pushers = beside[usize::from(cell)].0;
                            for lane in each(&row.clone()) {
                                let pawns = shape.pawn_sets[shape.global(unit.number, lane)];
                                if room.few.pushes(few, pushers, pawns) {
                                    row[lane / 64] &= !(1 << (lane % 64));
                                }
                            }
                            for word in 0..W {
                                left[word] |= row[word];
                            }
                        }
                        if !some(&left) {
                            continue;
                        }
                    }
                    let ground = Ground::new(shape, unit.pushers, pawns, &base);
                    spread_at(engine.level, shape, &ground, block, asked, &mut room.room);
                    block
                }
                None => &[],
            };
            for (row, (&cell, asked)) in cells.iter().zip(&*asked).enumerate() {
                let reached = match reached.get(row) {
                    Some(reached) => reached,
                    None => &[0; W],
                };
                let mut bits = [0; W];
                for word in 0..W {
                    won += u64::from((asked[word] & reached[word]).count_ones());
                    bits[word] = asked[word] & if those { reached[word] } else { !reached[word] };
                }
                if let Some(few) = &few {
                    let pushers = beside[usize::from(cell)].0;
                    for lane in each(&bits.clone()) {
                        let pawns = shape.pawn_sets[shape.global(unit.number, lane)];
                        if room.few.turns(few, pushers, pawns) {
                            bits[lane / 64] &= !(1 << (lane % 64));
                        }
                    }
                }
                if some(&bits) {
                    for word in 0..W {
                        count += u64::from(bits[word].count_ones());
                    }
                    room.list.push((cell.into(), lane as u16, bits));
                }
            }
        }
        let cells = Cells::new(shape.cells.len(), &room.list);
        found(superblock, Found { cells, count, won });
    }
}

#[inline(always)]
fn count_bits<const W: usize>(rows: &[[u64; W]]) -> u64 {
    rows.iter().flatten().map(|word| u64::from(word.count_ones())).sum()
}

#[inline(always)]
fn and<const W: usize>(row: &mut [u64; W], mask: &[u64; W]) {
    row.iter_mut().zip(mask).for_each(|(row, mask)| *row &= mask);
}

/// The positions that there are in a row: pawns stand clear of other pieces, and the anchor can have pushed or, if the
/// scope says so, cannot.
#[inline(always)]
pub(crate) fn there<const W: usize>(
    shape: &Shape,
    unit: &Unit<W>,
    anchor: usize,
    pawns: u64,
    (pushers, own): (u64, [u64; W]),
    base: &[u64; W],
) -> [u64; W] {
    let mut bits: [u64; W] = std::array::from_fn(|word| base[word] & own[word]);
    if anchor == shape.squares {
        let [first, second] = shape.halves;
        if pushers & !first != 0 || pawns & !second != 0 {
            return [0; W];
        }
        let placed = unit.lanes(0, shape.all & !first);
        for word in 0..W {
            bits[word] &= placed[word];
        }
    } else if shape.scope != Scope::All {
        let pieces = unit.pushers | pawns | pushers;
        // All ones where a square is occupied.
        let occupied = |square: usize| -> [u64; W] {
            match pieces >> square & 1 {
                1 => [u64::MAX; W],
                _ => std::array::from_fn(|word| !unit.clear[square & 63][word]),
            }
        };
        let mut one = [0; W];
        for &[first, second] in &shape.pairs[anchor] {
            let (first, second) = (occupied(first), occupied(second));
            for word in 0..W {
                one[word] |= first[word] ^ second[word];
            }
        }
        let others = if shape.scope == Scope::Others { u64::MAX } else { 0 };
        for word in 0..W {
            bits[word] &= one[word] ^ others;
        }
    }
    bits
}

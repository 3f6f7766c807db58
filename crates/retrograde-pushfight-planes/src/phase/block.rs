//! What a phase does with all blocks of one set of opposing pushers: pushes are gathered, and each block is flooded
//! by moves.

use crate::kernel::flood::{Ground, Room, spread_at};
use crate::kernel::pext::Bits;
use crate::kernel::push::{Gathered, Goal};
use crate::kernel::simd::Level;
use crate::layout::legal_rows::there;
use crate::layout::numbering::Shape;
use crate::layout::pusher_set_job::Unit;
use crate::layout::sets::each;
use crate::layout::sets::{expand, some};
use crate::layout::sparse::{Cells, Row, count_bits};
use crate::phase::kinds::{Found, Newest, Phase};
use crate::phase::push_cache::{Kept, Ways};
use crate::phase::sparse_losses::{Few, View};

/// Pushes into new wins in each block above which finding all pushes anew is quicker than looking at each.
const PUSHES: u64 = 500;

/// Room of a thread.
pub(crate) struct Scratch<const W: usize> {
    gathered: Gathered<W>,
    room: Room<W>,
    few: Few,
    /// What a block is about.
    asked: Vec<[u64; W]>,
    list: Vec<Row<W>>,
}

impl<const W: usize> Scratch<W> {
    pub(crate) fn new(shape: &Shape, level: Level) -> Scratch<W> {
        Scratch {
            gathered: Gathered::new(shape, level),
            room: Room::new(shape),
            few: Few::new(shape),
            asked: vec![[0; W]; shape.rows.len()],
            list: Vec::new(),
        }
    }
}

/// The board, and what is undecided on it, as a phase needs it.
#[derive(Clone, Copy)]
pub(crate) struct BoardState<'a, const W: usize> {
    pub shape: &'a Shape,
    pub level: Level,
    pub left: &'a [Cells<W>],
    pub only: Option<&'a [Cells<W>]>,
    pub ways: Option<&'a Ways<W>>,
}

/// Which blocks are looked at.
enum Asked<const W: usize> {
    /// All.
    All,
    /// These, as the others read nothing new.
    Changed(Unit<W>),
    /// Those that have a push into a new win; all other pushes are kept, see [`Ways`].
    Kept,
}

/// The superblocks of a unit in which something is asked for.
fn asked_for<const W: usize>(unit: &Unit<W>) -> impl Iterator<Item = usize> + Clone {
    let needed = unit.anchors.iter().zip(&unit.needed).filter(|(_, needed)| some(needed));
    needed.map(|((_, superblock), _)| *superblock)
}

/// Gathers the pushes of a phase.
///
/// # Safety
/// The processor has what `B` uses.
#[inline(always)]
unsafe fn gather<const W: usize, B: Bits>(
    board: BoardState<'_, W>,
    unit: &Unit<W>,
    phase: Phase<'_, W>,
    ways: Option<&Ways<W>>,
    gathered: &mut Gathered<W>,
) -> Asked<W> {
    let shape = board.shape;
    let goal = match phase {
        Phase::Begin => Goal::Eject,
        Phase::Stuck => Goal::Any,
        Phase::Losses(_, Newest::Few(wins)) => Goal::Into(wins),
        Phase::Losses(plane, _) | Phase::Wins(plane) => Goal::Into(plane),
    };
    let known = |ways: &Ways<W>| asked_for(unit).all(|superblock| ways.are_known(superblock));
    let mut asked = Asked::All;
    if let Phase::Losses(_, Newest::Many(wins)) = phase
        && ways.is_none_or(known)
    {
        // SAFETY: the caller's promise.
        unsafe { gathered.gather::<B>(shape, unit, Goal::Into(wins)) };
        let filled: Vec<[u64; W]> = (unit.needed.iter().enumerate())
            .map(|(anchor, needed)| gathered.filled(anchor, needed))
            .collect();
        if ways.is_some() {
            let (mut blocks, mut pushes) = (0, 0);
            for (anchor, lanes) in filled.iter().enumerate() {
                for lane in each(lanes) {
                    blocks += 1;
                    pushes += gathered.block(shape, anchor, lane).map_or(0, |block| count_bits(block));
                }
            }
            if pushes <= blocks * PUSHES {
                return Asked::Kept;
            }
        }
        let number = |superblock| unit.anchors.iter().position(|anchor| anchor.1 == superblock);
        let needed = |superblock| number(superblock).map_or([0; W], |number| filled[number]);
        asked = Asked::Changed(Unit::new(shape, unit.number, needed));
    }
    let unit = if let Asked::Changed(unit) = &asked { unit } else { unit };
    // SAFETY: the caller's promise.
    unsafe { gathered.gather::<B>(shape, unit, goal) };
    asked
}

/// A block that is looked at.
struct Place<'a, const W: usize> {
    shape: &'a Shape,
    unit: &'a Unit<W>,
    anchor: usize,
    superblock: usize,
    lane: usize,
    /// The opposing pawns, and the lanes that stand clear of them.
    pawns: u64,
    base: [u64; W],
    /// The mover's pushers for each cell, and the lanes that stand clear of them.
    beside: &'a [(u64, [u64; W])],
    /// The cells of its rows.
    cells: &'a [u16],
}

impl<'a, const W: usize> Place<'a, W> {
    /// The mover's pushers in a row.
    #[inline(always)]
    fn pushers(&self, row: usize) -> u64 {
        self.beside[usize::from(self.cells[row])].0
    }

    /// The mover's pawns in a lane.
    #[inline(always)]
    fn pawns_of(&self, lane: usize) -> u64 {
        self.shape.pawn_sets[self.shape.global(self.unit.number, lane)]
    }

    fn view(&self, plane: &'a [Cells<W>]) -> View<'a, W> {
        View::new(self.shape, plane, self.unit, self.anchor, self.pawns)
    }

    /// The positions that a phase is about.
    #[inline(always)]
    fn ask(&self, board: BoardState<'_, W>, phase: Phase<'_, W>, asked: &mut [[u64; W]]) {
        for (asked, &cell) in asked.iter_mut().zip(self.cells) {
            let cell = usize::from(cell);
            let kept =
                |plane: &[Cells<W>]| plane[self.superblock].row(cell, self.lane).copied().unwrap_or([0; W]);
            *asked = match phase {
                Phase::Begin => {
                    let own = self.beside[cell];
                    let mut bits = there(self.shape, self.unit, self.anchor, self.pawns, own, &self.base);
                    if let Some(only) = board.only {
                        and(&mut bits, &kept(only));
                    }
                    bits
                }
                _ => kept(board.left),
            };
        }
    }

    /// Looks at pushes that are kept, of which some lead into new wins; whether positions have none left now.
    fn look_again(&self, plane: &'a [Cells<W>], new: &[[u64; W]], kept: &mut Kept<W>) -> bool {
        let view = self.view(plane);
        let mut gone = false;
        for (row, new) in new.iter().enumerate().filter(|(_, new)| some(new)) {
            let Some(kept) = kept.row(row) else { continue };
            for lane in each(&std::array::from_fn::<_, W, _>(|word| new[word] & kept[word])) {
                if !view.has_push(self.pushers(row), self.pawns_of(lane)) {
                    kept[lane / 64] &= !(1 << (lane % 64));
                    gone = true;
                }
            }
        }
        gone
    }

    /// Leaves those positions of a block that have no push into the plane; whether there are any.
    fn leave_without_push(&self, view: &View<'_, W>, few: &mut Few, block: &mut [[u64; W]]) -> bool {
        few.clear();
        let mut any = false;
        for (row, bits) in block.iter_mut().enumerate() {
            for lane in each(&bits.clone()) {
                if few.pushes(view, self.pushers(row), self.pawns_of(lane)) {
                    bits[lane / 64] &= !(1 << (lane % 64));
                }
            }
            any |= some(bits);
        }
        any
    }
}

/// What a phase finds with one set of opposing pushers.
///
/// # Safety
/// The processor has what `B` uses.
#[inline(always)]
pub(crate) unsafe fn run<const W: usize, B: Bits>(
    board: BoardState<'_, W>,
    whole: &Unit<W>,
    phase: Phase<'_, W>,
    room: &mut Scratch<W>,
    found: &(dyn Fn(usize, Found<W>) + Sync),
) {
    let shape = board.shape;
    let ways = match phase {
        Phase::Losses(..) => board.ways.filter(|ways| ways.keeps(asked_for(whole))),
        _ => None,
    };
    // SAFETY: the caller's promise.
    let asked = unsafe { gather::<W, B>(board, whole, phase, ways, &mut room.gathered) };
    let unit = if let Asked::Changed(unit) = &asked { unit } else { whole };
    let kept = matches!(asked, Asked::Kept);
    let beside: Vec<(u64, [u64; W])> = shape
        .cells
        .iter()
        .map(|&packed| {
            let pushers = expand(packed, shape.all & !unit.pushers);
            (pushers, unit.lanes(0, pushers))
        })
        .collect();
    for (number, &(anchor, superblock)) in unit.anchors.iter().enumerate() {
        if !some(&whole.needed[number]) {
            continue;
        }
        room.list.clear();
        let mut ways = ways.map(|ways| ways.of(shape, superblock, &whole.needed[number]));
        let (mut count, mut won) = (0, 0);
        for lane in each(&unit.needed[number]) {
            let mut block = room.gathered.block(shape, number, lane);
            // Whether what is reached is what is looked for, and not the rest.
            let those = matches!(phase, Phase::Wins(_) | Phase::Losses(_, Newest::Few(_)));
            if block.is_none() && (kept || those) {
                continue;
            }
            let pawns = shape.pawn_sets[shape.global(unit.number, lane)];
            let place = Place {
                shape,
                unit,
                anchor,
                superblock,
                lane,
                pawns,
                base: unit.lanes(0, pawns),
                beside: &beside,
                cells: &shape.cells_beside[lane],
            };
            match (&mut ways, &mut block, phase) {
                (Some(ways), Some(block), Phase::Losses(plane, _)) if kept => {
                    let ways = ways.block(lane);
                    if !place.look_again(plane, block, ways) {
                        continue;
                    }
                    ways.load(block);
                }
                (Some(ways), block, _) => ways.set(lane, block.as_deref()),
                _ => {}
            }
            let asked = &mut room.asked;
            place.ask(board, phase, asked);
            let few = match phase {
                Phase::Losses(plane, Newest::Few(_)) => Some(place.view(plane)),
                _ => None,
            };
            // No closures here: they would be compiled without the instructions of this function.
            let reached: &[[u64; W]] = match block {
                Some(block) => {
                    if matches!(phase, Phase::Begin | Phase::Stuck) {
                        for row in &mut *block {
                            and(row, &place.base);
                        }
                    }
                    if let Some(few) = &few
                        && !place.leave_without_push(few, &mut room.few, block)
                    {
                        continue;
                    }
                    let ground = Ground::new(shape, unit.pushers, pawns, &place.base);
                    spread_at(board.level, shape, &ground, block, asked, &mut room.room);
                    block
                }
                None => &[],
            };
            for (row, (&cell, asked)) in place.cells.iter().zip(&*asked).enumerate() {
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
                    for lane in each(&bits.clone()) {
                        if room.few.turns(few, place.pushers(row), place.pawns_of(lane)) {
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
fn and<const W: usize>(row: &mut [u64; W], mask: &[u64; W]) {
    row.iter_mut().zip(mask).for_each(|(row, mask)| *row &= mask);
}

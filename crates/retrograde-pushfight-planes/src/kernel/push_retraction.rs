//! Retracts pushes position by position, for planes with few positions.
//!
//! Finding pushes by pattern costs nearly the same however few positions the plane has, because every
//! pattern of every set of pushers is examined. From a position after a push, the pushes that can have
//! led there are found in a few steps. The anchor shows which pusher has pushed, and where it is now.
//! So in each direction, the square behind it must be empty, because it came from there; of the row of
//! pieces ahead of it, it may have displaced the first, the first two, and so on.
//!
//! The work is done for one set of opposing pushers at a time. Most pushes displace none of these,
//! and lead to cells of the same set. The others lead to sets with some pushers one step on: each
//! way to displace some of them along a line is a [`Displacement`], and of the cells of that set
//! only those are read whose anchor stands on the line.

use retrograde_game::{Square, Squares};

use crate::kernel::pext::Pext;
use crate::layout::lanes::{GlobalLane, LocalLane};
use crate::layout::location::CellLocation;
use crate::layout::numbering::Layout;
use crate::layout::pusher_set_job::PusherSetJob;
use crate::layout::sets::{expand, has_lane, insert_lane, lanes_of};
use crate::layout::sparse::SparseCells;

/// How many cells ahead rows are prefetched.
const PREFETCH_DISTANCE: usize = 6;

/// The scratch memory of a thread.
#[derive(Default)]
pub(crate) struct PushRetraction {
    displacements: Vec<Displacement>,
    sources: Vec<Source>,
    /// For the set after a displacement: the squares of anchors, and where these came from, one step behind.
    steps: Vec<(Square, Square)>,
}

/// Pushers that stand on `before` and go to `after` in a push.
#[derive(Clone, Copy)]
struct Displacement {
    before: Squares,
    after: Squares,
    /// All opposing pushers after the push.
    opponent: Squares,
    /// The direction of the push; `None` for any direction, if no opposing pusher is displaced.
    direction: Option<usize>,
}

/// A cell to read: of all positions in it the side with these pushers has just pushed.
#[derive(Clone, Copy)]
struct Source {
    location: CellLocation,
    pushers: Squares,
    anchor: Square,
    displacement: u16,
}

/// The blocks that collect the positions before a push.
pub(crate) struct BlockSink<'a, const W: usize> {
    /// By anchor and opposing pawns.
    pub block_of: &'a [Vec<u32>],
    pub blocks: &'a mut [[u64; W]],
    /// Whether each block has positions; otherwise its rows are not initialised.
    pub any: &'a mut [bool],
}

impl PushRetraction {
    /// Adds all positions of a job with a push into the plane.
    #[inline(always)]
    pub(crate) fn find<const W: usize>(
        &mut self,
        pext: impl Pext,
        layout: &Layout,
        job: &PusherSetJob<W>,
        plane: &[SparseCells],
        sink: &mut BlockSink<'_, W>,
    ) {
        self.list_displacements(layout, job);
        self.sources.clear();
        for number in 0..self.displacements.len() {
            self.list_sources(pext, layout, plane, number);
        }
        for (number, source) in self.sources.iter().enumerate() {
            if let Some(next) = self.sources.get(number + 2 * PREFETCH_DISTANCE) {
                next.location.prefetch::<W>(plane);
            }
            if let Some(next) = self.sources.get(number + PREFETCH_DISTANCE) {
                next.location.prefetch_rows::<W>(plane);
            }
            let displacement = &self.displacements[usize::from(source.displacement)];
            CellRetraction { pext, layout, job, source, displacement }.run(plane, sink);
        }
    }

    /// Lists the ways in which a push can displace some or none of the opposing pushers.
    fn list_displacements<const W: usize>(&mut self, layout: &Layout, job: &PusherSetJob<W>) {
        self.displacements.clear();
        let none = Squares::EMPTY;
        self.displacements.push(Displacement {
            before: none,
            after: none,
            opponent: job.pushers,
            direction: None,
        });
        for direction in 0..4 {
            let mut before = job.pushers;
            while !before.is_empty() {
                let after = layout.board.shifted(before, direction);
                let standing = job.pushers & !before;
                let free = job.anchors.iter().any(|&(anchor, _)| !before.contains(anchor));
                if free && after.len() == before.len() && !after.intersects(standing) {
                    let opponent = standing | after;
                    let direction = Some(direction);
                    self.displacements.push(Displacement { before, after, opponent, direction });
                }
                before = Squares(before.0 - 1) & job.pushers;
            }
        }
    }

    /// Lists the cells that pushes with a displacement lead to.
    #[inline(always)]
    fn list_sources(&mut self, pext: impl Pext, layout: &Layout, plane: &[SparseCells], number: usize) {
        let displacement = self.displacements[number];
        let open = layout.board.all() & !displacement.opponent;
        self.steps.clear();
        if let Some(direction) = displacement.direction {
            for anchor in open {
                let behind = layout.board.neighbour(anchor, opposite(direction));
                if let Some(from) = behind.filter(|&from| open.contains(from))
                    && displacement.is_ahead_of(layout, anchor, direction)
                {
                    self.steps.push((anchor, from));
                }
            }
            if self.steps.is_empty() {
                return;
            }
        }
        let opponent = layout.pushers(displacement.opponent);
        for &packed in &layout.cells {
            let pushers = Squares(pext.deposit(packed.0, open.0));
            debug_assert_eq!(pushers, expand(packed, open));
            let mut own = None;
            let mut add = |anchor: Square| {
                let own = *own.get_or_insert_with(|| layout.pushers(pushers));
                if let Some(location) = CellLocation::new(layout, own, anchor, opponent)
                    && !location.is_empty_superblock(plane)
                {
                    self.sources.push(Source { location, pushers, anchor, displacement: number as u16 });
                }
            };
            if displacement.direction.is_none() {
                for anchor in pushers {
                    add(anchor);
                }
            } else {
                for &(anchor, from) in &self.steps {
                    if pushers.contains(anchor) && !pushers.contains(from) {
                        add(anchor);
                    }
                }
            }
        }
    }
}

impl Displacement {
    /// Whether a push that ends on a square can displace these pushers and no others: all of them
    /// are on the line ahead of it, before any that stands still.
    fn is_ahead_of(&self, layout: &Layout, anchor: Square, direction: usize) -> bool {
        let standing = self.opponent & !self.after;
        let (mut left, mut at) = (self.after, layout.board.neighbour(anchor, direction));
        while let Some(square) = at.filter(|&square| !left.is_empty() && !standing.contains(square)) {
            left = left.without(square);
            at = layout.board.neighbour(square, direction);
        }
        left.is_empty()
    }
}

#[inline(always)]
fn opposite(direction: usize) -> usize {
    (direction + 2) % 4
}

/// Retracts the pushes that lead to the positions of a cell.
struct CellRetraction<'a, const W: usize, B: Pext> {
    pext: B,
    layout: &'a Layout,
    job: &'a PusherSetJob<W>,
    source: &'a Source,
    displacement: &'a Displacement,
}

/// The pawns of the side that has pushed, and of the other side.
#[derive(Clone, Copy)]
struct Pawns {
    own_pawns: GlobalLane,
    other_pawns: GlobalLane,
}

impl<const W: usize, B: Pext> CellRetraction<'_, W, B> {
    #[inline(always)]
    fn run(&self, plane: &[SparseCells], sink: &mut BlockSink<'_, W>) {
        let (layout, source) = (self.layout, self.source);
        let Some(cell) = source.location.rows::<W>(plane) else { return };
        let globals = layout.globals(source.location.image);
        let back = layout.symmetries.lane_images(layout.symmetries.inverse(source.location.symmetry));
        let (first, last) = self.displacement.direction.map_or((0, 4), |only| (only, only + 1));
        let pushers = source.pushers | self.displacement.opponent;
        for (lane, row) in lanes_of(cell.present).zip(cell.rows) {
            let own_pawns = back[globals[lane]];
            let own = pushers | layout.pawns(own_pawns);
            for direction in first..last {
                let Some(from) = layout.board.neighbour(source.anchor, opposite(direction)) else { continue };
                let Some(ahead) = layout.board.neighbour(source.anchor, direction) else { continue };
                if own.contains(from) {
                    continue;
                }
                for lane in lanes_of(row) {
                    let other_pawns = back[globals[lane]];
                    let occupied = own | layout.pawns(other_pawns);
                    if occupied.contains(ahead) && !occupied.contains(from) {
                        let pawns = Pawns { own_pawns, other_pawns };
                        self.retract((from, ahead, direction), occupied, pawns, sink);
                    }
                }
            }
        }
    }

    /// Retracts the pushes in one direction that lead to a position.
    #[inline(always)]
    fn retract(
        &self,
        (from, ahead, direction): (Square, Square, usize),
        occupied: Squares,
        after: Pawns,
        sink: &mut BlockSink<'_, W>,
    ) {
        let (layout, source, displacement) = (self.layout, self.source, self.displacement);
        let back = opposite(direction);
        let [own_pawns, other_pawns] = [after.own_pawns, after.other_pawns].map(|lane| layout.pawns(lane));
        let mut pushers = source.pushers.without(source.anchor).with(from);
        let mut before = after;
        let mut displaced = Squares::EMPTY;
        let (mut to, mut at) = (source.anchor, Some(ahead));
        while let Some(square) = at.filter(|&square| occupied.contains(square)) {
            // The square behind has been left by the piece before.
            if source.pushers.contains(square) {
                pushers = pushers.without(square).with(to);
            } else if own_pawns.contains(square) {
                before.own_pawns = layout.shifted_lane(back, square, before.own_pawns);
            } else if other_pawns.contains(square) {
                before.other_pawns = layout.shifted_lane(back, square, before.other_pawns);
            } else if displacement.after.contains(square) {
                displaced = displaced.with(to);
            } else {
                return;
            }
            if displaced == displacement.before {
                self.add(pushers, before, sink);
            }
            (to, at) = (square, layout.board.neighbour(square, direction));
        }
    }

    /// Adds a position before a push, for the anchors that are not displaced.
    #[inline(always)]
    fn add(&self, pushers: Squares, pawns: Pawns, sink: &mut BlockSink<'_, W>) {
        let (layout, job) = (self.layout, self.job);
        let locals = layout.locals(job.number);
        let (lane, bit) = (locals[pawns.other_pawns], locals[pawns.own_pawns]);
        debug_assert!(lane != LocalLane::NONE && bit != LocalLane::NONE, "pieces stand clear of each other");
        if !has_lane(&job.needed_any, lane) {
            return;
        }
        let open = layout.board.all() & !(job.pushers | layout.pawns(pawns.other_pawns));
        let row = layout.sets.rank(self.pext.extract(pushers.0, open.0)) as usize;
        let rows = layout.rows.len();
        for ((&(anchor, _), needed), block_of) in job.anchors.iter().zip(&job.needed).zip(sink.block_of) {
            if has_lane(needed, lane) && !self.displacement.before.contains(anchor) {
                let number = block_of[lane] as usize;
                let block = &mut sink.blocks[number * rows..][..rows];
                if !sink.any[number] {
                    sink.any[number] = true;
                    block.fill([0; W]);
                }
                insert_lane(&mut block[row], bit);
            }
        }
    }
}

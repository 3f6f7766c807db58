//! Finds losses position by position, for phases with few new wins.
//!
//! A flood of a whole block costs the same for one new win as for thousands. So if there are few new
//! wins, single positions are examined. First: which positions with a push into a new win have no push
//! into an undecided position? Then: which undecided positions reach one of those by moves, and do they
//! reach another position that has such a push? Most do after a few steps.

use retrograde_game::{Square, Squares};

use crate::layout::location::Location;
use crate::layout::numbering::Layout;
use crate::layout::pusher_set_job::PusherSetJob;
use crate::layout::sets::{PackedSquares, bits_of, compress, expand, has_lane};
use crate::layout::sparse::SparseCells;

/// A position of a block: pieces of the side to move, as sets of the squares that the opponent
/// leaves free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct OwnPieces {
    pushers: PackedSquares,
    pawns: PackedSquares,
}

/// The scratch memory of a thread.
pub(crate) struct SparseLossSearch {
    /// For each position of the block: whether it has a push into the plane (1) or not (2), or is not
    /// examined yet (0).
    known: Vec<u8>,
    looked_up: Vec<u32>,
    /// The search that last visited a position.
    last_visit: Vec<u32>,
    visit: u32,
    level: Vec<OwnPieces>,
    next: Vec<OwnPieces>,
    pawn_sets: usize,
}

/// The opponent's side of a block.
pub(crate) struct OpponentSide<'a> {
    layout: &'a Layout,
    plane: &'a [SparseCells],
    pushers: Squares,
    pawns: Squares,
    anchor: Squares,
    /// The squares that the opponent leaves free, and for each its neighbours among them.
    free: Squares,
    neighbours: [u64; 64],
}

impl<'a> OpponentSide<'a> {
    pub(crate) fn new<const W: usize>(
        layout: &'a Layout,
        plane: &'a [SparseCells],
        job: &PusherSetJob<W>,
        anchor: Square,
        pawns: Squares,
    ) -> OpponentSide<'a> {
        let free = layout.board.all & !(job.pushers | pawns);
        let mut neighbours = [0; 64];
        for (neighbours, square) in neighbours.iter_mut().zip(free) {
            let beside: Squares = layout.board.neighbours[square.index()].iter().flatten().copied().collect();
            *neighbours = compress(beside & free, free).0;
        }
        OpponentSide {
            layout,
            plane,
            pushers: job.pushers,
            pawns,
            anchor: layout.board.all & anchor.set(),
            free,
            neighbours,
        }
    }

    /// Whether some push leads into the plane.
    fn pieces_have_push<const W: usize>(&self, own: OwnPieces) -> bool {
        self.visit_pushes(own, |target| self.has::<W>(target))
    }

    /// Adds the locations of a position's pushes in stored superblocks, and prefetches them.
    pub(crate) fn list_pushes<const W: usize>(
        &self,
        pushers: Squares,
        pawns: Squares,
        targets: &mut Vec<Location>,
    ) {
        self.visit_pushes(self.own(pushers, pawns), |target| {
            self.plane[target.superblock].prefetch::<W>(target.cell);
            targets.push(target);
            false
        });
    }

    /// Visits the locations in the plane that pushes lead to, until `visit` returns true.
    fn visit_pushes(&self, own: OwnPieces, mut visit: impl FnMut(Location) -> bool) -> bool {
        let layout = self.layout;
        let (own_pushers, own_pawns) = (expand(own.pushers, self.free), expand(own.pawns, self.free));
        let pieces = own_pushers | own_pawns | self.pushers | self.pawns;
        for from in own_pushers {
            for direction in 0..4 {
                // The squares ahead with pieces, up to the first empty one.
                let Some(to) = layout.board.neighbour(from, direction) else { continue };
                if !pieces.contains(to) {
                    continue;
                }
                let (mut line, mut after) = (from.set(), Squares::EMPTY);
                let mut at = Some(to);
                let free = loop {
                    let Some(square) = at else { break false };
                    after.insert(square);
                    if !pieces.contains(square) {
                        break true;
                    }
                    line.insert(square);
                    at = layout.board.neighbour(square, direction);
                };
                if !free || line.intersects(self.anchor) {
                    continue;
                }
                debug_assert_eq!(layout.board.shifted(line, direction), after);
                let moved = |set: Squares| match set & line {
                    Squares::EMPTY => set,
                    part => set & !line | layout.board.shifted(part, direction),
                };
                let sides = [moved(own_pushers), moved(own_pawns), moved(self.pushers), moved(self.pawns)];
                if self.locate(sides, to).is_some_and(&mut visit) {
                    return true;
                }
            }
        }
        false
    }

    /// The location of a position: pushers and pawns of the side that has just pushed, with its anchor,
    /// and of the side to move. `None` if the superblock is empty or not stored.
    fn locate(
        &self,
        [other_pushers, other_pawns, own_pushers, own_pawns]: [Squares; 4],
        anchor: Square,
    ) -> Option<Location> {
        let layout = self.layout;
        let (canonical_anchor, symmetry) = layout.symmetries.canonical_anchor(anchor);
        let opponent = layout.symmetries.pusher_image(symmetry, layout.pushers(other_pushers));
        let superblock = layout.superblock_of(opponent, canonical_anchor)?;
        if self.plane[superblock].is_empty() {
            return None;
        }
        let own = layout.pusher_sets[layout.symmetries.pusher_image(symmetry, layout.pushers(own_pushers))];
        let (images, locals) = (layout.symmetries.lane_images(symmetry), layout.locals(opponent));
        let lane = |pawns: Squares| locals[images[layout.lane(pawns)]];
        let (row, bit) = (lane(other_pawns), lane(own_pawns));
        Some(Location { superblock, cell: layout.cell(layout.pusher_sets[opponent], own), row, bit })
    }

    /// Whether the plane has a position.
    pub(crate) fn has<const W: usize>(&self, target: Location) -> bool {
        let row = self.plane[target.superblock].row::<W>(target.cell, target.row);
        row.is_some_and(|row| has_lane(row, target.bit))
    }

    /// Prefetches the row of a position.
    pub(crate) fn prefetch<const W: usize>(&self, target: Location) {
        self.plane[target.superblock].prefetch_row::<W>(target.cell, target.row);
    }

    /// Visits the positions after one move, until `visit` returns true.
    fn moves(&self, own: OwnPieces, mut visit: impl FnMut(OwnPieces) -> bool) -> bool {
        let pieces = own.pushers.0 | own.pawns.0;
        let empty = ((1_u64 << self.free.len()) - 1) & !pieces;
        for piece in bits_of(pieces) {
            let mut reached = 0_u64;
            let mut new = self.neighbours[piece & 63] & empty;
            while new != 0 {
                reached |= new;
                new =
                    bits_of(new).fold(0, |set, square| set | self.neighbours[square & 63]) & empty & !reached;
            }
            let pusher = own.pushers.0 >> piece & 1 == 1;
            for to in bits_of(reached) {
                let moved = 1_u64 << piece | 1 << to;
                let after = match pusher {
                    true => OwnPieces { pushers: PackedSquares(own.pushers.0 ^ moved), ..own },
                    false => OwnPieces { pawns: PackedSquares(own.pawns.0 ^ moved), ..own },
                };
                if visit(after) {
                    return true;
                }
            }
        }
        false
    }

    fn own(&self, pushers: Squares, pawns: Squares) -> OwnPieces {
        OwnPieces { pushers: compress(pushers, self.free), pawns: compress(pawns, self.free) }
    }
}

impl SparseLossSearch {
    pub(crate) fn new(layout: &Layout) -> SparseLossSearch {
        let pawn_sets =
            retrograde_index::binomial(layout.free as u32, layout.pawn_count as u32).unwrap_or(0) as usize;
        let count = layout.rows.len() * pawn_sets;
        SparseLossSearch {
            known: vec![0; count],
            looked_up: Vec::new(),
            last_visit: vec![0; count],
            visit: 0,
            level: Vec::new(),
            next: Vec::new(),
            pawn_sets,
        }
    }

    /// Must be called between blocks.
    pub(crate) fn clear(&mut self) {
        for looked_up in self.looked_up.drain(..) {
            self.known[looked_up as usize] = 0;
        }
    }

    fn number(&self, layout: &Layout, own: OwnPieces) -> usize {
        layout.sets.rank(own.pushers.0) as usize * self.pawn_sets + layout.sets.rank(own.pawns.0) as usize
    }

    fn has_push_from<const W: usize>(
        &mut self,
        block: &OpponentSide<'_>,
        own: OwnPieces,
        number: usize,
    ) -> bool {
        if self.known[number] == 0 {
            self.known[number] = if block.pieces_have_push::<W>(own) { 1 } else { 2 };
            self.looked_up.push(number as u32);
        }
        self.known[number] == 1
    }

    /// Whether a position has a push into the plane.
    pub(crate) fn has_push<const W: usize>(
        &mut self,
        block: &OpponentSide<'_>,
        pushers: Squares,
        pawns: Squares,
    ) -> bool {
        let own = block.own(pushers, pawns);
        let number = self.number(block.layout, own);
        self.has_push_from::<W>(block, own, number)
    }

    /// Whether a position has a turn into the plane.
    pub(crate) fn has_turn<const W: usize>(
        &mut self,
        block: &OpponentSide<'_>,
        pushers: Squares,
        pawns: Squares,
    ) -> bool {
        let layout = block.layout;
        let own = block.own(pushers, pawns);
        let number = self.number(layout, own);
        if self.has_push_from::<W>(block, own, number) {
            return true;
        }
        self.visit = self.visit.wrapping_add(1);
        if self.visit == 0 {
            self.last_visit.fill(0);
            self.visit = 1;
        }
        self.last_visit[number] = self.visit;
        let mut left = layout.moves.unwrap_or(u32::MAX);
        let (mut level, mut next) = (std::mem::take(&mut self.level), std::mem::take(&mut self.next));
        level.clear();
        level.push(own);
        let mut found = false;
        while left > 0 && !level.is_empty() && !found {
            next.clear();
            found = level.iter().any(|&own| {
                block.moves(own, |own| {
                    let number = self.number(layout, own);
                    if self.last_visit[number] == self.visit {
                        return false;
                    }
                    self.last_visit[number] = self.visit;
                    next.push(own);
                    self.has_push_from::<W>(block, own, number)
                })
            });
            std::mem::swap(&mut level, &mut next);
            left -= 1;
        }
        (self.level, self.next) = (level, next);
        found
    }
}

#[cfg(test)]
mod tests {
    use crate::kernel::simd::SimdLevel;
    use retrograde_game::GameSpec;
    use retrograde_pushfight::PushFight;

    use super::*;
    use crate::kernel::pext::{Pext, Portable};
    use crate::kernel::push::{PushFinder, PushGoal, PushSearch};
    use crate::layout::numbering::with_words;
    use crate::layout::scope::Scope;
    use crate::layout::sets::lanes_of;
    use crate::layout::sparse::SparseRow;
    use crate::testing::random;

    /// Lanes without a pawn on some squares.
    fn clear<const W: usize>(job: &PusherSetJob<W>, squares: Squares) -> [u64; W] {
        job.lanes_clear_of(squares)
    }

    /// A plane with every other position of a board, at random.
    fn plane<const W: usize>(layout: &Layout, seed: &mut u64) -> Vec<SparseCells> {
        let superblock = |superblock: &crate::layout::superblocks::SuperblockKey| {
            let job = PusherSetJob::<W>::new(layout, superblock.pushers as usize, &mut |_| [0; W]);
            let mut list: Vec<SparseRow<W>> = Vec::new();
            for (cell, &packed) in layout.cells.iter().enumerate() {
                let own = expand(packed, layout.board.all & !job.pushers);
                for lane in lanes_of(&clear(&job, own)) {
                    let pawns = layout.local_pawns(job.number, lane);
                    let present = clear(&job, own | pawns);
                    let row = std::array::from_fn(|word| present[word] & random(seed));
                    list.push((cell as u32, lane, row));
                }
            }
            SparseCells::new(layout.cells.len(), &list)
        };
        layout.superblocks.iter().map(superblock).collect()
    }

    /// Compares pushes found by patterns and by retraction with pushes made one by one. The plane is
    /// random, because a real plane, mostly zeros or ones, would hide wrong masks.
    fn compare<const W: usize, B: Pext>(layout: &Layout, name: &str) {
        let mut seed = 7;
        let plane = plane::<W>(layout, &mut seed);
        let (mut yes, mut no) = (0_u64, 0_u64);
        for round in 0..12 {
            let number = random(&mut seed) as usize % layout.pusher_sets.len();
            // All blocks, or some.
            let full = clear(&PusherSetJob::<W>::new(layout, number, &mut |_| [0; W]), Squares::EMPTY);
            let job = PusherSetJob::<W>::new(layout, number, &mut |_| match round % 3 {
                0 => full,
                _ => std::array::from_fn(|word| full[word] & random(&mut seed)),
            });
            let mut finder = PushFinder::new(layout, SimdLevel::best());
            let search = if round < 6 { PushSearch::ByPattern } else { PushSearch::ByRetraction };
            // SAFETY: the test has checked that the processor has these instructions.
            unsafe { finder.find::<B>(layout, &job, PushGoal::Into(&plane, search)) };
            for (at, &(anchor, _)) in job.anchors.iter().enumerate() {
                for lane in lanes_of(&job.needed[at]) {
                    let pawns = layout.local_pawns(number, lane);
                    let block = OpponentSide::new(layout, &plane, &job, anchor, pawns);
                    let found = finder.block(layout, at, lane).map(|rows| rows.to_vec());
                    for (row, &cell) in layout.cells_clear_of[lane].iter().enumerate() {
                        let own = expand(layout.cells[usize::from(cell)], layout.board.all & !job.pushers);
                        for bit in lanes_of(&clear(&job, own | pawns)) {
                            let own_pawns = layout.local_pawns(number, bit);
                            let expected = block.pieces_have_push::<W>(block.own(own, own_pawns));
                            let found = found.as_ref().is_some_and(|rows| has_lane(&rows[row], bit));
                            assert_eq!(
                                found, expected,
                                "{name}: {own:?} {own_pawns:?}, {:?} {pawns:?}",
                                job.pushers
                            );
                            if expected { yes += 1 } else { no += 1 }
                        }
                    }
                }
            }
        }
        assert!(yes > 1000 && no > 1000, "{name}: {yes} {no}");
    }

    #[test]
    fn both_searches_agree_with_single_pushes() {
        let drawings = [
            "+-+-+-+-+\n . . . .\n+ + + + +\n . . . .\n+ + + + +\n . . . .\n+ + + + +\n",
            "+ +-+ + +\n . . # .\n+ + + + +\n . . . .\n+ + + + +\n . . . .\n+ + + + +\n . . . .\n+ + +-+ +\n",
        ];
        for (board, name) in [
            (0, "pushfight:mini"),
            (0, "pushfight:mini,pushers=3,pawns=1"),
            (0, "pushfight:x.board,pushers=2,pawns=3"),
            (1, "pushfight:x.board,pushers=2,pawns=2"),
            (1, "pushfight:x.board,pushers=3,pawns=1"),
        ] {
            let load = |_: &str| Ok(drawings[board].to_owned());
            let game = PushFight::from_spec(GameSpec::parse(name).unwrap(), &load).unwrap();
            let layout = Layout::new(&game, Scope::All).unwrap();
            with_words!(layout, W => compare::<W, Portable>(&layout, name));
            #[cfg(target_arch = "x86_64")]
            if std::is_x86_feature_detected!("bmi2") {
                with_words!(layout, W => compare::<W, crate::kernel::pext::Bmi2>(&layout, name));
            }
        }
    }
}

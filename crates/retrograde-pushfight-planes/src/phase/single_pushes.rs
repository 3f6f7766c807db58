//! The pushes of single positions, for rechecking cached pushes (see [`crate::phase::push_cache`]).

use retrograde_game::{Square, Squares};
use retrograde_pushfight::Position;

use crate::layout::location::{Location, image_location};
use crate::layout::numbering::Layout;
use crate::layout::pusher_set_job::PusherSetJob;
use crate::layout::sets::has_lane;
use crate::layout::sparse::SparseCells;

/// The opponent's side of a block, and a plane into which pushes may lead.
pub(crate) struct OpponentSide<'a> {
    layout: &'a Layout,
    plane: &'a [SparseCells],
    pushers: Squares,
    pawns: Squares,
    anchor: Squares,
}

impl<'a> OpponentSide<'a> {
    pub(crate) fn new<const W: usize>(
        layout: &'a Layout,
        plane: &'a [SparseCells],
        job: &PusherSetJob<W>,
        anchor: Square,
        pawns: Squares,
    ) -> OpponentSide<'a> {
        OpponentSide { layout, plane, pushers: job.pushers, pawns, anchor: layout.board.all() & anchor.set() }
    }

    /// Adds the locations that a position's pushes lead to, in stored superblocks that are not empty, and
    /// prefetches them.
    pub(crate) fn list_pushes<const W: usize>(
        &self,
        own_pushers: Squares,
        own_pawns: Squares,
        targets: &mut Vec<Location>,
    ) {
        let layout = self.layout;
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
                let (anchor, symmetry) = layout.symmetries.canonical_anchor(to);
                let next = Position {
                    own_pushers: moved(self.pushers),
                    own_pawns: moved(self.pawns),
                    other_pushers: moved(own_pushers),
                    other_pawns: moved(own_pawns),
                    anchor: to.set(),
                };
                if let Some(target) = image_location(layout, symmetry, anchor, &next)
                    && !self.plane[target.superblock].is_empty()
                {
                    self.plane[target.superblock].prefetch::<W>(target.cell);
                    targets.push(target);
                }
            }
        }
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::pext::Pext;
    use crate::kernel::push::{PushFinder, PushGoal, PushSearch};
    use crate::kernel::simd::{Kernel, SimdLevel};
    use crate::layout::numbering::with_words;
    use crate::layout::scope::Scope;
    use crate::layout::sets::{expand, lanes_of};
    use crate::layout::sparse::SparseRow;
    use crate::testing::{game, random};

    /// A plane with every other position of a board, at random.
    fn plane<const W: usize>(layout: &Layout, seed: &mut u64) -> Vec<SparseCells> {
        let superblock = |superblock: &crate::layout::superblocks::SuperblockKey| {
            let job = PusherSetJob::<W>::new(layout, superblock.pushers as usize, &mut |_| [0; W]);
            let mut list: Vec<SparseRow<W>> = Vec::new();
            for (cell, &packed) in layout.cells.iter().enumerate() {
                let own = expand(packed, layout.board.all() & !job.pushers);
                for lane in lanes_of(&job.lanes_clear_of(own)) {
                    let pawns = layout.local_pawns(job.number, lane);
                    let present = job.lanes_clear_of(own | pawns);
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
    fn compare<const W: usize>(pext: impl Pext, layout: &Layout, name: &str) {
        let mut seed = 7;
        let plane = plane::<W>(layout, &mut seed);
        let (mut yes, mut no, mut targets) = (0_u64, 0_u64, Vec::new());
        for round in 0..12 {
            let number = random(&mut seed) as usize % layout.pusher_sets.len();
            // All blocks, or some.
            let full = layout.all_lanes::<W>();
            let job = PusherSetJob::<W>::new(layout, number, &mut |_| match round % 3 {
                0 => full,
                _ => std::array::from_fn(|word| full[word] & random(&mut seed)),
            });
            let mut finder = PushFinder::new(layout, SimdLevel::best());
            let search = if round < 6 { PushSearch::ByPattern } else { PushSearch::ByRetraction };
            finder.find(pext, layout, &job, PushGoal::Into(&plane, search));
            for (at, &(anchor, _)) in job.anchors.iter().enumerate() {
                for lane in lanes_of(&job.needed[at]) {
                    let pawns = layout.local_pawns(number, lane);
                    let block = OpponentSide::new(layout, &plane, &job, anchor, pawns);
                    let found = finder.block(layout, at, lane).map(|rows| rows.to_vec());
                    for (row, &cell) in layout.cells_clear_of[lane].iter().enumerate() {
                        let own = expand(layout.cells[usize::from(cell)], layout.board.all() & !job.pushers);
                        for bit in lanes_of(&job.lanes_clear_of(own | pawns)) {
                            let own_pawns = layout.local_pawns(number, bit);
                            targets.clear();
                            block.list_pushes::<W>(own, own_pawns, &mut targets);
                            let expected = targets.iter().any(|&target| block.has::<W>(target));
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

    struct Comparison<'a>(&'a Layout, &'a str);

    impl Kernel for Comparison<'_> {
        type Output = ();

        fn run(self, pext: impl Pext) {
            let Comparison(layout, name) = self;
            with_words!(layout, W => compare::<W>(pext, layout, name));
        }
    }

    #[test]
    fn both_searches_agree_with_single_pushes() {
        for name in [
            "pushfight:mini",
            "pushfight:mini,pushers=3,pawns=1",
            "pushfight:x.board,pushers=2,pawns=3",
            "pushfight:skew.board,pushers=2,pawns=2",
            "pushfight:wide.board,pushers=3,pawns=1",
        ] {
            let game = game(name);
            let layout = Layout::new(&game, Scope::All).unwrap();
            SimdLevel::Portable.run(Comparison(&layout, name));
            SimdLevel::best().run(Comparison(&layout, name));
        }
    }
}

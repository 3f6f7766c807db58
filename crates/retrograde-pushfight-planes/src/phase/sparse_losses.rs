//! Losses, where little has changed. Floods of a whole block cost the same for one new win as for thousands; so where
//! there are few, blocks are looked at position by position: which of those that push into a new win have no push left
//! into an undecided position; which undecided positions reach those by moves; and whether those reach another
//! position with such a push. Most do after a few steps.

use crate::layout::numbering::Shape;
use crate::layout::pusher_set_job::Unit;
use crate::layout::sets::{compress, expand, squares};
use crate::layout::sparse::Cells;

/// A position of a block: pieces of the side to move, as sets of the squares that the opponent leaves free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Own {
    pushers: u64,
    pawns: u64,
}

/// Room of a thread.
pub(crate) struct Few {
    /// For a position of the block: whether it has a push into the plane (1) or none (2), where that is known.
    known: Vec<u8>,
    asked: Vec<u32>,
    /// When a position was last visited.
    seen: Vec<u32>,
    now: u32,
    level: Vec<Own>,
    next: Vec<Own>,
    pawn_sets: usize,
}

/// The opponent's side of a block.
pub(crate) struct View<'a, const W: usize> {
    shape: &'a Shape,
    plane: &'a [Cells<W>],
    pushers: u64,
    pawns: u64,
    anchor: u64,
    /// The squares that he leaves free, and for each its neighbours among them.
    free: u64,
    beside: [u64; 64],
}

impl<'a, const W: usize> View<'a, W> {
    pub(crate) fn new(
        shape: &'a Shape,
        plane: &'a [Cells<W>],
        unit: &Unit<W>,
        anchor: usize,
        pawns: u64,
    ) -> View<'a, W> {
        let free = shape.all & !(unit.pushers | pawns);
        let mut beside = [0; 64];
        for (beside, square) in beside.iter_mut().zip(squares(free)) {
            let next = shape.next[square].iter().flatten().fold(0, |set, &next| set | 1_u64 << next);
            *beside = compress(next & free, free);
        }
        View { shape, plane, pushers: unit.pushers, pawns, anchor: shape.all & 1 << anchor, free, beside }
    }

    /// Whether a position has a push into the plane.
    pub(crate) fn has_push(&self, pushers: u64, pawns: u64) -> bool {
        self.pushes(self.own(pushers, pawns))
    }

    /// Whether some push leads into the plane.
    fn pushes(&self, own: Own) -> bool {
        let shape = self.shape;
        let (own_pushers, own_pawns) = (expand(own.pushers, self.free), expand(own.pawns, self.free));
        let pieces = own_pushers | own_pawns | self.pushers | self.pawns;
        for from in squares(own_pushers) {
            for direction in 0..4 {
                // The squares ahead with pieces, up to the first empty one.
                let Some(to) = shape.next[from & 63][direction] else { continue };
                if pieces >> to & 1 == 0 {
                    continue;
                }
                let (mut line, mut after) = (1_u64 << from, 0);
                let mut at = Some(to);
                let free = loop {
                    let Some(square) = at else { break false };
                    after |= 1 << square;
                    if pieces >> square & 1 == 0 {
                        break true;
                    }
                    line |= 1 << square;
                    at = shape.next[usize::from(square & 63)][direction];
                };
                if !free || line & self.anchor != 0 {
                    continue;
                }
                debug_assert_eq!(shape.shifted(line, direction), after);
                let moved = |set: u64| match set & line {
                    0 => set,
                    part => set & !line | shape.shifted(part, direction),
                };
                let sides = [moved(own_pushers), moved(own_pawns), moved(self.pushers), moved(self.pawns)];
                if self.is_there(sides, usize::from(to)) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the plane has a position: pushers and pawns of the side that has just pushed, with its anchor, and of the
    /// side to move.
    fn is_there(
        &self,
        [other_pushers, other_pawns, own_pushers, own_pawns]: [u64; 4],
        anchor: usize,
    ) -> bool {
        let shape = self.shape;
        let (stands_for, symmetry) = shape.stands_for[anchor];
        let opponent = shape.pusher_image(symmetry, shape.pushers(other_pushers));
        let Some(superblock) = shape.super_of(opponent, usize::from(stands_for)) else { return false };
        let superblock = &self.plane[superblock];
        if superblock.is_empty() {
            return false;
        }
        let own = shape.pusher_sets[shape.pusher_image(symmetry, shape.pushers(own_pushers))];
        let (images, locals) = (shape.lane_images(symmetry), shape.locals(opponent));
        let lane = |pawns: u64| usize::from(locals[usize::from(images[shape.sets.rank(pawns) as usize])]);
        let (row, bit) = (lane(other_pawns), lane(own_pawns));
        let row = superblock.row(shape.cell(shape.pusher_sets[opponent], own), row);
        row.is_some_and(|row| row[bit / 64] >> (bit % 64) & 1 == 1)
    }

    /// Visits what one move leads to, until `visit` says so.
    fn moves(&self, own: Own, mut visit: impl FnMut(Own) -> bool) -> bool {
        let pieces = own.pushers | own.pawns;
        let empty = ((1_u64 << self.free.count_ones()) - 1) & !pieces;
        for piece in squares(pieces) {
            let mut reached = 0_u64;
            let mut new = self.beside[piece & 63] & empty;
            while new != 0 {
                reached |= new;
                new = squares(new).fold(0, |set, square| set | self.beside[square & 63]) & empty & !reached;
            }
            let pusher = own.pushers >> piece & 1 == 1;
            for to in squares(reached) {
                let moved = 1_u64 << piece | 1 << to;
                let after = match pusher {
                    true => Own { pushers: own.pushers ^ moved, ..own },
                    false => Own { pawns: own.pawns ^ moved, ..own },
                };
                if visit(after) {
                    return true;
                }
            }
        }
        false
    }

    fn own(&self, pushers: u64, pawns: u64) -> Own {
        Own { pushers: compress(pushers, self.free), pawns: compress(pawns, self.free) }
    }
}

impl Few {
    pub(crate) fn new(shape: &Shape) -> Few {
        let pawn_sets =
            retrograde_index::binomial(shape.free as u32, shape.pawns as u32).unwrap_or(0) as usize;
        let count = shape.rows.len() * pawn_sets;
        Few {
            known: vec![0; count],
            asked: Vec::new(),
            seen: vec![0; count],
            now: 0,
            level: Vec::new(),
            next: Vec::new(),
            pawn_sets,
        }
    }

    /// To be called between blocks.
    pub(crate) fn clear(&mut self) {
        for asked in self.asked.drain(..) {
            self.known[asked as usize] = 0;
        }
    }

    fn number(&self, shape: &Shape, own: Own) -> usize {
        shape.sets.rank(own.pushers) as usize * self.pawn_sets + shape.sets.rank(own.pawns) as usize
    }

    fn pushes_from<const W: usize>(&mut self, block: &View<'_, W>, own: Own, number: usize) -> bool {
        if self.known[number] == 0 {
            self.known[number] = if block.pushes(own) { 1 } else { 2 };
            self.asked.push(number as u32);
        }
        self.known[number] == 1
    }

    /// Whether a position has a push into the plane.
    pub(crate) fn pushes<const W: usize>(&mut self, block: &View<'_, W>, pushers: u64, pawns: u64) -> bool {
        let own = block.own(pushers, pawns);
        let number = self.number(block.shape, own);
        self.pushes_from(block, own, number)
    }

    /// Whether a position has a turn into the plane.
    pub(crate) fn turns<const W: usize>(&mut self, block: &View<'_, W>, pushers: u64, pawns: u64) -> bool {
        let shape = block.shape;
        let own = block.own(pushers, pawns);
        let number = self.number(shape, own);
        if self.pushes_from(block, own, number) {
            return true;
        }
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            self.seen.fill(0);
            self.now = 1;
        }
        self.seen[number] = self.now;
        let mut left = shape.moves.unwrap_or(u32::MAX);
        let (mut level, mut next) = (std::mem::take(&mut self.level), std::mem::take(&mut self.next));
        level.clear();
        level.push(own);
        let mut found = false;
        while left > 0 && !level.is_empty() && !found {
            next.clear();
            found = level.iter().any(|&own| {
                block.moves(own, |own| {
                    let number = self.number(shape, own);
                    if self.seen[number] == self.now {
                        return false;
                    }
                    self.seen[number] = self.now;
                    next.push(own);
                    self.pushes_from(block, own, number)
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
    use crate::kernel::simd::Level;
    use retrograde_game::GameSpec;
    use retrograde_pushfight::PushFight;

    use super::*;
    use crate::kernel::pext::{Bits, Portable};
    use crate::kernel::push::{Gathered, Goal};
    use crate::layout::numbering::{Scope, with_words};
    use crate::layout::sets::each;
    use crate::layout::sparse::Row;

    fn random(seed: &mut u64) -> u64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let mixed = (*seed ^ *seed >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 29
    }

    /// Lanes without a pawn on some squares.
    fn clear<const W: usize>(unit: &Unit<W>, squares: u64) -> [u64; W] {
        unit.lanes(0, squares)
    }

    /// A plane with every other position of a board, at random.
    fn plane<const W: usize>(shape: &Shape, seed: &mut u64) -> Vec<Cells<W>> {
        let superblock = |superblock: &crate::layout::numbering::Super| {
            let unit = Unit::<W>::new(shape, superblock.pushers as usize, |_| [0; W]);
            let mut list: Vec<Row<W>> = Vec::new();
            for (cell, &packed) in shape.cells.iter().enumerate() {
                let own = expand(packed, shape.all & !unit.pushers);
                for lane in each(&clear(&unit, own)) {
                    let pawns = shape.pawn_sets[shape.global(unit.number, lane)];
                    let there = clear(&unit, own | pawns);
                    let row = std::array::from_fn(|word| there[word] & random(seed));
                    list.push((cell as u32, lane as u16, row));
                }
            }
            Cells::new(shape.cells.len(), &list)
        };
        shape.supers.iter().map(superblock).collect()
    }

    /// Compares pushes found by branches with pushes made one by one, where every bit read is random: a real plane,
    /// mostly zeros or ones, would hide wrong masks.
    fn compare<const W: usize, B: Bits>(shape: &Shape, name: &str) {
        let mut seed = 7;
        let plane = plane::<W>(shape, &mut seed);
        let (mut yes, mut no) = (0_u64, 0_u64);
        for round in 0..6 {
            let number = random(&mut seed) as usize % shape.pusher_sets.len();
            // All blocks, or some.
            let full = clear(&Unit::<W>::new(shape, number, |_| [0; W]), 0);
            let unit = Unit::<W>::new(shape, number, |_| match round % 3 {
                0 => full,
                _ => std::array::from_fn(|word| full[word] & random(&mut seed)),
            });
            let mut gathered = Gathered::new(shape, Level::best());
            // SAFETY: what the instructions need has been looked for.
            unsafe { gathered.gather::<B>(shape, &unit, Goal::Into(&plane)) };
            for (at, &(anchor, _)) in unit.anchors.iter().enumerate() {
                for lane in each(&unit.needed[at]) {
                    let pawns = shape.pawn_sets[shape.global(number, lane)];
                    let block = View::new(shape, &plane, &unit, anchor, pawns);
                    let found = gathered.block(shape, at, lane).map(|rows| rows.to_vec());
                    for (row, &cell) in shape.cells_beside[lane].iter().enumerate() {
                        let own = expand(shape.cells[usize::from(cell)], shape.all & !unit.pushers);
                        for bit in each(&clear(&unit, own | pawns)) {
                            let own_pawns = shape.pawn_sets[shape.global(number, bit)];
                            let expected = block.pushes(block.own(own, own_pawns));
                            let found =
                                found.as_ref().is_some_and(|rows| rows[row][bit / 64] >> (bit % 64) & 1 == 1);
                            assert_eq!(
                                found, expected,
                                "{name}: {own:b} {own_pawns:b}, {} {pawns:b}",
                                unit.pushers
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
    fn branches_find_the_pushes_that_are_made_one_by_one() {
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
            let shape = Shape::new(&game, Scope::All).unwrap();
            with_words!(shape, W => compare::<W, Portable>(&shape, name));
            #[cfg(target_arch = "x86_64")]
            if std::is_x86_feature_detected!("bmi2") {
                with_words!(shape, W => compare::<W, crate::kernel::pext::Bmi2>(&shape, name));
            }
        }
    }
}

//! Moves: the arrangements of the mover's pieces that can precede the push.

use std::ops::ControlFlow;

use retrograde_game::Squares;
use retrograde_game::interrupt::{interrupted, too_much};

use crate::PushFight;
use crate::position::{Arrangement, Position, Step};

impl PushFight {
    /// Visits each arrangement that one move leads to, once.
    pub(crate) fn each_move(
        &self,
        position: &Position,
        Arrangement { pushers, pawns }: Arrangement,
        visit: &mut impl FnMut(Step, Arrangement) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let empty = self.board.all() & !(pushers | pawns | position.other_pushers | position.other_pawns);
        for from in pushers | pawns {
            for to in self.reachable(from, empty) & empty {
                let own = if pushers.contains(from) {
                    Arrangement { pushers: pushers.without(from).with(to), pawns }
                } else {
                    Arrangement { pushers, pawns: pawns.without(from).with(to) }
                };
                visit(Step { from, to }, own)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits each arrangement that the moves of a turn lead to, once, those with the fewest moves
    /// first.
    pub(crate) fn each_arrangement(
        &self,
        position: &Position,
        visit: &mut impl FnMut(Arrangement) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.each_arrangement_within(position, self.moves, visit)
    }

    /// The same for at most so many moves; `None`: any number. Breaks off if it is interrupted.
    pub(crate) fn each_arrangement_within(
        &self,
        position: &Position,
        most: Option<u32>,
        visit: &mut impl FnMut(Arrangement) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let start = position.own();
        visit(start)?;
        if most == Some(0) {
            return ControlFlow::Continue(());
        }
        let mut all = vec![start];
        let mut seen = ArrangementSet::new();
        seen.insert(start);
        let mut from = 0;
        let mut moves = 0;
        while most.is_none_or(|most| moves < most) {
            moves += 1;
            // Arrangements after the last move are visited, but nothing goes on from them.
            let last = most == Some(moves);
            let end = all.len();
            for at in from..end {
                if interrupted() {
                    return ControlFlow::Break(());
                }
                let own = all[at];
                self.each_move(position, own, &mut |_, next| {
                    if seen.insert(next) {
                        if seen.refused {
                            return ControlFlow::Break(());
                        }
                        if !last {
                            all.push(next);
                        }
                        visit(next)?;
                    }
                    ControlFlow::Continue(())
                })?;
            }
            if all.len() == end {
                break;
            }
            from = end;
        }
        ControlFlow::Continue(())
    }
}

/// A set of arrangements that only grows and hashes cheaply: open addressing in a power of two.
struct ArrangementSet {
    slots: Vec<Arrangement>,
    count: usize,
    /// Whether it did not get the memory that it needs.
    refused: bool,
}

/// A free slot. No arrangement looks so: a piece cannot be pusher and pawn.
const FREE: Arrangement = Arrangement { pushers: Squares(u64::MAX), pawns: Squares(u64::MAX) };

impl ArrangementSet {
    fn new() -> ArrangementSet {
        ArrangementSet { slots: vec![FREE; 1 << 9], count: 0, refused: false }
    }

    fn slot(&self, own: Arrangement) -> usize {
        let mixed = (own.pushers.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ own.pawns.0)
            .wrapping_mul(0xd6e8_feb8_6659_fd93);
        (mixed >> 32) as usize & (self.slots.len() - 1)
    }

    /// Inserts an arrangement; whether it is new. Once it was refused memory, it takes nothing in.
    fn insert(&mut self, own: Arrangement) -> bool {
        if self.count * 2 >= self.slots.len() {
            // Old and new slots, and a list of all.
            let after = self.slots.len() as u64 * 11 / 2;
            if self.refused || too_much(after * size_of::<Arrangement>() as u64) {
                self.refused = true;
                return true;
            }
            self.grow();
        }
        let mut at = self.slot(own);
        while self.slots[at] != FREE {
            if self.slots[at] == own {
                return false;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = own;
        self.count += 1;
        true
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![FREE; old.len() * 4];
        for own in old.into_iter().filter(|&own| own != FREE) {
            let mut at = self.slot(own);
            while self.slots[at] != FREE {
                at = (at + 1) & (self.slots.len() - 1);
            }
            self.slots[at] = own;
        }
    }
}

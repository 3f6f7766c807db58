//! Moves: the arrangements of the mover's pieces before the push.

use retrograde_game::interrupt::{interrupted, too_much};
use retrograde_game::{Flow, Squares};

use crate::PushFight;
use crate::position::{Arrangement, Position, Step};

impl PushFight {
    /// Visits each arrangement after one move, once.
    pub(crate) fn each_move(
        &self,
        position: &Position,
        own: Arrangement,
        visit: &mut impl FnMut(Step, Arrangement) -> Flow,
    ) -> Flow {
        let empty = self.board.all() & !(own.squares() | position.other().squares());
        for from in own.squares() {
            for to in self.reachable(from, empty) & empty {
                let step = Step { from, to };
                visit(step, own.with_move(step))?;
            }
        }
        Flow::Continue(())
    }

    /// Visits each arrangement after at most `most` moves, once, in order of the number of moves; `None` means
    /// any number. Stops if it is interrupted.
    pub(crate) fn each_arrangement(
        &self,
        position: &Position,
        most: Option<u32>,
        visit: &mut impl FnMut(Arrangement) -> Flow,
    ) -> Flow {
        let start = position.own();
        visit(start)?;
        if most == Some(0) {
            return Flow::Continue(());
        }
        let mut all = vec![start];
        let mut seen = ArrangementSet::new();
        seen.insert(start);
        let mut from = 0;
        let mut moves = 0;
        while most.is_none_or(|most| moves < most) {
            moves += 1;
            // Arrangements after the last move are visited, but not expanded.
            let last = most == Some(moves);
            let end = all.len();
            for at in from..end {
                if interrupted() {
                    return Flow::Break(());
                }
                let own = all[at];
                self.each_move(position, own, &mut |_, next| {
                    if seen.insert(next) {
                        if seen.refused {
                            return Flow::Break(());
                        }
                        if !last {
                            all.push(next);
                        }
                        visit(next)?;
                    }
                    Flow::Continue(())
                })?;
            }
            if all.len() == end {
                break;
            }
            from = end;
        }
        Flow::Continue(())
    }
}

/// An insert-only set of arrangements with a cheap hash: open addressing in a power of two.
struct ArrangementSet {
    slots: Vec<Arrangement>,
    count: usize,
    /// Whether it was refused the memory that it needs.
    refused: bool,
}

/// An empty slot. No arrangement has this value, because a piece cannot be both pusher and pawn.
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

    /// Inserts an arrangement. Returns whether it is new; always `false` after memory was refused.
    fn insert(&mut self, own: Arrangement) -> bool {
        if self.count * 2 >= self.slots.len() {
            // The old and the new slots, and a list of all arrangements.
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

//! Reverse turns: the positions from which a turn leads to a position.

use retrograde_game::{Flow, Predecessors, Square, Squares};

use crate::PushFight;
use crate::position::{Arrangement, Position};

/// Moves the content of a square to another square.
fn pull(sets: &mut [Squares; 4], from: Square, to: Square) {
    for set in sets.iter_mut() {
        if set.contains(from) {
            *set = set.without(from).with(to);
        }
    }
}

impl Predecessors for PushFight {
    fn each_predecessor(&self, position: &Position, mut visit: impl FnMut(Position) -> Flow) -> Flow {
        let Some(pusher) = position.anchor.first() else {
            return Flow::Continue(());
        };
        let Some(whole) = self.opposing(position.other().counts()) else {
            return Flow::Continue(());
        };
        let ejected = self.ejected(position);
        for d in 0..4 {
            let back = (d + 2) % 4;
            let Some(behind) = self.board.next[pusher.index()][back] else { continue };
            if position.occupied().contains(behind) {
                continue;
            }
            // The pieces of the player who pushed, then of the other, as they were before the push.
            let mut sets =
                [position.other_pushers, position.other_pawns, position.own_pushers, position.own_pawns];
            pull(&mut sets, pusher, behind);
            let mut empty = pusher;
            let mut displaced = Squares::EMPTY;
            loop {
                let next = self.board.next[empty.index()][d];
                let occupied = sets[0] | sets[1] | sets[2] | sets[3];
                match next.filter(|&next| occupied.contains(next)) {
                    Some(next) => {
                        pull(&mut sets, next, empty);
                        displaced.insert(empty);
                        empty = next;
                    }
                    // The ejected piece was at the edge, and all pieces up to it were shifted.
                    None if ejected && next.is_none() && !self.board.rail[empty.index()][d] => {
                        let set = if sets[2].len() < whole.pushers { 2 } else { 3 };
                        sets[set].insert(empty);
                        displaced.insert(empty);
                    }
                    None => break,
                }
                let complete = !ejected || sets[2].len() + sets[3].len() == whole.all();
                if complete {
                    self.each_before_push(sets, displaced, &mut visit)?;
                }
                if ejected && complete {
                    break;
                }
            }
        }
        Flow::Continue(())
    }
}

impl PushFight {
    /// Takes back the moves before a push. Any opposing pusher that the push did not displace may
    /// have had the anchor.
    fn each_before_push(
        &self,
        [own_pushers, own_pawns, other_pushers, other_pawns]: [Squares; 4],
        displaced: Squares,
        visit: &mut impl FnMut(Position) -> Flow,
    ) -> Flow {
        let anchors = other_pushers & !displaced;
        if anchors.is_empty() {
            return Flow::Continue(());
        }
        let before = Position { own_pushers, own_pawns, other_pushers, other_pawns, anchor: Squares::EMPTY };
        self.each_arrangement(&before, self.moves, &mut |Arrangement { pushers, pawns }| {
            for anchor in anchors {
                let anchor = anchor.set();
                visit(Position { own_pushers: pushers, own_pawns: pawns, anchor, ..before })?;
            }
            Flow::Continue(())
        })
    }
}

//! The rules: moves, pushes, and the turns made of them.

mod placement;
mod steps;
mod winning_push;

use std::ops::ControlFlow;

use crate::{Pieces, PushFight};

/// A position: what stands where, seen by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// Squares of the mover's pushers.
    pub own_pushers: u64,
    /// Squares of the mover's pawns.
    pub own_pawns: u64,
    /// Squares of the opponent's pushers.
    pub other_pushers: u64,
    /// Squares of the opponent's pawns.
    pub other_pawns: u64,
    /// The square of the opponent's anchored pusher, as a set; empty before the first push.
    pub anchor: u64,
}

impl Position {
    pub(crate) fn occupied(&self) -> u64 {
        self.own_pushers | self.own_pawns | self.other_pushers | self.other_pawns
    }

    /// Seen by the other player; the anchor stands on what is now his opponent's.
    fn swapped(self, anchor: u64) -> Position {
        Position {
            own_pushers: self.other_pushers,
            own_pawns: self.other_pawns,
            other_pushers: self.own_pushers,
            other_pawns: self.own_pawns,
            anchor,
        }
    }
}

/// One piece's move, or the push: from a square to a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Step {
    /// Where the piece stood.
    pub from: u8,
    /// Where it goes.
    pub to: u8,
}

/// The squares of a set, lowest first.
pub(crate) fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let square = set.trailing_zeros() as u8;
        set &= set - 1;
        Some(square)
    })
}

/// The mover's pieces after his moves.
pub(crate) type Own = (u64, u64);

impl PushFight {
    /// All squares reached from one by steps through empty squares, that one included.
    pub(crate) fn region(&self, from: u8, empty: u64) -> u64 {
        let mut reached = 1_u64 << from;
        let mut border = reached;
        while border != 0 {
            let square = border.trailing_zeros() as usize;
            border &= border - 1;
            let more = self.beside[square] & empty & !reached;
            reached |= more;
            border |= more;
        }
        reached
    }

    /// Visits what one move makes of the mover's pieces, each once.
    pub(crate) fn each_move(
        &self,
        position: &Position,
        (pushers, pawns): Own,
        visit: &mut impl FnMut(Step, Own) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let empty = self.board.all() & !(pushers | pawns | position.other_pushers | position.other_pawns);
        for from in squares(pushers | pawns) {
            let bit = 1_u64 << from;
            for to in squares(self.region(from, empty) & empty) {
                let there = 1_u64 << to;
                let own = if pushers & bit != 0 {
                    (pushers & !bit | there, pawns)
                } else {
                    (pushers, pawns & !bit | there)
                };
                visit(Step { from, to }, own)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits what the mover's pieces can be after his moves, each once, fewest moves first.
    pub(crate) fn each_arrangement(
        &self,
        position: &Position,
        visit: &mut impl FnMut(Own) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.each_arrangement_within(position, self.moves, visit)
    }

    /// The same for at most so many moves; `None`: any number.
    pub(crate) fn each_arrangement_within(
        &self,
        position: &Position,
        most: Option<u32>,
        visit: &mut impl FnMut(Own) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let start = (position.own_pushers, position.own_pawns);
        visit(start)?;
        if most == Some(0) {
            return ControlFlow::Continue(());
        }
        let mut all = vec![start];
        let mut seen = Seen::new();
        seen.insert(start);
        let mut from = 0;
        let mut moves = 0;
        while most.is_none_or(|most| moves < most) {
            moves += 1;
            // What the last move brings is visited but need not be gone on from.
            let last = most == Some(moves);
            let end = all.len();
            for at in from..end {
                let own = all[at];
                self.each_move(position, own, &mut |_, next| {
                    if seen.insert(next) {
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

    /// Whether the side to move can push without a move before it. Most positions, quickly; where it says no, there may
    /// still be moves that make a push possible.
    pub fn pushes_at_once(&self, position: &Position) -> bool {
        let own = (position.own_pushers, position.own_pawns);
        squares(own.0).any(|from| (0..4).any(|d| self.pushed(position, own, from, d).is_some()))
    }

    /// The position after a push, seen by the other player; `None` if it is no legal push.
    pub(crate) fn pushed(&self, position: &Position, own: Own, from: u8, d: usize) -> Option<Position> {
        let (pushers, pawns) = own;
        let first = self.board.next[usize::from(from)][d]?;
        let mut all = [pushers, pawns, position.other_pushers, position.other_pawns];
        let occupied = pushers | pawns | position.other_pushers | position.other_pawns;
        if occupied >> first & 1 == 0 {
            return None;
        }
        // The line of pieces ahead, up to the first empty square or the edge.
        let mut line = [0_u8; 64];
        let mut length = 0;
        let mut at = first;
        let end = loop {
            if occupied >> at & 1 == 0 {
                break Some(at);
            }
            if position.anchor >> at & 1 == 1 {
                return None;
            }
            line[length] = at;
            length += 1;
            match self.board.next[usize::from(at)][d] {
                Some(next) => at = next,
                None if self.board.rail[usize::from(at)][d] => return None,
                None => break None,
            }
        };
        if end.is_none() && (pushers | pawns) >> line[length - 1] & 1 == 1 {
            return None;
        }
        for &square in line[..length].iter().rev() {
            let ahead = self.board.next[usize::from(square)][d].map_or(0, |next| 1_u64 << next);
            for set in &mut all {
                // Without a branch: which of the sets it is cannot be foreseen.
                let here = *set >> square & 1;
                *set = *set & !(1 << square) | ahead & here.wrapping_neg();
            }
        }
        all[0] = all[0] & !(1 << from) | 1 << first;
        let after = Position {
            own_pushers: all[0],
            own_pawns: all[1],
            other_pushers: all[2],
            other_pawns: all[3],
            anchor: 0,
        };
        Some(after.swapped(1 << first))
    }

    /// Whether a piece of the side to move is missing: whoever pushed has all of his.
    pub(crate) fn ejected(&self, position: &Position) -> bool {
        position.occupied().count_ones() < self.pieces
    }

    /// Visits the positions after every turn, each at least once.
    pub(crate) fn each_turn(
        &self,
        position: &Position,
        visit: &mut impl FnMut(Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.each_arrangement(position, &mut |own| {
            for from in squares(own.0) {
                for d in 0..4 {
                    if let Some(next) = self.pushed(position, own, from, d) {
                        visit(next)?;
                    }
                }
            }
            ControlFlow::Continue(())
        })
    }

    /// Visits the positions before a position, each at least once.
    pub(crate) fn each_before(
        &self,
        position: &Position,
        visit: &mut impl FnMut(Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let pusher = position.anchor.trailing_zeros() as usize;
        if position.anchor == 0 {
            return ControlFlow::Continue(());
        }
        let other = Pieces::on(position.other_pushers, position.other_pawns);
        let Some(whole) = self.opposing(other) else {
            return ControlFlow::Continue(());
        };
        let ejected = self.ejected(position);
        for d in 0..4 {
            let back = (d + 2) % 4;
            let Some(behind) = self.board.next[pusher][back] else { continue };
            if position.occupied() >> behind & 1 == 1 {
                continue;
            }
            // Pieces of the player who pushed, then of the other: as before his push.
            let mut sets =
                [position.other_pushers, position.other_pawns, position.own_pushers, position.own_pawns];
            let pull = |sets: &mut [u64; 4], from: usize, to: usize| {
                for set in sets.iter_mut() {
                    if *set >> from & 1 == 1 {
                        *set = *set & !(1 << from) | 1 << to;
                    }
                }
            };
            pull(&mut sets, pusher, usize::from(behind));
            let mut empty = pusher;
            let mut displaced = 0_u64;
            loop {
                let next = self.board.next[empty][d].map(usize::from);
                let occupied = sets[0] | sets[1] | sets[2] | sets[3];
                match next.filter(|next| occupied >> next & 1 == 1) {
                    Some(next) => {
                        pull(&mut sets, next, empty);
                        displaced |= 1 << empty;
                        empty = next;
                    }
                    // The piece that was ejected stood at the edge, and all up to it went along.
                    None if ejected && next.is_none() && !self.board.rail[empty][d] => {
                        let set = if sets[2].count_ones() < whole.pushers { 2 } else { 3 };
                        sets[set] |= 1 << empty;
                        displaced |= 1 << empty;
                    }
                    None => break,
                }
                let complete = !ejected || sets[2].count_ones() + sets[3].count_ones() == whole.all();
                // The moves before the push, taken back; then any of the others' pushers that the push did not
                // displace may have held the anchor.
                let before = Position {
                    own_pushers: sets[0],
                    own_pawns: sets[1],
                    other_pushers: sets[2],
                    other_pawns: sets[3],
                    anchor: 0,
                };
                let anchors = sets[2] & !displaced;
                if anchors != 0 && complete {
                    self.each_arrangement(&before, &mut |(pushers, pawns)| {
                        for anchor in squares(anchors) {
                            let anchor = 1 << anchor;
                            visit(Position { own_pushers: pushers, own_pawns: pawns, anchor, ..before })?;
                        }
                        ControlFlow::Continue(())
                    })?;
                }
                if ejected && complete {
                    break;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The distinct turns with the positions they lead to: of several that lead to the same, the one with the
    /// fewest moves, then the alphabetically first.
    pub(crate) fn all_turns(&self, position: &Position) -> Vec<(Vec<Step>, Position)> {
        let start = (position.own_pushers, position.own_pawns);
        // For every arrangement the fewest moves to it, and of those the alphabetically first.
        let mut known: std::collections::HashMap<Own, Vec<Step>> = [(start, Vec::new())].into();
        let mut found: std::collections::HashMap<Position, Vec<Step>> = std::collections::HashMap::new();
        let mut layer = vec![start];
        let mut moves = 0;
        loop {
            let mut here: std::collections::HashMap<Position, Vec<Step>> = std::collections::HashMap::new();
            for own in &layer {
                for from in squares(own.0) {
                    for d in 0..4 {
                        let Some(next) = self.pushed(position, *own, from, d) else { continue };
                        if found.contains_key(&next) {
                            continue;
                        }
                        let Some(to) = self.board.next[usize::from(from)][d] else { continue };
                        let mut steps = known[own].clone();
                        steps.push(Step { from, to });
                        let better = |old: &Vec<Step>| self.steps_text(&steps) < self.steps_text(old);
                        if here.get(&next).is_none_or(better) {
                            here.insert(next, steps);
                        }
                    }
                }
            }
            found.extend(here);
            if self.moves.is_some_and(|most| moves >= most) {
                break;
            }
            let mut next_layer: std::collections::HashMap<Own, Vec<Step>> = std::collections::HashMap::new();
            for own in &layer {
                let path = known[own].clone();
                let _ = self.each_move(position, *own, &mut |step, next| {
                    if !known.contains_key(&next) {
                        let mut steps = path.clone();
                        steps.push(step);
                        let better = |old: &Vec<Step>| self.steps_text(&steps) < self.steps_text(old);
                        if next_layer.get(&next).is_none_or(better) {
                            next_layer.insert(next, steps);
                        }
                    }
                    ControlFlow::Continue(())
                });
            }
            if next_layer.is_empty() {
                break;
            }
            layer = next_layer.keys().copied().collect();
            known.extend(next_layer);
            moves += 1;
        }
        let mut turns: Vec<(Vec<Step>, Position)> =
            found.into_iter().map(|(next, steps)| (steps, next)).collect();
        turns.sort_by_cached_key(|(steps, _)| self.steps_text(steps));
        turns
    }
}

/// A set of arrangements that forgets nothing and hashes little: open addressing in a power of two.
struct Seen {
    slots: Vec<Own>,
    count: usize,
}

/// No arrangement: a piece cannot be pusher and pawn.
const FREE: Own = (u64::MAX, u64::MAX);

impl Seen {
    fn new() -> Seen {
        Seen { slots: vec![FREE; 1 << 9], count: 0 }
    }

    fn slot(&self, own: Own) -> usize {
        let mixed = (own.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ own.1).wrapping_mul(0xd6e8_feb8_6659_fd93);
        (mixed >> 32) as usize & (self.slots.len() - 1)
    }

    /// Whether it is new.
    fn insert(&mut self, own: Own) -> bool {
        if self.count * 2 >= self.slots.len() {
            let old = std::mem::replace(&mut self.slots, vec![FREE; 0]);
            self.slots = vec![FREE; old.len() * 4];
            for own in old.into_iter().filter(|&own| own != FREE) {
                let mut at = self.slot(own);
                while self.slots[at] != FREE {
                    at = (at + 1) & (self.slots.len() - 1);
                }
                self.slots[at] = own;
            }
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
}

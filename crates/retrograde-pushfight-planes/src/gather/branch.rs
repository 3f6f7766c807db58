//! Branches: what the squares ahead of a pusher may hold.

use super::Unit;
use crate::shape::{Shape, squares};

/// What of a line is known so far.
#[derive(Clone, Copy)]
pub(crate) struct Line {
    pub own_pushers: u64,
    pub own_pawns: u64,
    pub other_pushers: u64,
    pub other_pawns: u64,
    /// Where pushers and the mover's pawns are afterwards.
    pub own_pushers_after: u64,
    pub own_pawns_after: u64,
    pub other_pushers_after: u64,
    /// All squares, from the pusher on.
    pub squares: u64,
    /// Whether the last piece was the opponent's; `None` before the first one.
    pub last: Option<bool>,
}

/// The pusher and where it goes.
#[derive(Clone, Copy)]
pub(crate) struct Push {
    pub pushers: u64,
    pub from: usize,
    pub to: usize,
    pub direction: usize,
}

impl Line {
    fn behind(from: usize) -> Line {
        Line {
            own_pushers: 0,
            own_pawns: 0,
            other_pushers: 0,
            other_pawns: 0,
            own_pushers_after: 0,
            own_pawns_after: 0,
            other_pushers_after: 0,
            squares: 1 << from,
            last: None,
        }
    }
}

/// Lists the branches of all pushes of a set of the mover's pushers, and whether they eject a piece of the opponent.
#[inline(always)]
pub(crate) fn branches_of<const W: usize>(
    shape: &Shape,
    unit: &Unit<W>,
    pushers: u64,
    branches: &mut Vec<(Push, Line, bool)>,
) {
    branches.clear();
    for from in squares(pushers) {
        for direction in 0..4 {
            let Some(to) = shape.next[from & 63][direction] else { continue };
            let push = Push { pushers, from, to: usize::from(to), direction };
            Walk { shape, unit, push, branches }.go(Some(to), from, Line::behind(from));
        }
    }
}

/// Finds the branches of a push.
struct Walk<'a, const W: usize> {
    shape: &'a Shape,
    unit: &'a Unit<W>,
    push: Push,
    branches: &'a mut Vec<(Push, Line, bool)>,
}

impl<const W: usize> Walk<'_, W> {
    /// Goes on along a line: `at` is its next square, `before` the one before it.
    fn go(&mut self, at: Option<u8>, before: usize, line: Line) {
        let Some(at) = at else {
            if line.last == Some(true) && !self.shape.rail[before][self.push.direction] {
                self.branches.push((self.push, line, true));
            }
            return;
        };
        let at = usize::from(at);
        let bit = 1_u64 << at;
        let next = self.shape.next[at][self.push.direction];
        let ahead = next.map_or(0, |next| 1_u64 << next);
        let line = Line { squares: line.squares | bit, ..line };
        if self.push.pushers & bit != 0 {
            let (own_pushers, own_pushers_after) = (line.own_pushers | bit, line.own_pushers_after | ahead);
            return self.go(next, at, Line { own_pushers, own_pushers_after, last: Some(false), ..line });
        }
        if self.unit.pushers & bit != 0 {
            // Not all anchors may be in the way.
            let (other_pushers, other_pushers_after) =
                (line.other_pushers | bit, line.other_pushers_after | ahead);
            if self.unit.anchors.iter().any(|&(anchor, _)| other_pushers >> anchor & 1 == 0) {
                self.go(next, at, Line { other_pushers, other_pushers_after, last: Some(true), ..line });
            }
            return;
        }
        if (line.own_pawns.count_ones() as usize) < self.shape.pawns {
            let (own_pawns, own_pawns_after) = (line.own_pawns | bit, line.own_pawns_after | ahead);
            self.go(next, at, Line { own_pawns, own_pawns_after, last: Some(false), ..line });
        }
        if (line.other_pawns.count_ones() as usize) < self.shape.pawns {
            self.go(next, at, Line { other_pawns: line.other_pawns | bit, last: Some(true), ..line });
        }
        if line.last.is_some() {
            self.branches.push((self.push, line, false));
        }
    }
}

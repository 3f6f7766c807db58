//! Branches: what the squares ahead of a pusher may hold.

use crate::layout::numbering::Shape;
use crate::layout::pusher_set_job::Unit;
use crate::layout::sets::{some, squares};

/// What of a line is known so far.
#[derive(Clone, Copy)]
pub(crate) struct Line<const W: usize> {
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
    /// Of the lanes that are asked for those of the opponent's pawns that stand on the line as it says.
    pub cases: [u64; W],
    /// The lanes of the mover's pawns that do, before the push and after it. (After it the opponent's pushers may stand
    /// elsewhere; these lanes are still those beside where they were.)
    pub before: [u64; W],
    pub after: [u64; W],
}

/// The pusher and where it goes.
#[derive(Clone, Copy)]
pub(crate) struct Push {
    pub pushers: u64,
    pub from: usize,
    pub to: usize,
    pub direction: usize,
}

#[inline(always)]
fn and<const W: usize>(row: &[u64; W], mask: &[u64; W]) -> [u64; W] {
    std::array::from_fn(|word| row[word] & mask[word])
}

#[inline(always)]
fn without<const W: usize>(row: &[u64; W], mask: &[u64; W]) -> [u64; W] {
    std::array::from_fn(|word| row[word] & !mask[word])
}

impl<const W: usize> Line<W> {
    #[inline(always)]
    fn behind(from: usize, unit: &Unit<W>, asked: &[u64; W]) -> Line<W> {
        let clear = &unit.clear[from & 63];
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
            cases: and(asked, clear),
            before: *clear,
            after: *clear,
        }
    }

    /// With a further square, on which pawns of neither side are, or of which.
    #[inline(always)]
    fn with(&self, at: usize, unit: &Unit<W>, own: bool, other: bool) -> Line<W> {
        let clear = &unit.clear[at & 63];
        let pawn = |row: &[u64; W], there: bool| if there { without(row, clear) } else { and(row, clear) };
        Line {
            squares: self.squares | 1 << at,
            cases: pawn(&self.cases, other),
            before: pawn(&self.before, own),
            after: pawn(&self.after, self.own_pawns_after >> at & 1 == 1),
            ..*self
        }
    }

    /// Whether there is such a position.
    #[inline(always)]
    fn occurs(&self) -> bool {
        some(&self.cases) && some(&self.before)
    }
}

/// Lists the branches of all pushes of a set of the mover's pushers that occur with some lanes of the opponent's pawns, and whether
/// they eject a piece of the opponent.
#[inline(always)]
pub(crate) fn branches_of<const W: usize>(
    shape: &Shape,
    unit: &Unit<W>,
    pushers: u64,
    asked: &[u64; W],
    branches: &mut Vec<(Push, Line<W>, bool)>,
) {
    branches.clear();
    for from in squares(pushers) {
        let line = Line::behind(from, unit, asked);
        for direction in 0..4 {
            let Some(to) = shape.next[from & 63][direction] else { continue };
            let push = Push { pushers, from, to: usize::from(to), direction };
            Walk { shape, unit, push, branches }.go(Some(to), from, &line);
        }
    }
}

/// Finds the branches of a push.
struct Walk<'a, const W: usize> {
    shape: &'a Shape,
    unit: &'a Unit<W>,
    push: Push,
    branches: &'a mut Vec<(Push, Line<W>, bool)>,
}

impl<const W: usize> Walk<'_, W> {
    /// Goes on along a line: `at` is its next square, `before` the one before it.
    fn go(&mut self, at: Option<u8>, before: usize, line: &Line<W>) {
        if !line.occurs() {
            return;
        }
        let Some(at) = at else {
            if line.last == Some(true) && !self.shape.rail[before][self.push.direction] {
                self.branches.push((self.push, *line, true));
            }
            return;
        };
        let at = usize::from(at);
        let bit = 1_u64 << at;
        let next = self.shape.next[at][self.push.direction];
        let ahead = next.map_or(0, |next| 1_u64 << next);
        if self.push.pushers & bit != 0 {
            let (own_pushers, own_pushers_after) = (line.own_pushers | bit, line.own_pushers_after | ahead);
            let line = line.with(at, self.unit, false, false);
            return self.go(next, at, &Line { own_pushers, own_pushers_after, last: Some(false), ..line });
        }
        if self.unit.pushers & bit != 0 {
            // Not all anchors may be in the way.
            let (other_pushers, other_pushers_after) =
                (line.other_pushers | bit, line.other_pushers_after | ahead);
            if self.unit.anchors.iter().any(|&(anchor, _)| other_pushers >> anchor & 1 == 0) {
                let line = line.with(at, self.unit, false, false);
                self.go(next, at, &Line { other_pushers, other_pushers_after, last: Some(true), ..line });
            }
            return;
        }
        if (line.own_pawns.count_ones() as usize) < self.shape.pawns {
            let (own_pawns, own_pawns_after) = (line.own_pawns | bit, line.own_pawns_after | ahead);
            let line = line.with(at, self.unit, true, false);
            self.go(next, at, &Line { own_pawns, own_pawns_after, last: Some(false), ..line });
        }
        if (line.other_pawns.count_ones() as usize) < self.shape.pawns {
            let other_pawns = line.other_pawns | bit;
            let line = line.with(at, self.unit, false, true);
            self.go(next, at, &Line { other_pawns, last: Some(true), ..line });
        }
        if line.last.is_some() {
            let line = line.with(at, self.unit, false, false);
            if line.occurs() {
                self.branches.push((self.push, line, false));
            }
        }
    }
}

//! Push patterns: how the squares ahead of a pusher may be occupied.

use retrograde_game::{Square, Squares};

use crate::layout::numbering::Layout;
use crate::layout::pusher_set_job::PusherSetJob;
use crate::layout::sets::any_bit;

/// The known part of a line.
#[derive(Clone, Copy)]
pub(crate) struct PushLine<const W: usize> {
    pub own_pushers: Squares,
    pub own_pawns: Squares,
    pub other_pushers: Squares,
    pub other_pawns: Squares,
    /// The same after the push.
    pub own_pushers_after: Squares,
    pub own_pawns_after: Squares,
    pub other_pushers_after: Squares,
    /// All squares, from the pusher on.
    pub squares: Squares,
    /// Whether the last piece was the opponent's; `None` before the first one.
    pub last: Option<bool>,
    /// The needed lanes of the opponent's pawns that match the line.
    pub cases: [u64; W],
    /// The lanes of the mover's pawns that match it, before and after the push. (The push may displace
    /// opposing pushers; the lanes still refer to their old squares.)
    pub before: [u64; W],
    pub after: [u64; W],
}

/// The pusher and where it goes.
#[derive(Clone, Copy)]
pub(crate) struct Push {
    pub pushers: Squares,
    pub from: Square,
    pub to: Square,
    pub direction: usize,
}

/// A push, the pieces on its line, and whether it ejects a piece of the opponent.
pub(crate) type PushPattern<const W: usize> = (Push, PushLine<W>, bool);

#[inline(always)]
fn and<const W: usize>(row: &[u64; W], mask: &[u64; W]) -> [u64; W] {
    std::array::from_fn(|word| row[word] & mask[word])
}

#[inline(always)]
fn without<const W: usize>(row: &[u64; W], mask: &[u64; W]) -> [u64; W] {
    std::array::from_fn(|word| row[word] & !mask[word])
}

impl<const W: usize> PushLine<W> {
    #[inline(always)]
    fn starting_at(from: Square, job: &PusherSetJob<W>, asked: &[u64; W]) -> PushLine<W> {
        let clear = job.clear_of(from);
        PushLine {
            own_pushers: Squares::EMPTY,
            own_pawns: Squares::EMPTY,
            other_pushers: Squares::EMPTY,
            other_pawns: Squares::EMPTY,
            own_pushers_after: Squares::EMPTY,
            own_pawns_after: Squares::EMPTY,
            other_pushers_after: Squares::EMPTY,
            squares: from.set(),
            last: None,
            cases: and(asked, clear),
            before: *clear,
            after: *clear,
        }
    }

    /// Extends the line by a square, which is free of pawns or has a pawn of one side.
    #[inline(always)]
    fn extend(&self, at: Square, job: &PusherSetJob<W>, own: bool, other: bool) -> PushLine<W> {
        let clear = job.clear_of(at);
        let pawn =
            |row: &[u64; W], present: bool| if present { without(row, clear) } else { and(row, clear) };
        PushLine {
            squares: self.squares.with(at),
            cases: pawn(&self.cases, other),
            before: pawn(&self.before, own),
            after: pawn(&self.after, self.own_pawns_after.contains(at)),
            ..*self
        }
    }

    /// Whether any position matches the line.
    #[inline(always)]
    fn is_possible(&self) -> bool {
        any_bit(&self.cases) && any_bit(&self.before)
    }
}

/// Lists the patterns of all pushes of a set of the mover's pushers that occur with some of the given
/// lanes of opposing pawns, and whether they eject a piece of the opponent.
#[inline(always)]
pub(crate) fn push_patterns<const W: usize>(
    layout: &Layout,
    job: &PusherSetJob<W>,
    pushers: Squares,
    asked: &[u64; W],
    patterns: &mut Vec<PushPattern<W>>,
) {
    patterns.clear();
    for from in pushers {
        let line = PushLine::starting_at(from, job, asked);
        for direction in 0..4 {
            let Some(to) = layout.board.neighbour(from, direction) else { continue };
            let push = Push { pushers, from, to, direction };
            PatternWalk { layout, job, push, patterns }.walk_on(Some(to), from, &line);
        }
    }
}

/// Finds the patterns of a push.
struct PatternWalk<'a, const W: usize> {
    layout: &'a Layout,
    job: &'a PusherSetJob<W>,
    push: Push,
    patterns: &'a mut Vec<PushPattern<W>>,
}

impl<const W: usize> PatternWalk<'_, W> {
    /// Extends a line: `at` is its next square, `before` the one before it.
    fn walk_on(&mut self, at: Option<Square>, before: Square, line: &PushLine<W>) {
        if !line.is_possible() {
            return;
        }
        let Some(at) = at else {
            if line.last == Some(true) && !self.layout.board.has_rail(before, self.push.direction) {
                self.patterns.push((self.push, *line, true));
            }
            return;
        };
        let bit = at.set();
        let next = self.layout.board.neighbour(at, self.push.direction);
        let ahead = next.map_or(Squares::EMPTY, Square::set);
        if self.push.pushers.contains(at) {
            let (own_pushers, own_pushers_after) = (line.own_pushers | bit, line.own_pushers_after | ahead);
            let line = line.extend(at, self.job, false, false);
            return self.walk_on(
                next,
                at,
                &PushLine { own_pushers, own_pushers_after, last: Some(false), ..line },
            );
        }
        if self.job.pushers.contains(at) {
            // Not all anchors may be in the way.
            let (other_pushers, other_pushers_after) =
                (line.other_pushers | bit, line.other_pushers_after | ahead);
            if self.job.anchors.iter().any(|&(anchor, _)| !other_pushers.contains(anchor)) {
                let line = line.extend(at, self.job, false, false);
                self.walk_on(
                    next,
                    at,
                    &PushLine { other_pushers, other_pushers_after, last: Some(true), ..line },
                );
            }
            return;
        }
        if (line.own_pawns.len() as usize) < self.layout.pawn_count {
            let (own_pawns, own_pawns_after) = (line.own_pawns | bit, line.own_pawns_after | ahead);
            let line = line.extend(at, self.job, true, false);
            self.walk_on(next, at, &PushLine { own_pawns, own_pawns_after, last: Some(false), ..line });
        }
        if (line.other_pawns.len() as usize) < self.layout.pawn_count {
            let other_pawns = line.other_pawns | bit;
            let line = line.extend(at, self.job, false, true);
            self.walk_on(next, at, &PushLine { other_pawns, last: Some(true), ..line });
        }
        if line.last.is_some() {
            let line = line.extend(at, self.job, false, false);
            if line.is_possible() {
                self.patterns.push((self.push, line, false));
            }
        }
    }
}

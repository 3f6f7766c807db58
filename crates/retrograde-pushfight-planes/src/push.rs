//! Pushes of a block, by patterns: which pusher pushes which way, and what of the line ahead is the mover's own. All
//! other pieces of the mover vary, so a pattern is about many rows, and about all lanes at once.

use crate::layout::{Layout, Side};

/// A way to push.
pub(crate) struct Pattern {
    /// Where the pusher stands, and where it goes.
    pub from: u8,
    pub to: u8,
    pub direction: usize,
    /// The mover's pushers and pawns that it displaces.
    pub pushers: u64,
    pub pawns: u64,
    /// The squares, from the pusher to the first empty one, that the opponent does not stand on.
    pub line: u64,
    /// The opponent's pieces afterwards; `None` if one is ejected.
    pub opponent: Option<Side>,
}

/// What is fixed while a line is walked along.
struct Walk<'a, F> {
    layout: &'a Layout,
    opponent: Side,
    anchor: u64,
    from: u8,
    to: u8,
    direction: usize,
    visit: F,
}

/// What of the line is known so far.
#[derive(Clone, Copy)]
struct Line {
    pushers: u64,
    pawns: u64,
    line: u64,
    /// The opponent's pieces that are displaced.
    opponent: u64,
    /// Whether the last piece was the opponent's; `None` before the first piece.
    last: Option<bool>,
}

/// Visits all patterns of a block.
pub(crate) fn each_pattern(layout: &Layout, opponent: Side, anchor: u64, mut visit: impl FnMut(&Pattern)) {
    let free = layout.all & !opponent.all();
    for from in crate::layout::squares(free) {
        for direction in 0..4 {
            let Some(to) = layout.next[from][direction] else { continue };
            let start = Line { pushers: 0, pawns: 0, line: 1 << from, opponent: 0, last: None };
            let mut walk =
                Walk { layout, opponent, anchor, from: from as u8, to, direction, visit: &mut visit };
            walk.go(Some(to), to, start);
        }
    }
}

impl<F: FnMut(&Pattern)> Walk<'_, F> {
    /// `at` is the next square of the line, `before` the one before it.
    fn go(&mut self, at: Option<u8>, before: u8, line: Line) {
        let Some(at) = at else {
            let fixed = self.layout.rail[usize::from(before)][self.direction];
            if line.last == Some(true) && !fixed {
                self.found(line, None);
            }
            return;
        };
        let bit = 1_u64 << at;
        let next = self.layout.next[usize::from(at)][self.direction];
        if self.opponent.all() & bit != 0 {
            if self.anchor & bit == 0 {
                self.go(next, at, Line { opponent: line.opponent | bit, last: Some(true), ..line });
            }
            return;
        }
        if line.last.is_some() {
            let line = Line { line: line.line | bit, ..line };
            let shifted =
                |set: u64| set & !line.opponent | self.layout.shifted(set & line.opponent, self.direction);
            let after = Side { pushers: shifted(self.opponent.pushers), pawns: shifted(self.opponent.pawns) };
            self.found(line, Some(after));
        }
        let with = Line { line: line.line | bit, last: Some(false), ..line };
        if (line.pushers.count_ones() as usize) < self.layout.pushers - 1 {
            self.go(next, at, Line { pushers: line.pushers | bit, ..with });
        }
        if (line.pawns.count_ones() as usize) < self.layout.pawns {
            self.go(next, at, Line { pawns: line.pawns | bit, ..with });
        }
    }

    fn found(&mut self, line: Line, opponent: Option<Side>) {
        (self.visit)(&Pattern {
            from: self.from,
            to: self.to,
            direction: self.direction,
            pushers: line.pushers,
            pawns: line.pawns,
            line: line.line,
            opponent,
        });
    }
}

//! A few moves: tries all sequences that can still succeed, for each pusher and each target.
//!
//! For a fixed number of moves this is polynomial in the board (the paper's Theorem 3.2). Two
//! things keep the search small. Every square that has to be filled takes a separate move, so most
//! targets are out of reach before anything is tried. And the moves that serve the target directly
//! are found by looking around the square in question. Other moves are tried only if one may be
//! spent on making room; if only one move is left after it, only moves that make room for that
//! move.

use crate::mate::state::{State, Turn};
use crate::mate::targets::{Target, targets};
use crate::mate::unlimited::is_pawn;

/// Finds the turn with the fewest moves, at most `moves`, that ejects an opposing piece.
pub(crate) fn within(state: &State, moves: u32) -> Option<Turn> {
    let targets = targets(state);
    let pushers: Vec<u32> = state.pushers().collect();
    let mut trial = Trial::new(state);
    for allowed in 0..=moves {
        for &pusher in &pushers {
            trial.begin(pusher);
            for target in &targets {
                if trial.search(target, allowed) {
                    let push = (target.square, target.direction);
                    return Some(Turn { moves: trial.made, push });
                }
            }
        }
    }
    None
}

/// The pieces after some moves.
struct Trial<'a> {
    state: &'a State,
    pusher: u32,
    pawn: Vec<bool>,
    made: Vec<(u32, u32)>,
    /// The marks of flood fills. A square is marked if it has the number of the current flood, so
    /// marks are never cleared.
    marks: Vec<u64>,
    floods: u64,
}

impl<'a> Trial<'a> {
    fn new(state: &'a State) -> Trial<'a> {
        let all = state.square_count();
        Trial { state, pusher: 0, pawn: vec![false; all], made: Vec::new(), marks: vec![0; all], floods: 0 }
    }

    fn begin(&mut self, pusher: u32) {
        self.pusher = pusher;
        for square in 0..self.state.square_count() as u32 {
            self.pawn[square as usize] = is_pawn(self.state, pusher, square);
        }
    }

    /// A lower bound for the moves that a target takes.
    fn need(&self, target: &Target) -> u32 {
        let empty = target.fill.iter().filter(|&&square| !self.pawn[square as usize]).count() as u32;
        if self.pusher == target.square {
            empty
        } else {
            // A pawn on the pusher's place may leave it for a square of the line.
            1 + empty.max(u32::from(self.pawn[target.square as usize]))
        }
    }

    /// Whether some moves reach a target. If so, they are in `made`.
    fn search(&mut self, target: &Target, allowed: u32) -> bool {
        let need = self.need(target);
        if need == 0 || need > allowed {
            return need == 0;
        }
        let candidates = if need == allowed {
            self.direct(target)
        } else if allowed == 2 {
            self.making_room(target)
        } else {
            let own = (0..self.pawn.len() as u32).filter(|&at| self.pawn[at as usize] || at == self.pusher);
            let own: Vec<u32> = own.collect();
            own.into_iter().flat_map(|from| self.moves_of(from)).collect()
        };
        for (from, to) in candidates {
            // A piece that moves twice in a row could have moved once.
            if self.made.last().is_some_and(|&(_, last)| last == from) {
                continue;
            }
            self.make(from, to);
            if self.need(target) < allowed && self.search(target, allowed - 1) {
                return true;
            }
            self.made.pop();
            self.put(to, from);
        }
        false
    }

    fn make(&mut self, from: u32, to: u32) {
        self.put(from, to);
        self.made.push((from, to));
    }

    fn put(&mut self, from: u32, to: u32) {
        if self.pusher == from {
            self.pusher = to;
        } else {
            self.pawn.swap(from as usize, to as usize);
        }
    }

    fn is_empty(&self, square: u32) -> bool {
        let other = self.state.pieces[square as usize].is_other();
        !other && !self.pawn[square as usize] && square != self.pusher
    }

    /// The empty squares that a piece on a square can reach, and the own pieces around them.
    fn around(&mut self, square: u32) -> (Vec<u32>, Vec<u32>) {
        self.floods += 1;
        let (mut empty, mut pieces) = (vec![square], Vec::new());
        self.marks[square as usize] = self.floods;
        let mut at = 0;
        while at < empty.len() {
            for (_, next) in self.state.neighbours(empty[at]) {
                if std::mem::replace(&mut self.marks[next as usize], self.floods) == self.floods {
                    continue;
                }
                if self.is_empty(next) {
                    empty.push(next);
                } else if self.pawn[next as usize] || next == self.pusher {
                    pieces.push(next);
                }
            }
            at += 1;
        }
        empty.remove(0);
        (empty, pieces)
    }

    fn moves_of(&mut self, from: u32) -> Vec<(u32, u32)> {
        self.around(from).0.into_iter().map(|to| (from, to)).collect()
    }

    /// The moves that bring a target closer: filling a square of the line, vacating the pusher's
    /// place, or moving there.
    fn direct(&mut self, target: &Target) -> Vec<(u32, u32)> {
        let mut found = Vec::new();
        if self.pusher != target.square {
            if self.pawn[target.square as usize] {
                found.extend(self.moves_of(target.square));
            } else if self.around(target.square).1.contains(&self.pusher) {
                found.push((self.pusher, target.square));
            }
        }
        for &hole in target.fill.iter().filter(|&&square| self.is_empty(square)).collect::<Vec<_>>() {
            let pieces = self.around(hole).1;
            let helps = |&from: &u32| from != self.pusher && !target.fill.contains(&from);
            found.extend(pieces.into_iter().filter(helps).map(|from| (from, hole)));
        }
        found
    }

    /// The moves after which one more move can complete a target with one gap: they vacate a
    /// square next to the empty region around the gap.
    fn making_room(&mut self, target: &Target) -> Vec<(u32, u32)> {
        let wanted = if self.pusher == target.square {
            target.fill.iter().copied().find(|&square| !self.pawn[square as usize])
        } else {
            Some(target.square)
        };
        let pieces = wanted.map_or(Vec::new(), |square| self.around(square).1);
        pieces.into_iter().flat_map(|from| self.moves_of(from)).collect()
    }
}

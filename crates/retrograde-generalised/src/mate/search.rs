//! Finds the least number of moves by an informed search (A*) over arrangements, beginning with the
//! one on the board.
//!
//! The heuristic is the least number of moves that any target still needs. An empty square of the line takes
//! a separate move of a pawn, and so does every pawn on the pusher's path (the path with the fewest pawns).
//! The pusher has to move, too. A move changes this bound by at most one, so every arrangement is expanded
//! with its fewest moves.

use std::collections::{HashMap, VecDeque};

use rustc_hash::FxBuildHasher;

use crate::mate::state::{State, Turn};
use crate::mate::targets::{Target, targets};

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SearchResult {
    /// The turn with the least number of moves.
    Turn(Turn),
    /// No turn within the allowed number of moves.
    None,
    /// The memory limit was reached; at least this number of moves is needed.
    AtLeast(u32),
}

/// Searches for the turn with the least number of moves, at most `most`, with `memory` bytes.
pub(crate) fn search(state: &State, most: u32, memory: u64) -> SearchResult {
    let free = (0..state.square_count()).filter(|&square| !state.pieces[square].is_other()).count();
    match free.div_ceil(64) {
        0..=1 => ArrangementSearch::<1>::run(state, most, memory),
        2 => ArrangementSearch::<2>::run(state, most, memory),
        3..=4 => ArrangementSearch::<4>::run(state, most, memory),
        5..=16 => ArrangementSearch::<16>::run(state, most, memory),
        17..=64 => ArrangementSearch::<64>::run(state, most, memory),
        _ => SearchResult::AtLeast(0),
    }
}

/// The own pieces except the pusher, as bits over the squares that the opponent does not occupy,
/// and the pusher's square.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Arrangement<const W: usize> {
    pawns: [u64; W],
    pusher: u16,
}

impl<const W: usize> Arrangement<W> {
    fn has_pawn(&self, square: u16) -> bool {
        self.pawns[usize::from(square / 64)] >> (square % 64) & 1 == 1
    }

    fn is_empty(&self, square: u16) -> bool {
        square != self.pusher && !self.has_pawn(square)
    }

    fn moved(mut self, from: u16, to: u16) -> Arrangement<W> {
        if self.pusher == from {
            self.pusher = to;
        } else {
            self.pawns[usize::from(from / 64)] ^= 1 << (from % 64);
            self.pawns[usize::from(to / 64)] ^= 1 << (to % 64);
        }
        self
    }
}

struct Node<const W: usize> {
    arrangement: Arrangement<W>,
    moves: u16,
    before: u32,
}

struct ArrangementSearch<'a, const W: usize> {
    state: &'a State,
    /// The squares that the opponent does not occupy, and the neighbours of each, as numbers of such squares.
    free: Vec<u32>,
    neighbours: Vec<Vec<u16>>,
    targets: Vec<Target>,
    nodes: Vec<Node<W>>,
    known: HashMap<Arrangement<W>, u32, FxBuildHasher>,
    /// Open nodes by the lower bound for a turn through them, with the moves so far.
    open: Vec<Vec<(u32, u16)>>,
    /// The number of pawns on the path from the pusher.
    ways: Vec<u16>,
}

impl<'a, const W: usize> ArrangementSearch<'a, W> {
    /// The memory of an arrangement: its node, its entry in the table and its entry in the list of
    /// open nodes, doubled because lists and tables may be half empty after growing.
    const BYTES: u64 = 2 * (size_of::<Node<W>>() + size_of::<(Arrangement<W>, u32)>() + 10) as u64;

    fn run(state: &'a State, most: u32, memory: u64) -> SearchResult {
        let free: Vec<u32> =
            (0..state.square_count() as u32).filter(|&at| !state.pieces[at as usize].is_other()).collect();
        let number = |square: u32| free.binary_search(&square).ok().map(|number| number as u16);
        let neighbours =
            |&square: &u32| state.neighbours(square).filter_map(|(_, next)| number(next)).collect();
        let neighbours: Vec<Vec<u16>> = free.iter().map(neighbours).collect();
        let of = |target: Target| Target {
            square: number(target.square).map_or(0, u32::from),
            fill: target.fill.iter().filter_map(|&square| number(square).map(u32::from)).collect(),
            ..target
        };
        let targets: Vec<Target> = targets(state).into_iter().map(of).collect();
        let mut pawns = [0; W];
        for (number, &square) in free.iter().enumerate() {
            pawns[number / 64] |= u64::from(state.pieces[square as usize].is_own()) << (number % 64);
        }
        let mut search = ArrangementSearch {
            state,
            ways: vec![0; free.len()],
            neighbours,
            targets,
            nodes: Vec::new(),
            known: HashMap::default(),
            open: Vec::new(),
            free,
        };
        let pushers: Vec<u16> = state.pushers().filter_map(|square| search.number(square)).collect();
        for pusher in pushers {
            let mut arrangement = Arrangement { pawns, pusher };
            arrangement.pawns[usize::from(pusher / 64)] ^= 1 << (pusher % 64);
            search.meet(arrangement, 0, u32::MAX, most);
        }
        search.best_first(most, memory / Self::BYTES)
    }

    fn number(&self, square: u32) -> Option<u16> {
        self.free.binary_search(&square).ok().map(|number| number as u16)
    }

    fn best_first(&mut self, most: u32, nodes: u64) -> SearchResult {
        let mut at_least = 0;
        while at_least < self.open.len() {
            let Some((number, moves)) = self.open[at_least].pop() else {
                at_least += 1;
                continue;
            };
            let Node { arrangement, moves: fewest, .. } = self.nodes[number as usize];
            if moves > fewest {
                continue;
            }
            if let Some(target) = self.hit(&arrangement) {
                return SearchResult::Turn(self.turn(number, target));
            }
            if self.nodes.len() as u64 >= nodes {
                return SearchResult::AtLeast(at_least as u32);
            }
            self.expand(number, &arrangement, moves, most);
        }
        SearchResult::None
    }

    /// Adds an arrangement, unless it is known with no more moves or needs more than allowed.
    fn meet(&mut self, arrangement: Arrangement<W>, moves: u16, before: u32, most: u32) {
        let number = match self.known.get(&arrangement) {
            Some(&number) if self.nodes[number as usize].moves <= moves => return,
            Some(&number) => number,
            None => self.nodes.len() as u32,
        };
        let Some(needed) = self.needed(&arrangement) else { return };
        let total = usize::from(moves) + usize::from(needed);
        if total > most as usize {
            return;
        }
        let node = Node { arrangement, moves, before };
        if number as usize == self.nodes.len() {
            self.known.insert(arrangement, number);
            self.nodes.push(node);
        } else {
            self.nodes[number as usize] = node;
        }
        if self.open.len() <= total {
            self.open.resize_with(total + 1, Vec::new);
        }
        self.open[total].push((number, moves));
    }

    fn expand(&mut self, number: u32, arrangement: &Arrangement<W>, moves: u16, most: u32) {
        let all = self.free.len() as u16;
        let mut seen = vec![false; usize::from(all)];
        for first in 0..all {
            if !arrangement.is_empty(first) || seen[usize::from(first)] {
                continue;
            }
            // Every piece around a region of empty squares can move to each of them.
            let (mut region, mut pieces) = (vec![first], Vec::new());
            seen[usize::from(first)] = true;
            let mut at = 0;
            while at < region.len() {
                for &next in &self.neighbours[usize::from(region[at])] {
                    if !arrangement.is_empty(next) {
                        pieces.push(next);
                    } else if !std::mem::replace(&mut seen[usize::from(next)], true) {
                        region.push(next);
                    }
                }
                at += 1;
            }
            pieces.sort_unstable();
            pieces.dedup();
            for &from in &pieces {
                for &to in &region {
                    self.meet(arrangement.moved(from, to), moves + 1, number, most);
                }
            }
        }
    }

    /// A lower bound for the moves still needed; `None` if the pusher can reach no target.
    fn needed(&mut self, arrangement: &Arrangement<W>) -> Option<u16> {
        const FAR: u16 = u16::MAX;
        let mut ways = std::mem::take(&mut self.ways);
        ways.fill(FAR);
        ways[usize::from(arrangement.pusher)] = 0;
        let mut todo = VecDeque::from([(arrangement.pusher, 0)]);
        while let Some((at, pawns)) = todo.pop_front() {
            if pawns > ways[usize::from(at)] {
                continue;
            }
            for &next in &self.neighbours[usize::from(at)] {
                let step = u16::from(arrangement.has_pawn(next));
                if pawns + step < ways[usize::from(next)] {
                    ways[usize::from(next)] = pawns + step;
                    if step == 0 {
                        todo.push_front((next, pawns));
                    } else {
                        todo.push_back((next, pawns + 1));
                    }
                }
            }
        }
        let of = |target: &Target| {
            let way = ways[target.square as usize];
            let lacking =
                target.fill.iter().filter(|&&square| !arrangement.has_pawn(square as u16)).count() as u16;
            if target.square == u32::from(arrangement.pusher) {
                Some(lacking)
            } else {
                (way != FAR).then(|| 1 + lacking.max(way))
            }
        };
        let least = self.targets.iter().filter_map(of).min();
        self.ways = ways;
        least
    }

    /// A target that the arrangement completes.
    fn hit(&self, arrangement: &Arrangement<W>) -> Option<usize> {
        self.targets.iter().position(|target| {
            target.square == u32::from(arrangement.pusher)
                && target.fill.iter().all(|&square| arrangement.has_pawn(square as u16))
        })
    }

    /// The moves to a node, and the push.
    fn turn(&self, number: u32, target: usize) -> Turn {
        let mut moves = Vec::new();
        let mut at = &self.nodes[number as usize];
        while let Some(before) = self.nodes.get(at.before as usize) {
            let (now, then) = (&at.arrangement, &before.arrangement);
            let all = 0..self.free.len() as u16;
            let changed = |from: &Arrangement<W>, to: &Arrangement<W>| {
                all.clone().find(|&s| !from.is_empty(s) && to.is_empty(s))
            };
            if let (Some(from), Some(to)) = (changed(then, now), changed(now, then)) {
                moves.push((self.free[usize::from(from)], self.free[usize::from(to)]));
            }
            at = before;
        }
        moves.reverse();
        let Target { square, direction, .. } = self.targets[target];
        debug_assert!(moves.len() == usize::from(self.nodes[number as usize].moves));
        let turn = Turn { moves, push: (self.free[square as usize], direction) };
        debug_assert!(self.state.check(&turn).is_ok());
        turn
    }
}

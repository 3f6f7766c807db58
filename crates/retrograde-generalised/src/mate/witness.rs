//! Converts a plan over classes to a turn that can be played, with real moves of pawns between the
//! pusher's steps.
//!
//! Within a part of the space pawns can be brought anywhere (the paper's Lemma 3.11): to vacate one
//! square and occupy another, every pawn on a path between them moves up to the next one's place,
//! the foremost first.

use std::collections::VecDeque;

use crate::mate::pawn_space::PawnSpace;
use crate::mate::state::{Piece, State, Turn};
use crate::mate::unlimited::{Plan, is_pawn};

/// The current pieces, and the moves so far.
struct Player<'a> {
    state: &'a State,
    space: &'a PawnSpace,
    pusher: u32,
    pawn: Vec<bool>,
    moves: Vec<(u32, u32)>,
}

/// The turn of a plan.
pub(crate) fn turn(state: &State, space: &PawnSpace, plan: &Plan) -> Turn {
    let pawn = (0..state.square_count() as u32).map(|square| is_pawn(state, plan.pusher, square)).collect();
    let mut player = Player { state, space, pusher: plan.pusher, pawn, moves: Vec::new() };
    for (square, wanted) in &plan.steps {
        // The parts ahead are counted. The part that the pusher comes from, and what joins it, is the rest.
        let ahead = |at: u32| {
            let part = space.part(state, *square, at);
            wanted.iter().position(|(known, _)| *known == part)
        };
        let entered = space.part(state, player.pusher, *square);
        let from = player.pusher;
        let inside = move |at: u32| {
            at != from
                && space.component(at) == space.component(from)
                && space.part(state, from, at) == entered
        };
        let region: Vec<u32> = player.flood(*square, &inside);
        let mut counts = vec![0; wanted.len()];
        for &at in region.iter().filter(|&&at| at != *square && player.pawn[at as usize]) {
            if let Some(part) = ahead(at) {
                counts[part] += 1;
            }
        }
        let target: Vec<u32> = wanted.iter().map(|&(_, count)| count).collect();
        player.share_out(*square, &region, &ahead, counts, &target);
        player.move_pusher(*square);
    }
    for &fill in &plan.target.fill {
        if !player.pawn[fill as usize] {
            let line = &plan.target.fill;
            let everywhere = |_: u32| true;
            player.shift(&player.flood(fill, &everywhere), &|at| !line.contains(&at), &|at| at == fill);
        }
    }
    Turn { moves: shortened(player.moves), push: (plan.target.square, plan.target.direction) }
}

impl Player<'_> {
    /// The allowed squares that pawns can reach from a square without passing the pusher.
    fn flood(&self, from: u32, allowed: &dyn Fn(u32) -> bool) -> Vec<u32> {
        let mut seen = vec![false; self.state.square_count()];
        seen[from as usize] = true;
        let mut found = vec![from];
        let mut at = 0;
        while at < found.len() {
            for (_, next) in self.state.neighbours(found[at]) {
                let free = next != self.pusher && self.space.component(next).is_some();
                if free && allowed(next) && !std::mem::replace(&mut seen[next as usize], true) {
                    found.push(next);
                }
            }
            at += 1;
        }
        found
    }

    /// Distributes the pawns of a region: the wanted number in each part ahead, none on the next
    /// square of the pusher, the others anywhere behind.
    fn share_out(
        &mut self,
        square: u32,
        region: &[u32],
        ahead: &dyn Fn(u32) -> Option<usize>,
        mut counts: Vec<u32>,
        wanted: &[u32],
    ) {
        let all = region.iter().filter(|&&at| self.pawn[at as usize]).count() as u32;
        let behind_wanted = all - wanted.iter().sum::<u32>();
        loop {
            let blocked = u32::from(self.pawn[square as usize]);
            let behind = all - blocked - counts.iter().sum::<u32>();
            if blocked == 0 && counts == wanted {
                return;
            }
            let too_many = |at: u32| match ahead(at) {
                Some(part) => counts[part] > wanted[part],
                None => behind > behind_wanted,
            };
            let too_few = |at: u32| match ahead(at) {
                Some(part) => counts[part] < wanted[part],
                None => behind < behind_wanted,
            };
            let (from, to) =
                self.shift(region, &|at| at == square || too_many(at), &|at| at != square && too_few(at));
            if let Some(part) = ahead(to) {
                counts[part] += 1;
            }
            if let Some(part) = (from != square).then(|| ahead(from)).flatten() {
                counts[part] -= 1;
            }
        }
    }

    /// Vacates one of some occupied squares and occupies one of some empty squares, with the number
    /// of moves of a shortest path between them. All paths stay in the region.
    fn shift(
        &mut self,
        region: &[u32],
        vacate: &dyn Fn(u32) -> bool,
        occupy: &dyn Fn(u32) -> bool,
    ) -> (u32, u32) {
        const FAR: u32 = u32::MAX;
        let mut inside = vec![false; self.pawn.len()];
        region.iter().for_each(|&at| inside[at as usize] = true);
        // Each pawn on the path costs one move; squares are visited in order of this cost.
        let mut cost = vec![FAR; self.pawn.len()];
        let mut towards = vec![FAR; self.pawn.len()];
        let mut todo = VecDeque::new();
        for &at in region.iter().filter(|&&at| !self.pawn[at as usize] && occupy(at)) {
            cost[at as usize] = 0;
            todo.push_back((at, 0));
        }
        let mut found = None;
        while let Some((at, reached)) = todo.pop_front() {
            if reached > cost[at as usize] {
                continue;
            }
            if self.pawn[at as usize] && vacate(at) {
                found = Some(at);
                break;
            }
            for (_, next) in self.state.neighbours(at).filter(|&(_, next)| inside[next as usize]) {
                let step = u32::from(self.pawn[next as usize]);
                if reached + step < cost[next as usize] {
                    cost[next as usize] = reached + step;
                    towards[next as usize] = at;
                    if step == 0 {
                        todo.push_front((next, reached));
                    } else {
                        todo.push_back((next, reached + 1));
                    }
                }
            }
        }
        let from = found.expect("a plan has room for its pawns");
        let mut way = vec![from];
        while towards[way[way.len() - 1] as usize] != FAR {
            way.push(towards[way[way.len() - 1] as usize]);
        }
        let to = way[way.len() - 1];
        let mut free = to;
        for &at in way.iter().rev().filter(|&&at| self.pawn[at as usize]) {
            self.moves.push((at, free));
            free = at;
        }
        self.pawn[from as usize] = false;
        self.pawn[to as usize] = true;
        (from, to)
    }

    fn move_pusher(&mut self, to: u32) {
        self.moves.push((self.pusher, to));
        self.pusher = to;
    }
}

/// Merges consecutive moves of the same piece.
fn shortened(moves: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    let mut short: Vec<(u32, u32)> = Vec::with_capacity(moves.len());
    for (from, to) in moves {
        match short.last_mut() {
            Some(last) if last.1 == from => {
                last.1 = to;
                if last.0 == to {
                    short.pop();
                }
            }
            _ => short.push((from, to)),
        }
    }
    short
}

/// Checks that the turn of a plan is legal and ejects, as it must.
pub(crate) fn checked(state: &State, turn: Turn) -> Turn {
    debug_assert!(state.pieces[turn.push.0 as usize] != Piece::Other);
    if let Err(reason) = state.check(&turn) {
        unreachable!("a plan led to an invalid turn: {reason}: {}", state.turn_text(&turn));
    }
    turn
}

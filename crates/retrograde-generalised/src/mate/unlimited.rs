//! Any number of moves, in time polynomial in the board: a search over classes of arrangements.
//!
//! During one turn, pushers that do not push act as pawns. A class is the square of the pushing
//! pusher and the number of pawns in each part into which it divides its component (the paper's
//! Definition 3.9). Within a class every arrangement can reach every other (Lemma 3.11), so only
//! the pusher's steps between classes have to be searched.
//!
//! The classes do not have to be listed. Let the pusher step from `s` to `t`, in the part `R` of
//! the space around `s`. Behind it, `s` joins all other parts and the region of `R` next to `s`
//! into one part of the space around `t`, the *back*. The rest of `R` without `t` forms the other
//! parts around `t`, and the pawns of `R` can be distributed freely, each part up to its area. So
//! only one number of the history matters: the number of pawns in the back. The classes reached at
//! `t` from a neighbour are a set of such numbers, stored as intervals; the search ends when
//! nothing is added. That makes at most four sets per square, while the paper has up to n⁴ classes.

use crate::mate::interval_set::{Interval, IntervalSet};
use crate::mate::pawn_space::{Part, PawnSpace};
use crate::mate::state::{NONE, Piece, State};
use crate::mate::targets::{Target, targets};

/// The pusher's path to a push that ejects, with the numbers of pawns in each part.
pub(crate) struct Plan {
    pub pusher: u32,
    /// The squares of the path, step by step; each with the parts around it, except the back, and
    /// the number of pawns in them.
    pub steps: Vec<(u32, Vec<(Part, u32)>)>,
    pub target: Target,
}

/// A class that was reached: the pusher on a square, and the possible numbers of pawns in the back.
struct Reached {
    square: u32,
    /// The part behind the pusher with its numbers; `None` at the beginning, where each part has its number.
    back: Option<(Part, Interval)>,
    /// The previous class.
    from: usize,
}

/// A search for one pusher.
pub(crate) struct ClassSearch<'a> {
    state: &'a State,
    space: &'a PawnSpace,
    pusher: u32,
    /// The number of pawns in the pusher's component, including other pushers.
    pawns: u32,
    /// The number of own pieces in every component, without the pusher.
    held: Vec<u32>,
    reached: Vec<Reached>,
    /// For every square and direction from which the pusher may come, the numbers of pawns in the back.
    known: Vec<[IntervalSet; 4]>,
}

/// Finds a plan for one of the pushers.
pub(crate) fn plan(state: &State, space: &PawnSpace) -> Option<Plan> {
    let targets = targets(state);
    if targets.is_empty() {
        return None;
    }
    let mut at_square: Vec<Vec<&Target>> = vec![Vec::new(); state.square_count()];
    for target in &targets {
        at_square[target.square as usize].push(target);
    }
    state.pushers().find_map(|pusher| ClassSearch::new(state, space, pusher).run(&at_square))
}

impl<'a> ClassSearch<'a> {
    fn new(state: &'a State, space: &'a PawnSpace, pusher: u32) -> ClassSearch<'a> {
        let mut held = vec![0; space.components()];
        for square in
            (0..state.square_count() as u32).filter(|&square| state.pieces[square as usize].is_own())
        {
            if let Some(component) = space.component(square).filter(|_| square != pusher) {
                held[component] += 1;
            }
        }
        let pawns = space.component(pusher).map_or(0, |home| held[home]);
        let known = vec![<[IntervalSet; 4]>::default(); state.square_count()];
        ClassSearch { state, space, pusher, pawns, held, reached: Vec::new(), known }
    }

    fn run(mut self, targets: &[Vec<&Target>]) -> Option<Plan> {
        self.reached.push(Reached { square: self.pusher, back: None, from: 0 });
        let mut at = 0;
        while at < self.reached.len() {
            let square = self.reached[at].square;
            for target in &targets[square as usize] {
                if let Some(counts) = self.wins(at, target) {
                    return Some(self.trace(at, counts, target));
                }
            }
            for direction in 0..4 {
                self.step(at, direction);
            }
            at += 1;
        }
        None
    }

    /// The number of pawns in each part at the beginning.
    fn first_counts(&self) -> Vec<(Part, u32)> {
        let mut counts: Vec<(Part, u32)> =
            self.space.parts(self.state, self.pusher).into_iter().map(|(part, _)| (part, 0)).collect();
        for square in 0..self.state.square_count() as u32 {
            let here =
                square != self.pusher && self.space.component(square) == self.space.component(self.pusher);
            if here && self.state.pieces[square as usize].is_own() {
                let part = self.space.part(self.state, self.pusher, square);
                if let Some((_, count)) = counts.iter_mut().find(|(known, _)| *known == part) {
                    *count += 1;
                }
            }
        }
        counts
    }

    /// The least and the greatest possible number of pawns in a part of a reached class. Every
    /// number between them is possible.
    fn bounds(&self, at: usize, part: Part) -> Interval {
        let Reached { square, back, .. } = self.reached[at];
        match back {
            None => {
                let counts = self.first_counts();
                let count = counts.iter().find(|(known, _)| *known == part).map_or(0, |&(_, count)| count);
                (count, count)
            }
            Some((back, span)) if back == part => span,
            Some((back, (least, most))) => {
                let parts = self.space.parts(self.state, square);
                let area = |wanted: &dyn Fn(Part) -> bool| -> u32 {
                    parts.iter().filter(|(part, _)| wanted(*part)).map(|(_, area)| area).sum()
                };
                let others = area(&|other| other != part && other != back);
                (
                    (self.pawns - most).saturating_sub(others),
                    area(&|other| other == part).min(self.pawns - least),
                )
            }
        }
    }

    /// The parts after a step from `square` to `next`: the back of `next`, the area of its other
    /// parts, and the number of pawns of the entered part that fit into the back.
    fn ahead(&self, square: u32, next: u32) -> (Part, u32, u32) {
        let back = self.space.part(self.state, next, square);
        let parts = self.space.parts(self.state, next);
        let front: u32 = parts.iter().filter(|(part, _)| *part != back).map(|(_, area)| area).sum();
        let entered = self.space.part(self.state, square, next);
        let entered = self.space.parts(self.state, square).into_iter().find(|(part, _)| *part == entered);
        (back, front, entered.map_or(0, |(_, area)| area) - 1 - front)
    }

    fn step(&mut self, at: usize, direction: usize) {
        let square = self.reached[at].square;
        let next = self.state.next[square as usize][direction];
        if next == NONE || self.state.pieces[next as usize].is_other() {
            return;
        }
        let entered = self.space.part(self.state, square, next);
        let (back, front, behind) = self.ahead(square, next);
        // One square of the part must be empty for the pusher.
        let (least, most) = self.bounds(at, entered);
        let most = most.min(front + behind);
        if least > most {
            return;
        }
        let (fewest, greatest) = (least.saturating_sub(behind), most.min(front));
        let span = (self.pawns - greatest, self.pawns - fewest);
        for span in self.known[next as usize][(direction + 2) % 4].add(span) {
            self.reached.push(Reached { square: next, back: Some((back, span)), from: at });
        }
    }

    /// The numbers of pawns in all parts with which a target's line can be filled, if possible.
    fn wins(&self, at: usize, target: &Target) -> Option<Vec<(Part, u32)>> {
        let square = target.square;
        let parts = self.space.parts(self.state, square);
        let mut needed: Vec<u32> = vec![0; parts.len()];
        let mut elsewhere = vec![0; self.held.len()];
        for &fill in &target.fill {
            let component = self.space.component(fill)?;
            if Some(component) == self.space.component(square) {
                let part = self.space.part(self.state, square, fill);
                needed[parts.iter().position(|(known, _)| *known == part)?] += 1;
            } else {
                elsewhere[component] += 1;
            }
        }
        if elsewhere.iter().zip(&self.held).any(|(needed, held)| needed > held) {
            return None;
        }
        let needs =
            |wanted: Part| parts.iter().position(|(part, _)| *part == wanted).map_or(0, |i| needed[i]);
        match self.reached[at].back {
            None => {
                let counts = self.first_counts();
                counts.iter().all(|&(part, count)| count >= needs(part)).then_some(counts)
            }
            Some((back, (least, most))) => {
                let others: u32 = needed.iter().sum::<u32>() - needs(back);
                let behind = most.min(self.pawns.checked_sub(others)?);
                if behind < least.max(needs(back)) {
                    return None;
                }
                self.share(square, &[(back, behind)], &needs)
            }
        }
    }

    /// Distributes the pawns over all parts around a square, where some parts have fixed numbers
    /// and the others a least number.
    fn share(
        &self,
        square: u32,
        given: &[(Part, u32)],
        least: &dyn Fn(Part) -> u32,
    ) -> Option<Vec<(Part, u32)>> {
        let parts = self.space.parts(self.state, square);
        let number = |part: Part| given.iter().find(|(known, _)| *known == part).map(|&(_, number)| number);
        let mut counts: Vec<(Part, u32)> =
            parts.iter().map(|&(part, _)| (part, number(part).unwrap_or_else(|| least(part)))).collect();
        let mut left = self.pawns.checked_sub(counts.iter().map(|(_, count)| count).sum())?;
        for ((part, count), (_, area)) in counts.iter_mut().zip(&parts) {
            if number(*part).is_none() {
                let more = left.min(area - *count);
                *count += more;
                left -= more;
            }
        }
        (left == 0).then_some(counts)
    }

    /// The path to a reached class, with numbers of pawns that make every step possible.
    fn trace(&self, mut at: usize, mut counts: Vec<(Part, u32)>, target: &Target) -> Plan {
        let mut steps = Vec::new();
        while let Some((back, _)) = self.reached[at].back {
            let Reached { square, from, .. } = self.reached[at];
            let before = self.reached[from].square;
            let (_, front, behind) = self.ahead(before, square);
            counts.retain(|(part, _)| *part != back);
            let ahead: u32 = counts.iter().map(|(_, count)| count).sum();
            steps.push((square, counts));
            // This number of pawns is in the part before it is entered: those ahead, and some that
            // stay behind.
            let entered = self.space.part(self.state, before, square);
            let (least, most) = self.bounds(from, entered);
            let inside = least.max(ahead);
            debug_assert!(inside <= most.min(front + behind) && inside <= ahead + behind);
            counts = match self.reached[from].back {
                None => self.first_counts(),
                Some((back, _)) if back == entered => {
                    self.share(before, &[(entered, inside)], &|_| 0).unwrap_or_default()
                }
                Some((back, (least, most))) => {
                    // The other parts have any number from 0 to their areas.
                    let parts = self.space.parts(self.state, before);
                    let others: u32 =
                        parts.iter().filter(|(p, _)| *p != back && *p != entered).map(|(_, area)| area).sum();
                    let rest = self.pawns - inside;
                    let behind = rest.saturating_sub(others).max(least);
                    debug_assert!(behind <= most.min(rest));
                    self.share(before, &[(entered, inside), (back, behind)], &|_| 0).unwrap_or_default()
                }
            };
            at = from;
        }
        steps.reverse();
        Plan { pusher: self.pusher, steps, target: target.clone() }
    }
}

/// Whether a piece counts as a pawn: a pawn, or a pusher that does not push.
pub(crate) fn is_pawn(state: &State, pusher: u32, square: u32) -> bool {
    square != pusher && matches!(state.pieces[square as usize], Piece::Pawn | Piece::Pusher)
}

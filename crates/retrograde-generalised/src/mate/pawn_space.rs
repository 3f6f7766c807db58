//! The space for a pusher and the pawns: its components, and the parts into which each square
//! divides its component when the pusher is on it.
//!
//! The opponent's pieces do not move during a turn, so they and the board's edge bound a component
//! for the whole turn. A pusher on a square divides its component into at most four parts, each
//! next to one or more neighbours. One depth-first search finds the parts for all squares at once
//! (Hopcroft and Tarjan 1973): the subtree of a child is a separate part if no edge from it leads
//! above the square.

use crate::mate::state::{NONE, State};

/// The part that contains the square's parent in the search tree. Other parts are named by their first child.
const UP: u32 = NONE;

/// One of the parts into which a square divides its component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Part(u32);

/// The components of the space without the opponent's pieces.
pub(crate) struct PawnSpace {
    /// The component of each square; [`NONE`] on the opponent's squares.
    component: Vec<u32>,
    /// The number of squares of each component.
    areas: Vec<u32>,
    /// The time at which the search enters each square, and the size of the subtree.
    entered: Vec<u32>,
    subtree: Vec<u32>,
    parent: Vec<u32>,
    /// The earliest square to which an edge from the subtree leads.
    low: Vec<u32>,
}

impl PawnSpace {
    pub fn new(state: &State) -> PawnSpace {
        let all = state.square_count();
        let mut space = PawnSpace {
            component: vec![NONE; all],
            areas: Vec::new(),
            entered: vec![0; all],
            subtree: vec![1; all],
            parent: vec![NONE; all],
            low: vec![0; all],
        };
        let mut clock = 0;
        for root in 0..all as u32 {
            if space.component[root as usize] == NONE && !state.pieces[root as usize].is_other() {
                space.search(state, root, &mut clock);
            }
        }
        space
    }

    /// Searches one component, without recursion: boards can have a million squares.
    fn search(&mut self, state: &State, root: u32, clock: &mut u32) {
        let number = self.areas.len() as u32;
        let mut enter = |space: &mut PawnSpace, square: u32| {
            space.component[square as usize] = number;
            space.entered[square as usize] = *clock;
            space.low[square as usize] = *clock;
            *clock += 1;
        };
        enter(self, root);
        let mut path = vec![(root, 0)];
        while let Some((square, direction)) = path.last_mut() {
            let at = *square as usize;
            if *direction == 4 {
                let parent = self.parent[at];
                if parent != NONE {
                    self.subtree[parent as usize] += self.subtree[at];
                    self.low[parent as usize] = self.low[parent as usize].min(self.low[at]);
                }
                path.pop();
                continue;
            }
            let next = state.next[at][*direction];
            *direction += 1;
            if next == NONE || state.pieces[next as usize].is_other() {
                continue;
            }
            if self.component[next as usize] == NONE {
                self.parent[next as usize] = at as u32;
                enter(self, next);
                path.push((next, 0));
            } else if next != self.parent[at] {
                self.low[at] = self.low[at].min(self.entered[next as usize]);
            }
        }
        self.areas.push(self.subtree[root as usize]);
    }

    /// The number of components.
    pub fn components(&self) -> usize {
        self.areas.len()
    }

    /// The component of a square; `None` on the opponent's squares.
    pub fn component(&self, square: u32) -> Option<usize> {
        let number = self.component[square as usize];
        (number != NONE).then_some(number as usize)
    }

    /// The number of squares of a square's component.
    pub fn area(&self, square: u32) -> u32 {
        self.areas[self.component[square as usize] as usize]
    }

    /// The part that contains `square` when a pusher is on `pusher`, in the same component.
    pub fn part(&self, state: &State, pusher: u32, square: u32) -> Part {
        let [at, wanted] = [pusher, square].map(|square| square as usize);
        debug_assert!(at != wanted && self.component[at] == self.component[wanted]);
        let within = |root: usize| {
            let from = self.entered[root];
            (from..from + self.subtree[root]).contains(&self.entered[wanted])
        };
        let children = state
            .neighbours(pusher)
            .filter(|&(_, next)| self.parent[next as usize] == pusher)
            .map(|(_, next)| next);
        let mut children = children.filter(|&child| within(child as usize));
        match children.next() {
            // The root has nothing above it, so every child's subtree is a part.
            Some(child) if self.low[child as usize] >= self.entered[at] => Part(child),
            _ => Part(UP),
        }
    }

    /// The parts into which a pusher on a square divides its component, each with its area. There
    /// are at most four.
    pub fn parts(&self, state: &State, pusher: u32) -> Vec<(Part, u32)> {
        let mut found: Vec<(Part, u32)> = Vec::with_capacity(4);
        for (_, next) in state.neighbours(pusher) {
            if self.component[next as usize] != self.component[pusher as usize] {
                continue;
            }
            let part = self.part(state, pusher, next);
            if found.iter().all(|&(known, _)| known != part) {
                found.push((part, 0));
            }
        }
        let separate: u32 = found
            .iter()
            .filter(|(part, _)| part.0 != UP)
            .map(|(part, _)| self.subtree[part.0 as usize])
            .sum();
        for (part, area) in &mut found {
            *area = match part.0 {
                UP => self.area(pusher) - 1 - separate,
                child => self.subtree[child as usize],
            };
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The components of the space without a square, by flood fill.
    fn flooded(state: &State, without: u32) -> Vec<Vec<u32>> {
        let mut seen: Vec<bool> = state.pieces.iter().map(|piece| piece.is_other()).collect();
        seen[without as usize] = true;
        let mut found = Vec::new();
        for root in 0..state.square_count() as u32 {
            let mut component = Vec::new();
            let mut todo = vec![root];
            while let Some(square) = todo.pop() {
                if !std::mem::replace(&mut seen[square as usize], true) {
                    component.push(square);
                    todo.extend(state.neighbours(square).map(|(_, next)| next));
                }
            }
            if !component.is_empty() {
                found.push(component);
            }
        }
        found
    }

    proptest::proptest! {
        #[test]
        fn parts_agree_with_flood_fills(cells in proptest::collection::vec(0..4_u8, 30)) {
            let letters: Vec<&str> = cells.iter().map(|&cell| ["x", ".", "o", "."][usize::from(cell)]).collect();
            let edge = "+ + + + + + +";
            let mut lines = vec![edge.to_owned()];
            for row in letters.chunks(6) {
                lines.extend([format!(" {}", row.join(" ")), edge.to_owned()]);
            }
            let state = State::of(retrograde_pushfight::Drawing::parse(&lines.join("\n")).unwrap());
            let space = PawnSpace::new(&state);
            for pusher in (0..30).filter(|&at| space.component(at).is_some()) {
                let floods = flooded(&state, pusher);
                let home = |square: u32| floods.iter().position(|part| part.contains(&square));
                let parts = space.parts(&state, pusher);
                let near: Vec<u32> = state.neighbours(pusher).map(|(_, next)| next)
                    .filter(|&next| space.component(next).is_some()).collect();
                for &next in &near {
                    let part = space.part(&state, pusher, next);
                    let flood = home(next).unwrap();
                    let area = parts.iter().find(|(known, _)| *known == part).unwrap().1;
                    proptest::prop_assert_eq!(area as usize, floods[flood].len());
                    for square in (0..30).filter(|&at| at != pusher && space.component(at) == space.component(pusher)) {
                        let same = space.part(&state, pusher, square) == part;
                        proptest::prop_assert_eq!(same, home(square) == Some(flood));
                    }
                }
            }
        }
    }
}

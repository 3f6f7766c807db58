//! Counting the leaves of the tree of turns, as authors of engines do to compare move generators.
//!
//! The same position is reached by many orders of turns, so counts of subtrees are cached. The
//! cache is bounded; beyond that, subtrees are counted again. The path to a leaf is a list and no
//! recursion, so that a great depth does not overflow the stack.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use retrograde_game::Game;
use retrograde_solve::Progress;

use crate::Error;

/// Counts of subtrees to keep.
const KEPT: usize = 1 << 22;
/// The greatest depth. Each turn of it keeps the successors of one position.
const DEEPEST: u32 = 1 << 20;

/// The number of ways to play exactly `depth` turns, those to the same position counted once at
/// every node. A game that ends earlier is no such way.
///
/// # Errors
/// If the number or the depth is too large, or it is stopped.
pub(crate) fn perft<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    progress: &dyn Progress,
) -> Result<u128, Error> {
    progress.stage("counting turns", 0);
    if depth > DEEPEST {
        return Err(Error::TooLarge(format!("perft counts up to depth {DEEPEST}, and not to {depth}")));
    }
    let mut counter = Counter { game, progress, kept: HashMap::new(), looked: 0 };
    // The last node begins `path.len()` turns below the first.
    let mut path = Vec::new();
    let mut found = counter.count_or_node(position, depth)?;
    loop {
        let count = match found {
            Found::Node(node) => {
                path.push(node);
                0
            }
            Found::Count(count) => count,
        };
        let left = depth - path.len() as u32;
        let Some(node) = path.last_mut() else { return Ok(count) };
        node.count = node.count.checked_add(count).ok_or_else(|| {
            Error::TooLarge(format!(
                "there are more than {} leaves at depth {depth}: choose a smaller depth",
                u128::MAX
            ))
        })?;
        found = match node.next.pop() {
            Some(next) => counter.count_or_node(&next, left)?,
            None => Found::Count(counter.keep(path.pop(), left + 1)),
        };
    }
}

/// A position whose successors are being counted.
struct Node<P> {
    position: P,
    /// Successors that are not counted yet.
    next: Vec<P>,
    /// The leaves below the others.
    count: u128,
}

/// The leaves below a position, or where they have to be counted one by one.
enum Found<P> {
    Count(u128),
    Node(Node<P>),
}

struct Counter<'a, G: Game> {
    game: &'a G,
    progress: &'a dyn Progress,
    kept: HashMap<(G::Position, u32), u128>,
    /// Nodes since the last report of progress.
    looked: u64,
}

impl<G: Game> Counter<'_, G> {
    fn count_or_node(&mut self, position: &G::Position, depth: u32) -> Result<Found<G::Position>, Error> {
        if depth == 0 {
            return Ok(Found::Count(1));
        }
        self.looked += 1;
        if self.looked == 1 << 10 {
            self.progress.advance(self.looked);
            self.looked = 0;
            if self.progress.stopped() {
                return Err(Error::Stopped);
            }
        }
        if self.game.result(position).is_some() {
            return Ok(Found::Count(0));
        }
        let key = (position.clone(), depth);
        if depth > 1
            && let Some(&count) = self.kept.get(&key)
        {
            return Ok(Found::Count(count));
        }
        let mut next = HashSet::new();
        let _ = self.game.each_successor(position, |after| {
            next.insert(after);
            ControlFlow::Continue(())
        });
        Ok(match depth {
            1 => Found::Count(next.len() as u128),
            _ => Found::Node(Node { position: key.0, next: next.into_iter().collect(), count: 0 }),
        })
    }

    /// Keeps what was counted below a node.
    fn keep(&mut self, node: Option<Node<G::Position>>, depth: u32) -> u128 {
        let Some(Node { position, count, .. }) = node else { return 0 };
        if self.kept.len() < KEPT {
            self.kept.insert((position, depth), count);
        }
        count
    }
}

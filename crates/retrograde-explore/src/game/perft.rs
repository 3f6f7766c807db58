//! Counts the leaves of the game tree, to compare move generators.
//!
//! Many orders of turns lead to the same position, so counts of subtrees are cached. The cache is
//! bounded; beyond that, subtrees are counted again. The path to a leaf is a list instead of
//! recursion, so that a large depth does not overflow the stack.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use retrograde_game::Game;
use retrograde_solve::Progress;

use crate::bounds;
use crate::{Error, SearchLimits};

/// The maximum number of cached counts.
const KEPT: usize = 1 << 22;
/// The maximum depth. Each level keeps the successors of one position.
const MAX_DEPTH: u32 = 1 << 20;

/// The number of ways to play exactly `depth` turns, as far as the limits allow, and whether it is complete. At
/// every node, turns to the same position count once. Games that end earlier are not counted.
///
/// # Errors
/// If the number or the depth is too large, or it is stopped.
pub(crate) fn perft<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    limits: &SearchLimits,
    progress: &dyn Progress,
) -> Result<(u128, bool), Error> {
    progress.stage("counting turns", 0);
    if depth > MAX_DEPTH {
        return Err(Error::TooLarge(format!("perft counts up to depth {MAX_DEPTH}, not {depth}")));
    }
    let mut counter = Counter { game, progress, kept: HashMap::new(), looked: 0, left: limits.nodes };
    // The last node is `path.len()` turns below the first.
    let mut path = Vec::new();
    let end = bounds::after(limits.time);
    let counted = bounds::until(end, || count(&mut counter, position, depth, &mut path));
    match counted {
        Err(Error::TimedOut) => {
            bounds::check()?;
            Ok((path.iter().fold(0, |sum: u128, node| sum.saturating_add(node.count)), false))
        }
        counted => Ok((counted?, true)),
    }
}

/// Counts the leaves below a position. If it ends early, the nodes of `path` have what was counted.
fn count<G: Game>(
    counter: &mut Counter<'_, G>,
    position: &G::Position,
    depth: u32,
    path: &mut Vec<Node<G::Position>>,
) -> Result<u128, Error> {
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
    /// Successors that have not been counted yet.
    next: Vec<P>,
    /// The number of leaves below the others.
    count: u128,
}

/// The number of leaves below a position, or the position to expand.
enum Found<P> {
    Count(u128),
    Node(Node<P>),
}

struct Counter<'a, G: Game> {
    game: &'a G,
    progress: &'a dyn Progress,
    kept: HashMap<(G::Position, u32), u128>,
    /// The number of nodes since the last progress report.
    looked: u64,
    /// The number of nodes that may still be visited.
    left: u64,
}

impl<G: Game> Counter<'_, G> {
    fn count_or_node(&mut self, position: &G::Position, depth: u32) -> Result<Found<G::Position>, Error> {
        if depth == 0 {
            return Ok(Found::Count(1));
        }
        self.left = self.left.checked_sub(1).ok_or(Error::TimedOut)?;
        self.looked += 1;
        if self.looked == 1 << 10 {
            self.progress.advance(self.looked);
            self.looked = 0;
            if self.progress.stopped() {
                return Err(Error::Stopped);
            }
            bounds::check()?;
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
        // After an interruption the rules have not seen all turns.
        bounds::check()?;
        Ok(match depth {
            1 => Found::Count(next.len() as u128),
            _ => Found::Node(Node { position: key.0, next: next.into_iter().collect(), count: 0 }),
        })
    }

    /// Caches the count below a node.
    fn keep(&mut self, node: Option<Node<G::Position>>, depth: u32) -> u128 {
        let Some(Node { position, count, .. }) = node else { return 0 };
        if self.kept.len() < KEPT {
            self.kept.insert((position, depth), count);
        }
        count
    }
}

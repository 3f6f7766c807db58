//! Counting the leaves of the tree of turns, as authors of engines do to compare move generators.
//!
//! The same position is reached by many orders of turns, so counts of subtrees are cached. The
//! cache is bounded; beyond that, subtrees are counted again.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use retrograde_game::Game;
use retrograde_solve::Progress;

use crate::Error;

/// Counts of subtrees to keep.
const KEPT: usize = 1 << 22;

/// The number of ways to play exactly `depth` turns, those to the same position counted once at
/// every node. A game that ends earlier is no such way.
pub(crate) fn perft<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    progress: &dyn Progress,
) -> Result<u128, Error> {
    progress.stage("counting turns", 0);
    let mut counter = Counter { game, progress, kept: HashMap::new(), looked: 0 };
    counter.leaves(position, depth)
}

struct Counter<'a, G: Game> {
    game: &'a G,
    progress: &'a dyn Progress,
    kept: HashMap<(G::Position, u32), u128>,
    /// Nodes since the last report of progress.
    looked: u64,
}

impl<G: Game> Counter<'_, G> {
    fn leaves(&mut self, position: &G::Position, depth: u32) -> Result<u128, Error> {
        if depth == 0 {
            return Ok(1);
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
            return Ok(0);
        }
        let key = (position.clone(), depth);
        if depth > 1
            && let Some(&count) = self.kept.get(&key)
        {
            return Ok(count);
        }
        let mut successors = HashSet::new();
        let _ = self.game.each_successor(position, |next| {
            successors.insert(next);
            ControlFlow::Continue(())
        });
        if depth == 1 {
            return Ok(successors.len() as u128);
        }
        let mut count: u128 = 0;
        for next in &successors {
            count = count.saturating_add(self.leaves(next, depth - 1)?);
        }
        if self.kept.len() < KEPT {
            self.kept.insert(key, count);
        }
        Ok(count)
    }
}

//! A winning strategy as a set of positions, from which a program that only knows the rules can prove who
//! wins.
//!
//! The set contains positions after turns of the winner. After every reply to one of them, the winner has
//! won, or has a turn that leads back into the set or wins. Turns are not stored, since a checker finds them
//! by trying. Positions with the same parts are one entry.

use std::collections::HashSet;
use std::ops::ControlFlow;

use retrograde_game::{Graded, Impartial, Outcome};

use super::budget::Ended;
use super::outcome::OutcomeSearch;
use crate::hash::FoldHasher;
use crate::proof::Limits;

/// The set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategy<P> {
    /// Whether the player who is to move at the root wins.
    pub first: bool,
    /// The positions, with the loser to move.
    pub positions: Vec<P>,
    /// The number of positions visited.
    pub nodes: u64,
}

/// Finds a strategy for the winner of a position, with at most `most` positions.
///
/// # Errors
/// If a limit is reached or the set is larger.
pub fn winning_strategy<G: Impartial + Graded>(
    game: &G,
    root: &G::Position,
    most: u64,
    limits: &Limits<'_>,
) -> Result<Strategy<G::Position>, Ended> {
    let mut search = OutcomeSearch::new(game, limits);
    let first = !search.is_lost(root)?;
    let mut closure = Closure { search, seen: HashSet::default(), positions: Vec::new(), work: Vec::new() };
    if first {
        closure.answer(root)?;
    } else {
        closure.answer_all(root)?;
    }
    while let Some(position) = closure.work.pop() {
        if closure.positions.len() as u64 > most {
            return Err(Ended);
        }
        closure.answer_all(&position)?;
    }
    Ok(Strategy { first, positions: closure.positions, nodes: closure.search.positions() })
}

struct Closure<'a, G: Impartial + Graded> {
    search: OutcomeSearch<'a, G>,
    seen: HashSet<u128, FoldHasher>,
    positions: Vec<G::Position>,
    /// Positions of the set whose replies have not been answered yet.
    work: Vec<G::Position>,
}

impl<G: Impartial + Graded> Closure<'_, G> {
    /// Answers every reply to a lost position.
    fn answer_all(&mut self, position: &G::Position) -> Result<(), Ended> {
        let mut replies = Vec::new();
        let game = self.search.game;
        let _ = game.each_successor(position, |reply| {
            replies.push(reply);
            ControlFlow::Continue(())
        });
        let mut seen = HashSet::new();
        for reply in replies {
            if game.result(&reply).is_none() && seen.insert(self.search.parts(&reply)) {
                self.answer(&reply)?;
            }
        }
        Ok(())
    }

    /// Answers one won position.
    fn answer(&mut self, position: &G::Position) -> Result<(), Ended> {
        let seen = &self.seen;
        let found = self.search.winning_successor(position, |parts| seen.contains(&parts))?;
        let Some(next) = found else { return Ok(()) };
        let over = self.search.game.result(&next) == Some(Outcome::Loss);
        if !over && self.seen.insert(self.search.parts(&next)) {
            self.positions.push(next.clone());
            self.work.push(next);
        }
        Ok(())
    }
}

//! A winning strategy as a set of positions, from which a program that only knows the rules can prove who
//! wins.
//!
//! The set contains positions after turns of the winner. After every reply to one of them, the winner has
//! won, or has a turn that leads back into the set or wins. Turns are not stored, since a checker finds them
//! by trying. Positions with the same parts are one entry.

use std::collections::{BinaryHeap, HashSet};
use std::ops::ControlFlow;

use retrograde_game::{Graded, Impartial, Outcome};

use super::budget::Ended;
use super::outcome::{KnownLost, OutcomeSearch};
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

/// Finds a strategy for the winner of a position, with at most `most` positions. A table gives the outcomes
/// that are `known`; others are searched.
///
/// # Errors
/// If a limit is reached or the set is larger.
pub fn winning_strategy<G: Impartial + Graded>(
    game: &G,
    root: &G::Position,
    known: &KnownLost<'_, G::Position>,
    most: u64,
    limits: &Limits<'_>,
) -> Result<Strategy<G::Position>, Ended> {
    let mut search = OutcomeSearch::new(game, limits).with_known(known);
    let first = !search.is_lost(root)?;
    let mut closure = Closure {
        search,
        seen: HashSet::default(),
        answered: HashSet::default(),
        positions: Vec::new(),
        work: BinaryHeap::new(),
    };
    if first {
        closure.answer(root)?;
    } else {
        closure.answer_all(root)?;
    }
    // A turn lowers the grade, so no position of a higher grade is added later.
    while let Some((_, place)) = closure.work.pop() {
        // A search looks at the clock, but outcomes from a table need none.
        if closure.positions.len() as u64 > most || (limits.stopped)() {
            return Err(Ended);
        }
        closure.answer_all(&closure.positions[place].clone())?;
    }
    Ok(Strategy { first, positions: closure.positions, nodes: closure.search.positions() })
}

struct Closure<'a, G: Impartial + Graded> {
    search: OutcomeSearch<'a, G>,
    /// The parts of the positions of the set.
    seen: Parts,
    /// The parts of the replies that have an answer.
    answered: Parts,
    positions: Vec<G::Position>,
    /// Positions of the set whose replies have not been answered yet, by grade and place.
    work: BinaryHeap<(u64, usize)>,
}

type Parts = HashSet<u128, FoldHasher>;

impl<G: Impartial + Graded> Closure<'_, G> {
    /// Answers every reply to a lost position.
    fn answer_all(&mut self, position: &G::Position) -> Result<(), Ended> {
        let mut replies = Vec::new();
        let game = self.search.game;
        let _ = game.each_successor(position, |reply| {
            replies.push(reply);
            ControlFlow::Continue(())
        });
        for reply in replies {
            if game.result(&reply).is_none() && self.answered.insert(self.search.parts(&reply)) {
                self.answer(&reply)?;
            }
        }
        Ok(())
    }

    /// Answers one won position.
    fn answer(&mut self, position: &G::Position) -> Result<(), Ended> {
        let game = self.search.game;
        let answered = game.each_successor(position, |next| {
            let answers =
                game.result(&next) == Some(Outcome::Loss) || self.seen.contains(&self.search.parts(&next));
            if answers { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if answered.is_break() {
            return Ok(());
        }
        let found = self.search.winning_successor(position)?;
        let Some(next) = found else { return Ok(()) };
        if self.seen.insert(self.search.parts(&next)) {
            self.work.push((game.grade(&next), self.positions.len()));
            self.positions.push(next);
        }
        Ok(())
    }
}

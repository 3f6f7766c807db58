//! The winner of a position of an impartial game, by a depth-first search of sums.

use std::ops::ControlFlow;

use retrograde_game::{Game, Graded, Impartial, Knowledge, Outcome};

use super::budget::{Budget, Ended, MAX_DEPTH};
use super::classes::{Classes, Guess, Sum};
use super::table::OutcomeTable;
use crate::proof::Limits;

/// Returns the outcome of a position for its side to move, unknown if a limit was reached, and the number of
/// positions visited.
pub fn sum_outcome<G: Impartial + Graded>(
    game: &G,
    position: &G::Position,
    limits: &Limits<'_>,
) -> (Knowledge, u64) {
    let mut search = OutcomeSearch::new(game, limits);
    let knowledge = match search.is_lost(position) {
        Ok(true) => Knowledge::Outcome(Outcome::Loss),
        Ok(false) => Knowledge::Outcome(Outcome::Win),
        Err(Ended) => Knowledge::Unknown,
    };
    (knowledge, search.positions())
}

/// Whether the side to move loses a position, if a table has the answer.
pub type KnownLost<'a, P> = dyn Fn(&P) -> Option<bool> + 'a;

/// A search that keeps its results.
pub struct OutcomeSearch<'a, G: Impartial + Graded> {
    pub(super) game: &'a G,
    known: &'a KnownLost<'a, G::Position>,
    classes: Classes<'a, G>,
    table: OutcomeTable,
    budget: Budget<'a>,
}

impl<'a, G: Impartial + Graded> OutcomeSearch<'a, G> {
    /// Creates a search without results.
    pub fn new(game: &'a G, limits: &'a Limits<'a>) -> OutcomeSearch<'a, G> {
        OutcomeSearch {
            game,
            known: &|_| None,
            classes: Classes::new(game),
            table: OutcomeTable::new(limits.memory),
            budget: Budget::new(limits),
        }
    }

    /// Asks a table before it searches.
    pub(super) fn with_known(self, known: &'a KnownLost<'a, G::Position>) -> OutcomeSearch<'a, G> {
        OutcomeSearch { known, ..self }
    }

    /// The number of positions visited.
    pub fn positions(&self) -> u64 {
        self.budget.spent
    }

    /// Whether the side to move loses.
    ///
    /// # Errors
    /// If a limit is reached.
    pub fn is_lost(&mut self, position: &G::Position) -> Result<bool, Ended> {
        let sum = self.sum(position);
        self.lost(position, sum, 0)
    }

    pub(super) fn sum(&mut self, position: &G::Position) -> Sum {
        self.classes.sum(position)
    }

    pub(super) fn parts(&self, position: &G::Position) -> u128 {
        self.classes.parts(position)
    }

    /// The outcome, if the rules or a mirror image decide it at once.
    fn lost_at_once(&self, position: &G::Position) -> Option<bool> {
        if let Some(outcome) = self.game.result(position) {
            return Some(outcome == Outcome::Loss);
        }
        (self.game.last_turn_wins() && self.game.is_mirrored(position)).then_some(true)
    }

    /// The outcome, if it is known without a search.
    fn known_lost(&mut self, position: &G::Position, sum: Sum) -> Option<bool> {
        if let Some(lost) = self.lost_at_once(position).or_else(|| self.table.get(sum.fingerprint)) {
            return Some(lost);
        }
        let lost = (self.known)(position)?;
        self.table.put(sum.fingerprint, lost, 1);
        Some(lost)
    }

    fn lost(&mut self, position: &G::Position, sum: Sum, depth: u32) -> Result<bool, Ended> {
        if let Some(lost) = self.known_lost(position, sum) {
            return Ok(lost);
        }
        if depth > MAX_DEPTH {
            return Err(Ended);
        }
        let before = self.budget.spent;
        self.budget.spend()?;
        let lost = !self.wins(position, depth)?;
        self.table.put(sum.fingerprint, lost, self.budget.spent - before);
        Ok(lost)
    }

    /// Whether some turn leads to a position that the other player loses.
    fn wins(&mut self, position: &G::Position, depth: u32) -> Result<bool, Ended> {
        let game = self.game;
        let mut open = Vec::new();
        let mut has_turn = false;
        let won = game.each_successor(position, |next| {
            has_turn = true;
            let sum = self.sum(&next);
            match self.known_lost(&next, sum) {
                Some(true) => return ControlFlow::Break(()),
                Some(false) => {}
                None => open.push((next, sum)),
            }
            ControlFlow::Continue(())
        });
        if won.is_break() {
            return Ok(true);
        }
        if !has_turn {
            return Ok(game.outcome_without_turns() == Outcome::Win);
        }
        // Positions with fewer turns are decided sooner.
        open.sort_by_cached_key(|(next, sum)| (sum.guess, turns(game, next)));
        for (next, sum) in open {
            if self.lost(&next, sum, depth + 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns a successor that the other player loses: of several known ones, the one with the fewest
    /// turns. An unknown successor is searched only if none is known, since it may be hard to refute.
    pub(super) fn winning_successor(&mut self, position: &G::Position) -> Result<Option<G::Position>, Ended> {
        let game = self.game;
        let mut open = Vec::new();
        let _ = game.each_successor(position, |next| {
            let sum = self.sum(&next);
            let order = match self.known_lost(&next, sum) {
                Some(true) => (0, Guess::Lost),
                None => (1, sum.guess),
                Some(false) => return ControlFlow::Continue(()),
            };
            open.push((order, next, sum));
            ControlFlow::Continue(())
        });
        open.sort_by_cached_key(|(order, next, _)| (*order, turns(game, next)));
        for (_, next, sum) in open {
            if self.lost(&next, sum, 0)? {
                return Ok(Some(next));
            }
        }
        Ok(None)
    }
}

/// The number of turns.
fn turns<G: Game>(game: &G, position: &G::Position) -> u32 {
    let mut turns = 0;
    let _ = game.each_successor(position, |_| {
        turns += 1;
        ControlFlow::Continue(())
    });
    turns
}

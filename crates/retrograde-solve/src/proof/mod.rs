//! One position, where no table fits: proofs within so many turns, proofs of the outcome, and all
//! that can follow, side by side.
//!
//! Three ways share the budget, in rounds that double, so that the way that suits a game gets a
//! good part of it whatever the game:
//!
//! 1. *Deepening*: won, or lost, within 0, 1, 2, … turns. Bounded questions have no cycles, so the
//!    first yes is the exact number of turns.
//! 2. *Proof numbers* without a bound: the outcome of narrow, deep lines. The size of the proof
//!    bounds the turns from above; deepening then closes the gap.
//! 3. *Exhaustion*: every position that can follow, if they are few, solved as a whole.
//!
//! A draw is never claimed because a line repeats. Its certificate is a closed set of positions:
//! all that can follow, or one for each player in which he can stay for ever. When the budget ends
//! first, the answer is *unknown*.

mod limits;
mod line;
mod numbers;
mod rounds;
mod table;

use std::fmt;

use retrograde_game::{Game, Knowledge};

pub use limits::{Limits, ProofOptions};
use rounds::Search;

/// The result of a search.
pub struct Proof<G: Game> {
    /// The value; the outcome alone, where the budget ended before the turns were certain; or
    /// unknown.
    pub knowledge: Knowledge,
    /// Positions it looked at.
    pub nodes: u64,
    /// If wanted: best turns from the position on, as far as they are certain. To the end of the
    /// game, or one that keeps the draw; empty if nothing is known.
    pub line: Vec<G::Turn>,
}

impl<G: Game> fmt::Debug for Proof<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Proof { knowledge, nodes, line } = self;
        f.debug_struct("Proof")
            .field("knowledge", knowledge)
            .field("nodes", nodes)
            .field("line", line)
            .finish()
    }
}

/// Searches for the value of a position.
pub fn search<G: Game>(game: &G, position: &G::Position, limits: &Limits<'_>) -> Proof<G> {
    search_for(game, position, limits, ProofOptions::default())
}

/// Searches for what is wanted of a position.
pub fn search_for<G: Game>(
    game: &G,
    position: &G::Position,
    limits: &Limits<'_>,
    wanted: ProofOptions,
) -> Proof<G> {
    let mut search = Search::new(game, position, limits, wanted);
    search.run();
    let knowledge = search.knowledge();
    let line = if wanted.line { search.line(knowledge) } else { Vec::new() };
    Proof { knowledge, nodes: search.budget.spent, line }
}

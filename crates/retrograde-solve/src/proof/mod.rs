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
mod numbers;
mod rounds;
mod table;

use retrograde_game::{Game, Knowledge};

pub use limits::Limits;
use rounds::Search;

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The value; only the outcome if the budget ended before the turns were certain; or unknown.
    pub knowledge: Knowledge,
    /// The number of positions visited.
    pub nodes: u64,
}

/// Searches for the value of a position.
pub fn search<G: Game>(game: &G, position: &G::Position, limits: &Limits<'_>) -> Proof {
    let mut search = Search::new(game, position, limits);
    search.run();
    Proof { knowledge: search.knowledge(), nodes: search.spent() }
}

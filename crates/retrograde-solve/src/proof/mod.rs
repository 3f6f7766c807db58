//! Searches for the value of one position if a table does not fit.
//!
//! Three methods share the budget, in rounds that double, so that the best method for a game gets a good part
//! of it:
//!
//! 1. *Deepening*: won, or lost, within 0, 1, 2, … turns. Bounded questions have no cycles, so the first yes
//!    is the exact number of turns.
//! 2. *Proof numbers* without a bound: the outcome of narrow, deep lines. The size of the proof is an upper
//!    bound on the turns; deepening then closes the gap.
//! 3. *Exhaustion*: all reachable positions, if there are few, are solved as a whole.
//!
//! A draw is never claimed because a line repeats. Its certificate is a closed set of positions: all
//! reachable ones, or one set for each player in which that player can stay for ever. If the budget ends
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

//! Which algorithm answers which question.

use crate::state::{State, Turn};
use crate::{few, search, unlimited};

/// Up to so many moves all sequences that can succeed are tried; more are searched for.
const FEW: u32 = 2;
/// How the least number of moves is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum How {
    /// By search, and by the SAT solver where that takes more memory than it may.
    #[default]
    Either,
    /// By search alone.
    Search,
    /// By the SAT solver alone.
    #[cfg(feature = "sat")]
    Sat,
}

/// Why the least number of moves was not found.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Limit {
    /// The search took as much memory as it may.
    #[error("the search took all of its memory; at least {at_least} moves are needed")]
    Memory {
        /// What is known.
        at_least: u32,
    },
    /// The solver failed.
    #[error("the SAT solver gave no answer: {0}")]
    Solver(String),
}

/// Finds a turn with the least number of moves, up to `most`, that ejects an opponent piece; `None` if
/// there is none. A search takes up to `memory` bytes.
///
/// # Errors
/// If that is not enough.
pub fn within(state: &State, most: u32, how: How, memory: u64) -> Result<Option<Turn>, Limit> {
    if how == How::Either {
        if let Some(turn) = few::within(state, most.min(FEW)) {
            return Ok(Some(turn));
        }
        if most <= FEW {
            return Ok(None);
        }
    }
    // Any number of moves is the easier question; and its turn is a limit for the search.
    let Some(some) = unlimited(state) else { return Ok(None) };
    let enough = some.moves.len() as u32;
    let turn = shorter(state, most.min(enough - u32::from(enough > 0)), how, memory)?;
    Ok(turn.or_else(|| (enough <= most).then_some(some)))
}

/// Finds a turn with the least number of moves that ejects an opponent piece; `None` if no number of moves does it.
///
/// # Errors
/// If `memory` bytes are not enough.
pub fn least(state: &State, how: How, memory: u64) -> Result<Option<Turn>, Limit> {
    within(state, u32::MAX, how, memory)
}

fn shorter(state: &State, most: u32, how: How, memory: u64) -> Result<Option<Turn>, Limit> {
    #[cfg(feature = "sat")]
    let memory = if how == How::Sat { 0 } else { memory };
    let at_least = match search::search(state, most, memory) {
        search::Found::Turn(turn) => return Ok(Some(turn)),
        search::Found::None => return Ok(None),
        search::Found::AtLeast(at_least) => at_least,
    };
    #[cfg(feature = "sat")]
    if how != How::Search {
        for moves in at_least..=most {
            if let Some(turn) = crate::sat::exactly(state, moves)? {
                return Ok(Some(turn));
            }
        }
        return Ok(None);
    }
    Err(Limit::Memory { at_least })
}

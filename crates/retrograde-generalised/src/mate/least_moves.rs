//! Chooses an algorithm to find a turn with the least number of moves.

use crate::mate::error::MateError;
use crate::mate::state::{State, Turn};
use crate::mate::{few_moves, search, unlimited};

/// Up to this number of moves, all sequences that can succeed are tried first.
const FEW: u32 = 2;

/// The method to find the least number of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// By search, or by the SAT solver if the search needs too much memory.
    #[default]
    Either,
    /// By search only.
    Search,
    /// By the SAT solver only.
    #[cfg(feature = "sat")]
    Sat,
}

/// Finds a turn with the fewest moves, at most `max_moves`, that ejects an opposing piece; `None` if there is
/// no such turn. A search uses at most `memory` bytes.
///
/// # Errors
/// If the memory is not enough.
pub fn within(state: &State, max_moves: u32, method: Method, memory: u64) -> Result<Option<Turn>, MateError> {
    if method == Method::Either {
        if let Some(turn) = few_moves::within(state, max_moves.min(FEW)) {
            return Ok(Some(turn));
        }
        if max_moves <= FEW {
            return Ok(None);
        }
    }
    // With unlimited moves the problem is easier, and the turn found gives a limit for the search.
    let Some(some) = unlimited(state) else { return Ok(None) };
    let enough = some.moves.len() as u32;
    let turn = shorter(state, max_moves.min(enough - u32::from(enough > 0)), method, memory)?;
    Ok(turn.or_else(|| (enough <= max_moves).then_some(some)))
}

/// Finds a turn with the fewest moves that ejects an opposing piece; `None` if there is no such turn.
///
/// # Errors
/// If `memory` bytes are not enough.
pub fn least(state: &State, method: Method, memory: u64) -> Result<Option<Turn>, MateError> {
    within(state, u32::MAX, method, memory)
}

fn shorter(state: &State, max_moves: u32, method: Method, memory: u64) -> Result<Option<Turn>, MateError> {
    #[cfg(feature = "sat")]
    let memory = if method == Method::Sat { 0 } else { memory };
    let at_least = match search::search(state, max_moves, memory) {
        search::SearchResult::Turn(turn) => return Ok(Some(turn)),
        search::SearchResult::None => return Ok(None),
        search::SearchResult::AtLeast(at_least) => at_least,
    };
    #[cfg(feature = "sat")]
    if method != Method::Search {
        for moves in at_least..=max_moves {
            if let Some(turn) = crate::mate::sat::exactly(state, moves)? {
                return Ok(Some(turn));
            }
        }
        return Ok(None);
    }
    // Without the SAT solver there is only one method.
    #[cfg(not(feature = "sat"))]
    let _ = method;
    Err(MateError::Memory { at_least })
}

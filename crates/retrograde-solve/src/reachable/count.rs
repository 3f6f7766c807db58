//! Counts the reachable positions of a game, by a forward search from the start that keeps every position.

use std::collections::HashSet;
use std::ops::ControlFlow;

use retrograde_game::Game;

use crate::hash::FoldHasher;
use crate::job::{Progress, SolveError};

/// The numbers of reachable positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReachableCounts {
    /// Unfinished positions: the rules do not end the game, and there is a turn.
    pub unfinished: u64,
    /// Unfinished positions whose turns do not count ([`Game::turn_is_counted`]): before the game
    /// proper.
    pub before: u64,
    /// Positions in which the game is over: the rules end it ([`Game::result`]), or there is no turn.
    pub finished: u64,
    /// The number of distinct numbers of unfinished positions.
    pub numbers: u64,
}

/// The number of positions between checks of memory and progress.
const ROUND: u64 = 1 << 12;

/// Counts the positions reachable from `start`. All of them are kept in memory, so this is for up to a few
/// hundred million. `number` may give symmetric images the same number.
///
/// # Errors
/// If the positions do not fit into `memory` bytes, or it is stopped.
pub fn count_reachable<G: Game>(
    game: &G,
    start: &G::Position,
    number: &dyn Fn(&G::Position) -> Option<u64>,
    memory: u64,
    progress: &dyn Progress,
) -> Result<ReachableCounts, SolveError> {
    progress.stage("reachable positions", 0);
    let mut reachable = ReachableCounts::default();
    let mut seen: HashSet<G::Position, FoldHasher> = HashSet::default();
    seen.insert(start.clone());
    let mut numbers: HashSet<u64, FoldHasher> = HashSet::default();
    let mut left = vec![start.clone()];
    let mut round = 0;
    while let Some(position) = left.pop() {
        if round == ROUND {
            progress.advance(round);
            round = 0;
            if progress.stopped() {
                return Err(SolveError::Stopped);
            }
            // While a set grows, its old slots exist next to twice the number of new ones, with a byte each.
            // So does a list.
            let places = if seen.len() * 8 > seen.capacity() * 7 { 3 } else { 1 } * seen.capacity() as u64;
            let size = size_of::<G::Position>() as u64;
            let need = places * (size + 1) * 8 / 7
                + 3 * left.capacity() as u64 * size
                + 3 * numbers.capacity() as u64 * 9 * 8 / 7;
            if need > memory {
                return Err(SolveError::Memory { need, limit: memory });
            }
        }
        round += 1;
        if game.result(&position).is_some() {
            reachable.finished += 1;
            continue;
        }
        let mut goes_on = false;
        let _ = game.each_successor(&position, |next| {
            goes_on = true;
            if !seen.contains(&next) {
                seen.insert(next.clone());
                left.push(next);
            }
            ControlFlow::Continue(())
        });
        if !goes_on {
            reachable.finished += 1;
            continue;
        }
        reachable.unfinished += 1;
        reachable.before += u64::from(!game.turn_is_counted(&position));
        numbers.extend(number(&position));
    }
    reachable.numbers = numbers.len() as u64;
    progress.advance(round);
    Ok(reachable)
}

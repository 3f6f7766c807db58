//! Thinks about a position: first looks up values from the rules and the table, regardless of the clock. The
//! remaining values are searched as long as the clock allows, with growing searches.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use retrograde_explore::{Bounds, Error, OpenGame, Probe, SearchLimits, Verdict};
use retrograde_game::Seat;
use retrograde_solve::clock::Instant;

/// The positions of the first search, and the growth factor. The sum of all searches is then little more than
/// the last one.
const FIRST_SEARCH: u64 = 2_000;
const GROWTH: u64 = 4;
/// The time if there is no limit.
const NO_TIME_LIMIT: Duration = Duration::from_secs(3_000_000_000);

/// A signal that stops thinking in other threads.
#[derive(Clone, Debug, Default)]
pub struct StopSignal(Arc<AtomicBool>);

impl StopSignal {
    /// Stops thinking.
    pub fn stop(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether thinking should stop.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Bounds with this signal and a time limit, or [`Duration::MAX`].
    pub fn bounds(&self, time: Duration) -> Bounds {
        let now = Instant::now();
        let until = now.checked_add(time).unwrap_or(now + NO_TIME_LIMIT);
        Bounds {
            until,
            ended: Some(Arc::clone(&self.0)),
            looks: u64::MAX,
            turns: u64::MAX,
            memory: u64::MAX,
            threads: true,
        }
    }
}

/// Thinks about a position, and passes each improved result, the values of all turns, to `report`. Returns the
/// last one. The limits are for the largest search. The clock and `stop` end searches, but not lookups in rules and tables.
///
/// # Errors
/// If the text is not a position, or the table is damaged. Running out of time is not an error.
pub fn think(
    game: &OpenGame,
    (position, to_move): (&str, Seat),
    limits: &SearchLimits,
    stop: &StopSignal,
    report: &mut dyn FnMut(&Probe),
) -> Result<Probe, Error> {
    let began = Instant::now();
    let SearchLimits { nodes: max_nodes, time, depth } = *limits;
    let left = || time.saturating_sub(began.elapsed());
    let known = SearchLimits { nodes: 0, time: Duration::ZERO, depth };
    let mut best = game.probe(position, to_move, &known)?;
    let (mut reported, mut last_nodes) = (false, None);
    let mut nodes = FIRST_SEARCH.min(max_nodes);
    let has_table = game.has_table();
    while !is_decided(&best, has_table) && nodes > 0 && !stop.is_set() && !left().is_zero() {
        let search = SearchLimits { nodes, time: left(), depth };
        let found = match stop.bounds(left()).within(|| game.probe(position, to_move, &search)) {
            Ok(found) => found,
            Err(Error::TimedOut) => break,
            Err(error) => return Err(error),
        };
        // A search that visited no more positions than a smaller one is complete.
        let is_last = nodes >= max_nodes || found.nodes == last_nodes;
        last_nodes = found.nodes;
        // The clock may have stopped it before it found as much as a smaller one.
        if knowledge(&found) >= knowledge(&best) {
            best = found;
            reported = true;
            report(&best);
        }
        if is_last {
            break;
        }
        nodes = nodes.saturating_mul(GROWTH).min(max_nodes);
    }
    if !reported {
        report(&best);
    }
    Ok(best)
}

/// How informative a result is: whether a turn wins, and the number of turns with known values.
fn knowledge(probe: &Probe) -> (bool, usize) {
    let turns = &probe.turns_available;
    let wins = turns.first().is_some_and(|best| best.verdict.outcome == "win");
    (wins, turns.iter().filter(|turn| turn.verdict.known().is_some()).count())
}

/// Whether a search could not improve the result. With a table of outcomes, nothing is searched.
fn is_decided(probe: &Probe, has_table: bool) -> bool {
    let is_final = |verdict: Verdict| match verdict.outcome {
        "draw" => true,
        "unknown" => false,
        _ => verdict.turns.is_some() || has_table,
    };
    is_final(probe.position.verdict) && probe.turns_available.iter().all(|turn| is_final(turn.verdict))
}

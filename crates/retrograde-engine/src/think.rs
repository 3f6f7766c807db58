//! Thinking about a position: what rules and table tell is looked up first, whatever the clock says. What
//! they leave open is searched for as long as the clock allows, each search larger than the one before.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use retrograde_explore::{Bounds, Error, OpenGame, Probe, SearchLimits, Verdict};
use retrograde_game::Seat;
use retrograde_solve::clock::Instant;

/// Positions that the first search looks at, and the factor to the next one. The sum of all is then
/// little more than the last.
const FIRST_SEARCH: u64 = 2_000;
const GROWTH: u64 = 4;
/// Longer than any program runs, for those who set no time.
const CENTURY: Duration = Duration::from_secs(3_000_000_000);

/// How long to think.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ThinkLimits {
    /// Time to take; `None`: any.
    pub time: Option<Duration>,
    /// Positions that the largest search may look at; `None`: any number.
    pub nodes: Option<u64>,
    /// Turns of both players that a search looks ahead; `None`: to the end. A table knows the end whatever
    /// the depth.
    pub depth: Option<u16>,
}

/// A signal from one thread that the thinking of others is to end.
#[derive(Clone, Debug, Default)]
pub struct StopSignal(Arc<AtomicBool>);

impl StopSignal {
    /// Ends it.
    pub fn stop(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether it is to end.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Bounds with this signal, and a time.
    pub(crate) fn bounds(&self, time: Option<Duration>) -> Bounds {
        let now = Instant::now();
        let until = now.checked_add(time.unwrap_or(CENTURY)).unwrap_or(now + CENTURY);
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

/// Thinks about a position, and passes each result to `heard` that tells more than the one before: the
/// values of all turns. Returns the last. Neither the clock nor `stop` ends what is looked up in rules and
/// table; they end searches.
///
/// # Errors
/// If the text is no position, or the table is damaged. That the time is over is no error.
pub fn think(
    game: &OpenGame,
    (position, to_move): (&str, Seat),
    limits: ThinkLimits,
    stop: &StopSignal,
    heard: &mut dyn FnMut(&Probe),
) -> Result<Probe, Error> {
    let began = Instant::now();
    let ThinkLimits { time, nodes, depth } = limits;
    let left = || time.map(|time| time.saturating_sub(began.elapsed()));
    let most = nodes.unwrap_or(u64::MAX);
    let known = SearchLimits { nodes: 0, time: Duration::ZERO, depth };
    let mut best = game.probe(position, to_move, &known)?;
    let (mut told, mut spent) = (false, None);
    let mut nodes = FIRST_SEARCH.min(most);
    let has_table = game.has_table();
    while !is_decided(&best, has_table)
        && nodes > 0
        && !stop.is_set()
        && left().is_none_or(|left| !left.is_zero())
    {
        let search = SearchLimits { nodes, time: left().unwrap_or(CENTURY), depth };
        let found = match stop.bounds(left()).within(|| game.probe(position, to_move, &search)) {
            Ok(found) => found,
            Err(Error::TimedOut) => break,
            Err(error) => return Err(error),
        };
        // A search that looked at no more positions than a smaller one has seen everything it can see.
        let is_last = nodes >= most || found.nodes == spent;
        spent = found.nodes;
        // The clock may have ended it before it found what a smaller one did.
        if knowledge(&found) >= knowledge(&best) {
            best = found;
            told = true;
            heard(&best);
        }
        if is_last {
            break;
        }
        nodes = nodes.saturating_mul(GROWTH).min(most);
    }
    if !told {
        heard(&best);
    }
    Ok(best)
}

/// How much a result tells: whether a turn wins, and of how many turns something is known.
fn knowledge(probe: &Probe) -> (bool, usize) {
    let turns = &probe.turns_available;
    let wins = turns.first().is_some_and(|best| best.verdict.outcome == "win");
    (wins, turns.iter().filter(|turn| turn.verdict.known().is_some()).count())
}

/// Whether a search could not tell more. Where a table has outcomes only, nothing is searched.
fn is_decided(probe: &Probe, has_table: bool) -> bool {
    let whole = |verdict: Verdict| match verdict.outcome {
        "draw" => true,
        "unknown" => false,
        _ => verdict.turns.is_some() || has_table,
    };
    whole(probe.position.verdict) && probe.turns_available.iter().all(|turn| whole(turn.verdict))
}

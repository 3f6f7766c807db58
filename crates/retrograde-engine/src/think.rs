//! Thinking about a position for as long as the clock allows: at once where there is a table, else by
//! searches, each larger than the one before, of which the last complete one counts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use retrograde_explore::{Bounds, Error, Explore, Probe, SearchLimits};
use retrograde_game::Seat;
use retrograde_solve::clock::Instant;

/// Positions that the first search looks at, and the factor to the next one. The sum of all is then
/// little more than the last.
const FIRST_SEARCH: u64 = 2_000;
const GROWTH: u64 = 4;
/// A look into a table is no search: a clock that leaves less time than this does not end it.
const TABLE_TIME: Duration = Duration::from_secs(1);
/// Longer than any program runs, for those who set no time.
const CENTURY: Duration = Duration::from_secs(3_000_000_000);

/// How long to think.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ThinkLimits {
    /// Time to take; `None`: any.
    pub time: Option<Duration>,
    /// Positions that the largest search may look at; `None`: any number.
    pub nodes: Option<u64>,
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

/// Thinks about a position, and tells `heard` of each complete search: the values of all turns, and
/// whether it was the last. Returns the last; `None` if not even one was complete.
///
/// # Errors
/// If the text is no position, or the table is damaged. That the time is over is no error.
pub fn think(
    game: &dyn Explore,
    (position, to_move): (&str, Seat),
    limits: ThinkLimits,
    stop: &StopSignal,
    heard: &mut dyn FnMut(&Probe),
) -> Result<Option<Probe>, Error> {
    let began = Instant::now();
    let left = || limits.time.map(|time| time.saturating_sub(began.elapsed()));
    let most = limits.nodes.unwrap_or(u64::MAX);
    let mut nodes = FIRST_SEARCH.min(most);
    let mut last = None;
    loop {
        let time = match game.has_table() && last.is_none() {
            true => left().map(|left| left.max(TABLE_TIME)),
            false => left(),
        };
        let search = SearchLimits { nodes, time: time.unwrap_or(CENTURY) };
        let found = stop.bounds(time).within(|| game.probe(position, to_move, &search));
        let probe = match found {
            Ok(probe) => probe,
            Err(Error::TimedOut) => break,
            Err(error) => return Err(error),
        };
        heard(&probe);
        let decided = is_decided(&probe);
        last = Some(probe);
        if decided || nodes >= most || stop.is_set() || left().is_some_and(|left| left.is_zero()) {
            break;
        }
        nodes = nodes.saturating_mul(GROWTH).min(most);
    }
    Ok(last)
}

/// Whether a larger search could not tell more.
fn is_decided(probe: &Probe) -> bool {
    let whole = |outcome: &str, turns: Option<u16>| match outcome {
        "draw" => true,
        "unknown" => false,
        _ => turns.is_some(),
    };
    // Nothing was searched: all there is to know was known.
    probe.nodes.is_none()
        || whole(probe.position.verdict.outcome, probe.position.verdict.turns)
            && probe.turns_available.iter().all(|turn| whole(turn.verdict.outcome, turn.verdict.turns))
}

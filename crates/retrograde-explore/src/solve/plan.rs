//! The choice of a solver, and its estimate, before anything is allocated.

use retrograde_game::{Game, Show};

use crate::game::entry::Entry;
use crate::game::solvers::{Solver, SolverSpec};
use crate::machine::{allowed_memory, bytes_text};
use crate::{Count, Method, Plan, ResourceEstimate, SolveOptions};

/// Bytes that a solver takes besides what grows with the game.
const FIXED: u64 = 32 << 20;
/// The share of a table with turns that is left when it is packed: a guess on the safe side of
/// measurements, 0.06 (touchdown:5x5) to 0.28 (tactics:5x5).
const PACKED: f64 = 0.3;
/// Solving that takes no longer than this leaves no work file.
const SHORT: f64 = 30.0;

/// Bytes of memory that a way needs for so many indices; `None` where it does not depend on them.
fn memory_needed<G>(
    spec: &SolverSpec<G>,
    game: &G,
    indices: u128,
    estimated: Option<&ResourceEstimate>,
) -> Option<u128> {
    if let (Solver::Archive, Some(estimated)) = (&spec.solve, estimated) {
        return Some(estimated.memory);
    }
    if let Some(memory) = spec.memory {
        return Some(memory(game).map_or(u128::MAX, |bytes| bytes.saturating_add(FIXED.into())));
    }
    let bits = spec.bits_per_index?;
    Some(indices.saturating_mul(bits.into()).div_ceil(8).saturating_add(FIXED.into()))
}

/// Why no way was chosen.
pub(crate) enum Refusal {
    /// The game has no such way at all.
    None(String),
    /// The least that any way needs is more than is allowed.
    Memory(u128),
}

/// The ways that give what was asked for, best first.
fn suitable<'a, G: Game + Show + 'static>(
    entry: &'a Entry<G>,
    options: &SolveOptions,
) -> Vec<&'a SolverSpec<G>> {
    let mut solvers: Vec<&SolverSpec<G>> = entry
        .solvers
        .iter()
        .filter(|spec| (spec.applies)(&entry.game))
        .filter(|spec| matches!(spec.solve, Solver::Values(_)) || entry.archive_solver.is_some())
        .filter(|spec| matches!(spec.solve, Solver::Values(_)) || !options.outcome_only)
        .filter(|spec| !options.occurring_only || spec.method == Method::Reachable)
        .filter(|spec| spec.knows_turns || options.phases.is_none())
        .filter(|spec| spec.method != Method::Reachable || options.phases.is_none() && !options.outcome_only)
        .collect();
    if options.outcome_only {
        // One bit a position is also the fastest.
        solvers.sort_by_key(|spec| spec.knows_turns);
    }
    solvers
}

/// The estimate of the game's own solver.
fn estimate<G: Game + Show + 'static>(entry: &Entry<G>, memory: u64) -> Option<ResourceEstimate> {
    entry.archive_solver.as_ref()?.estimate(&entry.game, memory)
}

pub(crate) fn choose<'a, G: Game + Show + 'static>(
    entry: &'a Entry<G>,
    options: &SolveOptions,
    limit: u64,
) -> Result<&'a SolverSpec<G>, Refusal> {
    let Some((_, indices)) = entry.index_counts() else {
        return Err(Refusal::None(
            "it has no numbering of its positions, so no table can be made".to_owned(),
        ));
    };
    let solvers = suitable(entry, options);
    let mut least: Option<u128> = None;
    for spec in &solvers {
        let estimated = match spec.solve {
            Solver::Archive => match estimate(entry, limit) {
                Some(estimated) => Some(estimated),
                None => continue,
            },
            Solver::Values(_) => None,
        };
        match memory_needed(spec, &entry.game, indices, estimated.as_ref()) {
            None => return Ok(spec),
            // A file of values has at most 2⁵⁶ indices.
            Some(need) if need <= limit.into() && indices <= 1 << 56 => return Ok(spec),
            Some(need) => least = Some(least.map_or(need, |least| least.min(need))),
        }
    }
    Err(match least {
        Some(need) => Refusal::Memory(need),
        None => Refusal::None("none of its solvers does that".to_owned()),
    })
}

/// The estimate of a solve, and the solver if it fits.
pub(crate) fn plan_with_solver<'a, G: Game + Show + 'static>(
    entry: &'a Entry<G>,
    options: &SolveOptions,
) -> (Plan, Option<&'a SolverSpec<G>>) {
    let limit = allowed_memory(options.memory);
    let mut plan = Plan {
        game: entry.game.name(),
        positions: Count(entry.game.position_count()),
        method: Method::Search,
        memory: Count(0),
        disk: Count(0),
        work: Count(0),
        seconds: None,
        fits: false,
        advice: String::new(),
        counts: entry.counts.map_or_else(Vec::new, |counts| {
            counts(&entry.game).into_iter().map(|(name, count)| (name, Count(count))).collect()
        }),
    };
    let indices = entry.index_counts().map_or(0, |(_, all)| all);
    let spec = match choose(entry, options, limit) {
        Ok(spec) => spec,
        Err(refusal) => {
            if let Refusal::Memory(need) = refusal {
                plan.memory = Count(need);
                plan.disk = Count(disk_needed(options.outcome_only, indices));
            }
            plan.advice = refusal_advice(refusal, limit);
            return (plan, None);
        }
    };
    plan.method = spec.method;
    if options.with_wins && !matches!(spec.solve, Solver::Archive) {
        plan.advice = format!("{}.", no_use_for_wins(entry));
        return (plan, Some(spec));
    }
    plan.fits = true;
    let estimated = if matches!(spec.solve, Solver::Archive) { estimate(entry, limit) } else { None };
    let Some(need) = memory_needed(spec, &entry.game, indices, estimated.as_ref()) else {
        plan.memory = Count(limit.into());
        plan.advice = occurring_advice(options.occurring_only, limit);
        return (plan, Some(spec));
    };
    let threads = options.threads.max(1) as f64;
    let seconds = indices as f64 / (spec.rate * threads);
    let outcomes = options.outcome_only || !spec.knows_turns;
    plan.memory = Count(need);
    plan.disk = Count(disk_needed(outcomes, indices));
    plan.work = Count(if seconds > SHORT { need } else { 0 });
    plan.seconds = Some(seconds);
    if let Some(estimated) = &estimated {
        plan.disk = Count(estimated.disk + if options.with_wins { estimated.wins } else { 0 });
        plan.work = Count(estimated.work);
        plan.seconds = Some(estimated.seconds / threads);
    }
    plan.advice = if !spec.knows_turns && !options.outcome_only {
        "Outcomes only: turns to the end would not fit.".to_owned()
    } else {
        let flag = if options.with_wins { " --with-wins" } else { "" };
        format!("`retrograde solve {}{flag}` does it.", plan.game)
    };
    if let Some(estimated) = &estimated {
        plan.advice.push_str(&archive_advice(estimated, need, options.with_wins));
    }
    (plan, Some(spec))
}

/// Says that there will be no table, and why.
fn refusal_advice(refusal: Refusal, limit: u64) -> String {
    match refusal {
        Refusal::None(reason) => {
            format!("No table: {reason}; `probe`, `line` and `play` search position by position.")
        }
        Refusal::Memory(need) => format!(
            "No table fits: at least {} of memory would be needed and {} may be used; `probe`, \
             `line` and `play` search position by position.",
            bytes_text(need),
            bytes_text(limit.into())
        ),
    }
}

/// Says that only occurring positions are solved: because they were `asked` for, or because all are too many.
fn occurring_advice(asked: bool, limit: u64) -> String {
    let limit = bytes_text(limit.into());
    if asked {
        return format!(
            "Only the positions that occur from the start are solved. Their number is not known \
             before: it stops when {limit} of memory are full."
        );
    }
    format!(
        "A table of all indices would be too large; only the positions that occur from \
         the start are solved. Their number is not known before: it stops when {limit} of memory are full."
    )
}

/// Says what more disk or memory would do for an archive.
fn archive_advice(estimated: &ResourceEstimate, need: u128, with_wins: bool) -> String {
    let mut advice = String::new();
    if estimated.wins > 0 && !with_wins {
        advice.push_str(&format!(
            " With `--with-wins` it keeps wins as well, in about {} more: then values need no look at \
             turns.",
            bytes_text(estimated.wins)
        ));
    }
    if estimated.enough > need {
        let enough = bytes_text(estimated.enough);
        advice.push_str(&format!(" More memory makes it faster, up to some {enough}."));
    }
    advice
}

/// Bytes of disk for a table. Bits of outcomes hardly get shorter when they are packed.
fn disk_needed(outcomes: bool, indices: u128) -> u128 {
    if outcomes { indices.div_ceil(8) } else { (indices as f64 * PACKED) as u128 }
}

/// Why wins cannot be asked for.
pub(crate) fn no_use_for_wins<G: Game + Show + 'static>(entry: &Entry<G>) -> String {
    format!(
        "--with-wins is for solvers that keep losses only, and {} is solved into a table that has wins anyway",
        entry.game.name()
    )
}

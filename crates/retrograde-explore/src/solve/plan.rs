//! The choice of a solver, and its estimate, before anything is allocated.

use retrograde_solve::SolveError;

use crate::game::any_game::{AnyGame, MAX_INDEX_MEMORY};
use crate::game::solvers::SolverSpec;
use crate::machine::{PROGRAM, allowed_memory, bytes_apart, bytes_text};
use crate::solve::estimate::estimate;
use crate::solve::notes::note_missing_predecessors;
use crate::solve::preference::suitable;
use crate::solve::reasons::notes;
use crate::{Count, LONG_WORK, Method, Plan, ResourceEstimate, SolveOptions};

/// The size in bytes of a manifest, and of the parts of a file of values other than blocks.
const TABLE_OVERHEAD: u128 = 4096;
/// Bytes of memory per reachable position, in games without repetition.
const BYTES_REACHABLE: u64 = 10;
/// The same in games with repetition.
const BYTES_REPEATING: u64 = 16;
/// Bytes of files per reachable position that does not fit into memory, in games without
/// repetition.
const BYTES_IN_FILES: u64 = 30;
/// The same in games with repetition.
const BYTES_REPEATING_IN_FILES: u64 = 60;
/// Solves that take at most this many seconds do not write a work file.
const SHORT_SOLVE_SECONDS: f64 = 30.0;

/// Bytes of files with the scores of stages per byte of the table: fast compression makes them
/// larger.
const FILES_FOR_TABLE: u128 = 2;

/// The resources that a solver needs for a game.
pub(crate) struct Need {
    /// Bytes of memory; `None` if they depend on the number of reachable positions.
    memory: Option<u128>,
    /// The estimate of an archive solver.
    estimate: Option<ResourceEstimate>,
    /// Seconds of one thread, if a sample of positions was measured.
    seconds: Option<f64>,
    /// Whether it keeps values in files during the solve.
    in_files: bool,
}

impl Need {
    /// The resources that a solver needs for this number of indices within a memory limit; `None`
    /// if that is impossible. If it solves in memory, that includes its files.
    fn of(
        spec: &SolverSpec,
        entry: &AnyGame,
        indices: u128,
        limit: u64,
        options: &SolveOptions,
    ) -> Option<Need> {
        let sampled = estimate(entry, spec.method);
        let fixed = |bytes: u128| Some(bytes.saturating_add(PROGRAM.into()));
        let archive = match spec.archive() {
            Some(solver) => Some(solver.estimate(limit, options.threads.max(1))?),
            None => None,
        };
        let memory = match (sampled.and_then(|sampled| sampled.memory), archive) {
            (Some(memory), _) => fixed(memory.into()),
            (None, Some(estimate)) => {
                let files = if options.in_memory { estimate.disk + estimate.wins + estimate.work } else { 0 };
                Some(estimate.memory.saturating_add(files))
            }
            (None, None) => (spec.memory)(indices).and_then(fixed),
        };
        let need_of_files = spec.in_files.as_ref().zip(memory);
        let files = need_of_files.and_then(|(in_files, in_memory)| (in_files.need)(limit, in_memory));
        let memory = files.map_or(memory, |bytes| fixed(bytes.into()));
        let seconds = sampled.map(|sampled| match files {
            Some(_) => sampled.seconds_in_files,
            None => sampled.seconds,
        });
        Some(Need { memory, estimate: archive, seconds, in_files: files.is_some() })
    }
}

/// Whether a solver keeps its values in files, given the memory limit.
pub(crate) fn is_for_files(spec: &SolverSpec, entry: &AnyGame, options: &SolveOptions) -> bool {
    let indices = entry.index_counts().map_or(0, |(_, all)| all);
    let limit = allowed_memory(options.memory);
    Need::of(spec, entry, indices, limit, options).is_some_and(|need| need.in_files)
}

impl AnyGame {
    /// Estimates a solve, without starting or allocating anything.
    pub fn plan(&self, options: &SolveOptions) -> Plan {
        if LONG_WORK {
            return plan_with_solver(self, options).0;
        }
        let advice = "This module solves nothing.".to_owned();
        Plan::without_solver(self.game.name(), self.game.facts().position_count, advice)
    }
}

/// Why no solver was chosen.
pub(crate) enum Refusal {
    /// The game has no suitable solver.
    None(String),
    /// Every solver needs more memory than allowed; this is the smallest need.
    Memory(u128),
    /// The game does not keep its promises.
    Broken(SolveError),
}

/// Checks a sample of the promises that a solver relies on. Without a solver it returns the result
/// of an earlier check, if there was one.
pub(crate) fn promises_hold(entry: &AnyGame, spec: Option<&SolverSpec>) -> Result<(), SolveError> {
    match spec.map(|spec| spec.method) {
        // The game's own solver knows more than the traits express.
        Some(Method::Phases) => Ok(()),
        None if entry.checked.get().is_none() => Ok(()),
        _ => entry.keeps_promises(),
    }
}

/// Chooses the first solver that supports the options and fits; also returns what it needs.
pub(crate) fn choose<'a>(
    entry: &'a AnyGame,
    options: &SolveOptions,
    limit: u64,
) -> Result<(&'a SolverSpec, Need), Refusal> {
    let Some((_, indices)) = entry.index_counts() else {
        return Err(Refusal::None(
            "the game's positions have no numbering that a solver could use (your own game names its solver with \
             `Entry::retrograde`, `Entry::layered` or another method)"
                .to_owned(),
        ));
    };
    let mut least: Option<u128> = None;
    for spec in suitable(entry, options) {
        if entry.index_memory() <= MAX_INDEX_MEMORY {
            promises_hold(entry, Some(spec)).map_err(Refusal::Broken)?;
        }
        let Some(need) = Need::of(spec, entry, indices, limit, options) else { continue };
        match need.memory {
            None => return Ok((spec, need)),
            // A file of values can have at most 2⁵⁶ indices.
            Some(memory) if memory <= limit.into() && indices <= 1 << 56 => {
                return Ok((spec, need));
            }
            Some(memory) => least = Some(least.map_or(memory, |least| least.min(memory))),
        }
    }
    Err(match least {
        Some(need) => Refusal::Memory(need),
        None if entry.solvers.is_empty() => Refusal::None(
            "the game names no solver, as `Entry::retrograde` and `Entry::layered` do".to_owned(),
        ),
        None if options.in_memory => {
            Refusal::None("the solvers for this many positions need files".to_owned())
        }
        None => Refusal::None("no solver of this game supports these options".to_owned()),
    })
}

/// The estimate of a solve, and the solver if it fits.
pub(crate) fn plan_with_solver<'a>(
    entry: &'a AnyGame,
    options: &SolveOptions,
) -> (Plan, Option<&'a SolverSpec>) {
    let limit = allowed_memory(options.memory);
    let mut plan = Plan::without_solver(entry.game.name(), entry.game.facts().position_count, String::new());
    plan.positions_up_to_symmetry = entry.up_to_symmetry();
    if let Some(counts) = &entry.counts {
        plan.counts = counts().into_iter().map(|(name, count)| (name, Count(count))).collect();
    }
    let indices = entry.index_counts().map_or(0, |(_, all)| all);
    let (spec, need) = match choose(entry, options, limit) {
        Ok(chosen) => chosen,
        Err(refusal) => {
            if let Refusal::Memory(need) = refusal {
                plan.memory = Count(need);
                plan.disk = Count(disk_needed(entry, options.outcome_only, indices));
            }
            plan.advice = refusal_advice(refusal, limit);
            return (plan, None);
        }
    };
    plan.method = spec.method;
    plan.notes = notes(entry, spec.method, &passed_over(entry, options, spec, (indices, limit)));
    if options.with_wins && spec.archive().is_none() {
        plan.advice = format!("{}.", with_wins_refusal(entry));
        return (plan, Some(spec));
    }
    plan.fits = true;
    let Need { memory, estimate, seconds: sampled, in_files } = need;
    let command = format!("`retrograde solve {}{}`", entry.command_name(), options.arguments());
    let Some(need) = memory else {
        plan.memory = Count(limit.into());
        let reachable = reachable_advice(spec, options.reachable_only, limit);
        plan.advice = format!("{reachable} To solve them, run {command}.");
        return (plan, Some(spec));
    };
    let threads = options.threads.max(1) as f64;
    let seconds = sampled.unwrap_or(indices as f64 / spec.rate) / threads;
    let outcomes = options.outcome_only || !spec.keeps_turns;
    plan.memory = Count(need);
    plan.disk = Count(disk_needed(entry, outcomes, indices));
    plan.work = Count(match in_files {
        true => plan.disk.0 * FILES_FOR_TABLE,
        false if seconds > SHORT_SOLVE_SECONDS => need,
        false => 0,
    });
    if in_files {
        plan.notes.push(
            "Scores are kept in files, except those of one stage and of the stages that its turns lead to."
                .to_owned(),
        );
    }
    plan.seconds = Some(seconds);
    if let Some(estimated) = &estimate {
        plan.disk = Count(estimated.disk + if options.keeps_wins() { estimated.wins } else { 0 });
        plan.work = Count(estimated.work);
        plan.seconds = Some(estimated.seconds / threads);
    }
    let only = if !spec.keeps_turns && !options.outcome_only {
        "Outcomes only: turns to the end would not fit. "
    } else {
        ""
    };
    let again = if options.again { " again" } else { "" };
    plan.advice = format!("{only}To solve it{again}, run {command}.");
    if let Some(note) = note_missing_predecessors(entry, spec) {
        plan.advice.push_str(&format!(" But {note}."));
    }
    if let Some(estimated) = &estimate {
        plan.advice.push_str(&archive_advice(estimated, limit, options.keeps_wins()));
    }
    (plan, Some(spec))
}

/// The solvers that rank above the chosen one but take too much memory, with that memory.
fn passed_over(
    entry: &AnyGame,
    options: &SolveOptions,
    chosen: &SolverSpec,
    (indices, limit): (u128, u64),
) -> Vec<(Method, [String; 2])> {
    let better = suitable(entry, options).into_iter().take_while(|spec| spec.method != chosen.method);
    let too_large = better.filter_map(|spec| {
        let memory = Need::of(spec, entry, indices, limit, options)?.memory?;
        Some((spec.method, bytes_apart(memory, limit.into())))
    });
    too_large.collect()
}

/// Explains why there will be no table.
fn refusal_advice(refusal: Refusal, limit: u64) -> String {
    match refusal {
        Refusal::None(reason) => {
            format!("No table can be made: {reason}; `probe`, `line` and `play` search position by position.")
        }
        Refusal::Broken(error) => format!("No table can be made: {error}."),
        Refusal::Memory(need) => {
            let [need, limit] = bytes_apart(need, limit.into());
            format!(
                "No table fits: it would need at least {need} of memory, but only {limit} may be used; \
                 `probe`, `line` and `play` search position by position."
            )
        }
    }
}

/// Explains that only reachable positions are solved, because they were `requested` or because all
/// would be too many, and how many of them each method can handle, since their number is not known
/// in advance.
fn reachable_advice(spec: &SolverSpec, requested: bool, limit: u64) -> String {
    let why = if requested { "Only" } else { "A table of all positions would be too large; only" };
    let (each, in_files) = match spec.only_if_asked {
        true => (BYTES_REPEATING, BYTES_REPEATING_IN_FILES),
        false => (BYTES_REACHABLE, BYTES_IN_FILES),
    };
    format!(
        "{why} the positions reachable from the start are solved. Their number is not known in advance: \
         up to {} fit into {} of memory, at {each} bytes each; more are kept in files, at about {in_files} bytes each, \
         or shared between several processes (`plan --hosts N`).",
        rounded(u128::from(limit / each)),
        bytes_text(limit.into()),
    )
}

/// A large number in words.
pub(crate) fn rounded(number: u128) -> String {
    match number {
        0..1_000_000 => number.to_string(),
        1_000_000..1_000_000_000 => format!("{} million", number / 1_000_000),
        // One decimal, rounded down, below ten billion.
        1_000_000_000..10_000_000_000 => {
            format!("{}.{} billion", number / 1_000_000_000, number / 100_000_000 % 10)
        }
        _ => format!("{} billion", number / 1_000_000_000),
    }
}

/// Explains what more disk space or memory would do for an archive.
fn archive_advice(estimated: &ResourceEstimate, limit: u64, with_wins: bool) -> String {
    let mut advice = String::new();
    if estimated.wins > 0 && !with_wins {
        advice.push_str(&format!(
            " With `--with-wins` it also stores the wins: about {} more, and faster answers.",
            bytes_text(estimated.wins)
        ));
    }
    if estimated.enough > limit.into() {
        let enough = bytes_text(estimated.enough);
        advice.push_str(&format!(" More memory makes it faster, up to about {enough}."));
    }
    advice
}

/// The size of a table in bytes. Outcome bits hardly compress.
fn disk_needed(entry: &AnyGame, outcomes: bool, indices: u128) -> u128 {
    let values = if outcomes { indices.div_ceil(8) } else { (indices as f64 * entry.packed) as u128 };
    values + TABLE_OVERHEAD
}

/// Why `with_wins` is not supported.
pub(crate) fn with_wins_refusal(entry: &AnyGame) -> String {
    format!(
        "--with-wins is only for games whose solver stores just the losses; a table of {} has wins anyway",
        entry.game.name()
    )
}

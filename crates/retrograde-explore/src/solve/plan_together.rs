//! Estimates the resources of each process of a solve with several processes.

use retrograde_game::Index;

use crate::game::any_game::PACKED;
use crate::game::solvers::{Costs, SolverSpec, Together};
use crate::long_work::long_work;
use crate::machine::bytes_text;
use crate::solve::plan::{choose, promises_hold, rounded};
use crate::solve::preference::suitable_together;
use crate::{AnyGame, ArchiveSolver, ClusterPlan, Count, Error, Method, SolveOptions};

/// The fixed memory of a process in bytes: batches in transit, and the engine's buffers.
const FIXED: u64 = 256 << 20;
/// The number of positions whose turns are counted for an estimate.
const SAMPLES: u64 = 2000;
/// Turns per second and thread of a game that cannot repeat, if nothing has to be asked for.
const GRADED_RATE: f64 = 60e6;
/// The memory of one machine, if no option says how much to use. A game that such a machine could solve into a
/// table becomes a table.
const ONE_MACHINE: u64 = 16 << 30;

impl AnyGame {
    /// Estimates the resources of each process of a solve, without starting or allocating anything.
    ///
    /// # Errors
    /// If no solver of this game supports several processes.
    pub fn plan_together(&self, options: &SolveOptions, processes: u32) -> Result<ClusterPlan, Error> {
        long_work(|| {
            if let Some(plan) = plan_archive_together(self, options, processes) {
                return Ok(plan);
            }
            let (spec, (together, costs)) = shared_solver(self, options)?;
            if matches!(together, Together::Reachable(_)) {
                return Ok(plan_reachable(self, options, spec.method, (processes.max(1), *costs)));
            }
            let all = self.index_counts().map_or(0, |(_, all)| all);
            let processes = processes.max(1);
            let own = all.div_ceil(processes.into());
            let turns = average_turns(self, all);
            let away = f64::from(processes - 1) / f64::from(processes);
            let turns = own as f64 * turns.max(1.0);
            let threads = options.threads.max(1) as f64;
            let room = options.memory.unwrap_or(ONE_MACHINE).saturating_sub(FIXED);
            // If there is room for all scores, each process sends its own to all others. Otherwise, they ask
            // each other.
            let (scores, sent, rate) = match *costs == Costs::GRADED && all <= room.into() {
                true => (all, own as f64 * f64::from(processes - 1), GRADED_RATE),
                false => (own * u128::from(costs.memory), turns * away * costs.message, costs.rate),
            };
            Ok(ClusterPlan {
                game: self.game.name(),
                // Several processes do not distinguish these methods.
                method: if *costs == Costs::GRADED { Method::Graded } else { spec.method },
                processes,
                indices: Some(Count(own)),
                memory: Count(scores + u128::from(FIXED)),
                disk: Count(own * u128::from(costs.saved) * 2),
                disk_first: Count((all as f64 * PACKED) as u128),
                network: Some(Count((sent + own as f64) as u128)),
                seconds: Some(turns / (rate * threads)),
                advice: String::new(),
            })
        })
    }
}

/// The solver that several processes share.
pub(crate) fn shared_solver<'a>(
    entry: &'a AnyGame,
    options: &SolveOptions,
) -> Result<(&'a SolverSpec, &'a (Together, Costs)), Error> {
    entry.game.require_alternation("solving on several processes")?;
    let shared = |spec: &'a SolverSpec| Some((spec, spec.together.as_ref()?));
    let shared = suitable_together(entry, options).into_iter().find_map(shared).ok_or_else(|| {
        Error::Unsupported(format!(
            "{}: no solver of this game supports these options on several processes",
            entry.game.name()
        ))
    })?;
    promises_hold(entry, Some(shared.0))?;
    Ok(shared)
}

/// The archive solver, if one machine with the memory of all processes would use it. The answer depends on the
/// options and not on the resources of a process, so that it is the same for all processes.
pub(crate) fn shared_archive_solver<'a>(
    entry: &'a AnyGame,
    options: &SolveOptions,
    processes: u32,
) -> Option<(&'a SolverSpec, &'a dyn ArchiveSolver)> {
    let (spec, solver) = entry.own_archive_solver()?;
    // Processes can have different numbers of threads.
    let options = &SolveOptions { threads: 1, ..options.clone() };
    solver.estimate_together(processes, options.threads)?;
    if options.reachable_only {
        return None;
    }
    let memory = options.memory.map_or(ONE_MACHINE, |memory| memory.saturating_mul(processes.into()));
    match choose(entry, options, memory) {
        Ok((chosen, _)) if chosen.archive().is_none() => None,
        _ => Some((spec, solver)),
    }
}

fn plan_archive_together(entry: &AnyGame, options: &SolveOptions, processes: u32) -> Option<ClusterPlan> {
    let processes = processes.max(1);
    let (spec, solver) = shared_archive_solver(entry, options, processes)?;
    let (estimated, sent) = solver.estimate_together(processes, options.threads.max(1))?;
    let all = entry.index_counts().map_or(0, |(_, all)| all);
    let wins = if options.with_wins { estimated.wins } else { 0 };
    Some(ClusterPlan {
        game: entry.game.name(),
        method: spec.method,
        processes,
        indices: Some(Count(all.div_ceil(processes.into()))),
        memory: Count(estimated.memory),
        disk: Count(0),
        disk_first: Count(estimated.disk + wins + estimated.work),
        network: Some(Count(sent)),
        seconds: Some(estimated.seconds / options.threads.max(1) as f64),
        advice: String::new(),
    })
}

/// The plan for reachable positions. Their number is not known in advance, so it gives the number
/// that fits the memory of all processes.
fn plan_reachable(
    entry: &AnyGame,
    options: &SolveOptions,
    method: Method,
    (processes, costs): (u32, Costs),
) -> ClusterPlan {
    let memory = options.memory.unwrap_or(ONE_MACHINE);
    let own = memory.saturating_sub(FIXED) / costs.memory;
    let all = u128::from(own) * u128::from(processes);
    let images = match entry.images {
        Some(_) => " Only one position of each orbit is kept.",
        None => "",
    };
    ClusterPlan {
        game: entry.game.name(),
        method,
        processes,
        indices: None,
        memory: Count(memory.into()),
        disk: Count(u128::from(own) * u128::from(costs.saved) * 2),
        disk_first: Count(all * 2),
        network: None,
        seconds: None,
        advice: format!(
            "Only the positions reachable from the start are solved. Their number is not known in advance: \
             up to {} fit, at {} bytes each, with {} of memory per process.{images}",
            rounded(all),
            costs.memory,
            bytes_text(memory.into()),
        ),
    }
}

/// The average number of turns to unfinished positions, from a sample.
fn average_turns(entry: &AnyGame, all: u128) -> f64 {
    let (Some(dense), Ok(all)) = (entry.dense(), u64::try_from(all)) else { return 1.0 };
    let samples = SAMPLES.min(all);
    let mut turns = 0_u64;
    for sample in 0..samples {
        let index = (u128::from(all) * u128::from(2 * sample + 1) / u128::from(2 * samples)) as u64;
        let _ = dense.each_successor_at(Index(index), &mut |_| {
            turns += 1;
            std::ops::ControlFlow::Continue(())
        });
    }
    turns as f64 / samples.max(1) as f64
}

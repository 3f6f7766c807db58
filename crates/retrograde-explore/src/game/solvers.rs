//! The solvers that a game can have, with their methods, costs and forms of values. The rest of
//! this crate sees a list of [`SolverSpec`]s.

use std::sync::{Arc, OnceLock};

use retrograde_game::{Dense, Game, Graded, Knowledge, Layered, Packed, Predecessors, Symmetries};
use retrograde_solve::clock::Instant;
use retrograde_solve::reachable::{
    self, ByImages, ByIndex, ByPack, Coding, Orbits, Reachable, ReachableScores, Spill, solve_on_disk,
    solve_repeating_numbered,
};
use retrograde_solve::retrograde::{Capabilities, Retrograde, StagedScores};
use retrograde_solve::together::{
    self, GRADED_BYTES, REACHABLE_BYTES, REACHABLE_REPEATING_BYTES, RETROGRADE_BYTES, ReachableSink,
    ScoreSink, SharedJob,
};
use retrograde_solve::{Exchange, Job, OutcomeBits, Scores, SolveError, graded, proof};

use crate::bounds::SEARCH_MEMORY;
use crate::machine::initial_memory_limit;
use crate::{ArchiveSolver, Error, Method, SearchLimits, bytes_apart};

/// The values of a solved game, in the form that its solver produces.
pub(crate) enum Solved {
    /// A score per index.
    Scores(Scores),
    /// The same in files.
    Staged(StagedScores),
    /// A bit per index: 1 won, 0 lost for the side to move.
    Bits(OutcomeBits),
    /// Reachable positions by index.
    Sparse(ReachableScores),
}

/// Solves a game in memory.
pub(crate) type Solve = Box<dyn Fn(&mut Job<'_>) -> Result<Solved, SolveError> + Send + Sync>;

/// Solves a game with several processes and a score per index.
type ScoresTogether =
    dyn Fn(&mut dyn Exchange, &mut SharedJob<'_>, &mut dyn ScoreSink) -> Result<(), SolveError> + Send + Sync;

/// Solves the reachable positions with several processes.
type ReachableTogether = dyn Fn(&mut dyn Exchange, &mut SharedJob<'_>, &mut dyn ReachableSink) -> Result<(), SolveError>
    + Send
    + Sync;

/// A solver for several processes, by the form of its values.
#[cfg_attr(not(feature = "cluster"), allow(dead_code, reason = "only clusters run it"))]
pub(crate) enum Together {
    /// A score per index.
    Scores(Box<ScoresTogether>),
    /// Reachable positions by index.
    Reachable(Box<ReachableTogether>),
}

/// Costs of a solver with several processes, as measured (docs/benchmarks.md).
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Costs {
    /// Bytes of memory per index that a process owns.
    pub memory: u64,
    /// Bytes of a shard per index.
    pub saved: u64,
    /// Bytes sent, in both directions, per turn to a position of another process.
    pub message: f64,
    /// Turns per second and thread.
    pub rate: f64,
}

impl Costs {
    pub(crate) const GRADED: Costs = Costs { memory: GRADED_BYTES, saved: 1, message: 0.9, rate: 20e6 };
    const BACKWARDS: Costs = Costs { memory: RETROGRADE_BYTES, saved: 1, message: 0.8, rate: 8e6 };
    /// Costs per reachable position; each orbit is stored once.
    const REACHABLE: Costs = Costs { memory: REACHABLE_BYTES, saved: 10, message: 5.0, rate: 5e6 };
    /// The same in games with repetition.
    const REACHABLE_BACKWARDS: Costs = Costs { memory: REACHABLE_REPEATING_BYTES, ..Costs::REACHABLE };
    /// Every phase asks again. The number of phases is unknown in advance; ten is a guess.
    const FORWARDS: Costs = Costs { memory: 1, saved: 1, message: 24.0, rate: 1e6 };
}

/// The work of a solver, by the destination of its values.
pub(crate) enum Solver {
    /// It returns values, which become a table.
    Values(Solve),
    /// It stores them in an archive.
    Archive(Box<dyn ArchiveSolver>),
}

/// The memory in bytes that a solver needs for a number of indices; `None` if it depends on the number of reachable
/// positions. Archives have their own estimates.
pub(crate) type MemoryNeed = Box<dyn Fn(u128) -> Option<u128> + Send + Sync>;

/// A number of bits per index.
fn bits(bits: u128) -> MemoryNeed {
    Box::new(move |indices| Some(indices.saturating_mul(bits).div_ceil(8)))
}

/// The memory in bytes that a game needs with values in files, given a limit and the memory it
/// needs without; `None` if its values cannot be in files.
pub(crate) type FilesNeed = Box<dyn Fn(u64, u128) -> Option<u64> + Send + Sync>;

/// A solver that keeps its values in files.
pub(crate) struct InFiles {
    pub need: FilesNeed,
    pub solve: Solve,
}

/// A solver of a game. `PREFERENCE` in the module `solve` defines when it is chosen.
pub(crate) struct SolverSpec {
    pub method: Method,
    /// The version of the solver's work files.
    pub version: u32,
    pub solve: Solver,
    /// Whether it can solve this game.
    pub applies: bool,
    pub memory: MemoryNeed,
    /// How it keeps its values in files, if it supports that.
    pub in_files: Option<InFiles>,
    /// Indices per second and thread.
    pub rate: f64,
    /// Whether its values include turns to the end.
    pub keeps_turns: bool,
    /// Whether it searches for predecessors, because the game does not list them.
    pub searches_predecessors: bool,
    /// Whether it is only chosen when reachable positions are requested, because it finds out late
    /// that they do not fit into memory.
    pub only_if_asked: bool,
    /// The same solver for several processes, with its costs, if there is one.
    pub together: Option<(Together, Costs)>,
}

impl SolverSpec {
    /// A solver with turns, for one process.
    fn new(method: Method, solve: Solver, memory: MemoryNeed, rate: f64) -> SolverSpec {
        SolverSpec {
            method,
            version: 2,
            solve,
            applies: true,
            memory,
            in_files: None,
            rate,
            keeps_turns: true,
            searches_predecessors: false,
            only_if_asked: false,
            together: None,
        }
    }

    /// Adds a solver of the same values for several processes, if this program can use it.
    fn together(mut self, costs: Costs, together: impl FnOnce() -> Together) -> SolverSpec {
        if cfg!(feature = "cluster") {
            self.together = Some((together(), costs));
        }
        self
    }

    /// The archive solver, if this is one.
    pub(crate) fn archive(&self) -> Option<&dyn ArchiveSolver> {
        match &self.solve {
            Solver::Archive(solver) => Some(&**solver),
            Solver::Values(_) => None,
        }
    }
}

/// A solver whose values are scores of all indices.
fn scores<G: Game + 'static>(
    game: &Arc<G>,
    solve: impl Fn(&G, &mut Job<'_>) -> Result<Scores, SolveError> + Send + Sync + 'static,
) -> Solver {
    let game = game.clone();
    Solver::Values(Box::new(move |job| solve(&game, job).map(Solved::Scores)))
}

/// Indices per second and thread when solving backwards.
const RETROGRADE_RATE: f64 = 1e6;

/// Solves backwards, using the capabilities of the game.
pub(crate) fn retrograde<G: Dense + 'static>(game: &Arc<G>, able: Capabilities<G>) -> SolverSpec {
    let [for_memory, for_files, in_memory, in_files] = [(); 4].map(|()| game.clone());
    let solve = Solver::Values(Box::new(move |job| backwards(&Retrograde::with(&*in_memory, able), job)));
    let memory = Box::new(move |_| Some(Retrograde::with(&*for_memory, able).typical_memory()));
    let spec = SolverSpec::new(Method::Retrograde, solve, memory, RETROGRADE_RATE);
    let in_files = InFiles {
        need: Box::new(move |limit, in_memory| {
            let solver = Retrograde::with(&*for_files, able);
            let fits = in_memory <= limit.into() && !solver.is_for_files(limit);
            if fits { None } else { solver.memory_in_files().filter(|&need| need <= limit) }
        }),
        solve: Box::new(move |job| backwards_in_files(&Retrograde::with(&*in_files, able), job)),
    };
    let searches_predecessors = !able.has_predecessors();
    let spec = SolverSpec { searches_predecessors, in_files: Some(in_files), ..spec };
    let costs = if searches_predecessors { Costs::FORWARDS } else { Costs::BACKWARDS };
    spec.together(costs, || {
        scores_together(game, move |game, exchange, job, sink| {
            together::retrograde(game, able, exchange, job, sink)
        })
    })
}

/// Solves in memory or, if that is too small, in files, if the game supports it.
fn backwards<G: Dense>(solver: &Retrograde<'_, G>, job: &mut Job<'_>) -> Result<Solved, SolveError> {
    if job.checkpoint.has_spilled() {
        return backwards_in_files(solver, job);
    }
    match solver.solve(job) {
        Err(SolveError::Memory { need, limit })
            if solver.memory_in_files().is_some_and(|need| need <= job.memory) =>
        {
            note_files(job, need, limit);
            backwards_in_files(solver, job)
        }
        result => result.map(Solved::Scores),
    }
}

/// Notes that a solve needs more bytes of memory than it may use and continues in files.
fn note_files(job: &Job<'_>, need: u64, limit: u64) {
    let [need, limit] = bytes_apart(need.into(), limit.into());
    job.progress.note(&format!(
        "this needs at least {need} of memory, but only {limit} may be used: the solve continues in files"
    ));
}

/// Solves in files, or in memory if there cannot be any files.
fn backwards_in_files<G: Dense>(solver: &Retrograde<'_, G>, job: &mut Job<'_>) -> Result<Solved, SolveError> {
    match job.checkpoint.spill(true)? {
        Some(files) => solver.solve_in_files(job, files).map(Solved::Staged),
        None => solver.solve(job).map(Solved::Scores),
    }
}

/// Solves with several processes and a score per index.
fn scores_together<G: Game + 'static>(
    game: &Arc<G>,
    solve: impl Fn(&G, &mut dyn Exchange, &mut SharedJob<'_>, &mut dyn ScoreSink) -> Result<(), SolveError>
    + Send
    + Sync
    + 'static,
) -> Together {
    let game = game.clone();
    Together::Scores(Box::new(move |exchange, job, sink| solve(&game, exchange, job, sink)))
}

/// A game's own solver.
type OwnSolver<G, S> = fn(&G, &mut Job<'_>) -> Result<S, SolveError>;

/// An archive solver that the game provides, with its own estimates.
pub(crate) fn archive(solver: Box<dyn ArchiveSolver>) -> SolverSpec {
    SolverSpec::new(Method::Phases, Solver::Archive(solver), Box::new(|_| None), RETROGRADE_RATE)
}

/// Solves in one pass, layer by layer.
pub(crate) fn layered<G: Layered + 'static>(game: &Arc<G>) -> SolverSpec {
    let solve = scores(game, |game: &G, job| graded::solve(game, job));
    let spec = SolverSpec::new(Method::Graded, solve, bits(8), 8e6);
    spec.together(Costs::GRADED, || scores_together(game, together::graded::<G>))
}

/// Indices per second and thread when filling with turns. A third of the time is for solving, the
/// rest for counting and compressing the table.
const FILL_RATE: f64 = 3.5e7;

/// Solves bit-parallel, with turns.
pub(crate) fn fill<G: Layered + 'static>(game: &Arc<G>, solve: OwnSolver<G, Scores>) -> SolverSpec {
    let applies = game.index_count() <= 1 << 30;
    let spec = SolverSpec::new(Method::Fill, scores(game, solve), bits(16), FILL_RATE);
    let spec = SolverSpec { applies, ..spec };
    spec.together(Costs::GRADED, || scores_together(game, together::graded::<G>))
}

/// Solves bit-parallel, with one bit per position.
pub(crate) fn fill_outcomes<G: Layered + 'static>(
    game: &Arc<G>,
    solve: OwnSolver<G, OutcomeBits>,
) -> SolverSpec {
    let own = game.clone();
    let solve = Solver::Values(Box::new(move |job| solve(&own, job).map(Solved::Bits)));
    let applies = game.index_count() <= 1 << 36;
    let spec = SolverSpec::new(Method::FillOutcomes, solve, bits(1), 6e8);
    let spec = SolverSpec { applies, keeps_turns: false, ..spec };
    spec.together(Costs::GRADED, || scores_together(game, together::graded::<G>))
}

/// Reachable positions per second and thread.
const REACHABLE_RATE: f64 = 1e6;

/// Solves only the reachable positions.
pub(crate) fn reachable<G: Dense + Graded + 'static>(game: &Arc<G>) -> SolverSpec {
    graded_reachable(game, |game| Reachable::graded(game, ByIndex, &game.start()))
}

/// The same, keeping only one position of each orbit.
pub(crate) fn reachable_by_orbits<G: Dense + Graded + Symmetries + 'static>(game: &Arc<G>) -> SolverSpec {
    graded_reachable(game, |game| by_orbits(game, ByIndex))
}

/// The same, using the game's codes of positions, if it has any.
pub(crate) fn reachable_packed<G: Dense + Graded + Symmetries + Packed + 'static>(
    game: &Arc<G>,
) -> SolverSpec {
    graded_reachable(game, |game| match game.is_packed() {
        true => by_orbits(game, ByPack),
        false => by_orbits(game, ByIndex),
    })
}

/// Uses symmetries if they map the start to itself: only then all images of a reachable position
/// occur.
fn by_orbits<'a, G: Dense + Graded + Symmetries>(game: &'a G, coding: impl Coding<G> + 'a) -> Reachable<'a> {
    let start = game.start();
    match Orbits::of_all(game, &start, coding) {
        Some(orbits) => Reachable::graded(game, orbits, &start),
        None => Reachable::graded(game, coding, &start),
    }
}

/// Solves the reachable positions of a game without repetition, by the codes that `coded` gives them.
fn graded_reachable<G: Dense + 'static>(
    game: &Arc<G>,
    coded: impl Fn(&G) -> Reachable<'_> + Copy + Send + Sync + 'static,
) -> SolverSpec {
    reachable_values(game, Costs::REACHABLE, coded, move |game, job| reachable::solve(&coded(game), job))
}

/// The same in games with repetition, using the capabilities of the game for solving backwards.
pub(crate) fn repeating<G: Predecessors + 'static>(game: &Arc<G>, able: Capabilities<G>) -> SolverSpec {
    let in_memory =
        move |game: &G, job: &mut Job<'_>| solve_repeating_numbered(game, &game.start(), able, job);
    let spec =
        reachable_values(game, Costs::REACHABLE_BACKWARDS, move |game| by_images(game, able), in_memory);
    SolverSpec { only_if_asked: true, version: 3, ..spec }
}

/// Uses symmetries if they are known and all images of reachable positions occur.
fn by_images<G: Predecessors>(game: &G, able: Capabilities<G>) -> Reachable<'_> {
    let start = game.start();
    match ByImages::of_all(game, &start, able) {
        Some(images) => Reachable::repeating(game, images, &start),
        None => Reachable::repeating(game, ByIndex, &start),
    }
}

/// Solves the reachable positions in memory, in files, or with several processes.
fn reachable_values<G: Dense + 'static>(
    game: &Arc<G>,
    costs: Costs,
    coded: impl Fn(&G) -> Reachable<'_> + Copy + Send + Sync + 'static,
    in_memory: impl Fn(&G, &mut Job<'_>) -> Result<ReachableScores, SolveError> + Send + Sync + 'static,
) -> SolverSpec {
    let [alone, shared] = [(); 2].map(|()| game.clone());
    let solve = Solver::Values(Box::new(move |job| {
        in_memory_or_files(job, &|job| in_memory(&alone, job), &|job, files| {
            solve_on_disk(&coded(&alone), job, files)
        })
    }));
    let spec = SolverSpec::new(Method::Reachable, solve, Box::new(|_| None), REACHABLE_RATE);
    spec.together(costs, || {
        Together::Reachable(Box::new(move |exchange, job, sink| {
            together::reachable(&coded(&shared), exchange, job, sink)
        }))
    })
}

/// The minimum memory of a solve in files in bytes, for buffers.
const MIN_MEMORY_IN_FILES: u64 = 1 << 20;

/// Solves reachable positions in memory.
type InMemory<'a> = dyn Fn(&mut Job<'_>) -> Result<ReachableScores, SolveError> + 'a;
/// Solves reachable positions in files.
type OnDisk<'a> = dyn Fn(&mut Job<'_>, Box<dyn Spill>) -> Result<ReachableScores, SolveError> + 'a;

/// Solves in memory or, if positions do not fit, in files if there is space.
fn in_memory_or_files(
    job: &mut Job<'_>,
    in_memory: &InMemory<'_>,
    in_files: &OnDisk<'_>,
) -> Result<Solved, SolveError> {
    let too_much = match job.checkpoint.has_spilled() {
        true => None,
        false => match in_memory(job) {
            Err(SolveError::Memory { need, limit }) => Some((need, limit)),
            result => return result.map(Solved::Sparse),
        },
    };
    let files = if job.memory < MIN_MEMORY_IN_FILES { None } else { job.checkpoint.spill(false)? };
    let Some(files) = files else {
        let (need, limit) = too_much.unwrap_or((MIN_MEMORY_IN_FILES, job.memory));
        return Err(SolveError::Memory { need, limit });
    };
    if let Some((need, limit)) = too_much {
        note_files(job, need, limit);
    }
    in_files(job, files).map(Solved::Sparse)
}

/// The memory limit of a search: every thread may run one.
fn search_memory() -> u64 {
    static SHARE: OnceLock<u64> = OnceLock::new();
    let share = *SHARE.get_or_init(|| initial_memory_limit() / crate::usable_threads() as u64);
    share.min(SEARCH_MEMORY).min(crate::bounds::memory())
}

/// The limits of a search, within the memory and the time of this thread.
pub(crate) fn proof_limits(limits: &SearchLimits) -> proof::Limits<'static> {
    let SearchLimits { nodes, time, depth } = *limits;
    proof::Limits { nodes, time, depth, memory: search_memory(), stopped: &crate::bounds::is_over }
}

/// Searches one position; returns its value and the number of positions visited.
pub(crate) fn search<G: Game>(
    game: &G,
    position: &G::Position,
    limits: &SearchLimits,
) -> Result<(Knowledge, u64), Error> {
    let limits = proof_limits(limits);
    let began = Instant::now();
    let proof = proof::search(game, position, &limits);
    if began.elapsed() >= limits.time {
        crate::bounds::record_reached();
    }
    Ok((proof.knowledge, proof.nodes))
}

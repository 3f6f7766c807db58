//! The solvers that a game can have, with their methods, costs and forms of values. The rest of
//! this crate sees a list of [`SolverSpec`]s.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use retrograde_game::{Dense, Game, Graded, Index, Knowledge, Layered, Packed, Predecessors, Symmetries};
use retrograde_solve::clock::Instant;
use retrograde_solve::reachable::{
    ByImages, ByIndex, ByPack, Coding, MarkedScores, NumberedScores, Orbits, ReachableValues,
    RepeatingValues, Spill, SpilledScores, solve_graded, solve_graded_on_disk, solve_repeating_numbered,
    solve_repeating_on_disk,
};
#[cfg(feature = "cluster")]
use retrograde_solve::reachable::{Coded, images_by_number};
use retrograde_solve::retrograde::{Capabilities, Retrograde, StagedScores};
#[cfg(feature = "cluster")]
use retrograde_solve::{
    Exchange,
    together::{self, Occurring, OccurringSink, ScoreSink, SharedJob},
};
use retrograde_solve::{Job, OutcomeBits, Scores, SolveError, graded, proof};

use crate::{ArchiveSolver, Error, Method, SearchLimits};

/// The values of a solved game, in the form that its solver produces.
pub(crate) enum Solved {
    /// A score per index.
    Scores(Scores),
    /// The same in files.
    Staged(StagedScores),
    /// A bit per index: 1 won, 0 lost for the side to move.
    Bits(OutcomeBits),
    /// Occurring positions by index.
    Sparse(OccurringScores),
}

/// Solves a game in memory.
pub(crate) type Solve = Box<dyn Fn(&mut Job<'_>) -> Result<Solved, SolveError> + Send + Sync>;

/// Solves a game with several processes and a score per index.
#[cfg(feature = "cluster")]
type ScoresTogether =
    dyn Fn(&mut dyn Exchange, &mut SharedJob<'_>, &mut dyn ScoreSink) -> Result<(), SolveError> + Send + Sync;

/// Solves the occurring positions with several processes.
#[cfg(feature = "cluster")]
type OccurringTogether = dyn Fn(&mut dyn Exchange, &mut SharedJob<'_>, &mut dyn OccurringSink) -> Result<(), SolveError>
    + Send
    + Sync;

/// A solver for several processes, by the form of its values.
#[cfg(feature = "cluster")]
#[derive(Clone)]
pub(crate) enum Together {
    /// A score per index.
    Scores(Arc<ScoresTogether>),
    /// Occurring positions by index.
    Occurring(Arc<OccurringTogether>),
}

/// The work of a solver, by the destination of its values.
pub(crate) enum Solver {
    /// It returns values, which become a table.
    Values(Solve),
    /// It stores them in an archive.
    Archive(Box<dyn ArchiveSolver>),
}

/// The memory that a game needs in bytes; `None` if it cannot be solved.
type BytesOf = Box<dyn Fn() -> Option<u128> + Send + Sync>;
/// The memory in bytes that a game needs with values in files, given a limit and the memory it
/// needs without; `None` if its values cannot be in files.
pub(crate) type FilesNeed = Box<dyn Fn(u64, u128) -> Option<u64> + Send + Sync>;
/// An iterator that reads indices and scores.
type NumbersRead<'a> = Box<dyn Iterator<Item = std::io::Result<(u64, u16)>> + 'a>;

/// A solver that keeps its values in files.
pub(crate) struct InFiles {
    pub need: FilesNeed,
    pub solve: Solve,
}

/// The memory that a solver needs.
pub(crate) enum MemoryNeed {
    /// A number of bits per index.
    Bits(u32),
    /// A number of bytes; `None` if the game cannot be solved.
    Bytes(BytesOf),
    /// It depends on the number of occurring positions.
    Unknown,
    /// See [`ArchiveSolver::estimate`].
    Estimated,
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
    /// Whether it is only chosen when occurring positions are requested, because it finds out late
    /// that they do not fit into memory.
    pub only_if_asked: bool,
    /// The same solver for several processes, with its costs, if there is one.
    #[cfg(feature = "cluster")]
    pub together: Option<(Together, costs::Costs)>,
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
            #[cfg(feature = "cluster")]
            together: None,
        }
    }

    /// It can solve only some games.
    fn applies(self, applies: bool) -> SolverSpec {
        SolverSpec { applies, ..self }
    }

    /// It finds outcomes only.
    fn without_turns(self) -> SolverSpec {
        SolverSpec { keeps_turns: false, ..self }
    }

    /// Adds a solver of the same values for several processes.
    #[cfg(feature = "cluster")]
    fn together(self, together: Together, costs: costs::Costs) -> SolverSpec {
        SolverSpec { together: Some((together, costs)), ..self }
    }

    /// The solver with files of its own, if it is one.
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
    let usual_memory = move || Some(Retrograde::with(&*for_memory, able).usual_memory());
    let memory = MemoryNeed::Bytes(Box::new(usual_memory));
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
    #[cfg(feature = "cluster")]
    let spec = {
        let game = game.clone();
        let solve = move |session: &mut dyn Exchange, job: &mut SharedJob<'_>, sink: &mut dyn ScoreSink| {
            together::retrograde(&*game, able, session, job, sink)
        };
        let costs = if able.has_predecessors() { costs::BACKWARDS } else { costs::FORWARDS };
        spec.together(Together::Scores(Arc::new(solve)), costs)
    };
    spec
}

/// Solves in memory or, if that is too small, in files, if the game supports it.
fn backwards<G: Dense>(solver: &Retrograde<'_, G>, job: &mut Job<'_>) -> Result<Solved, SolveError> {
    if job.checkpoint.has_spilled() {
        return backwards_in_files(solver, job);
    }
    match solver.solve(job) {
        Err(too_much @ SolveError::Memory { .. })
            if solver.memory_in_files().is_some_and(|need| need <= job.memory) =>
        {
            job.progress.note(&format!("{too_much}: the solve goes on in files"));
            backwards_in_files(solver, job)
        }
        result => result.map(Solved::Scores),
    }
}

/// Solves in files, or in memory if there cannot be any files.
fn backwards_in_files<G: Dense>(solver: &Retrograde<'_, G>, job: &mut Job<'_>) -> Result<Solved, SolveError> {
    match job.checkpoint.spill(true)? {
        Some(files) => solver.solve_in_files(job, files).map(Solved::Staged),
        None => solver.solve(job).map(Solved::Scores),
    }
}

/// A shared solver that finds a score per index.
#[cfg(feature = "cluster")]
type SharedScores<G> =
    fn(&G, &mut dyn Exchange, &mut SharedJob<'_>, &mut dyn ScoreSink) -> Result<(), SolveError>;

/// Solves with several processes and a score per index.
#[cfg(feature = "cluster")]
fn scores_together<G: Game + 'static>(game: &Arc<G>, solve: SharedScores<G>) -> Together {
    let game = game.clone();
    Together::Scores(Arc::new(move |session, job, sink| solve(&game, session, job, sink)))
}

/// A game's own solver that finds a score per index.
pub(crate) type SolveScores<G> = fn(&G, &mut Job<'_>) -> Result<Scores, SolveError>;

/// A game's own solver that finds an outcome per index.
pub(crate) type SolveOutcomes<G> = fn(&G, &mut Job<'_>) -> Result<OutcomeBits, SolveError>;

/// A solver that the game provides.
pub(crate) fn own<G: Dense + 'static>(
    game: &Arc<G>,
    solve: SolveScores<G>,
    memory: fn(&G) -> Option<u128>,
    rate: f64,
) -> SolverSpec {
    let for_memory = game.clone();
    let memory = MemoryNeed::Bytes(Box::new(move || memory(&for_memory)));
    SolverSpec::new(Method::Planes, scores(game, solve), memory, rate)
}

/// An archive solver that the game provides, with its own estimates.
pub(crate) fn archive(solver: Box<dyn ArchiveSolver>) -> SolverSpec {
    SolverSpec::new(Method::Phases, Solver::Archive(solver), MemoryNeed::Estimated, RETROGRADE_RATE)
}

/// Solves in one pass, layer by layer.
pub(crate) fn layered<G: Layered + 'static>(game: &Arc<G>) -> SolverSpec {
    let solve = scores(game, |game: &G, job| graded::solve(game, job));
    let spec = SolverSpec::new(Method::Graded, solve, MemoryNeed::Bits(8), 8e6);
    #[cfg(feature = "cluster")]
    let spec = spec.together(scores_together(game, together::graded::<G>), costs::GRADED);
    spec
}

/// Indices per second and thread when filling with turns. A third of the time is for solving, the
/// rest for counting and compressing the table.
const FILL_RATE: f64 = 3.5e7;

/// Solves bit-parallel, with turns.
pub(crate) fn fill<G: Layered + 'static>(game: &Arc<G>, solve: SolveScores<G>) -> SolverSpec {
    let applies = game.index_count() <= 1 << 30;
    let spec =
        SolverSpec::new(Method::Fill, scores(game, solve), MemoryNeed::Bits(16), FILL_RATE).applies(applies);
    #[cfg(feature = "cluster")]
    let spec = spec.together(scores_together(game, together::graded::<G>), costs::GRADED);
    spec
}

/// Solves bit-parallel, with one bit per position.
pub(crate) fn fill_outcomes<G: Layered + 'static>(game: &Arc<G>, solve: SolveOutcomes<G>) -> SolverSpec {
    let own = game.clone();
    let solve = Solver::Values(Box::new(move |job| solve(&own, job).map(Solved::Bits)));
    let spec = SolverSpec::new(Method::FillOutcomes, solve, MemoryNeed::Bits(1), 6e8)
        .applies(game.index_count() <= 1 << 36)
        .without_turns();
    #[cfg(feature = "cluster")]
    let spec = spec.together(scores_together(game, together::graded::<G>), costs::GRADED);
    spec
}

/// Occurring positions per second and thread.
const REACHABLE_RATE: f64 = 1e6;

fn occurring<G: Dense + 'static>(
    game: &Arc<G>,
    solve: impl Fn(&G, &mut Job<'_>) -> Result<OccurringScores, SolveError> + Send + Sync + 'static,
) -> SolverSpec {
    let game = game.clone();
    let solve = Solver::Values(Box::new(move |job| solve(&game, job).map(Solved::Sparse)));
    SolverSpec::new(Method::Reachable, solve, MemoryNeed::Unknown, REACHABLE_RATE)
}

/// Solves only the occurring positions.
pub(crate) fn reachable<G: Dense + Graded + 'static>(game: &Arc<G>) -> SolverSpec {
    let spec = occurring(game, |game, job| numbered(game, ByIndex, job));
    #[cfg(feature = "cluster")]
    let spec = spec.together(
        occurring_together(game, |game, session, job, sink| {
            numbered_together(game, ByIndex, session, job, sink)
        }),
        costs::OCCURRING,
    );
    spec
}

/// The same, keeping only one position of each orbit.
pub(crate) fn reachable_by_orbits<G: Dense + Graded + Symmetries + 'static>(game: &Arc<G>) -> SolverSpec {
    let spec = occurring(game, |game, job| by_orbits(game, ByIndex, job));
    #[cfg(feature = "cluster")]
    let spec = spec.together(
        occurring_together(game, |game, session, job, sink| {
            by_orbits_together(game, ByIndex, session, job, sink)
        }),
        costs::OCCURRING,
    );
    spec
}

/// The same, using the game's codes of positions, if it has any.
pub(crate) fn reachable_packed<G: Dense + Graded + Symmetries + Packed + 'static>(
    game: &Arc<G>,
) -> SolverSpec {
    let spec = occurring(game, |game, job| match game.is_packed() {
        true => by_orbits(game, ByPack, job),
        false => by_orbits(game, ByIndex, job),
    });
    #[cfg(feature = "cluster")]
    let together = occurring_together(game, |game: &G, session, job, sink| match game.is_packed() {
        true => by_orbits_together(game, ByPack, session, job, sink),
        false => by_orbits_together(game, ByIndex, session, job, sink),
    });
    #[cfg(feature = "cluster")]
    let spec = spec.together(together, costs::OCCURRING);
    spec
}

/// The same in games with repetition, using the capabilities of the game for solving backwards.
pub(crate) fn repeating<G: Predecessors + 'static>(game: &Arc<G>, able: Capabilities<G>) -> SolverSpec {
    let spec = occurring(game, move |game: &G, job| {
        in_memory_or_files(
            job,
            |job| match solve_repeating_numbered(game, &game.start(), able, job)? {
                RepeatingValues::Marked(scores) => Ok(OccurringScores::Marked(scores)),
                RepeatingValues::Keyed(values) => in_order(game, values, job),
            },
            |job, files| match ByImages::of_all(game, &game.start(), able) {
                Some(coding) => solve_repeating_on_disk(game, &game.start(), (coding, number), job, files),
                None => solve_repeating_on_disk(game, &game.start(), (ByIndex, number), job, files),
            },
        )
    });
    #[cfg(feature = "cluster")]
    let spec = spec.together(
        occurring_together(game, move |game, session, job, sink| {
            repeating_together(game, able, session, job, sink)
        }),
        costs::OCCURRING_BACKWARDS,
    );
    SolverSpec { only_if_asked: true, version: 3, ..spec }
}

/// Uses symmetries if they map the start to itself: only then all images of an occurring position
/// occur.
fn by_orbits<G: Dense + Graded + Symmetries>(
    game: &G,
    coding: impl Coding<G>,
    job: &mut Job<'_>,
) -> Result<OccurringScores, SolveError> {
    match Orbits(coding).image_count(game, &game.start()) {
        1 => numbered(game, Orbits(coding), job),
        _ => numbered(game, coding, job),
    }
}

/// Solves the occurring positions with several processes.
#[cfg(feature = "cluster")]
fn occurring_together<G: Game + 'static>(
    game: &Arc<G>,
    solve: impl Fn(&G, &mut dyn Exchange, &mut SharedJob<'_>, &mut dyn OccurringSink) -> Result<(), SolveError>
    + Send
    + Sync
    + 'static,
) -> Together {
    let game = game.clone();
    Together::Occurring(Arc::new(move |session, job, sink| solve(&game, session, job, sink)))
}

/// [`by_orbits`] with several processes.
#[cfg(feature = "cluster")]
fn by_orbits_together<G: Dense + Graded + Symmetries>(
    game: &G,
    coding: impl Coding<G>,
    exchange: &mut dyn Exchange,
    job: &mut SharedJob<'_>,
    sink: &mut dyn OccurringSink,
) -> Result<(), SolveError> {
    match Orbits(coding).image_count(game, &game.start()) {
        1 => numbered_together(game, Orbits(coding), exchange, job, sink),
        _ => numbered_together(game, coding, exchange, job, sink),
    }
}

/// Solves the occurring positions, by index, with several processes.
#[cfg(feature = "cluster")]
fn numbered_together<G: Dense + Graded>(
    game: &G,
    coding: impl Coding<G>,
    exchange: &mut dyn Exchange,
    job: &mut SharedJob<'_>,
    sink: &mut dyn OccurringSink,
) -> Result<(), SolveError> {
    let start = game.start();
    let numbers = |scored: &[(u64, u16)]| images_by_number(game, coding, &number, scored);
    let game = Coded::graded(game, coding, &start);
    together::occurring(Occurring::Graded(&game), &numbers, exchange, job, sink)
}

/// The same in games with repetition, keeping only one position of each orbit if possible.
#[cfg(feature = "cluster")]
fn repeating_together<G: Predecessors>(
    game: &G,
    able: Capabilities<G>,
    exchange: &mut dyn Exchange,
    job: &mut SharedJob<'_>,
    sink: &mut dyn OccurringSink,
) -> Result<(), SolveError> {
    match ByImages::of_all(game, &game.start(), able) {
        Some(coding) => repeating_numbered_together(game, coding, exchange, job, sink),
        None => repeating_numbered_together(game, ByIndex, exchange, job, sink),
    }
}

#[cfg(feature = "cluster")]
fn repeating_numbered_together<G: Predecessors>(
    game: &G,
    coding: impl Coding<G>,
    exchange: &mut dyn Exchange,
    job: &mut SharedJob<'_>,
    sink: &mut dyn OccurringSink,
) -> Result<(), SolveError> {
    let start = game.start();
    let numbers = |scored: &[(u64, u16)]| images_by_number(game, coding, &number, scored);
    let game = Coded::repeating(game, coding, &start);
    together::occurring(Occurring::Repeating(&game), &numbers, exchange, job, sink)
}

/// The number of a position in a table: its index.
fn number<G: Dense>(game: &G, position: &G::Position) -> Option<u64> {
    game.index(position).map(|Index(index)| index)
}

/// The minimum memory of a solve in files in bytes, for buffers.
const LEAST_FOR_FILES: u64 = 1 << 20;

/// Solves the occurring positions, by index, without finished ones.
fn numbered<G: Dense + Graded>(
    game: &G,
    coding: impl Coding<G>,
    job: &mut Job<'_>,
) -> Result<OccurringScores, SolveError> {
    in_memory_or_files(
        job,
        |job| in_order(game, solve_graded(game, &game.start(), coding, job)?, job),
        |job, files| solve_graded_on_disk(game, &game.start(), (coding, number), job, files),
    )
}

/// Solves in memory or, if positions do not fit, in files if there is space.
fn in_memory_or_files(
    job: &mut Job<'_>,
    in_memory: impl FnOnce(&mut Job<'_>) -> Result<OccurringScores, SolveError>,
    in_files: impl FnOnce(&mut Job<'_>, Box<dyn Spill>) -> Result<SpilledScores, SolveError>,
) -> Result<OccurringScores, SolveError> {
    let too_much = match job.checkpoint.has_spilled() {
        true => None,
        false => match in_memory(job) {
            Err(too_much @ SolveError::Memory { .. }) => Some(too_much),
            result => return result,
        },
    };
    let files = if job.memory < LEAST_FOR_FILES { None } else { job.checkpoint.spill(false)? };
    let Some(files) = files else {
        return Err(too_much.unwrap_or(SolveError::Memory { need: LEAST_FOR_FILES, limit: job.memory }));
    };
    if let Some(too_much) = too_much {
        job.progress.note(&format!("{too_much}: the solve goes on in files"));
    }
    in_files(job, files).map(OccurringScores::OnDisk)
}

/// Values by index.
fn in_order<G: Dense>(
    game: &G,
    values: ReachableValues<G, impl Coding<G>>,
    job: &Job<'_>,
) -> Result<OccurringScores, SolveError> {
    let need = values.numbered_bytes();
    if need > job.memory {
        return Err(SolveError::Memory { need, limit: job.memory });
    }
    job.progress.stage("sorting positions", 0);
    let counts = values.counts().clone();
    let numbered = values.into_numbered(game, number, &retrograde_solve::pool(job.threads)?);
    let scores = numbered.ok_or_else(|| {
        SolveError::BrokenPromise(format!("{}: a position occurs and has no number", game.name()))
    })?;
    Ok(OccurringScores::InMemory(counts, scores))
}

/// Occurring positions by index, with their scores.
pub(crate) enum OccurringScores {
    /// With the number of positions by score.
    InMemory(BTreeMap<u16, u64>, NumberedScores),
    /// Among the scores of all indices.
    Marked(MarkedScores),
    OnDisk(SpilledScores),
}

impl OccurringScores {
    /// Positions by score of two bytes.
    pub(crate) fn counts(&self) -> &BTreeMap<u16, u64> {
        match self {
            OccurringScores::InMemory(counts, _) => counts,
            OccurringScores::Marked(scores) => scores.counts(),
            OccurringScores::OnDisk(scores) => scores.counts(),
        }
    }

    /// The score at an index, if its position occurs.
    pub(crate) fn score(&self, index: Index) -> std::io::Result<Option<u16>> {
        match self {
            OccurringScores::InMemory(_, scores) => Ok(scores.score(index.0)),
            OccurringScores::Marked(scores) => Ok(scores.score(index.0)),
            OccurringScores::OnDisk(scores) => scores.score(index.0),
        }
    }

    /// Indices and scores, in the order of the indices.
    pub(crate) fn iter(&self) -> std::io::Result<NumbersRead<'_>> {
        Ok(match self {
            OccurringScores::InMemory(_, scores) => Box::new(scores.iter().map(Ok)),
            OccurringScores::Marked(scores) => Box::new(scores.iter().map(Ok)),
            OccurringScores::OnDisk(scores) => Box::new(scores.iter()?),
        })
    }
}

/// The memory limit of a search for one position, in addition to other work.
pub(crate) const SEARCH_MEMORY: u64 = 1 << 30;

/// The memory limit of a search: every thread may run one. The system is queried once, because that
/// takes longer than a short search.
pub(crate) fn search_memory() -> u64 {
    static MEMORY: OnceLock<u64> = OnceLock::new();
    let share = || crate::allowed_memory(None) / crate::usable_threads() as u64;
    let memory = *MEMORY.get_or_init(|| share().min(SEARCH_MEMORY));
    memory.min(crate::bounds::memory())
}

/// Searches one position; returns its value and the number of positions visited.
pub(crate) fn search<G: Game>(
    game: &G,
    position: &G::Position,
    limits: &SearchLimits,
) -> Result<(Knowledge, u64), Error> {
    let (memory, stopped) = (search_memory(), &crate::bounds::is_over);
    let SearchLimits { nodes, time, depth } = *limits;
    let limits = proof::Limits { nodes, time, depth, memory, stopped };
    let began = Instant::now();
    let proof = proof::search(game, position, &limits);
    if began.elapsed() >= limits.time {
        crate::bounds::meet();
    }
    Ok((proof.knowledge, proof.nodes))
}

/// Costs of solvers with several processes.
#[cfg(feature = "cluster")]
pub(crate) mod costs {
    use retrograde_solve::together::{
        GRADED_BYTES, OCCURRING_BYTES, OCCURRING_REPEATING_BYTES, RETROGRADE_BYTES,
    };

    /// Costs of a solver on several processes, as measured (docs/engineering-notes.md).
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

    pub(crate) const GRADED: Costs = Costs { memory: GRADED_BYTES, saved: 1, message: 0.9, rate: 20e6 };
    pub(crate) const BACKWARDS: Costs = Costs { memory: RETROGRADE_BYTES, saved: 1, message: 0.8, rate: 8e6 };
    /// Costs per occurring position; each orbit is stored once.
    pub(crate) const OCCURRING: Costs = Costs { memory: OCCURRING_BYTES, saved: 10, message: 5.0, rate: 5e6 };
    /// The same in games with repetition.
    pub(crate) const OCCURRING_BACKWARDS: Costs = Costs { memory: OCCURRING_REPEATING_BYTES, ..OCCURRING };
    /// Every phase asks again. The number of phases is unknown in advance; ten is a guess.
    pub(crate) const FORWARDS: Costs = Costs { memory: 1, saved: 1, message: 24.0, rate: 1e6 };
}

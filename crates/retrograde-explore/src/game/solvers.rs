//! The list of solvers that a game can have: the method, the costs, and the form of the values of
//! each. Everything else in this crate sees a list of [`SolverSpec`]s.

use retrograde_game::{Dense, Fill, Game, Graded, Knowledge, Layered, Predecessors, Score, Symmetries};
use retrograde_solve::retrograde::Retrograde;
use retrograde_solve::{Job, Scores, SolveError, fill, graded, proof, reachable as reaching};

use crate::{Error, Method, SearchLimits};

/// The values of a solved game, in the form in which its solver has them.
pub(crate) enum Solved {
    /// A score an index.
    Scores(Scores),
    /// A bit an index: 1 won, 0 lost for the side to move.
    Bits(fill::OutcomeBits),
    /// Occurring positions, sorted by index, with scores of two bytes.
    Sparse(Vec<(u64, u16)>),
}

/// Solves a game.
type Solve<G> = Box<dyn Fn(&G, &mut Job<'_>) -> Result<Solved, SolveError> + Send + Sync>;

/// Solves a game on several processes.
#[cfg(feature = "cluster")]
pub(crate) type Together<G> = fn(
    &G,
    &mut retrograde_cluster::Session,
    &mut retrograde_cluster::ClusterJob<'_>,
    &mut dyn retrograde_cluster::ScoreSink,
) -> Result<(), retrograde_cluster::ClusterError>;

/// The work of a solver, by where its values go.
pub(crate) enum Solver<G> {
    /// It gives values, which become a table.
    Values(Solve<G>),
    /// The game's own, which keeps them in files of its own.
    Archive,
}

/// A way to solve a game.
pub(crate) struct SolverSpec<G> {
    pub method: Method,
    /// Changes when work files of this solver no longer fit.
    pub version: u32,
    pub solve: Solver<G>,
    /// Whether this game is one it can solve.
    pub applies: fn(&G) -> bool,
    /// Memory; `None` where it depends on how many positions occur.
    pub bits_per_index: Option<u32>,
    /// Memory in bytes, where it is not so many bits an index; `None`: it cannot be done at all.
    pub memory: Option<fn(&G) -> Option<u128>>,
    /// Indices a second and thread.
    pub rate: f64,
    pub knows_turns: bool,
    /// The same on several processes, with what it takes there, where there is such a solver.
    #[cfg(feature = "cluster")]
    pub together: Option<(Together<G>, costs::Costs)>,
}

/// Backwards, looking forwards only.
pub(crate) fn retrograde<G: Dense>() -> SolverSpec<G> {
    SolverSpec {
        method: Method::Retrograde,
        version: 2,
        solve: Solver::Values(Box::new(|game, job| Retrograde::new(game).solve(job).map(Solved::Scores))),
        applies: |_| true,
        bits_per_index: Some(40),
        memory: None,
        rate: 1e6,
        knows_turns: true,
        #[cfg(feature = "cluster")]
        together: Some((retrograde_cluster::retrograde::<G>, costs::FORWARDS)),
    }
}

/// A solver that a game brings along.
pub(crate) fn own<G: Dense + 'static>(
    solve: fn(&G, &mut Job<'_>) -> Result<Scores, SolveError>,
    memory: fn(&G) -> Option<u128>,
    rate: f64,
) -> SolverSpec<G> {
    SolverSpec {
        method: Method::Planes,
        solve: Solver::Values(Box::new(move |game, job| solve(game, job).map(Solved::Scores))),
        memory: Some(memory),
        rate,
        #[cfg(feature = "cluster")]
        together: None,
        ..retrograde()
    }
}

/// A solver that a game brings along, with files of its own.
pub(crate) fn kept<G: Dense + 'static>() -> SolverSpec<G> {
    SolverSpec {
        method: Method::Phases,
        solve: Solver::Archive,
        #[cfg(feature = "cluster")]
        together: None,
        ..retrograde()
    }
}

pub(crate) fn retrograde_by_predecessors<G: Predecessors>() -> SolverSpec<G> {
    SolverSpec {
        solve: Solver::Values(Box::new(|game, job| {
            Retrograde::new(game).predecessors().solve(job).map(Solved::Scores)
        })),
        #[cfg(feature = "cluster")]
        together: Some((retrograde_cluster::retrograde_by_predecessors::<G>, costs::BACKWARDS)),
        ..retrograde()
    }
}

pub(crate) fn retrograde_by_orbits<G: Predecessors + Symmetries>() -> SolverSpec<G> {
    SolverSpec {
        solve: Solver::Values(Box::new(|game, job| {
            Retrograde::new(game).predecessors().symmetries().solve(job).map(Solved::Scores)
        })),
        ..retrograde_by_predecessors()
    }
}

pub(crate) fn layered<G: Layered>() -> SolverSpec<G> {
    SolverSpec {
        method: Method::Graded,
        solve: Solver::Values(Box::new(|game, job| graded::solve(game, job).map(Solved::Scores))),
        bits_per_index: Some(8),
        rate: 8e6,
        #[cfg(feature = "cluster")]
        together: Some((retrograde_cluster::graded::<G>, costs::GRADED)),
        ..retrograde()
    }
}

pub(crate) fn fill<G: Fill>() -> SolverSpec<G> {
    SolverSpec {
        method: Method::Fill,
        applies: |game| game.cells() <= 30,
        solve: Solver::Values(Box::new(|game, job| fill::solve(game, job).map(Solved::Scores))),
        bits_per_index: Some(16),
        rate: 1e8,
        ..layered()
    }
}

pub(crate) fn fill_outcomes<G: Fill>() -> SolverSpec<G> {
    SolverSpec {
        method: Method::FillOutcomes,
        applies: |game| game.cells() <= 36,
        solve: Solver::Values(Box::new(|game, job| fill::outcomes(game, job).map(Solved::Bits))),
        bits_per_index: Some(1),
        rate: 6e8,
        knows_turns: false,
        ..layered()
    }
}

pub(crate) fn reachable<G: Dense + Graded>() -> SolverSpec<G> {
    SolverSpec {
        method: Method::Reachable,
        bits_per_index: None,
        solve: Solver::Values(Box::new(|game, job| occurring(game, job).map(Solved::Sparse))),
        rate: 2e5,
        #[cfg(feature = "cluster")]
        together: None,
        ..retrograde()
    }
}

/// The positions that occur from the start, by index, with their scores; finished ones are left
/// out.
fn occurring<G: Dense + Graded>(game: &G, job: &mut Job<'_>) -> Result<Vec<(u64, u16)>, SolveError> {
    let reached = reaching::solve_graded(game, &game.start(), job)?;
    let mut occurring: Vec<(u64, u16)> = reached
        .iter()
        .filter_map(|(position, value)| Some((game.index(position)?.0, u16::from_value(value)?)))
        .collect();
    occurring.sort_unstable();
    Ok(occurring)
}

/// Memory that a search may take: it is for one position, on the side.
const SEARCH_MEMORY: u64 = 1 << 30;

/// Searches one position: what it found, and how many positions it looked at.
pub(crate) fn search<G: Game>(
    game: &G,
    position: &G::Position,
    limits: &SearchLimits,
) -> Result<(Knowledge, u64), Error> {
    let memory = crate::machine::usable_memory().unwrap_or(SEARCH_MEMORY).min(SEARCH_MEMORY);
    let limits = proof::Limits { nodes: limits.nodes, time: limits.time, memory, stopped: &|| false };
    let proof = proof::search(game, position, &limits);
    Ok((proof.knowledge, proof.nodes))
}

/// Costs of solvers on several processes.
#[cfg(feature = "cluster")]
pub(crate) mod costs {
    use retrograde_cluster::{GRADED_BYTES, RETROGRADE_BYTES};

    /// Costs of a solver on several processes, as measured (docs/cluster.md).
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub(crate) struct Costs {
        /// Bytes of memory for an index that a process owns.
        pub memory: u64,
        /// Bytes of a shard for an index.
        pub saved: u64,
        /// Bytes that are sent for a turn to a position of another process, there and back.
        pub message: f64,
        /// Turns a second and thread.
        pub rate: f64,
    }

    pub(crate) const GRADED: Costs = Costs { memory: GRADED_BYTES, saved: 1, message: 0.9, rate: 20e6 };
    pub(crate) const BACKWARDS: Costs = Costs { memory: RETROGRADE_BYTES, saved: 3, message: 0.8, rate: 8e6 };
    /// Every phase asks again; how often is not known before, and ten is a guess.
    pub(crate) const FORWARDS: Costs = Costs { memory: 1, saved: 1, message: 24.0, rate: 1e6 };
}

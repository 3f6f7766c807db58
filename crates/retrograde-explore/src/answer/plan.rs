//! Options of a solve, and its estimate.

use std::fmt;
use std::sync::Arc;

use retrograde_table::{DiskStorage, Storage};
use schemars::JsonSchema;
use serde::Serialize;

use crate::Count;

/// A method of solving.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Bit-parallel, 64 positions at a time, with turns.
    Fill,
    /// Bit-parallel, outcomes only.
    FillOutcomes,
    /// One pass in an order in which successors are known.
    Graded,
    /// By the game's own solver, which logs each phase.
    Phases,
    /// Backwards from the finished positions.
    Retrograde,
    /// Only the reachable positions.
    Reachable,
    /// No table fits: positions are searched one by one.
    Search,
}

/// The name, as in JSON.
impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// The estimate of a solve (`plan`).
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Plan {
    /// The canonical name of the game.
    pub game: String,
    /// Legal positions.
    pub positions: Count,
    /// True if `positions` counts up to symmetry.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub positions_up_to_symmetry: bool,
    /// The method.
    pub method: Method,
    /// Bytes of memory.
    pub memory: Count,
    /// Bytes of disk for the table.
    pub disk: Count,
    /// Bytes of disk for work files.
    pub work: Count,
    /// Estimated seconds on this machine; null if unknown.
    pub seconds: Option<f64>,
    /// Whether the solve fits the allowed memory.
    pub fits: bool,
    /// The command that solves the game, or why none does.
    pub advice: String,
    /// More counts with their names.
    pub counts: Vec<(String, Count)>,
    /// Why this method was chosen and others were not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Plan {
    /// The plan of a game that no solver supports, with the reason as its advice.
    pub fn without_solver(game: String, positions: u128, advice: String) -> Plan {
        Plan {
            game,
            positions: Count(positions),
            positions_up_to_symmetry: false,
            method: Method::Search,
            memory: Count(0),
            disk: Count(0),
            work: Count(0),
            seconds: None,
            fits: false,
            advice,
            counts: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// Options of a solve.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// Threads to use.
    pub threads: usize,
    /// The maximum memory in bytes; `None`: [`allowed_memory`](crate::allowed_memory).
    pub memory: Option<u64>,
    /// The number of phases to run: only positions that end within that number of turns are
    /// decided.
    pub phases: Option<u16>,
    /// Keep only outcomes, one or two bits per position.
    pub outcome_only: bool,
    /// Keep only the reachable positions, even where a dense table would fit.
    pub reachable_only: bool,
    /// Choose only solvers that keep the values of all positions, with turns, in memory, as
    /// [`AnyGame::solve_in_memory`](crate::AnyGame::solve_in_memory) does.
    pub in_memory: bool,
    /// Solve even if there is a complete table.
    pub again: bool,
    /// Wait while another process solves the game, instead of failing with
    /// [`TableError::Locked`](retrograde_table::TableError::Locked).
    pub wait: bool,
    /// Keep work files at the end.
    pub keep_work: bool,
    /// Keep wins where a solver would keep losses only.
    pub with_wins: bool,
    /// Start even if the disk seems too small.
    pub ignore_space: bool,
    /// Further options of the command line that the suggested command repeats, each after a space, such as
    /// ` --memory 1G`.
    pub repeated: String,
    /// The file system for everything that solving reads and writes.
    pub storage: Arc<dyn Storage>,
}

impl SolveOptions {
    /// Whether an archive keeps its wins. In memory they are cheap, and without them answers are slow.
    pub(crate) fn keeps_wins(&self) -> bool {
        self.with_wins || self.in_memory
    }

    /// The options of a suggested command: each follows a space.
    pub fn arguments(&self) -> String {
        let turns = self.phases.map_or(String::new(), |turns| format!(" --max-turns {turns}"));
        let given = [
            (self.outcome_only, " --outcome-only"),
            (self.reachable_only, " --reachable"),
            (self.with_wins, " --with-wins"),
            (self.again, " --again"),
        ];
        given.iter().filter(|(given, _)| *given).fold(turns, |all, (_, option)| all + option) + &self.repeated
    }
}

impl Default for SolveOptions {
    /// Everything with turns, on all cores, in the memory that is free.
    fn default() -> SolveOptions {
        SolveOptions {
            threads: crate::usable_threads(),
            memory: None,
            phases: None,
            outcome_only: false,
            reachable_only: false,
            in_memory: false,
            again: false,
            wait: false,
            keep_work: false,
            with_wins: false,
            ignore_space: false,
            repeated: String::new(),
            storage: Arc::new(DiskStorage),
        }
    }
}

/// The estimate of a solve on several processes, for each of them (`plan --hosts`).
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ClusterPlan {
    /// The canonical name of the game.
    pub game: String,
    /// The method.
    pub method: Method,
    /// The number of processes.
    #[schemars(range(min = 1))]
    pub processes: u32,
    /// Indices per process; null if they depend on the number of reachable positions.
    pub indices: Option<Count>,
    /// Bytes of memory per process.
    pub memory: Count,
    /// Bytes of disk per process, for two checkpoints.
    pub disk: Count,
    /// More bytes of disk on process 0, for the table.
    pub disk_first: Count,
    /// Bytes that each process sends and receives; null like `indices`.
    pub network: Option<Count>,
    /// Seconds with the threads of `--threads` in each process; null as above.
    #[schemars(range(min = 0))]
    pub seconds: Option<f64>,
    /// Remarks in one or two sentences; may be empty.
    pub advice: String,
}

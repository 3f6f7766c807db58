//! The options of `solve`, some of which `plan` shares.

#[cfg(feature = "cluster")]
use std::ffi::OsString;
#[cfg(feature = "cluster")]
use std::path::PathBuf;

use clap::Args;
use retrograde_explore::SolveOptions;

use crate::args::number;
#[cfg(feature = "cluster")]
use crate::args::parse_seconds;
use crate::context::Context;

/// The options of `solve`.
#[derive(Args, Debug)]
pub(crate) struct SolveArgs {
    /// Games to solve, such as tactics:5x5
    pub games: Vec<String>,
    #[command(flatten)]
    pub solver: SolverArgs,
    /// Solve again even if there is a table
    #[arg(long)]
    pub again: bool,
    /// For a large Push Fight board, keep the phase logs; without this option, a solve removes
    /// them, including older ones
    #[arg(long)]
    pub keep_work: bool,
    /// Start even if the disk seems too small
    #[arg(long)]
    pub ignore_space: bool,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    pub cluster: ClusterArgs,
}

impl SolveArgs {
    pub(crate) fn options(&self, context: &Context) -> SolveOptions {
        SolveOptions {
            again: self.again,
            keep_work: self.keep_work,
            ignore_space: self.ignore_space,
            ..self.solver.options(context)
        }
    }
}

/// The options of the solver, shared by `solve` and `plan`.
#[derive(Args, Debug)]
pub(crate) struct SolverArgs {
    /// Only solve positions that end within N turns
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=65_535, "--max-turns 7"))]
    pub max_turns: Option<u16>,
    /// Store only outcomes, not turns to the end
    #[arg(long)]
    pub outcome_only: bool,
    /// Solve only positions that can be reached from the start
    #[arg(long)]
    pub occurring: bool,
    /// For a large Push Fight board, also store the wins: more disk space, faster answers
    #[arg(long)]
    pub with_wins: bool,
}

impl SolverArgs {
    /// The solve options for a table that is not solved again.
    pub(crate) fn options(&self, context: &Context) -> SolveOptions {
        SolveOptions {
            phases: self.max_turns,
            outcome_only: self.outcome_only,
            occurring_only: self.occurring,
            with_wins: self.with_wins,
            ..context.solve_options()
        }
    }
}

/// The options for solving with several processes.
#[cfg(feature = "cluster")]
#[derive(Args, Debug)]
#[command(
    next_help_heading = "Several processes (docs/cluster.md)",
    group(clap::ArgGroup::new("several").args(["processes", "hosts"]).multiple(true))
)]
pub(crate) struct ClusterArgs {
    /// Solve with N processes on this machine
    #[arg(
        long,
        value_name = "N",
        conflicts_with_all = ["hosts", "process"],
        value_parser = number::<u16>(1..=256, "--processes 2")
    )]
    pub processes: Option<u16>,
    /// How often to restart all processes from the last checkpoint after one is killed
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2,
        requires = "processes",
        value_parser = number::<u16>(0..=65_535, "--restarts 2")
    )]
    pub restarts: u16,
    /// Run as one of several processes; the file has one address:port per line, and a pattern such
    /// as 'node-{0..3}:7341' replaces the file
    #[arg(long, value_name = "FILE|PATTERN", requires = "process")]
    pub hosts: Option<OsString>,
    /// Number of this process among the hosts, from 0; `hostname` uses the number at the end of
    /// this machine's name
    #[arg(long, value_name = "K|hostname", requires = "hosts", value_parser = parse_process)]
    pub process: Option<ProcessChoice>,
    /// Threads per process [default: all cores, shared by --processes]
    #[arg(
        long,
        value_name = "N",
        requires = "several",
        value_parser = number::<u16>(1..=1024, "--workers 2")
    )]
    pub workers: Option<u16>,
    /// File with the secret shared by all processes
    #[arg(long, value_name = "FILE", requires = "hosts")]
    pub key: Option<PathBuf>,
    /// Address to listen on, if it differs from the host file
    #[arg(long, value_name = "ADDRESS", requires = "hosts")]
    pub listen: Option<String>,
    /// Seconds without a message after which a process counts as failed
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 10.0,
        requires = "several",
        value_parser = parse_seconds
    )]
    pub timeout: f64,
    /// Seconds to wait for all processes to start
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 120.0,
        requires = "several",
        value_parser = parse_seconds
    )]
    pub wait: f64,
}

/// The value of `--process`.
#[cfg(feature = "cluster")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ProcessChoice {
    Number(usize),
    /// The number at the end of this machine's name, as Kubernetes names the pods of a StatefulSet.
    HostName,
}

/// Parses a [`ProcessChoice`].
#[cfg(feature = "cluster")]
fn parse_process(text: &str) -> Result<ProcessChoice, String> {
    if text == "hostname" {
        return Ok(ProcessChoice::HostName);
    }
    let read = number::<usize>(0..=65_535, "--process 0");
    read(text).map(ProcessChoice::Number).map_err(|error| format!("{error}, or the word hostname"))
}

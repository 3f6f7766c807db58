//! The options of `solve`, some of which `plan` shares.

use clap::Args;
use retrograde_explore::SolveOptions;

use crate::program::args::number;
use crate::program::context::Context;

/// Solve games and write their tables; resume interrupted runs
#[derive(Args, Debug)]
#[command(after_help = "Without GAMES it solves some small ones. Ctrl-C (status 130) and SIGTERM (143)\n\
                  stop a solve. Run the same command again to resume from the last checkpoint,\n\
                  if there is one.\n\nExamples:\n  retrograde solve\n  \
                        retrograde solve tactics:5x5 touchdown:5x4\n  \
                        retrograde solve tactics:6x6 --memory 10G\n  \
                        retrograde solve {game} --processes 2\n  \
                        retrograde solve touchdown:6x5 --hosts my.hosts --process 0 --key my.key")]
pub(crate) struct SolveArgs {
    /// Games or variants to solve; `games` lists them
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
    pub cluster: super::cluster::args::ClusterArgs,
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
#[derive(Args, PartialEq, Eq, Default, Debug)]
pub(crate) struct SolverArgs {
    /// Only solve positions that end within N turns
    #[arg(long, value_parser = number::<u16>(1..=65_535, 7))]
    pub max_turns: Option<u16>,
    /// Store only outcomes, not turns to the end
    #[arg(long)]
    pub outcome_only: bool,
    /// Solve only positions that can be reached from the start
    #[arg(long)]
    pub reachable: bool,
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
            reachable_only: self.reachable,
            with_wins: self.with_wins,
            ..context.solve_options()
        }
    }
}

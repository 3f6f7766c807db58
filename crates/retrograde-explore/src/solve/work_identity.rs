//! The identity of a solve's work files. A solve with another identity does not resume from them.

use retrograde_table::WorkIdentity;

use crate::game::solvers::SolverSpec;
use crate::{AnyGame, SolveOptions};

pub(crate) fn work_identity(entry: &AnyGame, spec: &SolverSpec, options: &SolveOptions) -> WorkIdentity {
    let horizon = options.phases.map_or_else(String::new, |phases| format!(", {phases} phases"));
    WorkIdentity {
        rules_version: entry.game.facts().rules_version,
        index_version: entry.dense().map_or(0, |dense| dense.facts().index_version),
        solver: format!("{:?} {}{horizon}", spec.method, spec.version),
    }
}

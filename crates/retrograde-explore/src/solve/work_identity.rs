//! The identity of the work of a solve: another solve does not go on from it.

use retrograde_game::{Game, Show};
use retrograde_table::WorkIdentity;

use crate::SolveOptions;
use crate::game::entry::Entry;
use crate::game::solvers::SolverSpec;

pub(crate) fn work_identity<G: Game + Show + 'static>(
    entry: &Entry<G>,
    spec: &SolverSpec<G>,
    options: &SolveOptions,
) -> WorkIdentity {
    let horizon = options.phases.map_or_else(String::new, |phases| format!(", {phases} phases"));
    WorkIdentity {
        rules_version: G::RULES_VERSION,
        index_version: entry.dense.map_or(0, |dense| dense.index_version()),
        solver: format!("{:?} {}{horizon}", spec.method, spec.version),
    }
}

//! A solve with several processes, from connecting to the statistics.

use std::path::Path;
use std::sync::Arc;

use retrograde_cluster::{JoinOptions, Member};
use retrograde_solve::Progress;

use super::archive::solve_archive_together;
use super::session::SharedTask;
use super::table::solve_into_table;
use crate::game::any_game::AnyGame;
use crate::game::solvers::{Costs, SolverSpec, Together};
use crate::long_work::long_work;
use crate::solve::notes::Notes;
use crate::solve::plan::with_wins_refusal;
use crate::solve::plan_together::{shared_archive_solver, shared_solver};
use crate::solve::work_identity::work_identity;
use crate::{ArchiveSolver, Error, SolveOptions, SolveResult, Statistics};

/// The solver that all processes share.
enum Shared<'a> {
    Archive(&'a SolverSpec, &'a dyn ArchiveSolver),
    Table(&'a SolverSpec, &'a Together, Costs),
}

impl AnyGame {
    /// Solves together with other processes. Process 0 writes the same table as a single machine
    /// and returns its statistics; the others return `None`.
    ///
    /// # Errors
    /// As [`AnyGame::solve`], and if a process is missing or fails.
    pub fn solve_together(
        self: &Arc<Self>,
        tables: &Path,
        options: &SolveOptions,
        join: &JoinOptions,
        progress: &dyn Progress,
    ) -> Result<Option<Statistics>, Error> {
        long_work(|| {
            let shared = match shared_archive_solver(self, options, join.hosts.count() as u32) {
                Some((spec, solver)) => Shared::Archive(spec, solver),
                None => {
                    let (spec, (together, costs)) = shared_solver(self, options)?;
                    if options.with_wins {
                        return Err(Error::Unsupported(with_wins_refusal(self)));
                    }
                    Shared::Table(spec, together, *costs)
                }
            };
            let (spec, kind) = match &shared {
                Shared::Archive(spec, _) => (*spec, "phases"),
                Shared::Table(spec, Together::Reachable(_), _) => (*spec, "reachable"),
                Shared::Table(spec, _, costs) if *costs == Costs::GRADED => (*spec, "graded"),
                Shared::Table(spec, ..) => (*spec, "retrograde"),
            };
            let identity = work_identity(self, spec, options);
            let horizon = options.phases.map_or_else(String::new, |phases| format!(", {phases} phases"));
            let about = format!(
                "{}\nrules {}, numbering {}\n{kind} {}{horizon}{}\n{}",
                self.game.name(),
                identity.rules_version,
                identity.index_version,
                spec.version,
                if options.again { ", again" } else { "" },
                serde_json::Value::from(self.extra.clone())
            );
            let mut session = Member::join(join, &about)?.start();
            let notes = Notes::new(progress);
            let task = SharedTask { tables, options, join, progress: &notes };
            let solved = match shared {
                Shared::Table(spec, together, _) => {
                    solve_into_table(self, &mut session, (spec, together), &about, task)
                }
                Shared::Archive(spec, solver) => {
                    solve_archive_together(self, &mut session, (spec, solver), task)
                }
            };
            match solved {
                Ok(statistics) => {
                    let ended = session.finish();
                    if statistics.is_none() {
                        ended?;
                    }
                    Ok(statistics.map(|solved| {
                        solved.notes.iter().for_each(|note| notes.note(note));
                        // There may already have been a table.
                        let result = solved.result.or(Some(SolveResult::Solved));
                        Statistics { result, notes: notes.into_vec(), ..solved }
                    }))
                }
                Err(error) => {
                    session.fail(&error.to_string());
                    Err(error)
                }
            }
        })
    }
}

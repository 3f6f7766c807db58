//! A solve with several processes, from connecting to the statistics.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;
use retrograde_cluster::{ClusterCheckpoint, JoinOptions, Member, Session};
use retrograde_solve::{Exchange, Progress};

use super::session::{Beginning, SharedTask, begin, explained_cluster_error, log};
use super::table::solve_into_table;
use crate::game::solvers::{Costs, SolverSpec, Together};
use crate::long_work::long_work;
use crate::request::statistics::statistics_of;
use crate::solve::notes::Notes;
use crate::solve::plan::with_wins_refusal;
use crate::solve::plan_together::{shared_archive_solver, shared_solver};
use crate::solve::run::note_useless_horizon;
use crate::solve::work_identity::work_identity;
use crate::{AnyGame, ArchiveJob, ArchiveSolver, Error, SolveOptions, SolveResult, Statistics};

/// What the solver that all processes share writes.
enum Shared<'a> {
    Archive(&'a dyn ArchiveSolver),
    Table(&'a Together),
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
            let archive = shared_archive_solver(self, options, join.hosts.count() as u32);
            let (spec, shared, kind) = match archive {
                Some((spec, solver)) => (spec, Shared::Archive(solver), "phases"),
                None => {
                    let (spec, (together, costs)) = shared_solver(self, options)?;
                    if options.with_wins {
                        return Err(Error::Unsupported(with_wins_refusal(self)));
                    }
                    let kind = match together {
                        Together::Reachable(_) => "reachable",
                        Together::Scores(_) if *costs == Costs::GRADED => "graded",
                        Together::Scores(_) => "retrograde",
                    };
                    (spec, Shared::Table(together), kind)
                }
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
            let notes = Notes { inner: progress, notes: Mutex::default() };
            let task = SharedTask { tables, options, join, progress: &notes };
            match solve(self, &mut session, (spec, &shared), &about, task) {
                Ok(statistics) => {
                    let ended = session.finish();
                    if statistics.is_none() {
                        ended?;
                    }
                    Ok(statistics.map(|solved| {
                        solved.notes.iter().for_each(|note| notes.note(note));
                        Statistics { notes: notes.notes.into_inner(), ..solved }
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

/// Solves as one of several processes: each has a part of the game, and process 0 writes.
fn solve(
    entry: &Arc<AnyGame>,
    session: &mut Session,
    (spec, shared): (&SolverSpec, &Shared<'_>),
    about: &str,
    task: SharedTask<'_>,
) -> Result<Option<Statistics>, Error> {
    let SharedTask { tables, options, progress, .. } = task;
    let began = Instant::now();
    let first = session.process() == 0;
    let place = match begin(entry, session, spec, task)? {
        Beginning::Solved(there) => return Ok(there.map(|there| *there)),
        Beginning::Unsolved(place) => place,
    };
    let mut checkpoint = None;
    let written = match shared {
        Shared::Archive(solver) => {
            let job = ArchiveJob::new(&place.directory, options, place.damaged, progress);
            let solved = solver.solve_together(&job, session);
            solved.map_err(|error| explained_cluster_error(entry, error.into()))?;
            match first {
                true => {
                    let opened = entry.explore_in(options.storage.clone(), tables)?;
                    Some(statistics_of(&opened, opened.stored()?))
                }
                false => None,
            }
        }
        Shared::Table(together) => {
            // The checkpoint of an earlier run can be used whether or not that run used `again`.
            let identity = about.replace(", again", "").replace('\n', "; ");
            let new = ClusterCheckpoint::new(&place.directory, identity).storage(options.storage.clone());
            let checkpoint = checkpoint.insert(new);
            if options.again && first {
                checkpoint.remove()?;
            }
            session.broadcast_from_first(true)?;
            solve_into_table(entry, session, (together, checkpoint), (place.lock.as_ref(), began), task)?
        }
    };
    let all = session.broadcast_from_first(true);
    // The files are complete, so a failure of another process no longer matters.
    if !first {
        all?;
    }
    log(entry, session, &place.directory, task, began);
    // After the table is written, the checkpoint is no longer needed.
    checkpoint.map_or(Ok(()), |checkpoint| checkpoint.remove())?;
    Ok(written.map(|solved| {
        note_useless_horizon(options, &solved, progress);
        let result = if place.damaged { SolveResult::Repaired } else { SolveResult::Solved };
        Statistics { result: Some(result), ..solved }
    }))
}

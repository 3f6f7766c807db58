//! Solving a game and writing its table: whatever the method, the same checks before, the same work
//! file while, the same statistics after.

use std::path::Path;

use retrograde_game::{Game, Show, Turns};
use retrograde_solve::clock::Instant;
use retrograde_solve::{Job, Progress, Scores};
use retrograde_table::{CheckpointPace, GameLock, TableError, WorkFile, WorkIdentity};

use crate::game::entry::Entry;
use crate::game::open::{EntryRef, OpenGame};
use crate::game::solvers::{Solved, Solver, SolverSpec};
use crate::machine::{bytes_text, free_disk};
use crate::query::statistics::statistics_of;
use crate::solve::plan::{no_use_for_wins, plan_with_solver};
use crate::solve::write::{write_bits, write_scores, write_sparse};
use crate::{ArchiveJob, ArchiveSolver, Error, Method, Plan, SolveOptions, Statistics};

pub(crate) fn solve<G: Game + Show + 'static>(
    entry: &Entry<G>,
    tables: &Path,
    options: &SolveOptions,
    progress: &dyn Progress,
) -> Result<Statistics, Error> {
    let began = Instant::now();
    let name = entry.game.name();
    let (plan, spec) = plan_with_solver(entry, options);
    if !options.again
        && let Some(statistics) = solved_already(entry, tables, options, spec)?
    {
        return Ok(statistics);
    }
    let spec = match solver_of_wins(entry, tables, options, spec)? {
        Some(spec) => spec,
        None => {
            let Some(spec) = spec else { return Err(Error::TooLarge(format!("{name}: {}", plan.advice))) };
            room_on_disk(tables, &plan)?;
            spec
        }
    };

    let lock = GameLock::acquire(tables, &name)?;
    // The previous holder of the lock may have solved the game in the meantime.
    if !options.again
        && let Some(statistics) = solved_already(entry, tables, options, Some(spec))?
    {
        return Ok(statistics);
    }
    let solve = match &spec.solve {
        Solver::Values(solve) => solve,
        Solver::Archive(solver) => {
            return solve_into_archive(entry, tables, &lock, &**solver, options, progress);
        }
    };
    let mut work = WorkFile::with(
        &lock,
        &work_identity(entry, spec, options),
        CheckpointPace::default(),
        options.storage.clone(),
    );
    if options.again {
        work.remove()?;
    }
    let limit = crate::machine::allowed_memory(options.memory);
    let mut job = Job {
        threads: options.threads.max(1),
        memory: limit,
        horizon: options.phases.map(Turns),
        progress,
        checkpoint: &mut work,
    };
    let solved = solve(&entry.game, &mut job).map_err(|error| entry.explained(error))?;
    let statistics = match solved {
        Solved::Scores(Scores::Narrow(scores)) => write_scores(entry, &lock, &scores, options, began)?,
        Solved::Scores(Scores::Wide(scores)) => write_scores(entry, &lock, &scores, options, began)?,
        Solved::Bits(bits) => write_bits(entry, &lock, &bits, options, began)?,
        Solved::Sparse(positions) => write_sparse(entry, &lock, positions, options, began)?,
    };
    work.remove()?;
    Ok(statistics)
}

/// Solves the game into files of its own.
fn solve_into_archive<G: Game + Show + 'static>(
    entry: &Entry<G>,
    tables: &Path,
    lock: &GameLock,
    solver: &dyn ArchiveSolver<G>,
    options: &SolveOptions,
    progress: &dyn Progress,
) -> Result<Statistics, Error> {
    let job = ArchiveJob::new(lock.directory(), options, progress);
    solver.solve(&entry.game, &job).map_err(|error| entry.explained(error))?;
    let opened = OpenGame::open(EntryRef::Borrowed(entry), &options.storage, tables)?;
    Ok(statistics_of(&opened.name, opened.stored()?))
}

/// The solver that adds wins to a solution that is there without them, whatever solver would be
/// chosen now; `None` if all has to be solved. A solver that keeps every value is refused: there
/// nothing is to be added.
fn solver_of_wins<'a, G: Game + Show + 'static>(
    entry: &'a Entry<G>,
    tables: &Path,
    options: &SolveOptions,
    spec: Option<&SolverSpec<G>>,
) -> Result<Option<&'a SolverSpec<G>>, Error> {
    if !options.with_wins {
        return Ok(None);
    }
    if !options.again
        && let Ok(OpenGame { values: Some(values), .. }) =
            OpenGame::open_own(EntryRef::Borrowed(entry), &options.storage, tables)
        && !values.has_wins()
        && far_enough(values.horizon(), options.phases)
    {
        return Ok(entry.own_archive_solver().map(|(spec, _)| spec));
    }
    match spec.filter(|spec| spec.archive().is_none()) {
        Some(_) => Err(Error::Unsupported(no_use_for_wins(entry))),
        None => Ok(None),
    }
}

/// The statistics of the table that is there, if it knows what was asked for. One that is damaged
/// or of another version is to be solved again.
pub(crate) fn solved_already<G: Game + Show + 'static>(
    entry: &Entry<G>,
    tables: &Path,
    options: &SolveOptions,
    spec: Option<&SolverSpec<G>>,
) -> Result<Option<Statistics>, Error> {
    let opened = match OpenGame::open_own(EntryRef::Borrowed(entry), &options.storage, tables) {
        Ok(opened) => opened,
        Err(Error::Table(
            TableError::WrongVersion { .. } | TableError::Damaged { .. } | TableError::Truncated { .. },
        )) => return Ok(None),
        Err(error) => return Err(error),
    };
    let Some(values) = &opened.values else { return Ok(None) };
    let far_enough = far_enough(values.horizon(), options.phases);
    let with_turns = spec.is_some_and(|spec| spec.keeps_turns) && !options.outcome_only;
    let knows_enough = values.has_turns() || !with_turns;
    let right_kind = !options.occurring_only || values.has_occurring_only();
    if !(far_enough && knows_enough && right_kind) || options.with_wins && !values.has_wins() {
        return Ok(None);
    }
    Ok(Some(statistics_of(&opened.name, &**values)))
}

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

/// Whether values that reach up to `reached` turns (`None`: all) cover the turns asked for.
fn far_enough(reached: Option<Turns>, asked: Option<u16>) -> bool {
    match (reached, asked.map(Turns)) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(reached), Some(asked)) => reached >= asked,
    }
}

/// Refuses to begin what the disk has no room for.
fn room_on_disk(tables: &Path, plan: &Plan) -> Result<(), Error> {
    let need = plan.disk.0 + plan.work.0;
    match free_disk(tables) {
        Some(free) if need > free.into() && plan.method != Method::Reachable => {
            Err(Error::TooLarge(format!(
                "{} needs some {} on the disk of {}, where {} are free",
                plan.game,
                bytes_text(need),
                tables.display(),
                bytes_text(free.into())
            )))
        }
        _ => Ok(()),
    }
}

//! Solves a game and writes its table. All methods share the checks before, the work file during
//! and the statistics after the solve.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use retrograde_game::Turns;
use retrograde_solve::clock::Instant;
use retrograde_solve::reachable::Spill;
use retrograde_solve::{Checkpoint, Job, Progress, SavedState, Scores, SolveError};
use retrograde_table::{CheckpointPace, GameLock, TableError, WorkFile, WorkIdentity, directory_name};

use crate::game::solvers::{Solved, Solver, SolverSpec};
use crate::long_work::long_work;
use crate::machine::{allowed_memory, bytes_apart, data_memory, free_disk};
use crate::request::statistics::statistics_of;
use crate::solve::leftovers::{GameState, remove_leftovers, reused_bytes};
use crate::solve::notes::{Notes, note_missing_predecessors};
use crate::solve::plan::{is_for_files, plan_with_solver, promises_hold, with_wins_refusal};
use crate::solve::spill_room::{RESERVE, WithRoom};
use crate::solve::work_identity::work_identity;
use crate::solve::write::{Output, write_bits, write_scores, write_sparse, write_staged};
use crate::store::open::has_table;
use crate::{
    AnyGame, ArchiveJob, Error, Method, OpenGame, Plan, SolveOptions, SolveResult, Statistics, StoreKind,
};

impl AnyGame {
    /// Solves the game and writes its table to `tables`, resuming an interrupted run if there is one.
    /// If there is already a complete table, returns its statistics instead, unless
    /// [`SolveOptions::again`] is set.
    ///
    /// # Errors
    /// Returns an error if the game does not fit, the table cannot be written, another process is
    /// writing it, or the solve was stopped.
    pub fn solve(
        self: &Arc<Self>,
        tables: &Path,
        options: &SolveOptions,
        progress: &dyn Progress,
    ) -> Result<Statistics, Error> {
        long_work(|| {
            let notes = Notes { inner: progress, notes: Mutex::default() };
            let solved = solve_with_notes(self, tables, options, &notes)?;
            solved.notes.iter().for_each(|note| notes.note(note));
            Ok(Statistics { notes: notes.notes.into_inner(), ..solved })
        })
    }
}

fn solve_with_notes(
    entry: &Arc<AnyGame>,
    tables: &Path,
    options: &SolveOptions,
    progress: &dyn Progress,
) -> Result<Statistics, Error> {
    let began = Instant::now();
    let name = entry.game.name();
    let (plan, spec) = plan_with_solver(entry, options);
    promises_hold(entry, None)?;
    let mut existing = existing(entry, tables, options, spec, progress)?;
    if let Existing::Whole(statistics) = existing {
        // If another process holds the lock, or the folder is not writable, the leftovers stay.
        if let Ok(lock) = GameLock::acquire(tables, &name) {
            remove_leftovers(entry, &lock, options, GameState { spec, solved: true }, progress)?;
        }
        return Ok(*statistics);
    }
    let adding = match existing {
        // Only an archive solver can repair what it has written.
        Existing::Damaged => archive_to_mend(entry, tables, options),
        _ => solver_of_wins(entry, tables, options, spec)?,
    };
    let Some(spec) = adding.or(spec) else {
        return Err(Error::TooLarge(format!("{name} was not solved. {}", plan.advice)));
    };
    promises_hold(entry, Some(spec))?;

    let lock = lock(tables, &name, options.wait, progress)?;
    // The previous holder of the lock may have solved the game in the meantime.
    existing = self::existing(entry, tables, options, Some(spec), progress)?;
    let solved = matches!(existing, Existing::Whole(_));
    remove_leftovers(entry, &lock, options, GameState { spec: Some(spec), solved }, progress)?;
    let damaged = match existing {
        Existing::Whole(statistics) => return Ok(*statistics),
        Existing::Damaged => true,
        Existing::Insufficient => false,
    };
    if adding.is_none() {
        let in_files = spec.in_files.is_some() && is_for_files(spec, entry, options);
        let reserve = if in_files { RESERVE } else { 0 };
        let room = (reused_bytes(lock.directory(), options), reserve, free_disk(tables, plan.memory.0));
        check_disk_space(tables, &plan, room, options)?;
    }
    if let Some(note) = note_missing_predecessors(entry, spec) {
        progress.note(&note);
    }
    let result = match (damaged, adding) {
        (true, _) => SolveResult::Repaired,
        (false, Some(_)) => SolveResult::WinsAdded,
        (false, None) => SolveResult::Solved,
    };
    let statistics = match &spec.solve {
        Solver::Values(solve) => {
            let lock = (&lock, work_identity(entry, spec, options));
            let in_files = spec.in_files.as_ref().filter(|_| is_for_files(spec, entry, options));
            let solve = in_files.map_or(solve, |in_files| &in_files.solve);
            solve_into_table(entry, lock, &**solve, options, (began, progress))?
        }
        Solver::Archive(solver) => {
            let job = ArchiveJob::new(lock.directory(), options, damaged, progress);
            solver.solve(&job).map_err(|error| entry.explained(error))?;
            let opened = entry.explore_in(options.storage.clone(), tables)?;
            statistics_of(&opened, opened.stored()?)
        }
    };
    note_useless_horizon(options, &statistics, progress);
    Ok(Statistics { result: Some(result), ..statistics })
}

/// Says if a limit on the turns had no effect.
pub(crate) fn note_useless_horizon(options: &SolveOptions, statistics: &Statistics, progress: &dyn Progress) {
    if options.phases.is_some() && statistics.horizon.is_none() {
        progress.note("the table has all values; limiting the turns did not shorten the solve");
    }
}

/// The pause between two attempts to take a lock.
const LOCK_RETRY_PAUSE: Duration = Duration::from_millis(50);

/// Locks the game for writing. If another process holds the lock, either waits for it or fails.
fn lock(tables: &Path, name: &str, wait: bool, progress: &dyn Progress) -> Result<GameLock, Error> {
    let mut reported = false;
    loop {
        match GameLock::acquire(tables, name) {
            Err(TableError::Locked { .. }) if wait && progress.stopped() => return Err(Error::Stopped),
            Err(TableError::Locked { path }) if wait => {
                if !reported {
                    progress.stage("waiting for another process", 0);
                    progress.note(&format!("waited for the process that was solving in {}", path.display()));
                    reported = true;
                }
                std::thread::sleep(LOCK_RETRY_PAUSE);
            }
            acquired => return Ok(acquired?),
        }
    }
}

/// Solves the game in memory and writes a table.
fn solve_into_table(
    entry: &AnyGame,
    (lock, identity): (&GameLock, WorkIdentity),
    solve: &dyn Fn(&mut Job<'_>) -> Result<Solved, SolveError>,
    options: &SolveOptions,
    (began, progress): (Instant, &dyn Progress),
) -> Result<Statistics, Error> {
    let pace = CheckpointPace::default();
    let work = WorkFile::new(lock, &identity, pace, options.storage.clone());
    let mut work = NotedWork { work, ignore_space: options.ignore_space, progress };
    if options.again {
        work.work.remove()?;
    }
    let mut job = Job {
        threads: options.threads.max(1),
        memory: data_memory(allowed_memory(options.memory)),
        horizon: options.phases.map(Turns),
        progress,
        checkpoint: &mut work,
    };
    let solved = solve(&mut job).map_err(|error| entry.explained(error))?;
    let output = Output { entry, lock, options, began };
    let statistics = match solved {
        Solved::Scores(Scores::Narrow(scores)) => write_scores(output, &scores)?,
        Solved::Scores(Scores::Wide(scores)) => write_scores(output, &scores)?,
        Solved::Staged(scores) => write_staged(output, &scores)?,
        Solved::Bits(bits) => write_bits(output, &bits)?,
        Solved::Sparse(positions) => write_sparse(output, &positions)?,
    };
    work.work.remove_own()?;
    Ok(statistics)
}

/// A work file that reports why it was not used.
struct NotedWork<'a> {
    work: WorkFile,
    /// Whether its files may fill the disk.
    ignore_space: bool,
    progress: &'a dyn Progress,
}

impl Checkpoint for NotedWork<'_> {
    fn load(&mut self) -> std::io::Result<Option<SavedState>> {
        let loaded = self.work.load()?;
        match (self.work.warning(), &loaded) {
            (Some(warning), _) => self.progress.note(&format!("{warning}: solving starts over")),
            (None, Some(_)) => {
                let path = self.work.path().display();
                self.progress.note(&format!("resuming from what an earlier run saved in {path}"));
            }
            (None, None) => {}
        }
        Ok(loaded)
    }

    fn due(&self) -> bool {
        self.work.due()
    }

    fn save(&mut self, stage: u64, parts: &[&[u8]]) -> std::io::Result<()> {
        self.work.save(stage, parts)
    }

    fn has_spilled(&self) -> bool {
        self.work.has_spilled()
    }

    fn spill(&self, compressed: bool) -> std::io::Result<Option<Box<dyn Spill>>> {
        if self.work.has_spilled() {
            let folder = self.work.spill_folder();
            let folder = folder.display();
            self.progress.note(&format!("resuming from what an earlier run saved in {folder}"));
        }
        let files = self.work.spill(compressed)?;
        let folder = self.work.spill_folder();
        Ok(match files {
            Some(files) if !self.ignore_space => {
                Some(Box::new(WithRoom { files, folder, free: |folder| free_disk(folder, 0) }))
            }
            files => files,
        })
    }
}

/// The solver of an existing archive, if there is no table.
fn archive_to_mend<'a>(entry: &'a AnyGame, tables: &Path, options: &SolveOptions) -> Option<&'a SolverSpec> {
    let directory = tables.join(directory_name(&entry.game.name()));
    let (spec, solver) = entry.own_archive_solver()?;
    let has_table = has_table(&options.storage, tables, &entry.game.name());
    (!has_table && solver.is_there(&directory, &*options.storage)).then_some(spec)
}

/// The solver that adds wins to an existing solution without them, whatever solver would be chosen
/// now; `None` if everything has to be solved. Returns an error for a solver that stores every
/// value, since there is nothing to add.
fn solver_of_wins<'a>(
    entry: &'a Arc<AnyGame>,
    tables: &Path,
    options: &SolveOptions,
    spec: Option<&SolverSpec>,
) -> Result<Option<&'a SolverSpec>, Error> {
    if !options.with_wins {
        return Ok(None);
    }
    if !options.again
        && let Ok(OpenGame { values: Some(values), .. }) = entry.explore_in(options.storage.clone(), tables)
        && !values.facts().has_wins
        && covers(values.facts().horizon, options.phases)
    {
        return Ok(entry.own_archive_solver().map(|(spec, _)| spec));
    }
    match spec.filter(|spec| spec.archive().is_none()) {
        Some(_) => Err(Error::Unsupported(with_wins_refusal(entry))),
        None => Ok(None),
    }
}

/// The state of the table before a solve.
pub(crate) enum Existing {
    /// It has the requested values, and its files are intact.
    Whole(Box<Statistics>),
    /// It is damaged and has to be solved again.
    Damaged,
    /// It is missing, of another version or lacks requested values, or it is to be solved `again`.
    Insufficient,
}

/// The maximum number of faults to name one by one.
const NAMED_FAULTS: usize = 5;

/// Checks whether there is a table with the requested values. It reads all files, because a damaged
/// table must not count as solved, and reports the faults.
pub(crate) fn existing(
    entry: &Arc<AnyGame>,
    tables: &Path,
    options: &SolveOptions,
    spec: Option<&SolverSpec>,
    progress: &dyn Progress,
) -> Result<Existing, Error> {
    if options.again {
        return Ok(Existing::Insufficient);
    }
    let opened = match entry.explore_in(options.storage.clone(), tables) {
        Ok(opened) => opened,
        Err(Error::Table(error @ TableError::WrongVersion { .. })) => {
            progress.note(&format!("{error}: this run does so"));
            return Ok(Existing::Insufficient);
        }
        Err(Error::Table(error @ (TableError::Damaged { .. } | TableError::Truncated { .. }))) => {
            progress.note(&format!("{error}; solving the game again"));
            return Ok(Existing::Damaged);
        }
        Err(Error::Table(TableError::Foreign { file, reason })) => {
            let reason = format!("{reason}; `solve --again` solves the game without it");
            return Err(TableError::Foreign { file, reason }.into());
        }
        Err(error) => return Err(error),
    };
    let Some(values) = &opened.values else { return Ok(Existing::Insufficient) };
    let covers = covers(values.facts().horizon, options.phases);
    let with_turns = spec.is_some_and(|spec| spec.keeps_turns) && !options.outcome_only;
    let knows_enough = values.facts().has_turns || !with_turns;
    // A table of all positions also has the reachable ones.
    let all_wanted = !options.reachable_only && spec.is_some_and(|spec| spec.method != Method::Reachable);
    let right_kind = !all_wanted || values.facts().kind != StoreKind::Reachable;
    if !(covers && knows_enough && right_kind) || options.with_wins && !values.facts().has_wins {
        return Ok(Existing::Insufficient);
    }
    let (_, faults) = values.check(progress)?;
    if progress.stopped() {
        return Err(Error::Stopped);
    }
    if faults.is_empty() {
        let statistics = statistics_of(&opened, &**values);
        let result = Some(SolveResult::AlreadySolved);
        return Ok(Existing::Whole(Box::new(Statistics { result, ..statistics })));
    }
    for fault in faults.iter().take(NAMED_FAULTS) {
        progress.note(&format!("{fault}; solving the game again"));
    }
    if let Some(more) = faults.len().checked_sub(NAMED_FAULTS).filter(|&more| more > 0) {
        progress.note(&format!("{more} more places in {} are damaged", values.facts().path.display()));
    }
    Ok(Existing::Damaged)
}

/// Whether values up to `reached` turns (`None`: all) cover the requested turns.
fn covers(reached: Option<Turns>, requested: Option<u16>) -> bool {
    match (reached, requested.map(Turns)) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(reached), Some(requested)) => reached >= requested,
    }
}

/// Returns an error if a solve does not fit on the disk, where `reused` bytes exist already, `reserve` must
/// stay free, and `free` are left.
fn check_disk_space(
    tables: &Path,
    plan: &Plan,
    (reused, reserve, free): (u64, u64, Option<u64>),
    options: &SolveOptions,
) -> Result<(), Error> {
    let need = (plan.disk.0 + plan.work.0).saturating_sub(reused.into()) + u128::from(reserve);
    match free {
        Some(free) if need > free.into() && plan.method != Method::Reachable && !options.ignore_space => {
            let [need, free] = bytes_apart(need, free.into());
            Err(Error::TooLarge(format!(
                "{} needs about {need} on the disk of {}, where {free} are free; --ignore-space starts \
                 anyway",
                plan.game,
                tables.display(),
            )))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Count;

    #[test]
    fn existing_files_need_no_room_and_users_can_override_the_check() {
        let mut plan = Plan::without_solver("nim".to_owned(), 9, String::new());
        (plan.method, plan.disk, plan.work) = (Method::Retrograde, Count(600), Count(400));
        let options = SolveOptions::default();
        let refused = |reused, free, options: &SolveOptions| {
            check_disk_space(Path::new("tables"), &plan, (reused, 0, Some(free)), options).err()
        };
        assert!(refused(0, 1000, &options).is_none());
        let error = refused(0, 999, &options).unwrap().to_string();
        assert!(error.contains("1.0 kB") && error.contains("999 bytes are free"), "{error}");
        assert!(error.contains("--ignore-space"), "{error}");
        // The files of an earlier run are part of the estimate.
        assert!(refused(300, 700, &options).is_none() && refused(300, 699, &options).is_some());
        assert!(refused(5000, 0, &options).is_none());
        let reserved = |free| check_disk_space(Path::new("tables"), &plan, (0, 50, Some(free)), &options);
        assert!(reserved(1050).is_ok() && reserved(1049).is_err());
        assert!(refused(0, 0, &SolveOptions { ignore_space: true, ..options }).is_none());
        assert!(check_disk_space(Path::new("tables"), &plan, (0, 0, None), &SolveOptions::default()).is_ok());
    }

    #[test]
    fn work_is_reused_and_archives_are_removed_before_they_are_solved_again() {
        let folder = retrograde_testkit::tempdir().unwrap();
        for (name, bytes) in
            [("work.rgw", 10), ("phase-002-0.rgl", 200), ("losses.rgp", 3000), ("values.rgt", 7)]
        {
            std::fs::write(folder.path().join(name), vec![0; bytes]).unwrap();
        }
        let again = SolveOptions { again: true, ..SolveOptions::default() };
        std::fs::create_dir(folder.path().join("work")).unwrap();
        std::fs::write(folder.path().join("work/stage-000001-000000"), vec![0; 50_000]).unwrap();
        assert_eq!(reused_bytes(folder.path(), &SolveOptions::default()), 50_210);
        assert_eq!(reused_bytes(folder.path(), &again), 53_210);
        assert_eq!(reused_bytes(&folder.path().join("nowhere"), &again), 0);
    }
}

//! A solve from start to end: phases, placements, files, cleanup.
//!
//! [`solve_into`] works alone, [`solve_distributed`] with other processes. Both resume where an earlier
//! run ended, and both write the same files.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrograde_game::Game;
use retrograde_pushfight::PushFight;
use retrograde_solve::{Exchange, SolveError};
use retrograde_table::{RemovedFile, Storage, remove_file, remove_unfinished};

use crate::config::{HAS_DISK, SolveConfig};
use crate::derive::placements::placements;
use crate::derive::recover_log::recover_logs;
use crate::files::depth::file::DepthFile;
use crate::files::depth::kind::DepthFileKind;
use crate::files::depth::write::{DepthFileInput, write};
use crate::files::log::Log;
use crate::files::solution_info::SolutionInfo;
use crate::files::work_folder::{IMPLAUSIBLE, PROOF, SCORES};
use crate::layout::numbering::Layout;
use crate::layout::scope::Scope;
use crate::phase::count::{PhaseCount, count_phase};
use crate::phase::kinds::PhaseId;
use crate::solution::{PLACEMENTS, Solution};
use crate::solve::estimate::Estimate;
use crate::solve::logged::{solve_and_write, solve_together};

/// The files that a solve keeps besides losses and placements.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Retention {
    /// The logs of the phases.
    pub logs: bool,
    /// The file of wins.
    pub wins: bool,
}

/// Solves a board phase by phase and writes its solution into an existing directory; resumes where an
/// earlier run ended. The logs are removed at the end unless `Retention` includes them. If only the
/// wins are missing, they are made from the logs of the solve, or found again from the losses.
///
/// # Errors
/// If it is stopped, the board is too large, or a file cannot be written or read.
pub fn solve_into(
    game: &PushFight,
    directory: &Path,
    config: &SolveConfig<'_>,
    retention: Retention,
) -> Result<SolutionInfo, SolveError> {
    if HAS_DISK
        && retention.wins
        && let Some(info) = crate::derive::wins::add_wins(game, directory, config)?
    {
        if !retention.logs {
            Log::new(game, directory, &config.storage).remove()?;
        }
        return Ok(info);
    }
    replace_solution(game, directory, config, retention)
}

/// Solves a board whose solution in a directory is damaged. Undamaged losses and wins are converted
/// back to logs, so that only results that depend on damaged files are computed. If there were wins,
/// they are restored. The damaged files stay until they are replaced.
///
/// # Errors
/// The errors of [`solve_into`].
pub fn repair(
    game: &PushFight,
    directory: &Path,
    config: &SolveConfig<'_>,
    retention: Retention,
) -> Result<SolutionInfo, SolveError> {
    let storage = &*config.storage;
    let had_wins = storage.open(&directory.join(DepthFileKind::Wins.file())).is_ok();
    let retention = Retention { wins: retention.wins || had_wins, ..retention };
    let is_complete = |file: &DepthFile| file.check(config.progress).is_ok_and(|(_, wrong)| wrong.is_empty());
    let losses = DepthFile::open(DepthFileKind::Losses, game, directory, storage).ok().flatten();
    let asked = config.horizon.map(|horizon| horizon.0);
    let losses = losses.filter(|losses| losses.info.horizon == asked && is_complete(losses));
    let mut known = None;
    if let Some(losses) = &losses {
        let wins = losses.wins(game, directory, storage).ok().flatten().filter(is_complete);
        match recover_logs(game, losses, wins.as_ref(), directory, config) {
            Err(SolveError::Checkpoint(error)) if error.kind() == io::ErrorKind::InvalidData => {
                config.progress.note(&format!("{error}; solving everything again"));
                Log::new(game, directory, &config.storage).remove()?;
            }
            Err(error) => return Err(error),
            Ok(()) => {
                let mut info = losses.info.clone();
                crate::files::timings::read(directory, storage, &mut info, &mut Vec::new());
                known = Some(info);
            }
        }
    }
    let info = replace_solution(game, directory, config, retention)?;
    // The old time of the solve is better than the time of the phases that were computed now.
    match known.filter(|known| known.seconds > info.seconds) {
        None => Ok(info),
        Some(known) => {
            crate::files::timings::write(directory, storage, &known)?;
            Ok(known)
        }
    }
}

/// Whether there is a solution in a directory, even a damaged one.
pub fn has_solution(directory: &Path, storage: &dyn Storage) -> bool {
    storage.open(&directory.join(DepthFileKind::Losses.file())).is_ok()
}

/// Whether there is a wins file in a directory, even a damaged one.
pub fn has_wins(directory: &Path, storage: &dyn Storage) -> bool {
    storage.open(&directory.join(DepthFileKind::Wins.file())).is_ok()
}

/// The names of a solution's files. Wins are useless without losses, so they come first.
fn files() -> [&'static str; 4] {
    let files = [DepthFileKind::Wins, DepthFileKind::Losses].map(DepthFileKind::file);
    [files[0], files[1], crate::files::timings::FILE, crate::files::implausible_counts::FILE]
}

/// Removes the leftovers of a killed run from the directory of a board, whose lock is held: unfinished
/// files, and work files that cannot be resumed. If the board is `solved`, also removes the logs of the
/// solve.
///
/// # Errors
/// If a file cannot be removed.
pub fn remove_leftovers(
    game: &PushFight,
    directory: &Path,
    storage: &Arc<dyn Storage>,
    solved: bool,
) -> Result<Vec<RemovedFile>, SolveError> {
    let mut removed = remove_unfinished(&**storage, directory, &files())?;
    removed.extend(remove_unfinished(&**storage, &directory.join(PLACEMENTS), &[])?);
    // A proof is never resumed, and neither is a count that is complete.
    let counted = || {
        let solution = Solution::open_in(game, directory, storage);
        solution.is_ok_and(|solution| solution.is_some_and(|solution| solution.implausible().is_some()))
    };
    removed.extend(remove_folder(&directory.join(PROOF), &**storage)?);
    let implausible = directory.join(IMPLAUSIBLE);
    if storage.names(&implausible).is_ok() && counted() {
        removed.extend(remove_folder(&implausible, &**storage)?);
    }
    if solved {
        removed.extend(Log::new(game, directory, storage).remove()?);
    }
    Ok(removed)
}

/// Removes a folder of work files; `None` if it does not exist.
fn remove_folder(folder: &Path, storage: &dyn Storage) -> Result<Option<RemovedFile>, SolveError> {
    let Ok(names) = storage.names(folder) else { return Ok(None) };
    let length = |name: &String| storage.open(&folder.join(name)).and_then(|source| source.length());
    let bytes = names.iter().map(|name| length(name).unwrap_or(0)).sum();
    crate::files::work_folder::clear(folder, storage)?;
    Ok(Some(RemovedFile { path: folder.to_owned(), bytes }))
}

/// The interrupted work in the directory of a board that can be resumed, except for a solve: its
/// folders, each with the command that resumes it.
pub fn interrupted_work(directory: &Path, storage: &dyn Storage) -> Vec<(PathBuf, &'static str)> {
    [(IMPLAUSIBLE, "`stats --all-positions`"), (SCORES, "`export`")]
        .map(|(folder, by)| (directory.join(folder), by))
        .into_iter()
        .filter(|(folder, _)| storage.names(folder).is_ok())
        .collect()
}

/// Solves a board and writes its files, replacing existing ones.
fn replace_solution(
    game: &PushFight,
    directory: &Path,
    config: &SolveConfig<'_>,
    retention: Retention,
) -> Result<SolutionInfo, SolveError> {
    let log = Log::new(game, directory, &config.storage);
    let info = solve_and_write(game, directory, config, |phases| {
        finish(game, directory, config, &log, phases, retention.wins)
    })?;
    if !retention.logs {
        log.remove()?;
    }
    Ok(info)
}

/// Removes the logs and the solution of a board.
///
/// # Errors
/// If a file cannot be removed.
pub fn remove_solution(
    game: &PushFight,
    directory: &Path,
    storage: &Arc<dyn Storage>,
) -> Result<(), SolveError> {
    Log::new(game, directory, storage).remove()?;
    clear_derived(directory, &**storage)?;
    for file in files() {
        remove_file(&**storage, &directory.join(file))?;
    }
    Ok(())
}

/// Removes the work files of derivations from a solution that is about to be replaced.
fn clear_derived(directory: &Path, storage: &dyn Storage) -> Result<(), SolveError> {
    let works = [IMPLAUSIBLE, PROOF, SCORES];
    works.into_iter().try_for_each(|work| crate::files::work_folder::clear(&directory.join(work), storage))
}

pub(crate) fn finish(
    game: &PushFight,
    directory: &Path,
    config: &SolveConfig<'_>,
    log: &Log,
    phases: Vec<PhaseCount>,
    wins: bool,
) -> Result<SolutionInfo, SolveError> {
    let layout = Layout::of_board(game, Scope::PlausibleAndStarts)?;
    let over = phases.last().is_some_and(|last| last.turns > 1 && last.is_empty());
    let draws = match over {
        true => Some(count_phase(&layout, PhaseId::Draws, log.open(PhaseId::Draws)?.superblocks())),
        false => None,
    };
    let mut info = SolutionInfo {
        game: game.name(),
        board: game.board_drawing(),
        rules_version: PushFight::RULES_VERSION,
        shape: layout.file_shape(),
        horizon: config.horizon.filter(|_| !over).map(|horizon| horizon.0),
        seconds: Some(crate::files::timings::total(&phases)),
        phases,
        draws,
        start: None,
    };
    clear_derived(directory, &*config.storage)?;
    if over && game.start_count() > 0 && game.placing_half(&game.start()) == Some(0) {
        let input = DepthFileInput { layout: &layout, log, directory, info: &info, config };
        info.start = Some(placements(game, &input)?);
    }
    crate::files::timings::write(directory, &*config.storage, &info)?;
    let input = DepthFileInput { layout: &layout, log, directory, info: &info, config };
    let files: &[DepthFileKind] =
        if wins { &[DepthFileKind::Losses, DepthFileKind::Wins] } else { &[DepthFileKind::Losses] };
    write(&input, files)?;
    Ok(info)
}

/// Solves a board together with other processes, all of which call this. Process 0 writes the solution
/// into the directory; the others do not use one. Returns the solution's description in process 0.
///
/// # Errors
/// The errors of [`solve_into`]; also if another process fails.
pub fn solve_distributed(
    game: &PushFight,
    directory: &std::path::Path,
    config: &SolveConfig<'_>,
    retention: Retention,
    processes: &mut dyn Exchange,
) -> Result<Option<SolutionInfo>, SolveError> {
    let too_large = SolveError::TooLarge { count: game.position_count() };
    let estimate = Estimate::new(game, config.threads).ok_or(too_large)?;
    let (need, limit) = (estimate.memory_of_process(processes.threads(), processes.process()), config.memory);
    if need > u128::from(limit) {
        return Err(SolveError::Memory { need: need.try_into().unwrap_or(u64::MAX), limit });
    }
    let log = Log::new(game, directory, &config.storage);
    let first = processes.process() == 0;
    // If only the wins are missing, there is nothing to solve.
    let added =
        if first && retention.wins { crate::derive::wins::add_wins(game, directory, config)? } else { None };
    let mut phases = Vec::new();
    if processes.tell_all(&[u8::from(added.is_some())])?[0] != [1] {
        solve_together(game, directory, config, processes, &mut |phase| phases.push(phase))?;
    }
    if !first {
        return Ok(None);
    }
    let info = match added {
        Some(info) => info,
        None => finish(game, directory, config, &log, phases, retention.wins)?,
    };
    if !retention.logs {
        log.remove()?;
    }
    Ok(Some(info))
}

#[cfg(test)]
mod distributed_tests;
#[cfg(test)]
mod tests;

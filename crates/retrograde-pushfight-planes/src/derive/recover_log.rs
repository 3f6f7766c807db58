//! Restores the logs of a solve from the files of its solution.
//!
//! A complete solve removes its logs. The file of losses has the results of the loss phases, and the
//! file of wins, if there is one, has the results of the win phases. A solve that resumes from these
//! finds the rest; the loss phases are the expensive ones.

use std::io;
use std::path::Path;

use retrograde_game::Turns;
use retrograde_pushfight::PushFight;
use retrograde_solve::SolveError;

use crate::config::SolveConfig;
use crate::files::depth::file::DepthFile;
use crate::files::depth::kind::DepthFileKind;
use crate::files::log::{Log, PhaseLogWriter};
use crate::files::solution_info::SolutionInfo;
use crate::files::work_folder::make;
use crate::phase::count::PhaseCount;
use crate::phase::kinds::PhaseId;
use crate::solution::Solution;
use crate::solve::logged::solve_logged;

impl Log {
    /// Whether it has all phases of a solution, judging by the record headers.
    pub(crate) fn is_complete_for(&self, info: &SolutionInfo) -> io::Result<bool> {
        let draws = info.draws.iter().map(|_| PhaseId::Draws).chain([PhaseId::WonByNoPush]);
        for phase in info.phases.iter().map(PhaseCount::id).chain(draws) {
            if !self.open(phase)?.is_complete() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Solution {
    /// The logs of its solve: the logs in its directory if they are complete, otherwise logs restored
    /// in `work`.
    pub(crate) fn logs(
        &self,
        game: &PushFight,
        directory: &Path,
        work: &Path,
        config: &SolveConfig<'_>,
    ) -> Result<Log, SolveError> {
        let log = Log::new(game, directory, &config.storage);
        if log.is_complete_for(self.info())? {
            return Ok(log);
        }
        make(work, &*config.storage)?;
        recover_logs(game, self.losses(), self.wins(), work, config)?;
        Ok(Log::new(game, work, &config.storage))
    }
}

/// Writes the missing logs of a solution, complete or with a horizon, into a directory.
///
/// # Errors
/// The errors of [`solve_logged`]; also if a file is damaged, or the solve finds anything that the
/// losses do not have.
pub(crate) fn recover_logs(
    game: &PushFight,
    losses: &DepthFile,
    wins: Option<&DepthFile>,
    directory: &Path,
    config: &SolveConfig<'_>,
) -> Result<(), SolveError> {
    let log = Log::new(game, directory, &config.storage);
    for file in [Some(losses), wins].into_iter().flatten() {
        unpack_log(file, &log, config, &[])?;
    }
    let info = &losses.info;
    let mut phases = info.phases.iter();
    let mut right = true;
    solve_logged(game, directory, &config.within(info.horizon.map(Turns)), &mut |found| {
        let same = |known: &PhaseCount| {
            (known.turns, known.count, known.starts) == (found.turns, found.count, found.starts)
        };
        right &= phases.next().is_some_and(same);
    })?;
    if right { Ok(()) } else { Err(losses.inconsistent_counts().into()) }
}

/// Writes the logs of a file's phases, and `more` phases, except for existing ones. The wins that leave no
/// push are only unpacked on request, because the file does not have those before the first push.
///
/// # Errors
/// If a file is damaged, or has positions of a phase that does not exist; if the work is stopped, or a
/// log cannot be written.
pub(crate) fn unpack_log(
    file: &DepthFile,
    log: &Log,
    config: &SolveConfig<'_>,
    more: &[PhaseId],
) -> Result<(), SolveError> {
    let kind = file.kind;
    let logged = file.info.phases.iter().filter(|phase| kind.is_logged(phase.turns));
    let all: Vec<PhaseId> = logged.map(PhaseCount::id).chain(more.iter().copied()).collect();
    let mut writers: Vec<(PhaseId, PhaseLogWriter)> = Vec::new();
    for &phase in &all {
        if !log.open(phase)?.is_complete() {
            writers.push((phase, log.write(phase)?));
        }
    }
    if writers.is_empty() {
        return Ok(());
    }
    // Wins in one turn are only in the file if they leave the opponent without a push.
    let phase = |turns| match turns {
        1 => PhaseId::WonByNoPush,
        _ => PhaseId::Turns(Turns(turns)),
    };
    let visited = file.for_each_superblock(config, &|superblock, planes| {
        let expected = |turns| all.contains(&phase(turns)) || turns == 1 && kind == DepthFileKind::Wins;
        if !planes.iter().all(|(turns, _)| expected(*turns)) {
            return Err(file.inconsistent_counts().into());
        }
        for (turns, cells) in planes {
            let phase = phase(turns);
            if let Some((_, writer)) = writers.iter().find(|writer| writer.0 == phase) {
                writer.add(superblock, cells.count(), &cells)?;
            }
        }
        Ok(())
    });
    visited?;
    writers.into_iter().try_for_each(|(_, writer)| writer.finish(Ok(())))
}

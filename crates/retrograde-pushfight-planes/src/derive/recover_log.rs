//! From the files of a solution back to the logs of its solve, which are gone when it is complete.
//!
//! The losses say what the lost phases found, and the wins, where there are any, what the won ones did. What is missing then
//! is found by a solve that goes on from these logs: the lost phases are the dear ones.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::config::Means;
use crate::files::depth_file::{TurnsFile, Which};
use crate::files::errors::IntoSolve;
use crate::files::log::{DRAWS, Log, STUCK, Writer};
use crate::files::log_planes::log_of;
use crate::files::solution_info::About;
use crate::files::work_folder::make;
use crate::layout::numbering::with_words;
use crate::solution::open::Solution;
use crate::solve::logged::solve_logged;
use retrograde_pushfight::PushFight;
use retrograde_solve::SolveError;

impl Log {
    /// Whether it has all phases of a solution, as far as the records' heads tell.
    pub(crate) fn is_complete(&self, about: &About) -> io::Result<bool> {
        let draws = about.draws.iter().map(|_| DRAWS);
        for turns in about.phases.iter().map(|phase| phase.turns).chain(draws) {
            if !self.open(turns)?.is_whole() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Solution {
    /// The logs of its solve: those in its directory if they are complete, else made again in another.
    pub(crate) fn logs(
        &self,
        game: &PushFight,
        directory: &Path,
        work: &Path,
        means: &Means<'_>,
    ) -> Result<Log, SolveError> {
        let log = log_of(game, directory, &means.storage);
        if log.is_complete(self.about())? {
            return Ok(log);
        }
        make(work)?;
        restore(game, self.losses(), self.wins(), work, means)?;
        Ok(log_of(game, work, &means.storage))
    }
}

/// Makes whatever logs are missing in a directory, of a solution that is complete or has a horizon.
///
/// # Errors
/// If a file is damaged, what [`solve_logged`] says, and if that finds anything that the losses do not say.
pub(crate) fn restore(
    game: &PushFight,
    losses: &TurnsFile,
    wins: Option<&TurnsFile>,
    directory: &Path,
    means: &Means<'_>,
) -> Result<(), SolveError> {
    let log = log_of(game, directory, &means.storage);
    let shape = losses.shape();
    for file in [Some(losses), wins].into_iter().flatten() {
        with_words!(shape, W => unpack::<W>(file, &log, means)?);
    }
    let about = losses.about();
    let mut phases = about.phases.iter();
    let mut right = true;
    solve_logged(game, directory, &means.within(about.horizon), &mut |found| {
        let same = |known: &crate::PhaseCount| {
            (known.turns, known.count, known.starts) == (found.turns, found.count, found.starts)
        };
        right &= phases.next().is_some_and(same);
    })?;
    if right { Ok(()) } else { Err(losses.contradicted().into_solve()) }
}

/// Writes the logs of a file's phases, but for those that are there.
///
/// # Errors
/// If a file is damaged, or has positions of a phase that there was not; if it is stopped, or a log cannot be written.
pub(crate) fn unpack<const W: usize>(
    file: &TurnsFile,
    log: &Log,
    means: &Means<'_>,
) -> Result<(), SolveError> {
    let which = file.which();
    let mut all: Vec<u16> =
        file.about().phases.iter().map(|phase| phase.turns).filter(|&turns| which.is_logged(turns)).collect();
    if which == Which::Wins {
        all.push(STUCK);
    }
    let mut writers: Vec<(u16, Writer, AtomicUsize)> = Vec::new();
    for &turns in &all {
        if !log.open(turns)?.is_whole() {
            writers.push((turns, log.write(turns)?, AtomicUsize::new(0)));
        }
    }
    if writers.is_empty() {
        return Ok(());
    }
    let superblocks = file.shape().supers.len();
    means.progress.stage(&format!("reading the {}", which.word()), superblocks as u64);
    let next = AtomicUsize::new(0);
    let mut failed = Mutex::new(None);
    let is_over = || means.progress.stopped() || writers.iter().any(|(_, writer, _)| writer.failed());
    let work = || {
        loop {
            let superblock = next.fetch_add(1, Ordering::Relaxed);
            if superblock >= superblocks || is_over() {
                return;
            }
            // What is won in one turn is there only by leaving the opponent without a push.
            let phase = |turns| if turns == 1 { STUCK } else { turns };
            let planes = match file.superblock::<W>(superblock) {
                Ok(planes) if planes.iter().all(|(turns, _)| all.contains(&phase(*turns))) => Ok(planes),
                Ok(_) => Err(file.contradicted()),
                Err(error) => Err(error),
            };
            let planes = match planes {
                Ok(planes) => planes,
                Err(error) => {
                    *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    next.store(superblocks, Ordering::Relaxed);
                    return;
                }
            };
            for (turns, cells) in planes {
                let turns = phase(turns);
                if let Some((_, writer, count)) = writers.iter().find(|writer| writer.0 == turns) {
                    writer.add(superblock, cells.count(), &cells);
                    count.fetch_add(1, Ordering::Relaxed);
                }
            }
            means.progress.advance(1);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..means.threads {
            scope.spawn(work);
        }
        work();
    });
    let whole = next.into_inner() >= superblocks && failed.get_mut().is_ok_and(|failed| failed.is_none());
    for (_, writer, count) in writers {
        writer.finish(whole.then_some(count.into_inner()))?;
    }
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error.into_solve()),
        None if whole => Ok(()),
        None => Err(SolveError::Stopped),
    }
}

//! Run.

use std::io;
use std::path::Path;
use std::sync::Arc;

use retrograde_game::Game;
use retrograde_pushfight::PushFight;
use retrograde_solve::SolveError;
use retrograde_table::{Disk, Storage};

use crate::config::Means;
use crate::derive::placements::placements;
use crate::files::depth_file::Which;
use crate::files::depth_write::{Task, write};
use crate::files::log::{DRAWS, Log};
use crate::files::log_planes::log_of;
use crate::files::solution_info::About;
use crate::files::work_folder::{BULK_VALUES, IMPLAUSIBLE, PROOF};
use crate::layout::numbering::{Scope, Shape, with_words};
use crate::layout::partition::Sequence;
use crate::phase::count::{PhaseCount, counted};
use crate::solve::distributed::{Peers, run as run_together, to_all};
use crate::solve::estimate::logged_memory_of;
use crate::solve::logged::solve_logged;
use crate::solve::steps::told;

/// What is left besides losses and placements.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keep {
    /// The logs of the phases.
    pub work: bool,
    /// The file of wins.
    pub wins: bool,
}

/// Solves a board phase by phase and writes its solution into a directory, which must be there; goes on where an
/// earlier run ended. The logs are removed at the end unless they are to be kept. If only the wins are missing, they are
/// made from the logs of a solve that kept them, or found again from the losses.
///
/// # Errors
/// If it is stopped, the board is too large, or a file cannot be written or read.
pub fn solve_into(
    game: &PushFight,
    directory: &Path,
    means: &Means<'_>,
    keep: Keep,
) -> Result<About, SolveError> {
    let log = log_of(game, directory, &means.storage);
    if keep.wins
        && let Some(about) = crate::derive::wins::add(game, directory, means)?
    {
        if !keep.work {
            log.remove()?;
        }
        return Ok(about);
    }
    let mut tries = 0;
    loop {
        let mut phases = Vec::new();
        solve_logged(game, directory, means, &mut |phase| phases.push(phase))?;
        match finish(game, directory, means, &log, phases, keep.wins) {
            // What is damaged is found again, unless the disk does not keep it.
            Err(SolveError::Checkpoint(error)) if error.kind() == io::ErrorKind::InvalidData && tries < 2 => {
                tries += 1;
            }
            Err(error) => return Err(error),
            Ok(about) => {
                if !keep.work {
                    log.remove()?;
                }
                return Ok(about);
            }
        }
    }
}

/// Removes what there is of a board: logs and solution.
///
/// # Errors
/// What the system says.
pub fn forget(game: &PushFight, directory: &Path) -> Result<(), SolveError> {
    let storage: Arc<dyn Storage> = Arc::new(Disk);
    log_of(game, directory, &storage).remove()?;
    clear_derived(directory)?;
    // Wins without losses are nothing, so they go first.
    for file in [
        Which::Wins.file(),
        Which::Losses.file(),
        crate::files::timings::FILE,
        crate::files::implausible_counts::FILE,
    ] {
        match storage.remove(&directory.join(file)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    Ok(())
}

/// Removes what was being derived from a solution that is about to be another.
fn clear_derived(directory: &Path) -> Result<(), SolveError> {
    let works = [IMPLAUSIBLE, PROOF, BULK_VALUES];
    works.into_iter().try_for_each(|work| crate::files::work_folder::clear(&directory.join(work)))
}

pub(crate) fn finish(
    game: &PushFight,
    directory: &Path,
    means: &Means<'_>,
    log: &Log,
    phases: Vec<PhaseCount>,
    wins: bool,
) -> Result<About, SolveError> {
    let too_large = || SolveError::TooLarge { count: game.position_count() };
    let shape = Shape::new(game, Scope::Game).ok_or_else(too_large)?;
    let over = phases.last().is_some_and(|last| last.turns > 1 && last.count + last.starts == 0);
    let draws = match over {
        true => Some(counted(&shape, DRAWS, log.open(DRAWS)?.superblocks())),
        false => None,
    };
    let mut about = About {
        game: game.name(),
        board: game.board_drawing(),
        rules_version: PushFight::RULES_VERSION,
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        shape: crate::files::depth_file::numbers(&shape),
        horizon: if over { None } else { means.horizon },
        seconds: (phases.iter().map(|phase| phase.seconds).sum::<f64>() * 1e3).round() / 1e3,
        phases,
        draws,
        start: None,
    };
    clear_derived(directory)?;
    let run = with_words!(shape, W => written::<W>);
    run(game, &shape, directory, means, log, &mut about, wins)?;
    Ok(about)
}

fn written<const W: usize>(
    game: &PushFight,
    shape: &Shape,
    directory: &Path,
    means: &Means<'_>,
    log: &Log,
    about: &mut About,
    wins: bool,
) -> Result<(), SolveError> {
    if about.draws.is_some() && game.start_count() > 0 && game.to_place(&game.start()) == Some(0) {
        about.start = Some(placements::<W>(game, shape, directory, means, log, about)?);
    }
    crate::files::timings::write(directory, &*means.storage, about)?;
    let mut files = vec![Which::Losses];
    if wins {
        crate::derive::wins::log_stuck::<W>(game, shape, log, means)?;
        files.push(Which::Wins);
    }
    write::<W>(&Task { shape, log, directory, about, means }, &files)
}

/// Solves a board together with other processes, all of which call this; `each` hears of the phases at process 0, which
/// also writes the solution into the directory. The others need none. Gives the solution's description at process 0.
///
/// # Errors
/// As [`crate::solve_into`], or if another process fails.
pub fn solve_together(
    game: &PushFight,
    directory: &std::path::Path,
    means: &Means<'_>,
    keep: Keep,
    memory: u64,
    peers: &mut dyn Peers,
) -> Result<Option<About>, SolveError> {
    let too_large = || SolveError::TooLarge { count: game.position_count() };
    let shape = Shape::new(game, Scope::Game).ok_or_else(too_large)?;
    let need = logged_memory_of(&shape, &Sequence::new(&shape).cut(peers.threads()), peers.process());
    if need > u128::from(memory) {
        return Err(SolveError::Memory { need: need.try_into().unwrap_or(u64::MAX), limit: memory });
    }
    let log = log_of(game, directory, &means.storage);
    let mut phases = Vec::new();
    let first = peers.process() == 0;
    // If only the wins are missing there is nothing to solve.
    let added = if first && keep.wins { crate::derive::wins::add(game, directory, means)? } else { None };
    let complete = first && (added.is_some() || told(&shape, &log, means, &mut |phase| phases.push(phase))?);
    let word = if first { to_all(peers, &[u8::from(complete)]) } else { Vec::new() };
    let (told, _) = peers.round(word, false)?;
    if !complete && told.first().is_none_or(|word| word != &[1]) {
        phases.clear();
        let run = with_words!(shape, W => run_together::<W>);
        run(shape, first.then_some(&log), means, peers, &mut |phase| phases.push(phase))?;
    }
    if !first {
        return Ok(None);
    }
    let about = match added {
        Some(about) => about,
        None => finish(game, directory, means, &log, phases, keep.wins)?,
    };
    if !keep.work {
        log.remove()?;
    }
    Ok(Some(about))
}

#[cfg(test)]
mod distributed_tests;
#[cfg(test)]
mod tests;

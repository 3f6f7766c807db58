//! Adds the file of wins to a solution.
//!
//! Phases do not log the positions that are won in one turn: there are too many, and for nearly all
//! of them the rules tell at once that a piece can be ejected. A few are won because the turn
//! leaves the opponent without a push. These are found by taking back turns from the positions lost
//! in 0 turns, and get a log of their own.
//!
//! A solution that was written without wins gets them later, from the logs of its solve or from its
//! losses (see `recover_log`).

use std::io;
use std::path::Path;

use retrograde_game::{Game, Predecessors, Symmetries, Turns};
use retrograde_pushfight::{Position, PushFight};
use retrograde_solve::SolveError;
use retrograde_table::TableError;

use crate::config::SolveConfig;
use crate::derive::recover_log::recover_logs;
use crate::files::depth_file::{DepthFile, DepthFileKind};
use crate::files::depth_write::{DepthFileInput, write};
use crate::files::log::Log;
use crate::files::log_planes::log_of;
use crate::files::solution_info::SolutionInfo;
use crate::layout::location::positions;
use crate::layout::location::{Location, locate};
use crate::layout::numbering::{Layout, Scope, with_words};
use crate::layout::sparse::{SparseCells, SparseRow};
use crate::phase::kinds::PhaseId;
use crate::solve::logged::solve_logged;

/// Positions that are collected at a time, 8 bytes each. On the standard board there are far fewer; with moves forbidden
/// there would be more than memory has room for.
const MAX_COLLECTED: usize = 1 << 24;

/// Logs what wins in one turn by leaving the opponent without a push, unless that is logged already.
pub(crate) fn log_no_push_wins<const W: usize>(
    game: &PushFight,
    layout: &Layout,
    log: &Log,
    config: &SolveConfig<'_>,
) -> Result<(), SolveError> {
    log_no_push_wins_within::<W>(game, layout, log, config, MAX_COLLECTED)
}

fn log_no_push_wins_within<const W: usize>(
    game: &PushFight,
    layout: &Layout,
    log: &Log,
    config: &SolveConfig<'_>,
    most: usize,
) -> Result<(), SolveError> {
    let found = log.open(PhaseId::WonByNoPush)?;
    if found.is_whole() && found.is_sound()? {
        return Ok(());
    }
    let writer = log.write(PhaseId::WonByNoPush)?;
    let (mut from, mut superblocks) = (0, 0);
    while from < layout.superblocks.len() {
        let mut collected =
            CollectedWins { layout, from, end: layout.superblocks.len(), most, keys: Vec::new() };
        take_back::<W>(game, log, config, &mut collected)?;
        let CollectedWins { end, mut keys, .. } = collected;
        keys.sort_unstable();
        keys.dedup();
        for keys in keys.chunk_by(|a, b| superblock(*a) == superblock(*b)) {
            writer.add(superblock(keys[0]), keys.len() as u64, &cells::<W>(layout, keys));
            superblocks += 1;
        }
        from = end;
    }
    Ok(writer.finish(Some(superblocks))?)
}

/// Visits what has a turn that leaves the opponent without a push, and ejects nothing.
fn take_back<const W: usize>(
    game: &PushFight,
    log: &Log,
    config: &SolveConfig<'_>,
    collected: &mut CollectedWins<'_>,
) -> Result<(), SolveError> {
    let layout = collected.layout;
    let lost = log.open(Turns(0))?;
    // What is lost before the first push comes from placing, which is no turn that wins.
    let present: Vec<(usize, u64)> =
        lost.superblocks().filter(|&(at, count)| count > 0 && !layout.is_start(at)).collect();
    config.progress.stage("won by leaving no push", present.len() as u64);
    for (superblock, _) in present {
        if config.progress.stopped() {
            return Err(SolveError::Stopped);
        }
        let cells = lost.read_sound::<W>(superblock, layout.cells.len())?;
        positions(layout, superblock, &cells, |position| {
            let _ = game.each_predecessor(&position, |before| {
                collected.add(game, &before);
                std::ops::ControlFlow::Continue(())
            });
        });
        config.progress.advance(1);
    }
    Ok(())
}

/// Positions of some superblocks, which end where there would be too many. A position is one number: superblock, cell, row
/// and bit, of which rows and bits are below 2,048.
struct CollectedWins<'a> {
    layout: &'a Layout,
    from: usize,
    end: usize,
    most: usize,
    keys: Vec<u64>,
}

fn key(location: Location) -> u64 {
    (location.superblock as u64) << 38
        | (location.cell as u64) << 22
        | (location.row as u64) << 11
        | location.bit as u64
}

fn superblock(key: u64) -> usize {
    (key >> 38) as usize
}

impl CollectedWins<'_> {
    /// Adds a position with all its images, as superblocks have them all where a symmetry leaves the anchor alone.
    fn add(&mut self, game: &PushFight, position: &Position) {
        if !game.is_plausible(position) || game.wins_now(position) {
            return;
        }
        for symmetry in 0..game.symmetry_count() {
            let Some(location) = locate(self.layout, game, &game.image(symmetry, position)) else { continue };
            if (self.from..self.end).contains(&location.superblock) {
                self.keys.push(key(location));
            }
        }
        if self.keys.len() >= self.most {
            self.keys.sort_unstable();
            self.keys.dedup();
            if let Some(&middle) = self.keys.get(self.most / 2) {
                self.end = superblock(middle).max(self.from + 1);
                self.keys.truncate(self.keys.partition_point(|&key| superblock(key) < self.end));
            }
            // A single superblock may have more than that.
            self.most = self.most.max(2 * self.keys.len());
        }
    }
}

/// The cells of one superblock's positions, which are in order.
fn cells<const W: usize>(layout: &Layout, keys: &[u64]) -> SparseCells<W> {
    let mut list: Vec<SparseRow<W>> = Vec::new();
    for keys in keys.chunk_by(|a, b| a >> 11 == b >> 11) {
        let mut bits = [0_u64; W];
        for key in keys {
            let bit = (key & 2047) as usize;
            bits[bit / 64] |= 1 << (bit % 64);
        }
        list.push(((keys[0] >> 22) as u16 as u32, (keys[0] >> 11 & 2047) as u16, bits));
    }
    SparseCells::new(layout.cells.len(), &list)
}

/// Makes the wins of a solution that is there without them; `None` if there is no solution that knows as
/// much as is asked for.
pub(crate) fn add_wins(
    game: &PushFight,
    directory: &Path,
    config: &SolveConfig<'_>,
) -> Result<Option<SolutionInfo>, SolveError> {
    let storage = &*config.storage;
    let losses = match DepthFile::open(DepthFileKind::Losses, game, directory, storage) {
        Ok(Some(losses)) => losses,
        // What is damaged is solved again.
        Ok(None) | Err(TableError::Damaged { .. } | TableError::WrongVersion { .. }) => return Ok(None),
        Err(error) => return Err(io::Error::from(error).into()),
    };
    let mut info = losses.info().clone();
    crate::files::timings::read(directory, storage, &mut info);
    if info.horizon.is_some_and(|reached| config.horizon.is_none_or(|asked| asked > reached)) {
        return Ok(None);
    }
    if matches!(losses.wins(game, directory, storage), Ok(Some(_))) {
        return Ok(Some(info));
    }
    recover_logs(game, &losses, None, directory, config)?;
    let log = log_of(game, directory, &config.storage);
    let too_large = || SolveError::TooLarge { count: game.position_count() };
    let layout = Layout::new(game, Scope::PlausibleAndStarts).ok_or_else(too_large)?;
    let input = DepthFileInput { layout: &layout, log: &log, directory, info: &info, config };
    let run = with_words!(layout, W => write_wins::<W>);
    let mut tries = 0;
    loop {
        match run(game, &input) {
            // What is damaged is found again, unless the disk does not keep it.
            Err(SolveError::Checkpoint(error)) if error.kind() == io::ErrorKind::InvalidData && tries < 2 => {
                tries += 1;
                solve_logged(game, directory, &config.within(info.horizon), &mut |_| {})?;
            }
            result => return result.map(|()| Some(info)),
        }
    }
}

fn write_wins<const W: usize>(game: &PushFight, input: &DepthFileInput<'_>) -> Result<(), SolveError> {
    log_no_push_wins::<W>(game, input.layout, input.log, input.config)?;
    write::<W>(input, &[DepthFileKind::Wins])
}

#[cfg(test)]
mod tests;

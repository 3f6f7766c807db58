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
use crate::files::depth::file::{DepthFile, DepthFileKind};
use crate::files::depth::write::{DepthFileInput, write};
use crate::files::log::Log;
use crate::files::log_planes::log_of;
use crate::files::solution_info::SolutionInfo;
use crate::layout::lanes::LocalLane;
use crate::layout::location::{Location, locate, positions};
use crate::layout::numbering::{Layout, with_words};
use crate::layout::scope::Scope;
use crate::layout::sets::insert_lane;
use crate::layout::sparse::{SparseCells, SparseRow};
use crate::layout::superblocks::SuperblockId;
use crate::phase::kinds::PhaseId;
use crate::solve::logged::solve_logged;

/// Positions that are collected at a time, 8 bytes each. On the standard board there are far fewer;
/// with moves forbidden there would be more than memory has room for.
const MAX_COLLECTED: usize = 1 << 24;

/// Logs the positions that win in one turn because the opponent has no push, unless they are logged
/// already.
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
    let mut found = log.open(PhaseId::WonByNoPush)?;
    found.check()?;
    if found.is_whole() {
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

/// Visits the positions with a turn that leaves the opponent without a push and ejects nothing.
fn take_back<const W: usize>(
    game: &PushFight,
    log: &Log,
    config: &SolveConfig<'_>,
    collected: &mut CollectedWins<'_>,
) -> Result<(), SolveError> {
    let layout = collected.layout;
    let lost = log.open(Turns(0))?;
    // Losses before the first push are left out: they follow a placement, and a placement does not
    // win.
    let present: Vec<(SuperblockId, u64)> =
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

/// The positions of a range of superblocks, which ends before there are too many. A position is one
/// number: superblock, cell, row and bit; rows and bits are below 2,048.
struct CollectedWins<'a> {
    layout: &'a Layout,
    from: usize,
    end: usize,
    most: usize,
    keys: Vec<u64>,
}

fn key(location: Location) -> u64 {
    u64::from(location.superblock.0) << 38
        | (location.cell as u64) << 22
        | (location.row.index() as u64) << 11
        | location.bit.index() as u64
}

fn superblock(key: u64) -> SuperblockId {
    SuperblockId((key >> 38) as u32)
}

impl CollectedWins<'_> {
    /// Adds a position with all its images, because superblocks have all of them where a symmetry
    /// leaves the anchor alone.
    fn add(&mut self, game: &PushFight, position: &Position) {
        if !game.is_plausible(position) || game.wins_now(position) {
            return;
        }
        for symmetry in 0..game.symmetry_count() {
            let Some(location) = locate(self.layout, game, &game.image(symmetry, position)) else { continue };
            if (self.from..self.end).contains(&location.superblock.index()) {
                self.keys.push(key(location));
            }
        }
        if self.keys.len() >= self.most {
            self.keys.sort_unstable();
            self.keys.dedup();
            if let Some(&middle) = self.keys.get(self.most / 2) {
                self.end = superblock(middle).index().max(self.from + 1);
                self.keys.truncate(self.keys.partition_point(|&key| superblock(key).index() < self.end));
            }
            // A single superblock may exceed the limit.
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
            insert_lane(&mut bits, LocalLane::new((key & 2047) as usize));
        }
        let row = LocalLane::new((keys[0] >> 11 & 2047) as usize);
        list.push(((keys[0] >> 22) as u16 as u32, row, bits));
    }
    SparseCells::new(layout.cells.len(), &list)
}

/// Adds the wins to a solution without them; `None` if there is no solution with the horizon asked
/// for.
pub(crate) fn add_wins(
    game: &PushFight,
    directory: &Path,
    config: &SolveConfig<'_>,
) -> Result<Option<SolutionInfo>, SolveError> {
    let storage = &*config.storage;
    let losses = match DepthFile::open(DepthFileKind::Losses, game, directory, storage) {
        Ok(Some(losses)) => losses,
        // A damaged solution is solved again.
        Ok(None) | Err(TableError::Damaged { .. } | TableError::WrongVersion { .. }) => return Ok(None),
        Err(error) => return Err(io::Error::from(error).into()),
    };
    let mut info = losses.info().clone();
    crate::files::timings::read(directory, storage, &mut info, &mut Vec::new());
    let reached = info.horizon.map(Turns);
    if reached.is_some_and(|reached| config.horizon.is_none_or(|asked| asked > reached)) {
        return Ok(None);
    }
    if matches!(losses.wins(game, directory, storage), Ok(Some(_))) {
        return Ok(Some(info));
    }
    recover_logs(game, &losses, None, directory, config)?;
    let log = log_of(game, directory, &config.storage);
    let layout = Layout::of_board(game, Scope::PlausibleAndStarts)?;
    let input = DepthFileInput { layout: &layout, log: &log, directory, info: &info, config };
    let run = with_words!(layout, W => write_wins::<W>);
    let mut tries = 0;
    loop {
        match run(game, &input) {
            // Damaged results are computed again, unless the disk damages them every time.
            Err(SolveError::Checkpoint(error)) if error.kind() == io::ErrorKind::InvalidData && tries < 2 => {
                tries += 1;
                solve_logged(game, directory, &config.within(info.horizon.map(Turns)), &mut |_| {})?;
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

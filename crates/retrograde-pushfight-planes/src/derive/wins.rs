//! Adds the file of wins to a solution that was written without it: from the logs of its solve, or from
//! its losses (see `recover_log`).

use std::path::Path;

use retrograde_game::Turns;
use retrograde_pushfight::PushFight;
use retrograde_solve::SolveError;
use retrograde_table::TableError;

use crate::config::SolveConfig;
use crate::derive::recover_log::recover_logs;
use crate::files::depth::file::DepthFile;
use crate::files::depth::kind::DepthFileKind;
use crate::files::depth::write::{DepthFileInput, write};
use crate::files::log::Log;
use crate::files::solution_info::SolutionInfo;
use crate::layout::numbering::Layout;
use crate::layout::scope::Scope;
use crate::solve::logged::solve_and_write;

/// Adds the wins to a solution without them; `None` if there is no solution with the requested horizon.
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
        Err(error) => return Err(error.into()),
    };
    let mut info = losses.info.clone();
    crate::files::timings::read(directory, storage, &mut info, &mut Vec::new());
    let reached = info.horizon.map(Turns);
    if reached.is_some_and(|reached| config.horizon.is_none_or(|asked| asked > reached)) {
        return Ok(None);
    }
    if matches!(losses.wins(game, directory, storage), Ok(Some(_))) {
        return Ok(Some(info));
    }
    recover_logs(game, &losses, None, directory, config)?;
    let log = Log::new(game, directory, &config.storage);
    let layout = Layout::of_board(game, Scope::PlausibleAndStarts)?;
    let input = DepthFileInput { layout: &layout, log: &log, directory, info: &info, config };
    let within = config.within(info.horizon.map(Turns));
    solve_and_write(game, directory, &within, |_| write(&input, &[DepthFileKind::Wins]))?;
    Ok(Some(info))
}

#[cfg(test)]
mod tests;

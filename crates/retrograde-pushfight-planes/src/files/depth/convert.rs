//! Turns the files of a solution that are in the order of version 1 into version 2.
//!
//! Each file is written under another name, synced and renamed, the losses first. A solution whose
//! losses are turned and whose wins are not is whole, and a later run goes on with the wins.

use std::path::Path;

use retrograde_pushfight::PushFight;
use retrograde_solve::SolveError;
use retrograde_table::TableError;

use crate::config::SolveConfig;
use crate::files::depth::file::{DepthBlocks, DepthFile, DepthFileKind};
use crate::files::depth::turn::{Turning, window_bytes};
use crate::files::depth::write::unfinished;
use crate::files::errors::IntoSolve;
use crate::files::{implausible_counts, sidecar};
use crate::phase::count::PhaseCount;

/// Turns the files of a solution in a directory that are in the order of version 1. Returns the names
/// of the files that were turned; none if all are in the order of version 2, `None` if there is no
/// solution.
///
/// It needs as much disk as the larger of the files. Half of the memory of `config` is used at most.
///
/// # Errors
/// If it is stopped, if a file is damaged, or cannot be read or written. What was there before is
/// there still.
pub fn convert(
    game: &PushFight,
    directory: &Path,
    config: &SolveConfig<'_>,
) -> Result<Option<Vec<&'static str>>, SolveError> {
    convert_within(game, directory, config, window_bytes(config))
}

/// The same with windows of so many bytes.
pub(super) fn convert_within(
    game: &PushFight,
    directory: &Path,
    config: &SolveConfig<'_>,
    window: u64,
) -> Result<Option<Vec<&'static str>>, SolveError> {
    let storage = &*config.storage;
    let opened = DepthFile::open(DepthFileKind::Losses, game, directory, storage);
    let Some(losses) = opened.map_err(IntoSolve::into_solve)? else { return Ok(None) };
    let wins = losses.wins(game, directory, storage).map_err(IntoSolve::into_solve)?;
    let mut turned = Vec::new();
    for file in [Some(losses), wins].into_iter().flatten().filter(DepthFile::is_by_opponent) {
        let name = file.kind().file();
        let result = turn(game, &file, directory, config, window);
        drop(file);
        if result.is_err() {
            let kinds = [DepthFileKind::Losses, DepthFileKind::Wins];
            for kind in kinds {
                let _ = storage.remove(&unfinished(directory, kind));
            }
        }
        result?;
        turned.push(name);
    }
    Ok(Some(turned))
}

fn turn(
    game: &PushFight,
    file: &DepthFile,
    directory: &Path,
    config: &SolveConfig<'_>,
    window: u64,
) -> Result<(), SolveError> {
    let DepthBlocks::ByOpponent(blocks) = &file.blocks else { return Ok(()) };
    let (kind, info, storage) = (file.kind(), file.info(), &*config.storage);
    let (path, temporary) = (directory.join(kind.file()), unfinished(directory, kind));
    let failed = |error| match error {
        SolveError::Checkpoint(error) => TableError::io("write", &path, error).into_solve(),
        error => error,
    };
    let phases = info.phases.iter().filter(|phase| kind.is_logged(phase.turns));
    let turning = Turning {
        layout: file.layout(),
        kind,
        info,
        config,
        window,
        positions: phases.map(|phase: &PhaseCount| phase.count + phase.starts).sum(),
        blocks: &|superblock, wanted| Ok(blocks.of_superblock(superblock, wanted)?),
    };
    let mut sink = storage.create(&temporary).map_err(|error| failed(error.into()))?;
    turning.write(&mut *sink).map_err(failed)?;
    sink.sync().map_err(|error| failed(error.into()))?;
    drop(sink);
    let moved = |from: &Path| -> Result<(), TableError> {
        storage.rename(from, &path).map_err(|error| TableError::io("write", &path, error))?;
        storage.sync_directory(directory).map_err(|error| TableError::io("write", directory, error))
    };
    if kind == DepthFileKind::Losses {
        keep_implausible(game, file, &temporary, directory, config)?;
    }
    moved(&temporary).map_err(IntoSolve::into_solve)
}

/// The counts of implausible positions name the losses that they follow from by checksum. They are
/// written for the new losses before those get their name: a run that dies in between leaves counts
/// that belong to no file, until the next run makes the same losses.
fn keep_implausible(
    game: &PushFight,
    losses: &DepthFile,
    turned: &Path,
    directory: &Path,
    config: &SolveConfig<'_>,
) -> Result<(), SolveError> {
    let storage = &*config.storage;
    let found = implausible_counts::read(game, directory, storage, losses.checksum(), &mut Vec::new());
    let Some(mut counts) = found else { return Ok(()) };
    let new = DepthFile::open_at(DepthFileKind::Losses, game, turned, storage);
    let Some(new) = new.map_err(IntoSolve::into_solve)? else { return Ok(()) };
    counts.losses = new.checksum();
    sidecar::write(directory, storage, implausible_counts::FILE, &counts).map(drop)?;
    Ok(())
}

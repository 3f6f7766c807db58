//! Reads the planes of a phase from its log, with several threads.

use std::io;
use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;
use retrograde_game::Game;
use retrograde_pushfight::PushFight;
use retrograde_table::Storage;

use crate::files::log::{Log, PhaseLog, damaged};
use crate::layout::numbering::Layout;
use crate::layout::sparse::{Plane, empty_plane};
use crate::layout::superblocks::SuperblockId;
use crate::parallel::for_each_parallel;

/// The log of a board in a directory.
pub(crate) fn log_of(game: &PushFight, directory: &Path, storage: &Arc<dyn Storage>) -> Log {
    let identity = format!("{}\n{}\nrules {}\n", game.name(), game.board_drawing(), PushFight::RULES_VERSION);
    Log::new(directory, &identity, storage.clone())
}

/// Reads the results of a phase from a log without known damage, with several threads.
///
/// # Errors
/// If a record is damaged, or cannot be read.
pub(crate) fn read_undamaged_plane(layout: &Layout, log: &mut PhaseLog, threads: usize) -> io::Result<Plane> {
    let mut damage = Vec::new();
    let plane = read_plane(layout, log, threads, &mut damage)?;
    damage.first().map_or(Ok(plane), |what| Err(damaged(what)))
}

/// Reads the results of a phase from a log, with several threads. Adds descriptions of damaged records
/// to `damage`, and removes these records from the log.
pub(crate) fn read_plane(
    layout: &Layout,
    log: &mut PhaseLog,
    threads: usize,
    damage: &mut Vec<String>,
) -> io::Result<Plane> {
    let present = log.superblocks().map(|(superblock, _)| superblock);
    let present = present.filter(|&superblock| layout.superblocks.contains(superblock)).collect();
    let state = Mutex::new((empty_plane(layout.superblocks.len()), Vec::new(), Ok(())));
    for_each_parallel(threads, present, |superblock: SuperblockId| {
        let read = log.read(superblock, layout.cell_shape());
        let mut state = state.lock();
        match read {
            Ok(Ok(cells)) => state.0[superblock] = cells,
            Ok(Err(what)) => state.1.push((superblock, what)),
            Err(error) => state.2 = Err(error),
        }
    });
    let (plane, damaged, result) = state.into_inner();
    result?;
    for (superblock, what) in damaged {
        log.forget(superblock);
        damage.push(what);
    }
    Ok(plane)
}

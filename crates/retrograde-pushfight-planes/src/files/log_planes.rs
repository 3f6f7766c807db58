//! Reads the planes of a phase from its log, with several threads.

use std::io;
use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;
use retrograde_game::Game;
use retrograde_pushfight::PushFight;
use retrograde_table::Storage;

use crate::files::log::{Log, PhaseLog};
use crate::layout::numbering::Layout;
use crate::layout::sparse::{Plane, empty_plane};
use crate::layout::superblocks::SuperblockId;
use crate::parallel::for_each_parallel;

/// The log of a board in a directory.
pub(crate) fn log_of(game: &PushFight, directory: &Path, storage: &Arc<dyn Storage>) -> Log {
    let identity = format!("{}\n{}\nrules {}\n", game.name(), game.board_drawing(), PushFight::RULES_VERSION);
    Log::new(directory, &identity, storage.clone())
}

/// Reads the results of a phase from a log, with several threads.
///
/// # Errors
/// If a record is damaged, or cannot be read.
pub(crate) fn read_plane(layout: &Layout, log: &PhaseLog, threads: usize) -> io::Result<Plane> {
    let present = log.superblocks().map(|(superblock, _)| superblock);
    let present = present.filter(|&superblock| layout.superblocks.contains(superblock)).collect();
    let state = Mutex::new((empty_plane(layout.superblocks.len()), Ok(())));
    for_each_parallel(threads, present, |superblock: SuperblockId| {
        let read = log.read(superblock, layout.cell_shape());
        let mut state = state.lock();
        match read {
            Ok(cells) => state.0[superblock] = cells,
            Err(error) => state.1 = Err(error),
        }
    });
    let (plane, result) = state.into_inner();
    result.map(|()| plane)
}

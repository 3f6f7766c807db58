//! Reads the planes of a phase from its log, with several threads.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;
use retrograde_game::Game;
use retrograde_pushfight::PushFight;
use retrograde_table::Storage;

use crate::files::log::{Log, PhaseLog, damaged};
use crate::layout::numbering::Layout;
use crate::layout::sparse::{Plane, SparseCells, empty_plane};
use crate::layout::superblocks::SuperblockId;

/// The log of a board in a directory.
pub(crate) fn log_of(game: &PushFight, directory: &Path, storage: &Arc<dyn Storage>) -> Log {
    let identity = format!("{}\n{}\nrules {}\n", game.name(), game.board_drawing(), PushFight::RULES_VERSION);
    Log::new(directory, &identity, storage.clone())
}

/// Reads the results of a phase from a log, with several threads.
pub(crate) fn read_plane<const W: usize>(
    layout: &Layout,
    log: &mut PhaseLog,
    threads: usize,
    damage: &mut Vec<String>,
) -> io::Result<Plane<W>> {
    read_plane_with(layout, log, threads, damage, |_, cells| cells)
}

/// Like [`read_plane_with`], for a log without known damage.
///
/// # Errors
/// If something is damaged all the same, or cannot be read.
pub(crate) fn read_sound_plane<const W: usize>(
    layout: &Layout,
    log: &mut PhaseLog,
    threads: usize,
    filter: impl Fn(SuperblockId, SparseCells<W>) -> SparseCells<W> + Sync,
) -> io::Result<Plane<W>> {
    let mut damage = Vec::new();
    let plane = read_plane_with(layout, log, threads, &mut damage, filter)?;
    damage.first().map_or(Ok(plane), |what| Err(damaged(what)))
}

/// Reads the results of a phase from a log, and applies `filter` to each superblock.
pub(crate) fn read_plane_with<const W: usize>(
    layout: &Layout,
    log: &mut PhaseLog,
    threads: usize,
    damage: &mut Vec<String>,
    filter: impl Fn(SuperblockId, SparseCells<W>) -> SparseCells<W> + Sync,
) -> io::Result<Plane<W>> {
    let present: Vec<SuperblockId> = log.superblocks().map(|(superblock, _)| superblock).collect();
    let next = AtomicUsize::new(0);
    let state = Mutex::new((empty_plane(layout.superblocks.len()), Vec::new(), Ok(())));
    let work = || {
        while let Some(&superblock) = present.get(next.fetch_add(1, Ordering::Relaxed)) {
            let read = log.read::<W>(superblock, layout.cells.len());
            let read = match read {
                Ok(Ok(cells)) if layout.superblocks.contains(superblock) => Ok(Ok(filter(superblock, cells))),
                read => read,
            };
            let mut state = state.lock();
            match read {
                Ok(Ok(cells)) if layout.superblocks.contains(superblock) => state.0[superblock] = cells,
                Ok(Ok(_)) => {}
                Ok(Err(what)) => state.1.push((superblock, what)),
                Err(error) => state.2 = Err(error),
            }
        }
    };
    crate::parallel::on_threads(threads, work);
    let (plane, damaged, result) = state.into_inner();
    result?;
    for (superblock, what) in damaged {
        log.forget(superblock);
        damage.push(what);
    }
    Ok(plane)
}

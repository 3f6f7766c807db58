//! Reads the planes of a phase from its log, with several threads.

use std::io;

use retrograde_solve::{Progress, Silent, SolveError};

use crate::files::log::PhaseLog;
use crate::layout::numbering::Layout;
use crate::layout::sparse::{Plane, SparseCells, empty_plane};
use crate::layout::superblocks::{SuperblockId, by_superblock};
use crate::parallel::try_for_each;

/// Makes the cells of every superblock, with several threads.
///
/// # Errors
/// The errors of `make`; [`SolveError::Stopped`] if it is stopped.
pub(crate) fn make_plane(
    layout: &Layout,
    threads: usize,
    progress: &dyn Progress,
    make: &(dyn Fn(SuperblockId) -> io::Result<SparseCells> + Sync),
) -> Result<Plane, SolveError> {
    let mut plane = empty_plane(layout.superblocks.len());
    let all = by_superblock(plane.iter_mut()).collect();
    try_for_each(threads, all, progress, |(superblock, cells): (SuperblockId, &mut SparseCells)| {
        *cells = make(superblock)?;
        Ok(())
    })?;
    Ok(plane)
}

/// Reads the results of a phase from a log, with several threads.
///
/// # Errors
/// If a record is damaged, or cannot be read.
pub(crate) fn read_plane(layout: &Layout, log: &PhaseLog, threads: usize) -> Result<Plane, SolveError> {
    make_plane(layout, threads, &Silent, &|superblock| log.read(superblock, layout.cell_shape()))
}

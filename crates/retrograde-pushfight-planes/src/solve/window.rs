//! The cells of a plane that the current part needs, while a board is solved in parts. From one part to
//! the next most of them stay in memory, and only the others are read. The sets of pushers that parts
//! read change little from one part to the next, so the cells in memory are like a window that moves
//! over the plane, and a chunk is read a few times in a phase, not once for each part that needs it.

use std::io;
use std::sync::Arc;

use retrograde_solve::{Progress, SolveError};

use crate::files::chunks::{Chunk, ChunkFile};
use crate::layout::numbering::Layout;
use crate::layout::partition::{BoardPart, CellGroups};
use crate::layout::sparse::{CellShape, Plane, SparseCells, empty_plane};
use crate::layout::superblocks::{SuperblockId, by_superblock};
use crate::parallel::try_for_each;

/// Reading threads per computing thread: some wait for the disk while others decompress.
const READERS: usize = 2;

/// Cells of a plane that are in memory, or should be: the own superblocks of a part and, with `reads`, the
/// cells that the part reads of others.
#[derive(Clone)]
pub(crate) struct Held {
    pub part: Arc<BoardPart>,
    pub reads: bool,
}

impl Held {
    fn holds(&self, layout: &Layout, superblock: SuperblockId, cell: usize) -> bool {
        let Held { part, reads } = self;
        part.owns(layout, superblock) || *reads && part.reads(layout, superblock, cell)
    }
}

/// The files with the chunks of a plane.
#[derive(Clone, Copy)]
pub(crate) struct ChunkSource<'a> {
    pub layout: &'a Layout,
    pub groups: &'a CellGroups,
    pub base: &'a ChunkFile,
    /// Cells that are no longer in the plane.
    pub removed: &'a [&'a ChunkFile],
}

impl<'a> ChunkSource<'a> {
    /// Reads some groups of a superblock.
    fn read(&self, superblock: SuperblockId, is_read: impl Fn(&[u16]) -> bool) -> io::Result<Vec<Chunk<'a>>> {
        let pushers = self.layout.superblocks[superblock].pushers as usize;
        let mut chunks = Vec::new();
        for group in 0..self.groups.count {
            let cells = self.groups.cells(pushers, group);
            if cells.is_empty() || !is_read(cells) {
                continue;
            }
            let shape = CellShape { cells: cells.len(), ..self.layout.cell_shape() };
            let mut chunk = self.base.read(superblock, group, shape)?;
            for removed in self.removed {
                if chunk.is_empty() {
                    break;
                }
                chunk.subtract(&removed.read(superblock, group, shape)?, |_, _| ());
            }
            if !chunk.is_empty() {
                chunks.push((cells, chunk));
            }
        }
        Ok(chunks)
    }

    /// Reads all of a superblock.
    ///
    /// # Errors
    /// If it is damaged, or cannot be read.
    pub(crate) fn superblock(&self, superblock: SuperblockId) -> io::Result<SparseCells> {
        let chunks = self.read(superblock, |_| true)?;
        let mut cells =
            SparseCells::default().assemble(self.layout.cells.len(), |_| false, &chunks, |_| true);
        cells.drop_empty_rows();
        Ok(cells)
    }
}

/// The cells of a plane that are in memory.
#[derive(Default)]
pub(crate) struct Window {
    pub plane: Plane,
    held: Option<Held>,
}

impl Window {
    /// Loads the wanted cells, and frees the others.
    ///
    /// # Errors
    /// If a chunk is damaged or cannot be read, or the work is stopped. Then the window is empty.
    pub(crate) fn hold(
        &mut self,
        wanted: Held,
        source: ChunkSource<'_>,
        threads: usize,
        progress: &dyn Progress,
    ) -> Result<(), SolveError> {
        let ChunkSource { layout, .. } = source;
        let held = std::mem::take(&mut self.held);
        self.plane.resize_with(layout.superblocks.len(), SparseCells::default);
        let items: Vec<(SuperblockId, &mut SparseCells)> = by_superblock(self.plane.iter_mut()).collect();
        let exchanged = try_for_each(threads * READERS, items, progress, |(superblock, cells)| {
            *cells = exchange(superblock, cells, held.as_ref(), &wanted, source)?;
            Ok(())
        });
        if exchanged.is_err() {
            self.plane = empty_plane(0);
            return exchanged;
        }
        self.held = Some(wanted);
        Ok(())
    }
}

/// The wanted cells of a superblock, from memory and from disk.
fn exchange(
    superblock: SuperblockId,
    cells: &SparseCells,
    held: Option<&Held>,
    wanted: &Held,
    source: ChunkSource<'_>,
) -> io::Result<SparseCells> {
    let layout = source.layout;
    if !wanted.reads && !wanted.part.owns(layout, superblock) {
        return Ok(SparseCells::default());
    }
    let is_held = |cell: usize| held.is_some_and(|held| held.holds(layout, superblock, cell));
    let is_wanted = |cell: usize| wanted.holds(layout, superblock, cell);
    let chunks = source.read(superblock, |list| {
        list.iter().any(|&cell| is_wanted(usize::from(cell)) && !is_held(usize::from(cell)))
    })?;
    let is_kept = |cell: usize| is_held(cell) && is_wanted(cell);
    Ok(cells.assemble(layout.cells.len(), is_kept, &chunks, is_wanted))
}

#[cfg(test)]
mod tests;

//! The work files of a solve in parts. They store planes in chunks, so that a part only reads what it
//! needs.
//!
//! A *chunk* has the positions of a superblock in the cells of one group (see [`CellGroups`]); empty
//! chunks are not written. The files have the format of logs, and each chunk is a record. There are two
//! kinds:
//!
//! - `left-T-N.rgl`: the undecided positions after the phase of T turns; T = 0 is before the first
//!   phase, when only positions that win at once by ejecting a piece are decided;
//! - `found-T-N.rgl`: the results of the phase of T turns. (For T = 1 only the wins that leave the
//!   opponent without a push.)
//!
//! In place of the superblock number of a log, a chunk has (groups + 1) · superblock + group. After its
//! chunks each superblock has one more record, with `groups` in place of the group. It has no cells and
//! only a count: of the positions that win at once in `left-0`, and of the results in `found-T`. So an
//! interrupted file is continued superblock by superblock. No result depends on these files: missing or damaged ones are recreated
//! from the logs of the phases.

use std::io;

use retrograde_game::Turns;
use retrograde_solve::Progress;

use crate::files::log::{Log, LogRecord, PhaseLog, PhaseLogWriter};
use crate::layout::numbering::Layout;
use crate::layout::partition::CellGroups;
use crate::layout::sparse::{CellShape, SparseCells};
use crate::layout::superblocks::SuperblockId;

/// The number of a chunk, which replaces the number of a superblock in a record.
fn key(superblock: SuperblockId, group: usize, groups: usize) -> SuperblockId {
    SuperblockId::new(superblock.index() * (groups + 1) + group)
}

/// A plane in chunks on disk, complete or not.
pub(crate) struct ChunkFile {
    pub records: PhaseLog,
    /// Whether each superblock is in the file.
    pub done: Vec<bool>,
    groups: usize,
}

/// A chunk: cells of a superblock, and their contents.
pub(crate) type Chunk<'a> = (&'a [u16], SparseCells);

impl ChunkFile {
    /// Opens a plane. It may be incomplete or missing.
    pub(crate) fn open(
        log: &Log,
        turns: Turns,
        layout: &Layout,
        groups: &CellGroups,
        progress: &dyn Progress,
    ) -> io::Result<ChunkFile> {
        let records = log.open(turns.into())?;
        records.note_damage(progress);
        let groups = groups.count;
        let is_done = |superblock| records.contains(key(superblock, groups, groups));
        let done = layout.superblocks.ids().map(is_done).collect();
        Ok(ChunkFile { records, done, groups })
    }

    /// The count that is stored with a superblock.
    pub(crate) fn number(&self, superblock: SuperblockId) -> u64 {
        self.records.positions(key(superblock, self.groups, self.groups))
    }

    /// Reads a chunk; it may be empty.
    ///
    /// # Errors
    /// If it is damaged, or cannot be read.
    pub(crate) fn read(
        &self,
        superblock: SuperblockId,
        group: usize,
        shape: CellShape,
    ) -> io::Result<SparseCells> {
        self.records.read(key(superblock, group, self.groups), shape)
    }
}

/// Writes a superblock and its count.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn add_chunks(
    writer: &PhaseLogWriter,
    layout: &Layout,
    groups: &CellGroups,
    superblock: SuperblockId,
    number: u64,
    cells: &SparseCells,
) -> io::Result<()> {
    let pushers = layout.superblocks[superblock].pushers as usize;
    let mut records = Vec::new();
    for group in 0..if cells.is_empty() { 0 } else { groups.count } {
        let chunk = cells.extract(groups.cells(pushers, group));
        if !chunk.is_empty() {
            records.push(LogRecord::new(key(superblock, group, groups.count), chunk.count(), &chunk)?);
        }
    }
    let last = key(superblock, groups.count, groups.count);
    records.push(LogRecord::new(last, number, &SparseCells::default())?);
    writer.add_records(&records)
}

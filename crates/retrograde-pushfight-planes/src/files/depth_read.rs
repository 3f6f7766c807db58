//! Reads a depth file back, superblock by superblock: into planes by turns, or cell by cell.

use retrograde_table::TableError;

use crate::files::depth_block::{CELLS_PER_BLOCK, DepthBlock};
use crate::files::depth_file::{DepthFile, DepthFileKind};
use crate::layout::lanes::LocalLane;
use crate::layout::sets::insert_lane;
use crate::layout::sparse::{SparseCells, SparseRow};
use crate::layout::superblocks::SuperblockId;

impl DepthFile {
    /// The blocks of a superblock.
    pub(crate) fn blocks(&self, superblock: SuperblockId) -> Result<DepthBlocks, TableError> {
        let first = superblock.index() * self.per_superblock;
        let blocks = (first..first + self.per_superblock).map(|number| self.read_block(number));
        Ok(DepthBlocks {
            kind: self.kind,
            words: self.layout.words,
            blocks: blocks.collect::<Result<_, _>>()?,
        })
    }

    /// The positions of a superblock, by turns.
    pub(crate) fn superblock<const W: usize>(
        &self,
        superblock: SuperblockId,
    ) -> Result<Vec<(u16, SparseCells<W>)>, TableError> {
        let mut lists: Vec<Vec<SparseRow<W>>> = vec![Vec::new(); 1 << u8::BITS];
        for part in 0..self.per_superblock {
            let block = self.read_block(superblock.index() * self.per_superblock + part)?;
            for cell in 0..block.cells() {
                let number = (part * CELLS_PER_BLOCK + cell) as u32;
                for (row, bit, half) in block.cell(W, cell) {
                    let list = &mut lists[usize::from(half)];
                    let bits = match list.last_mut() {
                        Some((cell, lane, bits)) if (*cell, *lane) == (number, row) => bits,
                        _ => {
                            list.push((number, row, [0; W]));
                            let last = list.len() - 1;
                            &mut list[last].2
                        }
                    };
                    insert_lane(bits, bit);
                }
            }
        }
        let cells = self.layout.cells.len();
        let present = (0_u8..=u8::MAX).zip(&lists).filter(|(_, list)| !list.is_empty());
        Ok(present.map(|(half, list)| (self.kind.turns(half), SparseCells::new(cells, list))).collect())
    }
}

/// The decoded blocks of a superblock.
pub(crate) struct DepthBlocks {
    kind: DepthFileKind,
    words: usize,
    blocks: Vec<DepthBlock>,
}

impl DepthBlocks {
    /// The positions of a cell, in order: row, bit, turns.
    pub(crate) fn cell(&self, cell: usize) -> impl Iterator<Item = (LocalLane, LocalLane, u16)> {
        let found = self.blocks[cell / CELLS_PER_BLOCK].cell(self.words, cell % CELLS_PER_BLOCK);
        found.into_iter().map(|(row, bit, half)| (row, bit, self.kind.turns(half)))
    }
}

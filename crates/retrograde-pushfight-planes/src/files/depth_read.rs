//! Reads a depth file back, superblock by superblock, into planes by turns.

use retrograde_table::TableError;

use crate::files::depth_block::CELLS_PER_BLOCK;
use crate::files::depth_file::DepthFile;
use crate::layout::sets::insert_lane;
use crate::layout::sparse::{SparseCells, SparseRow};
use crate::layout::superblocks::SuperblockId;

impl DepthFile {
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

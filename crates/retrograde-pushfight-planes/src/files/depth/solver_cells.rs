//! The block of a depth file by opponent: some cells of a superblock, as bytes before compression.
//! `by_opponent` describes the format.

use crate::layout::lanes::LocalLane;
use crate::layout::numbering::Layout;
use crate::layout::sets::{bits_of, insert_lane, lanes_of};
use crate::layout::sparse::SparseCells;

/// Cells of a block.
pub(crate) const CELLS_PER_BLOCK: usize = 16;

/// Encodes the blocks of a superblock from its positions by half of the turns.
pub(crate) fn raw_blocks<const W: usize>(layout: &Layout, planes: &[(u8, SparseCells<W>)]) -> Vec<Vec<u8>> {
    let mut union = vec![[0_u64; W]; 64 * W];
    let mut halves = vec![0_u8; 64 * W * 64 * W];
    let mut blocks = Vec::new();
    let cells = layout.cells.len();
    for first in (0..cells).step_by(CELLS_PER_BLOCK) {
        let (mut present, mut masks, mut bytes, mut codes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for cell in first..cells.min(first + CELLS_PER_BLOCK) {
            let mut rows = [0_u64; W];
            for (half, plane) in planes {
                let Some(cell) = plane.cell(cell) else { continue };
                for (lane, row) in lanes_of(cell.present).zip(cell.rows) {
                    insert_lane(&mut rows, lane);
                    for word in 0..W {
                        union[lane][word] |= row[word];
                    }
                    for bit in lanes_of(row) {
                        halves[lane.index() * 64 * W + bit.index()] = *half;
                    }
                }
            }
            rows.iter().for_each(|word| present.extend(word.to_le_bytes()));
            for lane in lanes_of(&rows) {
                let row = std::mem::replace(&mut union[lane], [0; W]);
                for word in row {
                    let mut mask = 0;
                    for (at, byte) in
                        word.to_le_bytes().into_iter().enumerate().filter(|(_, byte)| *byte != 0)
                    {
                        mask |= 1_u8 << at;
                        bytes.push(byte);
                    }
                    masks.push(mask);
                }
                codes.extend(lanes_of(&row).map(|bit| halves[lane.index() * 64 * W + bit.index()]));
            }
        }
        present.extend(masks);
        present.extend(bytes);
        present.extend(codes);
        blocks.push(present);
    }
    blocks
}

/// A decoded block.
pub(crate) struct OpponentBlock {
    raw: Vec<u8>,
    /// For each cell the rows, bytes and bits before it; one more at the end.
    before: Vec<[u32; 3]>,
}

impl OpponentBlock {
    /// The length of a block of so many cells in which every position is there.
    pub(crate) fn most_bytes(cells: usize, words: usize) -> usize {
        // For each row its bit, the masks of its words, their bytes, and a code for each bit.
        let row = words + 8 * words + 64 * words;
        cells * (8 * words + 64 * words * row)
    }

    /// Reads a block from its bytes; `None` if their lengths do not fit.
    pub(crate) fn new(raw: Vec<u8>, cells: usize, words: usize) -> Option<OpponentBlock> {
        let (present, rest) = raw.split_at_checked(cells * words * 8)?;
        let rows: Vec<u32> = present.chunks(words * 8).map(ones).collect();
        let all_rows = rows.iter().sum::<u32>() as usize;
        let (masks, rest) = rest.split_at_checked(all_rows * words)?;
        let (bytes, codes) = rest.split_at_checked(ones(masks) as usize)?;
        if codes.len() != ones(bytes) as usize {
            return None;
        }
        let mut before = vec![[0; 3]];
        let mut last = [0_u32; 3];
        for rows in rows {
            let part = &masks[last[0] as usize * words..][..rows as usize * words];
            let count = ones(part);
            let bits = ones(&bytes[last[1] as usize..][..count as usize]);
            last = [last[0] + rows, last[1] + count, last[2] + bits];
            before.push(last);
        }
        Some(OpponentBlock { raw, before })
    }

    /// Whether all its positions have lanes that a board has with so many. What a file says is not
    /// believed: other lanes would lead out of tables.
    pub(crate) fn is_within(&self, words: usize, lanes: usize) -> bool {
        let (present, masks, bytes, _) = self.parts(words);
        let fits = |first: usize, byte: u8| first + 8 - byte.leading_zeros() as usize <= lanes || byte == 0;
        let mut bytes = bytes.iter();
        present.chunks(words * 8).all(|cell| cell.iter().zip(0..).all(|(&byte, at)| fits(8 * at, byte)))
            && masks.chunks(words).all(|row| {
                row.iter().zip(0..).all(|(&mask, word)| {
                    bits_of(mask.into())
                        .all(|at| bytes.next().is_some_and(|&byte| fits(64 * word + 8 * at, byte)))
                })
            })
    }

    /// The number of its cells.
    pub(crate) fn cells(&self) -> usize {
        self.before.len() - 1
    }

    /// The parts of a block: presence of rows, masks, bytes, codes.
    fn parts(&self, words: usize) -> (&[u8], &[u8], &[u8], &[u8]) {
        let cells = self.cells();
        let [rows, bytes, _] = self.before[cells];
        let (present, rest) = self.raw.split_at(cells * words * 8);
        let (masks, rest) = rest.split_at(rows as usize * words);
        let (bytes, codes) = rest.split_at(bytes as usize);
        (present, masks, bytes, codes)
    }

    /// Appends the bytes of a block that has only this cell; nothing if the cell is empty.
    pub(crate) fn put_cell(&self, words: usize, cell: usize, out: &mut Vec<u8>) {
        let (present, masks, bytes, codes) = self.parts(words);
        let [from, to] = [self.before[cell], self.before[cell + 1]].map(|at| at.map(|at| at as usize));
        if from[0] < to[0] {
            out.extend(&present[cell * words * 8..][..words * 8]);
            out.extend(&masks[from[0] * words..to[0] * words]);
            out.extend(&bytes[from[1]..to[1]]);
            out.extend(&codes[from[2]..to[2]]);
        }
    }

    /// Half of the turns of a position, if the block has it.
    pub(crate) fn half(&self, words: usize, cell: usize, row: LocalLane, bit: LocalLane) -> Option<u8> {
        let (row, bit) = (row.index(), bit.index());
        let (present, masks, bytes, codes) = self.parts(words);
        let present = &present[cell * words * 8..][..words * 8];
        if present[row / 8] >> (row % 8) & 1 == 0 {
            return None;
        }
        let [rows_before, bytes_before, bits_before] = self.before[cell];
        let row = ones_before(present, row);
        let masks = &masks[rows_before as usize * words..];
        let mask = masks[row as usize * words + bit / 64];
        let byte = bit % 64 / 8;
        if mask >> byte & 1 == 0 {
            return None;
        }
        let bytes = &bytes[bytes_before as usize..];
        let at = ones(&masks[..row as usize * words + bit / 64]) + (mask & ((1 << byte) - 1)).count_ones();
        if bytes[at as usize] >> (bit % 8) & 1 == 0 {
            return None;
        }
        let before = bits_before
            + ones(&bytes[..at as usize])
            + (bytes[at as usize] & ((1 << (bit % 8)) - 1)).count_ones();
        codes.get(before as usize).copied()
    }

    /// The positions of a cell: row, bit, half of the turns.
    pub(crate) fn cell(&self, words: usize, cell: usize) -> Vec<(LocalLane, LocalLane, u8)> {
        let (present, masks, bytes, codes) = self.parts(words);
        let [rows_before, bytes_before, bits_before] = self.before[cell];
        let mut masks = masks[rows_before as usize * words..].iter();
        let mut bytes = bytes[bytes_before as usize..].iter();
        let mut codes = codes[bits_before as usize..].iter();
        let mut found = Vec::with_capacity((self.before[cell + 1][2] - bits_before) as usize);
        let present = &present[cell * words * 8..][..words * 8];
        for row in (0..words * 64).filter(|row| present[row / 8] >> (row % 8) & 1 == 1) {
            for word in 0..words {
                let mask = masks.next().copied().unwrap_or(0);
                for at in bits_of(mask.into()) {
                    let byte = bytes.next().copied().unwrap_or(0);
                    for bit in bits_of(byte.into()) {
                        let bit = LocalLane::new(64 * word + 8 * at + bit);
                        found.push((LocalLane::new(row), bit, codes.next().copied().unwrap_or(0)));
                    }
                }
            }
        }
        found
    }
}

/// The bits that are set.
fn ones(bytes: &[u8]) -> u32 {
    let (words, rest) = bytes.as_chunks::<8>();
    words.iter().map(|word| u64::from_le_bytes(*word).count_ones()).sum::<u32>()
        + rest.iter().map(|byte| byte.count_ones()).sum::<u32>()
}

fn ones_before(bytes: &[u8], bit: usize) -> u32 {
    ones(&bytes[..bit / 8]) + (bytes[bit / 8] & ((1 << (bit % 8)) - 1)).count_ones()
}

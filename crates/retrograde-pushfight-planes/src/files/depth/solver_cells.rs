//! The positions of a superblock in the solver's order, packed: by cell (the mover's pushers), row (the
//! opponent's pawns) and bit (the mover's pawns). Depth files are made from them.
//!
//! ```text
//! cell          a bit for each row that is present, in words of 8 bytes
//!               for each word of those rows a byte: a bit for each byte that is not zero
//!               the bytes that are not zero
//!               for each bit that is set a byte: half of the position's turns, rounded down
//! ```

use crate::layout::lanes::LocalLane;
use crate::layout::sets::{bits_of, insert_lane, lanes_of};
use crate::layout::sparse::{SparseCells, is_empty_row};

/// Cells of a superblock with their positions.
#[derive(Default)]
pub(super) struct SolverCells {
    /// The number of each cell, in order, and where its bytes end.
    ends: Vec<(u16, u32)>,
    bytes: Vec<u8>,
}

impl SolverCells {
    /// Packs the wanted cells of a superblock, from its positions by half of the turns.
    pub(super) fn new(
        words: usize,
        planes: &[(u8, SparseCells)],
        wanted: impl Iterator<Item = usize>,
    ) -> SolverCells {
        let mut packed = SolverCells::default();
        let lanes = 64 * words;
        let mut union = vec![0_u64; lanes * words];
        let mut halves = vec![0_u8; lanes * lanes];
        let mut rows = vec![0_u64; words];
        let (mut bytes, mut codes) = (Vec::new(), Vec::new());
        for number in wanted {
            rows.fill(0);
            for (half, plane) in planes {
                let Some(cell) = plane.cell(number) else { continue };
                for (lane, row) in cell.rows() {
                    insert_lane(&mut rows, lane);
                    let union = &mut union[lane.index() * words..][..words];
                    union.iter_mut().zip(row).for_each(|(union, row)| *union |= row);
                    for bit in lanes_of(row) {
                        halves[lane.index() * lanes + bit.index()] = *half;
                    }
                }
            }
            if is_empty_row(&rows) {
                continue;
            }
            rows.iter().for_each(|word| packed.bytes.extend(word.to_le_bytes()));
            for lane in lanes_of(&rows) {
                let row = &mut union[lane.index() * words..][..words];
                for word in &*row {
                    let present = word.to_le_bytes().map(|byte| byte != 0);
                    packed.bytes.push(present.iter().rev().fold(0, |mask, &is| mask << 1 | u8::from(is)));
                    bytes.extend(word.to_le_bytes().into_iter().filter(|&byte| byte != 0));
                }
                codes.extend(lanes_of(row).map(|bit| halves[lane.index() * lanes + bit.index()]));
                row.fill(0);
            }
            packed.bytes.append(&mut bytes);
            packed.bytes.append(&mut codes);
            packed.ends.push((number as u16, packed.bytes.len() as u32));
        }
        packed.bytes.shrink_to_fit();
        packed
    }

    /// The size of all cells.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Removes the cells that do not belong.
    pub(super) fn retain(&mut self, belongs: impl Fn(usize) -> bool) {
        let old = std::mem::take(self);
        for &(number, _) in old.ends.iter().filter(|&&(number, _)| belongs(number.into())) {
            self.bytes.extend(old.cell(number.into()));
            self.ends.push((number, self.bytes.len() as u32));
        }
        self.bytes.shrink_to_fit();
    }

    /// The bytes of a cell; none if it has no positions.
    fn cell(&self, number: usize) -> &[u8] {
        match self.ends.binary_search_by_key(&number, |&(cell, _)| cell.into()) {
            Err(_) => &[],
            Ok(at) => {
                let start = at.checked_sub(1).map_or(0, |before| self.ends[before].1);
                &self.bytes[start as usize..self.ends[at].1 as usize]
            }
        }
    }

    /// The positions of a cell: row, bit, half of the turns. A row has `words` words.
    pub(super) fn positions(&self, words: usize, number: usize) -> Vec<(LocalLane, LocalLane, u8)> {
        let cell = self.cell(number);
        let Some((present, rest)) = cell.split_at_checked(words * 8) else { return Vec::new() };
        let (masks, rest) = rest.split_at(ones(present) * words);
        let (bytes, codes) = rest.split_at(ones(masks));
        let (mut masks, mut bytes, mut codes) = (masks.iter(), bytes.iter(), codes.iter());
        let mut found = Vec::with_capacity(codes.len());
        for row in (0..words * 64).filter(|row| present[row / 8] >> (row % 8) & 1 == 1) {
            for (word, &mask) in masks.by_ref().take(words).enumerate() {
                for (at, &byte) in bits_of(mask.into()).zip(bytes.by_ref()) {
                    for (bit, &half) in bits_of(byte.into()).zip(codes.by_ref()) {
                        let bit = LocalLane::new(64 * word + 8 * at + bit);
                        found.push((LocalLane::new(row), bit, half));
                    }
                }
            }
        }
        found
    }
}

/// The bits that are set.
fn ones(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    let of_words = words.iter().map(|word| u64::from_le_bytes(*word).count_ones()).sum::<u32>();
    (of_words + rest.iter().map(|byte| byte.count_ones()).sum::<u32>()) as usize
}

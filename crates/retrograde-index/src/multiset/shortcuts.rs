//! Short cuts from a number to its arrangement, where every square waits for the one before.
//!
//! The *heads* cut the numbers into a few thousand equal parts; the arrangements of a part begin alike, so a look
//! brings the first squares at once. The *tails* list the arrangements of every state with a few squares left.

use super::{Rows, State};

/// Parts of the numbers, as a power of two.
const HEADS: u32 = 13;
/// Squares that a part may know.
const LONGEST: usize = 16;
/// Arrangements that the tails list at the most, 8 bytes each.
const MOST_TAILS: u64 = 1 << 16;

/// How the arrangements of every part of the numbers begin.
#[derive(Clone, Debug)]
pub(super) struct Heads {
    shift: u32,
    /// Whether an arrangement has as many squares as a head can have.
    wide: bool,
    heads: Vec<Head>,
}

#[derive(Clone, Copy, Debug)]
struct Head {
    codes: [u8; LONGEST],
    /// The number of the first arrangement that begins so.
    first: u64,
    row: u32,
    length: u32,
}

impl Heads {
    pub(super) fn new(rows: &Rows, start: State, tail: usize) -> Heads {
        let shift = (u64::BITS - (start.total - 1).leading_zeros()).saturating_sub(HEADS);
        let most = start.length().saturating_sub(tail).min(LONGEST);
        let heads = (0..=(start.total - 1) >> shift).map(|part| {
            let from = part << shift;
            let last = (from | ((1 << shift) - 1)).min(start.total - 1);
            let (mut all, mut other) = (vec![0; most], vec![0; most]);
            rows.write(start.row as usize, from, &mut all);
            rows.write(start.row as usize, last, &mut other);
            // Where the first and the last arrangement of a part agree, so do all between them.
            let length = all.iter().zip(&other).take_while(|(a, b)| a == b).count();
            let (row, rank) = rows.write(start.row as usize, from, &mut all[..length]);
            let mut codes = [0; LONGEST];
            codes[..length].copy_from_slice(&all[..length]);
            Head { codes, first: from - rank, row: row as u32, length: length as u32 }
        });
        Heads { shift, wide: start.length() >= LONGEST, heads: heads.collect() }
    }

    /// Writes the first squares; what is left of the state and of the number, and how many squares were written.
    #[inline]
    pub(super) fn enter(&self, rank: u64, codes: &mut [u8]) -> (usize, u64, usize) {
        let head = &self.heads[(rank >> self.shift) as usize];
        let length = head.length as usize;
        if self.wide {
            // All of it is faster than as much as counts; what is too much is written over.
            codes[..LONGEST].copy_from_slice(&head.codes);
        } else {
            codes[..length].copy_from_slice(&head.codes[..length]);
        }
        (head.row as usize, rank - head.first, length)
    }
}

/// The arrangements of every state with a certain number of squares left.
#[derive(Clone, Debug)]
pub(super) struct Tails {
    length: usize,
    /// Where the list of a state begins.
    starts: Vec<u32>,
    /// A byte a square, the first one lowest.
    codes: Vec<u64>,
}

impl Tails {
    /// `ways` has the number of arrangements of every state.
    pub(super) fn new(rows: &Rows, counts: &[u32], ways: &[u64]) -> Tails {
        let left = |state: usize| -> u32 {
            let digits = counts.iter().zip(rows.strides);
            digits.map(|(&count, stride)| state as u32 / stride % (count + 1)).sum()
        };
        let lengths: Vec<u32> = (0..ways.len()).map(left).collect();
        let size = |length: u32| {
            let of = lengths.iter().zip(ways).filter(|&(&left, _)| left == length);
            of.fold(0_u64, |sum, (_, &ways)| sum.saturating_add(ways))
        };
        let all: u32 = counts.iter().sum();
        let length = (0..=all.min(8)).rev().find(|&length| size(length) <= MOST_TAILS).unwrap_or(0);
        let mut starts = vec![0; ways.len()];
        let mut codes = Vec::new();
        for state in (0..ways.len()).filter(|&state| lengths[state] == length) {
            starts[state] = codes.len() as u32;
            codes.extend((0..ways[state]).map(|rank| {
                let mut all = [0; 8];
                rows.write(state, rank, &mut all[..length as usize]);
                u64::from_le_bytes(all)
            }));
        }
        Tails { length: length as usize, starts, codes }
    }

    /// Squares of a tail.
    #[inline]
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// Writes the last squares.
    #[inline]
    pub(super) fn write(&self, row: usize, rank: u64, codes: &mut [u8]) {
        let packed = self.codes[self.starts[row] as usize + rank as usize];
        for (place, byte) in codes.iter_mut().zip(packed.to_le_bytes()) {
            *place = byte;
        }
    }
}

//! Short cuts from a number to its arrangement, where every square waits for the one before.
//!
//! The *heads* cut the numbers into many equal parts; the arrangements of a part begin alike, so a look
//! brings the first squares at once. The *tails* list the arrangements of every state with a few squares left.

use super::{Rows, State};

/// Parts of the numbers at the most, as a power of two: 2 MiB. Small multisets have fewer, to be made quickly.
const MOST_HEADS: u32 = 16;
/// Squares that a part may know.
const LONGEST: usize = 16;
/// Arrangements that the tails list at the most, 8 bytes each.
const MOST_TAILS: u64 = 1 << 16;

/// What the arrangements with some consecutive numbers have in common: how they begin.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    codes: [u8; LONGEST],
    /// The number of the first arrangement that begins so.
    first: u64,
    row: u32,
    length: u16,
    /// Squares of a whole arrangement.
    whole: u16,
}

impl Head {
    /// Of the arrangements from `first` to `last`; the tail, so many squares, is none of its business.
    pub(super) fn new(rows: &Rows, left: State, tail: usize, first: u64, last: u64) -> Head {
        let most = left.length().saturating_sub(tail).min(LONGEST);
        let (mut codes, mut other) = ([0; LONGEST], [0; LONGEST]);
        rows.write(left.row as usize, first, &mut codes[..most]);
        rows.write(left.row as usize, last, &mut other[..most]);
        // Where the first and the last arrangement agree, so do all between them.
        let length = codes[..most].iter().zip(&other).take_while(|(a, b)| a == b).count();
        let (row, rank) = rows.write(left.row as usize, first, &mut codes[..length]);
        Head {
            codes,
            first: first - rank,
            row: row as u32,
            length: length as u16,
            whole: left.length() as u16,
        }
    }

    /// Squares of an arrangement.
    #[inline]
    pub(super) fn whole(&self) -> usize {
        usize::from(self.whole)
    }

    /// Writes the first squares; what is left of the state, of the number, and of the squares.
    #[inline]
    pub(super) fn write<'a>(&self, rank: u64, codes: &'a mut [u8]) -> (usize, u64, &'a mut [u8]) {
        let length = usize::from(self.length);
        match codes.first_chunk_mut::<LONGEST>() {
            // All of it is faster than as much as counts; what is too much is written over.
            Some(codes) => *codes = self.codes,
            None => codes[..length].copy_from_slice(&self.codes[..length]),
        }
        (self.row as usize, rank - self.first, &mut codes[length..])
    }
}

/// How the arrangements of every part of the numbers begin.
#[derive(Clone, Debug)]
pub(super) struct Heads {
    shift: u32,
    heads: Vec<Head>,
}

impl Heads {
    pub(super) fn new(rows: &Rows, start: State, tail: usize) -> Heads {
        let bits = u64::BITS - (start.total - 1).leading_zeros();
        let shift = bits - (bits / 2).saturating_sub(3).min(MOST_HEADS);
        let heads = (0..=(start.total - 1) >> shift).map(|part| {
            let first = part << shift;
            let last = (first | ((1 << shift) - 1)).min(start.total - 1);
            Head::new(rows, start, tail, first, last)
        });
        Heads { shift, heads: heads.collect() }
    }

    /// What the arrangement with a number begins with.
    #[inline]
    pub(super) fn of(&self, rank: u64) -> &Head {
        &self.heads[(rank >> self.shift) as usize]
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

//! Shortcuts for unranking, where every square waits for the previous one.
//!
//! The *heads* divide the ranks into many equal parts; the arrangements of a part begin alike, so
//! one lookup gives the first squares. The *tails* list the arrangements of every state with few
//! squares left.

use super::rows::Rows;
use super::state::State;

/// The most parts, as a power of two: 6 MiB. Small multisets have fewer.
const MAX_HEADS: u32 = 18;
/// The most squares of a head.
const MAX_LENGTH: usize = 16;
/// The most arrangements listed in the tails, at 4 bytes each.
const MAX_TAILS: u64 = 1 << 16;

/// The common beginning of the arrangements with consecutive ranks.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// Its codes by binary digits.
    digits: [u16; 4],
    /// The rank of the first arrangement with this beginning.
    first: u64,
    row: u32,
    length: u16,
    /// The number of squares of a whole arrangement.
    whole: u16,
}

impl Head {
    /// The empty head, which all arrangements of a state share.
    pub(super) fn none(left: State) -> Head {
        Head { digits: [0; 4], first: 0, row: left.row, length: 0, whole: left.length as u16 }
    }

    /// The number of squares of a whole arrangement.
    #[inline]
    pub(super) fn whole(&self) -> usize {
        usize::from(self.whole)
    }

    /// The first squares by binary digits, their number, and the remaining state and rank.
    #[inline]
    pub(super) fn digits(&self, rank: u64) -> ([u64; 4], usize, usize, u64) {
        (self.digits.map(u64::from), usize::from(self.length), self.row as usize, rank - self.first)
    }
}

/// The heads of all parts of the ranks.
#[derive(Clone, Debug)]
pub(super) struct Heads {
    shift: u32,
    heads: Vec<Head>,
}

/// A walk through the beginnings of arrangements.
struct Walk<'a> {
    rows: &'a Rows,
    codes: usize,
    /// The most squares of a head.
    limit: u16,
    /// Parts have 2^shift ranks, and the first arrangement has the rank `offset`.
    shift: u32,
    offset: u64,
    visit: &'a mut dyn FnMut(u64, Head),
}

impl Walk<'_> {
    /// Visits the arrangements with this head; their ranks are from `offset + head.first` to before
    /// `offset + end`. Parts among them without a longer head get this one.
    fn go(&mut self, head: Head, end: u64) {
        let (start, end) = (self.offset + head.first, self.offset + end);
        let inside = start.div_ceil(1 << self.shift)..end >> self.shift;
        if inside.is_empty() {
            return;
        }
        if head.length == self.limit {
            inside.for_each(|part| (self.visit)(part, head));
            return;
        }
        let row = head.row as usize * self.rows.width();
        let mut next = inside.start;
        for code in 0..self.codes {
            let first = start + self.rows.before[row + code];
            let last = match code + 1 < self.codes {
                true => start + self.rows.before[row + code + 1],
                false => end,
            };
            // A code that is used up begins where the next one does.
            let (first, last) = (first.min(end), last.min(end));
            if first == last {
                continue;
            }
            let mut longer = head;
            for (digit, set) in longer.digits.iter_mut().enumerate() {
                *set |= ((code >> digit & 1) as u16) << head.length;
            }
            longer.length += 1;
            longer.first = first - self.offset;
            longer.row = head.row - self.rows.strides[code];
            let within = first.div_ceil(1 << self.shift)..last >> self.shift;
            // The parts before those within this code also contain other codes.
            let until = within.start.min(inside.end);
            (next..until).for_each(|part| (self.visit)(part, head));
            next = next.max(until).max(within.end.min(inside.end));
            self.go(longer, last - self.offset);
        }
        (next..inside.end).for_each(|part| (self.visit)(part, head));
    }
}

/// Visits the heads of all parts within a state's arrangements; the first of these has the rank `offset`.
pub(super) fn each_head(
    rows: &Rows,
    codes: usize,
    left: State,
    tail: usize,
    (offset, shift): (u64, u32),
    visit: &mut dyn FnMut(u64, Head),
) {
    let limit = left.length().saturating_sub(tail).min(MAX_LENGTH) as u16;
    Walk { rows, codes, limit, shift, offset, visit }.go(Head::none(left), left.total);
}

/// The binary logarithm of the size of a part for `total` ranks.
fn part_shift(total: u64) -> u32 {
    let bits = u64::BITS - (total - 1).leading_zeros();
    bits - (bits / 2).saturating_sub(1).min(MAX_HEADS)
}

/// The memory of the heads for `total` arrangements, in bytes.
pub(super) fn heads_memory(total: u64) -> u64 {
    (((total - 1) >> part_shift(total)) + 1) * size_of::<Head>() as u64
}

/// The most memory of the tails for `states` states, in bytes.
pub(super) fn tails_memory(states: u64) -> u64 {
    (states + MAX_TAILS) * size_of::<u32>() as u64
}

impl Heads {
    pub(super) fn new(rows: &Rows, codes: usize, start: State, tail: usize) -> Heads {
        let shift = part_shift(start.total);
        // The last part may be incomplete.
        let mut heads = vec![Head::none(start); ((start.total - 1) >> shift) as usize + 1];
        each_head(rows, codes, start, tail, (0, shift), &mut |part, head| heads[part as usize] = head);
        Heads { shift, heads }
    }

    /// The head of the arrangement with a rank.
    #[inline]
    pub(super) fn of(&self, rank: u64) -> &Head {
        &self.heads[(rank >> self.shift) as usize]
    }
}

/// The arrangements of every state with a certain number of squares left.
#[derive(Clone, Debug)]
pub(super) struct Tails {
    length: usize,
    /// The beginning of each state's list.
    starts: Vec<u32>,
    /// One byte per binary digit, with one bit per square.
    digits: Vec<u32>,
}

impl Tails {
    /// Creates the tails. `ways` has the number of arrangements of every state.
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
        let length = (0..=all.min(8)).rev().find(|&length| size(length) <= MAX_TAILS).unwrap_or(0);
        let mut starts = vec![0; ways.len()];
        let mut digits = Vec::new();
        for state in (0..ways.len()).filter(|&state| lengths[state] == length) {
            starts[state] = digits.len() as u32;
            digits.extend((0..ways[state]).map(|rank| {
                let mut all = 0;
                rows.each(state, rank, length as usize, |square, code| {
                    (0..4).for_each(|digit| all |= (code as u32 >> digit & 1) << (8 * digit + square));
                });
                all
            }));
        }
        Tails { length: length as usize, starts, digits }
    }

    /// The number of squares of a tail.
    #[inline]
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// The last squares by binary digits.
    #[inline]
    pub(super) fn digits(&self, row: usize, rank: u64) -> [u64; 4] {
        self.digits[self.starts[row] as usize + rank as usize].to_le_bytes().map(u64::from)
    }
}

//! The values of consecutive numbers: a bit for each tells whether it is open, and a byte for each open one
//! has its value.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use retrograde_solve::SolveError;
use retrograde_solve::memory::reserve_huge;

use crate::layout::sets::bits_of;
use crate::parallel::for_each_parallel;

/// The byte of a draw. The byte of any other value is its depth plus one.
pub(super) const DRAW: u8 = 0;
/// The byte of a win in one turn, the value of positions that are not open.
const WON_IN_ONE: u8 = 2;
/// Words of bits for one entry of the directory.
const WORDS: usize = 8;
/// The numbers of such words.
const BLOCK: usize = WORDS * 64;
/// Bytes that a thread writes at a time.
const PART: usize = 1 << 20;

/// The bytes that a window may use.
pub(super) struct Room(pub u64);

impl Room {
    /// The bytes of a window's bits and directory.
    pub(super) fn of_bits(numbers: u64) -> u64 {
        numbers.div_ceil(BLOCK as u64) * (WORDS as u64 + 1) * 8
    }

    /// How many numbers should fit if this share of them is open, and a quarter more.
    pub(super) fn numbers(&self, open_share: f64) -> u64 {
        let of_number = Room::of_bits(BLOCK as u64) as f64 / BLOCK as f64 + (1.25 * open_share).min(1.0);
        ((self.0 as f64 / of_number) as u64).max(1)
    }
}

/// A window. Several threads may mark numbers, and then set values.
#[derive(Default)]
pub(super) struct Window {
    pub numbers: Range<u64>,
    open: Vec<AtomicU64>,
    /// For each block of words the number of open positions before it.
    before: Vec<u64>,
    values: Vec<AtomicU8>,
}

impl Window {
    /// Starts a window in which no number is open.
    pub(super) fn start(&mut self, numbers: Range<u64>) -> Result<(), SolveError> {
        let count = numbers.end - numbers.start;
        let blocks = usize::try_from(count.div_ceil(BLOCK as u64))
            .map_err(|_| SolveError::TooLarge { count: count.into() })?;
        self.numbers = numbers;
        self.values.clear();
        reserve_huge(&mut self.open, blocks * WORDS);
        self.open.clear();
        self.open.resize_with(blocks * WORDS, AtomicU64::default);
        Ok(())
    }

    /// The word and the bit of a number, if it is in the window.
    #[inline]
    fn place(&self, number: u64) -> Option<(usize, u64)> {
        if !self.numbers.contains(&number) {
            return None;
        }
        let at = number - self.numbers.start;
        Some(((at / 64) as usize, 1 << (at % 64)))
    }

    /// Marks a number as open, if it is in the window.
    #[inline]
    pub(super) fn mark(&self, number: u64) {
        if let Some((word, bit)) = self.place(number) {
            self.open[word].fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Makes the open numbers draws. If their values do not fit, the window ends earlier, at most at the
    /// number that `end_before` returns for the first one that does not fit.
    pub(super) fn make_draws(&mut self, room: &Room, end_before: &dyn Fn(u64) -> u64) {
        self.before.clear();
        let room = room.0.saturating_sub(Room::of_bits(self.numbers.end - self.numbers.start)).max(1);
        let mut count = 0;
        for (block, words) in self.open.chunks(WORDS).enumerate() {
            self.before.push(count);
            let of_block: u64 =
                words.iter().map(|word| u64::from(word.load(Ordering::Relaxed).count_ones())).sum();
            let first = self.numbers.start + (block * BLOCK) as u64;
            if count + of_block > room && block > 0 {
                self.numbers.end = end_before(first).min(first);
                break;
            }
            count += of_block;
        }
        let last = ((self.numbers.end - self.numbers.start) as usize).div_ceil(BLOCK);
        let open = self.before.get(last).copied().unwrap_or(count) as usize;
        reserve_huge(&mut self.values, open);
        self.values.clear();
        self.values.resize_with(open, || AtomicU8::new(DRAW));
    }

    /// How many numbers are open before a word.
    #[inline]
    fn open_before(&self, word: usize) -> usize {
        let block = word / WORDS;
        let in_block = self.open[block * WORDS..word].iter();
        let in_block: u64 = in_block.map(|word| u64::from(word.load(Ordering::Relaxed).count_ones())).sum();
        (self.before[block] + in_block) as usize
    }

    /// The value of an open number; `None` for any other.
    #[inline]
    pub(super) fn value(&self, number: u64) -> Option<&AtomicU8> {
        let (word, bit) = self.place(number)?;
        let bits = self.open[word].load(Ordering::Relaxed);
        if bits & bit == 0 {
            return None;
        }
        self.values.get(self.open_before(word) + (bits & (bit - 1)).count_ones() as usize)
    }

    /// Writes the values of some numbers of the window. The first one has to begin a block.
    pub(super) fn write(&self, numbers: Range<u64>, threads: usize, bytes: &mut Vec<u8>) {
        bytes.resize((numbers.end - numbers.start) as usize, WON_IN_ONE);
        let first = (numbers.start - self.numbers.start) as usize;
        let parts = bytes.chunks_mut(PART).enumerate().collect();
        for_each_parallel(threads, parts, |(part, bytes): (usize, &mut [u8])| {
            let first = (first + part * PART) / 64;
            let mut values = self.values[self.open_before(first)..].iter();
            for (word, bytes) in (first..).zip(bytes.chunks_mut(64)) {
                bytes.fill(WON_IN_ONE);
                for (bit, value) in bits_of(self.open[word].load(Ordering::Relaxed)).zip(&mut values) {
                    if let Some(byte) = bytes.get_mut(bit) {
                        *byte = value.load(Ordering::Relaxed);
                    }
                }
            }
        });
    }
}

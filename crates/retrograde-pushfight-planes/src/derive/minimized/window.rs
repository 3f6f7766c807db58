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
/// The words of a block.
const WORDS: usize = 3;
/// The numbers of a block.
const BLOCK: usize = WORDS * 64;
/// Bytes that a thread writes at a time.
const PART: usize = 1 << 20;
/// Values that are set together.
const BATCH: usize = 64;

/// The bytes that a window may use.
pub(super) struct Room(pub u64);

impl Room {
    /// The bytes of a window's blocks.
    pub(super) fn of_blocks(numbers: u64) -> u64 {
        numbers.div_ceil(BLOCK as u64) * size_of::<Block>() as u64
    }

    /// How many numbers should fit if this share of them is open, and a quarter more.
    pub(super) fn numbers(&self, open_share: f64) -> u64 {
        let of_number = size_of::<Block>() as f64 / BLOCK as f64 + (1.25 * open_share).min(1.0);
        ((self.0 as f64 / of_number) as u64).max(1)
    }
}

/// A bit for each of some consecutive numbers. A lookup reads one cache line of it.
#[derive(Default)]
#[repr(align(32))]
struct Block {
    /// The number of open positions before it.
    before: u64,
    open: [AtomicU64; WORDS],
}

/// A window. Several threads may mark numbers, and then set values.
#[derive(Default)]
pub(super) struct Window {
    pub numbers: Range<u64>,
    blocks: Vec<Block>,
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
        reserve_huge(&mut self.blocks, blocks);
        self.blocks.clear();
        self.blocks.resize_with(blocks, Block::default);
        Ok(())
    }

    /// The block, word and bit of a number, if it is in the window.
    #[inline]
    fn place(&self, number: u64) -> Option<(usize, usize, u64)> {
        if !self.numbers.contains(&number) {
            return None;
        }
        let at = (number - self.numbers.start) as usize;
        let in_block = at % BLOCK;
        Some((at / BLOCK, in_block / 64, 1 << (in_block % 64)))
    }

    /// Marks a number as open, if it is in the window.
    #[inline]
    pub(super) fn mark(&self, number: u64) {
        if let Some((block, word, bit)) = self.place(number) {
            self.blocks[block].open[word].fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Makes the open numbers draws. If their values do not fit, the window ends earlier, at most at the
    /// number that `end_before` returns for the first one that does not fit.
    pub(super) fn make_draws(&mut self, room: &Room, end_before: &dyn Fn(u64) -> u64) {
        let room = room.0.saturating_sub(Room::of_blocks(self.numbers.end - self.numbers.start)).max(1);
        let mut count = 0;
        for (number, block) in self.blocks.iter_mut().enumerate() {
            block.before = count;
            count += block.open.iter_mut().map(|word| u64::from(word.get_mut().count_ones())).sum::<u64>();
            if count > room && number > 0 {
                let first = self.numbers.start + (number * BLOCK) as u64;
                self.numbers.end = end_before(first).min(first);
                break;
            }
        }
        let last = ((self.numbers.end - self.numbers.start) as usize).div_ceil(BLOCK);
        let open = self.blocks.get(last).map_or(count, |block| block.before) as usize;
        reserve_huge(&mut self.values, open);
        self.values.clear();
        self.values.resize_with(open, || AtomicU8::new(DRAW));
    }

    /// The index of an open number's value; `None` for any other number.
    #[inline]
    fn index(&self, number: u64) -> Option<usize> {
        let (block, word, bit) = self.place(number)?;
        let block = &self.blocks[block];
        let bits = |word: usize| block.open[word].load(Ordering::Relaxed);
        let before: u32 = (0..word).map(|before| bits(before).count_ones()).sum();
        let index = block.before as usize + (before + (bits(word) & (bit - 1)).count_ones()) as usize;
        (bits(word) & bit != 0).then_some(index)
    }

    /// Sets the values of open numbers that are still draws; returns false if a number is not. Numbers outside
    /// the window are left out.
    ///
    /// Nearly every number reads memory that is not in a cache. Therefore all places are found first: the
    /// processor reads many at the same time, unless each read has to wait for the write before it.
    pub(super) fn set(&self, values: &[(u64, u8)]) -> bool {
        let mut right = true;
        let mut places = [(0, 0); BATCH];
        for values in values.chunks(BATCH) {
            let mut count = 0;
            for &(number, byte) in values.iter().filter(|(number, _)| self.numbers.contains(number)) {
                let index = self.index(number);
                right &= index.is_some();
                places[count] = (index.unwrap_or(0), byte);
                count += usize::from(index.is_some());
            }
            for &(index, byte) in &places[..count] {
                let value = &self.values[index];
                right &= value.load(Ordering::Relaxed) == DRAW;
                value.store(byte, Ordering::Relaxed);
            }
        }
        right
    }

    /// Writes the values of some numbers of the window.
    pub(super) fn write(&self, numbers: Range<u64>, threads: usize, bytes: &mut Vec<u8>) {
        bytes.resize((numbers.end - numbers.start) as usize, WON_IN_ONE);
        let parts = bytes.chunks_mut(PART).enumerate().collect();
        for_each_parallel(threads, parts, |(part, bytes): (usize, &mut [u8])| {
            bytes.fill(WON_IN_ONE);
            let first = numbers.start + (part * PART) as u64;
            let end = first + bytes.len() as u64;
            let blocks = [first, end - 1].map(|number| (number - self.numbers.start) as usize / BLOCK);
            for block in blocks[0]..=blocks[1] {
                let Block { before, open } = &self.blocks[block];
                let mut values = self.values[*before as usize..].iter();
                for (word, bits) in open.iter().enumerate() {
                    let of_word = self.numbers.start + (block * BLOCK + word * 64) as u64;
                    for (bit, value) in bits_of(bits.load(Ordering::Relaxed)).zip(&mut values) {
                        let at = (of_word + bit as u64).checked_sub(first);
                        if let Some(byte) = at.and_then(|at| bytes.get_mut(at as usize)) {
                            *byte = value.load(Ordering::Relaxed);
                        }
                    }
                }
            }
        });
    }
}

//! A block: all positions with one configuration of the opponent, a bit each. Rows are the mover's pusher sets on the
//! squares that the opponent leaves free, lanes his pawn sets.
//!
//! A *move* takes one piece along empty squares. With all other pieces fixed, that is a flood: from square to
//! neighbouring square, in all lanes at once in which the next square is empty. Pawns are flooded in the transposed
//! matrix, where a word has 64 pusher sets of one pawn set.

use crate::layout::{Layout, Side, compress, squares};
use crate::push::Pattern;

pub(crate) struct Block<'a> {
    pub layout: &'a Layout,
    pub opponent: Side,
    /// The free squares, in order.
    pub free: Vec<usize>,
    /// For every free square the free squares beside it, numbered among the free ones.
    beside: Vec<u64>,
    /// Lanes without a pawn on the opponent's squares.
    pub base: Vec<u64>,
}

/// Room for floods, kept from block to block.
pub(crate) struct Room {
    result: Vec<u64>,
    turned: Vec<u64>,
    turned_result: Vec<u64>,
    /// A vector a square.
    flood: Vec<u64>,
    /// For every free square the rows without a pusher there.
    no_pusher: Vec<Vec<u64>>,
    row_words: usize,
}

impl Room {
    pub(crate) fn new(layout: &Layout) -> Room {
        let row_words = layout.rows.len().div_ceil(64);
        let no_pusher = (0..layout.free)
            .map(|square| {
                let mut mask = vec![0; row_words];
                for (row, _) in layout.rows.iter().enumerate().filter(|(_, set)| *set >> square & 1 == 0) {
                    mask[row / 64] |= 1 << (row % 64);
                }
                mask
            })
            .collect();
        let turned = vec![0; layout.words * 64 * row_words];
        Room {
            result: vec![0; layout.block_words()],
            turned_result: turned.clone(),
            turned,
            flood: vec![0; layout.free.max(1) * layout.words.max(row_words)],
            no_pusher,
            row_words,
        }
    }
}

impl<'a> Block<'a> {
    pub(crate) fn new(layout: &'a Layout, opponent: Side) -> Block<'a> {
        let free: Vec<usize> = squares(layout.all & !opponent.all()).collect();
        let among = layout.all & !opponent.all();
        let beside = free
            .iter()
            .map(|&square| {
                let next = layout.next[square].iter().flatten().fold(0_u64, |set, &next| set | 1 << next);
                compress(next & among, among)
            })
            .collect();
        let mut base = lanes_with(layout, 0, 0);
        for square in squares(opponent.all()) {
            and(&mut base, &layout.no_pawn[square]);
        }
        Block { layout, opponent, free, beside, base }
    }

    /// The squares of the board of a row's pushers.
    pub(crate) fn pushers_of(&self, row: usize) -> u64 {
        squares(self.layout.rows[row]).fold(0, |set, square| set | 1 << self.free[square])
    }

    /// All positions that there are.
    pub(crate) fn everything(&self) -> Vec<u64> {
        let words = self.layout.words;
        let mut bits = vec![0; self.layout.block_words()];
        for (row, lanes) in bits.chunks_exact_mut(words).enumerate() {
            lanes.copy_from_slice(&self.base);
            for square in squares(self.pushers_of(row)) {
                and(lanes, &self.layout.no_pawn[square]);
            }
        }
        bits
    }

    /// Visits, for a pattern, the rows that it is about: the mover's pushers before the push, packed among the free
    /// squares, and after it among those that `after` leaves free.
    pub(crate) fn each_row(&self, pattern: &Pattern, after: Option<Side>, mut visit: impl FnMut(u64, u64)) {
        let layout = self.layout;
        let among = layout.all & !self.opponent.all();
        let fixed = 1_u64 << pattern.from | pattern.pushers;
        let others = layout.pushers - fixed.count_ones() as usize;
        let mut left = [(0_u64, 0_u64); 64];
        let mut count = 0;
        let after = layout.all & !after.unwrap_or(self.opponent).all();
        for square in squares(among & !(fixed | pattern.line)) {
            left[count] = (compress(1 << square, among), compress(1 << square, after));
            count += 1;
        }
        let moved = 1_u64 << pattern.to | layout.shifted(pattern.pushers, pattern.direction);
        choose(&left[..count], others, compress(fixed, among), compress(moved & after, after), &mut visit);
    }

    /// The lanes with a pattern's pawns and none elsewhere on its line.
    pub(crate) fn lanes_of(&self, pattern: &Pattern) -> Vec<u64> {
        let mut lanes = lanes_with(self.layout, pattern.pawns, pattern.line & !pattern.pawns);
        and(&mut lanes, &self.base);
        lanes
    }

    /// Adds everything that has a way of at most so many moves as a turn has to what is there.
    pub(crate) fn spread(&self, bits: &mut [u64], room: &mut Room) {
        let mut left = self.layout.moves.unwrap_or(u32::MAX);
        while left > 0 && bits.iter().any(|&word| word != 0) {
            room.result.copy_from_slice(bits);
            self.move_pushers(bits, room);
            self.move_pawns(bits, room);
            if room.result == bits {
                break;
            }
            bits.copy_from_slice(&room.result);
            left -= 1;
        }
    }

    fn move_pushers(&self, bits: &[u64], room: &mut Room) {
        let layout = self.layout;
        let words = layout.words;
        let all = (1_u64 << layout.free) - 1;
        for &others in &layout.rows_but_one {
            let open = all & !others;
            let mut any = 0;
            for square in squares(open) {
                let row = layout.row(others | 1 << square);
                let lanes = &bits[row * words..][..words];
                any |= lanes.iter().fold(0, |any, &word| any | word);
                room.flood[square * words..][..words].copy_from_slice(lanes);
            }
            if any == 0 {
                continue;
            }
            self.flood(open, words, &mut room.flood, |square| &layout.no_pawn[self.free[square]]);
            for square in squares(open) {
                let row = layout.row(others | 1 << square);
                for word in 0..words {
                    room.result[row * words + word] |= room.flood[square * words + word];
                }
            }
        }
    }

    fn move_pawns(&self, bits: &[u64], room: &mut Room) {
        let layout = self.layout;
        if layout.pawns == 0 {
            return;
        }
        let (words, row_words) = (layout.words, room.row_words);
        transpose(bits, layout.rows.len(), words, &mut room.turned, row_words);
        room.turned_result.fill(0);
        let all = (1_u64 << layout.free) - 1;
        for others in pawn_sets(layout.free, layout.pawns - 1) {
            let on_board = squares(others).fold(0_u64, |set, square| set | 1 << self.free[square]);
            let open = all & !others;
            let lane = |square: usize| layout.sets.rank(on_board | 1 << self.free[square]) as usize;
            let mut any = 0;
            for square in squares(open) {
                let rows = &room.turned[lane(square) * row_words..][..row_words];
                any |= rows.iter().fold(0, |any, &word| any | word);
                room.flood[square * row_words..][..row_words].copy_from_slice(rows);
            }
            if any == 0 {
                continue;
            }
            self.flood(open, row_words, &mut room.flood, |square| &room.no_pusher[square]);
            for square in squares(open) {
                let at = lane(square) * row_words;
                for word in 0..row_words {
                    room.turned_result[at + word] |= room.flood[square * row_words + word];
                }
            }
        }
        // Back into the result, which has what pushers reach.
        transpose_or(
            &room.turned_result,
            layout.lanes.len(),
            row_words,
            &mut room.result,
            words,
            layout.rows.len(),
        );
    }

    /// Goes from square to square until nothing changes: a vector of `words` a square, into a square only in the
    /// lanes in which it is empty.
    fn flood<'m>(&self, open: u64, words: usize, flood: &mut [u64], empty: impl Fn(usize) -> &'m [u64]) {
        let mut forwards = true;
        loop {
            let mut changed = 0;
            let mut visit = |square: usize| {
                let lanes = empty(square);
                for from in squares(self.beside[square] & open) {
                    for word in 0..words {
                        let more = flood[from * words + word] & lanes[word] & !flood[square * words + word];
                        flood[square * words + word] |= more;
                        changed |= more;
                    }
                }
            };
            if forwards {
                squares(open).for_each(&mut visit);
            } else {
                (0..self.layout.free).rev().filter(|square| open >> square & 1 == 1).for_each(&mut visit);
            }
            forwards = !forwards;
            if changed == 0 {
                return;
            }
        }
    }
}

fn and(bits: &mut [u64], mask: &[u64]) {
    bits.iter_mut().zip(mask).for_each(|(bits, mask)| *bits &= mask);
}

/// The lanes with pawns on all of some squares and on none of others.
pub(crate) fn lanes_with(layout: &Layout, on: u64, off: u64) -> Vec<u64> {
    let mut bits = vec![0; layout.words];
    for lane in 0..layout.lanes.len() {
        bits[lane / 64] |= 1 << (lane % 64);
    }
    for square in squares(off) {
        and(&mut bits, &layout.no_pawn[square]);
    }
    for square in squares(on) {
        bits.iter_mut().zip(&layout.no_pawn[square]).for_each(|(bits, mask)| *bits &= !mask);
    }
    bits
}

/// Sets of so many of the first squares.
fn pawn_sets(squares: usize, count: usize) -> impl Iterator<Item = u64> {
    let most = 1_u64 << squares;
    let mut set = if count > squares { None } else { Some((1_u64 << count) - 1) };
    std::iter::from_fn(move || {
        let here = set.filter(|&here| here < most)?;
        // The next larger number with as many bits.
        set = if here == 0 {
            None
        } else {
            let low = here & here.wrapping_neg();
            let carried = here + low;
            Some(carried | ((here ^ carried) / low) >> 2)
        };
        Some(here)
    })
}

/// Visits the subsets of some size, as unions of the first and of the second bits.
fn choose(bits: &[(u64, u64)], count: usize, first: u64, second: u64, visit: &mut impl FnMut(u64, u64)) {
    match count {
        0 => visit(first, second),
        1 => bits.iter().for_each(|&(a, b)| visit(first | a, second | b)),
        _ => {
            for at in 0..(bits.len() + 1).saturating_sub(count) {
                let (a, b) = bits[at];
                choose(&bits[at + 1..], count - 1, first | a, second | b, visit);
            }
        }
    }
}

/// Turns 64 × 64 bits: bit c of word r becomes bit r of word c.
fn turn(tile: &mut [u64; 64]) {
    let (mut width, mut mask) = (32, 0x0000_0000_ffff_ffff_u64);
    while width > 0 {
        let mut row = 0;
        while row < 64 {
            let swap = (tile[row] >> width ^ tile[row + width]) & mask;
            tile[row] ^= swap << width;
            tile[row + width] ^= swap;
            row = (row + width + 1) & !width;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

fn tile(bits: &[u64], rows: usize, words: usize, row: usize, word: usize) -> [u64; 64] {
    let mut tile = [0; 64];
    for (at, place) in tile.iter_mut().enumerate().take(rows.saturating_sub(row).min(64)) {
        *place = bits[(row + at) * words + word];
    }
    turn(&mut tile);
    tile
}

/// `bits` has rows of `words`; `turned` gets a row of `row_words` for each bit of a row.
fn transpose(bits: &[u64], rows: usize, words: usize, turned: &mut [u64], row_words: usize) {
    for word in 0..words {
        for row_word in 0..row_words {
            let tile = tile(bits, rows, words, row_word * 64, word);
            for (at, &line) in tile.iter().enumerate() {
                turned[(word * 64 + at) * row_words + row_word] = line;
            }
        }
    }
}

/// The way back, added to what is there.
fn transpose_or(turned: &[u64], lanes: usize, row_words: usize, bits: &mut [u64], words: usize, rows: usize) {
    for row_word in 0..row_words {
        for word in 0..words {
            let tile = tile(turned, lanes, row_words, word * 64, row_word);
            for (at, &line) in tile.iter().enumerate().take(rows.saturating_sub(row_word * 64).min(64)) {
                bits[(row_word * 64 + at) * words + word] |= line;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_turned() {
        let (rows, words, row_words) = (70, 3, 2);
        let bit = |row: usize, lane: usize| (row * 31 + lane * 17 + row * lane).is_multiple_of(5);
        let mut bits = vec![0_u64; rows * words];
        for row in 0..rows {
            for lane in (0..150).filter(|&lane| bit(row, lane)) {
                bits[row * words + lane / 64] |= 1 << (lane % 64);
            }
        }
        let mut turned = vec![0; words * 64 * row_words];
        transpose(&bits, rows, words, &mut turned, row_words);
        for lane in 0..150 {
            for row in 0..rows {
                assert_eq!(turned[lane * row_words + row / 64] >> (row % 64) & 1 == 1, bit(row, lane));
            }
        }
        let mut back = vec![0; bits.len()];
        transpose_or(&turned, 150, row_words, &mut back, words, rows);
        assert_eq!(back, bits);
    }

    #[test]
    fn subsets_are_all_there() {
        for (squares, count) in [(5, 0), (5, 1), (5, 2), (5, 5), (3, 4), (1, 1)] {
            let all: Vec<u64> = pawn_sets(squares, count).collect();
            let expected: Vec<u64> =
                (0..1_u64 << squares).filter(|set| set.count_ones() as usize == count).collect();
            assert_eq!(all, expected);
        }
    }
}

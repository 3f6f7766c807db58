//! The minimized numbering: plausible positions only, and of a position and its turned image only one. It is that
//! of a file of the first complete solve, for boards whose one symmetry is the turn by 180°.
//!
//! Canonical is the orientation with the anchor in the upper half. Positions are ordered by the anchor's square;
//! then come those with exactly one of its left and right neighbours empty, by the codes of the two; then those with
//! exactly one of upper and lower empty and the first test failed, by the codes of upper, left, right, lower. A block
//! of positions alike so far is ordered by the lexicographic rank of the other squares.

use retrograde_index::{Head, Multiset, State};

use crate::numbering::codes::Codes;
use crate::rules::squares;
use crate::{Position, PushFight};

/// Codes of a neighbour.
const CODES: usize = 5;
/// The code of an anchored pusher.
const ANCHOR: u8 = 5;
/// No block: the neighbours need more pieces than there are, or are not plausible.
const NONE: u16 = u16::MAX;

/// The numbering of plausible positions up to a half turn.
#[derive(Clone, Debug)]
pub struct Minimized {
    blocks: Vec<Block>,
    /// The block of an anchor's square and its neighbours' codes, left and right after each other, or all four.
    horizontal: Vec<[u16; CODES * CODES]>,
    vertical: Vec<[u16; CODES * CODES * CODES * CODES]>,
    count: u64,
    /// The numbers in equal parts of a power of two: how positions begin, so that the way back is short.
    parts: Vec<Part>,
    shift: u32,
}

/// Parts of the numbers at the most, as a power of two.
const MOST_PARTS: u32 = 18;

/// Some consecutive numbers.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// The block of the first of them.
    block: u16,
    /// How those of this block begin.
    head: Head,
}

/// Positions that are alike around the anchor.
#[derive(Clone, Debug)]
struct Block {
    /// The number of the first one.
    first: u64,
    /// The anchor and its neighbours with their codes, by ascending square; the first so many of five.
    fixed: [(u8, u8); 5],
    fixed_count: u8,
    /// Runs of neighbouring squares among these, from the last to the first: where and how many.
    runs: [(u8, u8); 3],
    /// What the other squares hold.
    left: State,
}

impl PushFight {
    /// Whether the board's one symmetry is the turn by 180°, which leaves no square where it is, both sides have the
    /// same pieces, and positions have indices: then there is a minimized numbering.
    pub fn is_only_turned(&self) -> bool {
        let count = self.board.squares();
        let turn = (0..count as u8).rev();
        let turned = self.symmetries.len() == 2 && turn.eq(self.symmetries[1].iter().copied());
        turned && count.is_multiple_of(2) && self.even().is_some() && self.ranks.is_some()
    }

    /// The minimized numbering; `None` if the board has other symmetries than the turn by 180°, or squares that
    /// such a turn leaves where they are, or the sides have different pieces, or positions have no indices.
    pub fn minimized(&self) -> Option<Minimized> {
        let ranks = self.ranks.as_ref().filter(|_| self.is_only_turned())?;
        let count = self.board.squares();
        let mut numbering = Minimized {
            blocks: Vec::new(),
            horizontal: Vec::new(),
            vertical: Vec::new(),
            count: 0,
            parts: Vec::new(),
            shift: 0,
        };
        for anchor in 0..count / 2 {
            let mut horizontal = [NONE; CODES * CODES];
            let mut vertical = [NONE; CODES * CODES * CODES * CODES];
            let (beside, along) = (self.pair(anchor, 3), self.pair(anchor, 0));
            if let Some(pair) = beside {
                for (key, block) in horizontal.iter_mut().enumerate() {
                    let codes = [key / CODES, key % CODES];
                    if one_empty(codes) {
                        *block = numbering.add(ranks, anchor, &[(pair[0], codes[0]), (pair[1], codes[1])])?;
                    }
                }
            }
            if let Some(pair) = along {
                for (key, block) in vertical.iter_mut().enumerate() {
                    let [up, left, right, low] = [125, 25, 5, 1].map(|stride| key / stride % CODES);
                    let mut fixed = vec![(pair[0], up), (pair[1], low)];
                    match beside {
                        Some(_) if one_empty([left, right]) => continue,
                        Some(beside) => fixed.extend([(beside[0], left), (beside[1], right)]),
                        None if left + right > 0 => continue,
                        None => {}
                    }
                    if one_empty([up, low]) {
                        *block = numbering.add(ranks, anchor, &fixed)?;
                    }
                }
            }
            numbering.horizontal.push(horizontal);
            numbering.vertical.push(vertical);
        }
        numbering.divide(ranks);
        Some(numbering)
    }
}

fn one_empty([a, b]: [usize; 2]) -> bool {
    (a == 0) != (b == 0)
}

impl Minimized {
    /// Appends a block and gives its number; [`NONE`] if there are not so many pieces.
    fn add(&mut self, ranks: &Multiset, anchor: usize, beside: &[(usize, usize)]) -> Option<u16> {
        let mut fixed = vec![(anchor as u8, ANCHOR)];
        fixed.extend(beside.iter().map(|&(square, code)| (square as u8, code as u8)));
        fixed.sort_unstable();
        let mut taken = [0; CODES + 1];
        fixed.iter().for_each(|&(_, code)| taken[usize::from(code)] += 1);
        let Some(left) = ranks.without(&taken) else { return Some(NONE) };
        let first = self.count;
        self.count = first.checked_add(left.count())?;
        let mut runs: Vec<(u8, u8)> = Vec::new();
        for &(square, _) in &fixed {
            match runs.last_mut() {
                Some((start, length)) if *start + *length == square => *length += 1,
                _ => runs.push((square, 1)),
            }
        }
        runs.reverse();
        let fixed_count = fixed.len() as u8;
        fixed.resize(5, (0, 0));
        runs.resize(3, (0, 0));
        // At most an anchor with its row and two squares more.
        let (fixed, runs) = (fixed.try_into().ok()?, runs.try_into().ok()?);
        self.blocks.push(Block { first, fixed, fixed_count, runs, left });
        u16::try_from(self.blocks.len() - 1).ok().filter(|&block| block != NONE)
    }

    /// Divides the numbers into parts.
    fn divide(&mut self, ranks: &Multiset) {
        let bits = u64::BITS - self.count.leading_zeros();
        self.shift = bits - (bits / 2).saturating_sub(1).min(MOST_PARTS);
        let parts = self.count.div_ceil(1 << self.shift);
        let mut at = 0;
        self.parts = (0..parts)
            .map(|part| {
                let first = part << self.shift;
                while self.blocks.get(at + 1).is_some_and(|next| next.first <= first) {
                    at += 1;
                }
                Part { block: at as u16, head: ranks.no_head(self.blocks[at].left) }
            })
            .collect();
        for block in &self.blocks {
            let parts = &mut self.parts;
            ranks.each_head(block.left, block.first, self.shift, &mut |part, head| {
                parts[part as usize].head = head;
            });
        }
    }

    /// The number of positions.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The number of a position and whether the board had to be turned; `None` if it is not plausible, or not all
    /// pieces are on the board. Made for the game that this numbering was made from.
    #[inline]
    pub fn number(&self, game: &PushFight, position: &Position) -> Option<(u64, bool)> {
        if position.anchor == 0 || game.mover(position).is_none() {
            return None;
        }
        let ranks = game.ranks.as_ref()?;
        let count = game.board.squares();
        let mut anchor = position.anchor.trailing_zeros() as usize;
        let mut codes = Codes::of(position);
        let turned = anchor >= count / 2;
        if turned {
            anchor = count - 1 - anchor;
            codes = codes.turned(count);
        }
        let code = |[a, b]: [usize; 2]| [a, b].map(|square| usize::from(codes.at(square as u8)));
        let beside = game.pair(anchor, 3).map_or([0, 0], code);
        let mut block = self.horizontal[anchor][beside[0] * CODES + beside[1]];
        if block == NONE {
            let [up, low] = game.pair(anchor, 0).map_or([0, 0], code);
            block = self.vertical[anchor][((up * CODES + beside[0]) * CODES + beside[1]) * CODES + low];
        }
        let block = self.blocks.get(usize::from(block))?;
        for &(start, length) in &block.runs {
            codes.remove(start, length);
        }
        let pieces = squares(codes.occupied()).map(|square| (u32::from(square), codes.at(square)));
        Some((block.first + ranks.rank_sparse(block.left, pieces), turned))
    }

    /// The position, in canonical orientation, that has a number; `None` past the end.
    #[inline]
    pub fn position(&self, game: &PushFight, number: u64) -> Option<Position> {
        if number >= self.count {
            return None;
        }
        let ranks = game.ranks.as_ref()?;
        let part = &self.parts[(number >> self.shift) as usize];
        let mut at = usize::from(part.block);
        let digits = match self.blocks.get(at + 1) {
            Some(next) if next.first <= number => {
                at += self.blocks[at + 1..].partition_point(|block| block.first <= number);
                let head = ranks.no_head(self.blocks[at].left);
                ranks.unrank_digits_after(&head, number - self.blocks[at].first)
            }
            _ => ranks.unrank_digits_after(&part.head, number - self.blocks[at].first),
        };
        let block = &self.blocks[at];
        let mut codes = Codes::from_digits(digits);
        for &(square, code) in &block.fixed[..usize::from(block.fixed_count)] {
            codes.insert(square, code);
        }
        Some(codes.position())
    }
}

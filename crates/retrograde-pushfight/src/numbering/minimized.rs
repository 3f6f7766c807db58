//! The minimized numbering of "Solving Push Fight". It numbers only plausible positions, and only
//! one of a position and its image after a half turn of the board. It exists for boards whose only
//! symmetry is the half turn.
//!
//! The canonical orientation has the anchor in the upper half. Positions are ordered by the
//! anchor's square. For each square, positions with exactly one of the left and right neighbours
//! empty come first, by the codes of these two. Then come positions that fail this test but have
//! exactly one of the upper and lower neighbours empty, by the codes of upper, left, right, lower.
//! Positions that agree so far form a block, in lexicographic order of the other squares.

use std::ops::Range;

use retrograde_game::{Square, Squares};
use retrograde_index::{Head, Multiset, SquareRanks, State};

use crate::numbering::codes::{Codes, without_run};
use crate::{Position, PushFight};

/// The number of codes of a neighbour.
const CODES: usize = 5;
/// The code of an anchored pusher.
const ANCHOR: u8 = 5;
/// The code of a pawn of the mover.
const OWN_PAWN: u8 = 1;
/// The entry for no block: the neighbours need too many pieces or are not plausible.
const NONE: u16 = u16::MAX;

/// The numbering of plausible positions up to the half turn.
#[derive(Clone, Debug)]
pub struct MinimizedNumbering {
    blocks: Vec<Block>,
    /// The block for a square of the anchor and the codes of its neighbours: left and right, or all four.
    horizontal: Vec<[u16; CODES * CODES]>,
    vertical: Vec<[u16; CODES * CODES * CODES * CODES]>,
    count: u64,
    /// The first number of every canonical square of the anchor, and the end.
    anchors: Vec<u64>,
    /// Equal parts of the numbers, a power of two each, with the beginning of their positions, to
    /// shorten unranking.
    parts: Vec<Part>,
    shift: u32,
}

/// The binary logarithm of the most parts.
const MAX_PARTS_LOG2: u32 = 18;

/// Consecutive numbers.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// The block of the first number.
    block: u16,
    /// The common beginning of the positions in this block.
    head: Head,
}

/// Positions that agree around the anchor.
#[derive(Clone, Debug)]
struct Block {
    /// The number of the first position.
    first: u64,
    /// The anchor and its neighbours with their codes, in ascending order of squares; only the
    /// first `fixed_count` are used.
    fixed: [(Square, u8); 5],
    fixed_count: u8,
    /// Runs of consecutive squares among these, from last to first: start and length.
    runs: [(Square, u8); 3],
    /// The codes for the other squares.
    left: State,
}

/// Numbers of positions that differ only in the mover's pawns: [`MinimizedNumbering::prepare_own_pawns`].
#[derive(Debug, Default)]
pub struct OwnPawnNumbers {
    ranks: SquareRanks,
    /// What they have in common; `None` if that is nothing.
    common: Option<Common>,
}

/// What positions that differ only in the mover's pawns have in common, if none is next to the anchor.
#[derive(Debug)]
struct Common {
    /// The first number of their block.
    first: u64,
    /// The anchor and its neighbours, in canonical orientation.
    near: Squares,
    /// The number of squares of the board, if it has to be turned.
    turned: Option<u32>,
    runs: [(Square, u8); 3],
}

impl OwnPawnNumbers {
    /// The number of the position with these pawns of the mover. `None` if a pawn is next to the anchor: then
    /// it has to be found alone, with [`MinimizedNumbering::number`].
    #[inline]
    pub fn number(&self, pawns: Squares) -> Option<u64> {
        let Common { first, near, turned, runs } = self.common.as_ref()?;
        let mut pawns = turned.map_or(pawns, |count| pawns.rotated(count));
        if !(pawns & *near).is_empty() {
            return None;
        }
        for &(start, length) in runs {
            pawns = without_run(pawns, start, length);
        }
        Some(first + self.ranks.rank(pawns.0))
    }
}

impl PushFight {
    /// Whether the game has a minimized numbering: the only symmetry of the board is the half turn,
    /// and it fixes no square; both sides have the same pieces; and positions have indices.
    pub fn has_minimized_numbering(&self) -> bool {
        let count = self.board.square_count();
        let half_turn = (0..count as u8).rev().map(Square);
        let rotates = self.symmetries.len() == 2 && half_turn.eq(self.symmetries[1].iter().copied());
        rotates && count.is_multiple_of(2) && self.equal_pieces().is_some() && self.ranks.is_some()
    }

    /// The minimized numbering; `None` without [`PushFight::has_minimized_numbering`].
    pub fn minimized(&self) -> Option<MinimizedNumbering> {
        let ranks = self.ranks.as_ref().filter(|_| self.has_minimized_numbering())?.first()?;
        let count = self.board.square_count();
        let mut numbering = MinimizedNumbering {
            blocks: Vec::new(),
            horizontal: Vec::new(),
            vertical: Vec::new(),
            count: 0,
            anchors: Vec::new(),
            parts: Vec::new(),
            shift: 0,
        };
        for anchor in (0..count as u8 / 2).map(Square) {
            numbering.anchors.push(numbering.count);
            let mut horizontal = [NONE; CODES * CODES];
            let mut vertical = [NONE; CODES * CODES * CODES * CODES];
            let [sides, along] = [3, 0].map(|first| self.board.opposite_neighbours(anchor, first));
            if let Some(pair) = sides {
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
                    match sides {
                        Some(_) if one_empty([left, right]) => continue,
                        Some(sides) => fixed.extend([(sides[0], left), (sides[1], right)]),
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
        numbering.anchors.push(numbering.count);
        numbering.divide(ranks);
        Some(numbering)
    }
}

fn one_empty([a, b]: [usize; 2]) -> bool {
    (a == 0) != (b == 0)
}

impl MinimizedNumbering {
    /// Appends a block and returns its number; [`NONE`] if there are not enough pieces.
    fn add(&mut self, ranks: &Multiset, anchor: Square, neighbours: &[(Square, usize)]) -> Option<u16> {
        let mut fixed = vec![(anchor, ANCHOR)];
        fixed.extend(neighbours.iter().map(|&(square, code)| (square, code as u8)));
        fixed.sort_unstable();
        let mut taken = [0; CODES + 1];
        fixed.iter().for_each(|&(_, code)| taken[usize::from(code)] += 1);
        let Some(left) = ranks.without(&taken) else { return Some(NONE) };
        let first = self.count;
        self.count = first.checked_add(left.count())?;
        let mut runs: Vec<(Square, u8)> = Vec::new();
        for &(square, _) in &fixed {
            match runs.last_mut() {
                Some((start, length)) if start.0 + *length == square.0 => *length += 1,
                _ => runs.push((square, 1)),
            }
        }
        runs.reverse();
        let fixed_count = fixed.len() as u8;
        fixed.resize(5, (Square(0), 0));
        runs.resize(3, (Square(0), 0));
        // The most is an anchor with its row and two more squares.
        let (fixed, runs) = (fixed.try_into().ok()?, runs.try_into().ok()?);
        self.blocks.push(Block { first, fixed, fixed_count, runs, left });
        u16::try_from(self.blocks.len() - 1).ok().filter(|&block| block != NONE)
    }

    /// Divides the numbers into parts.
    fn divide(&mut self, ranks: &Multiset) {
        let bits = u64::BITS - self.count.leading_zeros();
        self.shift = bits - (bits / 2).saturating_sub(1).min(MAX_PARTS_LOG2);
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

    /// The numbers of the positions with the anchor on a square or its image; empty if the square
    /// is not on the board.
    pub fn numbers_of_anchor(&self, anchor: Square) -> Range<u64> {
        let canonical = self.anchors.len().saturating_sub(1);
        let at = anchor.index().min((2 * canonical).saturating_sub(1 + anchor.index()));
        match (self.anchors.get(at), self.anchors.get(at + 1)) {
            (Some(&first), Some(&end)) if anchor.index() < 2 * canonical => first..end,
            _ => 0..0,
        }
    }

    /// The number of a position, and whether the board was turned for it. `None` if the position is
    /// not plausible or not all pieces are on the board. `game` must be the game of this numbering.
    #[inline]
    pub fn number(&self, game: &PushFight, position: &Position) -> Option<(u64, bool)> {
        game.mover(position)?;
        self.number_of_whole(game, position)
    }

    /// The same for a position that has all pieces, a little faster. For any other the number is meaningless.
    #[inline]
    pub fn number_of_whole(&self, game: &PushFight, position: &Position) -> Option<(u64, bool)> {
        let ranks = game.ranks.as_ref()?.first()?;
        let (block, mut codes, rotated) = self.block_of(game, position)?;
        for &(start, length) in &block.runs {
            codes.remove(start, length);
        }
        let pieces = codes.occupied().into_iter().map(|square| (u32::from(square.0), codes.at(square)));
        Some((block.first + ranks.rank_sparse(block.left, pieces), rotated))
    }

    /// The block of a position, its codes in canonical orientation, and whether the board was turned.
    #[inline]
    fn block_of(&self, game: &PushFight, position: &Position) -> Option<(&Block, Codes, bool)> {
        let mut anchor = position.anchor.first()?;
        let count = game.board.square_count();
        let mut codes = Codes::of(position);
        let rotated = anchor.index() >= count / 2;
        if rotated {
            anchor = Square((count - 1) as u8 - anchor.0);
            codes = codes.rotated(count);
        }
        let code = |pair: [Square; 2]| pair.map(|square| usize::from(codes.at(square)));
        let sides = game.board.opposite_neighbours(anchor, 3).map_or([0, 0], code);
        let mut block = self.horizontal[anchor.index()][sides[0] * CODES + sides[1]];
        if block == NONE {
            let [up, low] = game.board.opposite_neighbours(anchor, 0).map_or([0, 0], code);
            block = self.vertical[anchor.index()][((up * CODES + sides[0]) * CODES + sides[1]) * CODES + low];
        }
        Some((self.blocks.get(usize::from(block))?, codes, rotated))
    }

    /// Prepares the numbers of many positions that differ only in the mover's pawns. Those of `position` are
    /// ignored.
    pub fn prepare_own_pawns(&self, game: &PushFight, position: &Position, numbers: &mut OwnPawnNumbers) {
        numbers.common = None;
        let Some(ranks) = game.ranks.as_ref().and_then(|ranks| ranks.first()) else { return };
        let position = Position { own_pawns: Squares::EMPTY, ..*position };
        let Some((block, mut codes, rotated)) = self.block_of(game, &position) else { return };
        for &(start, length) in &block.runs {
            codes.remove(start, length);
        }
        let pieces = codes.occupied().into_iter().map(|square| (u32::from(square.0), codes.at(square)));
        let [side, _] = game.sides;
        ranks.square_ranks(block.left, pieces, (OWN_PAWN, side.pawns as usize), &mut numbers.ranks);
        let fixed = &block.fixed[..usize::from(block.fixed_count)];
        numbers.common = Some(Common {
            first: block.first,
            near: fixed.iter().map(|&(square, _)| square).collect(),
            turned: rotated.then_some(game.board.square_count() as u32),
            runs: block.runs,
        });
    }

    /// The position with a number, in canonical orientation; `None` past the end.
    #[inline]
    pub fn position(&self, game: &PushFight, number: u64) -> Option<Position> {
        if number >= self.count {
            return None;
        }
        let ranks = game.ranks.as_ref()?.first()?;
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

//! Where the bit of a position is.
//!
//! A *configuration* is one side's pushers and pawns. A plane has, for every configuration of one side, a row for every
//! set of pushers of the other side, and in it a lane for every set of pawns. Rows are numbered over the squares that the
//! first side leaves free; lanes over all squares of the board, so that a push that shifts pieces of the first side
//! changes no lane. (Lanes of pawns where something stands are never used.) In *blocks* the first side is the opponent,
//! and its anchor belongs to it; in *records* it is the side to move, and rows come once for each pusher that may be
//! anchored.

use retrograde_index::Combinations;
use retrograde_pushfight::{Position, PushFight};

/// The squares of a set, lowest first.
pub(crate) fn squares(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as usize;
        if set == 0 {
            return None;
        }
        set &= set - 1;
        Some(square)
    })
}

/// One side's pushers and pawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Side {
    pub pushers: u64,
    pub pawns: u64,
}

impl Side {
    pub(crate) fn all(self) -> u64 {
        self.pushers | self.pawns
    }
}

/// The board and the numbers of pieces, and what is numbered how.
pub(crate) struct Layout {
    pub squares: usize,
    pub pushers: usize,
    pub pawns: usize,
    pub moves: Option<u32>,
    pub all: u64,
    pub next: Vec<[Option<u8>; 4]>,
    pub rail: Vec<[bool; 4]>,
    pub symmetries: Vec<Vec<u8>>,
    /// Squares that a configuration leaves free.
    pub free: usize,
    /// Rows: sets of pushers on the free squares, numbered from 0.
    pub rows: Vec<u64>,
    /// Sets of one pusher less.
    pub rows_but_one: Vec<u64>,
    /// Lanes: sets of pawns on all squares.
    pub lanes: Vec<u64>,
    /// Words of a row.
    pub words: usize,
    /// For every square the lanes without a pawn there.
    pub no_pawn: Vec<Vec<u64>>,
    pub sets: Combinations,
    /// The row of every set of free squares, where such a table is small.
    row_table: Vec<u32>,
}

/// Free squares up to which rows are looked up in a table: 4 MiB.
const TABLED: usize = 20;

fn subsets(sets: &Combinations, squares: usize, count: usize) -> Vec<u64> {
    let most = retrograde_index::binomial(squares as u32, count as u32).map_or(0, |most| most as u64);
    (0..most).filter_map(|rank| sets.unrank(count as u32, rank)).collect()
}

impl Layout {
    /// `None` if the numbers of the layout do not fit.
    pub(crate) fn new(game: &PushFight) -> Option<Layout> {
        let board = game.board();
        let count = board.squares();
        let (pushers, pawns) = (game.pushers() as usize, game.pawns() as usize);
        let sets = Combinations::new(count as u32).ok()?;
        let free = count - pushers - pawns;
        if sets.count(pawns as u32) > 1 << 16 || sets.count(pushers as u32) > 1 << 24 {
            return None;
        }
        let lanes = subsets(&sets, count, pawns);
        let row_table = match free {
            0..=TABLED => (0..1_u64 << free).map(|set| sets.rank(set) as u32).collect(),
            _ => Vec::new(),
        };
        let words = lanes.len().div_ceil(64);
        let no_pawn = (0..count)
            .map(|square| {
                let mut mask = vec![0; words];
                for (lane, _) in lanes.iter().enumerate().filter(|(_, set)| *set >> square & 1 == 0) {
                    mask[lane / 64] |= 1 << (lane % 64);
                }
                mask
            })
            .collect();
        Some(Layout {
            squares: count,
            pushers,
            pawns,
            moves: game.moves(),
            all: if count == 64 { u64::MAX } else { (1 << count) - 1 },
            next: (0..count)
                .map(|square| std::array::from_fn(|d| board.neighbour(square as u8, d)))
                .collect(),
            rail: (0..count).map(|square| std::array::from_fn(|d| board.has_rail(square as u8, d))).collect(),
            symmetries: game.square_symmetries().to_vec(),
            free,
            rows: subsets(&sets, free, pushers),
            rows_but_one: subsets(&sets, free, pushers - 1),
            lanes,
            words,
            no_pawn,
            sets,
            row_table,
        })
    }

    /// The row of a set of free squares.
    #[inline]
    pub(crate) fn row(&self, packed: u64) -> usize {
        match self.row_table.get(packed as usize) {
            Some(&row) => row as usize,
            None => self.sets.rank(packed) as usize,
        }
    }

    /// The configurations of one side.
    pub(crate) fn configurations(&self) -> u128 {
        let ways = |squares: usize, count: usize| retrograde_index::binomial(squares as u32, count as u32);
        let pushers = ways(self.squares, self.pushers).unwrap_or(u128::MAX);
        pushers.saturating_mul(ways(self.squares - self.pushers, self.pawns).unwrap_or(u128::MAX))
    }

    /// Sets of pawns once the pushers stand.
    fn pawn_sets(&self) -> u64 {
        retrograde_index::binomial((self.squares - self.pushers) as u32, self.pawns as u32).unwrap_or(0)
            as u64
    }

    pub(crate) fn configuration(&self, side: Side) -> usize {
        let pawns = compress(side.pawns, !side.pushers);
        (self.sets.rank(side.pushers) * self.pawn_sets() + self.sets.rank(pawns)) as usize
    }

    pub(crate) fn side(&self, configuration: usize) -> Option<Side> {
        let pawn_sets = self.pawn_sets();
        let configuration = configuration as u64;
        let pushers = self.sets.unrank(self.pushers as u32, configuration / pawn_sets)?;
        let pawns = self.sets.unrank(self.pawns as u32, configuration % pawn_sets)?;
        Some(Side { pushers, pawns: expand(pawns, self.all & !pushers) })
    }

    /// Words of a configuration's part of a plane of blocks (one anchor) or of records (each anchor).
    pub(crate) fn block_words(&self) -> usize {
        self.rows.len() * self.words
    }

    pub(crate) fn record_words(&self) -> usize {
        self.block_words() * self.pushers
    }

    /// The word and the bit of a position in a plane of records.
    pub(crate) fn in_records(&self, position: &Position) -> (usize, u64) {
        let own = Side { pushers: position.own_pushers, pawns: position.own_pawns };
        let row = self.sets.rank(compress(position.other_pushers, !own.all())) as usize;
        let anchored = (position.other_pushers & (position.anchor - 1)).count_ones() as usize;
        let lane = self.sets.rank(position.other_pawns) as usize;
        let row = self.configuration(own) * self.rows.len() * self.pushers + row * self.pushers + anchored;
        (row * self.words + lane / 64, 1 << (lane % 64))
    }

    /// A set of squares moved one step; those that would leave the board are gone.
    #[inline]
    pub(crate) fn shifted(&self, set: u64, direction: usize) -> u64 {
        squares(set).fold(0, |moved, square| moved | self.next[square][direction].map_or(0, |next| 1 << next))
    }

    /// A set of squares turned or mirrored.
    pub(crate) fn image(&self, symmetry: usize, set: u64) -> u64 {
        squares(set).fold(0, |image, square| image | 1 << self.symmetries[symmetry][square])
    }
}

/// The squares of a set, numbered among those of another.
#[inline]
pub(crate) fn compress(set: u64, among: u64) -> u64 {
    squares(set).fold(0, |packed, square| packed | 1 << (among & ((1 << square) - 1)).count_ones())
}

/// The inverse of [`compress`].
#[inline]
pub(crate) fn expand(packed: u64, among: u64) -> u64 {
    let (mut rest, mut set) = (among, 0);
    let mut at = 0;
    while rest != 0 && packed >> at != 0 {
        if packed >> at & 1 == 1 {
            set |= rest & rest.wrapping_neg();
        }
        rest &= rest - 1;
        at += 1;
        if at == 64 {
            break;
        }
    }
    set
}

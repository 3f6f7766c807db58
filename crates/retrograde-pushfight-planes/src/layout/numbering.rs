//! The board and its pieces as tables: how sets of pushers and pawns are numbered.
//!
//! The pieces of a side are a set of *pushers* and a set of *pawns*. Sets are numbered
//! colexicographically, so that leaving out squares keeps their order. A *lane* is a set of pawns.
//! Lanes have three numberings: over all squares of the board (*global*), over the squares that a
//! given set of pushers leaves free (*local* to it; these are the bits of stored rows), and over
//! the squares that all pieces of one side leave free.

use crate::layout::sets::{compress, expand, squares};

use retrograde_game::Square;
use retrograde_index::Combinations;
use retrograde_pushfight::PushFight;

/// No number.
pub(crate) const NO_LANE: u16 = u16::MAX;
/// The most words that a row may have.
pub(crate) const MAX_WORDS: usize = 32;

/// Does something with the number of words of a board's rows as a constant. Few numbers, as each is compiled.
macro_rules! with_words {
    ($layout:expr, $words:ident => $what:expr) => {
        match $layout.words {
            2 => {
                const $words: usize = 2;
                $what
            }
            4 => {
                const $words: usize = 4;
                $what
            }
            8 => {
                const $words: usize = 8;
                $what
            }
            _ => {
                const $words: usize = crate::layout::numbering::MAX_WORDS;
                $what
            }
        }
    };
}
pub(crate) use with_words;

/// For floods of one piece while the others of its kind stand: where it may be, and the number of the set there.
pub(crate) struct FloodGroup {
    pub fixed: u64,
    pub places: Vec<(u8, u16)>,
}

/// Positions with one set of opposing pushers, one of them anchored, or none before the first push.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SuperblockKey {
    /// The number of the set.
    pub pushers: u32,
    /// A square, or one more than there are for none.
    pub anchor: u8,
}

/// The positions that are worked on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scope {
    /// Every position.
    All,
    /// Every position, and the positions before the first push.
    AllAndStarts,
    /// Only those that can have come from a push, by what stands around the anchor. No turn leads to others.
    Plausible,
    /// Plausible positions, and those before the first push: each side has placed its pieces on its half.
    PlausibleAndStarts,
    /// Only those that no push can have led to.
    Implausible,
}

pub(crate) struct Layout {
    pub squares: usize,
    pub pushers: usize,
    pub pawns: usize,
    pub moves: Option<u32>,
    pub all: u64,
    pub next: Vec<[Option<u8>; 4]>,
    /// Whether the squares are those of the standard board.
    #[cfg(target_arch = "x86_64")]
    pub standard: bool,
    pub rail: Vec<[bool; 4]>,
    /// Squares under each symmetry, the identity first, and the number of its inverse.
    pub symmetries: Vec<Vec<u8>>,
    pub inverse: Vec<usize>,
    pub sets: Combinations,
    /// All sets of pushers.
    pub pusher_sets: Vec<u64>,
    /// Sets of the other side's pushers on the squares that one side's pushers leave, packed.
    pub cells: Vec<u64>,
    /// All sets of pawns.
    pub pawn_sets: Vec<u64>,
    /// Local lanes, and words of a row.
    pub lanes: usize,
    pub words: usize,
    /// For every packed square that pushers leave free, the local lanes without a pawn there.
    pub lanes_without_pawn: Vec<Vec<u64>>,
    /// For every local lane the cells whose pushers stand clear of it: those are the rows of a block.
    pub cells_clear_of: Vec<Vec<u16>>,
    /// Squares that all pieces of one side leave free.
    pub free: usize,
    /// Sets of pushers on those, and of pawns.
    pub rows: Vec<u64>,
    pub pusher_groups: Vec<FloodGroup>,
    pub pawn_groups: Vec<FloodGroup>,
    /// Global lanes of local ones, and back.
    to_global: Vec<u16>,
    to_local: Vec<u16>,
    /// For a direction, a square and a global lane the one with that pawn one step on.
    shift: Vec<u16>,
    /// For a symmetry and a global lane its image, and of pushers.
    lane_image: Vec<u16>,
    pusher_image: Vec<u32>,
    /// For every square the one that stands for it as an anchor, and the symmetry that takes it there.
    pub canonical_anchor: Vec<(u8, usize)>,
    /// The number of squares that an anchor's square stands for.
    pub orbit_size: Vec<u64>,
    /// The stored superblocks, and their numbers by set of pushers and anchor.
    pub superblocks: Vec<SuperblockKey>,
    superblock_of: Vec<u32>,
    pub scope: Scope,
    /// The halves for placing: that of the side that moves first, that of the other.
    pub halves: [u64; 2],
    /// Pairs of opposite neighbours of each square.
    pub opposite_neighbours: Vec<Vec<[usize; 2]>>,
}

fn subsets(sets: &Combinations, squares: usize, count: usize) -> Option<Vec<u64>> {
    let most = u64::try_from(retrograde_index::binomial(squares as u32, count as u32)?).ok()?;
    if most >= u64::from(NO_LANE) {
        return None;
    }
    (0..most).map(|rank| sets.unrank(count as u32, rank)).collect()
}

/// For each set of one square less than `count` the ways to add one.
fn groups(sets: &Combinations, squares: usize, count: usize) -> Option<Vec<FloodGroup>> {
    if count == 0 {
        return Some(Vec::new());
    }
    let add = |fixed: u64| {
        let open = (0..squares).filter(|square| fixed >> square & 1 == 0);
        open.map(|square| (square as u8, sets.rank(fixed | 1 << square) as u16)).collect()
    };
    let fixed = subsets(sets, squares, count - 1)?;
    Some(fixed.into_iter().map(|fixed| FloodGroup { fixed, places: add(fixed) }).collect())
}

impl Layout {
    /// `None` if the board is too large for the tables, or the sides have different pieces.
    pub(crate) fn new(game: &PushFight, scope: Scope) -> Option<Layout> {
        let board = game.board();
        let count = board.square_count();
        let pieces = game.equal_pieces()?;
        let (pushers, pawns) = (pieces.pushers as usize, pieces.pawns as usize);
        let sets = Combinations::new(count as u32).ok()?;
        // A flood keeps a square for what lies outside the board.
        if count > 62 || pushers == 0 || 2 * (pushers + pawns) > count {
            return None;
        }
        let free = count - pushers - pawns;
        let pusher_sets = subsets(&sets, count, pushers)?;
        let pawn_sets = subsets(&sets, count, pawns)?;
        let local = subsets(&sets, count - pushers, pawns)?;
        let cells = subsets(&sets, count - pushers, pushers)?;
        let words = match local.len().div_ceil(64) {
            0..=2 => 2,
            3..=4 => 4,
            5..=8 => 8,
            9..=MAX_WORDS => MAX_WORDS,
            _ => return None,
        };
        let all = (1_u64 << count) - 1;
        let next: Vec<[Option<u8>; 4]> = (0..count)
            .map(|square| {
                std::array::from_fn(|d| board.neighbour(Square(square as u8), d).map(|next| next.0))
            })
            .collect();
        let lanes_without_pawn = (0..count - pushers)
            .map(|square| {
                let mut mask = vec![0_u64; words];
                for (lane, _) in local.iter().enumerate().filter(|(_, set)| *set >> square & 1 == 0) {
                    mask[lane / 64] |= 1 << (lane % 64);
                }
                mask
            })
            .collect();

        let mut to_global = Vec::with_capacity(pusher_sets.len() * local.len());
        let mut to_local = vec![NO_LANE; pusher_sets.len() * pawn_sets.len()];
        for (number, &set) in pusher_sets.iter().enumerate() {
            for (lane, &packed) in local.iter().enumerate() {
                let global = sets.rank(expand(packed, all & !set)) as usize;
                to_global.push(global as u16);
                to_local[number * pawn_sets.len() + global] = lane as u16;
            }
        }
        let mut shift = vec![NO_LANE; 4 * count * pawn_sets.len()];
        for (lane, &set) in pawn_sets.iter().enumerate() {
            for square in squares(set) {
                for (direction, to) in next[square].iter().enumerate() {
                    if let Some(to) = to
                        && set >> to & 1 == 0
                    {
                        shift[(direction * count + square) * pawn_sets.len() + lane] =
                            sets.rank(set & !(1 << square) | 1 << to) as u16;
                    }
                }
            }
        }

        let symmetries: Vec<Vec<u8>> = game
            .square_symmetries()
            .iter()
            .map(|images| images.iter().map(|image| image.0).collect())
            .collect();
        let image = |symmetry: usize, set: u64| {
            squares(set).fold(0, |image, square| image | 1_u64 << symmetries[symmetry][square])
        };
        let lane_image = (0..symmetries.len())
            .flat_map(|symmetry| pawn_sets.iter().map(move |&set| (symmetry, set)))
            .map(|(symmetry, set)| sets.rank(image(symmetry, set)) as u16)
            .collect();
        let pusher_image = (0..symmetries.len())
            .flat_map(|symmetry| pusher_sets.iter().map(move |&set| (symmetry, set)))
            .map(|(symmetry, set)| sets.rank(image(symmetry, set)) as u32)
            .collect();
        let inverse = symmetries
            .iter()
            .map(|one| {
                let undoes = |other: &Vec<u8>| {
                    (0..count).all(|square| usize::from(other[usize::from(one[square])]) == square)
                };
                symmetries.iter().position(undoes)
            })
            .collect::<Option<Vec<usize>>>()?;
        let canonical_anchor: Vec<(u8, usize)> = (0..count)
            .map(|square| {
                let images = symmetries.iter().enumerate().map(|(number, squares)| (squares[square], number));
                images.min().unwrap_or((square as u8, 0))
            })
            .collect();
        let mut orbit_size = vec![0; count + 1];
        canonical_anchor.iter().for_each(|&(square, _)| orbit_size[usize::from(square)] += 1);

        let opposite_neighbours: Vec<Vec<[usize; 2]>> = next
            .iter()
            .map(|next| {
                let pair = |first: usize| Some([usize::from(next[first]?), usize::from(next[first + 2]?)]);
                (0..2).filter_map(pair).collect()
            })
            .collect();
        let mut superblocks = Vec::new();
        let mut superblock_of = vec![u32::MAX; pusher_sets.len() * (count + 1)];
        let halves = board.halves().map(|half| half.0);
        for (number, &set) in pusher_sets.iter().enumerate() {
            for anchor in squares(set | 1 << count) {
                let stored = if anchor == count {
                    matches!(scope, Scope::PlausibleAndStarts | Scope::AllAndStarts) && set & !halves[1] == 0
                } else {
                    usize::from(canonical_anchor[anchor].0) == anchor
                        && (matches!(scope, Scope::All | Scope::AllAndStarts | Scope::Implausible)
                            || !opposite_neighbours[anchor].is_empty())
                };
                if stored {
                    superblock_of[number * (count + 1) + anchor] = superblocks.len() as u32;
                    superblocks.push(SuperblockKey { pushers: number as u32, anchor: anchor as u8 });
                }
            }
        }
        Some(Layout {
            squares: count,
            pushers,
            pawns,
            moves: game.moves(),
            all,
            #[cfg(target_arch = "x86_64")]
            standard: crate::layout::standard_board::is_standard(&next),
            next,
            rail: (0..count)
                .map(|square| std::array::from_fn(|d| board.has_rail(Square(square as u8), d)))
                .collect(),
            inverse,
            pusher_groups: groups(&sets, free, pushers)?,
            pawn_groups: groups(&sets, free, pawns)?,
            rows: subsets(&sets, free, pushers)?,
            lanes: local.len(),
            symmetries,
            cells_clear_of: local
                .iter()
                .map(|pawns| {
                    (0_u16..).zip(&cells).filter(|(_, set)| *set & pawns == 0).map(|(at, _)| at).collect()
                })
                .collect(),
            sets,
            pusher_sets,
            cells,
            pawn_sets,
            words,
            lanes_without_pawn,
            free,
            to_global,
            to_local,
            shift,
            lane_image,
            pusher_image,
            canonical_anchor,
            orbit_size,
            superblocks,
            superblock_of,
            scope,
            halves,
            opposite_neighbours,
        })
    }

    #[inline(always)]
    pub(crate) fn global(&self, pushers: usize, lane: usize) -> usize {
        usize::from(self.to_global[pushers * self.lanes + lane])
    }

    /// The global lanes of all local ones.
    #[inline(always)]
    pub(crate) fn globals(&self, pushers: usize) -> &[u16] {
        &self.to_global[pushers * self.lanes..][..self.lanes]
    }

    /// The local lanes of all global ones.
    #[inline(always)]
    pub(crate) fn locals(&self, pushers: usize) -> &[u16] {
        &self.to_local[pushers * self.pawn_sets.len()..][..self.pawn_sets.len()]
    }

    /// The global lane with a pawn one step on.
    #[inline(always)]
    pub(crate) fn shifted_lane(&self, direction: usize, square: usize, global: usize) -> usize {
        usize::from(self.shift[(direction * self.squares + square) * self.pawn_sets.len() + global])
    }

    #[inline(always)]
    pub(crate) fn lane_images(&self, symmetry: usize) -> &[u16] {
        &self.lane_image[symmetry * self.pawn_sets.len()..][..self.pawn_sets.len()]
    }

    #[inline(always)]
    pub(crate) fn pusher_image(&self, symmetry: usize, pushers: usize) -> usize {
        self.pusher_image[symmetry * self.pusher_sets.len() + pushers] as usize
    }

    /// Whether a superblock is of positions before the first push.
    pub(crate) fn is_start(&self, superblock: usize) -> bool {
        usize::from(self.superblocks[superblock].anchor) == self.squares
    }

    /// The bit of a superblock's anchor; none before the first push.
    pub(crate) fn anchor(&self, superblock: usize) -> u64 {
        self.all & 1 << self.superblocks[superblock].anchor
    }

    /// The number of a superblock, if it is stored; one past the squares as an anchor is none.
    #[inline(always)]
    pub(crate) fn superblock_of(&self, pushers: usize, anchor: usize) -> Option<usize> {
        let number = self.superblock_of[pushers * (self.squares + 1) + anchor];
        (number != u32::MAX).then_some(number as usize)
    }

    /// The number of a set of pushers.
    #[inline(always)]
    pub(crate) fn pushers(&self, set: u64) -> usize {
        self.sets.rank(set) as usize
    }

    /// The number of the cell for a set of the mover's pushers.
    #[inline(always)]
    pub(crate) fn cell(&self, opponent: u64, mover: u64) -> usize {
        self.sets.rank(compress(mover, self.all & !opponent)) as usize
    }

    /// A set of squares moved one step; those that would leave the board are gone.
    #[inline(always)]
    pub(crate) fn shifted(&self, set: u64, direction: usize) -> u64 {
        squares(set).fold(0, |moved, square| moved | self.next[square][direction].map_or(0, |next| 1 << next))
    }

    /// A set of squares turned or mirrored.
    pub(crate) fn image(&self, symmetry: usize, set: u64) -> u64 {
        squares(set).fold(0, |image, square| image | 1 << self.symmetries[symmetry][square])
    }
}

//! The board and its pieces as tables: how sets of pushers and pawns are numbered.
//!
//! The pieces of a side are a set of *pushers* and a set of *pawns*. Sets are numbered
//! colexicographically, so that leaving out squares keeps their order. A *lane* is a set of pawns.
//! Lanes have three numberings: over all squares of the board (*global*), over the squares that a
//! given set of pushers leaves free (*local* to it; these are the bits of stored rows), and over
//! the squares that all pieces of one side leave free.

use retrograde_game::{Game, Square, Squares};
use retrograde_index::Combinations;
use retrograde_pushfight::{Board, PushFight};
use retrograde_solve::SolveError;

use crate::layout::by_mover::MoverGroups;
use crate::layout::flood_groups::FloodGroup;
use crate::layout::lane_numbering::{global_and_local, shifts};
use crate::layout::lanes::{GlobalLane, LaneMap, LocalLane};
use crate::layout::scope::Scope;
use crate::layout::sets::{PackedSquares, compress, subsets};
use crate::layout::sparse::CellShape;
use crate::layout::superblocks::{SuperblockId, SuperblockTable};
use crate::layout::symmetry::SymmetryTables;

/// The most words that a row may have.
pub(crate) const MAX_WORDS: usize = 32;

/// Evaluates an expression with the number of words of a board's rows as a constant. Few numbers are
/// supported, because each is compiled separately.
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

/// A board and its pieces as tables.
pub(crate) struct Layout {
    pub board: Board,
    pub pusher_count: usize,
    pub pawn_count: usize,
    pub moves: Option<u32>,
    /// Whether the squares form the standard board.
    #[cfg(target_arch = "x86_64")]
    pub standard: bool,
    pub symmetries: SymmetryTables,
    pub sets: Combinations,
    /// All sets of pushers.
    pub pusher_sets: Vec<Squares>,
    /// Sets of the other side's pushers on the squares that one side's pushers leave, packed.
    pub cells: Vec<PackedSquares>,
    /// All sets of pawns.
    pub pawn_sets: Vec<Squares>,
    /// Local lanes, and words of a row.
    pub lanes: usize,
    pub words: usize,
    /// For every packed square that pushers leave free, the local lanes without a pawn there.
    pub lanes_without_pawn: Vec<Vec<u64>>,
    /// For every local lane the cells whose pushers are on other squares: these are the rows of a
    /// block.
    pub cells_clear_of: Vec<Vec<u16>>,
    /// Squares that all pieces of one side leave free.
    pub free: usize,
    /// Sets of pushers on these squares.
    pub rows: Vec<PackedSquares>,
    pub pusher_groups: Vec<FloodGroup>,
    pub pawn_groups: Vec<FloodGroup>,
    /// For a set of pushers and a local lane the global one, and back.
    to_global: Vec<GlobalLane>,
    to_local: Vec<LocalLane>,
    /// For a direction, a square and a global lane the one with that pawn one step on.
    shift: Vec<GlobalLane>,
    /// The stored superblocks.
    pub superblocks: SuperblockTable,
    /// The order of positions in files.
    pub groups: MoverGroups,
    pub scope: Scope,
}

/// The number of words of a row, rounded up to one that [`with_words`] compiles; `None` if a row is too
/// long.
fn words_of_row(lanes: usize) -> Option<usize> {
    match lanes.div_ceil(64) {
        0..=2 => Some(2),
        3..=4 => Some(4),
        5..=8 => Some(8),
        9..=MAX_WORDS => Some(MAX_WORDS),
        _ => None,
    }
}

/// For every packed square the local lanes without a pawn there.
fn lanes_without_pawn(local: &[PackedSquares], squares: usize, words: usize) -> Vec<Vec<u64>> {
    let lanes_without = |square: usize| {
        let mut mask = vec![0_u64; words];
        for (lane, _) in local.iter().enumerate().filter(|(_, set)| set.0 >> square & 1 == 0) {
            mask[lane / 64] |= 1 << (lane % 64);
        }
        mask
    };
    (0..squares).map(lanes_without).collect()
}

/// For every local lane the cells whose pushers are on other squares.
fn cells_clear_of(local: &[PackedSquares], cells: &[PackedSquares]) -> Vec<Vec<u16>> {
    let clear_of = |pawns: &PackedSquares| {
        (0_u16..).zip(cells).filter(|(_, set)| set.0 & pawns.0 == 0).map(|(at, _)| at).collect()
    };
    local.iter().map(clear_of).collect()
}

impl Layout {
    /// The cells of every superblock, and the words of their rows.
    pub(crate) fn cell_shape(&self) -> CellShape {
        CellShape { words: self.words, cells: self.cells.len() }
    }

    /// All local lanes as a row.
    pub(crate) fn all_lanes<const W: usize>(&self) -> [u64; W] {
        std::array::from_fn(|word| match self.lanes.saturating_sub(64 * word) {
            0 => 0,
            rest @ 1..64 => (1 << rest) - 1,
            _ => u64::MAX,
        })
    }

    /// [`Layout::new`] with an error if the board is too large.
    pub(crate) fn of_board(game: &PushFight, scope: Scope) -> Result<Layout, SolveError> {
        Layout::new(game, scope).ok_or_else(|| SolveError::TooLarge { count: game.position_count() })
    }

    /// `None` if the board is too large for the tables, or the sides have different pieces.
    pub(crate) fn new(game: &PushFight, scope: Scope) -> Option<Layout> {
        let count = game.board().square_count();
        let pieces = game.equal_pieces()?;
        let (pushers, pawns) = (pieces.pushers as usize, pieces.pawns as usize);
        let sets = Combinations::new(count as u32).ok()?;
        // A flood needs one extra square for everything outside the board.
        if count > 62 || pushers == 0 || 2 * (pushers + pawns) > count {
            return None;
        }
        let free = count - pushers - pawns;
        let sets_of = |squares: usize, count: usize| Some(subsets(&sets, squares, count)?.into_iter());
        let pusher_sets: Vec<Squares> = sets_of(count, pushers)?.map(Squares).collect();
        let pawn_sets: Vec<Squares> = sets_of(count, pawns)?.map(Squares).collect();
        let local: Vec<PackedSquares> = sets_of(count - pushers, pawns)?.map(PackedSquares).collect();
        let cells: Vec<PackedSquares> = sets_of(count - pushers, pushers)?.map(PackedSquares).collect();
        let words = words_of_row(local.len())?;
        let board = game.board().clone();
        let (to_global, to_local) = global_and_local(&board, &sets, &pusher_sets, &pawn_sets, &local);
        let symmetries = SymmetryTables::new(game, &sets, &pusher_sets, &pawn_sets)?;
        let mut layout = Layout {
            pusher_count: pushers,
            pawn_count: pawns,
            moves: game.moves(),
            #[cfg(target_arch = "x86_64")]
            standard: crate::layout::standard_board::is_standard(&board),
            pusher_groups: FloodGroup::all(&sets, free, pushers)?,
            pawn_groups: FloodGroup::all(&sets, free, pawns)?,
            rows: sets_of(free, pushers)?.map(PackedSquares).collect(),
            lanes: local.len(),
            words,
            lanes_without_pawn: lanes_without_pawn(&local, count - pushers, words),
            cells_clear_of: cells_clear_of(&local, &cells),
            free,
            to_global,
            to_local,
            shift: shifts(&board, &sets, &pawn_sets),
            superblocks: SuperblockTable::new(&board, &symmetries, &pusher_sets, scope),
            board,
            symmetries,
            sets,
            pusher_sets,
            cells,
            pawn_sets,
            groups: MoverGroups::default(),
            scope,
        };
        layout.groups = MoverGroups::new(&layout);
        Some(layout)
    }

    /// The global lanes of all local ones.
    #[inline(always)]
    pub(crate) fn globals(&self, pushers: usize) -> LaneMap<'_, LocalLane, GlobalLane> {
        LaneMap::new(&self.to_global[pushers * self.lanes..][..self.lanes])
    }

    /// The local lanes of all global ones.
    #[inline(always)]
    pub(crate) fn locals(&self, pushers: usize) -> LaneMap<'_, GlobalLane, LocalLane> {
        let lanes = self.pawn_sets.len();
        LaneMap::new(&self.to_local[pushers * lanes..][..lanes])
    }

    /// The global lane with a pawn one step on.
    #[inline(always)]
    pub(crate) fn shifted_lane(&self, direction: usize, square: Square, lane: GlobalLane) -> GlobalLane {
        let squares = self.board.square_count();
        self.shift[(direction * squares + square.index()) * self.pawn_sets.len() + lane.index()]
    }

    /// The number of a set of pawns.
    #[inline(always)]
    pub(crate) fn lane(&self, pawns: Squares) -> GlobalLane {
        GlobalLane::new(self.sets.rank(pawns.0) as usize)
    }

    /// The set of pawns of a lane.
    #[inline(always)]
    pub(crate) fn pawns(&self, lane: GlobalLane) -> Squares {
        self.pawn_sets[lane.index()]
    }

    /// The set of pawns of a lane that is local to a set of pushers.
    #[inline(always)]
    pub(crate) fn local_pawns(&self, pushers: usize, lane: LocalLane) -> Squares {
        self.pawns(self.globals(pushers)[lane])
    }

    /// The anchor's square before the first push: one past the last square.
    #[inline(always)]
    pub(crate) fn no_anchor(&self) -> Square {
        Square(self.board.square_count() as u8)
    }

    /// Whether a superblock is of positions before the first push.
    pub(crate) fn is_start(&self, superblock: SuperblockId) -> bool {
        self.superblocks[superblock].anchor == self.no_anchor()
    }

    /// The square of a superblock's anchor; none before the first push.
    pub(crate) fn anchor(&self, superblock: SuperblockId) -> Squares {
        self.board.all() & self.superblocks[superblock].anchor.set()
    }

    /// The number of a superblock, if it is stored. For no anchor, pass [`Layout::no_anchor`].
    #[inline(always)]
    pub(crate) fn superblock_of(&self, pushers: usize, anchor: Square) -> Option<SuperblockId> {
        self.superblocks.number(pushers, anchor)
    }

    /// The number of a set of pushers.
    #[inline(always)]
    pub(crate) fn pushers(&self, set: Squares) -> usize {
        self.sets.rank(set.0) as usize
    }

    /// The number of the cell for a set of the mover's pushers.
    #[inline(always)]
    pub(crate) fn cell(&self, opponent: Squares, mover: Squares) -> usize {
        self.sets.rank(compress(mover, self.board.all() & !opponent).0) as usize
    }
}

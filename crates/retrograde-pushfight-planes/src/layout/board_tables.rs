//! The squares of a board: neighbours, rails, halves.

use retrograde_game::{Square, Squares};
use retrograde_pushfight::Board;

/// The squares of a board.
pub(crate) struct BoardTables {
    pub square_count: usize,
    pub all: Squares,
    /// The neighbour of each square in every direction.
    pub neighbours: Vec<[Option<Square>; 4]>,
    /// Whether there is a rail at a square's edge in a direction.
    rail: Vec<[bool; 4]>,
    /// The halves for placing: of the side that moves first, and of the other side.
    pub halves: [Squares; 2],
    /// Pairs of opposite neighbours of each square.
    opposite_neighbours: Vec<Vec<[Square; 2]>>,
}

impl BoardTables {
    pub(super) fn new(board: &Board) -> BoardTables {
        let square_count = board.square_count();
        let squares = || (0..square_count).map(|square| Square(square as u8));
        let neighbours: Vec<[Option<Square>; 4]> =
            squares().map(|square| std::array::from_fn(|d| board.neighbour(square, d))).collect();
        let opposite_neighbours = neighbours
            .iter()
            .map(|next| {
                let pair = |first: usize| Some([next[first]?, next[first + 2]?]);
                (0..2).filter_map(pair).collect()
            })
            .collect();
        BoardTables {
            square_count,
            all: Squares::below(square_count),
            neighbours,
            rail: squares().map(|square| std::array::from_fn(|d| board.has_rail(square, d))).collect(),
            halves: board.halves(),
            opposite_neighbours,
        }
    }

    /// The neighbour of a square in a direction.
    #[inline(always)]
    pub(crate) fn neighbour(&self, square: Square, direction: usize) -> Option<Square> {
        self.neighbours[square.index()][direction]
    }

    /// The same as a set.
    #[inline(always)]
    pub(crate) fn ahead(&self, square: Square, direction: usize) -> Squares {
        self.neighbour(square, direction).map_or(Squares::EMPTY, Square::set)
    }

    pub(crate) fn has_rail(&self, square: Square, direction: usize) -> bool {
        self.rail[square.index()][direction]
    }

    /// The pairs of opposite neighbours of a square.
    #[inline(always)]
    pub(crate) fn opposite_neighbours(&self, square: Square) -> &[[Square; 2]] {
        &self.opposite_neighbours[square.index()]
    }

    /// The anchor's square before the first push: one past the last square.
    #[inline(always)]
    pub(crate) fn no_anchor(&self) -> Square {
        Square(self.square_count as u8)
    }

    /// A set of squares moved one step; squares that would leave the board are dropped.
    #[inline(always)]
    pub(crate) fn shifted(&self, set: Squares, direction: usize) -> Squares {
        set.into_iter().fold(Squares::EMPTY, |moved, square| moved | self.ahead(square, direction))
    }
}

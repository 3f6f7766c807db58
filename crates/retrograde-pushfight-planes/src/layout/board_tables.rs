//! The squares of a board: neighbours, rails, halves.

use retrograde_game::Square;
use retrograde_pushfight::Board;

/// The squares of a board.
pub(crate) struct BoardTables {
    pub squares: usize,
    pub all: u64,
    /// The neighbour of each square in every direction.
    pub next: Vec<[Option<u8>; 4]>,
    /// Whether there is a rail at a square's edge in a direction.
    pub rail: Vec<[bool; 4]>,
    /// The halves for placing: that of the side that moves first, that of the other.
    pub halves: [u64; 2],
    /// Pairs of opposite neighbours of each square.
    pub opposite_neighbours: Vec<Vec<[usize; 2]>>,
}

impl BoardTables {
    pub(super) fn new(board: &Board) -> BoardTables {
        let squares = board.square_count();
        let next: Vec<[Option<u8>; 4]> = (0..squares)
            .map(|square| {
                std::array::from_fn(|d| board.neighbour(Square(square as u8), d).map(|next| next.0))
            })
            .collect();
        let opposite_neighbours = next
            .iter()
            .map(|next| {
                let pair = |first: usize| Some([usize::from(next[first]?), usize::from(next[first + 2]?)]);
                (0..2).filter_map(pair).collect()
            })
            .collect();
        BoardTables {
            squares,
            all: (1_u64 << squares) - 1,
            next,
            rail: (0..squares)
                .map(|square| std::array::from_fn(|d| board.has_rail(Square(square as u8), d)))
                .collect(),
            halves: board.halves().map(|half| half.0),
            opposite_neighbours,
        }
    }
}

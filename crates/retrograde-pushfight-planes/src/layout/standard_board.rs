//! The squares of the standard board and their neighbours, at compile time.

use retrograde_game::Square;
use retrograde_pushfight::Board;

/// The standard board, from top to bottom.
const BOARD: [&[u8; 8]; 4] = [b"##.....#", b"........", b"........", b"#.....##"];

pub(crate) const SQUARES: usize = 26;

/// No neighbour.
pub(crate) const OFF_BOARD: usize = SQUARES;

/// Squares in the order of their numbers.
pub(crate) const PLACES: [(usize, usize); SQUARES] = {
    let (mut places, mut count, mut at) = ([(0, 0); SQUARES], 0, 0);
    while at < 32 {
        if BOARD[at / 8][at % 8] == b'.' {
            places[count] = (at / 8, at % 8);
            count += 1;
        }
        at += 1;
    }
    places
};

/// The neighbours of each square.
pub(crate) const NEIGHBOURS: [[usize; 4]; SQUARES] = {
    let mut neighbours = [[OFF_BOARD; 4]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let (mut count, mut other) = (0, 0);
        while other < SQUARES {
            let ((row, column), (other_row, other_column)) = (PLACES[square], PLACES[other]);
            if row.abs_diff(other_row) + column.abs_diff(other_column) == 1 {
                neighbours[square][count] = other;
                count += 1;
            }
            other += 1;
        }
        square += 1;
    }
    neighbours
};

/// Whether a board has the squares of the standard board.
pub(crate) fn is_standard(board: &Board) -> bool {
    board.square_count() == SQUARES
        && (0..).map(Square).zip(&NEIGHBOURS).all(|(square, neighbours)| {
            let next = (0..4).filter_map(|direction| board.neighbour(square, direction));
            let mut next: Vec<usize> = next.map(Square::index).collect();
            next.sort_unstable();
            neighbours.iter().copied().filter(|&neighbours| neighbours != OFF_BOARD).eq(next)
        })
}

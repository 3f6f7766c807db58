//! The type [`PushFight`]: a board, the pieces of both sides, the moves per turn, and data derived from them.

use retrograde_game::{Square, Squares};

use crate::PieceCounts;
use crate::board::Board;
use crate::numbering::placements::Placements;
use crate::numbering::ranks::Ranks;
use crate::position::Position;

/// Push Fight on a board.
#[derive(Clone, Debug)]
pub struct PushFight {
    pub(crate) board: Board,
    pub(crate) name: String,
    /// The pieces of the player who begins, and of the other.
    pub(crate) sides: [PieceCounts; 2],
    /// The number of all pieces of both sides.
    pub(crate) piece_count: u32,
    /// The most moves per turn; `None` means any number.
    pub(crate) moves: Option<u32>,
    /// The neighbouring squares of each square.
    pub(crate) neighbours: Vec<Squares>,
    /// The numbering of the positions after a push; `None` if it needs more than 64 bits.
    pub(crate) ranks: Option<Ranks>,
    pub(crate) permutations: u128,
    pub(crate) symmetries: Vec<Vec<Square>>,
    /// The position that the board was drawn with, or the empty board.
    pub(crate) start: Position,
    /// The placements on each half.
    pub(crate) placements: [Placements; 2],
}

/// Positions with all pieces placed and no push yet are numbered if there are at most this many.
const MAX_NUMBERED_STARTS: u64 = 1 << 24;

impl PushFight {
    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The pieces of the player who begins, and of the other.
    pub fn sides(&self) -> [PieceCounts; 2] {
        self.sides
    }

    /// The pieces of each side if both have the same; otherwise `None`.
    pub fn equal_pieces(&self) -> Option<PieceCounts> {
        let [first, second] = self.sides;
        (first == second).then_some(first)
    }

    /// The complete pieces of the opponent of a side with these pieces; `None` if neither side has them.
    pub(crate) fn opposing(&self, pieces: PieceCounts) -> Option<PieceCounts> {
        let [first, second] = self.sides;
        if pieces == second { Some(first) } else { (pieces == first).then_some(second) }
    }

    /// The pieces of the side to move and of the other, for each player who may be to move; only
    /// once if both have the same.
    pub(crate) fn movers(&self) -> impl Iterator<Item = [PieceCounts; 2]> {
        let [first, second] = self.sides;
        [[first, second], [second, first]].into_iter().take(if first == second { 1 } else { 2 })
    }

    /// The most moves per turn; `None` means any number.
    pub fn moves(&self) -> Option<u32> {
        self.moves
    }

    /// The symmetries of the board, identity first: the image of every square.
    pub fn square_symmetries(&self) -> &[Vec<Square>] {
        &self.symmetries
    }

    /// The drawing of the board, as in a board file.
    pub fn board_drawing(&self) -> String {
        self.board.drawing("").to_string()
    }

    /// Whether positions have 64-bit indices.
    pub fn has_numbering(&self) -> bool {
        self.ranks.is_some()
    }

    /// The number of positions in which both sides have placed their pieces and there was no push;
    /// 0 if they are not listed.
    pub(crate) fn starts(&self) -> u64 {
        self.placements[0].len() * self.placements[1].len()
    }

    /// The first index after the permutations; `None` if positions before the first push have no indices.
    pub(crate) fn first_start(&self) -> Option<u64> {
        let numbered = self.starts() > 0 && self.starts() <= MAX_NUMBERED_STARTS;
        u64::try_from(self.permutations).ok().filter(|_| numbered)
    }

    /// The side to move, if no piece is missing: 0 is the player who begins, 1 the other. Always 0
    /// if both sides have the same pieces.
    pub(crate) fn mover(&self, position: &Position) -> Option<usize> {
        let (own, other) = (position.own().counts(), position.other().counts());
        let [first, second] = self.sides;
        if own == first && other == second {
            return Some(0);
        }
        (own == second && other == first).then_some(1)
    }
}

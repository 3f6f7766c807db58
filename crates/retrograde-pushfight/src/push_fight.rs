//! The type [`PushFight`]: a board, the pieces of both sides, the moves of a turn, and all that is
//! computed from them once.

use retrograde_game::{Square, Squares};
use retrograde_index::Multiset;

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
    /// The pieces of the player who begins, and those of the other.
    pub(crate) sides: [PieceCounts; 2],
    /// The number of all pieces of both sides.
    pub(crate) piece_count: u32,
    /// Moves a turn; `None`: any number.
    pub(crate) moves: Option<u32>,
    /// The squares beside each square.
    pub(crate) neighbours: Vec<Squares>,
    /// The numbering of the positions after a push; `None` if there are more than 64 bits can number.
    pub(crate) ranks: Option<Ranks>,
    pub(crate) permutations: u128,
    pub(crate) symmetries: Vec<Vec<Square>>,
    /// The position that the board was drawn with; the empty board if it had no pieces.
    pub(crate) start: Position,
    /// The placements on each half.
    pub(crate) placements: [Placements; 2],
}

/// The most positions with all pieces placed and no push yet that are numbered.
const MAX_NUMBERED_STARTS: u64 = 1 << 24;

impl PushFight {
    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The pieces of the player who begins, and those of the other.
    pub fn sides(&self) -> [PieceCounts; 2] {
        self.sides
    }

    /// The pieces of each side; `None` where the sides have different pieces.
    pub fn equal_pieces(&self) -> Option<PieceCounts> {
        let [first, second] = self.sides;
        (first == second).then_some(first)
    }

    /// The pieces of the opponent of a side with these when none is ejected; `None` if no side has
    /// these.
    pub(crate) fn opposing(&self, pieces: PieceCounts) -> Option<PieceCounts> {
        let [first, second] = self.sides;
        if pieces == second { Some(first) } else { (pieces == first).then_some(second) }
    }

    /// The pieces of the side to move and those of the other, for each player who may be on move;
    /// once where both have the same.
    pub(crate) fn movers(&self) -> impl Iterator<Item = [PieceCounts; 2]> {
        let [first, second] = self.sides;
        [[first, second], [second, first]].into_iter().take(if first == second { 1 } else { 2 })
    }

    /// Moves of a turn at the most; `None`: any number.
    pub fn moves(&self) -> Option<u32> {
        self.moves
    }

    /// The symmetries of the board, the identity first: for each the image of every square.
    pub fn square_symmetries(&self) -> &[Vec<Square>] {
        &self.symmetries
    }

    /// The board, drawn as a board file has it.
    pub fn board_drawing(&self) -> String {
        self.board.drawing("").to_string()
    }

    /// Whether positions have indices of 64 bits.
    pub fn has_numbering(&self) -> bool {
        self.ranks.is_some()
    }

    /// The number of positions in which both sides have placed their pieces and nobody has pushed;
    /// 0 where they are not listed.
    pub(crate) fn starts(&self) -> u64 {
        self.placements[0].len() * self.placements[1].len()
    }

    /// The first index past the permutations; `None` if positions before the first push have no
    /// indices.
    pub(crate) fn first_start(&self) -> Option<u64> {
        let numbered = self.starts() > 0 && self.starts() <= MAX_NUMBERED_STARTS;
        u64::try_from(self.permutations).ok().filter(|_| numbered)
    }

    /// The number of positions with an index in which both sides have placed their pieces and
    /// nobody has pushed: all of them, and then they are the first of the prelude, or none.
    pub fn numbered_starts(&self) -> u64 {
        self.first_start().map_or(0, |_| self.starts())
    }

    /// The side to move, if no piece is missing: 0 the player who begins, or 1; always 0 where both
    /// sides have the same pieces.
    pub(crate) fn mover(&self, position: &Position) -> Option<usize> {
        let (own, other) = (position.own().counts(), position.other().counts());
        let [first, second] = self.sides;
        if own == first && other == second {
            return Some(0);
        }
        (own == second && other == first).then_some(1)
    }

    /// The numbering of the positions in which a side is to move, and the index at which they
    /// begin.
    pub(crate) fn ranks_of(&self, mover: usize) -> Option<(u64, &Multiset)> {
        self.ranks.as_ref()?.of(mover)
    }
}

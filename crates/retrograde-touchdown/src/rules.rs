//! The rules: legal positions, turns, and the end of the game.

use std::sync::{Arc, OnceLock};

use retrograde_game::{Flow, GameSpec, Square, Squares, TextError};

use crate::board::{Board, Position, Turn};
use crate::numbering::Numbering;

/// TouchDown on a board of any size up to 64 squares.
///
/// Both sides begin with a full row of pawns. A pawn goes straight forward to an empty square or
/// captures diagonally forward. A player who reaches the opponent's back row has won. A player
/// without a turn, or without a pawn, has lost.
///
/// A position is *legal* if each side has at most as many pawns as there are columns, the opponent
/// has at least one (having just moved it), and none of the mover's pawns is on the opponent's back
/// row (which would have ended the game).
#[derive(Clone, Debug)]
pub struct TouchDown {
    pub(crate) board: Board,
    /// Built on first use; contains `None` if the board is too large to number.
    numbering: Arc<OnceLock<Option<Numbering>>>,
}

impl TouchDown {
    /// Creates the game on a board of `columns` × `rows` squares.
    ///
    /// # Errors
    /// If there is no column, fewer than two rows, or more than 64 squares.
    pub fn new(columns: u32, rows: u32) -> Result<TouchDown, TextError> {
        Ok(TouchDown { board: Board::new(columns, rows)?, numbering: Arc::default() })
    }

    /// Creates the game of a name such as `touchdown:6x4`. The default board has 4 × 4 squares.
    ///
    /// # Errors
    /// If the size is not `WxH` or not playable, or if the name has options.
    pub fn from_spec(spec: GameSpec) -> Result<TouchDown, TextError> {
        let (columns, rows) = spec.grid((4, 4), 64)?;
        let game = TouchDown::new(columns, rows).map_err(|error| spec.error(error.reason()))?;
        spec.finish(&[])?;
        Ok(game)
    }

    /// The number of columns, which is also the number of pawns that a side begins with.
    pub fn columns(&self) -> u32 {
        self.board.columns
    }

    /// The number of rows.
    pub fn rows(&self) -> u32 {
        self.board.rows
    }

    /// The size of the board, one field per line, for programs that know no names.
    pub fn rules_text(&self) -> String {
        format!("rules = touchdown\ncolumns = {}\nrows = {}\n", self.board.columns, self.board.rows)
    }

    /// The position with these pawns (square `row × columns + column`, row 0 at the top), if it is legal.
    pub fn place(&self, own: Squares, other: Squares) -> Option<Position> {
        self.fault(own, other).is_none().then_some(Position { own, other })
    }

    /// The reason why these pawns are not a legal position, if they are not.
    pub(crate) fn fault(&self, own: Squares, other: Squares) -> Option<String> {
        let most = self.board.columns;
        for (letter, pawns) in [('X', own.len()), ('O', other.len())] {
            if pawns > most {
                return Some(format!("{pawns} pawns `{letter}`, but at most {most} are possible"));
            }
        }
        if own.intersects(other) || (own | other).intersects(!self.board.all) {
            return Some("two pawns on one square, or a pawn outside the board".to_owned());
        }
        if own.intersects(self.board.top) {
            return Some("a pawn `X` on its last row has already won, so `X` cannot be to move".to_owned());
        }
        other.is_empty().then(|| "`O` has just moved, so it needs at least one pawn".to_owned())
    }

    pub(crate) fn over(&self, position: Position) -> bool {
        position.own.is_empty() || position.other.intersects(self.board.bottom)
    }

    pub(crate) fn numbering(&self) -> Option<&Numbering> {
        self.numbering.get_or_init(|| Numbering::new(self.board.columns, self.board.rows)).as_ref()
    }

    /// Visits all turns with the positions they lead to. The game must not be over.
    #[inline(always)]
    pub(crate) fn each_turn(
        &self,
        position: Position,
        mut visit: impl FnMut(Turn, Position) -> Flow,
    ) -> Flow {
        let columns = self.board.columns as u8;
        let Position { own, other } = position;
        let targets = self.board.targets(position);
        let kinds =
            [(targets.steps, columns), (targets.to_left, columns + 1), (targets.to_right, columns - 1)];
        for (targets, down) in kinds {
            for to in targets {
                let turn = Turn { from: Square(to.0 + down), to };
                let next = self.board.swap(own ^ turn.from.set() ^ to.set(), other.without(to));
                visit(turn, next)?;
            }
        }
        Flow::Continue(())
    }
}

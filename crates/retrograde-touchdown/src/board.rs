//! Squares, positions and turns as bits, numbered as in a [`Grid`].

use retrograde_game::{Grid, Mark, Square, SquareSets, SquareTurn, Squares, TextError};

/// The pawns of both sides, seen by the side to move, which moves up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    pub(crate) own: Squares,
    pub(crate) other: Squares,
}

impl Position {
    /// The pawns of the side to move (`X`): square `row × columns + column`, row 0 at the top.
    pub fn own(&self) -> Squares {
        self.own
    }

    /// The opponent's pawns (`O`), numbered like [`Position::own`].
    pub fn other(&self) -> Squares {
        self.other
    }
}

impl SquareSets<2> for Position {
    fn sets(&self) -> [Squares; 2] {
        [self.own, self.other]
    }
    fn of_sets([own, other]: [Squares; 2]) -> Position {
        Position { own, other }
    }
}

/// A pawn steps to an empty square or captures on an occupied one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Turn {
    /// The pawn's square before the turn.
    pub from: Square,
    /// The pawn's square after the turn, one row above.
    pub to: Square,
}

impl SquareTurn for Turn {
    fn marks(&self, grid: Grid) -> Vec<Mark> {
        (self.from, self.to).marks(grid)
    }
    fn mapped(&self, to: &dyn Fn(Square) -> Square) -> Turn {
        Turn { from: to(self.from), to: to(self.to) }
    }
}

/// The sets of squares that the rules need, for one board size.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub grid: Grid,
    pub columns: u32,
    pub rows: u32,
    pub all: Squares,
    pub top: Squares,
    pub bottom: Squares,
    /// For each bit of a row number, the squares in rows whose number has this bit.
    pub row_bits: Vec<Squares>,
    not_left: Squares,
    not_right: Squares,
}

/// The squares that the side to move can reach, by kind of turn.
pub(crate) struct Targets {
    pub steps: Squares,
    /// Captures by a pawn in the column to the right of the square.
    pub to_left: Squares,
    /// Captures by a pawn in the column to the left of the square.
    pub to_right: Squares,
}

impl Board {
    pub fn new(columns: u32, rows: u32) -> Result<Board, TextError> {
        let grid = Grid::new(columns, rows)?;
        if rows < 2 {
            return Err(TextError::impossible("board", &grid.to_string(), "a board needs at least two rows"));
        }
        let (all, top, bottom) = (grid.all(), grid.top(), grid.bottom());
        let (not_left, not_right) = (!grid.column(0), !grid.column(columns - 1));
        let row_bits = (0..u32::BITS - (rows - 1).leading_zeros()).map(|bit| {
            let rows = (0..rows).filter(|row| row >> bit & 1 == 1);
            rows.fold(Squares::EMPTY, |squares, row| squares | grid.row(row))
        });
        let row_bits = row_bits.collect();
        Ok(Board { grid, row_bits, columns, rows, all, top, bottom, not_left, not_right })
    }

    /// The same position from the other side's point of view.
    pub fn swap(&self, own: Squares, other: Squares) -> Position {
        Position { own: self.grid.half_turn(other), other: self.grid.half_turn(own) }
    }

    pub fn targets(&self, position: Position) -> Targets {
        let Position { own, other } = position;
        Targets {
            steps: (own >> self.columns) & !(own | other),
            to_left: ((own & self.not_left) >> (self.columns + 1)) & other,
            to_right: ((own & self.not_right) >> (self.columns - 1)) & other,
        }
    }

    /// The squares from which a pawn can capture on a square, in the row below it.
    pub fn captors(&self, to: Square) -> Squares {
        let bit = to.set();
        let right = (bit & self.not_right) << (self.columns + 1);
        let left = (bit & self.not_left) << (self.columns - 1);
        (right | left) & self.all
    }
}

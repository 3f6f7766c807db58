//! Cells of the grid, their places, and the four directions.

/// The content of a cell of the grid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Cell {
    /// Not a square of the board; a piece pushed there leaves the board.
    Void,
    /// An empty square.
    Empty,
    /// A white pawn.
    WhitePawn,
    /// A white king without the anchor.
    WhiteKing,
    /// A white king with the anchor.
    WhiteAnchored,
    /// A black pawn.
    BlackPawn,
    /// A black king without the anchor.
    BlackKing,
    /// A black king with the anchor.
    BlackAnchored,
}

impl Cell {
    /// Whether there is a piece.
    #[must_use]
    pub fn is_piece(self) -> bool {
        !matches!(self, Cell::Void | Cell::Empty)
    }

    /// Whether there is a white piece.
    #[must_use]
    pub fn is_white(self) -> bool {
        matches!(self, Cell::WhitePawn | Cell::WhiteKing | Cell::WhiteAnchored)
    }

    /// Whether there is a black piece.
    #[must_use]
    pub fn is_black(self) -> bool {
        self.is_piece() && !self.is_white()
    }

    /// Whether the piece has the anchor, so that no push can move it.
    #[must_use]
    pub fn is_anchored(self) -> bool {
        matches!(self, Cell::WhiteAnchored | Cell::BlackAnchored)
    }

    /// Whether the piece is a king, which can push.
    #[must_use]
    pub fn is_king(self) -> bool {
        self.is_anchored() || matches!(self, Cell::WhiteKing | Cell::BlackKing)
    }

    /// The same piece with or without the anchor. Cells other than kings stay the same.
    pub(crate) fn with_anchor(self, anchored: bool) -> Cell {
        match (self, anchored) {
            (Cell::WhiteKing | Cell::WhiteAnchored, true) => Cell::WhiteAnchored,
            (Cell::WhiteKing | Cell::WhiteAnchored, false) => Cell::WhiteKing,
            (Cell::BlackKing | Cell::BlackAnchored, true) => Cell::BlackAnchored,
            (Cell::BlackKing | Cell::BlackAnchored, false) => Cell::BlackKing,
            (other, _) => other,
        }
    }
}

/// A direction in the drawing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Direction {
    /// Up.
    North,
    /// To the right.
    East,
    /// Down.
    South,
    /// To the left.
    West,
}

impl Direction {
    /// All four, clockwise from north.
    pub const ALL: [Direction; 4] = [Direction::North, Direction::East, Direction::South, Direction::West];

    /// The opposite direction.
    #[must_use]
    pub fn opposite(self) -> Direction {
        match self {
            Direction::North => Direction::South,
            Direction::East => Direction::West,
            Direction::South => Direction::North,
            Direction::West => Direction::East,
        }
    }
}

/// A cell of the grid: its row from the top and its column from the left, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The row, from the top.
    pub row: usize,
    /// The column, from the left.
    pub column: usize,
}

impl Place {
    /// A place by row and column.
    #[must_use]
    pub const fn new(row: usize, column: usize) -> Place {
        Place { row, column }
    }

    /// The neighbouring place; `None` if a coordinate would be negative.
    #[must_use]
    pub fn step(self, direction: Direction) -> Option<Place> {
        let Place { row, column } = self;
        Some(match direction {
            Direction::North => Place::new(row.checked_sub(1)?, column),
            Direction::East => Place::new(row, column + 1),
            Direction::South => Place::new(row + 1, column),
            Direction::West => Place::new(row, column.checked_sub(1)?),
        })
    }
}

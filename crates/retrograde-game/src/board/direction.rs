//! The directions and symmetries of a board.

use Direction::{Down, DownLeft, DownRight, Left, Right, Up, UpLeft, UpRight};

/// A direction to a neighbour, as the side to move sees the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// To the row above.
    Up,
    /// To the column on the right.
    Right,
    /// To the row below.
    Down,
    /// To the column on the left.
    Left,
    /// Diagonally.
    UpRight,
    /// Diagonally.
    DownRight,
    /// Diagonally.
    DownLeft,
    /// Diagonally.
    UpLeft,
}

impl Direction {
    /// The directions along rows and columns.
    pub const STRAIGHT: [Direction; 4] = [Up, Right, Down, Left];
    /// All eight directions.
    pub const ALL: [Direction; 8] = [Up, Right, Down, Left, UpRight, DownRight, DownLeft, UpLeft];
    /// One of each pair of opposite directions, so that every line is counted once.
    pub(super) const OF_LINES: [Direction; 4] = [Right, Down, DownRight, DownLeft];

    /// The opposite direction.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Direction {
        match self {
            Up => Down,
            Right => Left,
            Down => Up,
            Left => Right,
            UpRight => DownLeft,
            DownRight => UpLeft,
            DownLeft => UpRight,
            UpLeft => DownRight,
        }
    }
}

/// A rotation or reflection of the board. Exchanging columns and rows is a symmetry of square boards only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symmetry {
    /// Leaves everything in place.
    Identity,
    /// Exchanges left and right.
    Mirror,
    /// Exchanges top and bottom.
    Flip,
    /// Rotates by 180 degrees.
    HalfTurn,
    /// Reflects in the diagonal through `a1`.
    Diagonal,
    /// Reflects in the other diagonal, through the upper left corner.
    Antidiagonal,
    /// Rotates by 90 degrees clockwise.
    QuarterTurn,
    /// Rotates by 90 degrees counterclockwise.
    ThreeQuarterTurn,
}

impl Symmetry {
    /// All symmetries of a square board. The first four are symmetries of every board.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::Identity,
        Symmetry::Mirror,
        Symmetry::Flip,
        Symmetry::HalfTurn,
        Symmetry::Diagonal,
        Symmetry::Antidiagonal,
        Symmetry::QuarterTurn,
        Symmetry::ThreeQuarterTurn,
    ];
}

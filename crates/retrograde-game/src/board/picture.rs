//! Pictures of positions: a grid of squares with pieces, rails, and marks for a turn.
//!
//! Games describe a picture ([`Show`](crate::Show)); the terminal, SVG and the browser each draw it in their own
//! way. A picture is always the *first player's* view, so that the board keeps one orientation
//! throughout a game, and [`Seat`] says who is to move. Everywhere else positions are seen by the
//! side to move.

use crate::values::Seat;

/// A square of the grid, counted from the upper left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GridSquare {
    /// The number of columns to its left.
    pub column: u16,
    /// The number of rows above it.
    pub row: u16,
}

/// The shape of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PieceShape {
    /// A disc.
    Round,
    /// A square with rounded corners.
    Square,
    /// The outline of a chess pawn. It points up for the first player and down for the second.
    Pawn,
    /// A filled square, as with a pencil.
    Cross,
}

/// A piece on a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// The shape.
    pub shape: PieceShape,
    /// The owner; `None` for a piece without an owner, such as a filled square in Tactics.
    pub owner: Option<Seat>,
    /// Whether it has the anchor.
    pub anchored: bool,
    /// The letter that shows it in the terminal, in the first player's view.
    pub letter: char,
}

impl Piece {
    /// A filled square without an owner, `X`.
    pub const FILLED: Piece = Piece { shape: PieceShape::Cross, owner: None, anchored: false, letter: 'X' };

    /// A piece of a player.
    #[must_use]
    pub fn new(shape: PieceShape, owner: Seat, letter: char) -> Piece {
        Piece { shape, owner: Some(owner), anchored: false, letter }
    }

    /// The first player's piece `X` and the second player's `O`, both of one shape.
    #[must_use]
    pub fn sides(shape: PieceShape) -> [Piece; 2] {
        [Piece::new(shape, Seat::First, 'X'), Piece::new(shape, Seat::Second, 'O')]
    }
}

/// A side of a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Edge {
    /// Above.
    Top,
    /// To the right.
    Right,
    /// Below.
    Bottom,
    /// To the left.
    Left,
}

/// A rail along one side of a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rail {
    /// The square.
    pub place: GridSquare,
    /// The side of the square.
    pub side: Edge,
}

/// A board and its pieces, as the first player sees them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// The number of columns.
    pub columns: u16,
    /// The number of rows.
    pub rows: u16,
    /// `rows` × `columns` entries, top row first: `None` where the board has no square, otherwise
    /// the square and its piece.
    pub squares: Vec<Option<Option<Piece>>>,
    /// Edges over which pieces cannot fall.
    pub rails: Vec<Rail>,
    /// The pieces that have left the board, drawn next to it.
    pub off_board: Vec<Piece>,
    /// The player to move.
    pub to_move: Seat,
}

impl Picture {
    /// An empty grid of squares.
    pub fn grid(columns: u16, rows: u16, to_move: Seat) -> Picture {
        let squares = vec![Some(None); usize::from(columns) * usize::from(rows)];
        Picture { columns, rows, squares, rails: Vec::new(), off_board: Vec::new(), to_move }
    }

    /// The square at a place; `None` if the board has no square there.
    pub fn at(&self, place: GridSquare) -> Option<Option<Piece>> {
        if place.column >= self.columns || place.row >= self.rows {
            return None;
        }
        self.squares[usize::from(place.row) * usize::from(self.columns) + usize::from(place.column)]
    }

    /// The places of the grid, row by row from the top.
    pub fn places(&self) -> impl Iterator<Item = GridSquare> + use<> {
        let columns = self.columns;
        (0..self.rows).flat_map(move |row| (0..columns).map(move |column| GridSquare { column, row }))
    }

    /// Puts a piece on a square, or clears it. Adds the square to the board if necessary.
    ///
    /// # Panics
    /// If the place is outside the grid.
    pub fn put(&mut self, place: GridSquare, piece: Option<Piece>) {
        assert!(place.column < self.columns && place.row < self.rows, "{place:?} is outside the grid");
        self.squares[usize::from(place.row) * usize::from(self.columns) + usize::from(place.column)] =
            Some(piece);
    }

    /// The label of a column: a, b, … z, aa, ab, …
    pub fn column_label(column: u16) -> String {
        let mut label = String::new();
        let mut rest = u32::from(column) + 1;
        while rest > 0 {
            label.insert(0, char::from(b'a' + ((rest - 1) % 26) as u8));
            rest = (rest - 1) / 26;
        }
        label
    }

    /// The label of a row: 1 is the lowest.
    pub fn row_label(&self, row: u16) -> String {
        (self.rows - row).to_string()
    }

    /// The name of a place: `a1` is the lower left.
    pub fn name(&self, place: GridSquare) -> String {
        Picture::column_label(place.column) + &self.row_label(place.row)
    }

    /// The squares of the board that a text names, in order: `a2` and `b1` for `O:a2,b1`, `d7`, `g7` and
    /// `b2` for `d7-g7xb2`.
    pub fn squares_named<'a>(&self, text: &'a str) -> Vec<&'a str> {
        let mut squares = Vec::new();
        let mut rest = text;
        while let Some(begin) = rest.find(|c: char| c.is_ascii_lowercase()) {
            rest = &rest[begin..];
            let letters = rest.bytes().take_while(u8::is_ascii_lowercase).count();
            let digits = rest.bytes().skip(letters).take_while(u8::is_ascii_digit).count();
            let (label, after) = rest.split_at(letters + digits);
            // Letters that are not part of a name may come before it.
            squares.extend((0..letters).map(|at| &label[at..]).find(|name| self.has_square(name)));
            rest = after;
        }
        squares
    }

    /// Whether the board has a square of this name.
    fn has_square(&self, name: &str) -> bool {
        self.places().any(|place| self.at(place).is_some() && self.name(place) == name)
    }
}

/// Something drawn over a picture to show a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    /// A piece moves from one square to another, empty square.
    Move(GridSquare, GridSquare),
    /// A piece moves from one square to another and pushes or captures the piece there.
    Push(GridSquare, GridSquare),
    /// Squares are filled, or a piece is placed on each.
    Fill(Vec<GridSquare>),
}

/// How a piece moves in a step of a turn. Marks show a turn as a still picture; motions animate it.
/// All motions of a step happen together, except that the anchor moves when the pieces have
/// stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Motion {
    /// A piece slides from one square to another, straight or along the squares between.
    Slide {
        /// The square it leaves.
        from: GridSquare,
        /// The squares it passes if the path is not straight; otherwise empty.
        via: Vec<GridSquare>,
        /// The square it reaches.
        to: GridSquare,
    },
    /// A piece leaves the board.
    Leave {
        /// The square it leaves.
        from: GridSquare,
        /// The edge it falls over; `None` if it is removed where it is.
        toward: Option<Edge>,
    },
    /// A piece is put on the board, or a square is filled.
    Appear {
        /// The square.
        to: GridSquare,
        /// The piece.
        piece: Piece,
    },
    /// The anchor moves to another piece.
    Anchor {
        /// The piece that had it, if any.
        from: Option<GridSquare>,
        /// The square of the piece that gets it, after the step.
        to: GridSquare,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_after_z_have_two_letters() {
        assert_eq!(Picture::column_label(0), "a");
        assert_eq!(Picture::column_label(25), "z");
        assert_eq!(Picture::column_label(26), "aa");
        assert_eq!(Picture::column_label(26 + 26 * 26), "aaa");
    }

    #[test]
    fn squares_are_found_in_the_texts_of_turns() {
        let mut picture = Picture::grid(30, 14, Seat::First);
        assert_eq!(picture.squares_named("a1a2"), ["a1", "a2"]);
        assert_eq!(picture.squares_named("d1-a2,c3-aa14"), ["d1", "a2", "c3", "aa14"]);
        assert_eq!(picture.squares_named("O:a2,b1 o:b3"), ["a2", "b1", "b3"]);
        assert_eq!(picture.squares_named("pass ß 12 Ö1 a15 a01"), Vec::<&str>::new());
        // A letter between two squares belongs to no name.
        assert_eq!(picture.squares_named("d7-g7xb2"), ["d7", "g7", "b2"]);
        picture.squares.fill(None);
        assert_eq!(picture.squares_named("a1a2"), Vec::<&str>::new());
    }
}

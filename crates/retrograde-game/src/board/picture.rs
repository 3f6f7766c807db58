//! Pictures of positions: a grid of squares with pieces, rails, and marks for a turn.
//!
//! Games describe a picture ([`Show`]); the terminal, SVG and the browser each draw it in their own
//! way. A picture is always the *first player's* view, so that the board keeps one orientation
//! throughout a game, and [`Seat`] says who is to move. Everywhere else positions are seen by the
//! side to move.

use super::guide::Guide;
use crate::rules::{Game, Seat};
use crate::text::TextError;

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

    /// The squares that a text names, in order: `a2` and `b1` for `O:a2,b1`.
    pub fn squares_named(text: &str) -> Vec<&str> {
        let mut squares = Vec::new();
        let mut rest = text;
        while let Some(begin) = rest.find(|c: char| c.is_ascii_lowercase()) {
            rest = &rest[begin..];
            let letters = rest.bytes().take_while(u8::is_ascii_lowercase).count();
            let digits = rest.bytes().skip(letters).take_while(u8::is_ascii_digit).count();
            let (label, after) = rest.split_at(letters + digits);
            if digits > 0 {
                squares.push(label);
            }
            rest = after;
        }
        squares
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

/// A game whose positions can be drawn.
///
/// Everything is shown as the first player sees it; `to_move` says which player is to move.
pub trait Show: Game {
    /// The position as the first player sees it.
    fn picture(&self, position: &Self::Position, to_move: Seat) -> Picture;

    /// The marks that show a turn, drawn over the picture of a position.
    fn marks(&self, position: &Self::Position, turn: &Self::Turn, to_move: Seat) -> Vec<Mark>;

    /// The motions of the pieces in a turn, step by step; those in one list happen together. Played
    /// on the picture of the position ([`Picture::play`]), they give the picture after the turn. By
    /// default they are derived from the marks: a piece moves straight, the piece it lands on is
    /// removed, and filled squares appear.
    fn motions(&self, position: &Self::Position, turn: &Self::Turn, to_move: Seat) -> Vec<Vec<Motion>> {
        let after = self.play(position, turn);
        let after = self.picture(&after, self.mover_after(to_move, &after));
        self.picture(position, to_move).motions_to(&after, &self.marks(position, turn, to_move))
    }

    /// The position as the first player sees it: with this player's pieces as those of the side to move, and
    /// in this player's orientation. By default both players see the same.
    fn first_view(&self, position: &Self::Position, _to_move: Seat) -> Self::Position {
        position.clone()
    }

    /// A turn as the first player sees it. By default both players see the same.
    fn first_view_of_turn(&self, turn: &Self::Turn, _to_move: Seat) -> Self::Turn {
        turn.clone()
    }

    /// The position's text as the first player sees it, with the letters of the first player's
    /// side. By default the text of [`Show::first_view`].
    fn board_text(&self, position: &Self::Position, to_move: Seat) -> String {
        self.position_text(&self.first_view(position, to_move))
    }

    /// A turn in the coordinates of the first player's view. By default the text of
    /// [`Show::first_view_of_turn`].
    fn turn_on_board(&self, position: &Self::Position, turn: &Self::Turn, to_move: Seat) -> String {
        self.turn_text(position, &self.first_view_of_turn(turn, to_move))
    }

    /// The pieces that a position can be set up with, first player's pieces first.
    fn palette(&self) -> Vec<Piece> {
        Vec::new()
    }

    /// The name of a piece in this game, such as "pawn". By default derived from the shape.
    fn piece_name(&self, piece: Piece) -> &'static str {
        match piece.shape {
            PieceShape::Round => "disc",
            PieceShape::Square => "block",
            PieceShape::Pawn => "pawn",
            PieceShape::Cross => "filled",
        }
    }

    /// The pieces that the side to move places as one turn in this position, each with its number,
    /// in the order of the squares in the turn's text. Empty where pieces move.
    fn pieces_to_place(&self, _position: &Self::Position, _to_move: Seat) -> Vec<(Piece, usize)> {
        Vec::new()
    }

    /// The reason, as a sentence, why the squares `touched` one after the other neither are nor
    /// begin a step of a turn after the steps `prefix`. `None` if they do, and by default. Squares
    /// are named as the first player sees them.
    fn refusal(
        &self,
        _position: &Self::Position,
        _to_move: Seat,
        _prefix: &[String],
        _squares: &[&str],
    ) -> Option<String> {
        None
    }

    /// The rules in a few sentences, with example turns. Empty by default.
    fn guide(&self) -> Guide {
        Guide::default()
    }

    /// The names of the planes of [`Show::planes`], such as "own pawns". A plane has one 0/1 value
    /// per square of the grid, seen by the side to move, as input for neural networks. Empty if the
    /// game has no planes.
    fn plane_names(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// The number of rows and columns of a plane.
    fn plane_shape(&self) -> (usize, usize) {
        (0, 0)
    }

    /// Fills the planes one after the other, row by row from the top. `out` has exactly their total length.
    fn planes(&self, _position: &Self::Position, _out: &mut [u8]) {}

    /// The position with these planes, the inverse of [`Show::planes`]. By default a game cannot read planes.
    ///
    /// # Errors
    /// If no position has these planes. `planes` has exactly the length of all planes.
    fn position_of_planes(&self, planes: &[u8]) -> Result<Self::Position, TextError> {
        Err(self.no_planes(planes, "this game reads none"))
    }

    /// The error for planes that belong to no position; its text is their digits.
    fn no_planes(&self, planes: &[u8], reason: &str) -> TextError {
        let (rows, columns) = self.plane_shape();
        let digit = |&value: &u8| char::from_digit(value.into(), 10).unwrap_or('?');
        let plane = |plane: &[u8]| plane.iter().map(digit).collect::<String>();
        let text: Vec<String> = planes.chunks((rows * columns).max(1)).map(plane).collect();
        TextError::impossible("planes", &text.join(" "), reason)
    }
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
        assert_eq!(Picture::squares_named("a1a2"), ["a1", "a2"]);
        assert_eq!(Picture::squares_named("d1-a2,c3-aa14"), ["d1", "a2", "c3", "aa14"]);
        assert_eq!(Picture::squares_named("O:a2,b1 o:b3"), ["a2", "b1", "b3"]);
        assert_eq!(Picture::squares_named("pass ß 12 Ö1"), Vec::<&str>::new());
    }
}

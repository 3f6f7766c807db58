//! Pictures of positions: a grid of squares with pieces and rails, and marks for a turn.
//!
//! Games describe a picture ([`Show`]); terminals, SVG and the browser draw it in their own ways.
//! People's eyes want to keep one orientation through a whole game, so a picture is always the
//! *first player's* view, and [`Seat`] says who is to move in it, while positions everywhere else
//! are seen by the side to move.

use crate::error::TextError;
use crate::game::Game;
use crate::guide::Guide;
use crate::seat::Seat;

/// A square of the grid, counted from the upper left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GridSquare {
    /// Columns to the left of it.
    pub column: u16,
    /// Rows above it.
    pub row: u16,
}

/// The shape of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PieceShape {
    /// A disc.
    Round,
    /// A square with rounded corners.
    Square,
    /// A chess pawn's outline; it moves up for the first player, down for the second.
    Pawn,
    /// The whole square is filled in, as with a pencil.
    Cross,
}

/// A piece on a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Its shape.
    pub shape: PieceShape,
    /// The owner; `None` if it is nobody's, like a filled square of Tactics.
    pub owner: Option<Seat>,
    /// Whether the anchor stands on it.
    pub anchored: bool,
    /// The letter that stands for it in the terminal, in the first player's view.
    pub letter: char,
}

impl Piece {
    /// A piece of a player.
    #[must_use]
    pub fn new(shape: PieceShape, owner: Seat, letter: char) -> Piece {
        Piece { shape, owner: Some(owner), anchored: false, letter }
    }

    /// The first player's piece `X` and the second's `O`, of one shape.
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

/// A board with what stands on it, as the first player sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// Columns of the grid.
    pub columns: u16,
    /// Rows of the grid.
    pub rows: u16,
    /// `rows` × `columns` entries, the top row first: `None` where there is no square, else the
    /// square and what stands on it.
    pub squares: Vec<Option<Option<Piece>>>,
    /// Where pieces cannot fall off.
    pub rails: Vec<Rail>,
    /// The pieces that have left the board; they lie beside it.
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

    /// The square at a place: `None` if there is none.
    pub fn at(&self, place: GridSquare) -> Option<Option<Piece>> {
        if place.column >= self.columns || place.row >= self.rows {
            return None;
        }
        self.squares[usize::from(place.row) * usize::from(self.columns) + usize::from(place.column)]
    }

    /// Puts a piece on a square, or makes the square one of the board.
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

    /// The squares that a text names, in its order: `O:a2,b1` names `a2` and `b1`.
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

/// Something to draw over a picture to show a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    /// A piece goes from one square to another, which is empty.
    Move(GridSquare, GridSquare),
    /// A piece goes from one square to another and pushes or captures what stands there.
    Push(GridSquare, GridSquare),
    /// Squares that are filled, or on which a piece is placed.
    Fill(Vec<GridSquare>),
}

/// How a piece goes in a step of a turn. Marks show a turn that stands still; motions say what eyes
/// follow while it is made. All motions of a step happen together, but the anchor, which goes when
/// the pieces stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Motion {
    /// A piece goes from a square to another, straight or over the squares between.
    Slide {
        /// Where it stood.
        from: GridSquare,
        /// The squares that it passes on a bent way; empty if it goes straight.
        via: Vec<GridSquare>,
        /// Where it then stands.
        to: GridSquare,
    },
    /// A piece leaves the board.
    Leave {
        /// Where it stood.
        from: GridSquare,
        /// The side over which it falls; `None` if it is taken off where it stands.
        toward: Option<Edge>,
    },
    /// A piece is put on the board, or a square is filled.
    Appear {
        /// The square.
        to: GridSquare,
        /// The piece.
        piece: Piece,
    },
    /// The anchor goes onto another piece.
    Anchor {
        /// The piece that had it, if one had.
        from: Option<GridSquare>,
        /// The piece that gets it, where it stands after the step.
        to: GridSquare,
    },
}

/// A game whose positions can be drawn.
///
/// Everything is told as the first player sees it; `to_move` says which player the side to move is.
pub trait Show: Game {
    /// The position as the first player sees it.
    fn picture(&self, position: &Self::Position, to_move: Seat) -> Picture;

    /// The marks that show a turn, drawn over the picture of a position.
    fn marks(&self, position: &Self::Position, turn: &Self::Turn, to_move: Seat) -> Vec<Mark>;

    /// How the pieces go in a turn, step by step: what is in one list moves together. Played on the
    /// picture of the position ([`Picture::play`]), they give the picture after the turn. By default
    /// they follow from the marks: a piece goes straight, what stands where it goes is taken off, and
    /// filled squares appear.
    fn motions(&self, position: &Self::Position, turn: &Self::Turn, to_move: Seat) -> Vec<Vec<Motion>> {
        let after = self.play(position, turn);
        let after = self.picture(&after, self.mover_after(to_move, &after));
        self.picture(position, to_move).motions_to(&after, &self.marks(position, turn, to_move))
    }

    /// The position as the first player sees it: his pieces as those of the side to move, in his
    /// orientation, whoever is to move. Both players see the same unless a game says otherwise.
    fn first_view(&self, position: &Self::Position, _to_move: Seat) -> Self::Position {
        position.clone()
    }

    /// A turn as the first player sees it; the same for both unless a game says otherwise.
    fn first_view_of_turn(&self, turn: &Self::Turn, _to_move: Seat) -> Self::Turn {
        turn.clone()
    }

    /// The position's text as the first player sees it: letters of the first player's side, his
    /// orientation. By default that of [`Show::first_view`].
    fn board_text(&self, position: &Self::Position, to_move: Seat) -> String {
        self.position_text(&self.first_view(position, to_move))
    }

    /// A turn in the coordinates of the first player's view; by default the text of
    /// [`Show::first_view_of_turn`].
    fn turn_on_board(&self, position: &Self::Position, turn: &Self::Turn, to_move: Seat) -> String {
        self.turn_text(position, &self.first_view_of_turn(turn, to_move))
    }

    /// The pieces that a position can be set up with, the first player's before the second's.
    fn palette(&self) -> Vec<Piece> {
        Vec::new()
    }

    /// The name of a piece of this game, such as "pawn". By default it follows from the shape.
    fn piece_name(&self, piece: Piece) -> &'static str {
        match piece.shape {
            PieceShape::Round => "disc",
            PieceShape::Square => "block",
            PieceShape::Pawn => "pawn",
            PieceShape::Cross => "filled",
        }
    }

    /// The pieces that the side to move puts on the board in this position as one turn, with the
    /// number of each, in the order of the squares in the turn's text. Empty where pieces move.
    fn pieces_to_place(&self, _position: &Self::Position, _to_move: Seat) -> Vec<(Piece, usize)> {
        Vec::new()
    }

    /// The reason, in a sentence, why squares that somebody touched one after the other are neither
    /// a step of a turn, after the steps `begun`, nor the beginning of one; `None` if they are, and by
    /// default. Squares are named as the first player sees them.
    fn refusal(
        &self,
        _position: &Self::Position,
        _to_move: Seat,
        _begun: &[String],
        _squares: &[&str],
    ) -> Option<String> {
        None
    }

    /// The rules in a few sentences with turns that show them; by default there are none.
    fn guide(&self) -> Guide {
        Guide::default()
    }

    /// The names of the planes that [`Show::planes`] fills, such as "own pawns": one 0/1 value a
    /// square of the grid, seen by the side to move, made for neural networks. A game may have
    /// none.
    fn plane_names(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Rows and columns of a plane.
    fn plane_shape(&self) -> (usize, usize) {
        (0, 0)
    }

    /// Fills the planes, one after the other, row by row from the top; `out` has exactly that
    /// length.
    fn planes(&self, _position: &Self::Position, _out: &mut [u8]) {}

    /// The position that has these planes: what [`Show::planes`] fills, read back. By default a game
    /// reads none.
    ///
    /// # Errors
    /// If no position has them; `planes` has exactly the length of all planes.
    fn position_of_planes(&self, planes: &[u8]) -> Result<Self::Position, TextError> {
        Err(self.no_planes(planes, "this game reads none"))
    }

    /// The error about planes that are none of a position, with their digits as its text.
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
    fn columns_go_on_after_z() {
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

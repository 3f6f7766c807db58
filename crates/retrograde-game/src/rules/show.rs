//! The [`Show`] trait: how a game shows its positions.

use super::game::Game;
use crate::board::{Guide, Layout, Mark, Motion, Picture, Piece, PieceShape};
use crate::text::TextError;
use crate::values::Seat;

/// A game whose positions can be drawn.
///
/// Everything is shown as the first player sees it; `to_move` says which player is to move. A game
/// with a [`Game::layout`] does not have to implement any method.
pub trait Show: Game {
    /// The position as the first player sees it.
    fn picture(&self, position: &Self::Position, to_move: Seat) -> Picture {
        self.layout_for("Show::picture").picture(position, to_move)
    }

    /// The marks that show a turn, drawn over the picture of a position.
    fn marks(&self, position: &Self::Position, turn: &Self::Turn, to_move: Seat) -> Vec<Mark> {
        self.layout_for("Show::marks").marks(position, turn, to_move)
    }

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
    /// in this player's orientation. Without a layout, both players see the same by default.
    fn first_view(&self, position: &Self::Position, to_move: Seat) -> Self::Position {
        self.layout().map_or_else(|| position.clone(), |layout| layout.first_view(position, to_move))
    }

    /// A turn as the first player sees it. Without a layout, both players see the same by default.
    fn first_view_of_turn(&self, turn: &Self::Turn, to_move: Seat) -> Self::Turn {
        self.layout().map_or_else(|| turn.clone(), |layout| layout.first_view_of_turn(turn, to_move))
    }

    /// The position's text as the first player sees it, with the letters of the first player's
    /// side. By default the text of [`Show::first_view`].
    fn board_text(&self, position: &Self::Position, to_move: Seat) -> String {
        self.position_text(&self.first_view(position, to_move))
    }

    /// Parses what [`Show::board_text`] formats. Errors use the letters of that text.
    ///
    /// # Errors
    /// The same as [`Game::parse_position`], and if `to_move` cannot be to move.
    fn parse_board(&self, text: &str, to_move: Seat) -> Result<Self::Position, TextError> {
        // A position that is only possible with the second player to move cannot be parsed as the first player's.
        if let (Seat::Second, Some(layout)) = (to_move, self.layout().filter(Layout::has_sides)) {
            return layout.parse_board(text);
        }
        let seen = self.parse_position(text)?;
        match self.seat(&seen).unwrap_or(to_move) {
            Seat::First => Ok(seen),
            // The conversion is its own inverse.
            Seat::Second => self.parse_position(&self.board_text(&seen, Seat::Second)),
        }
    }

    /// A turn in the coordinates of the first player's view. By default the text of
    /// [`Show::first_view_of_turn`].
    fn turn_on_board(&self, position: &Self::Position, turn: &Self::Turn, to_move: Seat) -> String {
        self.turn_text(position, &self.first_view_of_turn(turn, to_move))
    }

    /// The pieces that a position can be set up with, first player's pieces first.
    fn palette(&self) -> Vec<Piece> {
        self.layout().map_or_else(Vec::new, |layout| layout.palette())
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

    /// The reason, as a sentence, why touching these squares one after the other is neither a step of
    /// a turn after the steps `prefix` nor the beginning of one. `None` if it is, and by default.
    /// Squares are named as the first player sees them.
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
    /// game has no planes. By default one plane per set of the layout.
    fn plane_names(&self) -> Vec<&'static str> {
        self.layout().map_or_else(Vec::new, |layout| layout.plane_names())
    }

    /// The number of rows and columns of a plane.
    fn plane_shape(&self) -> (usize, usize) {
        self.layout().map_or((0, 0), |layout| layout.plane_shape())
    }

    /// Fills the planes one after the other, row by row from the top. `out` has exactly their total length.
    fn planes(&self, position: &Self::Position, out: &mut [u8]) {
        if let Some(layout) = self.layout() {
            layout.planes(position, out);
        }
    }

    /// The position with these planes, the inverse of [`Show::planes`]. By default, a game without a
    /// layout rejects all planes.
    ///
    /// # Errors
    /// If no position has these planes. `planes` has exactly the length of all planes.
    fn position_of_planes(&self, planes: &[u8]) -> Result<Self::Position, TextError> {
        let layout = self.layout().ok_or_else(|| "this game reads none".to_owned());
        let position = layout.and_then(|layout| layout.position_of_planes(planes));
        position.map_err(|reason| self.no_planes(planes, &reason))
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

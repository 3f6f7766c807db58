//! Pictures of the positions of a game, and a position parsed from the first player's view.

use retrograde_game::{Mark, Motion, Picture, Seat};

use crate::query::turns::replay;
use crate::query::written;
use crate::{Error, OpenGame};

/// A position along a game, ready to be shown: everything as the first player sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scene {
    /// The picture.
    pub picture: Picture,
    /// Marks of the turn that is made next, if one was given.
    pub marks: Vec<Mark>,
    /// How the pieces go in that turn, step by step.
    pub motions: Vec<Vec<Motion>>,
    /// The turn, as text on the board.
    pub turn: Option<String>,
}

impl OpenGame {
    /// Pictures of a position and of the positions after each of the turns.
    ///
    /// # Errors
    /// If a text cannot be read or a turn is not legal.
    pub fn scenes(&self, position: &str, to_move: Seat, turns: &[String]) -> Result<Vec<Scene>, Error> {
        let game = &*self.entry.game;
        let (played, last) = replay(self, position, turns)?;
        let mut seat = to_move;
        let mut scenes = Vec::with_capacity(played.len() + 1);
        for (position, turn) in &played {
            seat = game.seat(position).unwrap_or(seat);
            scenes.push(Scene {
                picture: game.picture(position, seat),
                marks: game.marks(position, turn, seat),
                motions: game.motions(position, turn, seat),
                turn: Some(game.turn_on_board(position, turn, seat)),
            });
            seat = seat.other();
        }
        let seat = game.seat(&last).unwrap_or(seat);
        let picture = game.picture(&last, seat);
        scenes.push(Scene { picture, marks: Vec::new(), motions: Vec::new(), turn: None });
        Ok(scenes)
    }

    /// The position, seen by the side to move, that looks like `board` to the first player.
    ///
    /// # Errors
    /// If the text is not a position, or `to_move` cannot be to move in it.
    pub fn position_from_board(&self, board: &str, to_move: Seat) -> Result<String, Error> {
        let game = &*self.entry.game;
        Ok(game.position_text(&written::read(board, |text| game.parse_board(text, to_move))?))
    }
}

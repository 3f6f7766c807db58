//! Properties of a position that the rules determine: its printed form, its player, its images, and
//! perft.

use retrograde_game::{Outcome, Piece, Seat};
use retrograde_solve::Progress;

use crate::query::turns::outcome_if_over;
use crate::query::written;
use crate::{Error, OpenGame, SearchLimits};

impl OpenGame {
    /// The start, as text.
    pub fn start(&self) -> String {
        self.entry.game.position_text(&self.entry.game.start())
    }

    /// The printed form of a position.
    ///
    /// # Errors
    /// If the text is not a position.
    pub fn canonical(&self, position: &str) -> Result<String, Error> {
        let game = &*self.entry.game;
        Ok(game.position_text(&written::position(game, position)?))
    }

    /// The text of a position as the first player sees it.
    ///
    /// # Errors
    /// If the text is not a position.
    pub fn board_text(&self, position: &str, to_move: Seat) -> Result<String, Error> {
        let game = &*self.entry.game;
        let position = written::position(game, position)?;
        Ok(game.board_text(&position, game.seat(&position).unwrap_or(to_move)))
    }

    /// The player to move in a position: determined by the position
    /// ([`Game::seat`](retrograde_game::Game::seat)), or else `to_move`.
    ///
    /// # Errors
    /// If the text is not a position.
    pub fn to_move(&self, position: &str, to_move: Seat) -> Result<Seat, Error> {
        let game = &*self.entry.game;
        Ok(game.seat(&written::position(game, position)?).unwrap_or(to_move))
    }

    /// The outcome for the side to move if the game is over there.
    ///
    /// # Errors
    /// If the text is not a position.
    pub fn over(&self, position: &str) -> Result<Option<Outcome>, Error> {
        let game = &*self.entry.game;
        Ok(outcome_if_over(game, &written::position(game, position)?))
    }

    /// The images of a position under the symmetries of the game, itself first; only itself for a
    /// game without symmetries.
    ///
    /// # Errors
    /// If the text is not a position.
    pub(crate) fn images(&self, position: &str) -> Result<Vec<String>, Error> {
        let game = &*self.entry.game;
        let position = written::position(game, position)?;
        let images = self.entry.images.as_ref().map_or_else(Vec::new, |images| images(&position));
        let texts = images.iter().map(|image| game.position_text(image));
        Ok([game.position_text(&position)].into_iter().chain(texts).collect())
    }

    /// The name of a piece in this game.
    pub fn piece_name(&self, piece: Piece) -> &'static str {
        self.entry.game.piece_name(piece)
    }

    /// The pieces that the side to move places in a position, with their numbers; empty in the game
    /// proper.
    ///
    /// # Errors
    /// If the text is not a position.
    pub fn pieces_to_place(&self, position: &str, to_move: Seat) -> Result<Vec<(Piece, usize)>, Error> {
        let game = &*self.entry.game;
        let position = written::position(game, position)?;
        Ok(game.pieces_to_place(&position, game.seat(&position).unwrap_or(to_move)))
    }

    /// Counts the leaves of the game tree: at each node, turns to the same position count once, and
    /// a turn that ends the game counts at the depth where it is played. Returns the count, and whether it is
    /// complete; if a limit ended it, there may be more leaves.
    ///
    /// # Errors
    /// If the text is not a position, or `progress` stopped it.
    pub fn perft(
        &self,
        position: &str,
        depth: u32,
        limits: &SearchLimits,
        progress: &dyn Progress,
    ) -> Result<(u128, bool), Error> {
        self.entry.game.perft(&written::position(&*self.entry.game, position)?, depth, limits, progress)
    }
}

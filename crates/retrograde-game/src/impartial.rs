//! Impartial games: both players have the same turns in every position, and the last turn decides.
//!
//! Such games have a theory of their own. A position that falls into parts which no turn connects
//! is their *sum*, and what a part is worth in a sum can be found once for all. In normal play that
//! is one number, the *nimber*; in misère play it is not, but equal parts can still be told.

use crate::game::Game;

/// A game in which both players have the same turns in every position, and who makes the last turn
/// wins (normal play) or loses (misère).
///
/// The game is over where there is no turn, and nowhere else. The players alternate: [`Game::seat`] is
/// not given.
pub trait Impartial: Game {
    /// Whether the player who makes the last turn wins.
    fn last_turn_wins(&self) -> bool;

    /// Visits the parts of a position: positions such that a turn of the whole is a turn of one of
    /// them. Parts that are the same but for a symmetry should be equal; parts without a turn need
    /// not be visited. By default a position has one part, itself.
    fn each_part<F>(&self, position: &Self::Position, mut visit: F)
    where
        F: FnMut(Self::Position),
    {
        visit(position.clone());
    }

    /// Whether every turn of a position has a mirror image that can be played after it and leaves a
    /// position of which this is true again. Who is not to move then makes the last turn, if he
    /// plays mirror images. That decides normal play, and is a good first guess in misère play.
    fn is_mirrored(&self, _position: &Self::Position) -> bool {
        false
    }

    /// A turn after which [`Impartial::is_mirrored`] is true, if there is one and it is quickly
    /// found.
    fn mirroring_turn(&self, _position: &Self::Position) -> Option<Self::Turn> {
        None
    }
}

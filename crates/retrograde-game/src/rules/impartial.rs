//! Impartial games: both players have the same turns in every position, and the last turn decides.
//!
//! These games have their own theory. A position that consists of unconnected parts is their *sum*,
//! and the value of a part in a sum can be computed separately. In normal play it is one number,
//! the *nimber*. In misère play it is not, but equal parts can still be recognised.

use super::game::Game;

/// A game in which both players have the same turns in every position, and the player who makes the
/// last turn wins (normal play) or loses (misère).
///
/// The game is over exactly where there is no turn. The players alternate: [`Game::seat`] returns `None`.
pub trait Impartial: Game {
    /// Whether the player who makes the last turn wins.
    fn last_turn_wins(&self) -> bool;

    /// Visits the parts of a position: every turn of the whole is a turn of one of them. Parts that
    /// differ only by a symmetry should be equal; parts without turns may be left out. By default
    /// the position itself is the only part.
    fn each_part(&self, position: &Self::Position, mut visit: impl FnMut(Self::Position)) {
        visit(position.clone());
    }

    /// Whether every turn has a mirror image that can be played after it and leads to a position of
    /// the same kind. The player who is not to move then makes the last turn by playing mirror
    /// images. This decides normal play, and is a good first guess in misère play.
    fn is_mirrored(&self, _position: &Self::Position) -> bool {
        false
    }

    /// A turn to a position with [`Impartial::is_mirrored`], if there is one that is quick to find.
    fn mirroring_turn(&self, _position: &Self::Position) -> Option<Self::Turn> {
        None
    }
}

//! Traits that save memory: symmetries of the board, and codes of positions.

use super::dense::{Dense, Index};
use super::game::{Flow, Game};

/// A game with a board that can be rotated or reflected without changing the game.
pub trait Symmetries: Game {
    /// The number of symmetries, the identity included.
    fn symmetry_count(&self) -> usize;

    /// The image of a position; symmetry 0 is the identity.
    fn image(&self, symmetry: usize, position: &Self::Position) -> Self::Position;

    /// Visits the indices of the images of a *numbered* position under all symmetries except the identity,
    /// in any order, until the visitor stops. Override this if images are quick to rank together, as with
    /// `retrograde_index::Arrangements::each_image`.
    fn each_image_index(&self, position: &Self::Position, mut visit: impl FnMut(Index) -> Flow) -> Flow
    where
        Self: Dense,
    {
        (1..self.symmetry_count()).try_for_each(|symmetry| {
            match self.index(&self.image(symmetry, position)) {
                Some(index) => visit(index),
                None => Flow::Continue(()),
            }
        })
    }
}

/// A game whose positions can be packed into 64 bits. Codes are faster to compute than indices and
/// do not have to be dense: for example, three states per square written in base 3.
pub trait Packed: Game {
    /// Whether the positions of this game fit. On a larger board they may not; then no codes are requested.
    fn is_packed(&self) -> bool {
        true
    }

    /// The code of a position. Different positions have different codes.
    fn pack(&self, position: &Self::Position) -> u64;

    /// The position with a code from [`Packed::pack`].
    fn unpack(&self, code: u64) -> Self::Position;
}

//! Positions that can occur, counted.

use crate::Count;
use serde::Serialize;

/// The number of positions that can occur: some sequence of turns leads to them from the start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Occurring {
    /// The canonical name.
    pub game: String,
    /// All positions of the game, finished ones too; those before the game proper are not among
    /// them.
    pub positions: Count,
    /// Positions that occur and in which the game goes on.
    pub occurring: Count,
    /// The part of `occurring` before the game proper, as when pieces are placed.
    pub before: Count,
    /// Positions that occur and in which the rules end the game; null if they are not counted.
    pub finished: Option<Count>,
    /// Occurring positions of the game proper up to the board's symmetries; null if they are not
    /// counted.
    pub up_to_symmetry: Option<Count>,
    /// Whether a position counts if it occurs or if an image under a symmetry of the board does.
    pub with_images: bool,
    /// Further counts worth knowing, as in [`Plan`](crate::Plan).
    pub counts: Vec<(String, Count)>,
}

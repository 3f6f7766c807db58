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
    /// Whether `positions` counts positions that are images of each other once. The other numbers count
    /// all of them, but for `up_to_symmetry`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub positions_up_to_symmetry: bool,
    /// Unfinished positions that occur. If `finished` is null, they include positions that are over
    /// because there is no turn.
    pub occurring: Count,
    /// The part of `occurring` before the game proper, as when pieces are placed.
    pub before: Count,
    /// Positions that occur and in which the game is over, by the rules or for want of a turn; null if
    /// they are not counted.
    pub finished: Option<Count>,
    /// Occurring positions of the game proper up to the board's symmetries; null if they are not
    /// counted.
    pub up_to_symmetry: Option<Count>,
    /// Whether a position counts if it occurs or if an image under a symmetry of the board does.
    pub with_images: bool,
    /// Further counts worth knowing, as in [`Plan`](crate::Plan).
    pub counts: Vec<(String, Count)>,
}

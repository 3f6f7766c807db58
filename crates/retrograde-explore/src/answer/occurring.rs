//! Positions that can occur, counted.

use crate::Count;
use serde::Serialize;

/// The number of positions that can occur: some sequence of turns leads to them from the start
/// (`occurring`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "description", derive(schemars::JsonSchema))]
pub struct Occurring {
    /// The canonical name of the game.
    pub game: String,
    /// All positions of the game, finished ones too; those before the game proper are not among
    /// them.
    pub positions: Count,
    /// True if `positions` counts positions that are images of each other once; of the other numbers
    /// only `up_to_symmetry` does. Omitted if not.
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
    /// Occurring positions of the game proper up to the board's symmetries. Null if they are not counted,
    /// and if a symmetry leaves the square of an anchor in place.
    pub up_to_symmetry: Option<Count>,
    /// Whether a position counts if it occurs or if an image under a symmetry of the board does.
    pub with_images: bool,
    /// More counts, each with its name, as in `plan`.
    pub counts: Vec<(String, Count)>,
}

//! The numbers of reachable positions.

use crate::Count;
use schemars::JsonSchema;
use serde::Serialize;

/// The number of reachable positions: some sequence of turns leads to them from the start
/// (`reachable`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Reachable {
    /// The canonical name of the game.
    pub game: String,
    /// All positions of the game proper, including finished ones.
    pub positions: Count,
    /// True if `positions` counts up to symmetry; of the others only `up_to_symmetry` does.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub positions_up_to_symmetry: bool,
    /// Unfinished reachable positions. If `finished` is null, positions without a turn are included.
    pub reachable: Count,
    /// Those of them in which pieces are still being placed.
    pub before: Count,
    /// Finished reachable positions, including those without a turn; null if not counted.
    pub finished: Option<Count>,
    /// Reachable positions of the game proper up to symmetry; null if not counted, or if a symmetry
    /// leaves the square of an anchor in place.
    pub up_to_symmetry: Option<Count>,
    /// Whether a position counts if only an image under a symmetry of the board is reachable.
    pub with_images: bool,
    /// More counts with their names.
    pub counts: Vec<(String, Count)>,
}

//! A solved game in numbers.

use crate::{ByTurns, Count, ShadeStatistics, Verdict};
use schemars::JsonSchema;
use serde::Serialize;

/// A solved game in numbers, for the side to move (`solve`, `stats`).
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Statistics {
    /// The canonical name of the game.
    pub game: String,
    /// Positions counted below.
    pub positions: Count,
    /// Won for the side to move.
    pub wins: Count,
    /// Lost for the side to move.
    pub losses: Count,
    /// Drawn.
    pub draws: Count,
    /// Undecided: drawn, decided in more turns than the `horizon`, or not counted yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<Count>,
    /// The turns up to which positions were decided (`--max-turns`); `draws` then counts only draws by
    /// the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub horizon: Option<u16>,
    /// The value of the start.
    pub start: Verdict,
    /// Positions won and lost, by turns to the end.
    pub by_turns: ByTurns,
    /// Seconds that solving took; null if unknown.
    pub seconds: Option<f64>,
    /// The kind of positions that are counted, if not all of them: `reachable positions` (after `solve
    /// --reachable`), `positions up to symmetry` (in some numberings), or `plausible positions` (large
    /// boards of Push Fight).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<String>,
    /// The phases, if the solver logs them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<Phase>,
    /// The same for all positions, if some are left out above and `stats --all-positions` has counted
    /// them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_positions: Option<AllPositions>,
    /// The draws by shade.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shades: Option<ShadeStatistics>,
    /// The result of `solve`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<SolveResult>,
    /// Remarks about the files: leftovers, damage, repairs, unchecked numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The result of `solve`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SolveResult {
    /// Solved the game.
    Solved,
    /// There was already a complete table.
    AlreadySolved,
    /// The table was damaged, so the game was solved again.
    Repaired,
    /// Added the wins to a table without them.
    WinsAdded,
}

/// All positions of a game in numbers, including unreachable ones.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct AllPositions {
    /// The number of positions.
    pub positions: Count,
    /// Won for the side to move.
    pub wins: Count,
    /// Lost for the side to move.
    pub losses: Count,
    /// Drawn.
    pub draws: Count,
    /// Undecided up to the horizon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<Count>,
    /// Positions won and lost, by turns to the end.
    pub by_turns: ByTurns,
}

/// A phase of a solver that decides positions by their turns to the end.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Phase {
    /// The turns to the end; even for losses, odd for wins.
    pub turns: u16,
    /// Positions that it decided.
    pub positions: Count,
    /// The same up to symmetry; null if a symmetry leaves the square of an anchor in place.
    pub up_to_symmetry: Option<Count>,
    /// Start positions; the other numbers leave them out.
    pub starts: Count,
    /// Seconds that it took; null if unknown.
    pub seconds: Option<f64>,
}

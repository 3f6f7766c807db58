//! A solved game in numbers.

use crate::{Count, ShadeStatistics, Verdict};
use serde::Serialize;
use std::collections::BTreeMap;

/// A solved game in numbers, for the side to move (`solve`, `stats`).
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "description", derive(schemars::JsonSchema))]
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
    /// Undecided: drawn, or decided in more turns than the `horizon`; or not counted yet. Omitted if 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<Count>,
    /// The number of turns up to which positions were decided (`--max-turns`); `draws` then counts only
    /// draws by the rules. Omitted if they were decided to the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub horizon: Option<u16>,
    /// The value of the start.
    pub start: Verdict,
    /// Positions won and lost, by turns to the end; empty if the table has only outcomes.
    pub by_turns: ByTurns,
    /// Seconds that solving took; null if the file with times is missing, as on a site.
    pub seconds: Option<f64>,
    /// The positions that are counted, if not all one by one: `occurring positions` (after
    /// `solve --occurring`), `positions up to symmetry` (some numberings count images once), or
    /// `plausible positions` (large boards of Push Fight). Omitted otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<String>,
    /// The result of each phase, by turns to the end, if the solver logs them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<Phase>,
    /// The numbers of all positions, if some are left out above and `stats --all-positions` has counted
    /// them too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_positions: Option<AllPositions>,
    /// The draws by their shades, if these have been found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shades: Option<ShadeStatistics>,
    /// The result of `solve`; omitted by other commands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<SolveResult>,
    /// Sentences about the files: leftovers of an earlier run, damage, repairs, unchecked numbers.
    /// Standard error has the same. Omitted if empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The result of `solve`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "description", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SolveResult {
    /// Solved the game.
    Solved,
    /// There was a table already, and its files are whole.
    AlreadySolved,
    /// The table was damaged, so the game was solved again.
    Repaired,
    /// Added the wins to a table without them.
    WinsAdded,
}

/// All positions of a game in numbers, including positions that cannot occur.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "description", derive(schemars::JsonSchema))]
pub struct AllPositions {
    /// The number of positions.
    pub positions: Count,
    /// Won for the side to move.
    pub wins: Count,
    /// Lost for the side to move.
    pub losses: Count,
    /// Drawn.
    pub draws: Count,
    /// Undecided up to the horizon. Omitted if 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<Count>,
    /// Positions won and lost, by turns to the end.
    pub by_turns: ByTurns,
}

/// Positions by turns to the end; empty if the table has only outcomes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "description", derive(schemars::JsonSchema))]
pub struct ByTurns {
    /// Won for the side to move.
    pub win: BTreeMap<u16, Count>,
    /// Lost for the side to move.
    pub loss: BTreeMap<u16, Count>,
}

/// A phase of a solver that decides positions by their turns to the end.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "description", derive(schemars::JsonSchema))]
pub struct Phase {
    /// The turns to the end of the positions that it decides; lost if even, won if odd.
    pub turns: u16,
    /// Positions, as the statistics count them.
    pub positions: Count,
    /// The same up to symmetry.
    pub up_to_symmetry: Count,
    /// Positions before the first push, which the other numbers leave out.
    pub starts: Count,
    /// Seconds that it took; null if the file with times is missing.
    pub seconds: Option<f64>,
}

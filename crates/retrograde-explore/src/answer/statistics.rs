//! A solved game in numbers.

use crate::{Count, ShadeStatistics, Verdict};
use serde::Serialize;
use std::collections::BTreeMap;

/// A solved game in numbers.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Statistics {
    /// The canonical name.
    pub game: String,
    /// Positions counted below.
    pub positions: Count,
    /// Won for the side to move.
    pub wins: Count,
    /// Lost for the side to move.
    pub losses: Count,
    /// Drawn.
    pub draws: Count,
    /// Not decided: drawn, or decided in more turns than the `horizon`; or not counted yet. Omitted
    /// if the number is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<Count>,
    /// The number of turns up to which positions were decided, if they were not decided to the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub horizon: Option<u16>,
    /// The start.
    pub start: Verdict,
    /// Positions won and lost, by turns to the end; empty if the table has outcomes only.
    pub by_turns: ByTurns,
    /// Seconds that solving took, if known.
    pub seconds: Option<f64>,
    /// The positions counted, if not all or not one by one: "plausible positions", "occurring
    /// positions", "positions up to symmetry".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<String>,
    /// The phases of a solver that logs them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<Phase>,
    /// The numbers of all positions, where only some are counted above and the others have been
    /// counted too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_positions: Option<AllPositions>,
    /// The draws by their shades, where these have been found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shades: Option<ShadeStatistics>,
    /// The outcome of solving; omitted where nothing was to be solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<SolveResult>,
    /// Notes for the user about the files: leftovers of an earlier run, damage, repairs, numbers
    /// that are unchecked. Omitted where there is nothing to say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The outcome of solving.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SolveResult {
    /// It solved the game.
    Solved,
    /// Nothing: there was a table, and its files are whole.
    AlreadySolved,
    /// There was a table with damage, and it solved the game again.
    Repaired,
    /// It added the wins to a table without them.
    WinsAdded,
}

/// All positions of a game in numbers, those that do not come up in any game among them.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AllPositions {
    /// The number of positions.
    pub positions: Count,
    /// Won for the side to move.
    pub wins: Count,
    /// Lost for the side to move.
    pub losses: Count,
    /// Drawn.
    pub draws: Count,
    /// Not decided up to the horizon. Omitted if the number is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<Count>,
    /// Positions won and lost, by turns to the end.
    pub by_turns: ByTurns,
}

/// Positions by turns to the end; empty for a table of outcomes only.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ByTurns {
    /// Won for the side to move.
    pub win: BTreeMap<u16, Count>,
    /// Lost for the side to move.
    pub loss: BTreeMap<u16, Count>,
}

/// A phase of a solver that decides positions by their turns to the end.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Phase {
    /// In how many turns the positions end; even ones are lost, odd ones won.
    pub turns: u16,
    /// Positions counted by the statistics.
    pub positions: Count,
    /// The same up to symmetry.
    pub up_to_symmetry: Count,
    /// Positions before the first push, which the others leave out.
    pub starts: Count,
    /// Seconds that it took, if known.
    pub seconds: Option<f64>,
}

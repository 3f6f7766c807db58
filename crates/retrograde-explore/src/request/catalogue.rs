//! The list of a program's games, and the summary of one game. Only the program knows its games, so
//! it assembles these answers itself, and they have no [`Route`].
//!
//! [`Route`]: crate::Route

use schemars::JsonSchema;
use serde::Serialize;

use crate::{About, Known, OpenGame, Plan, Verdict};

/// The games to list. Others can be asked for by name too.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct GameList {
    /// The games.
    pub games: Vec<GameSummary>,
}

/// A game in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct GameSummary {
    /// Its description.
    pub about: About,
    /// Whether there is a table.
    pub table: bool,
    /// The value of the start; null without a table.
    pub start: Option<Verdict>,
    /// The known value of the start, if no table has it.
    pub known: Option<Known>,
    /// The display name, such as “TouchDown 5 × 4”.
    pub title: String,
}

impl GameSummary {
    /// A game with the value of the start from its table. Without a table there is no search.
    pub fn new(about: About, game: &OpenGame) -> GameSummary {
        let start = game.statistics().ok().map(|statistics| statistics.start);
        let has_value = start.is_some_and(|start| start.known().is_some());
        let known = if has_value { None } else { game.entry.known.clone() };
        GameSummary { about, table: game.has_table(), start, known, title: game.entry.title.clone() }
    }
}

/// A game, and what solving it takes.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct GameAnswer {
    /// The game.
    #[serde(flatten)]
    pub summary: GameSummary,
    /// The estimate of a solve.
    pub plan: Plan,
}

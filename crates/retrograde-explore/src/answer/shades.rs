//! Shades of draws: of one position, and of a whole game in numbers.

use std::collections::BTreeMap;

use retrograde_game::Turns;
use retrograde_solve::shades::{Shade, ShadeCounts};
use schemars::JsonSchema;
use serde::Serialize;

use crate::Count;

/// The shade of a draw. Omitted unless the shades of the game have been found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ShadeOfDraw {
    /// Whether the side to move (of a turn: the player who makes it) presses or is pressed.
    #[schemars(extend("enum" = ["presses", "quiet", "pressed"]))]
    pub side: &'static str,
    /// The level of the press; null for a quiet draw.
    #[schemars(range(min = 1))]
    pub level: Option<u16>,
    /// Turns of both players until one faces a task; null for a quiet draw.
    pub turns_to_task: Option<u16>,
}

impl ShadeOfDraw {
    /// The shade as a comparable value: greater is better for its player.
    pub fn shade(self) -> Shade {
        match (self.side, self.level, self.turns_to_task) {
            ("presses", Some(level), Some(turns)) => Shade::Presses { level, turns: Turns(turns) },
            ("pressed", Some(level), Some(turns)) => Shade::Pressed { level, turns: Turns(turns) },
            _ => Shade::Quiet,
        }
    }
}

impl From<Shade> for ShadeOfDraw {
    fn from(shade: Shade) -> ShadeOfDraw {
        let press = shade.press();
        ShadeOfDraw {
            side: shade.word(),
            level: press.map(|(level, _)| level),
            turns_to_task: press.map(|(_, turns)| turns.0),
        }
    }
}

/// The draws of a game by their shades, for the side to move (`shades`).
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ShadeStatistics {
    /// The canonical name of the game.
    pub game: String,
    /// Drawn positions.
    pub draws: Count,
    /// Draws without a press.
    pub quiet: Count,
    /// The other draws, level by level.
    pub levels: Vec<LevelOfShades>,
    /// The shade of the start, if it is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<ShadeOfDraw>,
    /// Seconds that finding them took; null if unknown.
    pub seconds: Option<f64>,
}

/// The draws of a level by turns to the task.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LevelOfShades {
    /// The number of the level, from 1.
    #[schemars(range(min = 1))]
    pub level: u16,
    /// Positions in which the side to move presses, by turns to the task.
    pub presses: BTreeMap<u16, Count>,
    /// Positions in which it is pressed, by turns to the task; at 0 it faces one.
    pub pressed: BTreeMap<u16, Count>,
}

impl LevelOfShades {
    /// The levels, from the counts of the solver.
    pub(crate) fn all(counts: &ShadeCounts) -> Vec<LevelOfShades> {
        let by_turns = |by: &BTreeMap<u16, u64>| -> BTreeMap<u16, Count> {
            by.iter().map(|(&turns, &count)| (turns, Count(count.into()))).collect()
        };
        let level = |(level, counts): (u16, &retrograde_solve::shades::LevelCounts)| LevelOfShades {
            level,
            presses: by_turns(&counts.presses),
            pressed: by_turns(&counts.pressed),
        };
        (1..).zip(&counts.levels).map(level).collect()
    }
}

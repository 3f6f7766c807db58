//! Stored shades of draws: the shade of a position, and statistics.

use std::collections::BTreeMap;

use retrograde_game::{Knowledge, Outcome, Turns};
use retrograde_solve::shades::{Shade, ShadeCounts};
use schemars::JsonSchema;
use serde::Serialize;

use crate::game::open::OpenGame;
use crate::game::rules::Position;
use crate::{Count, Error};

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
    /// The shade, which can be compared: the better for whom it speaks of, the greater.
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
    /// The levels of such counts.
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

/// The shade of a position with this value, if it is drawn and shades are stored.
pub(crate) fn shade(
    open: &OpenGame,
    position: &Position,
    knowledge: Knowledge,
) -> Result<Option<Shade>, Error> {
    let Some(file) = &open.shades else { return Ok(None) };
    if knowledge.outcome() != Some(Outcome::Draw) {
        return Ok(None);
    }
    match open.index_of(position) {
        // A finished draw, which has no index, is quiet.
        None => Ok(open.entry.game.result(position).map(|_| Shade::Quiet)),
        Some(index) => Ok(file.get(index)?),
    }
}

/// The draws by shade.
pub(crate) fn statistics(open: &OpenGame) -> Result<ShadeStatistics, Error> {
    open.stored()?;
    let Some(file) = &open.shades else {
        return Err(Error::Unsupported(format!(
            "the shades of {} have not been computed; `retrograde shades {}` computes them",
            open.name(),
            open.entry.command_name()
        )));
    };
    let counts = file.counts();
    // Finished draws, which have no index.
    let over: u128 = open
        .entry
        .left_out()
        .iter()
        .filter(|(outcome, _)| *outcome == Outcome::Draw)
        .map(|(_, count)| count)
        .sum();
    let start = open.entry.game.start();
    let start = shade(open, &start, Knowledge::Outcome(Outcome::Draw))?;
    Ok(ShadeStatistics {
        game: open.name().to_owned(),
        draws: Count(u128::from(counts.draws()) + over),
        quiet: Count(u128::from(counts.quiet) + over),
        levels: LevelOfShades::all(&counts),
        start: start.map(Into::into),
        seconds: open.recorded_seconds(&file.stamp(), &mut Vec::new()),
    })
}

//! Counts placements by value and finds the best ones with their replies.

use std::collections::BTreeMap;

use retrograde_explore::{OpenGame, Probe, SearchLimits, TurnValue, Verdict};
use retrograde_game::Seat;
use schemars::JsonSchema;
use serde::Serialize;

use crate::output::thousands;
use crate::program::exit::BoxError;

/// Orders verdicts from best to worst for the player who has them.
fn rank(verdict: Verdict) -> (u8, i32) {
    let turns = i32::from(verdict.turns.unwrap_or(0));
    match verdict.outcome {
        "win" => (0, turns),
        "draw" => (1, 0),
        "loss" => (2, -turns),
        _ => (3, 0),
    }
}

/// A value, with the number of placements that have it.
#[derive(Serialize, JsonSchema)]
pub(super) struct PlacementCount {
    /// The value, for the player who places.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The number of placements.
    pub count: u64,
}

/// Counts turns by value, best first.
pub(super) fn tally(turns: &[TurnValue]) -> Vec<PlacementCount> {
    let mut tally: BTreeMap<(u8, i32), PlacementCount> = BTreeMap::new();
    for &TurnValue { verdict, .. } in turns {
        tally.entry(rank(verdict)).or_insert(PlacementCount { verdict, count: 0 }).count += 1;
    }
    tally.into_values().collect()
}

/// The number of turns with this outcome.
pub(super) fn count_of(tally: &[PlacementCount], outcome: &str) -> u64 {
    tally.iter().filter(|of| of.verdict.outcome == outcome).map(|of| of.count).sum()
}

/// One of the best placements, and the replies to it.
pub(super) struct Opening {
    pub placement: TurnValue,
    /// The number of replies with each value, for the player who makes them.
    pub replies: Vec<PlacementCount>,
    /// The best reply.
    pub reply: Option<TurnValue>,
}

impl Opening {
    pub(super) fn of(game: &OpenGame, placement: &TurnValue) -> Result<Opening, BoxError> {
        let answers =
            game.probe(&placement.position, Seat::Second, &SearchLimits::default())?.turns_available;
        let replies = tally(&answers);
        Ok(Opening { placement: placement.clone(), replies, reply: answers.into_iter().next() })
    }
}

/// A sentence on how many placements of Red win, draw and lose.
pub(super) fn placements_sentence(all: &Probe) -> String {
    let values = tally(&all.turns_available);
    let count = |outcome| thousands(count_of(&values, outcome).into());
    format!(
        "Of Red's {} placements, {} win, {} draw and {} lose.",
        thousands(all.turns_available.len() as u128),
        count("win"),
        count("draw"),
        count("loss")
    )
}

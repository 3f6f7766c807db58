//! `survey`: counts the positions in which exactly one of several turns keeps a win or a draw. It has no
//! [`Route`](crate::Route).

use std::ops::ControlFlow;

use retrograde_game::{Index, Knowledge, Outcome, Random, Stored};
use retrograde_solve::Progress;
use schemars::JsonSchema;
use serde::Serialize;

use crate::query::lookup::complete;
use crate::request::puzzles::puzzle_of_kind;
use crate::{Count, Error, OpenGame, PuzzleKind, bounds};

/// How often exactly one turn holds (`survey`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct OnlyTurns {
    /// Positions that were looked at, including lost and finished ones.
    pub looked_at: Count,
    /// Whether these are all positions. Otherwise they are a random sample, the same in every run.
    pub all: bool,
    /// Of these, the positions that are won or drawn for the side to move, with at least two turns.
    pub choices: Count,
    /// Of these, the positions in which exactly one turn holds: the others lose, or draw instead of
    /// winning.
    pub only_turn: Count,
}

/// The seed of the sample.
const SEED: u64 = 1;
/// The number of positions between two checks whether to stop.
const CHECK_EVERY: u64 = 1 << 10;

impl OpenGame {
    /// Counts positions in which exactly one turn holds. Looks at the whole table if it has at most
    /// `most` positions, and otherwise at a random sample of that many, with replacement.
    ///
    /// Positions before the game proper, such as placements, are left out.
    ///
    /// # Errors
    /// [`Error::NoTable`], a damaged table, or [`Error::Stopped`].
    pub fn only_turns(&self, most: u64, progress: &dyn Progress) -> Result<OnlyTurns, Error> {
        let values = self.stored()?;
        let places = values.facts().place_count;
        let (all, count) = (places <= most, places.min(most));
        let mut random = Random::new(SEED);
        let mut found = OnlyTurns { all, ..OnlyTurns::default() };
        progress.stage("only turns", count);
        for number in 0..count {
            if number % CHECK_EVERY == 0 && progress.stopped() {
                return Err(Error::Stopped);
            }
            progress.advance(1);
            let (index, stored) = values.at(if all { number } else { random.below(places) })?;
            if let Stored::Known(knowledge) = stored {
                found.looked_at.0 += 1;
                self.count_only_turn(index, knowledge, &mut found)?;
            }
        }
        Ok(found)
    }

    /// Adds one position to the counts.
    fn count_only_turn(
        &self,
        index: Index,
        knowledge: Knowledge,
        found: &mut OnlyTurns,
    ) -> Result<(), Error> {
        if knowledge.outcome() == Some(Outcome::Loss) {
            return Ok(());
        }
        let position = self.position_at(index)?;
        let kind = match complete(self, knowledge, &position)?.outcome() {
            Some(Outcome::Win) => PuzzleKind::Win,
            Some(Outcome::Draw) => PuzzleKind::Save,
            _ => return Ok(()),
        };
        if self.entry.game.result(&position).is_some() {
            return Ok(());
        }
        let mut turns = 0;
        let several = self.entry.game.each_turn(&position, &mut |_, _| {
            turns += 1;
            if turns < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        bounds::check()?;
        if several.is_break() {
            found.choices.0 += 1;
            found.only_turn.0 += u128::from(puzzle_of_kind(self, index, knowledge, kind)?.is_some());
        }
        Ok(())
    }
}

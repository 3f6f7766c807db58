//! `find`: finds positions with a given value, by index or at random with equal probability.

use std::collections::HashSet;

use retrograde_game::{Index, Knowledge, Outcome, Random, Stored, Turns, Value};
use retrograde_table::Counts;
use schemars::JsonSchema;
use serde::Serialize;

use crate::bounds::{self, Watch};
use crate::query::lookup::complete;
use crate::request::order::{Order, RANDOM, SEED};
use crate::store::value_store::{Candidates, ValueStore, VisitValue};
use crate::{Count, Error, Fields, OpenGame, Param, Problem, Question, RequestLimits, Route, Verdict, Visit};

/// The default number of positions.
const DEFAULT_LIMIT: u64 = 10;

pub(super) const ROUTE: Route = Route {
    path: "find",
    name: "find",
    topic: "positions",
    summary: "Positions with a given value. Needs a table",
    description: "",
    params: &[
        Param::word(
            "outcome",
            &["win", "loss", "draw"],
            "An outcome to search for.",
            "The outcome for the side to move.",
        )
        .required(),
        Param::number("turns", u16::MAX as u64, "Turns to the end; any by default."),
        RANDOM,
        SEED,
        Param::number("limit", u64::MAX, "The maximum number of positions; 10 by default."),
    ],
    body: None,
    answer: ("The positions", "FoundList"),
    refusals: &[
        (400, "The query is invalid"),
        (404, "There is no such game, or no table"),
        (503, "They were not found in time"),
    ],
    read,
};

/// Positions with a value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub(crate) struct FoundList {
    /// The canonical name of the game.
    pub game: String,
    /// The seed, if the choice was random.
    pub seed: Option<u64>,
    /// The positions; may be fewer than asked for.
    pub positions: Vec<Found>,
    /// True if a limit was reached: there may be more than the answer lists and counts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
}

fn read(fields: &Fields<'_>, limits: &RequestLimits) -> Result<Question, Problem> {
    let outcome = fields.text("outcome").and_then(Outcome::from_word);
    let outcome = outcome.ok_or_else(|| Problem::bad("query", "`outcome` is missing"))?;
    let (turns, order) = (fields.number("turns")?, Order::read(fields)?);
    let limit = fields.number_up_to("limit", DEFAULT_LIMIT, limits.found)?;
    Ok(Question::that_may_change(0, move |game, host| {
        let query = FindQuery { outcome, turns, random: order.seed(host), limit };
        let mut positions = Vec::new();
        let complete = game.find(&query, &mut |found| {
            positions.push(found);
            Ok(true)
        })?;
        let (game, seed) = (game.name().to_owned(), query.random);
        Ok((FoundList { game, seed, positions, incomplete: !complete }, order.repeats() && complete))
    }))
}

/// The positions to find.
#[derive(Clone, Debug)]
pub struct FindQuery {
    /// The outcome.
    pub outcome: Outcome,
    /// The turns to the end; any if `None`.
    pub turns: Option<u16>,
    /// At random, with this seed, instead of by index.
    pub random: Option<u64>,
    /// The maximum number to find.
    pub limit: u64,
}

/// A position with the wanted value (`find`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Found {
    /// Its index.
    pub index: Count,
    /// The position, seen by the side to move.
    pub position: String,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// The number of random lookups that cost about as much as scanning a block, since each reads another
/// block.
const SCAN_COST: u64 = 1 << 12;
/// The maximum number of random tries for a frequent value.
const MAX_LOOKUPS: u64 = 1 << 20;
/// The number of values to read between two checks of the clock.
const CHECK_EVERY: u32 = 1 << 10;

impl OpenGame {
    /// Visits positions of the table with a value. Returns whether the search was complete; a limit of the
    /// request may have ended it.
    ///
    /// # Errors
    /// [`Error::NoTable`], a damaged table, or an error of `visit`.
    pub fn find(&self, wanted: &FindQuery, visit: &mut Visit<'_, Found>) -> Result<bool, Error> {
        let values = self.stored()?;
        if wanted.turns.is_some() {
            self.require_turns()?;
        }
        if wanted.limit == 0 {
            return Ok(true);
        }
        let mut visit = |index: Index, knowledge: Knowledge| -> Result<bool, Error> {
            let position = self.text_at(index, None)?;
            visit(Found { index: Count(index.0.into()), position, verdict: knowledge.into() })
        };
        let mut sample = Vec::new();
        let complete = bounds::in_part(|| {
            let (mut seen, mut watch) = (HashSet::new(), Watch::default());
            let mut look = |index: Index| -> Result<bool, Error> {
                // In an archive, a lookup may cost a thousand times as much as in a table.
                watch.tick(1)?;
                let Stored::Known(knowledge) = values.get(index)? else { return Ok(true) };
                let Some(knowledge) = matching(self, index, knowledge, wanted)? else { return Ok(true) };
                Ok(!seen.insert(index) || visit(index, knowledge)? && (seen.len() as u64) < wanted.limit)
            };
            match (look_at_candidates(values, wanted, &mut look)?, wanted.random) {
                (Candidates::Named, _) => Ok(()),
                (Candidates::Frequent, Some(seed)) => {
                    let mut random = Random::new(seed);
                    for _ in 0..MAX_LOOKUPS {
                        if !look(Index(random.below(values.facts().place_count)))? {
                            break;
                        }
                    }
                    Ok(())
                }
                (Candidates::Unnamed, Some(seed)) => draw(self, values, wanted, seed, &mut sample),
                (Candidates::Frequent | Candidates::Unnamed, None) => {
                    let (mut left, mut watch) = (wanted.limit, Watch::default());
                    scan_for(values, wanted, &mut |index, knowledge| {
                        watch.tick(CHECK_EVERY)?;
                        let Some(knowledge) = matching(self, index, knowledge, wanted)? else {
                            return Ok(true);
                        };
                        left -= 1;
                        Ok(visit(index, knowledge)? && left > 0)
                    })
                }
            }
        })?;
        for (index, knowledge) in sample {
            if !visit(index, knowledge)? {
                break;
            }
        }
        Ok(complete)
    }
}

/// Visits all positions that may match, and possibly others.
fn scan_for(values: &dyn ValueStore, wanted: &FindQuery, visit: &mut VisitValue<'_>) -> Result<(), Error> {
    match (wanted.outcome, wanted.turns) {
        (Outcome::Win, Some(turns)) => values.scan_for(Value::Win(Turns(turns)), visit),
        (Outcome::Loss, Some(turns)) => values.scan_for(Value::Loss(Turns(turns)), visit),
        (Outcome::Draw, _) => values.scan_for(Value::Draw, visit),
        (Outcome::Win | Outcome::Loss, None) => values.scan(0, visit),
    }
}

/// Looks at the positions that the store names. For a random choice, some of them are skipped.
fn look_at_candidates(
    values: &dyn ValueStore,
    wanted: &FindQuery,
    look: &mut Visit<'_, Index>,
) -> Result<Candidates, Error> {
    let mut random = Random::new(wanted.random.unwrap_or(0));
    let expected = expected_count(values.facts().counts, wanted) / (4 * u128::from(wanted.limit));
    let one_in = match wanted.random {
        Some(_) => u64::try_from(expected).unwrap_or(u64::MAX).max(1),
        None => 1,
    };
    let mut watch = Watch::default();
    values.candidates(wanted.outcome, wanted.turns.map(Turns), &mut |index| {
        watch.tick(CHECK_EVERY)?;
        if random.below(one_in) == 0 { look(index) } else { Ok(true) }
    })
}

/// The value of a position, if it matches.
fn matching(
    open: &OpenGame,
    index: Index,
    knowledge: Knowledge,
    wanted: &FindQuery,
) -> Result<Option<Knowledge>, Error> {
    let knowledge = match knowledge {
        // Only its turns show whether a position that is not lost is won or drawn.
        Knowledge::NotLost if wanted.outcome != Outcome::Loss => {
            let knowledge = complete(open, knowledge, &open.position_at(index)?)?;
            bounds::check()?;
            knowledge
        }
        known => known,
    };
    let fits = knowledge.outcome() == Some(wanted.outcome)
        && wanted.turns.is_none_or(|turns| knowledge.turns().is_some_and(|has| has.0 == turns));
    Ok(fits.then_some(knowledge))
}

/// The number of positions with the value, according to the counts of the table.
fn expected_count(counts: &Counts, wanted: &FindQuery) -> u128 {
    match (wanted.outcome, wanted.turns) {
        (Outcome::Win, Some(turns)) => counts.by_turns.win.get(&turns).map_or(0, |count| count.0),
        (Outcome::Loss, Some(turns)) => counts.by_turns.loss.get(&turns).map_or(0, |count| count.0),
        (Outcome::Draw, Some(_)) => 0,
        (Outcome::Win, None) => counts.wins.0,
        (Outcome::Loss, None) => counts.losses.0,
        (Outcome::Draw, None) => counts.draws.0,
    }
}

/// Draws up to `limit` different positions in random order: by random tries if these succeed
/// quickly, otherwise by a scan of the whole table.
fn draw(
    open: &OpenGame,
    values: &dyn ValueStore,
    wanted: &FindQuery,
    seed: u64,
    sample: &mut Vec<(Index, Knowledge)>,
) -> Result<(), Error> {
    let mut random = Random::new(seed);
    let mut watch = Watch::default();
    let places = values.facts().place_count;
    let expected = expected_count(values.facts().counts, wanted);
    let lookups = u128::from(places) * u128::from(wanted.limit) / expected.max(1);
    let few = u128::from((places / SCAN_COST).max(SCAN_COST));
    if places > 0 && lookups <= few && u128::from(wanted.limit) * 2 <= expected {
        let mut seen = HashSet::new();
        // Counts may include finished positions without an index, so tries may fail more often.
        for _ in 0..few * 8 {
            watch.tick(CHECK_EVERY)?;
            let (index, stored) = values.at(random.below(places))?;
            let Stored::Known(knowledge) = stored else { continue };
            if let Some(knowledge) = matching(open, index, knowledge, wanted)?
                && seen.insert(index)
            {
                sample.push((index, knowledge));
                if sample.len() as u64 == wanted.limit {
                    return Ok(());
                }
            }
        }
        sample.clear();
    }
    let limit = usize::try_from(wanted.limit).unwrap_or(usize::MAX);
    let mut matched: u64 = 0;
    scan_for(values, wanted, &mut |index, knowledge| {
        watch.tick(CHECK_EVERY)?;
        if let Some(knowledge) = matching(open, index, knowledge, wanted)? {
            matched += 1;
            if sample.len() < limit {
                sample.push((index, knowledge));
            } else {
                let place = random.below(matched);
                if let Some(slot) = usize::try_from(place).ok().and_then(|place| sample.get_mut(place)) {
                    *slot = (index, knowledge);
                }
            }
        }
        Ok(true)
    })?;
    random.shuffle(sample);
    Ok(())
}

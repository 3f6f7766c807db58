//! `find`: finds positions with a given value.

use retrograde_game::Outcome;
use schemars::JsonSchema;
use serde::Serialize;

use crate::request::fields::{Fields, Param, RequestLimits};
use crate::request::order::{Order, RANDOM, SEED};
use crate::request::problem::Problem;
use crate::request::route::{Host, HttpMethod, Request, Route, read};
use crate::{Error, FindQuery, Found, OpenGame, Visit};

/// The default number of positions.
const USUAL: u64 = 10;

pub(super) const ROUTE: Route = Route {
    method: HttpMethod::Get,
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
    body: "",
    answer: ("The positions", "FoundList"),
    refusals: &[
        (400, "The query is invalid"),
        (404, "There is no such game, or no table"),
        (503, "They were not found in time"),
    ],
    read: read::<FindRequest>,
};

/// A request for positions with a given value.
#[derive(Clone, Debug)]
pub struct FindRequest {
    /// The outcome for the side to move.
    pub outcome: Outcome,
    /// The turns to the end; `None` means any.
    pub turns: Option<u16>,
    /// The order.
    pub order: Order,
    /// The maximum number to find.
    pub limit: u64,
}

/// Positions with a value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct FoundList {
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

impl FindRequest {
    /// Visits the positions one by one. Returns the seed of random choices, if there were any, and whether the
    /// search was complete.
    ///
    /// # Errors
    /// As [`OpenGame::find`].
    pub fn each(
        &self,
        game: &OpenGame,
        host: &dyn Host,
        visit: &mut Visit<'_, Found>,
    ) -> Result<(Option<u64>, bool), Error> {
        let random = self.order.seed(host);
        let query = FindQuery { outcome: self.outcome, turns: self.turns, random, limit: self.limit };
        Ok((random, game.find(&query, visit)?))
    }
}

impl Request for FindRequest {
    type Answer = FoundList;

    fn read(fields: &Fields<'_>, limits: &RequestLimits) -> Result<FindRequest, Problem> {
        let outcome = fields.text("outcome").and_then(Outcome::from_word);
        Ok(FindRequest {
            outcome: outcome.ok_or_else(|| Problem::bad("query", "`outcome` is missing"))?,
            turns: fields.number("turns")?,
            order: Order::read(fields)?,
            limit: fields.number_up_to("limit", USUAL, limits.found)?,
        })
    }

    fn answer(&self, game: &OpenGame, host: &dyn Host) -> Result<FoundList, Error> {
        let mut positions = Vec::new();
        let (seed, complete) = self.each(game, host, &mut |found| {
            positions.push(found);
            Ok(true)
        })?;
        Ok(FoundList { game: game.name().to_owned(), seed, positions, incomplete: !complete })
    }

    fn repeats(&self, answer: &FoundList) -> bool {
        self.order.repeats() && !answer.incomplete
    }
}

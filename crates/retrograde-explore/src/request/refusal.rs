//! `refusal`: explains why touched squares are not a step.

use std::ops::ControlFlow;

use retrograde_game::Seat;
use schemars::JsonSchema;
use serde::Serialize;

use crate::query::written;
use crate::request::fields::{Fields, Param, RequestLimits};
use crate::request::problem::Problem;
use crate::request::route::{Host, Request, Route, read};
use crate::{Error, OpenGame, bounds};

/// More squares than any step has.
const MAX_SQUARES: usize = 64;

pub(super) const ROUTE: Route = Route {
    path: "refusal",
    name: "refusal",
    topic: "positions",
    summary: "Why a step with these squares is not allowed, in a sentence",
    description: "The reason is null if the squares are a step or the beginning of one, or if the game gives no reasons.",
    params: &[
        Param::text("position", "The position, seen by the side to move; the start by default."),
        Param::to_move("The player to move; `first` by default."),
        Param::MOVES,
        Param::text(
            "squares",
            "The squares in order, as the first player sees them, separated by commas: `a1,b2`.",
        )
        .required(),
    ],
    body: None,
    answer: ("The reason", "Refusal"),
    refusals: &[(400, "The position or a step is invalid"), (404, "There is no such game")],
    read: read::<RefusalRequest>,
};

/// A request to explain why squares are not a step.
#[derive(Clone, Debug)]
pub(crate) struct RefusalRequest {
    /// The position; `None`: the start.
    pub position: Option<String>,
    /// The player to move in it.
    pub to_move: Seat,
    /// The steps that were made.
    pub prefix: Vec<String>,
    /// The squares that were touched, as the first player sees them.
    pub squares: Vec<String>,
}

/// Why touched squares are not a step (only over HTTP).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Refusal {
    /// The canonical name of the game.
    pub game: String,
    /// The reason in a sentence; null if they are a step, or the game gives no reasons.
    pub reason: Option<String>,
}

impl Request for RefusalRequest {
    type Answer = Refusal;

    fn read(fields: &Fields<'_>, _: &RequestLimits) -> Result<RefusalRequest, Problem> {
        let squares: Vec<String> =
            fields.text("squares").iter().flat_map(|text| text.split(',')).map(str::to_owned).collect();
        if squares.len() > MAX_SQUARES {
            return Err(Problem::bad("query", format!("`squares` can have at most {MAX_SQUARES} squares")));
        }
        let position = fields.text("position").map(str::to_owned);
        Ok(RefusalRequest { position, to_move: fields.seat(), prefix: fields.steps()?, squares })
    }

    fn answer(&self, game: &OpenGame, _: &dyn Host) -> Result<Refusal, Error> {
        let rules = &*game.entry.game;
        let position = self.position.clone().unwrap_or_else(|| game.start());
        let position = written::position(rules, &position)?;
        let to_move = rules.seat(&position).unwrap_or(self.to_move);
        let prefix = &*written::steps(rules, &position, &self.prefix);
        rules.each_step(&position, prefix, &mut |_| ControlFlow::Break(()))?;
        let squares: Vec<&str> = self.squares.iter().map(String::as_str).collect();
        let reason = rules.refusal(&position, to_move, prefix, &squares);
        // After an interruption the rules have not seen all steps.
        bounds::check()?;
        Ok(Refusal { game: game.name().to_owned(), reason })
    }
}

//! `refusal`: explains why touched squares are not a step.

use std::ops::ControlFlow;

use schemars::JsonSchema;
use serde::Serialize;

use crate::bounds;
use crate::query::written;
use crate::{Fields, Param, Problem, Question, RequestLimits, Route};

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
    read,
};

/// Why touched squares are not a step (only over HTTP).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub(crate) struct Refusal {
    /// The canonical name of the game.
    pub game: String,
    /// The reason in a sentence; null if they are a step, or the game gives no reasons.
    pub reason: Option<String>,
}

fn read(fields: &Fields<'_>, _: &RequestLimits) -> Result<Question, Problem> {
    let squares: Vec<String> =
        fields.text("squares").iter().flat_map(|text| text.split(',')).map(str::to_owned).collect();
    if squares.len() > MAX_SQUARES {
        return Err(Problem::bad("query", format!("`squares` can have at most {MAX_SQUARES} squares")));
    }
    let (position, to_move, prefix) = (fields.position(), fields.seat(), fields.steps()?);
    Ok(Question::new(0, move |game, _| {
        let rules = &*game.entry.game;
        let position = written::position(rules, &position(game))?;
        let to_move = rules.seat(&position).unwrap_or(to_move);
        let prefix = &*written::steps(rules, &position, &prefix);
        rules.each_step(&position, prefix, &mut |_| ControlFlow::Break(()))?;
        let squares: Vec<&str> = squares.iter().map(String::as_str).collect();
        let reason = rules.refusal(&position, to_move, prefix, &squares);
        // After an interruption the rules have not seen all steps.
        bounds::check()?;
        Ok(Refusal { game: game.name().to_owned(), reason })
    }))
}

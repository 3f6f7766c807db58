//! `line`, the best turns to the end, and `steps`, the ways to continue a turn that has begun.

use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::message::answer::Answer;
use crate::message::input::{Player, UrlPath, UrlQuery, bounded};
use crate::message::problem::Problem;
use crate::state::Server;

/// Turns of a line if nothing is said.
const TURNS: usize = 200;
/// More steps than any turn has.
const MOST_STEPS: usize = 100;

/// Which line.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LineQuery {
    /// The position that it begins with, seen by the side to move; without it the start.
    position: Option<String>,
    /// Which player is to move in it; `first` if not given.
    #[param(inline)]
    to_move: Option<Player>,
    /// The most turns; 200 if not given.
    limit: Option<usize>,
}

/// Which turn, and how much of it.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct StepsQuery {
    /// The position, seen by the side to move; without it the start.
    position: Option<String>,
    /// Which player is to move in it; `first` if not given.
    #[param(inline)]
    to_move: Option<Player>,
    /// The steps that were made, with commas between them, as in `d1-a2,d3-c3`; none if not given.
    moves: Option<String>,
}

/// One best line to the end: `line --json`
#[utoipa::path(
    get,
    path = "/api/v1/games/{game}/line",
    tag = "positions",
    params(("game" = String, Path, description = "The name of a game"), LineQuery),
    responses(
        (status = 200, description = "The line", body = ref("#/components/schemas/line")),
        (status = 400, description = "This is no position", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn line(
    State(server): State<Server>,
    UrlPath(game): UrlPath<String>,
    UrlQuery(query): UrlQuery<LineQuery>,
) -> Result<Answer, Problem> {
    let most = bounded("limit", query.limit, TURNS, server.config.limits.line)?;
    server.metrics.probes.inc();
    server
        .ask(game, move |opened, budget| {
            let position = query.position.unwrap_or_else(|| opened.game.start());
            let to_move = query.to_move.unwrap_or_default().into();
            let line = opened.game.line(&position, to_move, most, &budget.search())?;
            let answer = Answer::json(&line, &opened.stamp)?;
            // Cut for want of time: another time it may be longer.
            let cut = line.ends == "limit" && line.line.len() < most;
            Ok(if cut { answer.uncached() } else { answer })
        })
        .await
}

/// How a turn can go on after some of its steps, each with the best value that it can still have
///
/// In Push Fight steps are moves and the push that ends the turn; in games whose turns are one step, they are the turns.
#[utoipa::path(
    get,
    path = "/api/v1/games/{game}/steps",
    tag = "positions",
    params(("game" = String, Path, description = "The name of a game"), StepsQuery),
    responses(
        (status = 200, description = "The steps that may follow", body = ref("#/components/schemas/steps")),
        (status = 400, description = "This is no position or no step", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn steps(
    State(server): State<Server>,
    UrlPath(game): UrlPath<String>,
    UrlQuery(query): UrlQuery<StepsQuery>,
) -> Result<Answer, Problem> {
    let moves = query.moves.filter(|moves| !moves.is_empty());
    let begun: Vec<String> = moves.iter().flat_map(|moves| moves.split(',')).map(str::to_owned).collect();
    if begun.len() > MOST_STEPS {
        return Err(Problem::bad("query", format!("`moves` has at most {MOST_STEPS} steps")));
    }
    server.metrics.probes.inc();
    server
        .ask(game, move |opened, budget| {
            let position = query.position.unwrap_or_else(|| opened.game.start());
            let to_move = query.to_move.unwrap_or_default().into();
            let steps = opened.game.steps(&position, to_move, &begun, &budget.search())?;
            Answer::json(&steps, &opened.stamp)
        })
        .await
}

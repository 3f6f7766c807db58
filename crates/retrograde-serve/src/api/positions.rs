//! Values of positions: one, with the value of every turn, or hundreds at once.

use axum::extract::State;
use retrograde_explore::Probe;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::games::OpenGame;
use crate::limits::pool::SearchBudget;
use crate::message::answer::Answer;
use crate::message::input::{Json, Player, UrlPath, UrlQuery};
use crate::message::problem::Problem;
use crate::state::Server;

/// Which position.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PositionQuery {
    /// The position, seen by the side to move; without it the start.
    position: Option<String>,
    /// Which player is to move in it; `first` if not given. It changes `board`, `to_move` and `turn_on_board` only.
    #[param(inline)]
    to_move: Option<Player>,
}

/// Who is to move.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PlayerQuery {
    /// Which player is to move in it; `first` if not given. It changes `board`, `to_move` and `turn_on_board` only.
    #[param(inline)]
    to_move: Option<Player>,
}

/// Positions to look up at once.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Batch {
    /// The positions, each seen by the side to move.
    positions: Vec<String>,
    /// Which player is to move in all of them; `first` if not given.
    to_move: Option<Player>,
}

/// What was found of each position, in the order of the request.
#[derive(Serialize, ToSchema)]
pub(crate) struct BatchAnswer {
    /// The canonical name of the game.
    game: String,
    /// One entry a position.
    answers: Vec<BatchItem>,
}

/// What was found of a position: either `answer` or `problem`.
#[derive(Serialize, ToSchema)]
pub(crate) struct BatchItem {
    /// The position as it was given.
    position: String,
    /// Its value and that of every turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = crate::message::schemas::probe)]
    answer: Option<Probe>,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<Problem>,
}

fn probed(
    opened: &OpenGame,
    budget: SearchBudget,
    position: Option<&str>,
    to_move: Option<Player>,
) -> Result<Probe, Problem> {
    let game = &opened.game;
    let start;
    let position = match position {
        Some(position) => position,
        None => {
            start = game.start();
            &start
        }
    };
    Ok(game.probe(position, to_move.unwrap_or_default().into(), &budget.search())?)
}

async fn one(
    server: Server,
    game: String,
    position: Option<String>,
    to_move: Option<Player>,
) -> Result<Answer, Problem> {
    server.metrics.probes.inc();
    server
        .ask(game, move |opened, budget| {
            let probe = probed(opened, budget, position.as_deref(), to_move)?;
            Answer::json(&probe, &opened.stamp)
        })
        .await
}

/// A position and every turn with their values: `probe --json`
#[utoipa::path(
    get,
    path = "/api/v1/games/{game}/positions",
    tag = "positions",
    params(("game" = String, Path, description = "The name of a game"), PositionQuery),
    responses(
        (status = 200, description = "The position", body = ref("#/components/schemas/probe")),
        (status = 400, description = "This is no position", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn position(
    State(server): State<Server>,
    UrlPath(game): UrlPath<String>,
    UrlQuery(query): UrlQuery<PositionQuery>,
) -> Result<Answer, Problem> {
    one(server, game, query.position, query.to_move).await
}

/// The same with the position in the path, percent-encoded: `/` is `%2F`, which some proxies do not let through
#[utoipa::path(
    get,
    path = "/api/v1/games/{game}/positions/{position}",
    tag = "positions",
    params(
        ("game" = String, Path, description = "The name of a game"),
        ("position" = String, Path, description = "The position, seen by the side to move"),
        PlayerQuery,
    ),
    responses(
        (status = 200, description = "The position", body = ref("#/components/schemas/probe")),
        (status = 400, description = "This is no position", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn position_in_path(
    State(server): State<Server>,
    UrlPath((game, position)): UrlPath<(String, String)>,
    UrlQuery(query): UrlQuery<PlayerQuery>,
) -> Result<Answer, Problem> {
    one(server, game, Some(position), query.to_move).await
}

/// Many positions at once, each answered or with a problem of its own
#[utoipa::path(
    post,
    path = "/api/v1/games/{game}/positions",
    tag = "positions",
    params(("game" = String, Path, description = "The name of a game")),
    request_body = Batch,
    responses(
        (status = 200, description = "What was found of each", body = BatchAnswer),
        (status = 400, description = "The body cannot be read", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game", body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "Too long, or too many positions", body = Problem, content_type = "application/problem+json"),
        (status = 415, description = "The body is not JSON", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn batch(
    State(server): State<Server>,
    UrlPath(game): UrlPath<String>,
    Json(batch): Json<Batch>,
) -> Result<Answer, Problem> {
    let most = server.config.limits.batch;
    if batch.positions.len() > most {
        let detail = format!("a batch has at most {most} positions here, found {}", batch.positions.len());
        return Err(Problem::too_large(axum::http::StatusCode::PAYLOAD_TOO_LARGE, detail));
    }
    server.metrics.probes.inc_by(batch.positions.len() as u64);
    server
        .ask(game, move |opened, budget| {
            let item = |position: String| {
                let (answer, problem) = match probed(opened, budget, Some(&position), batch.to_move) {
                    Ok(probe) => (Some(probe), None),
                    Err(problem) => (None, Some(problem)),
                };
                BatchItem { position, answer, problem }
            };
            let answers = batch.positions.into_iter().map(item).collect();
            let answer = BatchAnswer { game: opened.game.name().to_owned(), answers };
            Ok(Answer::json(&answer, &opened.stamp)?.uncached())
        })
        .await
}

//! `view`, a position square by square for a page to draw, and `annotate`, a played game with marks.

use axum::extract::State;
use retrograde_explore::{Annotation, View, read_turns};
use retrograde_game::Seat;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::message::answer::Answer;
use crate::message::input::{Json, Player, UrlPath, UrlQuery};
use crate::message::problem::Problem;
use crate::state::Server;

/// What to see.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ViewQuery {
    /// The position, seen by the side to move; without it the start.
    position: Option<String>,
    /// The position as the first player sees it, instead of `position`.
    board: Option<String>,
    /// Which player is to move in it; `first` if not given.
    #[param(inline)]
    to_move: Option<Player>,
    /// A turn, in the coordinates of the player who makes it.
    turn: Option<String>,
}

/// A game that was played.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlayedGame {
    /// The position that it began with, seen by the side to move; without it the start.
    position: Option<String>,
    /// Who was to move there; `first` if not given.
    to_move: Option<Player>,
    /// The turns, as their makers or as the first player writes them.
    turns: Vec<String>,
}

/// A game that was played, with marks.
#[derive(Serialize, ToSchema)]
pub(crate) struct AnnotatedGame {
    /// The canonical name of the game.
    game: String,
    /// The position that it began with, seen by the side to move.
    position: String,
    /// Who was to move there: `first` or `second`.
    to_move: &'static str,
    /// The turns with their values and marks.
    #[schema(schema_with = crate::message::schemas::annotation_list)]
    turns: Vec<Annotation>,
}

/// A position square by square as the first player sees it, and what a turn does there
#[utoipa::path(
    get,
    path = "/api/v1/games/{game}/view",
    tag = "pictures",
    params(("game" = String, Path, description = "The name of a game"), ViewQuery),
    responses(
        (status = 200, description = "What is to be drawn", body = ref("#/components/schemas/view")),
        (status = 400, description = "This is no position or no turn", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn view(
    State(server): State<Server>,
    UrlPath(game): UrlPath<String>,
    UrlQuery(query): UrlQuery<ViewQuery>,
) -> Result<Answer, Problem> {
    if query.position.is_some() && query.board.is_some() {
        return Err(Problem::bad("query", "either `position` or `board`, not both"));
    }
    server
        .ask(game, move |opened, _| {
            let game = &*opened.game;
            let to_move: Seat = query.to_move.unwrap_or_default().into();
            let position = match (query.position, query.board) {
                (Some(position), _) => position,
                (None, Some(board)) => game.position_from_board(&board, to_move)?,
                (None, None) => game.start(),
            };
            Answer::json(&View::new(game, &position, to_move, query.turn.as_deref())?, &opened.stamp)
        })
        .await
}

/// Marks the turns of a game that was played: `annotate --json`
#[utoipa::path(
    post,
    path = "/api/v1/games/{game}/annotate",
    tag = "positions",
    params(("game" = String, Path, description = "The name of a game")),
    request_body = PlayedGame,
    responses(
        (status = 200, description = "The turns", body = AnnotatedGame),
        (status = 400, description = "The body, or a turn, cannot be read", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game", body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "Too long, or too many turns", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn annotate(
    State(server): State<Server>,
    UrlPath(game): UrlPath<String>,
    Json(played): Json<PlayedGame>,
) -> Result<Answer, Problem> {
    let most = server.config.limits.batch;
    if played.turns.len() > most {
        let detail = format!("a game has at most {most} turns here, found {}", played.turns.len());
        return Err(Problem::too_large(axum::http::StatusCode::PAYLOAD_TOO_LARGE, detail));
    }
    server.metrics.probes.inc_by(played.turns.len() as u64);
    server
        .ask(game, move |opened, budget| {
            let game = &*opened.game;
            let position = game.canonical(&played.position.unwrap_or_else(|| game.start()))?;
            let to_move: Seat = played.to_move.unwrap_or_default().into();
            let turns = read_turns(game, &position, to_move, &played.turns)?;
            let turns = game.annotate(&position, to_move, &turns, &budget.search())?;
            let name = game.name().to_owned();
            let answer = AnnotatedGame { game: name, position, to_move: to_move.word(), turns };
            Ok(Answer::json(&answer, &opened.stamp)?.uncached())
        })
        .await
}

//! `games`, one game, and `stats`: the games of this server, and one game in numbers.

use std::sync::Arc;

use axum::extract::State;
use retrograde_explore::{About, Plan, SolveOptions, Verdict};
use serde::Serialize;
use utoipa::ToSchema;

use crate::games::{OpenGame, stamp};
use crate::message::answer::Answer;
use crate::message::input::UrlPath;
use crate::message::problem::Problem;
use crate::state::Server;

/// The games to list. Others can be asked for by their names too.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameList {
    /// The games.
    pub games: Vec<GameSummary>,
}

/// A game in a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameSummary {
    /// What it is.
    #[schema(schema_with = crate::message::schemas::about)]
    pub about: About,
    /// Whether there is a table.
    pub table: bool,
    /// The value of the position in which it begins, for the side to move; null without a table.
    #[schema(schema_with = crate::message::schemas::verdict_or_null)]
    pub start: Option<Verdict>,
}

/// A game.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameAnswer {
    /// What it is.
    #[schema(schema_with = crate::message::schemas::about)]
    pub about: About,
    /// Whether there is a table.
    pub table: bool,
    /// The value of the position in which it begins, for the side to move; null without a table.
    #[schema(schema_with = crate::message::schemas::verdict_or_null)]
    pub start: Option<Verdict>,
    /// What solving it would take.
    #[schema(schema_with = crate::message::schemas::plan)]
    pub plan: Plan,
}

/// The value of the start as the table says it. Without a table nothing is searched for a list.
fn start(opened: &OpenGame) -> Option<Verdict> {
    opened.game.statistics().ok().map(|statistics| statistics.start)
}

/// The games to list: those of the families' examples, and those that have tables
#[utoipa::path(
    get,
    path = "/api/v1/games",
    tag = "games",
    responses((status = 200, description = "The games", body = GameList)),
)]
pub(crate) async fn games(State(server): State<Server>) -> Result<Answer, Problem> {
    let shared = Arc::clone(&server);
    let games = server.pool.run(move |_| {
        let list = shared.games.list();
        let stamps: String = list.iter().map(|opened| opened.stamp.as_str()).collect();
        let summary = |opened: &Arc<OpenGame>| GameSummary {
            about: opened.about.clone(),
            table: opened.game.has_table(),
            start: start(opened),
        };
        Answer::json(&GameList { games: list.iter().map(summary).collect() }, &stamp(&stamps))
    });
    games.await
}

/// A game: what it is, whether there is a table, who wins, and what solving it would take
#[utoipa::path(
    get,
    path = "/api/v1/games/{game}",
    tag = "games",
    params(("game" = String, Path, description = "The name of a game, such as `touchdown:5x4`")),
    responses(
        (status = 200, description = "The game", body = GameAnswer),
        (status = 404, description = "There is no such game", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn game(
    State(server): State<Server>,
    UrlPath(game): UrlPath<String>,
) -> Result<Answer, Problem> {
    server
        .ask(game, |opened, _| {
            let (about, plan) = (opened.about.clone(), opened.subject.plan(&SolveOptions::default()));
            let (table, start) = (opened.game.has_table(), start(opened));
            Answer::json(&GameAnswer { about, table, start, plan }, &opened.stamp)
        })
        .await
}

/// A whole game in numbers: `stats --json`. Needs a table
#[utoipa::path(
    get,
    path = "/api/v1/games/{game}/stats",
    tag = "games",
    params(("game" = String, Path, description = "The name of a game")),
    responses(
        (status = 200, description = "The numbers, all for the side to move", body = ref("#/components/schemas/statistics")),
        (status = 404, description = "There is no such game, or no table", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn stats(
    State(server): State<Server>,
    UrlPath(game): UrlPath<String>,
) -> Result<Answer, Problem> {
    server.ask(game, |opened, _| Answer::json(&opened.game.statistics()?, &opened.stamp)).await
}

//! The games of this server, and one game in a few words.

use std::sync::Arc;

use axum::extract::State;
use retrograde_explore::{GameAnswer, GameList, GameSummary, SolveOptions};

use crate::games::{ServedGame, stamp};
use crate::limits::client::Client;
use crate::limits::pool::Effort;
use crate::message::answer::Answer;
use crate::message::input::UrlPath;
use crate::message::refusal::Refusal;
use crate::state::Server;

fn summary(opened: &ServedGame) -> GameSummary {
    GameSummary::new(opened.about.clone(), &opened.game)
}

/// The games to list: the families' examples, and games with tables
pub(crate) async fn games(State(server): State<Server>, client: Client) -> Result<Answer, Refusal> {
    let shared = Arc::clone(&server.games);
    let games = server.pool.run(client, Effort::Opening, move |_| {
        let (mut stamps, mut games) = (String::new(), Vec::new());
        shared.each_listed(&mut |opened| {
            stamps.push_str(&opened.stamp);
            games.push(summary(opened));
        });
        Answer::json(&GameList { games }, &stamp(&stamps))
    });
    games.await
}

/// A game: what it is, whether there is a table, who wins, and what solving it would take
pub(crate) async fn game(
    State(server): State<Server>,
    client: Client,
    UrlPath(game): UrlPath<String>,
) -> Result<Answer, Refusal> {
    server
        .ask(client, game, Effort::Opening, |opened, _| {
            // It may take a second and cannot be interrupted.
            let plan = opened.subject.plan(&SolveOptions::default());
            Answer::json(&GameAnswer { summary: summary(opened), plan }, &opened.stamp)
        })
        .await
}

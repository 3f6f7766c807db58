//! Handles requests about a game: parses path, query and body, and queries the game.

use std::hash::{BuildHasher, RandomState};

use axum::body::Bytes;
use axum::extract::State;
use axum::routing::{MethodRouter, get, post};
use retrograde_explore::{Bounds, Error, Host, Problem, Route, SearchLimits};

use crate::limits::client::Client;
use crate::limits::pool::{Effort, SearchBudget};
use crate::message::answer::Answer;
use crate::message::input::{JsonBody, Texts, UrlPath, UrlQuery};
use crate::message::refusal::Refusal;
use crate::state::Server;

/// The handler of a request.
pub(crate) fn handler(route: &'static Route) -> MethodRouter<Server> {
    match route.body {
        None => get(
            move |State(server): State<Server>,
                  client: Client,
                  UrlPath(path): UrlPath<Texts>,
                  UrlQuery(query)| { ask(server, client, route, (path, query), Bytes::new()) },
        ),
        Some(_) => post(
            async move |State(server): State<Server>,
                        client: Client,
                        UrlPath(path): UrlPath<Texts>,
                        JsonBody(body, _held)| {
                ask(server, client, route, (path, Texts::new()), body).await
            },
        ),
    }
}

async fn ask(
    server: Server,
    client: Client,
    route: &'static Route,
    (path, query): (Texts, Texts),
    body: Bytes,
) -> Result<Answer, Refusal> {
    let (game, mut texts): (Texts, Texts) = path.into_iter().partition(|(name, _)| name == "game");
    let game = game.into_iter().next().map(|(_, game)| game).ok_or_else(Refusal::not_found)?;
    texts.extend(query);
    let question = route.request(&texts, &body, &server.config.limits.requests)?;
    server.metrics.probes.inc_by(question.positions);
    server
        .ask(client, game, Effort::Unknown, move |opened, budget| {
            let reply = question.reply(&opened.game, &budget)?;
            let answer = Answer::cacheable("application/json", reply.json, &opened.stamp);
            // Answers to requests with a body cannot be cached. One that a lack of time has cut short may be
            // longer next time.
            let repeats = reply.repeats && route.body.is_none() && !Bounds::reached();
            Ok(if repeats { answer } else { answer.uncached() })
        })
        .await
}

impl Host for SearchBudget {
    fn search(&self) -> SearchLimits {
        SearchBudget::search(self)
    }

    fn seed(&self) -> u32 {
        // The standard library's hasher has a different state each time.
        RandomState::new().hash_one(0) as u32
    }

    fn problem(&self, error: Error) -> Problem {
        Refusal::from(error).0
    }
}

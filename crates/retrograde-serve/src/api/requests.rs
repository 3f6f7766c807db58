//! The requests of the table [`ROUTES`]: reads each from its path, query and body, and asks the
//! game.

use std::hash::{BuildHasher, RandomState};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::{get, post};
use retrograde_explore::request::{Host, HttpMethod, Problem, ROUTES, Route};
use retrograde_explore::{Error, SearchLimits};

use crate::limits::client::Client;
use crate::limits::pool::{Effort, SearchBudget};
use crate::message::answer::Answer;
use crate::message::input::{JsonBody, UrlPath, UrlQuery};
use crate::message::refusal::Refusal;
use crate::state::Server;

/// Names and texts of parameters, as they stand in a path or a query.
type Texts = Vec<(String, String)>;

/// A route for each request.
pub(super) fn routes() -> Router<Server> {
    ROUTES.iter().fold(Router::new(), |router, route| {
        let handler = match route.method {
            HttpMethod::Get => get(
                move |State(server): State<Server>,
                      client: Client,
                      UrlPath(path): UrlPath<Texts>,
                      UrlQuery(query)| {
                    ask(server, client, route, (path, query), Bytes::new())
                },
            ),
            HttpMethod::Post => post(
                async move |State(server): State<Server>,
                            client: Client,
                            UrlPath(path): UrlPath<Texts>,
                            JsonBody(body, _held)| {
                    ask(server, client, route, (path, Texts::new()), body).await
                },
            ),
        };
        router.route(&format!("/games/{{game}}/{}", route.path), handler)
    })
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
    let request = route.request(&texts, &body, &server.config.limits.requests)?;
    server.metrics.probes.inc_by(request.positions());
    server
        .ask(client, game, Effort::Unknown, move |opened, budget| {
            let reply = request.reply(&opened.game, &budget)?;
            let answer = Answer::cacheable("application/json", reply.json, &opened.stamp);
            // Clients may not keep the answer to a body.
            let repeats = reply.repeats && route.method == HttpMethod::Get;
            Ok(if repeats { answer } else { answer.uncached() })
        })
        .await
}

impl Host for SearchBudget {
    fn search(&self) -> SearchLimits {
        SearchBudget::search(self)
    }

    fn seed(&self) -> u32 {
        // Every state of the standard library's hasher is another.
        RandomState::new().hash_one(0) as u32
    }

    fn problem(&self, error: Error) -> Problem {
        Refusal::from(error).0
    }
}

//! Answers the page's requests, with the server's paths, for one game.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use retrograde_explore::{
    About, AnyGame, Error, GameAnswer, GameList, GameSummary, Host, Loader, OpenGame, Plan, Problem, ROUTES,
    Registry, RequestLimits, SearchLimits,
};
use retrograde_table::Storage;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// The limits of a search, for positions without a value in the table.
pub(crate) const SEARCH: SearchLimits =
    SearchLimits { nodes: 200_000, time: Duration::from_millis(500), depth: None };

/// Limits that disable searches, so that values come only from the rules and the table.
pub(crate) const NO_SEARCH: SearchLimits =
    SearchLimits { nodes: 0, time: Duration::from_secs(1), depth: None };

/// A request.
#[derive(Deserialize)]
struct Question {
    path: String,
    #[serde(default)]
    query: Map<String, Json>,
    #[serde(default)]
    body: Json,
}

/// A game that answers requests.
pub(crate) struct NamedGame<'r> {
    /// For alternative names.
    pub registry: &'r Registry,
    pub subject: Arc<AnyGame>,
    pub about: About,
    pub game: Arc<OpenGame>,
}

impl<'r> NamedGame<'r> {
    /// The game with a name and the files in a storage. For a board from a file, `board` is its text.
    pub fn open(
        registry: &'r Registry,
        name: &str,
        board: Option<&str>,
        storage: Arc<dyn Storage>,
    ) -> Result<NamedGame<'r>, Error> {
        let loader = match board.map(|text| text.as_bytes().to_vec()) {
            Some(bytes) => Loader::new(move |_| Ok(bytes.clone())),
            None => Loader::none(),
        };
        let subject: Arc<AnyGame> = registry.find(name, &loader)?;
        let game = subject.explore_in(storage, Path::new(""))?.into();
        Ok(NamedGame { registry, about: subject.about(), subject, game })
    }

    /// Answers any request: an HTTP status and an object. `plan` is the cost of solving, if there is one.
    pub fn ask(&self, limits: &SearchLimits, plan: Option<Plan>, question: &[u8]) -> String {
        match self.attempt(limits, plan, question) {
            Ok(body) => response(200, &body),
            Err(problem) => refused(&problem),
        }
    }

    /// The object that answers a request, or the problem.
    pub fn attempt(
        &self,
        limits: &SearchLimits,
        plan: Option<Plan>,
        question: &[u8],
    ) -> Result<Vec<u8>, Problem> {
        let question = serde_json::from_slice::<Question>(question)
            .map_err(|error| Problem::bad("body", error.to_string()))?;
        answered(self, limits, plan, &question)
    }

    /// Whether a name refers to the game, also in an alternative spelling.
    fn is_called(&self, name: &str) -> bool {
        let found = || self.registry.find(name, &Loader::none()).ok();
        name == self.game.name() || found().is_some_and(|found| found.command_name() == self.game.name())
    }
}

/// A problem as an answer.
pub(crate) fn refused(problem: &Problem) -> String {
    // Numbers and texts can always be serialised.
    response(problem.status, &serde_json::to_vec(problem).unwrap_or_default())
}

/// An answer with its status.
pub(crate) fn response(status: u16, body: &[u8]) -> String {
    format!("{{\"status\":{status},\"body\":{}}}", String::from_utf8_lossy(body))
}

fn answered(
    answering: &NamedGame<'_>,
    limits: &SearchLimits,
    plan: Option<Plan>,
    question: &Question,
) -> Result<Vec<u8>, Problem> {
    let game = &answering.game;
    let parts: Vec<String> = question.path.split('/').map(decoded).collect();
    let summary = || GameSummary::new(answering.about.clone(), game);
    match parts.as_slice() {
        [games] if games == "games" => written(&GameList { games: vec![summary()] }),
        [games, name, ..] if games == "games" && !answering.is_called(name) => {
            let detail = format!("this page only has {}", game.name());
            Err(Problem::new(404, "game", "There is no such game", detail))
        }
        [games, _] if games == "games" => match plan {
            Some(plan) => written(&GameAnswer { summary: summary(), plan }),
            None => written(&summary()),
        },
        [games, _, rest @ ..] if games == "games" => requested((game, limits), question, rest),
        _ => Err(Problem::not_found()),
    }
}

/// Answers a request from the table of routes.
fn requested(
    (game, limits): (&OpenGame, &SearchLimits),
    question: &Question,
    path: &[String],
) -> Result<Vec<u8>, Problem> {
    let routes = ROUTES.iter().filter(|route| route.body.is_none() == question.body.is_null());
    let (route, mut texts) = routes
        .filter_map(|route| route.matches(path).map(|texts| (route, texts)))
        .next()
        .ok_or_else(Problem::not_found)?;
    texts.extend(question.texts());
    let body = written(&question.body)?;
    let asked = route.request(&texts, &body, &RequestLimits::default())?;
    let reply = asked.reply(game, limits).map_err(|error| SEARCH.problem(error))?;
    Ok(reply.json)
}

impl Question {
    /// The query as texts, without empty values, as in the page's paths.
    fn texts(&self) -> impl Iterator<Item = (String, String)> {
        self.query.iter().filter_map(|(name, value)| {
            let text = match value {
                Json::Null => return None,
                Json::String(text) => text.clone(),
                other => other.to_string(),
            };
            (!text.is_empty()).then(|| (name.clone(), text))
        })
    }
}

fn written(value: &impl Serialize) -> Result<Vec<u8>, Problem> {
    serde_json::to_vec(value).map_err(|error| SEARCH.problem(Error::Io(error.into())))
}

/// Unescapes a part of a path.
fn decoded(part: &str) -> String {
    percent_encoding::percent_decode_str(part).decode_utf8_lossy().into_owned()
}

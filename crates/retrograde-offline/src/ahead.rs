//! Precomputes the answers to a page's first requests about a game when a site is written, so that the first
//! board waits neither for the module nor for tables.

use std::sync::Arc;

use retrograde_explore::{AnyGame, OpenGame, Registry};
use serde_json::{Map, Value as Json, json};

use crate::answers::{NamedGame, SEARCH};

/// The maximum size in bytes of the answers that the first board waits for.
const MAX_SHORT: usize = 200_000;
/// The maximum size in bytes of an answer in a separate file. A page computes longer answers as quickly.
const MAX_ANSWER: usize = 16 << 20;

/// The answers to a page's first requests about a game.
pub struct AnswersAhead {
    /// The short answers: a JSON object from requests to answers.
    pub short: String,
    /// Answers that would delay the first board, such as the values of thousands of placements: each request
    /// with its answer as JSON.
    pub long: Vec<(String, String)>,
}

/// The answers to a page's first requests about a game. The name of a request is
/// `view?position=…&to_move=first`: the path below the game, and the unescaped query in alphabetical order.
pub fn answers_ahead(registry: &Registry, subject: &Arc<AnyGame>, game: &Arc<OpenGame>) -> AnswersAhead {
    answers_split_at(MAX_SHORT, registry, subject, game)
}

/// The same with other limits for long answers.
pub fn answers_split_at(
    max_short: usize,
    registry: &Registry,
    subject: &Arc<AnyGame>,
    game: &Arc<OpenGame>,
) -> AnswersAhead {
    let (subject, about) = (Arc::clone(subject), subject.about());
    let named = NamedGame { registry, subject, about, game: Arc::clone(game) };
    let mut answers = Map::new();
    let mut long = Vec::new();
    let mut add = |what: &str, query: &[(&str, &str)]| -> Option<Json> {
        let fields: Map<String, Json> =
            query.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
        let path = format!("games/{}/{what}", encoded(game.name()));
        let question = json!({"path": path, "query": fields}).to_string();
        let text = named.attempt(&SEARCH, None, question.as_bytes()).ok()?;
        if text.len() > MAX_ANSWER {
            return None;
        }
        let answer: Json = serde_json::from_slice(&text).ok()?;
        if text.len() > max_short {
            long.push((wording(what, query), answer.to_string()));
        } else {
            answers.insert(wording(what, query), answer.clone());
        }
        Some(answer)
    };
    let start = game.start();
    let here = [("position", &*start), ("to_move", "first")];
    add("view", &here);
    let begin = add("view", &[]);
    // If the board starts empty, lists of games show it after some turns.
    let squares = begin.as_ref().and_then(|view| view["squares"].as_array());
    if squares.is_some_and(|squares| squares.iter().all(|square| square["piece"].is_null())) {
        for turns in ["2", "3"] {
            let Some(line) = add("line", &[("limit", turns)]) else { continue };
            if let (Some(end), Some(to_move)) = (line["end"].as_str(), line["end_to_move"].as_str()) {
                add("view", &[("position", end), ("to_move", to_move)]);
            }
        }
    }
    add("rules", &[]);
    add("stats", &[]);
    add("positions", &here);
    add("steps", &here);
    AnswersAhead { short: Json::Object(answers).to_string(), long }
}

/// A request in the page's format.
fn wording(what: &str, query: &[(&str, &str)]) -> String {
    let mut texts: Vec<String> = query.iter().map(|(name, value)| format!("{name}={value}")).collect();
    texts.sort();
    if texts.is_empty() { what.to_owned() } else { format!("{what}?{}", texts.join("&")) }
}

/// Escapes a name for a path.
pub(crate) fn encoded(name: &str) -> String {
    name.replace('%', "%25").replace('/', "%2F")
}

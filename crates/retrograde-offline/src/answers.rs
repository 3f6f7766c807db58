//! Paths and what they answer, as the server has them, for one game.

use std::time::Duration;

use retrograde_explore::{About, Error, Explore, FindQuery, PuzzleKind, SearchLimits, View, read_turns};
use retrograde_game::{Outcome, Seat};
use serde::Deserialize;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

/// Positions of an answer and turns of a line if nothing is said, and at the most.
const FOUND: (u64, u64) = (10, 100);
const PUZZLES: (u64, u64) = (3, 20);
const TURNS: (u64, u64) = (200, 500);

/// A question.
#[derive(Deserialize)]
struct Question {
    path: String,
    #[serde(default)]
    query: Map<String, Json>,
    #[serde(default)]
    body: Json,
}

/// Why there is no answer: the status that a server would give, and words.
struct Refusal(u16, String);

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        let status = match error {
            Error::NoTable { .. } => 404,
            Error::Text(_) | Error::Turn { .. } => 400,
            Error::Unsupported(_) | Error::TooLarge(_) => 422,
            _ => 500,
        };
        Refusal(status, error.to_string())
    }
}

fn bad(what: impl Into<String>) -> Refusal {
    Refusal(400, what.into())
}

/// The answer to a question, whatever the question is.
pub(crate) fn answer(game: &dyn Explore, about: &About, question: &[u8]) -> String {
    let answered = serde_json::from_slice::<Question>(question)
        .map_err(|error| bad(error.to_string()))
        .and_then(|question| answered(game, about, &question));
    let (status, body) = match answered {
        Ok(body) => (200, body),
        Err(Refusal(status, detail)) => (status, json!({"status": status, "detail": detail}).to_string()),
    };
    format!("{{\"status\":{status},\"body\":{body}}}")
}

fn written(value: &impl Serialize) -> Result<String, Refusal> {
    serde_json::to_string(value).map_err(|error| Refusal(500, error.to_string()))
}

impl Question {
    fn text(&self, name: &str) -> Option<String> {
        match self.query.get(name)? {
            Json::Null => None,
            Json::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        }
    }

    fn number(&self, name: &str) -> Result<Option<u64>, Refusal> {
        let text = self.text(name).filter(|text| !text.is_empty());
        text.map(|text| text.parse().map_err(|_| bad(format!("`{name}` is no number: {text}")))).transpose()
    }

    fn turns(&self) -> Result<Option<u16>, Refusal> {
        let turns = self.number("turns")?;
        turns.map(|turns| u16::try_from(turns).map_err(|_| bad("`turns` is too large"))).transpose()
    }

    fn limit(&self, (usual, most): (u64, u64)) -> Result<u64, Refusal> {
        let limit = self.number("limit")?.unwrap_or(usual);
        if limit > most {
            return Err(bad(format!("`limit` is at most {most} here, found {limit}")));
        }
        Ok(limit)
    }

    fn seed(&self) -> Result<Option<u64>, Refusal> {
        match (self.text("random").as_deref(), self.number("seed")?) {
            (_, Some(seed)) => Ok(Some(seed)),
            (Some("true"), None) => Ok(Some(1)),
            _ => Ok(None),
        }
    }

    fn position(&self, game: &dyn Explore) -> String {
        self.text("position").unwrap_or_else(|| game.start())
    }

    fn to_move(&self) -> Result<Seat, Refusal> {
        seat(self.text("to_move").as_deref())
    }
}

fn seat(word: Option<&str>) -> Result<Seat, Refusal> {
    match word {
        None | Some("" | "first") => Ok(Seat::First),
        Some("second") => Ok(Seat::Second),
        Some(other) => Err(bad(format!("`to_move` is `first` or `second`, found {other}"))),
    }
}

fn texts(body: &Json, name: &str) -> Result<Vec<String>, Refusal> {
    let list = body[name].as_array().ok_or_else(|| bad(format!("the body has no list `{name}`")))?;
    let texts = list.iter().map(|text| text.as_str().map(str::to_owned));
    texts.collect::<Option<_>>().ok_or_else(|| bad(format!("`{name}` must be texts")))
}

fn answered(game: &dyn Explore, about: &About, question: &Question) -> Result<String, Refusal> {
    let limits = SearchLimits { nodes: 200_000, time: Duration::from_millis(500) };
    let mut parts = question.path.splitn(3, '/');
    let (root, name, what) = (parts.next(), parts.next(), parts.next());
    if root != Some("games") {
        return Err(Refusal(404, "there is nothing here".to_owned()));
    }
    let summary = || -> Result<Json, Refusal> {
        let start = game.value(&game.start(), &limits)?.0;
        Ok(json!({"about": about, "table": true, "start": start}))
    };
    let Some(name) = name else {
        return written(&json!({"games": [summary()?]}));
    };
    let decoded = decoded(name);
    if decoded != game.name() {
        return Err(Refusal(404, format!("this page has only {}", game.name())));
    }
    match what {
        None => written(&summary()?),
        Some("stats") => written(&game.statistics()?),
        Some("view") => {
            let to_move = question.to_move()?;
            let position = match question.text("board") {
                Some(board) => game.position_from_board(&board, to_move)?,
                None => question.position(game),
            };
            written(&View::new(game, &position, to_move, question.text("turn").as_deref())?)
        }
        Some("positions") if question.body.is_null() => {
            written(&game.probe(&question.position(game), question.to_move()?, &limits)?)
        }
        Some("positions") => {
            let item = |position: String| match game.probe(&position, Seat::First, &limits) {
                Ok(answer) => json!({"position": position, "answer": answer}),
                Err(error) => json!({"position": position, "problem": {"detail": error.to_string()}}),
            };
            let answers: Vec<Json> = texts(&question.body, "positions")?.into_iter().map(item).collect();
            written(&json!({"game": game.name(), "answers": answers}))
        }
        Some("steps") => {
            let moves = question.text("moves").unwrap_or_default();
            let begun: Vec<String> =
                moves.split(',').filter(|step| !step.is_empty()).map(str::to_owned).collect();
            written(&game.steps(&question.position(game), question.to_move()?, &begun, &limits)?)
        }
        Some("line") => {
            let most = question.limit(TURNS)? as usize;
            written(&game.line(&question.position(game), question.to_move()?, most, &limits)?)
        }
        Some("find") => {
            let word = question.text("outcome").unwrap_or_default();
            let outcome = Outcome::from_word(&word)
                .ok_or_else(|| bad(format!("`outcome` is `win`, `loss` or `draw`, found {word}")))?;
            let (turns, random, limit) = (question.turns()?, question.seed()?, question.limit(FOUND)?);
            let mut positions = Vec::new();
            game.find(&FindQuery { outcome, turns, random, limit }, &mut |found| {
                positions.push(found);
                Ok(true)
            })?;
            written(&json!({"game": game.name(), "seed": random, "positions": positions}))
        }
        Some("puzzles") => {
            let kind = match question.text("kind").as_deref() {
                None | Some("win") => PuzzleKind::Win,
                Some("save") => PuzzleKind::Save,
                Some(other) => return Err(bad(format!("`kind` is `win` or `save`, found {other}"))),
            };
            let (turns, seed, limit) = (question.turns()?, question.seed()?, question.limit(PUZZLES)?);
            let mut puzzles = Vec::new();
            if limit > 0 {
                game.puzzles(kind, turns, seed, &mut |puzzle| {
                    puzzles.push(puzzle);
                    Ok((puzzles.len() as u64) < limit)
                })?;
            }
            written(&json!({"game": game.name(), "seed": seed, "puzzles": puzzles}))
        }
        Some("annotate") => {
            let to_move = seat(question.body["to_move"].as_str())?;
            let start = game.start();
            let position = game.canonical(question.body["position"].as_str().unwrap_or(&start))?;
            let turns = read_turns(game, &position, to_move, &texts(&question.body, "turns")?)?;
            let turns = game.annotate(&position, to_move, &turns, &limits)?;
            let word = to_move.word();
            written(&json!({"game": game.name(), "position": position, "to_move": word, "turns": turns}))
        }
        Some(_) => Err(Refusal(404, "there is nothing here".to_owned())),
    }
}

/// A part of a path without its percent signs.
fn decoded(part: &str) -> String {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let [byte, after @ ..] = rest {
        let hex = (*byte == b'%').then(|| after.get(..2)).flatten();
        let code = hex.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        match code {
            Some(code) => {
                bytes.push(code);
                rest = &after[2..];
            }
            None => {
                bytes.push(*byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

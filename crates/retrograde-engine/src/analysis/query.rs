//! The lines that clients send: queries, and actions on queries.

use retrograde_explore::{Coordinates, Error, OpenGame, Player, SearchLimits, read_turns};
use retrograde_game::Seat;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;
use std::time::Duration;

use crate::PlayedGame;

/// The maximum number of turns of one game.
const MAX_TURNS: usize = 10_000;
/// The maximum number of turns of a line.
const MAX_LINE: usize = 10_000;

/// The name of a query or action, as it was sent.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) enum QueryId {
    /// A text.
    Text(String),
    /// A whole number.
    Number(i64),
}

/// A line that is sent to `engine --json`: a query, or an action. KataGo's names are accepted too.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "Query")]
#[serde(deny_unknown_fields)]
pub(super) struct Message {
    /// Its name, which the answers repeat.
    #[schemars(with = "QueryId")]
    #[serde(rename = "id")]
    _id: Option<Json>,
    /// The action; without it the line is a query.
    pub(super) action: Option<Action>,
    /// The query to cancel.
    #[schemars(with = "Option<QueryId>")]
    #[serde(alias = "terminateId")]
    pub(super) terminate_id: Option<Json>,
    /// The turn numbers of that query to cancel; all if absent.
    #[serde(alias = "turnNumbers")]
    pub(super) turn_numbers: Option<Vec<usize>>,
    /// The game; if absent, the game of the command line.
    pub(super) game: Option<String>,
    /// The first position; the start if absent.
    position: Option<String>,
    /// The player to move there; if absent, the player of the first turn, or else `first`.
    to_move: Option<Player>,
    /// The turns that were played.
    #[serde(default, alias = "moves")]
    turns: Vec<Turn>,
    /// How the turns name squares. Without it, each turn is read by itself: as `mover` if that is legal, else
    /// as `board`.
    coordinates: Option<Coordinates>,
    /// The numbers of turns after which to analyse; the end if absent.
    #[serde(alias = "analyzeTurns")]
    analyze_turns: Option<TurnChoice>,
    /// The maximum number of seconds for a position without a table.
    #[schemars(range(min = 0))]
    time: Option<f64>,
    /// The maximum number of positions to search without a table.
    nodes: Option<u64>,
    /// The number of turns of a best line to add; 0 for none.
    #[serde(default)]
    line: usize,
    /// The maximum number of turns to list; all if absent.
    limit: Option<u64>,
    /// Whether to mark the turn that was played.
    #[serde(default)]
    annotate: bool,
    /// Queries of higher priority are answered first.
    #[serde(default)]
    priority: i64,
}

/// An action on queries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Action {
    /// Cancels one query.
    Terminate,
    /// Cancels all queries.
    TerminateAll,
    /// Asks for the version of the engine.
    #[serde(alias = "query_version")]
    Version,
}

impl Action {
    pub(super) fn word(self) -> &'static str {
        match self {
            Action::Terminate => "terminate",
            Action::TerminateAll => "terminate_all",
            Action::Version => "version",
        }
    }
}

/// A turn, alone or after the name of the player who makes it, as in KataGo: `["R", "a1a2"]`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "QueryTurn")]
#[serde(untagged, expecting = "expected a string, or a pair of strings as in [\"R\", \"a1a2\"]")]
enum Turn {
    /// The turn.
    Alone(String),
    /// The player and the turn.
    Of(String, String),
}

/// The player of a name: a color, a letter, or a number.
fn player_named(name: &str) -> Option<Seat> {
    match name.to_lowercase().as_str() {
        "r" | "red" | "first" | "1" => Some(Seat::First),
        "b" | "blue" | "second" | "2" => Some(Seat::Second),
        _ => None,
    }
}

/// Numbers of turns, or `"all"`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a list of non-negative whole numbers, or \"all\"")]
enum TurnChoice {
    /// After how many turns.
    Numbers(#[schemars(length(min = 1))] Vec<usize>),
    /// After every turn.
    Word(All),
}

/// The word for every turn.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum All {
    All,
}

/// The parts of an answer that a query asks for.
#[derive(Clone, Debug)]
pub(super) struct Questions {
    pub(super) limits: SearchLimits,
    /// The maximum number of turns of the best line; 0 for no line.
    pub(super) line: usize,
    /// The maximum number of listed turns.
    pub(super) listed: u64,
    /// Whether to mark the played turns.
    pub(super) annotate: bool,
    pub(super) priority: i64,
}

/// Why a query is invalid: a message about its form, an error about its game, or about opening it.
pub(super) enum Refused {
    Form(String),
    Game(Error),
    NoGame(Json),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Refused {
        Refused::Game(error)
    }
}

impl Message {
    /// Its questions.
    pub(super) fn wanted(&self, defaults: &SearchLimits) -> Result<Questions, Refused> {
        let form = |text: String| Err(Refused::Form(text));
        let time = match self.time {
            None => defaults.time,
            Some(seconds) => match Duration::try_from_secs_f64(seconds) {
                Ok(time) => time,
                Err(_) => return form(format!("`time` must be a number of seconds, not {seconds}")),
            },
        };
        if self.line > MAX_LINE {
            return form(format!("`line` must be at most {MAX_LINE}, not {}", self.line));
        }
        Ok(Questions {
            limits: SearchLimits { nodes: self.nodes.unwrap_or(defaults.nodes), time, depth: None },
            line: self.line,
            listed: self.limit.unwrap_or(u64::MAX),
            annotate: self.annotate,
            priority: self.priority,
        })
    }

    /// The turns as texts, and the players given for them.
    fn texts_and_players(&self) -> Result<(Vec<String>, Vec<Option<Seat>>), Refused> {
        let turns = self.turns.iter().map(|turn| match turn {
            Turn::Alone(text) => Ok((text.clone(), None)),
            Turn::Of(name, text) => match player_named(name) {
                Some(player) => Ok((text.clone(), Some(player))),
                None => {
                    Err(Refused::Form(format!("a player is `R` or `B` (`first` or `second`), not “{name}”")))
                }
            },
        });
        Ok(turns.collect::<Result<Vec<_>, _>>()?.into_iter().unzip())
    }

    /// The game of the query, and the distinct numbers of turns after which it is analysed.
    pub(super) fn played(&self, game: &OpenGame) -> Result<(PlayedGame, Vec<usize>), Refused> {
        let few = |found: usize| match found {
            0..=MAX_TURNS => Ok(()),
            found => Err(Refused::Form(format!("a game can have at most {MAX_TURNS} turns, not {found}"))),
        };
        few(self.turns.len())?;
        let (texts, players) = self.texts_and_players()?;
        let to_move = match self.to_move {
            Some(player) => player.into(),
            None => players.first().copied().flatten().unwrap_or(Seat::First),
        };
        let mut played = PlayedGame::begin(game, self.position.as_deref(), to_move)?;
        let turns = read_turns(game, played.position(), to_move, &texts, self.coordinates)?;
        few(turns.len())?;
        for (number, turn) in turns.iter().enumerate() {
            let to_move = played.to_move();
            // The numbers can differ, since a placement may be written as two turns.
            if let Some(Some(player)) = players.get(number).filter(|_| players.len() == turns.len())
                && *player != to_move
            {
                let reason = format!("turn {}: the {} player is to move", number + 1, to_move.word());
                return Err(Refused::Form(reason));
            }
            played.make_mover_turn(game, turn)?;
        }
        let last = turns.len();
        let mut numbers = match &self.analyze_turns {
            None => vec![last],
            Some(TurnChoice::Word(All::All)) => (0..=last).collect(),
            Some(TurnChoice::Numbers(numbers)) => numbers.clone(),
        };
        numbers.sort_unstable();
        numbers.dedup();
        match numbers.last() {
            Some(&number) if number > last => {
                Err(Refused::Form(format!("`analyze_turns` has {number}, and the game has {last} turns")))
            }
            Some(_) => Ok((played, numbers)),
            None => Err(Refused::Form("`analyze_turns` is empty".to_owned())),
        }
    }
}

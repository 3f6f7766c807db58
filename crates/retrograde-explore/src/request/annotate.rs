//! `annotate`: shows the turns of a game with values and marks.

use retrograde_game::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::request::fields::{Fields, RequestLimits, seat_or_first};
use crate::request::problem::Problem;
use crate::request::route::{Host, HttpMethod, Request, Route, read};
use crate::{Annotation, Coordinates, Error, OpenGame, read_turns};

pub(super) const ROUTE: Route = Route {
    method: HttpMethod::Post,
    path: "annotate",
    name: "annotate",
    topic: "positions",
    summary: "The turns of a played game, with marks: `annotate --json`",
    description: "",
    params: &[],
    body: "PlayedGame",
    answer: ("The turns", "AnnotatedGame"),
    refusals: &[
        (400, "The body or a turn is invalid"),
        (404, "There is no such game"),
        (413, "Too long, or too many turns"),
    ],
    read: read::<AnnotateRequest>,
};

/// A played game whose turns are to be marked.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "PlayedGame")]
#[serde(deny_unknown_fields)]
pub struct AnnotateRequest {
    /// The first position; the start if absent or null.
    pub position: Option<String>,
    /// The player who was to move there; `first` if absent or null.
    #[schemars(with = "Option<crate::answer::words::Player>")]
    #[serde(default = "first", deserialize_with = "seat_or_first")]
    pub to_move: Seat,
    /// The turns; each text may be a line of a record with several turns.
    pub turns: Vec<String>,
    /// How the turns name squares. Without it, each turn is read separately, first as `mover`.
    #[serde(default)]
    pub coordinates: Option<Coordinates>,
}

fn first() -> Seat {
    Seat::First
}

/// A game that was played, with marks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct AnnotatedGame {
    /// The canonical name of the game.
    pub game: String,
    /// The first position.
    pub position: String,
    /// The player who was to move there.
    #[schemars(with = "crate::answer::words::Player")]
    pub to_move: &'static str,
    /// The turns with their values and marks.
    pub turns: Vec<Annotation>,
}

impl Request for AnnotateRequest {
    type Answer = AnnotatedGame;

    fn read(fields: &Fields<'_>, limits: &RequestLimits) -> Result<AnnotateRequest, Problem> {
        let played: AnnotateRequest = fields.body()?;
        // A text may be a line with several turns, or with a turn of two words.
        let turns = |text: &String| text.split_whitespace().count().div_ceil(2).max(1);
        let (max, found) = (limits.batch, played.turns.iter().map(turns).sum::<usize>());
        if found > max {
            let detail = format!("a game can have at most {max} turns, not {found}");
            return Err(Problem::too_large(413, detail));
        }
        Ok(played)
    }

    fn answer(&self, game: &OpenGame, host: &dyn Host) -> Result<AnnotatedGame, Error> {
        let position = game.canonical(&self.position.clone().unwrap_or_else(|| game.start()))?;
        let turns = read_turns(game, &position, self.to_move, &self.turns, self.coordinates)?;
        let turns = game.annotate(&position, self.to_move, &turns, &host.search())?;
        Ok(AnnotatedGame { game: game.name().to_owned(), position, to_move: self.to_move.word(), turns })
    }

    fn positions(&self) -> u64 {
        self.turns.len() as u64
    }
}

//! `probe`: shows the values of a position and of every turn, for one position or many at once.

use retrograde_game::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::request::fields::{Fields, Param, RequestLimits, seat_or_first};
use crate::request::problem::Problem;
use crate::request::route::{Host, HttpMethod, Request, Route, read};
use crate::{Error, ListPage, OpenGame, Probe};

const TO_MOVE: Param = Param::to_move(
    "The player to move; `first` by default. It changes `board`, `to_move` and `turn_on_board` only.",
);

const MOVES: Param = Param::text(
    "moves",
    "Lists only turns that begin with these steps, separated by commas, and writes the turns that way. A \
     complete turn lists only that turn.",
);

const NIMBERS: Param = Param::flag(
    "nimbers",
    "Whether to add the nimbers of the position and of the positions after its turns, as far as the time \
     limit allows. Only for impartial games in normal play.",
);

pub(super) const ROUTE: Route = Route {
    method: HttpMethod::Get,
    path: "positions",
    name: "position",
    topic: "positions",
    summary: "A position and every turn with their values: `probe --json`",
    description: "A long list of turns is split into pages, best turns first. `page.next` is the offset of \
                  the next page; `page` is absent if the answer has all turns.",
    params: &[
        Param::text("position", "The position, seen by the side to move; the start by default."),
        TO_MOVE,
        MOVES,
        NIMBERS,
        Param::PAGE[0],
        Param::PAGE[1],
    ],
    body: "",
    answer: ("The position", "Probe"),
    refusals: &[(400, "The position or a step is invalid"), (404, "There is no such game")],
    read: read::<ProbeRequest>,
};

pub(super) const ROUTE_IN_PATH: Route = Route {
    path: "positions/{position}",
    name: "position_in_path",
    summary: "The same with the position in the path, percent-encoded: `/` is `%2F`, which some proxies reject",
    params: &[
        Param::text("position", "The position, seen by the side to move").in_path(),
        TO_MOVE,
        MOVES,
        NIMBERS,
        Param::PAGE[0],
        Param::PAGE[1],
    ],
    ..ROUTE
};

pub(super) const BATCH_ROUTE: Route = Route {
    method: HttpMethod::Post,
    path: "positions",
    name: "batch",
    topic: "positions",
    summary: "Several positions at once, each with its answer or problem",
    description: "",
    params: &[],
    body: "Batch",
    answer: ("An answer for each position", "BatchAnswer"),
    refusals: &[
        (400, "The body is invalid"),
        (404, "There is no such game"),
        (413, "Too long, or too many positions"),
        (415, "The body is not JSON"),
    ],
    read: read::<BatchRequest>,
};

/// A request for the values of a position and of every turn.
#[derive(Clone, Debug)]
pub struct ProbeRequest {
    /// The position; `None`: the start.
    pub position: Option<String>,
    /// The player to move in it.
    pub to_move: Seat,
    /// Restricts the turns to those that begin with these steps, or consist of them.
    pub prefix: Vec<String>,
    /// The turns to list.
    pub page: ListPage,
    /// Whether to find nimbers.
    pub nimbers: bool,
}

impl Request for ProbeRequest {
    type Answer = Probe;

    fn read(fields: &Fields<'_>, limits: &RequestLimits) -> Result<ProbeRequest, Problem> {
        let position = fields.text("position").map(str::to_owned);
        let (prefix, page) = (fields.steps()?, fields.page(limits)?);
        Ok(ProbeRequest {
            position,
            to_move: fields.seat(),
            prefix,
            page,
            nimbers: fields.flag("nimbers") == Some(true),
        })
    }

    fn answer(&self, game: &OpenGame, host: &dyn Host) -> Result<Probe, Error> {
        let position = self.position.clone().unwrap_or_else(|| game.start());
        let limits = host.search();
        let mut probe = game.probe_page(&position, self.to_move, &self.prefix, self.page, &limits)?;
        if self.nimbers {
            game.add_nimbers(&mut probe, &limits)?;
        }
        Ok(probe)
    }

    fn positions(&self) -> u64 {
        1
    }
}

/// Positions to look up at once.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "Batch")]
#[serde(deny_unknown_fields)]
pub(crate) struct BatchRequest {
    /// The positions.
    pub positions: Vec<String>,
    /// The player to move in all of them; `first` if absent or null.
    #[schemars(with = "Option<crate::answer::words::Player>")]
    #[serde(default = "first", deserialize_with = "seat_or_first")]
    pub to_move: Seat,
    /// The maximum number of turns of all positions together.
    #[serde(skip, default = "any")]
    pub most_turns: u64,
}

fn any() -> u64 {
    u64::MAX
}

fn first() -> Seat {
    Seat::First
}

/// The answers to a batch, in the order of the request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub(crate) struct BatchAnswer {
    /// The canonical name of the game.
    pub game: String,
    /// One entry per position.
    pub answers: Vec<BatchItem>,
}

/// The answer to one position of a batch: either `answer` or `problem`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub(crate) struct BatchItem {
    /// The position as given.
    pub position: String,
    /// Its value and that of every turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Probe>,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
}

impl Request for BatchRequest {
    type Answer = BatchAnswer;

    fn read(fields: &Fields<'_>, limits: &RequestLimits) -> Result<BatchRequest, Problem> {
        let mut batch: BatchRequest = fields.body()?;
        batch.most_turns = limits.page;
        let (max, found) = (limits.batch, batch.positions.len());
        if found > max {
            let detail = format!("a batch can have at most {max} positions, not {found}");
            return Err(Problem::too_large(413, detail));
        }
        Ok(batch)
    }

    fn answer(&self, game: &OpenGame, host: &dyn Host) -> Result<BatchAnswer, Error> {
        let mut left = self.most_turns;
        let mut probe = |position: &String| -> Result<Probe, Error> {
            let page = ListPage { offset: 0, limit: left };
            let probe = game.probe_page(position, self.to_move, &[], page, &host.search())?;
            if probe.page.is_some() {
                let reason = "this position has more turns than a batch can list; request it alone";
                return Err(Error::TooLarge(reason.to_owned()));
            }
            left -= probe.turns_available.len() as u64;
            Ok(probe)
        };
        let item = |position: &String| {
            let (answer, problem) = match probe(position) {
                Ok(probe) => (Some(probe), None),
                Err(error) => (None, Some(host.problem(error))),
            };
            BatchItem { position: position.clone(), answer, problem }
        };
        let answers = self.positions.iter().map(item).collect();
        Ok(BatchAnswer { game: game.name().to_owned(), answers })
    }

    fn positions(&self) -> u64 {
        self.positions.len() as u64
    }
}

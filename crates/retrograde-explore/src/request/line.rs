//! `line`: shows one best line to the end.

use retrograde_game::Seat;

use crate::request::fields::{Fields, Param, RequestLimits};
use crate::request::problem::Problem;
use crate::request::route::{Host, HttpMethod, Request, Route, read};
use crate::{Error, Line, OpenGame};

/// The default number of turns.
const USUAL: u64 = 200;

pub(super) const ROUTE: Route = Route {
    method: HttpMethod::Get,
    path: "line",
    name: "line",
    topic: "positions",
    summary: "One best line to the end: `line --json`",
    description: "",
    params: &[
        Param::text("position", "The first position, seen by the side to move; the start by default."),
        Param::to_move("The player to move; `first` by default."),
        Param::number("limit", u64::MAX, "The maximum number of turns; 200 by default."),
    ],
    body: "",
    answer: ("The line", "Line"),
    refusals: &[(400, "The position is invalid"), (404, "There is no such game")],
    read: read::<LineRequest>,
};

/// A request for one best line.
#[derive(Clone, Debug)]
pub struct LineRequest {
    /// The position that it begins with; `None`: the start.
    pub position: Option<String>,
    /// The player to move in it.
    pub to_move: Seat,
    /// The maximum number of turns.
    pub limit: usize,
}

impl Request for LineRequest {
    type Answer = Line;

    fn read(fields: &Fields<'_>, limits: &RequestLimits) -> Result<LineRequest, Problem> {
        let limit = fields.number_up_to("limit", USUAL, limits.line)?;
        Ok(LineRequest {
            position: fields.text("position").map(str::to_owned),
            to_move: fields.seat(),
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
        })
    }

    fn answer(&self, game: &OpenGame, host: &dyn Host) -> Result<Line, Error> {
        let position = self.position.clone().unwrap_or_else(|| game.start());
        game.line(&position, self.to_move, self.limit, &host.search())
    }

    fn positions(&self) -> u64 {
        1
    }

    /// A line that was cut for lack of time may be longer next time.
    fn repeats(&self, line: &Line) -> bool {
        line.ends != "limit" || line.line.len() >= self.limit
    }
}

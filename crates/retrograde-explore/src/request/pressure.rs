//! `probe --pressure`: counts the turns that hold, and the replies that hold after each of them.

use retrograde_game::Seat;

use crate::request::fields::{Fields, Param, RequestLimits};
use crate::request::problem::Problem;
use crate::request::route::{Host, HttpMethod, Request, Route, read};
use crate::{Error, ListPage, OpenGame, Pressure};

pub(super) const ROUTE: Route = Route {
    method: HttpMethod::Get,
    path: "pressure",
    name: "pressure",
    topic: "positions",
    summary: "How many turns of a position hold its outcome, and how many replies hold after each of them: \
              `probe --pressure --json`",
    description: "`limit=0` counts only the turns, which is quick. There can be a million replies to the \
                  turns of a position, so request them in pages; `page.next` is the offset of the next \
                  page.",
    params: &[
        Param::text("position", "The position, seen by the side to move; the start by default."),
        Param::to_move("The player to move; `first` by default."),
        Param::PAGE[0],
        Param::number(
            "limit",
            u64::MAX,
            "The maximum number of holding turns whose replies are counted; the server's limit by default.",
        ),
    ],
    body: "",
    answer: ("The turns that hold, with the replies to each turn of the page", "Pressure"),
    refusals: &[
        (400, "The position is invalid"),
        (404, "There is no such game"),
        (413, "There are too many replies for one answer: ask for fewer turns"),
        (503, "They were not counted in time"),
    ],
    read: read::<PressureRequest>,
};

/// A request for the numbers of holding turns of both players.
#[derive(Clone, Debug)]
pub struct PressureRequest {
    /// The position; `None`: the start.
    pub position: Option<String>,
    /// The player to move in it.
    pub to_move: Seat,
    /// The holding turns whose replies are counted.
    pub page: ListPage,
}

impl Request for PressureRequest {
    type Answer = Pressure;

    fn read(fields: &Fields<'_>, limits: &RequestLimits) -> Result<PressureRequest, Problem> {
        let position = fields.text("position").map(str::to_owned);
        Ok(PressureRequest { position, to_move: fields.seat(), page: fields.page(limits)? })
    }

    fn answer(&self, game: &OpenGame, host: &dyn Host) -> Result<Pressure, Error> {
        let position = self.position.clone().unwrap_or_else(|| game.start());
        game.pressure(&position, self.to_move, self.page, &host.search())
    }

    fn positions(&self) -> u64 {
        1
    }
}

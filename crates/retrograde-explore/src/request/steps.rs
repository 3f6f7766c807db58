//! `steps`: lists the ways to continue a partial turn.

use retrograde_game::Seat;

use crate::request::fields::{Fields, Param, RequestLimits};
use crate::request::problem::Problem;
use crate::request::route::{Host, HttpMethod, Request, Route, read};
use crate::{Error, ListPage, OpenGame, Steps};

pub(super) const ROUTE: Route = Route {
    method: HttpMethod::Get,
    path: "steps",
    name: "steps",
    topic: "positions",
    summary: "The next steps of a turn, each with the best value that the turn can still have",
    description: "In Push Fight, steps are moves and the push that ends the turn. In games whose turns \
                  have only one step, steps are turns. A long list is split into pages, as for turns.",
    params: &[
        Param::text("position", "The position, seen by the side to move; the start by default."),
        Param::to_move("The player to move; `first` by default."),
        Param::MOVES,
        Param::PAGE[0],
        Param::PAGE[1],
    ],
    body: "",
    answer: ("The possible next steps", "Steps"),
    refusals: &[(400, "The position or a step is invalid"), (404, "There is no such game")],
    read: read::<StepsRequest>,
};

/// A request for the ways to continue a turn.
#[derive(Clone, Debug)]
pub(crate) struct StepsRequest {
    /// The position; `None`: the start.
    pub position: Option<String>,
    /// The player to move in it.
    pub to_move: Seat,
    /// The steps that were made.
    pub prefix: Vec<String>,
    /// The steps to list.
    pub page: ListPage,
}

impl Request for StepsRequest {
    type Answer = Steps;

    fn read(fields: &Fields<'_>, limits: &RequestLimits) -> Result<StepsRequest, Problem> {
        let (position, prefix) = (fields.text("position").map(str::to_owned), fields.steps()?);
        Ok(StepsRequest { position, to_move: fields.seat(), prefix, page: fields.page(limits)? })
    }

    fn answer(&self, game: &OpenGame, host: &dyn Host) -> Result<Steps, Error> {
        let position = self.position.clone().unwrap_or_else(|| game.start());
        game.steps(&position, self.to_move, &self.prefix, self.page, &host.search())
    }

    fn positions(&self) -> u64 {
        1
    }
}

//! `stats`: the statistics of a game.

use crate::request::fields::{Fields, RequestLimits};
use crate::request::problem::Problem;
use crate::request::route::{Host, HttpMethod, Request, Route, read};
use crate::{Error, OpenGame, Statistics};

pub(super) const ROUTE: Route = Route {
    method: HttpMethod::Get,
    path: "stats",
    name: "stats",
    topic: "games",
    summary: "Statistics of a game: `stats --json`. Needs a table",
    description: "",
    params: &[],
    body: "",
    answer: ("The statistics, for the side to move", "Statistics"),
    refusals: &[(404, "There is no such game, or no table")],
    read: read::<StatisticsRequest>,
};

/// A request for the statistics of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatisticsRequest;

impl Request for StatisticsRequest {
    type Answer = Statistics;

    fn read(_: &Fields<'_>, _: &RequestLimits) -> Result<StatisticsRequest, Problem> {
        Ok(StatisticsRequest)
    }

    fn answer(&self, game: &OpenGame, _: &dyn Host) -> Result<Statistics, Error> {
        // Notes name files of this machine, which clients should not see.
        Ok(Statistics { notes: Vec::new(), ..game.statistics()? })
    }
}

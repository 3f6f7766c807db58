//! `puzzles/depths`: lists the numbers of turns to the end for which there are puzzles.

use schemars::JsonSchema;
use serde::Serialize;

use crate::request::fields::{Fields, RequestLimits};
use crate::request::problem::Problem;
use crate::request::puzzles::{KIND, kind};
use crate::request::route::{Host, HttpMethod, Request, Route, read};
use crate::{Error, OpenGame, PuzzleKind};

pub(super) const ROUTE: Route = Route {
    method: HttpMethod::Get,
    path: "puzzles/depths",
    name: "puzzle_depths",
    topic: "positions",
    summary: "The depths (turns to the end) for which there are puzzles. Needs a table",
    description: "The search is limited: rare depths of large tables may be missing, and for archives only depths of at \
                  least one in 100,000 positions are listed.",
    params: &[KIND],
    body: "",
    answer: ("The depths", "PuzzleDepths"),
    refusals: &[
        (400, "The query is invalid"),
        (404, "There is no such game, or no table"),
        (503, "They were not found in time"),
    ],
    read: read::<PuzzleDepthsRequest>,
};

/// A request for the numbers of turns to the end for which there are puzzles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PuzzleDepthsRequest {
    /// The effect of the one turn.
    pub kind: PuzzleKind,
}

/// The numbers of turns to the end that puzzles of a kind can have.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub(crate) struct PuzzleDepths {
    /// The canonical name of the game.
    pub game: String,
    /// The kind of puzzle; puzzles of kind `press` have no turns to the end.
    #[schemars(extend("enum" = ["win", "save", "press"]))]
    pub kind: &'static str,
    /// The numbers of turns that a bounded search found, in increasing order.
    pub depths: Vec<u16>,
}

impl Request for PuzzleDepthsRequest {
    type Answer = PuzzleDepths;

    fn read(fields: &Fields<'_>, _: &RequestLimits) -> Result<PuzzleDepthsRequest, Problem> {
        Ok(PuzzleDepthsRequest { kind: kind(fields) })
    }

    fn answer(&self, game: &OpenGame, _: &dyn Host) -> Result<PuzzleDepths, Error> {
        let kind = self.kind.word();
        Ok(PuzzleDepths { game: game.name().to_owned(), kind, depths: game.puzzle_depths(self.kind)? })
    }
}

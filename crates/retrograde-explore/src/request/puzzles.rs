//! `puzzles`: positions with exactly one good turn.

use serde::Serialize;

use crate::request::fields::{Fields, Param, RequestLimits};
use crate::request::order::{Order, RANDOM, SEED};
use crate::request::problem::Problem;
use crate::request::route::{Host, HttpMethod, Request, Route, read};
use crate::{Error, Explore, Puzzle, PuzzleKind};

/// Puzzles if nothing is said.
const USUAL: u64 = 3;

pub(super) const ROUTE: Route = Route {
    method: HttpMethod::Get,
    path: "puzzles",
    name: "puzzles",
    topic: "positions",
    summary: "Positions with exactly one good turn. Needs a table",
    description: "",
    params: &[
        Param::word(
            "kind",
            &["win", "save"],
            "Which puzzles.",
            "What the one turn does; it wins if not given.",
        ),
        Param::number("turns", u16::MAX as u64, "The turns to the end; any if not given."),
        RANDOM,
        SEED,
        Param::number("limit", u64::MAX, "How many; 3 if not given."),
    ],
    body: "",
    answer: ("The puzzles", "PuzzleList"),
    refusals: &[
        (400, "The query cannot be read"),
        (404, "There is no such game, or no table"),
        (503, "They were not found in time"),
    ],
    read: read::<PuzzlesRequest>,
};

/// Asks for positions with exactly one good turn.
#[derive(Clone, Debug)]
pub struct PuzzlesRequest {
    /// The effect of the one turn.
    pub kind: PuzzleKind,
    /// The turns to the end; any if `None`.
    pub turns: Option<u16>,
    /// The order.
    pub order: Order,
    /// The most to find.
    pub limit: u64,
}

/// Puzzles with their solutions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PuzzleList {
    /// The canonical name of the game.
    pub game: String,
    /// The seed of random choices; null if there were none.
    pub seed: Option<u64>,
    /// The puzzles; fewer than wanted if there are no more.
    pub puzzles: Vec<Puzzle>,
}

impl PuzzlesRequest {
    /// Visits the puzzles one by one; returns the seed of random choices, if there were any.
    ///
    /// # Errors
    /// As [`Explore::puzzles`].
    pub fn each(
        &self,
        game: &dyn Explore,
        host: &dyn Host,
        visit: &mut dyn FnMut(Puzzle) -> Result<(), Error>,
    ) -> Result<Option<u64>, Error> {
        let random = self.order.seed(host);
        let mut left = self.limit;
        if left > 0 {
            game.puzzles(self.kind, self.turns, random, &mut |puzzle| {
                visit(puzzle)?;
                left -= 1;
                Ok(left > 0)
            })?;
        }
        Ok(random)
    }
}

impl Request for PuzzlesRequest {
    type Answer = PuzzleList;

    fn read(fields: &Fields<'_>, limits: &RequestLimits) -> Result<PuzzlesRequest, Problem> {
        let saves = fields.text("kind") == Some("save");
        Ok(PuzzlesRequest {
            kind: if saves { PuzzleKind::Save } else { PuzzleKind::Win },
            turns: fields.number("turns")?,
            order: Order::read(fields)?,
            limit: fields.number_up_to("limit", USUAL, limits.puzzles)?,
        })
    }

    fn answer(&self, game: &dyn Explore, host: &dyn Host) -> Result<PuzzleList, Error> {
        let mut puzzles = Vec::new();
        let seed = self.each(game, host, &mut |puzzle| {
            puzzles.push(puzzle);
            Ok(())
        })?;
        Ok(PuzzleList { game: game.name().to_owned(), seed, puzzles })
    }

    fn repeats(&self, _answer: &PuzzleList) -> bool {
        self.order.repeats()
    }
}

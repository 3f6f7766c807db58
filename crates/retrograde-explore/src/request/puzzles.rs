//! `puzzles`: finds positions with exactly one good turn.

use retrograde_game::Seat;
use schemars::JsonSchema;
use serde::Serialize;

use crate::request::fields::{Fields, Param, RequestLimits};
use crate::request::order::{Order, RANDOM, SEED};
use crate::request::problem::Problem;
use crate::request::route::{Host, HttpMethod, Request, Route, read};
use crate::{Error, OpenGame, Puzzle, PuzzleKind, PuzzleTurns, turn_on_board};

/// The default number of puzzles.
const USUAL: u64 = 3;

/// The kind of puzzles; [`kind`] reads it.
pub(super) const KIND: Param = Param::word(
    "kind",
    &["win", "save", "press"],
    "A kind of puzzle.",
    "The kind of puzzle; `win` by default.",
);

/// The requested kind.
pub(super) fn kind(fields: &Fields<'_>) -> PuzzleKind {
    match fields.text("kind") {
        Some("save") => PuzzleKind::Save,
        Some("press") => PuzzleKind::Press,
        _ => PuzzleKind::Win,
    }
}

pub(super) const ROUTE: Route = Route {
    method: HttpMethod::Get,
    path: "puzzles",
    name: "puzzles",
    topic: "positions",
    summary: "Positions with exactly one good turn. Needs a table",
    description: "With `position`, only that position; the list is empty if it is not a puzzle of this kind.",
    params: &[
        Param::text("position", "Only this position, seen by the side to move; all positions by default."),
        Param::to_move("The player to move in the puzzles; `first` by default."),
        KIND,
        Param::number(
            "turns",
            u16::MAX as u64,
            "Turns to the end. By default any, but puzzles of one turn only if there are no others.",
        ),
        RANDOM,
        SEED,
        Param::number("limit", u64::MAX, "The maximum number of puzzles; 3 by default."),
    ],
    body: "",
    answer: ("The puzzles", "PuzzleList"),
    refusals: &[
        (400, "The query or the position is invalid"),
        (404, "There is no such game, or no table"),
        (503, "They were not found in time"),
    ],
    read: read::<PuzzlesRequest>,
};

/// A request for positions with exactly one good turn.
#[derive(Clone, Debug)]
pub struct PuzzlesRequest {
    /// Only this position; `None` means all positions.
    pub position: Option<String>,
    /// The player to move in the puzzles.
    pub to_move: Seat,
    /// The effect of the one turn.
    pub kind: PuzzleKind,
    /// The turns to the end; `None` means any, but one turn only if there are no other puzzles.
    pub turns: Option<u16>,
    /// The order.
    pub order: Order,
    /// The maximum number to find.
    pub limit: u64,
}

/// Puzzles with their solutions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct PuzzleList {
    /// The canonical name of the game.
    pub game: String,
    /// The seed, if the choice was random.
    pub seed: Option<u64>,
    /// The puzzles; may be fewer than asked for.
    pub puzzles: Vec<Puzzle>,
    /// True if a limit was reached: there may be more than the answer lists and counts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
}

impl PuzzlesRequest {
    /// Visits the puzzles one by one. Returns the seed of random choices, if there were any, and whether the
    /// search was complete.
    ///
    /// # Errors
    /// As [`OpenGame::puzzles`].
    pub fn each(
        &self,
        game: &OpenGame,
        host: &dyn Host,
        visit: &mut dyn FnMut(Puzzle) -> Result<(), Error>,
    ) -> Result<(Option<u64>, bool), Error> {
        let random = self.order.seed(host);
        let (mut left, mut complete) = (self.limit, true);
        let mut visit = |puzzle: Puzzle| visit(self.seen(game, puzzle)?);
        if let Some(position) = self.position.as_ref().filter(|_| left > 0) {
            let puzzle = game.puzzle_at(position, self.kind)?;
            let fits = |puzzle: &Puzzle| self.turns.is_none_or(|turns| puzzle.verdict.turns == Some(turns));
            puzzle.filter(fits).map(visit).transpose()?;
        } else if left > 0 {
            let turns = self.turns.map_or(PuzzleTurns::Several, PuzzleTurns::Exactly);
            complete = game.puzzles(self.kind, turns, random, &mut |puzzle| {
                visit(puzzle)?;
                left -= 1;
                Ok(left > 0)
            })?;
        }
        Ok((random, complete))
    }

    /// Converts the solution of a puzzle to the coordinates of the board.
    fn seen(&self, game: &OpenGame, mut puzzle: Puzzle) -> Result<Puzzle, Error> {
        if self.to_move == Seat::Second {
            puzzle.solution_on_board = turn_on_board(game, &puzzle.position, self.to_move, &puzzle.solution)?;
        }
        Ok(puzzle)
    }
}

impl Request for PuzzlesRequest {
    type Answer = PuzzleList;

    fn read(fields: &Fields<'_>, limits: &RequestLimits) -> Result<PuzzlesRequest, Problem> {
        let (position, order) = (fields.text("position").map(str::to_owned), Order::read(fields)?);
        if position.is_some() && order != Order::ByIndex {
            return Err(Problem::bad("query", "`position` cannot be combined with `random` or `seed`"));
        }
        Ok(PuzzlesRequest {
            position,
            to_move: fields.seat(),
            kind: kind(fields),
            turns: fields.number("turns")?,
            order,
            limit: fields.number_up_to("limit", USUAL, limits.puzzles)?,
        })
    }

    fn answer(&self, game: &OpenGame, host: &dyn Host) -> Result<PuzzleList, Error> {
        let mut puzzles = Vec::new();
        let (seed, complete) = self.each(game, host, &mut |puzzle| {
            puzzles.push(puzzle);
            Ok(())
        })?;
        Ok(PuzzleList { game: game.name().to_owned(), seed, puzzles, incomplete: !complete })
    }

    fn repeats(&self, answer: &PuzzleList) -> bool {
        self.order.repeats() && !answer.incomplete
    }
}

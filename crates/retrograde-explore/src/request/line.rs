//! `line`: shows one best line: the winner hurries, the loser delays, and a draw continues until a position
//! repeats.

use std::collections::HashSet;

use retrograde_game::{Outcome, Seat};
use schemars::JsonSchema;
use serde::Serialize;

use crate::back_up::preference;
use crate::query::budget::Budget;
use crate::query::resolve::{resolve, value_turns};
use crate::query::turns::outcome_if_over;
use crate::query::written;
use crate::{
    Error, Fields, OpenGame, Param, Player, Problem, Question, RequestLimits, Route, SearchLimits, Source,
    Verdict,
};

/// The default number of turns.
const DEFAULT_LIMIT: u64 = 200;

pub(super) const ROUTE: Route = Route {
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
    body: None,
    answer: ("The line", "Line"),
    refusals: &[(400, "The position is invalid"), (404, "There is no such game")],
    read,
};

fn read(fields: &Fields<'_>, limits: &RequestLimits) -> Result<Question, Problem> {
    let (position, to_move) = (fields.position(), fields.seat());
    let limit = fields.number_up_to("limit", DEFAULT_LIMIT, limits.line)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    Ok(Question::that_may_change(1, move |game, host| {
        let line = game.line(&position(game), to_move, limit, &host.search())?;
        // A line that was cut for lack of time may be longer next time.
        let repeats = line.ends != "limit" || line.line.len() >= limit;
        Ok((line, repeats))
    }))
}

/// One step of a line: a position with its value, and the turn that is made there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LineStep {
    /// The position, seen by the side to move.
    pub position: String,
    /// The same as the first player sees it.
    pub board: String,
    /// The player to move.
    pub to_move: Player,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The turn, in its player's coordinates.
    pub turn: String,
    /// The turn as the first player sees it.
    pub turn_on_board: String,
}

/// One best line (`line`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Line {
    /// The canonical name of the game.
    pub game: String,
    /// The position before the first turn.
    pub position: String,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The source of the value.
    pub source: Source,
    /// The turns.
    pub line: Vec<LineStep>,
    /// The last position.
    pub end: String,
    /// The same as the first player sees it.
    pub end_board: String,
    /// The player to move there.
    pub end_to_move: Player,
    /// Why the line ends there: the game is `over`, a draw `repeats` a position, the next value is
    /// `unknown`, or the line reached a `limit` of turns or time.
    #[schemars(extend("enum" = ["over", "repeats", "unknown", "limit"]))]
    pub ends: &'static str,
}

impl OpenGame {
    /// One best line to the end, of at most `max_turns` turns.
    ///
    /// # Errors
    /// As [`OpenGame::probe`].
    pub fn line(
        &self,
        position: &str,
        to_move: Seat,
        max_turns: usize,
        limits: &SearchLimits,
    ) -> Result<Line, Error> {
        let position = written::position(&*self.entry.game, position)?;
        let game = &*self.entry.game;
        let mut budget = Budget::new(limits);
        let first = resolve(self, &position, &mut budget)?;
        let mut line = Line {
            game: self.name().to_owned(),
            position: game.position_text(&position),
            verdict: first.knowledge.into(),
            source: first.source,
            line: Vec::new(),
            end: String::new(),
            end_board: String::new(),
            end_to_move: to_move.into(),
            ends: "",
        };
        let to_move = game.seat(&position).unwrap_or(to_move);
        let (mut here, mut seat, mut known) = (position, to_move, first.knowledge);
        // The positions on the board. The same letters with the other player to move are a
        // different position.
        let mut seen = HashSet::new();
        line.ends = loop {
            if outcome_if_over(game, &here).is_some() {
                break "over";
            }
            if !seen.insert((here.clone(), seat)) {
                break "repeats";
            }
            let Some(outcome) = known.outcome() else { break "unknown" };
            if line.line.len() >= max_turns {
                break "limit";
            }
            let (mut turns, complete) = match value_turns(self, &here, &mut budget) {
                // A shorter line is better than no line.
                Err(Error::TimedOut) if !line.line.is_empty() => break "limit",
                turns => turns?,
            };
            turns.retain(|turn| turn.knowledge.outcome() == Some(outcome));
            // Without turns to the end, repeating a position would look as good as progress, so
            // repetitions are avoided.
            let best = turns
                .into_iter()
                .enumerate()
                .min_by_key(|(place, turn)| {
                    let then = (turn.next.clone(), game.mover_after(seat, &turn.next));
                    let again = outcome != Outcome::Draw && seen.contains(&then);
                    (preference(turn.knowledge), again, *place)
                })
                .map(|(_, turn)| turn);
            let Some(best) = best else { break "unknown" };
            // In an incomplete list, only a turn with the value of the position is known to be
            // best.
            if !complete && best.knowledge != known {
                break "limit";
            }
            line.line.push(LineStep {
                position: game.position_text(&here),
                board: game.board_text(&here, seat),
                to_move: seat.into(),
                verdict: known.into(),
                turn_on_board: game.turn_on_board(&here, &best.turn, seat),
                turn: best.text,
            });
            seat = game.mover_after(seat, &best.next);
            (here, known) = (best.next, best.after.knowledge);
        };
        line.end = game.position_text(&here);
        line.end_board = game.board_text(&here, seat);
        line.end_to_move = seat.into();
        Ok(line)
    }
}

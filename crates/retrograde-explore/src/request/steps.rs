//! `steps`: lists the ways to continue a partial turn, each with its best value.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Duration;

use retrograde_game::{Mark, Seat};
use retrograde_solve::clock::Instant;
use schemars::JsonSchema;
use serde::Serialize;

use crate::bounds::{self, Watch};
use crate::query::budget::Budget;
use crate::query::resolve::{ValuedTurns, resolve_prefix, resolve_with_turns};
use crate::query::written;
use crate::sorting::sort_by;
use crate::{
    Error, Fields, GivenPage, ListPage, OpenGame, Param, Player, Position, Problem, Question, RequestLimits,
    Route, SearchLimits, Source, Verdict,
};

pub(super) const ROUTE: Route = Route {
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
    body: None,
    answer: ("The possible next steps", "Steps"),
    refusals: &[(400, "The position or a step is invalid"), (404, "There is no such game")],
    read,
};

fn read(fields: &Fields<'_>, limits: &RequestLimits) -> Result<Question, Problem> {
    let (position, to_move) = (fields.position(), fields.seat());
    let (prefix, page) = (fields.steps()?, fields.page(limits)?);
    Ok(Question::new(1, move |game, host| {
        game.steps(&position(game), to_move, &prefix, page, &host.search())
    }))
}

impl OpenGame {
    /// The steps that may follow the steps `prefix` of a turn, with their values.
    ///
    /// # Errors
    /// If a text is not a position or not a legal step, or the table is damaged.
    pub fn steps(
        &self,
        position: &str,
        to_move: Seat,
        prefix: &[String],
        page: ListPage,
        limits: &SearchLimits,
    ) -> Result<Steps, Error> {
        let game = &*self.entry.game;
        let position = written::position(game, position)?;
        let to_move = game.seat(&position).unwrap_or(to_move);
        let prefix = &*written::steps(game, &position, prefix);
        // A wrong step is reported before searching.
        game.each_step(&position, prefix, &mut |_| ControlFlow::Break(()))?;
        let mut budget = Budget::new(limits);
        let ValuedTurns { resolved, turns, mut complete } = if prefix.is_empty() {
            resolve_with_turns(self, &position, &mut budget)?
        } else {
            resolve_prefix(self, &position, prefix, &mut budget)?.0
        };
        // Turns are sorted best first, so the lowest number is the best one a step can lead to.
        let numbers: HashMap<&Position, usize> =
            turns.iter().enumerate().map(|(number, turn)| (&turn.next, number)).collect();
        let mut best: HashMap<(String, bool), usize> = HashMap::new();
        // With a table there is no time limit.
        let end = if self.values.is_some() { bounds::far_future() } else { Instant::now() + MAX_STEP_TIME };
        let visited = bounds::until(end, || {
            let (mut watch, mut failed) = (Watch::default(), Ok(()));
            game.each_step(&position, prefix, &mut |step| {
                failed = watch.tick(CHECK_EVERY);
                if failed.is_err() {
                    return ControlFlow::Break(());
                }
                if let Some(&number) = numbers.get(&step.after) {
                    best.entry((step.text.to_owned(), step.ends))
                        .and_modify(|known| *known = number.min(*known))
                        .or_insert(number);
                }
                ControlFlow::Continue(())
            })?;
            failed?;
            bounds::check()
        });
        complete &= bounds::unless_ended(visited)?.is_some();
        let mut best: Vec<(usize, String, bool)> =
            best.into_iter().map(|((text, ends), number)| (number, text, ends)).collect();
        sort_by(&mut best, |a, b| {
            let rank = |number: usize| crate::back_up::preference(turns[number].knowledge);
            (rank(a.0), &a.1, !a.2).cmp(&(rank(b.0), &b.1, !b.2))
        });
        let picture = game.picture(&position, to_move);
        let step = |(number, step, ends): (usize, String, bool)| {
            let turn = &turns[number];
            let turn_on_board = game.turn_on_board(&position, &turn.turn, to_move);
            // A complete turn may be in the mover's coordinates; games with single steps never turn
            // the board.
            let whole = prefix.is_empty() && turn.text == step;
            let named = picture.squares_named(if whole { &turn_on_board } else { &step });
            let squares = named.into_iter().map(str::to_owned).collect();
            let any_order = whole && matches!(*game.marks(&position, &turn.turn, to_move), [Mark::Fill(_)]);
            StepValue {
                step,
                kind: game.step_kind(&position, ends).word(),
                ends,
                turn: turn.text.clone(),
                turn_on_board,
                squares,
                any_order,
                position: game.position_text(&turn.next),
                verdict: turn.knowledge.into(),
            }
        };
        let (given, page) = page.of(best.len());
        Ok(Steps {
            game: self.name().to_owned(),
            position: game.position_text(&position),
            board: game.board_text(&position, to_move),
            to_move: to_move.into(),
            verdict: resolved.knowledge.into(),
            source: resolved.source,
            prefix: prefix.to_vec(),
            parts: game.turn_parts(&position),
            page,
            steps_available: best.drain(given).map(step).collect(),
            incomplete: !complete,
        })
    }
}

/// A turn that is being made step by step, and the steps that may follow (only over HTTP).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Steps {
    /// The canonical name of the game.
    pub game: String,
    /// The position, seen by the side to move.
    pub position: String,
    /// The same as the first player sees it.
    pub board: String,
    /// The player to move.
    pub to_move: Player,
    /// The value of the position for the side to move, regardless of the steps made.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The source of the value.
    pub source: Source,
    /// Steps made so far.
    pub prefix: Vec<String>,
    /// The parts of the longest turns, such as `Move`, `Move`, `Push`; empty if a turn is one step.
    pub parts: Vec<&'static str>,
    /// The part of the list in this answer; omitted if it is whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<GivenPage>,
    /// The steps that may follow, best first.
    pub steps_available: Vec<StepValue>,
    /// True if a limit was reached: there may be more than the answer lists and counts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
}

/// A step that may follow, with the best value that the turn can still have for its player; `turns` counts
/// the turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct StepValue {
    /// The step as written within a turn.
    pub step: String,
    /// The kind of step.
    #[schemars(extend("enum" = ["move", "push", "place", "fill", "step"]))]
    pub kind: &'static str,
    /// Whether it completes the turn.
    pub ends: bool,
    /// A best turn that can follow from the step: the shortest one to its position, so it may not contain the
    /// step.
    pub turn: String,
    /// The same as the first player sees it.
    pub turn_on_board: String,
    /// The squares to touch, in order, as the first player sees them; of a placement, in the order of
    /// `to_place` in the view.
    pub squares: Vec<String>,
    /// Whether the squares may be touched in any order.
    pub any_order: bool,
    /// The position that `turn` leads to, seen by the other player.
    pub position: String,
    /// The value of that turn to the player who makes it; the turn itself is counted.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// The number of steps to visit between two checks of the clock.
const CHECK_EVERY: u32 = 256;
/// The time limit for visiting steps if there is no table.
const MAX_STEP_TIME: Duration = Duration::from_secs(1);

//! Turns that are entered step by step: the possible next steps, and the best value of each.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Duration;

use retrograde_game::{Mark, Picture, Seat};
use retrograde_solve::clock::Instant;

use crate::bounds::{self, Watch};
use crate::game::open::OpenGame;
use crate::game::rules::Position;
use crate::query::budget::Budget;
use crate::query::resolve::{ValuedTurns, resolve_prefix, resolve_with_turns};
use crate::query::written;
use crate::sorting::sort_by;
use crate::{Error, ListPage, SearchLimits, StepValue, Steps};

/// The number of steps to visit between two looks at the clock.
const OFTEN: u32 = 256;
/// The time limit for visiting steps if there is no table.
const STEPPING: Duration = Duration::from_secs(1);

impl OpenGame {
    /// The continuations of a turn after the steps `prefix`: each next step with the best value that
    /// the turn can still have. If every turn is one step, these are the turns.
    ///
    /// # Errors
    /// If a text is not a position or not a legal step, the turn is already complete, or
    /// the table is damaged.
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
        let end = if self.values.is_some() { bounds::far_future() } else { Instant::now() + STEPPING };
        let visited = bounds::until(end, || {
            let (mut watch, mut failed) = (Watch::default(), Ok(()));
            game.each_step(&position, prefix, &mut |step| {
                failed = watch.tick(OFTEN);
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
        let step = |(number, step, ends): (usize, String, bool)| {
            let turn = &turns[number];
            let turn_on_board = game.turn_on_board(&position, &turn.turn, to_move);
            // A complete turn may be in the mover's coordinates; games with single steps never turn
            // the board.
            let whole = prefix.is_empty() && turn.text == step;
            let named = Picture::squares_named(if whole { &turn_on_board } else { &step });
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
            to_move: to_move.word(),
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

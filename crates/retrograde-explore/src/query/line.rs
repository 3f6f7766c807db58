//! Finds one best line: the winner hurries, the loser delays, and a draw continues until a position
//! repeats.

use std::collections::HashSet;

use retrograde_game::{Outcome, Seat};

use crate::back_up::preference;
use crate::game::open::OpenGame;
use crate::query::budget::Budget;
use crate::query::resolve::{resolve, value_turns};
use crate::query::turns::outcome_if_over;
use crate::query::written;
use crate::{Error, Line, LineStep, SearchLimits};

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
            end_to_move: "",
            ends: "",
        };
        let to_move = game.seat(&position).unwrap_or(to_move);
        let (mut here, mut seat, mut known) = (position, to_move, first.knowledge);
        // The positions on the board. The same letters with the other player to move are a
        // different position.
        let mut met = HashSet::new();
        line.ends = loop {
            if outcome_if_over(game, &here).is_some() {
                break "over";
            }
            if !met.insert((here.clone(), seat)) {
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
                    let again = outcome != Outcome::Draw && met.contains(&then);
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
                to_move: seat.word(),
                verdict: known.into(),
                turn_on_board: game.turn_on_board(&here, &best.turn, seat),
                turn: best.text,
            });
            seat = game.mover_after(seat, &best.next);
            (here, known) = (best.next, best.after.knowledge);
        };
        line.end = game.position_text(&here);
        line.end_board = game.board_text(&here, seat);
        line.end_to_move = seat.word();
        Ok(line)
    }
}

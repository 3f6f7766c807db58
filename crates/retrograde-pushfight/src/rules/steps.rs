//! Turns step by step: the moves and pushes that can follow some moves, with all positions that
//! they can still lead to. Used to build a turn on a screen.

use retrograde_game::{Flow, TextError};

use crate::PushFight;
use crate::position::{Arrangement, Position, Step, Turn};

/// Called for each step; `Break` ends the list.
type Visit<'a> = dyn FnMut(retrograde_game::Step<'_, Position>) -> Flow + 'a;

impl PushFight {
    /// Implements [`Game::each_step`]; placing all pieces is one step.
    pub(crate) fn each_step_after(
        &self,
        position: &Position,
        prefix: &[String],
        visit: &mut Visit<'_>,
    ) -> Result<(), TextError> {
        if let Some(half) = self.placing_half(position) {
            if let Some(first) = prefix.first() {
                self.read_turn(position, first)?;
                return Err(TextError::impossible(
                    "step",
                    first,
                    "all pieces are placed: the turn is complete",
                ));
            }
            let _ = self.placements[half].iter().try_for_each(|placement| {
                let (turn, after) = (Turn::Place(placement), self.placed(position, placement));
                visit(retrograde_game::Step { text: &self.write_turn(position, &turn), ends: true, after })
            });
            return Ok(());
        }
        let mut moves = Vec::with_capacity(prefix.len());
        let mut own = position.own();
        for text in prefix {
            moves.push(self.read_step(text)?);
            own =
                self.moved(position, &moves).map_err(|reason| TextError::impossible("step", text, reason))?;
        }
        if self.ejected(position) {
            return Ok(());
        }
        let left = self.moves.map(|most| most.saturating_sub(moves.len() as u32));
        let _ = self.each_push(position, own, &mut |push, after| {
            visit(retrograde_game::Step { text: &self.board.steps_text(&[push]), ends: true, after })
        });
        if left == Some(0) {
            return Ok(());
        }
        let left = left.map(|left| left - 1);
        // Lists pushes without further moves first, so a list that ends early contains most of the steps.
        let rounds = if left == Some(0) { vec![left] } else { vec![Some(0), left] };
        for left in rounds {
            let ended = self.each_move(position, own, &mut |step, moved| {
                let text = self.board.steps_text(&[step]);
                let moved = Position::of(moved, position.other(), position.anchor);
                self.each_arrangement(&moved, left, &mut |own| {
                    self.each_push(position, own, &mut |_, after| {
                        visit(retrograde_game::Step { text: &text, ends: false, after })
                    })
                })
            });
            if ended.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Visits every legal push of the mover's pieces.
    pub(crate) fn each_push(
        &self,
        position: &Position,
        own: Arrangement,
        visit: &mut impl FnMut(Step, Position) -> Flow,
    ) -> Flow {
        for from in own.pushers {
            for (d, to) in self.board.next[from.index()].iter().enumerate() {
                if let (Some(to), Some(after)) = (*to, self.pushed(position, own, from, d)) {
                    visit(Step { from, to }, after)?;
                }
            }
        }
        Flow::Continue(())
    }
}

//! TouchDown as a [`Game`]: the rules and the notation together, with the order of positions and
//! the symmetry of the board.

use std::ops::ControlFlow;

use retrograde_game::{Game, Graded, Outcome, Square, StepKind, Symmetries, TextError};

use crate::board::{Position, Turn};
use crate::rules::TouchDown;
use crate::{count, notation};

impl Game for TouchDown {
    type Position = Position;
    type Turn = Turn;

    const RULES_VERSION: u32 = 1;

    fn name(&self) -> String {
        format!("touchdown:{}x{}", self.board.columns, self.board.rows)
    }

    fn position_count(&self) -> u128 {
        count::legal(self.board.columns, self.board.rows)
    }

    fn start(&self) -> Position {
        Position { own: self.board.bottom, other: self.board.top }
    }

    fn result(&self, position: &Position) -> Option<Outcome> {
        self.over(*position).then_some(Outcome::Loss)
    }

    fn turns(&self, position: &Position) -> Vec<(Turn, Position)> {
        let mut turns = Vec::new();
        if !self.over(*position) {
            let _ = self.each_turn(*position, |turn, next| {
                turns.push((turn, next));
                ControlFlow::Continue(())
            });
        }
        turns
    }

    fn play(&self, position: &Position, turn: &Turn) -> Position {
        let Turn { from, to } = *turn;
        self.board.swap(position.own.without(from).with(to), position.other.without(to))
    }

    fn each_successor<F>(&self, position: &Position, mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(Position) -> ControlFlow<()>,
    {
        if self.over(*position) {
            return ControlFlow::Continue(());
        }
        self.each_turn(*position, |_, next| visit(next))
    }

    fn wins_now(&self, position: &Position) -> bool {
        let targets = self.board.targets(*position);
        let captures = targets.to_left | targets.to_right;
        !self.over(*position)
            && ((targets.steps | captures).intersects(self.board.top)
                || (!captures.is_empty() && position.other.0.is_power_of_two()))
    }

    fn parse_position(&self, text: &str) -> Result<Position, TextError> {
        notation::parse_position(self, text)
    }

    fn position_text(&self, position: &Position) -> String {
        notation::board(&self.board, position.own, position.other)
    }

    fn parse_turn(&self, position: &Position, text: &str) -> Result<Turn, TextError> {
        notation::parse_turn(self, position, text)
    }

    fn turn_text(&self, _position: &Position, turn: &Turn) -> String {
        notation::turn(&self.board, turn)
    }

    fn step_kind(&self, _position: &Position, _ends: bool) -> StepKind {
        StepKind::Move
    }
}

impl Graded for TouchDown {
    /// The rows that all pawns together still have to go. A step takes one off, a capture also
    /// those of the captured pawn.
    fn grade(&self, position: &Position) -> u64 {
        let row = |square: Square| u64::from(u32::from(square.0) / self.board.columns);
        let last = u64::from(self.board.rows - 1);
        position.own.into_iter().map(row).sum::<u64>()
            + position.other.into_iter().map(|square| last - row(square)).sum::<u64>()
    }
}

impl Symmetries for TouchDown {
    /// The identity and the mirror that exchanges left and right.
    fn symmetry_count(&self) -> usize {
        2
    }

    fn image(&self, symmetry: usize, position: &Position) -> Position {
        match symmetry {
            0 => *position,
            _ => Position {
                own: self.board.grid.mirror(position.own),
                other: self.board.grid.mirror(position.other),
            },
        }
    }
}

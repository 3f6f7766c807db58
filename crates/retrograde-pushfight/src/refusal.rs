//! Explains why touched squares are not a step, for players who build a turn on a screen.

use retrograde_game::{Flow, Game, Seat, Square, Squares};

use crate::PushFight;
use crate::position::{Position, Step};

/// A turn in progress.
struct TurnInProgress {
    /// The position after the moves so far.
    moved: Position,
    /// The number of moves left; `None` means any number.
    left: Option<u32>,
    to_move: Seat,
}

impl PushFight {
    /// Implements [`Show::refusal`](retrograde_game::Show::refusal).
    pub(crate) fn why_no_step(
        &self,
        position: &Position,
        to_move: Seat,
        prefix: &[String],
        touched: &[&str],
    ) -> Option<String> {
        if self.result(position).is_some() {
            return Some("The game is over.".to_owned());
        }
        let mut squares = Vec::with_capacity(touched.len());
        for label in touched {
            match self.board.labelled(label) {
                Some(square) => squares.push(square),
                None => return Some(format!("There is no square {label}.")),
            }
        }
        if let Some(half) = self.placing_half(position) {
            return self.why_not_placed(half, to_move, &squares);
        }
        let moves: Vec<Step> = prefix.iter().map_while(|step| self.read_step(step).ok()).collect();
        let own = self.moved(position, &moves).ok()?;
        let left = self.moves.map(|most| most.saturating_sub(moves.len() as u32));
        let moved = Position::of(own, position.other(), position.anchor);
        let turn = TurnInProgress { moved, left, to_move };
        match *squares {
            [] => None,
            [from] => self.why_not_touched(&turn, from),
            [from, to] => self.why_not_to(&turn, from, to),
            _ => Some("A step has two squares.".to_owned()),
        }
    }

    fn why_not_placed(&self, half: usize, to_move: Seat, squares: &[Square]) -> Option<String> {
        let places = self.board.halves[half];
        if squares.len() > self.sides[half].all() as usize {
            return Some("All pieces are placed.".to_owned());
        }
        if squares.iter().any(|&square| !places.contains(square)) {
            return Some(format!("{} places its pieces on {}.", to_move.name(), self.side_of(places)));
        }
        let different: Squares = squares.iter().copied().collect();
        (different.len() as usize != squares.len())
            .then(|| "There is already a piece on that square.".to_owned())
    }

    /// The reason why no step begins on a square.
    fn why_not_touched(&self, turn: &TurnInProgress, from: Square) -> Option<String> {
        if let Some(reason) = self.why_not_own(turn, from) {
            return Some(reason);
        }
        let reached = self.reached(turn, from);
        let pushes = turn.moved.own_pushers.contains(from)
            && (0..4).any(|d| self.pushed(&turn.moved, turn.moved.own(), from, d).is_some());
        let moves = turn.left != Some(0) && reached.into_iter().any(|to| self.can_push_after(turn, from, to));
        if pushes || moves {
            return None;
        }
        let pusher = turn.moved.own_pushers.contains(from);
        let pushing = if pusher { "this pusher has nothing to push" } else { "pawns cannot push" };
        Some(match turn.left {
            Some(0) => format!("No moves are left, and {pushing}."),
            _ if reached.is_empty() => format!("This piece cannot move, and {pushing}."),
            _ => "However this piece moves, nothing could be pushed afterwards.".to_owned(),
        })
    }

    /// The reason why no step leads from a square to another.
    fn why_not_to(&self, turn: &TurnInProgress, from: Square, to: Square) -> Option<String> {
        if let Some(reason) = self.why_not_own(turn, from) {
            return Some(reason);
        }
        let because = |reason: &str| Some(reason.to_owned());
        if from == to {
            return because("Choose another square.");
        }
        if turn.moved.occupied().contains(to) {
            return self.why_no_push(turn, from, to);
        }
        if turn.left == Some(0) {
            return because(match self.moves {
                Some(0) => "There is nothing to push on that square.",
                _ => "No moves are left: now push.",
            });
        }
        if !self.reached(turn, from).contains(to) {
            return because("The way is blocked.");
        }
        if self.can_push_after(turn, from, to) {
            return None;
        }
        because("After this move nothing could be pushed.")
    }

    /// The reason why a player cannot move the piece on a square.
    fn why_not_own(&self, turn: &TurnInProgress, square: Square) -> Option<String> {
        if turn.moved.own().squares().contains(square) {
            return None;
        }
        if turn.moved.other().squares().contains(square) {
            return Some(format!("This piece is {}'s.", turn.to_move.other().name()));
        }
        Some(format!("There is no piece on {}.", self.board.label(square)))
    }

    /// The reason why a pusher cannot push what is on a square.
    fn why_no_push(&self, turn: &TurnInProgress, from: Square, to: Square) -> Option<String> {
        let because = |reason: &str| Some(reason.to_owned());
        if !turn.moved.own_pushers.contains(from) {
            return because("Pawns cannot push.");
        }
        let Some(d) = self.board.direction(Step { from, to }) else {
            return because("A push goes one square.");
        };
        if self.pushed(&turn.moved, turn.moved.own(), from, d).is_some() {
            return None;
        }
        let occupied = turn.moved.occupied();
        let mut last = to;
        loop {
            if turn.moved.anchor.contains(last) {
                return because("The anchor holds this row.");
            }
            match self.board.next[last.index()][d] {
                Some(next) if occupied.contains(next) => last = next,
                None if self.board.rail[last.index()][d] => return because("A rail stops this row."),
                _ => return because("Your own piece would fall off the board."),
            }
        }
    }

    /// The squares that a move from a square can reach.
    fn reached(&self, turn: &TurnInProgress, from: Square) -> Squares {
        let empty = self.board.all() & !turn.moved.occupied();
        self.reachable(from, empty) & empty
    }

    /// Whether the turn can still be completed after a move.
    fn can_push_after(&self, turn: &TurnInProgress, from: Square, to: Square) -> bool {
        let own = turn.moved.own().with_move(Step { from, to });
        let moved = Position::of(own, turn.moved.other(), turn.moved.anchor);
        let left = turn.left.map(|left| left.saturating_sub(1));
        self.each_arrangement(&moved, left, &mut |own| {
            self.each_push(&turn.moved, own, &mut |_, _| Flow::Break(()))
        })
        .is_break()
    }
}

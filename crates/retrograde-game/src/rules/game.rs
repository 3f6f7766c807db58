//! The [`Game`] trait; the files next to this one have optional traits for what else a game can do.
//!
//! The base trait is small, so that a new game is quick to write. Each further trait makes promises
//! that solvers and commands use, and that the [conformance kit](crate::conformance) checks.
//! Solvers are generic over these traits and compiled for each game. `retrograde-explore` hides the
//! types and answers questions in text and numbers.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

use crate::board::Layout;
use crate::text::TextError;
use crate::values::{Outcome, Seat};

/// The answer of a visitor for each item: `Flow::Continue(())` to go to the next one,
/// `Flow::Break(())` to stop.
pub type Flow = ControlFlow<()>;

/// Turns with the positions they lead to.
pub type TurnList<T, P> = Vec<(T, P)>;

/// The rules of a two-player game of perfect information in which the players take turns.
///
/// A position is always seen by the side to move, so a turn changes the point of view. If a player
/// can move several times in a row, [`Game::seat`] says who is to move. The game is over if
/// [`Game::result`] says so or there are no turns.
pub trait Game: Send + Sync + Sized {
    /// A position: everything the rules need to continue the game.
    type Position: Clone + Eq + Hash + Debug + Send + Sync;
    /// Everything one player does until the other is to move; in a game with [`Game::seat`], one
    /// move of possibly several in a row.
    type Turn: Clone + Eq + Hash + Debug + Send + Sync;

    /// Increase this when positions of the game get different values. Stored in tables.
    const RULES_VERSION: u32 = 1;

    /// The canonical name, without default options: `tactics:4x4`.
    fn name(&self) -> String;

    /// The number of legal positions, finished ones included. Positions before the game proper (see
    /// [`Dense::prelude`](crate::Dense::prelude)) are not counted.
    ///
    /// Each game decides which positions are legal. If a formula counts the positions of its
    /// numbering, use that, even if some of them are not reachable from the start. Otherwise count
    /// once with [`Dense::count_positions`](crate::Dense::count_positions) and cache the result. The number is shown by `games`
    /// and `plan`, and `verify` compares it with a complete table; solvers do not use it.
    fn position_count(&self) -> u128;

    /// The start position.
    fn start(&self) -> Self::Position;

    /// The outcome for the side to move, if the rules end the game in this position regardless of
    /// turns. Must be cheap: solvers call it for every successor. It does not need to detect
    /// positions without turns; [`Game::outcome_without_turns`] covers those. `None` by default.
    fn result(&self, _position: &Self::Position) -> Option<Outcome> {
        None
    }

    /// The player to move, in games where a player can move several times in a row. `None` by
    /// default: the players alternate, and a position does not record whose turn it is.
    ///
    /// Return a player for every position, finished ones included, or for no position. Results and
    /// values still belong to the player to move. A position and its images under symmetries
    /// have the same player to move. Solvers that need alternating players reject games that return
    /// one.
    fn seat(&self, _position: &Self::Position) -> Option<Seat> {
        None
    }

    /// Whether the player who moves in `position` moves again in `next`, one of its successors.
    #[inline]
    fn moves_again(&self, position: &Self::Position, next: &Self::Position) -> bool {
        matches!((self.seat(position), self.seat(next)), (Some(mover), Some(then)) if mover == then)
    }

    /// The player to move in `next`, after a turn of `mover`.
    #[inline]
    fn mover_after(&self, mover: Seat, next: &Self::Position) -> Seat {
        self.seat(next).unwrap_or(mover.other())
    }

    /// The [`Game::result`] of `next`, a successor of `position`, for the opponent of the player
    /// who moves in `position`.
    #[inline]
    fn result_after(&self, position: &Self::Position, next: &Self::Position) -> Option<Outcome> {
        self.result(next).map(|outcome| outcome.flipped_if(self.moves_again(position, next)))
    }

    /// The outcome for a player without a turn, where [`Game::result`] returns `None`.
    fn outcome_without_turns(&self) -> Outcome {
        Outcome::Loss
    }

    /// Lists all turns with the positions they lead to; empty if the game is over. If several turns
    /// lead to the same position, lists one of them, always the same. Implement either this or
    /// [`Game::each_turn`].
    fn turns(&self, position: &Self::Position) -> Vec<(Self::Turn, Self::Position)> {
        let mut turns = Vec::new();
        let _ = self.each_turn(position, |turn, next| {
            turns.push((turn, next));
            Flow::Continue(())
        });
        turns
    }

    /// Visits the turns of [`Game::turns`] until the visitor stops. Solvers use it because it builds no list.
    fn each_turn(
        &self,
        position: &Self::Position,
        mut visit: impl FnMut(Self::Turn, Self::Position) -> Flow,
    ) -> Flow {
        self.turns(position).into_iter().try_for_each(|(turn, next)| visit(turn, next))
    }

    /// The position after a legal turn, seen by the player who moves next. Turns from
    /// [`Game::turns`] or [`Game::parse_turn`] are legal. Override this if a turn can be made
    /// without listing all of them.
    fn play(&self, position: &Self::Position, turn: &Self::Turn) -> Self::Position {
        let mut after = None;
        let _ = self.each_turn(position, |listed, next| match listed == *turn {
            true => {
                after = Some(next);
                Flow::Break(())
            }
            false => Flow::Continue(()),
        });
        after.unwrap_or_else(|| unreachable!("{turn:?} is not legal in {position:?}"))
    }

    /// Visits every successor at least once, in any order, until the visitor stops. Override this
    /// if building turns is expensive.
    fn each_successor(
        &self,
        position: &Self::Position,
        mut visit: impl FnMut(Self::Position) -> Flow,
    ) -> Flow {
        self.each_turn(position, |_, next| visit(next))
    }

    /// Whether some turn leads to a position in which [`Game::result`] is a win for the player who made it.
    fn wins_now(&self, position: &Self::Position) -> bool {
        self.each_successor(position, |next| match self.result_after(position, &next) {
            Some(Outcome::Loss) => Flow::Break(()),
            _ => Flow::Continue(()),
        })
        .is_break()
    }

    /// Whether a turn from this position counts towards the turns to the end. Placing the pieces
    /// before the game proper does not.
    fn turn_is_counted(&self, _position: &Self::Position) -> bool {
        true
    }

    /// Determines how positions and turns are written and drawn, if positions are sets of squares of a
    /// [`Grid`](crate::Grid). Implement either this, or [`Game::parse_position`],
    /// [`Game::position_text`] and [`Game::turn_text`]. If you implement both, those methods replace
    /// the layout's texts.
    fn layout(&self) -> Option<Layout<'_, Self::Position, Self::Turn>> {
        None
    }

    /// The layout, for the default of the named method. Panics without a layout.
    #[doc(hidden)]
    fn layout_for(&self, method: &str) -> Layout<'_, Self::Position, Self::Turn> {
        self.layout().unwrap_or_else(|| panic!("{}: implement `{method}` or `Game::layout`", self.name()))
    }

    /// Parses a position.
    ///
    /// # Errors
    /// Reports the wrong character and what was expected, or why the position is impossible.
    fn parse_position(&self, text: &str) -> Result<Self::Position, TextError> {
        self.layout_for("Game::parse_position").parse_position(text)
    }

    /// Formats a position so that [`Game::parse_position`] reads it back.
    fn position_text(&self, position: &Self::Position) -> String {
        self.layout_for("Game::position_text").position_text(position)
    }

    /// Parses a turn that is legal in `position`, in the coordinates of the player who makes it. By
    /// default it finds the turn in [`Game::turns`] with this text, ignoring case if that is
    /// unambiguous. Override this if several turns lead to the same position, or to give better
    /// errors.
    ///
    /// # Errors
    /// Reports the wrong character, or why the turn is not legal here. The default error lists the
    /// legal turns.
    fn parse_turn(&self, position: &Self::Position, text: &str) -> Result<Self::Turn, TextError> {
        turn_with_text(self, position, text)
    }

    /// Formats a turn so that [`Game::parse_turn`] reads it back.
    fn turn_text(&self, _position: &Self::Position, turn: &Self::Turn) -> String {
        self.layout_for("Game::turn_text").turn_text(turn)
    }

    /// Visits the steps that can follow the steps `prefix`, in games whose turns consist of steps.
    /// Each step is visited at least once for every position that the turn can still lead to. Steps
    /// after which no turn can be completed are left out. By default a turn is one step.
    ///
    /// # Errors
    /// If a step of `prefix` cannot be parsed or is not legal, or the turn is already complete.
    fn each_step(
        &self,
        position: &Self::Position,
        prefix: &[String],
        visit: &mut dyn FnMut(Step<'_, Self::Position>) -> Flow,
    ) -> Result<(), TextError> {
        if let Some(first) = prefix.first() {
            self.parse_turn(position, first)?;
            return Err(TextError::impossible("step", first, "the turn is already complete"));
        }
        for (turn, after) in self.turns(position) {
            let text = self.turn_text(position, &turn);
            if visit(Step { text: &text, ends: true, after }).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Lists the turns whose texts begin with the steps `prefix`, with the positions they lead to, each once.
    ///
    /// # Errors
    /// The same as [`Game::each_step`].
    fn turns_after(
        &self,
        position: &Self::Position,
        prefix: &[String],
    ) -> Result<TurnList<Self::Turn, Self::Position>, TextError> {
        if !prefix.is_empty() {
            self.each_step(position, prefix, &mut |_| Flow::Break(()))?;
        }
        Ok(self.turns(position))
    }

    /// The kind of the steps in a position that end a turn (`ends`), or that do not.
    fn step_kind(&self, _position: &Self::Position, _ends: bool) -> StepKind {
        StepKind::Step
    }

    /// The parts of the longest possible turn, in order, as the bar above the board names them:
    /// "Move", "Move", "Push". Empty if a turn is one step.
    fn turn_parts(&self, _position: &Self::Position) -> Vec<&'static str> {
        Vec::new()
    }
}

/// Finds the turn with this text in [`Game::turns`].
fn turn_with_text<G: Game>(game: &G, position: &G::Position, text: &str) -> Result<G::Turn, TextError> {
    /// The most turns that an error lists.
    const NAMED: usize = 12;
    let text = text.trim();
    let mut turns: Vec<(String, G::Turn)> =
        game.turns(position).into_iter().map(|(turn, _)| (game.turn_text(position, &turn), turn)).collect();
    if let Some(found) = turns.iter().position(|(written, _)| written == text) {
        return Ok(turns.swap_remove(found).1);
    }
    let mut alike = turns.iter().enumerate().filter(|(_, (written, _))| written.eq_ignore_ascii_case(text));
    if let (Some((found, _)), None) = (alike.next(), alike.next()) {
        return Ok(turns.swap_remove(found).1);
    }
    if turns.is_empty() {
        return Err(TextError::impossible("turn", text, "the game is over here"));
    }
    let mut named: Vec<String> =
        turns.iter().take(NAMED).map(|(written, _)| format!("`{written}`")).collect();
    if turns.len() > NAMED {
        named.push(format!("{} more", turns.len() - NAMED));
    }
    let last = named.pop().unwrap_or_default();
    let list = if named.is_empty() { last } else { format!("{} and {last}", named.join(", ")) };
    Err(TextError::impossible("turn", text, format!("not a turn here: {list}")))
}

/// The effect of a step of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// A piece moves to another square.
    Move,
    /// A piece pushes others.
    Push,
    /// Pieces are placed.
    Place,
    /// Squares are filled.
    Fill,
    /// Anything else.
    Step,
}

impl StepKind {
    /// The word used in JSON.
    pub fn word(self) -> &'static str {
        match self {
            StepKind::Move => "move",
            StepKind::Push => "push",
            StepKind::Place => "place",
            StepKind::Fill => "fill",
            StepKind::Step => "step",
        }
    }
}

/// A step of a turn, with one of the positions that the turn can still lead to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step<'a, P> {
    /// The step as it is written within a turn.
    pub text: &'a str,
    /// Whether the step completes the turn.
    pub ends: bool,
    /// A position after the complete turn, seen by the player who moves next.
    pub after: P,
}

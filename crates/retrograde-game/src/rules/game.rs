//! The [`Game`] trait, and optional traits for what else a game can do.
//!
//! The base trait is small, so that a new game is quick to write. Each further trait makes promises
//! that solvers and commands use, and that the [conformance kit](crate::conformance) checks.
//! Solvers are generic over these traits and compiled for each game. `retrograde-explore` hides the
//! types and answers questions in text and numbers.

use std::fmt::{self, Debug};
use std::hash::Hash;
use std::ops::{ControlFlow, Range};

use super::broken::broken_promise;
use crate::board::Layout;
use crate::text::TextError;
use crate::values::{Outcome, Seat};

/// The number of a position in a dense numbering.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Index(pub u64);

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

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
    /// [`Dense::prelude`]) are not counted.
    ///
    /// Each game decides which positions are legal. If a formula counts the positions of its
    /// numbering, use that, even if some of them are not reachable from the start. Otherwise count
    /// once with [`Dense::count_positions`] and cache the result. The number is shown by `games`
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

/// A successor in a dense numbering.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Successor {
    /// [`Game::result`] ends the game, with this outcome for the opponent of the player who made
    /// the turn ([`Game::result_after`]).
    Terminal(Outcome),
    /// A position with this index, in which the other player is to move.
    At(Index),
    /// A position with this index, in which the same player moves again.
    Again(Index),
}

impl Successor {
    /// The index of an unfinished successor.
    #[inline]
    pub fn index(self) -> Option<Index> {
        match self {
            Successor::Terminal(_) => None,
            Successor::At(index) | Successor::Again(index) => Some(index),
        }
    }
}

/// A numbering of positions from 0 to [`Dense::index_count`], dense enough to store one value per index.
///
/// Every successor of a numbered position is numbered, or [`Game::result`] ends the game there.
/// Finished positions may be numbered too.
pub trait Dense: Game {
    /// Increase this when positions get different indices. Stored in tables.
    const INDEX_VERSION: u32;

    /// Whether images of a position share its index ([`Dense::index`]), so that
    /// [`Game::position_count`] counts them once.
    const UP_TO_SYMMETRY: bool = false;

    /// The number of indices, including those without a position.
    fn index_count(&self) -> u128;

    /// The index of a position, or `None` if it is not numbered.
    ///
    /// A position and its images under the symmetries of the board may share one index, as with
    /// `retrograde_index::ReducedArrangements`. Then [`Dense::representative`] returns the one that
    /// represents them, [`Game::position_count`] counts them once, and the game does not need to
    /// list its [`Symmetries`].
    fn index(&self, position: &Self::Position) -> Option<Index>;

    /// The position with an index, or `None` if no position has it. If several share it, returns the
    /// representative.
    fn position(&self, index: Index) -> Option<Self::Position>;

    /// Returns the position that `text` describes, if it is numbered.
    ///
    /// # Errors
    /// If it is not; `reason` must be true of all positions that are not numbered.
    fn numbered(
        &self,
        position: Self::Position,
        text: &str,
        reason: &str,
    ) -> Result<Self::Position, TextError> {
        match self.index(&position) {
            Some(_) => Ok(position),
            None => Err(TextError::impossible("position", text, reason)),
        }
    }

    /// The representative of all positions that share the index of a numbered position: itself,
    /// unless images share an index.
    fn representative(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// The number of positions before the game proper, which have the *last* indices. No turn leads
    /// back to them, and each has only successors with smaller indices. They are solved last and
    /// not counted in [`Game::position_count`]. Push Fight's placements are an example.
    fn prelude(&self) -> u64 {
        0
    }

    /// The finished positions that [`Game::position_count`] counts but that are not numbered: how
    /// many there are of each outcome.
    fn unnumbered(&self) -> Vec<(Outcome, u128)> {
        Vec::new()
    }

    /// Counts the positions of the game proper one by one, plus [`Dense::unnumbered`]: the
    /// [`Game::position_count`] of a small game without a formula. Visits every index, so cache the
    /// result.
    fn count_positions(&self) -> u128 {
        let indices = u64::try_from(self.index_count()).unwrap_or(u64::MAX).saturating_sub(self.prelude());
        let mut count = 0;
        let _ = self.walk_down(Index(0)..Index(indices), |_, _| {
            count += 1;
            Flow::Continue(())
        });
        self.unnumbered().iter().fold(count, |sum, (_, more)| sum + more)
    }

    /// The bytes of memory that the index tables need once they are built. Returns quickly and
    /// builds nothing. A server uses it to reject games before it opens them.
    fn index_memory(&self) -> u64 {
        0
    }

    /// Visits the positions of a range of indices, largest index first, until the visitor stops;
    /// skips indices without a position. Solvers scan their tables with it. Override this if a
    /// position is quick to derive from its neighbour, as in
    /// `retrograde_index::Arrangements::walk_down`.
    fn walk_down(&self, indices: Range<Index>, mut visit: impl FnMut(Index, Self::Position) -> Flow) -> Flow {
        for index in numbers(indices).rev().map(Index) {
            if let Some(position) = self.position(index) {
                visit(index, position)?;
            }
        }
        Flow::Continue(())
    }

    /// Visits the successors of a *numbered* position, each at least once, until the visitor stops;
    /// visits nothing if the game is over. Override this if the index of a successor can be
    /// computed from the parts it shares with the position.
    fn each_numbered_successor(
        &self,
        position: &Self::Position,
        mut visit: impl FnMut(Successor) -> Flow,
    ) -> Flow {
        self.each_successor(position, |next| match self.result_after(position, &next) {
            Some(outcome) => visit(Successor::Terminal(outcome)),
            None => match self.index(&next) {
                Some(index) if self.moves_again(position, &next) => visit(Successor::Again(index)),
                Some(index) => visit(Successor::At(index)),
                None => unnumbered(self, position, &next),
            },
        })
    }

    /// Visits the successors of the position with an index, each at least once, until the visitor
    /// stops. Visits nothing if there is no such position or the game is over. It calls
    /// [`Dense::position`] and [`Dense::each_numbered_successor`]; override the latter.
    fn each_successor_at(&self, index: Index, visit: impl FnMut(Successor) -> Flow) -> Flow {
        match self.position(index) {
            Some(position) => self.each_numbered_successor(&position, visit),
            None => Flow::Continue(()),
        }
    }
}

/// Panics, since a successor must have an index. Apart from [`Dense::each_numbered_successor`], which is
/// compiled once for each of its callers.
#[cold]
fn unnumbered<G: Dense>(game: &G, position: &G::Position, next: &G::Position) -> ! {
    let [from, to] = [position, next].map(|position| game.position_text(position));
    broken_promise(format!("{to} follows {from} and has no index (`Dense::index`)"))
}

/// A game that can list the predecessors of a position.
pub trait Predecessors: Dense {
    /// Visits every *numbered* position outside the prelude with a turn to this one, at least once,
    /// until the visitor stops. Finished positions have no turns, so they are not predecessors.
    fn each_predecessor(&self, position: &Self::Position, visit: impl FnMut(Self::Position) -> Flow) -> Flow;

    /// Visits the indices of the predecessors, each at least once; visits nothing if the index has
    /// no position. Solvers call this. Override it if the index is known without ranking the
    /// position.
    fn each_predecessor_at(&self, index: Index, mut visit: impl FnMut(Index)) {
        let Some(position) = self.position(index) else { return };
        let _ = self.each_predecessor(&position, |previous| {
            if let Some(index) = self.index(&previous) {
                visit(index);
            }
            Flow::Continue(())
        });
    }

    /// Visits at least the predecessors in the same stage, in a [`Staged`] game. Solving by
    /// counting does not need others.
    fn each_predecessor_within_stage(&self, index: Index, visit: impl FnMut(Index)) {
        self.each_predecessor_at(index, visit);
    }
}

/// A game that can take turns back. This is the easiest way to implement [`Predecessors`].
///
/// An un-move is often a turn of the same rules played backwards: a piece goes back to a square
/// that is empty now.
pub trait Unmoves: Dense {
    /// Whether every visited position that is numbered and not over really has a turn to this one.
    /// If `false`, its turns are searched; in games with many turns that costs as much as knowing
    /// the predecessors saves.
    const EXACT: bool;

    /// Visits positions before this one until the visitor stops. Every numbered position with a
    /// turn to this one must be visited at least once; others may be visited too, if that is
    /// simpler. Positions without an index, finished positions and positions of the prelude are
    /// filtered out.
    fn each_unmove(&self, position: &Self::Position, visit: impl FnMut(Self::Position) -> Flow) -> Flow;

    /// Visits at least the un-moves in the same stage, in a [`Staged`] game.
    fn each_unmove_within_stage(
        &self,
        position: &Self::Position,
        visit: impl FnMut(Self::Position) -> Flow,
    ) -> Flow {
        self.each_unmove(position, visit)
    }
}

impl<G: Unmoves> Predecessors for G {
    fn each_predecessor(
        &self,
        position: &Self::Position,
        mut visit: impl FnMut(Self::Position) -> Flow,
    ) -> Flow {
        self.each_unmove(position, unmade(self, position, |previous, _| visit(previous)))
    }

    fn each_predecessor_at(&self, index: Index, visit: impl FnMut(Index)) {
        let Some(position) = self.position(index) else { return };
        let _ = self.each_unmove(&position, unmade(self, &position, index_alone(visit)));
    }

    fn each_predecessor_within_stage(&self, index: Index, visit: impl FnMut(Index)) {
        let Some(position) = self.position(index) else { return };
        let _ = self.each_unmove_within_stage(&position, unmade(self, &position, index_alone(visit)));
    }
}

/// Adapts a visitor of indices to visit positions with their indices.
fn index_alone<P>(mut visit: impl FnMut(Index)) -> impl FnMut(P, Index) -> Flow {
    move |_, index| {
        visit(index);
        Flow::Continue(())
    }
}

/// A visitor for [`Unmoves::each_unmove`] that passes on the real predecessors, with their indices.
fn unmade<G, F>(game: &G, position: &G::Position, mut visit: F) -> impl FnMut(G::Position) -> Flow
where
    G: Unmoves,
    F: FnMut(G::Position, Index) -> Flow,
{
    let prelude = game.prelude();
    // Most games have no prelude; then the indices are not counted.
    let numbered = if prelude == 0 { u128::MAX } else { game.index_count() - u128::from(prelude) };
    move |previous| {
        if game.result(&previous).is_some() {
            return Flow::Continue(());
        }
        let leads_here = || {
            let found = |next| if next == *position { Flow::Break(()) } else { Flow::Continue(()) };
            G::EXACT || game.each_successor(&previous, found).is_break()
        };
        match game.index(&previous) {
            Some(index) if u128::from(index.0) < numbered && leads_here() => visit(previous, index),
            _ => Flow::Continue(()),
        }
    }
}

/// A game in which positions cannot repeat, because every turn lowers a number.
pub trait Graded: Game {
    /// A number that every turn lowers. A position and its images under [`Symmetries`] have the same one.
    fn grade(&self, position: &Self::Position) -> u64;
}

/// A game whose positions can be packed into 64 bits. Codes are faster to compute than indices and
/// do not have to be dense: for example, three states per square written in base 3.
pub trait Packed: Game {
    /// Whether the positions of this game fit. On a larger board they may not; then no codes are requested.
    fn is_packed(&self) -> bool {
        true
    }

    /// The code of a position. Different positions have different codes.
    fn pack(&self, position: &Self::Position) -> u64;

    /// The position with a code from [`Packed::pack`].
    fn unpack(&self, code: u64) -> Self::Position;
}

/// A graded game whose dense numbering can be solved in one pass.
///
/// By default all indices are one layer, which is correct if every turn leads to a *larger* index.
/// One thread solves it.
pub trait Layered: Dense + Graded {
    /// The number of layers.
    fn layer_count(&self) -> usize {
        1
    }

    /// The indices of a layer, as ranges that may be solved in parallel. The layers cover every
    /// index outside the prelude once. Every successor of an index is finished, in an earlier
    /// layer, or at a *larger* index of the same range; a range is solved from its end.
    fn layer(&self, _layer: usize) -> Vec<Range<Index>> {
        let count = u64::try_from(self.index_count()).unwrap_or(u64::MAX);
        vec![Index(0)..Index(count.saturating_sub(self.prelude()))]
    }
}

/// Converts a range of indices to a range of numbers.
#[must_use]
pub fn numbers(indices: Range<Index>) -> Range<u64> {
    indices.start.0..indices.end.0
}

/// Splits the indices of one layer, which do not depend on each other, into ranges for threads.
#[must_use]
pub fn side_by_side(indices: Range<u64>) -> Vec<Range<Index>> {
    const LENGTH: usize = 1 << 16;
    let starts = indices.clone().step_by(LENGTH);
    starts.map(|start| Index(start)..Index(indices.end.min(start.saturating_add(LENGTH as u64)))).collect()
}

/// A game in which positions can repeat, but which has stages that no turn leads back to, as captures do.
///
/// Such a game is solved stage by stage, so the working memory of retrograde analysis is needed for
/// one stage at a time. If the scores do not fit into memory either, it is enough to hold the scores
/// of a stage and of the stages that its turns lead to.
pub trait Staged: Dense {
    /// The number of stages.
    fn stage_count(&self) -> usize;

    /// The indices of a stage, as ranges. The stages cover every index outside the prelude once.
    /// Every successor of an index is finished, in the same stage, or in an earlier one.
    fn stage(&self, stage: usize) -> Vec<Range<Index>>;

    /// The stages that turns of a stage lead to, including the stage itself; by default all stages
    /// up to it. Override this if the game does not fit into memory.
    fn stages_after(&self, stage: usize) -> Vec<usize> {
        (0..=stage).collect()
    }

    /// Whether [`Staged::each_earlier_successor`] is much faster than visiting all successors.
    const LISTS_EARLIER: bool = false;

    /// Visits at least the successors of a *numbered* position that are finished or in earlier
    /// stages, until the visitor stops. By default visits all successors.
    fn each_earlier_successor(
        &self,
        position: &Self::Position,
        visit: impl FnMut(Successor) -> Flow,
    ) -> Flow {
        self.each_numbered_successor(position, visit)
    }
}

/// A game with a board that can be rotated or reflected without changing the game.
pub trait Symmetries: Game {
    /// The number of symmetries, the identity included.
    fn symmetry_count(&self) -> usize;

    /// The image of a position; symmetry 0 is the identity.
    fn image(&self, symmetry: usize, position: &Self::Position) -> Self::Position;

    /// Visits the indices of the images of a *numbered* position under all symmetries except the identity,
    /// in any order, until the visitor stops. Override this if images are quick to rank together, as with
    /// `retrograde_index::Arrangements::each_image`.
    fn each_image_index(&self, position: &Self::Position, mut visit: impl FnMut(Index) -> Flow) -> Flow
    where
        Self: Dense,
    {
        (1..self.symmetry_count()).try_for_each(|symmetry| {
            match self.index(&self.image(symmetry, position)) {
                Some(index) => visit(index),
                None => Flow::Continue(()),
            }
        })
    }
}

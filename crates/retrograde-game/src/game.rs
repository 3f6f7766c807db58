//! Games ([`Game`]), and what a game may also be able to do (the other traits here).
//!
//! The base trait is small, so that a newcomer's game is soon written; each further trait is a
//! promise that a solver or a command can use, and that the [conformance kit](crate::conformance)
//! checks. Solvers are generic over these traits and compiled for each game. `retrograde-explore` hides the
//! types and answers questions in text and numbers.

use std::fmt::{self, Debug};
use std::hash::Hash;
use std::ops::{ControlFlow, Range};

use crate::broken::broken_promise;
use crate::error::TextError;
use crate::seat::Seat;
use crate::value::Outcome;

/// The number of a position in a dense numbering.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Index(pub u64);

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The answer of a visitor to each thing that it was shown: `Flow::Continue(())`, or
/// `Flow::Break(())` if it has seen enough.
pub type Flow = ControlFlow<()>;

/// Turns, and the position that each leads to.
pub type TurnList<T, P> = Vec<(T, P)>;

/// The rules of a two-player game of perfect information in which the players take turns.
///
/// A position is always seen by the player who is to move; making a turn hands the move to the
/// other player *and* changes the point of view. If a player can move several times in a row,
/// [`Game::seat`] says who is to move. `result` and the absence of turns say when the game is over.
pub trait Game: Send + Sync + Sized {
    /// A position, with everything that the rules need to know of it.
    type Position: Clone + Eq + Hash + Debug + Send + Sync;
    /// A turn: all that one player does until the other is to move, or one move of several in a row
    /// in a game with [`Game::seat`].
    type Turn: Clone + Eq + Hash + Debug + Send + Sync;

    /// Changes when positions of this game get other values; tables carry it.
    const RULES_VERSION: u32;

    /// The canonical name, which leaves defaults out: `tactics:4x4`.
    fn name(&self) -> String;

    /// The number of legal positions, finished ones included. Positions before the game proper (see
    /// [`Dense::prelude`]) are not among them.
    ///
    /// A game says itself which positions are legal: best those that it numbers, if a formula
    /// counts them, whether or not they can occur from the start. Where none does, walk over the
    /// indices once ([`Dense::count_positions`]) and keep the number. It is shown (`games`,
    /// `plan`), and `verify` compares it with what a whole table holds; solvers do without it.
    fn position_count(&self) -> u128;

    /// The position in which the game begins.
    fn start(&self) -> Self::Position;

    /// The outcome for the side to move, if the rules end the game in this position whatever turns
    /// there might be. Cheap: solvers ask it of every successor. That a player without any turn has
    /// lost (or whatever [`Game::outcome_without_turns`] says) need not be seen here.
    fn result(&self, position: &Self::Position) -> Option<Outcome>;

    /// The player to move, for games in which a player can move several times in a row. By default
    /// `None`: the players alternate, and a position does not tell whose turn it is.
    ///
    /// Return the player for every position, finished ones included, or for none. Results and values
    /// still belong to the player to move. A position and its images have the same player to
    /// move. Solvers that need alternating players reject a game that returns one.
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

    /// The [`Game::result`] of `next`, a successor of `position`, as the opponent of the player who
    /// moves in `position` sees it.
    #[inline]
    fn result_after(&self, position: &Self::Position, next: &Self::Position) -> Option<Outcome> {
        self.result(next).map(|outcome| outcome.flipped_if(self.moves_again(position, next)))
    }

    /// The outcome for a player who has no turn in a position that [`Game::result`] does not end.
    fn outcome_without_turns(&self) -> Outcome {
        Outcome::Loss
    }

    /// All turns and the positions they lead to, none if the game is over. Several turns that lead
    /// to the same position are represented by one of them, always the same. A game writes this or
    /// [`Game::each_turn`], the other follows.
    fn turns(&self, position: &Self::Position) -> Vec<(Self::Turn, Self::Position)> {
        let mut turns = Vec::new();
        let _ = self.each_turn(position, |turn, next| {
            turns.push((turn, next));
            ControlFlow::Continue(())
        });
        turns
    }

    /// Visits what [`Game::turns`] lists, until told to stop: without a list, so solvers are
    /// faster.
    fn each_turn<F>(&self, position: &Self::Position, mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(Self::Turn, Self::Position) -> ControlFlow<()>,
    {
        self.turns(position).into_iter().try_for_each(|(turn, next)| visit(turn, next))
    }

    /// The position that a legal turn leads to, seen by the player who moves next. A turn that
    /// [`Game::parse_turn`] has let pass, or that [`Game::turns`] lists, is legal. Worth writing anew
    /// where a turn can be made without a list of all.
    fn play(&self, position: &Self::Position, turn: &Self::Turn) -> Self::Position {
        let mut after = None;
        let _ = self.each_turn(position, |listed, next| match listed == *turn {
            true => {
                after = Some(next);
                ControlFlow::Break(())
            }
            false => ControlFlow::Continue(()),
        });
        after.unwrap_or_else(|| unreachable!("{turn:?} is not legal in {position:?}"))
    }

    /// Visits every position that [`Game::turns`] lists at least once, in any order, until told to
    /// stop. Worth writing anew where turns are dear and positions cheap.
    fn each_successor<F>(&self, position: &Self::Position, mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(Self::Position) -> ControlFlow<()>,
        Self: Sized,
    {
        self.each_turn(position, |_, next| visit(next))
    }

    /// Whether some turn leads to a position that [`Game::result`] ends as a win for the player who
    /// makes it.
    fn wins_now(&self, position: &Self::Position) -> bool
    where
        Self: Sized,
    {
        self.each_successor(position, |next| match self.result_after(position, &next) {
            Some(Outcome::Loss) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })
        .is_break()
    }

    /// Whether a turn made here counts among the turns to the end. Placing the pieces before the
    /// game proper does not.
    fn turn_is_counted(&self, _position: &Self::Position) -> bool {
        true
    }

    /// Reads a position as people write it.
    ///
    /// # Errors
    /// Says which character is wrong and what was expected, or what makes the position impossible.
    fn parse_position(&self, text: &str) -> Result<Self::Position, TextError>;

    /// Writes a position; [`Game::parse_position`] reads it back.
    fn position_text(&self, position: &Self::Position) -> String;

    /// Reads a turn that is legal in a position, in the coordinates of the player who makes it. By
    /// default it is the one of [`Game::turns`] that is written so, small and capital letters alike
    /// where that leaves no doubt. Worth writing anew where several turns lead to the same
    /// position, or where an error can say more.
    ///
    /// # Errors
    /// Says which character is wrong, or why the turn is not legal here. By default the error names
    /// the turns that there are.
    fn parse_turn(&self, position: &Self::Position, text: &str) -> Result<Self::Turn, TextError> {
        turn_written(self, position, text)
    }

    /// Writes a turn; [`Game::parse_turn`] reads it back.
    fn turn_text(&self, position: &Self::Position, turn: &Self::Turn) -> String;

    /// For games whose turns are made step by step: visits the steps that may follow the steps
    /// `begun`, each once for every position that the turn can then still lead to, or oftener.
    /// Steps after which no turn can be completed are left out. Here, where a turn is one step,
    /// they are the turns.
    ///
    /// # Errors
    /// If a step of `begun` cannot be read or is not legal, or the turn is already whole.
    fn each_step(
        &self,
        position: &Self::Position,
        begun: &[String],
        visit: &mut dyn FnMut(Step<'_, Self::Position>) -> ControlFlow<()>,
    ) -> Result<(), TextError> {
        if let Some(first) = begun.first() {
            self.parse_turn(position, first)?;
            return Err(TextError::impossible("step", first, "this is a whole turn, and nothing follows"));
        }
        for (turn, after) in self.turns(position) {
            let text = self.turn_text(position, &turn);
            if visit(Step { text: &text, ends: true, after }).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// For games whose turns are made step by step: the turns that begin with the steps `begun`,
    /// and the positions they lead to, each once. The texts of the turns begin with these steps.
    ///
    /// # Errors
    /// As [`Game::each_step`].
    fn turns_after(
        &self,
        position: &Self::Position,
        begun: &[String],
    ) -> Result<TurnList<Self::Turn, Self::Position>, TextError> {
        if !begun.is_empty() {
            self.each_step(position, begun, &mut |_| ControlFlow::Break(()))?;
        }
        Ok(self.turns(position))
    }

    /// The kind of the steps of a position: of those that end a turn, or of the others.
    fn step_kind(&self, _position: &Self::Position, _ends: bool) -> StepKind {
        StepKind::Step
    }

    /// The parts of a whole turn in their order, at most, as a bar above the board names them:
    /// "Move", "Move", "Push". Empty where a turn is one step.
    fn turn_parts(&self, _position: &Self::Position) -> Vec<&'static str> {
        Vec::new()
    }
}

/// The turn of [`Game::turns`] with a text.
fn turn_written<G: Game>(game: &G, position: &G::Position, text: &str) -> Result<G::Turn, TextError> {
    /// An error names no more turns.
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
    Err(TextError::impossible("turn", text, format!("it is none of the turns here: {list}")))
}

/// The effect of a step of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// A piece goes to another square.
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
    /// The word that JSON uses.
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

/// A step of a turn, with one of the positions that the turn can lead to after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step<'a, P> {
    /// The step, as it is written within a turn.
    pub text: &'a str,
    /// Whether the turn is whole with it.
    pub ends: bool,
    /// A position after the whole turn, seen by the player who moves next.
    pub after: P,
}

/// A successor in a dense numbering.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Successor {
    /// [`Game::result`] ends the game there, with this outcome for the opponent of the player who
    /// made the turn ([`Game::result_after`]).
    Terminal(Outcome),
    /// The successor has this index, and the other player is to move.
    At(Index),
    /// The successor has this index, and the same player moves again.
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

/// A numbering of positions by 0 .. [`Dense::index_count`], dense enough to hold one value an
/// index.
///
/// Every position that occurs after a turn from a numbered position is numbered or ended by
/// [`Game::result`] (ended ones may be numbered too).
pub trait Dense: Game {
    /// Changes when positions get other indices; tables carry it.
    const INDEX_VERSION: u32;

    /// Whether images of a position share its index, so that [`Game::position_count`] counts them
    /// once ([`Dense::index`]).
    const UP_TO_SYMMETRY: bool = false;

    /// The number of indices, those to which no position belongs included.
    fn index_count(&self) -> u128;

    /// The index of a position, or `None` if the numbering leaves it out.
    ///
    /// A numbering may give a position and all its images under the symmetries of the board one
    /// index, as `retrograde_index::ReducedArrangements` does: then [`Dense::representative`] says
    /// which of them stands for all, [`Game::position_count`] counts them as one, and the game need
    /// not list its [`Symmetries`].
    fn index(&self, position: &Self::Position) -> Option<Index>;

    /// The position that has an index, or `None` if none has. If several have it, the one that
    /// stands for them.
    fn position(&self, index: Index) -> Option<Self::Position>;

    /// A position that a text describes, if it has an index.
    ///
    /// # Errors
    /// If it has none, for a `reason` that is true of all such positions.
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

    /// The position that stands for all that have the index of a numbered position: itself, unless
    /// images share an index.
    fn representative(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// The number of positions before the game proper, which have the *last* indices. No turn leads
    /// back to them, and in ascending order each has only successors with lower numbers. They are
    /// solved after all others and not counted in [`Game::position_count`]. Push Fight's placements
    /// are such positions.
    fn prelude(&self) -> u64 {
        0
    }

    /// The finished positions that [`Game::position_count`] counts but the numbering leaves out:
    /// with what outcome the game is over there, and how many there are.
    fn unnumbered(&self) -> Vec<(Outcome, u128)> {
        Vec::new()
    }

    /// The positions of the game proper, counted one by one, and the finished ones that the
    /// numbering leaves out: [`Game::position_count`] of a small game that has no formula for it.
    /// It takes a look at every index, so keep the answer.
    fn count_positions(&self) -> u128
    where
        Self: Sized,
    {
        let indices = u64::try_from(self.index_count()).unwrap_or(u64::MAX).saturating_sub(self.prelude());
        let mut count = 0;
        let _ = self.walk_down(Index(0)..Index(indices), |_, _| {
            count += 1;
            ControlFlow::Continue(())
        });
        self.unnumbered().iter().fold(count, |sum, (_, more)| sum + more)
    }

    /// The bytes of memory that tables for indices take from the first index on that is asked for;
    /// quickly, and nothing is made. A server refuses games by it before they are opened.
    fn index_memory(&self) -> u64 {
        0
    }

    /// Visits the positions of a range of indices with their indices, the greatest index first,
    /// until told to stop; indices without a position are left out. Solvers go through their
    /// tables with it. Worth writing anew where a position is quickly made from its neighbour, as
    /// `retrograde_index::Arrangements::walk` does.
    fn walk_down<F>(&self, indices: Range<Index>, mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(Index, Self::Position) -> ControlFlow<()>,
        Self: Sized,
    {
        for index in numbers(indices).rev().map(Index) {
            if let Some(position) = self.position(index) {
                visit(index, position)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the successors of a *numbered* position, each at least once, until told to stop;
    /// visits none if the game is over there. Worth writing anew where the index of a successor is
    /// quickly found from what it shares with the position.
    fn each_numbered_successor<F>(&self, position: &Self::Position, mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(Successor) -> ControlFlow<()>,
        Self: Sized,
    {
        self.each_successor(position, |next| match self.result_after(position, &next) {
            Some(outcome) => visit(Successor::Terminal(outcome)),
            None => match self.index(&next) {
                Some(index) if self.moves_again(position, &next) => visit(Successor::Again(index)),
                Some(index) => visit(Successor::At(index)),
                None => broken_promise(format!(
                    "{} follows {} and has no index (`Dense::index`)",
                    self.position_text(&next),
                    self.position_text(position)
                )),
            },
        })
    }

    /// Visits the successors of the position that has an index, each at least once, until told to
    /// stop; visits none if no position has it or the game is over there. It is
    /// [`Dense::position`] and [`Dense::each_numbered_successor`], and games write that one anew.
    fn each_successor_at<F>(&self, index: Index, visit: F) -> ControlFlow<()>
    where
        F: FnMut(Successor) -> ControlFlow<()>,
        Self: Sized,
    {
        match self.position(index) {
            Some(position) => self.each_numbered_successor(&position, visit),
            None => ControlFlow::Continue(()),
        }
    }
}

/// A game that gives the positions before a position.
pub trait Predecessors: Dense {
    /// Visits every *numbered* position outside the prelude that has a turn to this one, each at
    /// least once, until told to stop. Finished positions have no turns and are no predecessors.
    fn each_predecessor<F>(&self, position: &Self::Position, visit: F) -> ControlFlow<()>
    where
        F: FnMut(Self::Position) -> ControlFlow<()>,
        Self: Sized;

    /// Visits the indices of these positions, each at least once; none if the index has no
    /// position. Solvers ask this. Worth writing anew where an index is at hand sooner than by
    /// ranking.
    fn each_predecessor_at<F>(&self, index: Index, mut visit: F)
    where
        F: FnMut(Index),
        Self: Sized,
    {
        let Some(position) = self.position(index) else { return };
        let _ = self.each_predecessor(&position, |previous| {
            if let Some(index) = self.index(&previous) {
                visit(index);
            }
            ControlFlow::Continue(())
        });
    }

    /// Visits at least those of them that are of the same stage, in a game that is [`Staged`]: solving
    /// by counting needs no others.
    fn each_predecessor_within_stage<F>(&self, index: Index, visit: F)
    where
        F: FnMut(Index),
        Self: Sized,
    {
        self.each_predecessor_at(index, visit);
    }
}

/// A game that can take turns back: the shortest way to [`Predecessors`], which it has by this.
///
/// Often an un-move is a turn of the same rules made backwards: a piece goes back the way it can
/// have come, to a square that is empty now.
pub trait Unmoves: Dense {
    /// Whether every visited position that is numbered and not over does have a turn to here. If
    /// not, its turns are searched for one, which costs as much as not knowing predecessors saves
    /// in games of many turns.
    const EXACT: bool;

    /// Visits positions before this one, until told to stop: every numbered one that has a turn to
    /// here at least once, and others too, if that is simpler. Positions that have no index, that
    /// are over or that come before the game proper need no attention: they are left out.
    fn each_unmove<F>(&self, position: &Self::Position, visit: F) -> ControlFlow<()>
    where
        F: FnMut(Self::Position) -> ControlFlow<()>,
        Self: Sized;

    /// Visits at least those of them that are of the same stage, in a game that is [`Staged`].
    fn each_unmove_within_stage<F>(&self, position: &Self::Position, visit: F) -> ControlFlow<()>
    where
        F: FnMut(Self::Position) -> ControlFlow<()>,
        Self: Sized,
    {
        self.each_unmove(position, visit)
    }
}

impl<G: Unmoves> Predecessors for G {
    fn each_predecessor<F>(&self, position: &Self::Position, mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(Self::Position) -> ControlFlow<()>,
    {
        self.each_unmove(position, unmade(self, position, |previous, _| visit(previous)))
    }

    fn each_predecessor_at<F>(&self, index: Index, visit: F)
    where
        F: FnMut(Index),
    {
        let Some(position) = self.position(index) else { return };
        let _ = self.each_unmove(&position, unmade(self, &position, index_alone(visit)));
    }

    fn each_predecessor_within_stage<F>(&self, index: Index, visit: F)
    where
        F: FnMut(Index),
    {
        let Some(position) = self.position(index) else { return };
        let _ = self.each_unmove_within_stage(&position, unmade(self, &position, index_alone(visit)));
    }
}

/// Shows a visitor the index of each position, and goes on.
fn index_alone<P>(mut visit: impl FnMut(Index)) -> impl FnMut(P, Index) -> ControlFlow<()> {
    move |_, index| {
        visit(index);
        ControlFlow::Continue(())
    }
}

/// A visitor of [`Unmoves::each_unmove`] that hands on the predecessors among what it sees, with
/// their indices.
fn unmade<G, F>(game: &G, position: &G::Position, mut visit: F) -> impl FnMut(G::Position) -> ControlFlow<()>
where
    G: Unmoves,
    F: FnMut(G::Position, Index) -> ControlFlow<()>,
{
    let prelude = game.prelude();
    // Most games have none, and then nothing is counted.
    let numbered = if prelude == 0 { u128::MAX } else { game.index_count() - u128::from(prelude) };
    move |previous| {
        if game.result(&previous).is_some() {
            return ControlFlow::Continue(());
        }
        let leads_here = || {
            let found =
                |next| if next == *position { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            G::EXACT || game.each_successor(&previous, found).is_break()
        };
        match game.index(&previous) {
            Some(index) if u128::from(index.0) < numbered && leads_here() => visit(previous, index),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// A game that cannot repeat, because every turn lowers a number.
pub trait Graded: Game {
    /// A number that is smaller after every turn. Where the game has [`Symmetries`], a position and
    /// its images have the same one.
    fn grade(&self, position: &Self::Position) -> u64;
}

/// A game whose positions have codes of 64 bits, which are quicker to make than the indices of a
/// dense numbering and need not be dense: three states a square, for instance, written in base 3.
pub trait Packed: Game {
    /// Whether the positions of this very game fit; those of a larger board may not, and then its
    /// codes are not asked for.
    fn is_packed(&self) -> bool {
        true
    }

    /// The code of a position, which no other position has.
    fn pack(&self, position: &Self::Position) -> u64;

    /// The position of a code that [`Packed::pack`] gives.
    fn unpack(&self, code: u64) -> Self::Position;
}

/// A graded game whose dense numbering can be solved in one pass.
pub trait Layered: Dense + Graded {
    /// The number of layers.
    fn layer_count(&self) -> usize;

    /// The indices of a layer, as ranges that may be solved side by side. Layers cover every index
    /// outside the prelude once. Every successor of an index is finished, or in an earlier layer,
    /// or at a *larger* index of the same range: a range is solved from its end.
    fn layer(&self, layer: usize) -> Vec<Range<Index>>;
}

/// Indices as the numbers that they are.
#[must_use]
pub fn numbers(indices: Range<Index>) -> Range<u64> {
    indices.start.0..indices.end.0
}

/// Indices of a layer that need each other not, in ranges that threads can share.
#[must_use]
pub fn side_by_side(indices: Range<u64>) -> Vec<Range<Index>> {
    const LENGTH: usize = 1 << 16;
    let starts = indices.clone().step_by(LENGTH);
    starts.map(|start| Index(start)..Index(indices.end.min(start.saturating_add(LENGTH as u64)))).collect()
}

/// A game that can repeat, but whose positions fall into stages that no turn leads back to, as
/// captures make them.
///
/// Such a game is solved stage by stage: what solving backwards takes beyond the scores is taken
/// for one stage at a time. Where not even the scores fit into memory, those of a stage and of the
/// stages that its turns lead to are enough.
pub trait Staged: Dense {
    /// The number of stages.
    fn stage_count(&self) -> usize;

    /// The indices of a stage, as ranges. Stages cover every index outside the prelude once. Every
    /// successor of an index is finished, in the same stage, or in an earlier one.
    fn stage(&self, stage: usize) -> Vec<Range<Index>>;

    /// The stages that turns of a stage lead to, this one among them: by default all up to this one.
    /// Worth saying where a game does not fit into memory.
    fn stages_after(&self, stage: usize) -> Vec<usize> {
        (0..=stage).collect()
    }

    /// Whether [`Staged::each_earlier_successor`] takes much less time than all successors.
    const LISTS_EARLIER: bool = false;

    /// Visits at least those successors of a *numbered* position that are finished or of earlier
    /// stages, until told to stop. By default all.
    fn each_earlier_successor<F>(&self, position: &Self::Position, visit: F) -> ControlFlow<()>
    where
        F: FnMut(Successor) -> ControlFlow<()>,
        Self: Sized,
    {
        self.each_numbered_successor(position, visit)
    }
}

/// A game in which every turn fills some cells of a set, all of them still empty, chosen from a
/// fixed list.
///
/// The dense index of a position is its set of filled cells, cell 0 the lowest bit. Such games are
/// solved 64 positions at a time and more.
pub trait Fill: Layered {
    /// The number of cells, at most 63.
    fn cells(&self) -> u32;

    /// The sets of cells that one turn may fill. Every single cell is among them.
    fn lines(&self) -> Vec<u64>;

    /// The outcome for the side to move when all cells are full.
    fn full(&self) -> Outcome;
}

/// A game whose board can be turned or mirrored without changing the game.
pub trait Symmetries: Game {
    /// The number of symmetries, the identity included.
    fn symmetry_count(&self) -> usize;

    /// The image of a position; symmetry 0 is the identity.
    fn image(&self, symmetry: usize, position: &Self::Position) -> Self::Position;
}

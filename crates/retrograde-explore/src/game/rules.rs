//! Type-erased rules of a game. Queries use them, so they are compiled once and not for each game.
//! [`Typed`] converts a game to this form. Loops that must be fast are methods here, compiled for
//! each type.

use std::any::Any;
use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use retrograde_game::{
    Flow, Game, Mark, Motion, Outcome, Picture, Piece, Seat, Show, Step, StepKind, TextError,
};
use retrograde_solve::{Progress, ReachableCounts, SolveError};

use crate::game::perft::perft;
use crate::long_work::{LONG_WORK, long_work};
use crate::{Error, SearchLimits};

/// A position of any game.
#[derive(Clone)]
pub struct Position(Arc<dyn AnyPosition>);

/// A position that can be compared and kept in sets.
trait AnyPosition: Any + Debug + Send + Sync {
    fn equals(&self, other: &dyn AnyPosition) -> bool;
    fn hash_into(&self, state: &mut dyn Hasher);
}

impl<P: Eq + Hash + Debug + Send + Sync + 'static> AnyPosition for P {
    fn equals(&self, other: &dyn AnyPosition) -> bool {
        (other as &dyn Any).downcast_ref::<P>() == Some(self)
    }

    fn hash_into(&self, mut state: &mut dyn Hasher) {
        self.hash(&mut state);
    }
}

impl Position {
    /// Erases the type of a position.
    pub fn new<P: Eq + Hash + Debug + Send + Sync + 'static>(position: P) -> Position {
        Position(Arc::new(position))
    }

    /// The position, for the game that it belongs to.
    pub fn get<P: 'static>(&self) -> &P {
        let position: &dyn Any = &*self.0;
        position.downcast_ref().unwrap_or_else(|| unreachable!("{self:?} belongs to another game"))
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.0.equals(&*other.0)
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash_into(state);
    }
}

impl Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A turn of any game.
#[derive(Clone)]
pub(crate) struct Turn(Arc<dyn Any + Send + Sync>);

impl Turn {
    fn new<T: Send + Sync + 'static>(turn: T) -> Turn {
        Turn(Arc::new(turn))
    }

    fn get<T: 'static>(&self) -> &T {
        self.0.downcast_ref().unwrap_or_else(|| unreachable!("the turn belongs to another game"))
    }
}

/// Turns, and the position that each leads to.
pub(crate) type TurnList = retrograde_game::TurnList<Turn, Position>;

/// A callback for turns, constructed on demand, and the positions they lead to.
pub(crate) type VisitTurn<'a> = dyn FnMut(&dyn Fn() -> Turn, Position) -> Flow + 'a;

/// The constant facts about a game.
pub(crate) struct Facts {
    pub name: String,
    pub rules_version: u32,
    pub position_count: u128,
    pub start: Position,
    /// Whether positions determine who is to move ([`Game::seat`]).
    pub has_seats: bool,
    pub outcome_without_turns: Outcome,
    pub plane_names: Vec<&'static str>,
    pub plane_shape: (usize, usize),
}

/// A type-erased game. Its methods correspond to those of [`Game`] and [`Show`] with the same
/// names.
pub(crate) trait Rules: Send + Sync {
    fn facts(&self) -> &Facts;

    fn parse_position(&self, text: &str) -> Result<Position, TextError>;
    fn position_text(&self, position: &Position) -> String;
    fn result(&self, position: &Position) -> Option<Outcome>;
    fn seat(&self, position: &Position) -> Option<Seat>;
    fn turn_is_counted(&self, position: &Position) -> bool;
    fn wins_now(&self, position: &Position) -> bool;

    /// The visitor constructs the turn only if needed: most only look at the position.
    fn each_turn(&self, position: &Position, visit: &mut VisitTurn<'_>) -> Flow;
    fn each_successor(&self, position: &Position, visit: &mut dyn FnMut(Position) -> Flow) -> Flow;
    fn play(&self, position: &Position, turn: &Turn) -> Position;
    fn parse_turn(&self, position: &Position, text: &str) -> Result<Turn, TextError>;
    fn turn_text(&self, position: &Position, turn: &Turn) -> String;
    fn each_step(
        &self,
        position: &Position,
        prefix: &[String],
        visit: &mut dyn FnMut(Step<'_, Position>) -> Flow,
    ) -> Result<(), TextError>;
    fn turns_after(&self, position: &Position, prefix: &[String]) -> Result<TurnList, TextError>;
    fn step_kind(&self, position: &Position, ends: bool) -> StepKind;
    fn turn_parts(&self, position: &Position) -> Vec<&'static str>;

    fn picture(&self, position: &Position, to_move: Seat) -> Picture;
    fn marks(&self, position: &Position, turn: &Turn, to_move: Seat) -> Vec<Mark>;
    fn motions(&self, position: &Position, turn: &Turn, to_move: Seat) -> Vec<Vec<Motion>>;
    fn board_text(&self, position: &Position, to_move: Seat) -> String;
    fn parse_board(&self, text: &str, to_move: Seat) -> Result<Position, TextError>;
    fn turn_on_board(&self, position: &Position, turn: &Turn, to_move: Seat) -> String;
    fn piece_name(&self, piece: Piece) -> &'static str;
    fn pieces_to_place(&self, position: &Position, to_move: Seat) -> Vec<(Piece, usize)>;
    fn refusal(
        &self,
        position: &Position,
        to_move: Seat,
        prefix: &[String],
        squares: &[&str],
    ) -> Option<String>;
    /// Fills the planes of a position from the first player's view.
    fn planes(&self, position: &Position, to_move: Seat, out: &mut [u8]);
    fn position_of_planes(&self, planes: &[u8]) -> Result<Position, TextError>;

    /// Counts the leaves of the game tree.
    fn perft(
        &self,
        position: &Position,
        depth: u32,
        limits: &SearchLimits,
        progress: &dyn Progress,
    ) -> Result<(u128, bool), Error>;
    /// Counts the reachable positions.
    fn count_reachable(&self, memory: u64, progress: &dyn Progress) -> Result<ReachableCounts, SolveError>;
}

/// Methods that follow from the ones above.
impl dyn Rules + '_ {
    pub(crate) fn name(&self) -> String {
        self.facts().name.clone()
    }

    pub(crate) fn start(&self) -> Position {
        self.facts().start.clone()
    }

    /// All turns and the positions they lead to.
    pub(crate) fn turns(&self, position: &Position) -> TurnList {
        let mut turns = Vec::new();
        let _ = self.each_turn(position, &mut |turn, next| {
            turns.push((turn(), next));
            ControlFlow::Continue(())
        });
        turns
    }

    /// Whether the player who moves in `position` moves again in `next`, one of its successors.
    pub(crate) fn moves_again(&self, position: &Position, next: &Position) -> bool {
        self.facts().has_seats && self.seat(position) == self.seat(next)
    }

    /// The player to move in `next`, after a turn of `mover`.
    pub(crate) fn mover_after(&self, mover: Seat, next: &Position) -> Seat {
        self.seat(next).unwrap_or(mover.other())
    }

    /// Fails if a player can move several times in a row, for a `question` that cannot handle it.
    pub(crate) fn require_alternation(&self, question: &'static str) -> Result<(), SolveError> {
        if self.facts().has_seats { Err(SolveError::NotAlternating(question)) } else { Ok(()) }
    }
}

/// A game as [`Rules`] and, with a numbering, as [`Numbered`](crate::game::numbered::Numbered).
pub(crate) struct Typed<G> {
    pub game: Arc<G>,
    facts: Arc<Facts>,
}

impl<G> Clone for Typed<G> {
    fn clone(&self) -> Typed<G> {
        Typed { game: self.game.clone(), facts: self.facts.clone() }
    }
}

impl<G: Game + Show + 'static> Typed<G> {
    pub(crate) fn new(game: G) -> Typed<G> {
        let start = game.start();
        let facts = Facts {
            name: game.name(),
            rules_version: G::RULES_VERSION,
            position_count: game.position_count(),
            has_seats: game.seat(&start).is_some(),
            start: Position::new(start),
            outcome_without_turns: game.outcome_without_turns(),
            plane_names: game.plane_names(),
            plane_shape: game.plane_shape(),
        };
        Typed { game: Arc::new(game), facts: Arc::new(facts) }
    }
}

impl<G: Game + Show + 'static> Rules for Typed<G> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn parse_position(&self, text: &str) -> Result<Position, TextError> {
        self.game.parse_position(text).map(Position::new)
    }
    fn position_text(&self, position: &Position) -> String {
        self.game.position_text(position.get())
    }
    fn result(&self, position: &Position) -> Option<Outcome> {
        self.game.result(position.get())
    }
    fn seat(&self, position: &Position) -> Option<Seat> {
        self.game.seat(position.get())
    }
    fn turn_is_counted(&self, position: &Position) -> bool {
        self.game.turn_is_counted(position.get())
    }
    fn wins_now(&self, position: &Position) -> bool {
        self.game.wins_now(position.get())
    }

    fn each_turn(&self, position: &Position, visit: &mut VisitTurn<'_>) -> Flow {
        self.game
            .each_turn(position.get(), |turn, next| visit(&|| Turn::new(turn.clone()), Position::new(next)))
    }
    fn each_successor(&self, position: &Position, visit: &mut dyn FnMut(Position) -> Flow) -> Flow {
        self.game.each_successor(position.get(), |next| visit(Position::new(next)))
    }
    fn play(&self, position: &Position, turn: &Turn) -> Position {
        Position::new(self.game.play(position.get(), turn.get()))
    }
    fn parse_turn(&self, position: &Position, text: &str) -> Result<Turn, TextError> {
        self.game.parse_turn(position.get(), text).map(Turn::new)
    }
    fn turn_text(&self, position: &Position, turn: &Turn) -> String {
        self.game.turn_text(position.get(), turn.get())
    }
    fn each_step(
        &self,
        position: &Position,
        prefix: &[String],
        visit: &mut dyn FnMut(Step<'_, Position>) -> Flow,
    ) -> Result<(), TextError> {
        self.game.each_step(position.get(), prefix, &mut |Step { text, ends, after }| {
            visit(Step { text, ends, after: Position::new(after) })
        })
    }
    fn turns_after(&self, position: &Position, prefix: &[String]) -> Result<TurnList, TextError> {
        let turns = self.game.turns_after(position.get(), prefix)?;
        Ok(turns.into_iter().map(|(turn, next)| (Turn::new(turn), Position::new(next))).collect())
    }
    fn step_kind(&self, position: &Position, ends: bool) -> StepKind {
        self.game.step_kind(position.get(), ends)
    }
    fn turn_parts(&self, position: &Position) -> Vec<&'static str> {
        self.game.turn_parts(position.get())
    }

    fn picture(&self, position: &Position, to_move: Seat) -> Picture {
        self.game.picture(position.get(), to_move)
    }
    fn marks(&self, position: &Position, turn: &Turn, to_move: Seat) -> Vec<Mark> {
        self.game.marks(position.get(), turn.get(), to_move)
    }
    fn motions(&self, position: &Position, turn: &Turn, to_move: Seat) -> Vec<Vec<Motion>> {
        self.game.motions(position.get(), turn.get(), to_move)
    }
    fn board_text(&self, position: &Position, to_move: Seat) -> String {
        self.game.board_text(position.get(), to_move)
    }
    fn parse_board(&self, text: &str, to_move: Seat) -> Result<Position, TextError> {
        self.game.parse_board(text, to_move).map(Position::new)
    }
    fn turn_on_board(&self, position: &Position, turn: &Turn, to_move: Seat) -> String {
        self.game.turn_on_board(position.get(), turn.get(), to_move)
    }
    fn piece_name(&self, piece: Piece) -> &'static str {
        self.game.piece_name(piece)
    }
    fn pieces_to_place(&self, position: &Position, to_move: Seat) -> Vec<(Piece, usize)> {
        self.game.pieces_to_place(position.get(), to_move)
    }
    fn refusal(
        &self,
        position: &Position,
        to_move: Seat,
        prefix: &[String],
        squares: &[&str],
    ) -> Option<String> {
        self.game.refusal(position.get(), to_move, prefix, squares)
    }
    fn planes(&self, position: &Position, to_move: Seat, out: &mut [u8]) {
        self.game.planes(&self.game.first_view(position.get(), to_move), out);
    }
    fn position_of_planes(&self, planes: &[u8]) -> Result<Position, TextError> {
        self.game.position_of_planes(planes).map(Position::new)
    }

    fn perft(
        &self,
        position: &Position,
        depth: u32,
        limits: &SearchLimits,
        progress: &dyn Progress,
    ) -> Result<(u128, bool), Error> {
        long_work(|| perft(&*self.game, position.get(), depth, limits, progress))
    }
    fn count_reachable(&self, memory: u64, progress: &dyn Progress) -> Result<ReachableCounts, SolveError> {
        // Only long work uses this.
        if !LONG_WORK {
            return Err(SolveError::Stopped);
        }
        retrograde_solve::count_reachable(&*self.game, self.facts.start.get(), &|_| None, memory, progress)
    }
}

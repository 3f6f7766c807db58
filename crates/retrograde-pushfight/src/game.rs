//! The game as the solvers see it: its name, its numbering, its symmetries.
//!
//! The index of a position is the lexicographic rank of its squares' codes in field order, `.` 0, `o` 1, `O` 2, `x`
//! 3, `X` 4, `Y` 5, the numbering of the first complete solve's files. Where the sides have different pieces, that are
//! two such numberings: first all positions in which the player who begins is to move, then those of the other. After
//! all permutations come, on boards where they are few, the positions before the first push: see the module on
//! placements.

use std::collections::HashMap;
use std::ops::ControlFlow;

use retrograde_game::{Dense, Game, Index, Outcome, Predecessors, Symmetries, TextError};
use retrograde_index::Multiset;

use crate::board::Board;
use crate::numbering::codes::Codes;
use crate::piece_counts::Pieces;
use crate::rules::{Position, Step, squares};

/// What one player does until the other is to move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Turn {
    /// Placing all pieces, before the game proper: pushers and pawns.
    Place(u64, u64),
    /// Moves, and a push at the end.
    Steps(Vec<Step>),
}

/// Push Fight on a board.
#[derive(Clone, Debug)]
pub struct PushFight {
    pub(crate) board: Board,
    pub(crate) name: String,
    /// What the player who begins has, and what the other has.
    pub(crate) sides: [Pieces; 2],
    /// All pieces of both sides.
    pub(crate) pieces: u32,
    /// Moves a turn; `None`: any number.
    pub(crate) moves: Option<u32>,
    /// The squares beside each square.
    pub(crate) beside: Vec<u64>,
    /// The numbering of the positions in which the player who begins is to move, or, where both sides have the same
    /// pieces, of all positions.
    pub(crate) ranks: Option<Multiset>,
    /// Where the sides have different pieces: the index at which the positions begin in which the other player is to
    /// move, and their numbering.
    pub(crate) other_ranks: Option<(u64, Multiset)>,
    pub(crate) permutations: u128,
    pub(crate) symmetries: Vec<Vec<u8>>,
    /// The position that the board was drawn with; the empty board if it had no pieces.
    pub(crate) start: Position,
    /// The placements on each half, and their numbers; none if they are too many to be listed.
    pub(crate) placements: [Vec<(u64, u64)>; 2],
    pub(crate) placement_numbers: [HashMap<(u64, u64), u64>; 2],
}

/// Start positions that are numbered at the most.
const MOST_STARTS: u64 = 1 << 24;

impl PushFight {
    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// What the player who begins plays with, and what the other does.
    pub fn sides(&self) -> [Pieces; 2] {
        self.sides
    }

    /// What each side plays with; `None` where the sides have different pieces.
    pub fn even(&self) -> Option<Pieces> {
        let [first, second] = self.sides;
        (first == second).then_some(first)
    }

    /// What the opponent of a side with these pieces has when none is ejected; `None` if no side has these.
    pub(crate) fn opposing(&self, pieces: Pieces) -> Option<Pieces> {
        let [first, second] = self.sides;
        if pieces == second { Some(first) } else { (pieces == first).then_some(second) }
    }

    /// The pieces of the side to move and of the other one, in each way that occurs: one where both have the same.
    pub(crate) fn ways_to_move(&self) -> impl Iterator<Item = [Pieces; 2]> {
        let [first, second] = self.sides;
        [[first, second], [second, first]].into_iter().take(if first == second { 1 } else { 2 })
    }

    /// Moves of a turn at the most; `None`: any number.
    pub fn moves(&self) -> Option<u32> {
        self.moves
    }

    /// Where the symmetries of the board take each square, the identity first.
    pub fn square_symmetries(&self) -> &[Vec<u8>] {
        &self.symmetries
    }

    /// The board, drawn as a board file has it.
    pub fn board_drawing(&self) -> String {
        self.board.drawing("").to_string()
    }

    /// Whether positions have indices of 64 bits.
    pub fn has_numbering(&self) -> bool {
        self.ranks.is_some()
    }

    pub(crate) fn starts(&self) -> u64 {
        self.placements[0].len() as u64 * self.placements[1].len() as u64
    }

    /// The first index past the permutations; `None` if positions before the first push have no indices.
    fn first_start(&self) -> Option<u64> {
        let numbered = self.starts() > 0 && self.starts() <= MOST_STARTS;
        u64::try_from(self.permutations).ok().filter(|_| numbered)
    }

    /// How many positions in which both sides have placed their pieces and nobody has pushed have an index: all, and they are
    /// the first of the prelude, or none.
    pub fn numbered_starts(&self) -> u64 {
        self.first_start().map_or(0, |_| self.starts())
    }

    /// Who is to move, if no piece is missing: 0 the player who begins, or 1; always 0 where both sides have the same
    /// pieces.
    pub(crate) fn mover(&self, position: &Position) -> Option<usize> {
        let own = Pieces::on(position.own_pushers, position.own_pawns);
        let other = Pieces::on(position.other_pushers, position.other_pawns);
        let [first, second] = self.sides;
        if own == first && other == second {
            return Some(0);
        }
        (own == second && other == first).then_some(1)
    }

    /// The numbering of the positions in which a side is to move, and the index at which they begin.
    fn numbers_of(&self, mover: usize) -> Option<(u64, &Multiset)> {
        match mover {
            0 => self.ranks.as_ref().map(|ranks| (0, ranks)),
            _ => self.other_ranks.as_ref().map(|(first, ranks)| (*first, ranks)),
        }
    }
}

impl Game for PushFight {
    type Position = Position;
    type Turn = Turn;
    const RULES_VERSION: u32 = 1;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn position_count(&self) -> u128 {
        self.permutations
    }

    fn start(&self) -> Position {
        self.start
    }

    /// Whose piece was ejected has lost.
    fn result(&self, position: &Position) -> Option<Outcome> {
        (self.ejected(position) && self.to_place(position).is_none()).then_some(Outcome::Loss)
    }

    fn turns(&self, position: &Position) -> Vec<(Turn, Position)> {
        if self.result(position).is_some() {
            return Vec::new();
        }
        match self.to_place(position) {
            Some(half) => self.placing(position, half),
            None => {
                let turns = self.all_turns(position).into_iter();
                turns.map(|(steps, next)| (Turn::Steps(steps), next)).collect()
            }
        }
    }

    fn play(&self, position: &Position, turn: &Turn) -> Position {
        match turn {
            Turn::Place(pushers, pawns) => self.placed(position, (*pushers, *pawns)),
            // A legal turn has a push; a position that is asked for an illegal one stays what it is.
            Turn::Steps(steps) => self.after(position, steps).unwrap_or(*position),
        }
    }

    fn each_successor<F>(&self, position: &Position, mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(Position) -> ControlFlow<()>,
    {
        if let Some(half) = self.to_place(position) {
            return self.placing(position, half).into_iter().try_for_each(|(_, next)| visit(next));
        }
        if self.ejected(position) {
            return ControlFlow::Continue(());
        }
        self.each_turn(position, &mut visit)
    }

    fn wins_now(&self, position: &Position) -> bool {
        self.to_place(position).is_none() && !self.ejected(position) && self.ejects_now(position)
    }

    fn counts(&self, position: &Position) -> bool {
        self.to_place(position).is_none()
    }

    fn parse_position(&self, text: &str) -> Result<Position, TextError> {
        self.read_position(text)
    }

    fn position_text(&self, position: &Position) -> String {
        self.write_position(position)
    }

    fn parse_turn(&self, position: &Position, text: &str) -> Result<Turn, TextError> {
        self.read_turn(position, text)
    }

    fn turn_text(&self, position: &Position, turn: &Turn) -> String {
        self.write_turn(position, turn)
    }

    fn each_step(
        &self,
        position: &Position,
        begun: &[String],
        visit: &mut dyn FnMut(retrograde_game::Step<'_, Position>) -> ControlFlow<()>,
    ) -> Result<(), TextError> {
        self.each_step_after(position, begun, visit)
    }
}

impl Dense for PushFight {
    const INDEX_VERSION: u32 = 1;

    fn index_count(&self) -> u128 {
        self.permutations + u128::from(self.prelude())
    }

    fn index(&self, position: &Position) -> Option<Index> {
        if position.anchor == 0 {
            return self.start_number(position).and_then(|n| Some(Index(self.first_start()? + n)));
        }
        let (first, ranks) = self.numbers_of(self.mover(position)?)?;
        let codes = Codes::of(position);
        let pieces = squares(position.occupied()).map(|square| (u32::from(square), codes.at(square)));
        Some(Index(first + ranks.rank_sparse(ranks.start(), pieces)))
    }

    fn position(&self, index: Index) -> Option<Position> {
        if u128::from(index.0) >= self.permutations {
            return self.start_of_number(index.0.checked_sub(self.first_start()?)?);
        }
        let digits = match &self.other_ranks {
            Some((first, ranks)) if index.0 >= *first => ranks.unrank_digits(index.0 - first),
            _ => self.ranks.as_ref()?.unrank_digits(index.0),
        };
        Some(Codes::from_digits(digits).position())
    }

    /// Both have placed, one has, none has.
    fn prelude(&self) -> u64 {
        self.first_start().map_or(0, |_| self.starts() + self.placements[0].len() as u64 + 1)
    }
}

impl Predecessors for PushFight {
    fn each_predecessor<F>(&self, position: &Position, mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(Position) -> ControlFlow<()>,
    {
        self.each_before(position, &mut visit)
    }
}

/// The symmetries of the board, for positions in which the anchor is in play. The others remember which half
/// is whose, so they are their own images.
impl Symmetries for PushFight {
    fn symmetry_count(&self) -> usize {
        self.symmetries.len()
    }

    fn image(&self, symmetry: usize, position: &Position) -> Position {
        if position.anchor == 0 {
            return *position;
        }
        let map = |set: u64| {
            squares(set).fold(0_u64, |image, at| image | 1 << self.symmetries[symmetry][usize::from(at)])
        };
        Position {
            own_pushers: map(position.own_pushers),
            own_pawns: map(position.own_pawns),
            other_pushers: map(position.other_pushers),
            other_pawns: map(position.other_pawns),
            anchor: map(position.anchor),
        }
    }
}

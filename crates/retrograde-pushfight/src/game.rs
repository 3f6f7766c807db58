//! Implements [`Game`] and the other traits for solvers, most importantly the index.
//!
//! The index of a position is the lexicographic rank of its squares' codes in field order, `.` 0,
//! `o` 1, `O` 2, `x` 3, `X` 4, `Y` 5, as in the files of "Solving Push Fight". If the sides have
//! different pieces, there are two such numberings: first all positions in which the player who
//! begins is to move, then the others. After all permutations come the positions before the first
//! push, on boards with few of them (`rules/placement.rs`).

use retrograde_game::{Dense, Flow, Game, Index, Outcome, StepKind, Symmetries, TextError};

use crate::PushFight;
use crate::numbering::codes::Codes;
use crate::numbering::ranks::Ranks;
use crate::position::{Position, Turn};

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

    /// A player loses when one of their pieces is ejected.
    fn result(&self, position: &Position) -> Option<Outcome> {
        (self.ejected(position) && self.placing_half(position).is_none()).then_some(Outcome::Loss)
    }

    fn turns(&self, position: &Position) -> Vec<(Turn, Position)> {
        if self.result(position).is_some() {
            return Vec::new();
        }
        match self.placing_half(position) {
            Some(half) => self.placements_after(position, half),
            None => {
                let turns = self.all_turns(position, self.moves).into_iter();
                turns.map(|(steps, next)| (Turn::Steps(steps), next)).collect()
            }
        }
    }

    fn play(&self, position: &Position, turn: &Turn) -> Position {
        match turn {
            Turn::Place(placement) => self.placed(position, *placement),
            // A legal turn has a push. An illegal turn leaves the position unchanged.
            Turn::Steps(steps) => self.played(position, steps).unwrap_or(*position),
        }
    }

    fn each_successor(&self, position: &Position, mut visit: impl FnMut(Position) -> Flow) -> Flow {
        if let Some(half) = self.placing_half(position) {
            let mut placements = self.placements[half].iter();
            return placements.try_for_each(|placement| visit(self.placed(position, placement)));
        }
        if self.ejected(position) {
            return Flow::Continue(());
        }
        self.each_arrangement(position, self.moves, &mut |own| {
            self.each_push(position, own, &mut |_, next| visit(next))
        })
    }

    fn wins_now(&self, position: &Position) -> bool {
        self.placing_half(position).is_none() && !self.ejected(position) && self.ejects_now(position)
    }

    fn turn_is_counted(&self, position: &Position) -> bool {
        self.placing_half(position).is_none()
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
        prefix: &[String],
        visit: &mut dyn FnMut(retrograde_game::Step<'_, Position>) -> Flow,
    ) -> Result<(), TextError> {
        self.each_step_after(position, prefix, visit)
    }

    fn turns_after(
        &self,
        position: &Position,
        prefix: &[String],
    ) -> Result<Vec<(Turn, Position)>, TextError> {
        if prefix.is_empty() {
            return Ok(self.turns(position));
        }
        // This also rejects illegal steps.
        self.each_step_after(position, prefix, &mut |_| Flow::Break(()))?;
        let moves = prefix.iter().map(|step| self.read_step(step)).collect::<Result<Vec<_>, _>>()?;
        let impossible = |reason| TextError::impossible("step", &prefix.join(","), reason);
        let own = self.moved(position, &moves).map_err(impossible)?;
        let moved = Position::of(own, position.other(), position.anchor);
        let left = self.moves.map(|most| most.saturating_sub(moves.len() as u32));
        let turns = self.all_turns(&moved, left).into_iter();
        Ok(turns.map(|(steps, next)| (Turn::Steps([&moves[..], &steps].concat()), next)).collect())
    }

    fn step_kind(&self, position: &Position, ends: bool) -> StepKind {
        match (self.placing_half(position), ends) {
            (Some(_), _) => StepKind::Place,
            (None, true) => StepKind::Push,
            (None, false) => StepKind::Move,
        }
    }

    fn turn_parts(&self, position: &Position) -> Vec<&'static str> {
        if self.placing_half(position).is_some() || self.ejected(position) {
            return Vec::new();
        }
        match self.moves {
            Some(0) => Vec::new(),
            Some(moves) => [vec!["Move"; moves as usize], vec!["Push"]].concat(),
            None => vec!["Moves", "Push"],
        }
    }
}

impl Dense for PushFight {
    const INDEX_VERSION: u32 = 1;

    fn index_count(&self) -> u128 {
        self.permutations + u128::from(self.prelude())
    }

    fn index(&self, position: &Position) -> Option<Index> {
        if position.anchor.is_empty() {
            return self.start_number(position).and_then(|n| Some(Index(self.first_start()? + n)));
        }
        let (first, ranks) = self.ranks.as_ref()?.of(self.mover(position)?)?;
        let codes = Codes::of(position);
        let occupied = position.occupied().into_iter();
        let pieces = occupied.map(|square| (u32::from(square.0), codes.at(square)));
        Some(Index(first + ranks.rank_sparse(ranks.start(), pieces)))
    }

    fn position(&self, index: Index) -> Option<Position> {
        if u128::from(index.0) >= self.permutations {
            return self.start_of_number(index.0.checked_sub(self.first_start()?)?);
        }
        let (first, ranks) = self.ranks.as_ref()?.at(index.0)?;
        Some(Codes::from_digits(ranks.unrank_digits(index.0 - first)).position())
    }

    fn index_memory(&self) -> u64 {
        self.ranks.as_ref().map_or(0, Ranks::memory)
    }

    /// Positions after both players, one player, or no player have placed their pieces.
    fn prelude(&self) -> u64 {
        self.first_start().map_or(0, |_| self.starts() + self.placements[0].len() + 1)
    }
}

/// The symmetries of the board, for positions with an anchor. Other positions depend on which half
/// belongs to whom, so they are their own images.
impl Symmetries for PushFight {
    fn symmetry_count(&self) -> usize {
        self.symmetries.len()
    }

    fn image(&self, symmetry: usize, position: &Position) -> Position {
        if position.anchor.is_empty() {
            return *position;
        }
        let to = &self.symmetries[symmetry];
        position.map(|set| set.into_iter().map(|square| to[square.index()]).collect())
    }
}

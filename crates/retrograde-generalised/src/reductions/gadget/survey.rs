//! All play inside a gadget, under the edge conditions of the paper. White only pushes, with the
//! one king, because the move-wasting gadget uses up White's moves. Black only moves black pawns,
//! because all black kings are in the move-wasting gadget. A push
//! that would push more pieces out by an edge than there is room for is illegal, and a push moves
//! at least one piece.

use std::collections::HashSet;

use thiserror::Error;

use super::{Beyond, Edge, Gadget, MANY, Outside};
use crate::reductions::moves::Side;
use crate::reductions::{Cell, Direction, Place, Position};

/// The most positions that a survey visits.
pub const MAX_POSITIONS: usize = 1_000_000;

/// The error of a survey with too many positions.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("more than {MAX_POSITIONS} positions in the gadget")]
pub struct TooManyPositions;

/// A position in a gadget, with the remaining room outside and the pieces that were pushed out.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Inside {
    /// The content of the rectangle.
    pub position: Position,
    /// The place of the white king; `None` if it has left or not entered.
    pub king: Option<Place>,
    /// The current outside of all edges.
    pub outside: [Vec<Outside>; 4],
    /// The pieces that were pushed out, in order, with their edges.
    pub out: Vec<(Edge, Cell)>,
}

/// How play in the gadget ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Ending {
    /// The white king pushes itself out.
    Leaves(Edge),
    /// A black piece is pushed off the board: White has won.
    Ejects(Edge),
    /// White cannot push, so must use a move elsewhere and loses.
    Stuck,
    /// A black pawn is at an edge with room beyond, or was pushed out there, and might move away:
    /// the gadget does not contain it.
    BlackEscapes,
}

/// The behaviour of Black in a survey.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Black {
    /// Everything that is possible.
    Moves,
    /// Nothing.
    Waits,
}

/// An end of play that was reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reached {
    /// The end.
    pub ending: Ending,
    /// The gadget at the end, without the king if it left.
    pub inside: Inside,
    /// White's pushes on one of the ways there, as N, E, S, W.
    pub pushes: String,
}

impl Reached {
    /// The number of pieces that were pushed out by an edge.
    #[must_use]
    pub fn out_by(&self, side: Direction, index: usize) -> usize {
        self.inside.out.iter().filter(|&&(edge, _)| edge == Edge { side, index }).count()
    }
}

/// All play in a gadget.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Survey {
    /// All different ends of play.
    pub ends: Vec<Reached>,
    /// The number of positions with White to push.
    pub positions: usize,
}

impl Survey {
    /// The ends at which White is not stuck.
    pub fn ways(&self) -> impl Iterator<Item = &Reached> {
        self.ends.iter().filter(|reached| reached.ending != Ending::Stuck)
    }
}

impl Gadget {
    /// The gadget at the beginning of play: if the king enters from outside, just after it entered
    /// behind a white pawn. `None` if they cannot enter.
    #[must_use]
    pub fn entered(&self) -> Option<Inside> {
        let king = self.position.find(|square| square == Cell::WhiteKing);
        let mut inside =
            Inside { position: self.position.clone(), king, outside: self.outside.clone(), out: Vec::new() };
        if let Some(edge) = self.enter {
            let last = |count: usize| count.checked_sub(1);
            let first = match edge.side {
                Direction::North => Place::new(0, edge.index),
                Direction::South => Place::new(last(self.position.rows())?, edge.index),
                Direction::West => Place::new(edge.index, 0),
                Direction::East => Place::new(edge.index, last(self.position.columns())?),
            };
            for piece in [Cell::WhitePawn, Cell::WhiteKing] {
                inside.shift(first, edge.side.opposite(), piece)?;
            }
            inside.king = Some(first);
        }
        Some(inside)
    }
}

impl Inside {
    /// The outside of an edge.
    fn beyond(&mut self, edge: Edge) -> Option<&mut Outside> {
        self.outside[edge.side as usize].get_mut(edge.index)
    }

    /// Puts a piece on a square and shifts what is there, and the line behind it, by one. Returns
    /// `None` if there is no room, and leaves the position in an invalid state.
    fn shift(&mut self, first: Place, direction: Direction, piece: Cell) -> Option<()> {
        let (mut carried, mut at) = (piece, first);
        loop {
            let next = self.position.at(at);
            self.position.set(at, carried);
            if next == Cell::Empty {
                return Some(());
            }
            carried = next;
            match self.position.neighbour(at, direction) {
                Some(next) => at = next,
                None => return self.push_out(edge_of(at, direction), carried),
            }
        }
    }

    /// Pushes a piece over an edge.
    fn push_out(&mut self, edge: Edge, piece: Cell) -> Option<()> {
        let outside = self.beyond(edge)?;
        if outside.room == 0 {
            return None;
        }
        if outside.beyond == Beyond::Nothing {
            // A player never ejects an own piece.
            if piece.is_white() {
                return None;
            }
        } else {
            outside.beyond = Beyond::Occupied;
            if outside.room != MANY {
                outside.room -= 1;
            }
        }
        self.out.push((edge, piece));
        Some(())
    }

    /// The position after a push of the white king, and the end of play if that ends it.
    #[must_use]
    pub fn pushed(&self, direction: Direction) -> Option<(Inside, Option<Ending>)> {
        let king = self.king?;
        let mut after = self.clone();
        after.position.set(king, Cell::Empty);
        let Some(ahead) = self.position.neighbour(king, direction) else {
            let edge = edge_of(king, direction);
            if after.beyond(edge)?.beyond == Beyond::Empty {
                return None;
            }
            after.push_out(edge, Cell::WhiteKing)?;
            // Only the pieces before the king count as pushed out.
            after.out.pop();
            after.king = None;
            return Some((after, Some(Ending::Leaves(edge))));
        };
        if self.position.at(ahead) == Cell::Empty {
            return None;
        }
        after.shift(ahead, direction, Cell::WhiteKing)?;
        after.king = Some(ahead);
        let fell = after.out[self.out.len()..].last().map(|&(edge, _)| edge);
        let fell =
            fell.filter(|&edge| after.outside[edge.side as usize][edge.index].beyond == Beyond::Nothing);
        let ending = fell.map(Ending::Ejects);
        Some((after, ending))
    }

    /// The positions after Black's moves, beginning with the position itself. A gadget has at most one black pawn, so
    /// one move is as good as several.
    #[must_use]
    pub fn replies(&self) -> Vec<Inside> {
        let positions = self.position.after_moves(Side::Black, 1);
        positions.into_iter().map(|position| Inside { position, ..self.clone() }).collect()
    }

    /// Whether a black pawn is at an edge with room beyond, so that it might move away.
    fn black_at_the_door(&self) -> bool {
        let out = self.out.iter().any(|(_, piece)| piece.is_black());
        out || self.position.places().any(|place| {
            self.position.at(place).is_black()
                && Direction::ALL.into_iter().any(|direction| {
                    self.position.neighbour(place, direction).is_none() && {
                        let edge = edge_of(place, direction);
                        let outside = self.outside[edge.side as usize].get(edge.index);
                        outside.is_some_and(|outside| outside.room > 0 && outside.beyond != Beyond::Nothing)
                    }
                })
        })
    }

    /// Surveys all play from here, with Black to move first. With [`Black::Waits`] it shows what
    /// White cannot reach even if Black does nothing.
    ///
    /// # Errors
    /// If there are more than [`MAX_POSITIONS`] positions.
    pub fn survey(&self, black: Black) -> Result<Survey, TooManyPositions> {
        let mut seen = HashSet::new();
        let mut found = HashSet::new();
        let mut ends = Vec::new();
        let mut end = |ending, inside: Inside, pushes: &str| {
            if found.insert((ending, inside.clone())) {
                ends.push(Reached { ending, inside, pushes: pushes.to_owned() });
            }
        };
        let mut waiting: Vec<(Inside, String)> = Vec::new();
        let mut after_white = vec![(self.clone(), String::new())];
        loop {
            for (inside, pushes) in after_white.drain(..) {
                let replies = match black {
                    Black::Moves => inside.replies(),
                    Black::Waits => vec![inside],
                };
                for reply in replies {
                    if black == Black::Moves && reply.black_at_the_door() {
                        end(Ending::BlackEscapes, reply, &pushes);
                    } else if seen.insert(reply.clone()) {
                        waiting.push((reply, pushes.clone()));
                    }
                }
            }
            if seen.len() > MAX_POSITIONS {
                return Err(TooManyPositions);
            }
            let Some((inside, pushes)) = waiting.pop() else { break };
            let mut stuck = true;
            for direction in Direction::ALL {
                let Some((after, ending)) = inside.pushed(direction) else { continue };
                stuck = false;
                let letter = ['N', 'E', 'S', 'W'][direction as usize];
                let pushes = format!("{pushes}{letter}");
                match ending {
                    Some(ending) => end(ending, after, &pushes),
                    None => after_white.push((after, pushes)),
                }
            }
            if stuck {
                end(Ending::Stuck, inside, &pushes);
            }
        }
        ends.sort_by(|a, b| (a.ending, &a.pushes).cmp(&(b.ending, &b.pushes)));
        Ok(Survey { ends, positions: seen.len() })
    }
}

/// The edge of the gadget next to a square on its border.
fn edge_of(place: Place, side: Direction) -> Edge {
    let index = match side {
        Direction::North | Direction::South => place.column,
        Direction::East | Direction::West => place.row,
    };
    Edge { side, index }
}

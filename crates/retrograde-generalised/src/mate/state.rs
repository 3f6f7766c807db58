//! The board at the beginning of a turn, of any size that can be drawn, and turns on it.

use std::fmt;

use retrograde_game::{GridSquare, TextError};
use retrograde_pushfight::{BoardFile, Drawing};

/// The number for no square.
pub(crate) const NONE: u32 = u32::MAX;

/// The content of a square, seen by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Piece {
    Empty,
    Pawn,
    Pusher,
    /// An opposing pawn or pusher: it does not move during this turn, and can be pushed.
    Other,
    /// The anchored opposing pusher, which cannot be pushed.
    Anchored,
}

impl Piece {
    pub fn is_own(self) -> bool {
        matches!(self, Piece::Pawn | Piece::Pusher)
    }

    pub fn is_other(self) -> bool {
        matches!(self, Piece::Other | Piece::Anchored)
    }
}

/// A state of Push Fight: a board of any size with its pieces, seen by the side to move.
///
/// Squares are numbered row by row from the top.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) drawing: Drawing,
    pub(crate) places: Vec<GridSquare>,
    /// The neighbours above, right, below, left; [`NONE`] where there is no square.
    pub(crate) next: Vec<[u32; 4]>,
    /// The directions in which a rail keeps pieces on the board, as bits.
    pub(crate) rails: Vec<u8>,
    pub(crate) pieces: Vec<Piece>,
}

/// Moves of own pieces, and a push by a pusher.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The moves in order, each from a square to a square.
    pub moves: Vec<(u32, u32)>,
    /// The pusher's square, and the direction: above (0), right (1), below (2), left (3).
    pub push: (u32, usize),
}

/// The reason why a turn ejects no opposing piece.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoMate {
    /// A move breaks the rules.
    #[error("move {} is not legal: {reason}", .at + 1)]
    Move {
        /// The number of the move, counted from 0.
        at: usize,
        /// The rule that it breaks.
        reason: &'static str,
    },
    /// The push breaks the rules or ejects nothing.
    #[error("the push does not eject an opposing piece: {0}")]
    Push(&'static str),
}

impl State {
    /// Parses a `.board` file, or a drawing as separate lines or joined by `/`. `P`, an anchored
    /// pusher of the own side, means that the other side is to move.
    ///
    /// # Errors
    /// With line and column, the errors of [`BoardFile::parse`]; also a board without pieces.
    pub fn parse(text: &str) -> Result<State, TextError> {
        let drawing =
            if text.contains('\n') { BoardFile::parse(text)?.drawing } else { Drawing::parse(text)? };
        if drawing.squares().all(|(_, letter)| letter == '.') {
            return Err(TextError::impossible("board", text, "there are no pieces on it"));
        }
        Ok(State::of(drawing))
    }

    /// The state of a drawing.
    pub fn of(drawing: Drawing) -> State {
        let swapped = drawing.squares().any(|(_, letter)| letter == 'P');
        let columns = usize::from(drawing.columns());
        let mut numbers = vec![NONE; usize::from(drawing.rows()) * columns];
        let cell = |place: GridSquare| usize::from(place.row) * columns + usize::from(place.column);
        let places: Vec<GridSquare> = drawing.squares().map(|(place, _)| place).collect();
        for (number, &place) in places.iter().enumerate() {
            numbers[cell(place)] = number as u32;
        }
        let around = |&place: &GridSquare| {
            std::array::from_fn(|d| drawing.neighbour(place, d).map_or(NONE, |next| numbers[cell(next)]))
        };
        let next = places.iter().map(around).collect();
        let railed = |&place: &GridSquare| {
            (0..4).filter(|&d| drawing.has_rail(place, d)).fold(0, |set, direction| set | 1 << direction)
        };
        let rails = places.iter().map(railed).collect();
        let pieces = drawing.squares().map(|(_, letter)| match (letter, swapped) {
            ('o', false) | ('x', true) => Piece::Pawn,
            ('O', false) | ('X', true) => Piece::Pusher,
            ('o' | 'O', true) | ('x' | 'X', false) => Piece::Other,
            ('Y' | 'P', _) => Piece::Anchored,
            _ => Piece::Empty,
        });
        let pieces = pieces.collect();
        State { places, next, rails, pieces, drawing }
    }

    /// The drawing of the board and the pieces.
    pub fn drawing(&self) -> &Drawing {
        &self.drawing
    }

    /// The number of squares.
    pub fn square_count(&self) -> usize {
        self.places.len()
    }

    /// The place of a square in the grid.
    pub fn place(&self, square: u32) -> GridSquare {
        self.places[square as usize]
    }

    /// The square next to a square: above (0), right (1), below (2), left (3).
    pub fn neighbour(&self, square: u32, direction: usize) -> Option<u32> {
        Some(self.next[square as usize][direction]).filter(|&next| next != NONE)
    }

    /// The squares of the own pushers.
    pub fn pushers(&self) -> impl Iterator<Item = u32> + '_ {
        self.where_is(Piece::Pusher)
    }

    pub(crate) fn where_is(&self, wanted: Piece) -> impl Iterator<Item = u32> + '_ {
        self.pieces.iter().enumerate().filter(move |&(_, &piece)| piece == wanted).map(|(at, _)| at as u32)
    }

    /// The squares next to a square, with their directions.
    pub(crate) fn neighbours(&self, square: u32) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.next[square as usize].iter().copied().enumerate().filter(|&(_, next)| next != NONE)
    }

    /// The squares from the neighbour of a square to the end of the board in a direction.
    pub(crate) fn line(&self, square: u32, direction: usize) -> impl Iterator<Item = u32> + '_ {
        let step = move |&at: &u32| match self.next[at as usize][direction] {
            NONE => None,
            next => Some(next),
        };
        std::iter::successors(step(&square), step)
    }

    /// The name of a square, such as `c4`: its column, and its row counted from below.
    pub fn label(&self, square: u32) -> String {
        self.drawing.label(self.places[square as usize])
    }

    /// Formats a turn: moves and the push, each from one square to another, such as `d1-a2,c2-d2`.
    pub fn turn_text(&self, turn: &Turn) -> String {
        let step = |(from, to): (u32, u32)| format!("{}-{}", self.label(from), self.label(to));
        let mut words: Vec<String> = turn.moves.iter().map(|&pair| step(pair)).collect();
        let (from, direction) = turn.push;
        words.push(step((from, self.next[from as usize][direction])));
        words.join(",")
    }

    /// Plays a turn and checks that it ejects an opposing piece.
    ///
    /// # Errors
    /// If a move or the push is not legal, or the push ejects no opposing piece.
    pub fn check(&self, turn: &Turn) -> Result<(), NoMate> {
        let mut pieces = self.pieces.clone();
        for (at, &(from, to)) in turn.moves.iter().enumerate() {
            let wrong = |reason| Err(NoMate::Move { at, reason });
            let inside = |square: u32| (square as usize) < self.square_count();
            if !inside(from) || !inside(to) {
                return wrong("there is no such square");
            }
            if !pieces[from as usize].is_own() {
                return wrong("the mover has no piece there");
            }
            if !self.is_way(&pieces, from, to) {
                return wrong("no path over empty squares leads there");
            }
            pieces.swap(from as usize, to as usize);
        }
        self.ejects(&pieces, turn.push).map_err(NoMate::Push)
    }

    /// Checks that a push ejects an opposing piece from the given pieces. The error is the reason
    /// why it does not.
    pub(crate) fn ejects(
        &self,
        pieces: &[Piece],
        (from, direction): (u32, usize),
    ) -> Result<(), &'static str> {
        if pieces.get(from as usize) != Some(&Piece::Pusher) || direction > 3 {
            return Err("the mover has no pusher there");
        }
        let mut last = None;
        for square in self.line(from, direction) {
            match pieces[square as usize] {
                Piece::Empty => return Err("the line ends at an empty square"),
                Piece::Anchored => return Err("the anchor is in the way"),
                _ => last = Some(square),
            }
        }
        match last {
            None => Err("there is nothing to push"),
            Some(end) if self.rails[end as usize] >> direction & 1 == 1 => {
                Err("there is a rail at the end of the line")
            }
            Some(end) if pieces[end as usize].is_own() => Err("it ejects one of the mover's own pieces"),
            Some(_) => Ok(()),
        }
    }

    /// Whether a piece can reach another square over empty squares.
    fn is_way(&self, pieces: &[Piece], from: u32, to: u32) -> bool {
        let mut seen = vec![false; pieces.len()];
        let mut todo = vec![from];
        while let Some(square) = todo.pop() {
            for (_, next) in self.neighbours(square) {
                if pieces[next as usize] == Piece::Empty && !std::mem::replace(&mut seen[next as usize], true)
                {
                    todo.push(next);
                }
            }
        }
        seen[to as usize]
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.drawing.fmt(f)
    }
}

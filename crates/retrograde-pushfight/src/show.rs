//! Pictures of the board. The first player's pieces are `O` and `o` regardless of who is to move,
//! and the board is never turned.

use std::collections::VecDeque;

use retrograde_game::{
    Edge, Game, GridSquare, Guide, Mark, Motion, Picture, Piece, PieceShape, Rail, Seat, Show, Square,
    Squares, TextError,
};

use crate::position::{Position, Step, Turn};
use crate::{Drawing, PushFight};

/// The piece with a letter, in the first player's view.
fn piece(letter: char) -> Option<Piece> {
    let (shape, owner) = match letter {
        'o' => (PieceShape::Round, Seat::First),
        'O' | 'P' => (PieceShape::Square, Seat::First),
        'x' => (PieceShape::Round, Seat::Second),
        'X' | 'Y' => (PieceShape::Square, Seat::Second),
        _ => return None,
    };
    Some(Piece { shape, owner: Some(owner), anchored: matches!(letter, 'P' | 'Y'), letter })
}

/// The letter of the same piece of the other player.
fn other_color(letter: char) -> char {
    match letter {
        'O' => 'X',
        'o' => 'x',
        'P' => 'Y',
        'X' => 'O',
        'x' => 'o',
        'Y' => 'P',
        other => other,
    }
}

/// The letters of a player's pushers and pawns.
fn letters(player: Seat) -> [char; 2] {
    match player {
        Seat::First => ['O', 'o'],
        Seat::Second => ['X', 'x'],
    }
}

const SIDES: [Edge; 4] = [Edge::Top, Edge::Right, Edge::Bottom, Edge::Left];

impl Drawing {
    /// The picture of the drawing; `o O P` belong to the first player. The player without the
    /// anchored pusher is to move, or the first player if there is no anchor.
    pub fn picture(&self) -> Picture {
        let anchored = self.squares().any(|(_, letter)| letter == 'P');
        let to_move = if anchored { Seat::Second } else { Seat::First };
        let mut picture = Picture::grid(self.columns(), self.rows(), to_move);
        picture.squares.fill(None);
        for (place, letter) in self.squares() {
            picture.put(place, piece(letter));
            let railed = (0..4).filter(|&d| self.has_rail(place, d));
            picture.rails.extend(railed.map(|d| Rail { place, side: SIDES[d] }));
        }
        picture
    }
}

impl PushFight {
    fn place(&self, square: Square) -> GridSquare {
        self.board.places[square.index()]
    }

    /// The piece of the side to move that the opponent has ejected, if any.
    fn off_board(&self, position: &Position, to_move: Seat) -> Vec<Piece> {
        if position.anchor.is_empty() || !self.ejected(position) {
            return Vec::new();
        }
        // The player who just pushed has all pieces, which determine the pieces that the other began with.
        let Some(whole) = self.opposing(position.other().counts()) else { return Vec::new() };
        let left = position.own().counts();
        let missing = [(whole.pushers, left.pushers), (whole.pawns, left.pawns)];
        let missing = missing.map(|(whole, left)| whole.saturating_sub(left) as usize);
        let pieces = letters(to_move).into_iter().zip(missing);
        pieces.flat_map(|(letter, count)| std::iter::repeat_n(piece(letter), count).flatten()).collect()
    }

    /// The squares between the ends of a move: a shortest path over empty squares with as few bends
    /// as possible; empty if the path is straight.
    fn way(&self, step: Step, empty: Squares) -> Vec<GridSquare> {
        let next = |square: Square, d: usize| {
            self.board.next[square.index()][d].filter(|&next| next == step.from || empty.contains(next))
        };
        // The distance of each square from the end.
        let mut distance = [usize::MAX; 64];
        distance[step.to.index()] = 0;
        let mut queue = VecDeque::from([step.to]);
        while let Some(square) = queue.pop_front() {
            for near in (0..4).filter_map(|d| next(square, d)) {
                if distance[near.index()] == usize::MAX {
                    distance[near.index()] = distance[square.index()] + 1;
                    queue.push_back(near);
                }
            }
        }
        let (mut at, mut heading, mut turned, mut way) = (step.from, None, false, Vec::new());
        while at != step.to {
            let nearer = |d: &usize| {
                let nearer = next(at, *d).is_some_and(|next| distance[next.index()] < distance[at.index()]);
                nearer && distance[at.index()] < usize::MAX
            };
            let Some(d) = heading.filter(nearer).or_else(|| (0..4).find(nearer)) else { break };
            let Some(near) = next(at, d) else { break };
            turned |= heading.is_some_and(|heading| heading != d);
            (at, heading) = (near, Some(d));
            way.push(self.place(at));
        }
        way.pop();
        if turned { way } else { Vec::new() }
    }

    /// The motions of a push: the row moves together, its last piece may fall, and the pusher gets
    /// the anchor.
    fn pushed_row(&self, push: Step, occupied: Squares, anchor: Option<Square>) -> Vec<Motion> {
        let mut row = Vec::new();
        let next = &self.board.next;
        let Some(d) = self.board.direction(push) else { return row };
        let mut at = push.from;
        while occupied.contains(at) {
            let from = self.place(at);
            let Some(to) = next[at.index()][d] else {
                row.push(Motion::Leave { from, toward: Some(SIDES[d]) });
                break;
            };
            row.push(Motion::Slide { from, via: Vec::new(), to: self.place(to) });
            at = to;
        }
        row.push(Motion::Anchor { from: anchor.map(|square| self.place(square)), to: self.place(push.to) });
        row
    }
}

impl Show for PushFight {
    fn picture(&self, position: &Position, to_move: Seat) -> Picture {
        let drawing = self.board.drawing(&self.board_text(position, to_move));
        Picture { to_move, off_board: self.off_board(position, to_move), ..drawing.picture() }
    }

    fn marks(&self, _position: &Position, turn: &Turn, _to_move: Seat) -> Vec<Mark> {
        match turn {
            Turn::Place(placement) => {
                let squares = placement.squares().into_iter();
                vec![Mark::Fill(squares.map(|square| self.place(square)).collect())]
            }
            Turn::Steps(steps) => steps
                .iter()
                .enumerate()
                .map(|(number, step)| {
                    let (from, to) = (self.place(step.from), self.place(step.to));
                    if number + 1 == steps.len() { Mark::Push(from, to) } else { Mark::Move(from, to) }
                })
                .collect(),
        }
    }

    fn motions(&self, position: &Position, turn: &Turn, to_move: Seat) -> Vec<Vec<Motion>> {
        let steps = match turn {
            Turn::Steps(steps) => steps,
            // The pieces appear.
            Turn::Place(_) => {
                let after = self.picture(&self.play(position, turn), to_move.other());
                return self
                    .picture(position, to_move)
                    .motions_to(&after, &self.marks(position, turn, to_move));
            }
        };
        let Some((&push, moves)) = steps.split_last() else { return Vec::new() };
        let mut occupied = position.occupied();
        let mut motions = Vec::with_capacity(steps.len());
        for &step in moves {
            let via = self.way(step, self.board.all() & !occupied);
            motions.push(vec![Motion::Slide { from: self.place(step.from), via, to: self.place(step.to) }]);
            occupied = occupied.without(step.from).with(step.to);
        }
        motions.push(self.pushed_row(push, occupied, position.anchor.first()));
        motions
    }

    fn first_view(&self, position: &Position, to_move: Seat) -> Position {
        match to_move {
            Seat::First => *position,
            Seat::Second => Position::of(position.other(), position.own(), position.anchor),
        }
    }

    fn board_text(&self, position: &Position, to_move: Seat) -> String {
        let own = self.write_position(position);
        match to_move {
            Seat::First => own,
            Seat::Second => own.chars().map(other_color).collect(),
        }
    }

    fn parse_board(&self, text: &str, to_move: Seat) -> Result<Position, TextError> {
        self.read_board(text, to_move)
    }

    fn turn_on_board(&self, position: &Position, turn: &Turn, _to_move: Seat) -> String {
        self.write_turn(position, turn)
    }

    fn palette(&self) -> Vec<Piece> {
        ['O', 'o', 'P', 'X', 'x', 'Y'].into_iter().filter_map(piece).collect()
    }

    fn piece_name(&self, piece: Piece) -> &'static str {
        match piece.shape {
            PieceShape::Square => "pusher",
            _ => "pawn",
        }
    }

    fn pieces_to_place(&self, position: &Position, to_move: Seat) -> Vec<(Piece, usize)> {
        let Some(half) = self.placing_half(position) else { return Vec::new() };
        let counts = [self.sides[half].pushers, self.sides[half].pawns];
        let pieces = letters(to_move).into_iter().zip(counts).filter(|(_, count)| *count > 0);
        pieces.filter_map(|(letter, count)| Some((piece(letter)?, count as usize))).collect()
    }

    fn refusal(
        &self,
        position: &Position,
        to_move: Seat,
        prefix: &[String],
        squares: &[&str],
    ) -> Option<String> {
        self.why_no_step(position, to_move, prefix, squares)
    }

    fn guide(&self) -> Guide {
        self.rules_guide()
    }

    fn plane_names(&self) -> Vec<&'static str> {
        vec!["own pushers", "own pawns", "opponent pushers", "opponent pawns", "anchor"]
    }

    fn plane_shape(&self) -> (usize, usize) {
        (usize::from(self.board.rows), usize::from(self.board.columns))
    }

    fn planes(&self, position: &Position, out: &mut [u8]) {
        out.fill(0);
        let size = usize::from(self.board.rows) * usize::from(self.board.columns);
        let sets = [
            position.own_pushers,
            position.own_pawns,
            position.other_pushers,
            position.other_pawns,
            position.anchor,
        ];
        for (number, set) in sets.into_iter().enumerate() {
            for square in set {
                let place = self.place(square);
                let at = usize::from(place.row) * usize::from(self.board.columns) + usize::from(place.column);
                out[number * size + at] = 1;
            }
        }
    }

    fn position_of_planes(&self, planes: &[u8]) -> Result<Position, TextError> {
        let size = usize::from(self.board.rows) * usize::from(self.board.columns);
        let mut sets = [Squares::EMPTY; 5];
        if planes.len() != sets.len() * size {
            return Err(self.no_planes(planes, "they are not five planes of the board's size"));
        }
        for (set, plane) in sets.iter_mut().zip(planes.chunks_exact(size)) {
            for (number, place) in self.board.places.iter().enumerate() {
                let (row, column) = (usize::from(place.row), usize::from(place.column));
                if plane.get(row * usize::from(self.board.columns) + column) == Some(&1) {
                    set.insert(Square(number as u8));
                }
            }
        }
        let [own_pushers, own_pawns, other_pushers, other_pawns, anchor] = sets;
        let position = Position { own_pushers, own_pawns, other_pushers, other_pawns, anchor };
        // Reading the text back finds what is wrong with a position. What the text loses (two
        // pieces on a square, values other than 0 and 1, squares that do not exist) shows when the
        // planes are created again.
        let read = self.read_position(&self.write_position(&position));
        let read = read.map_err(|error| self.no_planes(planes, &error.reason()))?;
        let mut again = vec![0; planes.len()];
        self.planes(&read, &mut again);
        if again != planes {
            return Err(self.no_planes(planes, "they do not belong to a position"));
        }
        Ok(read)
    }
}

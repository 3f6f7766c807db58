//! Pictures of the board: the first player's pieces are `O` and `o` whoever is to move; the board
//! is never turned.

use retrograde_game::{Edge, GridSquare, Guide, Mark, Picture, Piece, PieceShape, Rail, Seat, Show, Square};

use crate::position::{Position, Turn};
use crate::{Drawing, PushFight};

/// The piece that a letter stands for, in the first player's view.
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

/// The same piece of the other player.
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

const SIDES: [Edge; 4] = [Edge::Top, Edge::Right, Edge::Bottom, Edge::Left];

impl Drawing {
    /// The picture of the drawing; `o O P` are the first player's. The player without the anchored
    /// pusher is to move; the first player if none is anchored.
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
        let (row, column) = self.board.places[square.index()];
        GridSquare { column, row }
    }
}

impl Show for PushFight {
    fn picture(&self, position: &Position, to_move: Seat) -> Picture {
        let drawing = self.board.drawing(&self.board_text(position, to_move));
        Picture { to_move, ..drawing.picture() }
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

    fn board_text(&self, position: &Position, to_move: Seat) -> String {
        let own = self.write_position(position);
        match to_move {
            Seat::First => own,
            Seat::Second => own.chars().map(other_color).collect(),
        }
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
        let letters = match to_move {
            Seat::First => ['O', 'o'],
            Seat::Second => ['X', 'x'],
        };
        let counts = [self.sides[half].pushers, self.sides[half].pawns];
        let pieces = letters.into_iter().zip(counts).filter(|(_, count)| *count > 0);
        pieces.filter_map(|(letter, count)| Some((piece(letter)?, count as usize))).collect()
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
}

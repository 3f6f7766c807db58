//! How the board looks: the first player's pieces are `O` and `o` whoever is to move; the board is never turned.

use retrograde_game::{Mark, Picture, Piece, Place, Rail, Seat, Shape, Show, Side};

use crate::rules::{Position, squares};
use crate::{PushFight, Turn};

impl PushFight {
    fn place(&self, square: u8) -> Place {
        let (row, column) = self.board.places[usize::from(square)];
        Place { column, row }
    }

    /// Whether the side to move here is the first player: placing tells it, otherwise whoever asks does.
    fn owners(to_move: Seat) -> (Seat, Seat) {
        (to_move, to_move.other())
    }
}

impl Show for PushFight {
    fn picture(&self, position: &Position, to_move: Seat) -> Picture {
        let mut picture = Picture::grid(self.board.columns, self.board.rows, to_move);
        picture.squares.fill(None);
        for square in 0..self.board.squares() as u8 {
            picture.put(self.place(square), None);
        }
        let (own, other) = PushFight::owners(to_move);
        for (set, owner, shape) in [
            (position.own_pushers, own, Shape::Square),
            (position.own_pawns, own, Shape::Round),
            (position.other_pushers, other, Shape::Square),
            (position.other_pawns, other, Shape::Round),
        ] {
            for square in squares(set) {
                let anchored = position.anchor >> square & 1 == 1;
                let letter = match (owner, shape) {
                    (Seat::First, Shape::Square) => {
                        if anchored {
                            'P'
                        } else {
                            'O'
                        }
                    }
                    (Seat::First, _) => 'o',
                    (Seat::Second, Shape::Square) => {
                        if anchored {
                            'Y'
                        } else {
                            'X'
                        }
                    }
                    (Seat::Second, _) => 'x',
                };
                let piece = Piece { shape, owner: Some(owner), anchored, letter };
                picture.put(self.place(square), Some(piece));
            }
        }
        for square in 0..self.board.squares() as u8 {
            for (d, side) in [Side::Top, Side::Right, Side::Bottom, Side::Left].into_iter().enumerate() {
                if self.board.rail[usize::from(square)][d] {
                    picture.rails.push(Rail { place: self.place(square), side });
                }
            }
        }
        picture
    }

    fn marks(&self, _position: &Position, turn: &Turn, _to_move: Seat) -> Vec<Mark> {
        match turn {
            Turn::Place(pushers, pawns) => {
                vec![Mark::Fill(squares(pushers | pawns).map(|square| self.place(square)).collect())]
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
            Seat::Second => own
                .chars()
                .map(|letter| match letter {
                    'O' => 'X',
                    'o' => 'x',
                    'X' => 'O',
                    'x' => 'o',
                    'Y' => 'P',
                    other => other,
                })
                .collect(),
        }
    }

    fn turn_on_board(&self, position: &Position, turn: &Turn, _to_move: Seat) -> String {
        self.write_turn(position, turn)
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
            for square in squares(set) {
                let place = self.place(square);
                let at = usize::from(place.row) * usize::from(self.board.columns) + usize::from(place.column);
                out[number * size + at] = 1;
            }
        }
    }
}

//! Pictures of positions, and the rules in a few sentences.

use retrograde_game::*;

use super::rules::{Flying, Position, Turn};
use super::{Morris, notation};

fn men() -> [Piece; 2] {
    Piece::sides(PieceShape::Round)
}

impl Show for Morris {
    fn picture(&self, position: &Position, to_move: Seat) -> Picture {
        let board = &self.rules.board;
        let mut picture = Picture::grid(board.columns, board.rows, to_move);
        picture.squares.fill(None);
        board.places.iter().for_each(|&place| picture.put(place, None));
        let [own_hand, other_hand] = position.hands();
        let mut sides = [(position.own, own_hand), (position.other, other_hand)];
        if to_move == Seat::Second {
            sides.reverse();
        }
        for (man, (points, hand)) in men().into_iter().zip(sides) {
            for point in points {
                picture.put(board.places[usize::from(point.0)], Some(man));
            }
            let taken = self.rules.men.saturating_sub(hand + points.len()) as usize;
            picture.off_board.extend(std::iter::repeat_n(man, taken));
        }
        picture
    }

    fn marks(&self, _position: &Position, turn: &Turn, _to_move: Seat) -> Vec<Mark> {
        let place = |point: Square| self.rules.board.places[usize::from(point.0)];
        let goes = match turn.from {
            Some(from) => Mark::Move(place(from), place(turn.to)),
            None => Mark::Fill(vec![place(turn.to)]),
        };
        let takes = turn.takes.map(|taken| Mark::Fill(vec![place(taken)]));
        [goes].into_iter().chain(takes).collect()
    }

    fn first_view(&self, position: &Position, to_move: Seat) -> Position {
        match to_move {
            Seat::First => *position,
            Seat::Second => Position { own: position.other, other: position.own, ..*position },
        }
    }

    fn parse_board(&self, text: &str, to_move: Seat) -> Result<Position, TextError> {
        notation::parse_board(&self.rules, text, to_move)
    }

    fn palette(&self) -> Vec<Piece> {
        men().to_vec()
    }

    fn piece_name(&self, _piece: Piece) -> &'static str {
        "man"
    }

    fn guide(&self) -> Guide {
        let men = number_in_words(self.rules.men);
        let board = match self.board {
            9 => "The board is three nested squares, joined in the middles of their sides",
            6 => "The board is two nested squares, joined in the middles of their sides",
            _ => "The board has three rows of three points",
        };
        let ways = match (self.rules.flying, self.diagonals) {
            (Flying::Always, _) => "to any empty point",
            (_, true) => {
                "to a neighbouring empty point, along a row, a column or a diagonal through the middle"
            }
            _ => "along a line to the next point, if that is empty",
        };
        let mut sentences = vec![
            format!("{board}; Red and Blue have {men} men each, and Red begins."),
            format!(
                "First the players place their men on empty points, one per turn; after that a turn moves a man {ways}."
            ),
        ];
        let rest: &[&str] = if self.rules.mill_wins {
            &[
                "Three men in a row, a column or a diagonal are a mill, and a mill wins.",
                "A player who cannot move loses.",
            ]
        } else {
            &[
                "A player who closes a mill, three men on a line, takes an opposing man, if possible \
                 one that is not in a mill.",
                "A player with only three men left moves them to any empty point.",
                "A player who has two men left, or cannot move, loses.",
            ]
        };
        sentences.extend(rest.iter().map(|&sentence| sentence.to_owned()));
        Guide { sentences, examples: self.examples() }
    }

    fn plane_names(&self) -> Vec<&'static str> {
        vec!["own men", "opponent men", "men in hand"]
    }

    fn plane_shape(&self) -> (usize, usize) {
        (self.rules.board.rows.into(), self.rules.board.columns.into())
    }

    /// The third plane is the number of men in both hands, in binary from the upper left.
    fn planes(&self, position: &Position, out: &mut [u8]) {
        let (rows, columns) = self.plane_shape();
        out.fill(0);
        for (plane, men) in [position.own, position.other].into_iter().enumerate() {
            for point in men {
                let at = self.rules.board.places[usize::from(point.0)];
                out[(plane * rows + usize::from(at.row)) * columns + usize::from(at.column)] = 1;
            }
        }
        for (bit, value) in out[2 * rows * columns..].iter_mut().take(8).enumerate() {
            *value = position.in_hands >> bit & 1;
        }
    }
}

impl Morris {
    /// Three turns of Red: a man is placed, a man moves, and a mill.
    fn examples(&self) -> Vec<Example> {
        let text = |own: &[&str], other: &[&str], in_hands: u8| {
            let set = |names: &[&str]| -> Squares {
                let points = self.rules.board.all().into_iter();
                points.filter(|&point| names.contains(&self.rules.board.name(point).as_str())).collect()
            };
            notation::board(&self.rules.board, set(own), set(other), in_hands)
        };
        let in_hands = |placed: u32| (2 * self.rules.men).saturating_sub(placed) as u8;
        let example = |caption: &str, own: &[&str], other: &[&str], in_hands: u8, turn: &str| {
            Example::new(caption, text(own, other, in_hands), turn)
        };
        let place = "A man is placed on an empty point.";
        let closes = "Red closes a mill and takes one of Blue's men.";
        let flies = "Red has three men left, and one of them flies.";
        match (self.board, self.rules.men) {
            (3, 3) => vec![
                example(place, &["b2"], &["a1"], in_hands(2), "c1"),
                example(
                    "All men are placed, and Red moves one.",
                    &["a1", "b2", "c2"],
                    &["a3", "b3", "c1"],
                    0,
                    "b2-b1",
                ),
                example("The third man in a row wins.", &["a2", "b2", "c1"], &["a1", "a3", "b1"], 0, "c1-c2"),
            ],
            (3, _) => vec![example(place, &["b2"], &["a1"], in_hands(2), "c1")],
            (6, _) => vec![
                example(place, &["c2"], &["c4"], in_hands(2), "e3"),
                example(closes, &["a5", "c5"], &["b3", "d3"], in_hands(4), "e5xb3"),
                example(flies, &["a1", "c1", "b3"], &["c4", "d4", "d2"], 0, "b3-e1xc4"),
            ],
            _ => vec![
                example(place, &["d2"], &["d6"], in_hands(2), "f4"),
                example(closes, &["a7", "d7"], &["b4", "f4"], in_hands(4), "g7xb4"),
                example(flies, &["a1", "d1", "c4"], &["b4", "d6", "f4"], 0, "c4-g1xd6"),
            ],
        }
    }
}

//! Dodgem by Colin Vout: cars leave a square board, one side upwards and the other to the right.
//! Rules: E. R. Berlekamp, J. H. Conway, R. K. Guy, "Winning Ways for your Mathematical Plays" (1982).

use retrograde::{Entry, Family};
use retrograde_game::*;

/// A board of so many rows and columns.
pub struct Dodgem(pub u16);
/// The cars of the side to move, which go up, and of the other one, which go right.
type Cars = [Squares; 2];

impl Dodgem {
    fn square(&self, column: u16, row: u16) -> Squares {
        Square((row * self.0 + column) as u8).set()
    }

    fn at(&self, square: Square) -> GridSquare {
        GridSquare { column: u16::from(square.0) % self.0, row: u16::from(square.0) / self.0 }
    }

    /// The board mirrored in the diagonal from the lower left corner: then the other side goes up.
    fn flipped(&self, set: Squares) -> Squares {
        let mirrored = |at: GridSquare| self.square(self.0 - 1 - at.row, self.0 - 1 - at.column);
        set.into_iter().fold(Squares::EMPTY, |all, square| all | mirrored(self.at(square)))
    }

    fn name_of(&self, square: Square) -> String {
        let GridSquare { column, row } = self.at(square);
        format!("{}{}", Picture::column_label(column), self.0 - row)
    }
}

impl Game for Dodgem {
    type Position = Cars;
    /// The square of a car, and where it goes: `None` off the board.
    type Turn = (Square, Option<Square>);
    const RULES_VERSION: u32 = 1;
    fn name(&self) -> String {
        format!("dodgem:{0}x{0}", self.0)
    }
    fn position_count(&self) -> u128 {
        let squares = u128::from(self.0 * self.0);
        let choose = |n: u128, k: u128| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
        let most = u128::from(self.0 - 1);
        let pairs = (0..=most).flat_map(|own| (0..=most).map(move |other| (own, other)));
        pairs.skip(1).map(|(own, other)| choose(squares, own) * choose(squares - own, other)).sum()
    }
    fn start(&self) -> Cars {
        let own = (1..self.0).fold(Squares::EMPTY, |all, column| all | self.square(column, self.0 - 1));
        [own, self.flipped(own)]
    }
    fn result(&self, &[own, other]: &Cars) -> Option<Outcome> {
        let gone = |cars: Squares, outcome| cars.is_empty().then_some(outcome);
        gone(other, Outcome::Loss).or(gone(own, Outcome::Win))
    }
    fn outcome_without_turns(&self) -> Outcome {
        Outcome::Win // Who blocks all cars of the other player loses.
    }
    fn turns(&self, cars: &Cars) -> Vec<(Self::Turn, Cars)> {
        let mut turns = Vec::new();
        if self.result(cars).is_some() {
            return turns;
        }
        for from in cars[0] {
            let GridSquare { column, row } = self.at(from);
            let beside = [column.checked_sub(1), (column + 1 < self.0).then_some(column + 1)];
            let sideways = beside.into_iter().flatten().map(|column| self.square(column, row).first());
            let up = row.checked_sub(1).and_then(|row| self.square(column, row).first());
            for to in sideways.chain([up]) {
                if !to.is_some_and(|to| (cars[0] | cars[1]).contains(to)) {
                    turns.push(((from, to), self.play(cars, &(from, to))));
                }
            }
        }
        turns
    }
    fn play(&self, &[own, other]: &Cars, &(from, to): &Self::Turn) -> Cars {
        [self.flipped(other), self.flipped(own.without(from) | to.map_or(Squares::EMPTY, Square::set))]
    }
    fn parse_position(&self, text: &str) -> Result<Cars, TextError> {
        let mut cars = [Squares::EMPTY; 2];
        let mut square = 0;
        for (at, letter) in text.chars().enumerate() {
            match letter {
                'X' => cars[0].insert(Square(square)),
                'O' => cars[1].insert(Square(square)),
                '.' => {}
                '/' if u16::from(square) % self.0 == 0 => continue,
                _ => return Err(TextError::unexpected("position", text, at, "`X`, `O`, `.` or `/`")),
            }
            square += 1;
            if u16::from(square) > self.0 * self.0 {
                return Err(TextError::unexpected("position", text, at, "the end"));
            }
        }
        let most = u32::from(self.0) - 1;
        let fits = u16::from(square) == self.0 * self.0 && cars.iter().all(|cars| cars.len() <= most);
        let legal = fits && cars.iter().any(|cars| !cars.is_empty());
        legal
            .then_some(cars)
            .ok_or_else(|| TextError::impossible("position", text, "squares or cars are wrong"))
    }
    fn position_text(&self, cars: &Cars) -> String {
        let letter = |square: Square| match cars.map(|cars| cars.contains(square)) {
            [true, _] => 'X',
            [_, true] => 'O',
            _ => '.',
        };
        let squares: Vec<char> = (0..self.0 * self.0).map(|square| letter(Square(square as u8))).collect();
        let rows: Vec<String> = squares.chunks(self.0.into()).map(|row| row.iter().collect()).collect();
        rows.join("/")
    }
    fn turn_text(&self, _: &Cars, &(from, to): &Self::Turn) -> String {
        format!("{}{}", self.name_of(from), to.map_or("-off".to_owned(), |to| self.name_of(to)))
    }
}

impl Show for Dodgem {
    fn picture(&self, cars: &Cars, to_move: Seat) -> Picture {
        let mut picture = Picture::grid(self.0, self.0, to_move);
        let [first, second] = match to_move {
            Seat::First => *cars,
            Seat::Second => [self.flipped(cars[1]), self.flipped(cars[0])],
        };
        for (cars, owner, letter) in [(first, Seat::First, 'X'), (second, Seat::Second, 'O')] {
            for square in cars {
                let piece = Piece { shape: PieceShape::Square, owner: Some(owner), anchored: false, letter };
                picture.put(self.at(square), Some(piece));
            }
        }
        picture
    }
    fn marks(&self, _: &Cars, &(from, to): &Self::Turn, to_move: Seat) -> Vec<Mark> {
        let shown = |square: Square| match to_move {
            Seat::First => self.at(square),
            Seat::Second => self.at(self.flipped(square.set()).first().unwrap_or(square)),
        };
        vec![to.map_or_else(|| Mark::Fill(vec![shown(from)]), |to| Mark::Move(shown(from), shown(to)))]
    }
}

pub(crate) fn family() -> Family {
    let about = "cars leave the board; who has none left, or no way, wins";
    Family::new("dodgem", about, move |spec, _| {
        let (columns, rows) = spec.grid((3, 3), 7)?;
        if columns != rows || columns < 2 {
            return Err(spec.error("the board is a square of two rows at least"));
        }
        spec.finish(&[])?;
        Ok(Entry::new(Dodgem(columns as u16), about).boxed())
    })
    .forms("[:NxN]   rows and columns")
    .examples(["dodgem:3x3", "dodgem:4x4"])
}

//! A custom game, Chomp: a turn takes a square and all squares above it and to the right; the
//! player who takes the bitter lower left square loses. Run it with `cargo run --example own_game
//! -- solve`.

use retrograde::{Entry, Family, Registry};
use retrograde_game::*;

/// A bar of three rows of four squares.
pub(crate) struct Chomp;
const COLUMNS: u16 = 4;
/// The number of squares left of each row, the upper row first.
type Bar = [u16; 3];

fn is_bar(bar: &Bar) -> bool {
    bar.is_sorted() && bar[2] <= COLUMNS
}

impl Game for Chomp {
    type Position = Bar;
    type Turn = GridSquare;
    const RULES_VERSION: u32 = 1;
    fn name(&self) -> String {
        "chomp".to_owned()
    }
    fn position_count(&self) -> u128 {
        35 // Rows never get shorter downwards: 7 choose 3.
    }
    fn start(&self) -> Bar {
        [COLUMNS; 3]
    }
    fn result(&self, bar: &Bar) -> Option<Outcome> {
        (*bar == [0; 3]).then_some(Outcome::Win) // The opponent took the bitter square.
    }
    fn turns(&self, bar: &Bar) -> Vec<(GridSquare, Bar)> {
        let squares =
            (0..3).flat_map(|row| (0..bar[usize::from(row)]).map(move |column| GridSquare { column, row }));
        squares.map(|square| (square, self.play(bar, &square))).collect()
    }
    fn play(&self, bar: &Bar, square: &GridSquare) -> Bar {
        let left = |row: usize| if row > square.row.into() { bar[row] } else { bar[row].min(square.column) };
        std::array::from_fn(left)
    }
    fn parse_position(&self, text: &str) -> Result<Bar, TextError> {
        let digits: Vec<u16> = text.bytes().map(|byte| byte.wrapping_sub(b'0').into()).collect();
        let bar = digits.try_into().ok().filter(is_bar);
        bar.ok_or_else(|| TextError::impossible("position", text, "three lengths, none below the one before"))
    }
    fn position_text(&self, bar: &Bar) -> String {
        bar.iter().map(u16::to_string).collect()
    }
    fn turn_text(&self, _: &Bar, square: &GridSquare) -> String {
        format!("{}{}", Picture::column_label(square.column), 3 - square.row)
    }
}

impl Dense for Chomp {
    const INDEX_VERSION: u32 = 1;
    fn index_count(&self) -> u128 {
        125 // Five lengths per row. Most triples are not positions, which is allowed.
    }
    fn index(&self, bar: &Bar) -> Option<Index> {
        Some(Index(bar.iter().fold(0, |index, &length| 5 * index + u64::from(length))))
    }
    fn position(&self, index: Index) -> Option<Bar> {
        let bar = [25, 5, 1].map(|place| (index.0 / place % 5) as u16);
        (index.0 < 125 && is_bar(&bar)).then_some(bar)
    }
}

impl Show for Chomp {
    fn picture(&self, bar: &Bar, to_move: Seat) -> Picture {
        let mut picture = Picture::grid(COLUMNS, 3, to_move);
        for (square, left) in self.turns(bar) {
            let letter = if left == [0; 3] { '!' } else { '#' };
            let shape = PieceShape::Square;
            picture.put(square, Some(Piece { shape, owner: None, anchored: false, letter }));
        }
        picture
    }
    fn marks(&self, bar: &Bar, turn: &GridSquare, _: Seat) -> Vec<Mark> {
        let squares = self.turns(bar).into_iter().map(|(square, _)| square);
        vec![Mark::Fill(squares.filter(|at| at.column >= turn.column && at.row <= turn.row).collect())]
    }
}

pub(crate) fn registry() -> Registry {
    let about = "eat chocolate, but not the bitter square";
    let entry = |about: &str| Entry::new(Chomp, about).retrograde().build();
    let family = Family::new("chomp", about, move |spec, _| spec.finish(&[]).map(|()| entry(about)));
    Registry::new().with(family.examples(["chomp"]))
}

fn main() -> std::process::ExitCode {
    retrograde::run(registry(), std::env::args_os())
}

#[cfg(test)]
#[path = "own_game/tests.rs"]
mod tests;

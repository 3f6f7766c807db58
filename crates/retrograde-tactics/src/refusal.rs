//! Explains why the squares that a user selected are not a turn.

use retrograde_game::{Squares, counted, number_in_words};

use crate::Tactics;

impl Tactics {
    /// [`Show::refusal`](retrograde_game::Show::refusal): one square, or both ends of a line.
    pub(crate) fn why_no_step(&self, position: Squares, touched: &[&str]) -> Option<String> {
        let mut squares = Vec::with_capacity(touched.len());
        for label in touched {
            match self.grid.named(label) {
                Some(square) => squares.push(square),
                None => return Some(format!("There is no square {label}.")),
            }
        }
        let (from, to) = match *squares {
            [] => return None,
            [square] => (square, square),
            [from, to] => (from, to),
            _ => return Some("A turn has two ends.".to_owned()),
        };
        let Some(line) = self.between(from, to) else {
            return Some("A turn fills squares of one row or one column.".to_owned());
        };
        if let Some(square) = (line & position).first() {
            return Some(format!("{} is filled already.", self.grid.name(square)));
        }
        let long = line.len() > self.longest;
        long.then(|| match self.longest {
            1 => format!("A turn fills {}.", counted(1, "square")),
            longest => format!("A turn fills at most {} squares.", number_in_words(longest)),
        })
    }
}

//! Explains why the squares that a user selected are not a turn.

use retrograde_game::{counted, number_in_words};

use crate::{Filled, Tactics};

impl Tactics {
    /// [`Show::refusal`](retrograde_game::Show::refusal): one square, or both ends of a line.
    pub(crate) fn why_no_step(&self, position: Filled, touched: &[&str]) -> Option<String> {
        let mut squares = Vec::with_capacity(touched.len());
        for label in touched {
            match (0..self.squares()).find(|&square| self.square_text(square) == *label) {
                Some(square) => squares.push(square),
                None => return Some(format!("There is no square {label}.")),
            }
        }
        let (from, to) = match *squares {
            [] => return None,
            [square] => (square, square),
            [from, to] => (from.min(to), from.max(to)),
            _ => return Some("A turn has two ends.".to_owned()),
        };
        let step = if from / self.columns == to / self.columns {
            1
        } else if from % self.columns == to % self.columns {
            self.columns
        } else {
            return Some("A turn fills squares of one row or one column.".to_owned());
        };
        let line = (from..=to).step_by(step as usize);
        let filled = line.clone().find(|square| position.0 >> square & 1 == 1);
        if let Some(square) = filled {
            return Some(format!("{} is filled already.", self.square_text(square)));
        }
        let long = line.count() as u32 > self.longest;
        long.then(|| match self.longest {
            1 => format!("A turn fills {}.", counted(1, "square")),
            longest => format!("A turn fills at most {} squares.", number_in_words(longest)),
        })
    }
}

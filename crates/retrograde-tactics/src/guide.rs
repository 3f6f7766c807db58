//! The rules in a few sentences, with turns on boards of this size.

use retrograde_game::{Example, Guide, Squares, counted, number_in_words};

use crate::Tactics;

impl Tactics {
    /// The rules of this board and variant.
    pub(crate) fn rules_guide(&self) -> Guide {
        let (columns, rows) = (self.grid.columns(), self.grid.rows());
        let size = format!("{} and {}", counted(columns, "column"), counted(rows, "row"));
        let turn = match self.longest {
            1 => "A turn fills one empty square.".to_owned(),
            2 => "A turn fills one empty square, or two adjacent ones in a row or a column.".to_owned(),
            longest => format!(
                "A turn fills one to {} adjacent empty squares in one row or one column.",
                number_in_words(longest)
            ),
        };
        let end = if self.normal { "wins" } else { "loses" };
        let mut sentences = vec![
            format!("The board is a grid of {size}; it starts empty, and Red moves first."),
            turn,
            "Filled squares belong to neither player, and stay filled.".to_owned(),
        ];
        if self.longest > 2 {
            sentences.push("A turn cannot reach across a filled square.".to_owned());
        }
        sentences.push(format!("The player who fills the last square {end}."));
        sentences.push("Passing is not allowed, and there are no draws.".to_owned());
        if !self.normal && columns == rows && self.longest == columns && self.longest > 2 {
            sentences
                .push("With lines as long as the board, this is Piet Hein's TacTix, or Bulo.".to_owned());
        }
        Guide { sentences, examples: self.rules_examples() }
    }

    fn rules_examples(&self) -> Vec<Example> {
        let example = |caption: &str, filled: u64, turn: u64| {
            let (position, turn) = (self.write_position(Squares(filled)), self.write_turn(Squares(turn)));
            Example::new(caption, position, turn)
        };
        // The longest turn, and its neighbour.
        let (columns, rows) = (self.grid.columns(), self.grid.rows());
        let along_row = columns >= rows;
        let (along, step) = if along_row { (columns, 1) } else { (rows, columns) };
        let line = |from: u32, length: u32| (from..from + length).fold(0, |set, at| set | 1 << (at * step));
        let what = if along_row { "row" } else { "column" };
        let caption = match self.longest {
            1 => "A turn fills one square.".to_owned(),
            longest => format!("A turn fills {} of a {what}.", counted(longest, "square")),
        };
        let mut examples = vec![example(&caption, 0, line(0, self.longest))];
        let after = along.saturating_sub(2).min(self.longest);
        if self.longest > 2 && after > 0 {
            examples.push(example("A turn cannot reach across a filled square.", line(1, 1), line(2, after)));
        }
        examples.extend(self.last_example(line(0, 2.min(along)), line(0, 1), &example));
        examples
    }

    /// The end of a game: on the last two neighbouring squares, or on the last one.
    fn last_example(
        &self,
        pair: u64,
        single: u64,
        example: &dyn Fn(&str, u64, u64) -> Example,
    ) -> Option<Example> {
        let all = self.grid.all().0;
        match (self.normal, self.longest) {
            // On a board of one square, the only turn is shown above.
            _ if all == single => None,
            (false, _) => Some(example(
                "Red fills one of the last two squares; Blue must fill the other and loses.",
                all & !pair,
                single,
            )),
            (true, 1) => Some(example("Red fills the last square and wins.", all & !single, single)),
            (true, _) => Some(example("Red fills the last two squares and wins.", all & !pair, pair)),
        }
    }
}

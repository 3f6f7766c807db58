//! The table that `survey` prints. Rows appear one by one, so the widths of its columns are chosen
//! before the first variant is solved.

use std::collections::BTreeMap;
use std::sync::Arc;

use retrograde_explore::{AnyGame, OnlyTurns};
use retrograde_game::Seat;

use super::row::{LeftOutVariant, SolvedVariant, SurveyRow};
use crate::output::{thousands, wrapped};

/// The columns after the name and the number of positions, with their widths.
const COLUMNS: [(&str, usize); 7] =
    [("start", 7), ("won", 5), ("lost", 5), ("drawn", 5), ("longest", 7), ("holding", 7), ("only", 5)];

/// The widths of the first two columns.
pub(super) struct Layout {
    label: usize,
    positions: usize,
}

impl Layout {
    /// The layout for variants with these labels. `None` is a name that is not a game.
    pub(super) fn of<'a>(variants: impl Iterator<Item = (&'a str, Option<&'a Arc<AnyGame>>)>) -> Layout {
        const POSITIONS: usize = "positions".len();
        /// Games with more positions hardly fit into memory.
        const LONGEST: usize = "999,999,999,999".len();
        let none = Layout { label: 0, positions: POSITIONS };
        variants.fold(none, |Layout { label, positions }, (text, game)| {
            let count = game.map_or(0, |game| thousands(game.about().positions.0).len());
            Layout { label: label.max(text.chars().count()), positions: positions.max(count).min(LONGEST) }
        })
    }

    /// A line of the table.
    fn line(&self, label: &str, positions: &str, cells: [&str; 7]) -> String {
        let mut line = format!("{label:<0$} {positions:>1$}", self.label, self.positions);
        for (text, (_, width)) in cells.iter().zip(COLUMNS) {
            line.push_str(&format!(" {text:>width$}"));
        }
        line
    }

    /// The names of the columns.
    pub(super) fn header(&self) -> String {
        self.line("", "positions", COLUMNS.map(|(name, _)| name))
    }

    /// A row of the table.
    pub(super) fn row(&self, label: &str, row: &SurveyRow) -> String {
        let row = match row {
            SurveyRow::Solved(row) => row,
            SurveyRow::LeftOut(LeftOutVariant { left_out, .. }) => {
                return wrapped(&format!("{label:<0$} {left_out}", self.label), self.label + 1);
            }
        };
        let share = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{share:.1}"));
        let start = match (row.winner, row.statistics.start.turns) {
            (None, _) => row.statistics.start.outcome.to_owned(),
            (Some(winner), None) => Seat::from(winner).name().to_owned(),
            (Some(winner), Some(turns)) => format!("{} {turns}", Seat::from(winner).name()),
        };
        let [won, lost, drawn] = row.shares().map(share);
        let longest = row.longest_win.map_or_else(|| "-".to_owned(), |turns| turns.to_string());
        let holding = format!("{}/{}", row.first_turns_that_hold, row.first_turns);
        let only = share(row.only_share());
        let positions = thousands(row.statistics.positions.0);
        self.line(label, &positions, [&start, &won, &lost, &drawn, &longest, &holding, &only])
    }

    /// Lines that explain the columns of these rows.
    pub(super) fn legend(&self, rows: &[(String, Box<SolvedVariant>)]) -> Vec<String> {
        let mut text =
            "start: the winner from the start, and the turns to the end; won, lost, drawn: percent \
                        of the positions, for the side to move; longest: turns of the longest win; holding: \
                        first turns that keep the outcome of the start, and all first turns"
                .to_owned();
        let only: Vec<OnlyTurns> = rows.iter().filter_map(|(_, row)| row.only_turns).collect();
        if !only.is_empty() {
            text.push_str(
                "; only: of the won and drawn positions with several turns, the percent in which just one holds",
            );
        }
        if only.iter().any(|only| !only.all) {
            text.push_str(", estimated from a sample (--sample)");
        }
        let mut lines = vec![String::new(), wrapped(&format!("{text}."), 2)];
        let mut counted: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (label, row) in rows {
            if let Some(what) = &row.statistics.counted {
                counted.entry(what).or_default().push(label.trim_start());
            }
        }
        lines.extend(counted.into_iter().map(|(what, labels)| {
            let text = match labels.len() == rows.len() {
                true => format!("All rows count only {what}."),
                false => format!("These rows count only {what}: {}.", labels.join("; ")),
            };
            wrapped(&text, 2)
        }));
        lines
    }
}

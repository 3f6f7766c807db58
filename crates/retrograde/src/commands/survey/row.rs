//! The figures of a variant, as JSON and as a line of CSV.

use retrograde_explore::export::csv_field;
use retrograde_explore::{Error, OnlyTurns, OpenGame, Player, SearchLimits, Statistics};
use retrograde_game::{Outcome, Seat};
use retrograde_solve::Progress;
use schemars::JsonSchema;
use serde::Serialize;

/// A variant of a survey, solved or left out (`survey`).
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum SurveyRow {
    /// The figures.
    Solved(Box<SolvedVariant>),
    /// Why there are no figures.
    LeftOut(LeftOutVariant),
}

/// The figures of a variant.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SolvedVariant {
    /// The name of the variant, as given by the pattern.
    variant: String,
    /// The winner with best play from the start; null for a draw.
    pub(super) winner: Option<Player>,
    /// The turns of the longest win; null if no position is won.
    pub(super) longest_win: Option<u16>,
    /// The number of turns at the start, in Push Fight the placements of the first player.
    pub(super) first_turns: usize,
    /// The number of turns at the start that keep its outcome.
    pub(super) first_turns_that_hold: usize,
    /// How often only one turn holds; omitted with `--sample 0`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) only_turns: Option<OnlyTurns>,
    /// The statistics.
    #[serde(flatten)]
    pub(super) statistics: Statistics,
}

/// A variant without figures.
#[derive(Serialize, JsonSchema)]
pub(crate) struct LeftOutVariant {
    /// The name of the variant, as given by the pattern.
    variant: String,
    /// Why it was left out: it is not a game, or does not fit into memory.
    pub(super) left_out: String,
}

impl LeftOutVariant {
    /// A variant that was left out because of an error. Removes the canonical name of the game from the
    /// beginning of its text.
    pub(super) fn of(variant: String, game: &str, error: &Error) -> LeftOutVariant {
        let text = match error {
            Error::Text(error) => error.reason(),
            error => error.to_string(),
        };
        // The row already shows the name.
        let named = [format!("{game}: "), format!("{game} was not solved. ")];
        let left_out = named.iter().find_map(|name| text.strip_prefix(name)).unwrap_or(&text).to_owned();
        LeftOutVariant { variant, left_out }
    }
}

impl SolvedVariant {
    /// The figures of a game whose values are all known. Examines at most `sample` positions for turns
    /// that alone keep the outcome.
    pub(super) fn of(
        variant: String,
        open: &OpenGame,
        sample: u64,
        progress: &dyn Progress,
    ) -> Result<SolvedVariant, Error> {
        let statistics = open.statistics()?;
        let start = open.start();
        let to_move = open.to_move(&start, Seat::First)?;
        let winner = match statistics.start.known() {
            Some(Outcome::Win) => Some(to_move.into()),
            Some(Outcome::Loss) => Some(to_move.other().into()),
            _ => None,
        };
        let turns = open.probe(&start, to_move, &SearchLimits::default())?.turns_available;
        let holds = turns.iter().filter(|turn| turn.verdict.outcome == statistics.start.outcome);
        Ok(SolvedVariant {
            variant,
            winner,
            longest_win: statistics.by_turns.win.keys().next_back().copied(),
            first_turns: turns.len(),
            first_turns_that_hold: holds.count(),
            only_turns: if sample > 0 { Some(open.only_turns(sample, progress)?) } else { None },
            statistics,
        })
    }

    /// The percentages of won, lost and drawn positions.
    pub(super) fn shares(&self) -> [Option<f64>; 3] {
        let Statistics { positions, wins, losses, draws, .. } = &self.statistics;
        [wins, losses, draws].map(|count| percent(count.0, positions.0))
    }

    /// The percentage of choices (won or drawn positions with several turns) in which only one turn holds.
    pub(super) fn only_share(&self) -> Option<f64> {
        self.only_turns.and_then(|only| percent(only.only_turn.0, only.choices.0))
    }
}

/// Returns `part` as a percentage of `all`, or `None` if `all` is 0.
fn percent(part: u128, all: u128) -> Option<f64> {
    (all > 0).then(|| part as f64 * 100.0 / all as f64)
}

/// The columns of CSV between the name of the variant and the reason why it was left out. Unknown and
/// missing values are empty.
type Column = (&'static str, fn(&SolvedVariant) -> String);
const COLUMNS: [Column; 17] = [
    ("game", |row| row.statistics.game.clone()),
    ("winner", |row| {
        let outcome = row.statistics.start.outcome;
        row.winner.map_or(outcome, |winner| Seat::from(winner).word()).to_owned()
    }),
    ("turns", |row| or_empty(row.statistics.start.turns)),
    ("counted", |row| row.statistics.counted.clone().unwrap_or_else(|| "positions".to_owned())),
    ("positions", |row| row.statistics.positions.0.to_string()),
    ("wins", |row| row.statistics.wins.0.to_string()),
    ("losses", |row| row.statistics.losses.0.to_string()),
    ("draws", |row| row.statistics.draws.0.to_string()),
    ("win_percent", |row| decimals(row.shares()[0])),
    ("loss_percent", |row| decimals(row.shares()[1])),
    ("draw_percent", |row| decimals(row.shares()[2])),
    ("longest_win", |row| or_empty(row.longest_win)),
    ("first_turns", |row| row.first_turns.to_string()),
    ("first_turns_that_hold", |row| row.first_turns_that_hold.to_string()),
    ("choices", |row| or_empty(row.only_turns.map(|only| only.choices.0))),
    ("only_turn", |row| or_empty(row.only_turns.map(|only| only.only_turn.0))),
    ("only_turn_percent", |row| decimals(row.only_share())),
];

impl SurveyRow {
    /// The names of the columns as a line of CSV.
    pub(super) fn csv_header() -> String {
        ["variant"]
            .into_iter()
            .chain(COLUMNS.map(|(name, _)| name))
            .chain(["left_out"])
            .collect::<Vec<_>>()
            .join(",")
    }

    /// The row as a line of CSV.
    pub(super) fn csv(&self) -> String {
        let (variant, row, left_out) = match self {
            SurveyRow::Solved(row) => (&row.variant, Some(row), ""),
            SurveyRow::LeftOut(LeftOutVariant { variant, left_out }) => (variant, None, &**left_out),
        };
        let mut fields = vec![csv_field(variant)];
        fields.extend(COLUMNS.map(|(_, text)| csv_field(&row.map_or_else(String::new, |row| text(row)))));
        fields.push(csv_field(left_out));
        fields.join(",")
    }
}

fn decimals(share: Option<f64>) -> String {
    share.map_or_else(String::new, |share| format!("{share:.3}"))
}

fn or_empty(number: Option<impl ToString>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

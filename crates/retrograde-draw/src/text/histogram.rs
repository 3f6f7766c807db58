//! A histogram in characters: a line for every outcome and number of turns, with bars on a
//! logarithmic scale.

use retrograde_game::Outcome;

use super::{BOLD, DRAW, FAINT, LOSS, Paint, WIN};
use crate::Histogram;
use crate::plot::{grouped, percent};

/// The least that a bar has room for.
const LEAST_BAR: usize = 8;

/// A line of the histogram.
struct Row {
    turns: String,
    word: &'static str,
    color: &'static str,
    count: u128,
}

/// Draws a histogram at most `width` characters wide (at least as wide as its numbers and a short
/// bar need), every line ended by a newline. Bars grow with the logarithm of the number.
pub fn histogram(histogram: &Histogram, width: usize, color: bool) -> String {
    let paint = Paint { on: color };
    let total = histogram.total();
    let mut rows = Vec::new();
    let [won, lost, drawn, undecided] = histogram.words.kinds;
    for turns in histogram.turns() {
        for (outcome, word, color) in [(Outcome::Win, won, WIN), (Outcome::Loss, lost, LOSS)] {
            let count = histogram.count(outcome, turns);
            if count > 0 {
                rows.push(Row { turns: turns.to_string(), word, color, count });
            }
        }
    }
    for (word, color, count) in [(drawn, DRAW, histogram.draws), (undecided, FAINT, histogram.unknown)] {
        if count > 0 {
            rows.push(Row { turns: String::new(), word, color, count });
        }
    }

    let mut out = String::new();
    paint.put(&mut out, &[BOLD], &histogram.title);
    if !histogram.title.is_empty() {
        out.push_str("  ");
    }
    out.push_str(&format!("{} positions\n", grouped(total)));
    let mut parts = Vec::new();
    for (word, color, count) in [
        (won, WIN, histogram.won()),
        (lost, LOSS, histogram.lost()),
        (drawn, DRAW, histogram.draws),
        (undecided, FAINT, histogram.unknown),
    ] {
        if count > 0 || word != undecided {
            let mut part = String::new();
            paint.put(&mut part, &[color], "■");
            part.push_str(&format!(" {word} {} ({})", grouped(count), percent(count, total)));
            parts.push(part);
        }
    }
    out.push_str(&parts.join("   "));
    out.push('\n');
    if rows.is_empty() {
        return out;
    }

    let words = rows.iter().map(|row| row.word.len()).max().unwrap_or(0);
    let counts = rows.iter().map(|row| grouped(row.count).len()).max().unwrap_or(0).max("positions".len());
    let turns = rows.iter().map(|row| row.turns.len()).max().unwrap_or(0).max("turns".len());
    let bars = width.saturating_sub(turns + words + counts + 5).max(LEAST_BAR);
    out.push('\n');
    let header = format!("{:>turns$}  {:words$} {:>counts$}  on a log scale", "turns", "", "positions");
    paint.put(&mut out, &[FAINT], &header);
    out.push('\n');
    let largest = histogram.largest();
    for row in rows {
        out.push_str(&format!("{:>turns$}  ", row.turns));
        paint.put(&mut out, &[row.color], &format!("{:words$}", row.word));
        out.push_str(&format!(" {:>counts$}  ", grouped(row.count)));
        paint.put(&mut out, &[row.color], &bar(row.count, largest, bars));
        out.push('\n');
    }
    out
}

/// A bar of at most `most` characters, in steps of an eighth; one position is seen too.
fn bar(count: u128, largest: u128, most: usize) -> String {
    let share = ((count as f64).log10() + 0.3) / ((largest as f64).log10() + 0.3);
    let eighths = ((share * most as f64 * 8.0).round() as usize).clamp(1, 8 * most);
    let mut bar = "█".repeat(eighths / 8);
    if !eighths.is_multiple_of(8) {
        bar.push(['▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths % 8 - 1]);
    }
    bar
}

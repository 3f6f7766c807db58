//! A histogram in characters: one line per outcome and number of turns, with bars on a logarithmic scale.

use retrograde_game::Outcome;

use super::{BOLD, DRAW, FAINT, LOSS, Paint, WIN};
use crate::Histogram;
use crate::plot::{Kind, grouped, percent};

/// The minimum width of a bar.
const MIN_BAR: usize = 8;

/// A line of the histogram.
struct Row {
    turns: String,
    word: &'static str,
    color: &'static str,
    count: u128,
}

/// Draws a histogram at most `width` characters wide, but at least as wide as its numbers and a
/// short bar. Every line ends with a newline. The length of a bar grows with the logarithm
/// of the number.
pub fn histogram(histogram: &Histogram, width: usize, color: bool) -> String {
    let paint = Paint { on: color };
    let total = histogram.total();
    let mut rows = Vec::new();
    let [won, lost, ..] = histogram.words.kinds;
    let color_of = |kind| match kind {
        Kind::Won => WIN,
        Kind::Lost => LOSS,
        Kind::Drawn => DRAW,
        Kind::Undecided => FAINT,
    };
    for turns in histogram.turns() {
        for (outcome, word, color) in [(Outcome::Win, won, WIN), (Outcome::Loss, lost, LOSS)] {
            let count = histogram.count(outcome, turns);
            if count > 0 {
                rows.push(Row { turns: turns.to_string(), word, color, count });
            }
        }
    }
    for (kind, word, count) in histogram.turnless() {
        rows.push(Row { turns: String::new(), word, color: color_of(kind), count });
    }

    let mut out = String::new();
    paint.put(&mut out, &[BOLD], &histogram.title);
    if !histogram.title.is_empty() {
        out.push_str("  ");
    }
    out.push_str(&format!("{}\n", histogram.positions()));
    let mut parts = Vec::new();
    for (kind, word, count) in histogram.kinds() {
        let mut part = String::new();
        paint.put(&mut part, &[color_of(kind)], "■");
        part.push_str(&format!(" {word} {} ({})", grouped(count), percent(count, total)));
        parts.push(part);
    }
    out.push_str(&parts.join("   "));
    out.push('\n');
    if rows.is_empty() {
        return out;
    }

    let words = rows.iter().map(|row| row.word.len()).max().unwrap_or(0);
    let counts = rows.iter().map(|row| grouped(row.count).len()).max().unwrap_or(0).max("positions".len());
    let turns = rows.iter().map(|row| row.turns.len()).max().unwrap_or(0).max("turns".len());
    let bars = width.saturating_sub(turns + words + counts + 5).max(MIN_BAR);
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

/// A bar of at most `most` characters, in steps of an eighth. A single position is visible.
fn bar(count: u128, largest: u128, most: usize) -> String {
    let share = ((count as f64).log10() + 0.3) / ((largest as f64).log10() + 0.3);
    let eighths = ((share * most as f64 * 8.0).round() as usize).clamp(1, 8 * most);
    let mut bar = "█".repeat(eighths / 8);
    if !eighths.is_multiple_of(8) {
        bar.push(['▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths % 8 - 1]);
    }
    bar
}

#[cfg(test)]
mod tests {
    use retrograde_game::Turns;

    use super::*;
    use crate::Theme;
    use crate::plot::histogram_svg;

    #[test]
    fn outcomes_without_turns_are_counted() {
        let outcomes = Histogram { without_turns: [30, 10], ..Histogram::default() };
        let text = histogram(&outcomes, 80, false);
        assert!(
            text.starts_with("40 positions\n■ won 30 (75.0%)   ■ lost 10 (25.0%)   ■ drawn 0 (0%)\n"),
            "{text}"
        );
        assert!(text.contains("won         30  █") && text.contains("lost        10  █"), "{text}");
        let plot = histogram_svg(&outcomes, Theme::Light, 1.0);
        assert!(plot.contains("40 positions for the side to move: 30 won (75.0%), 10 lost"), "{plot}");
        assert!(
            plot.contains("<title>won: 30</title>") && plot.contains("<title>lost: 10</title>"),
            "{plot}"
        );
    }

    #[test]
    fn undecided_positions_may_be_drawn() {
        let mut open = Histogram { unknown: 5, ..Histogram::default() };
        open.wins.insert(Turns(1), 5);
        open.counted = Some("reachable positions".to_owned());
        for drawn in [0, 1] {
            open.draws = drawn;
            let text = histogram(&open, 80, false);
            assert_eq!(text.contains("drawn"), drawn > 0, "{text}");
            assert!(text.contains("undecided 5") && text.contains(" reachable positions\n"), "{text}");
            assert_eq!(histogram_svg(&open, Theme::Dark, 1.0).contains("drawn"), drawn > 0);
        }
    }
}

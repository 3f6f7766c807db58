//! Plots: positions by outcome and turns to the end, as bars on a logarithmic scale, because
//! positions that end soon can be a million times as frequent as positions that end late.
//!
//! No plotting library is used, because the libraries rely on the viewer's fonts.

use std::collections::{BTreeMap, BTreeSet};

use retrograde_game::{Outcome, Turns};

use crate::Theme;
use crate::letters::{self, Align, Text};
use crate::style::Colors;
use crate::svg::{self, Num, put};

/// The texts of a histogram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HistogramWords {
    /// The counted things, in the title after the name of the game.
    pub title: &'static str,
    /// The label of the axis with turns.
    pub axis: &'static str,
    /// The two kinds with turns, and the two without.
    pub kinds: [&'static str; 4],
    /// A bar of either kind with turns, such as `win in 5`.
    pub bars: [&'static str; 2],
}

impl HistogramWords {
    /// Outcomes of positions.
    pub const OUTCOMES: HistogramWords = HistogramWords {
        title: "positions by turns to the end",
        axis: "turns to the end, by both players",
        kinds: ["won", "lost", "drawn", "undecided"],
        bars: ["win", "loss"],
    };
    /// Shades of draws.
    pub const SHADES: HistogramWords = HistogramWords {
        title: "draws by turns to the task",
        axis: "turns to the task, by both players",
        kinds: ["pressing", "pressed", "quiet", "undecided"],
        bars: ["presses", "pressed"],
    };
}

impl Default for HistogramWords {
    fn default() -> HistogramWords {
        HistogramWords::OUTCOMES
    }
}

/// The outcome of counted positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Won,
    Lost,
    Drawn,
    Undecided,
}

impl Kind {
    /// All kinds, in the order of [`HistogramWords::kinds`].
    const ALL: [Kind; 4] = [Kind::Won, Kind::Lost, Kind::Drawn, Kind::Undecided];

    fn color(self, colors: &Colors) -> &'static str {
        match self {
            Kind::Won => colors.win,
            Kind::Lost => colors.loss,
            Kind::Drawn => colors.draw,
            Kind::Undecided => colors.faint_text,
        }
    }
}

/// The numbers of positions by outcome and turns to the end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Histogram {
    /// The name of the game, such as `touchdown:4x4`.
    pub title: String,
    /// Positions that the side to move wins, by turns to the end.
    pub wins: BTreeMap<Turns, u128>,
    /// Positions that the side to move loses, by turns to the end.
    pub losses: BTreeMap<Turns, u128>,
    /// Other won and lost positions, without known turns to the end.
    pub without_turns: [u128; 2],
    /// Drawn positions.
    pub draws: u128,
    /// Undecided positions.
    pub unknown: u128,
    /// The texts.
    pub words: HistogramWords,
    /// The positions counted, if not all, such as `reachable positions`.
    pub counted: Option<String>,
}

impl Histogram {
    /// Won positions.
    pub fn won(&self) -> u128 {
        self.wins.values().fold(self.without_turns[0], |sum, n| sum.saturating_add(*n))
    }

    /// Lost positions.
    pub fn lost(&self) -> u128 {
        self.losses.values().fold(self.without_turns[1], |sum, n| sum.saturating_add(*n))
    }

    /// All positions.
    pub fn total(&self) -> u128 {
        self.won().saturating_add(self.lost()).saturating_add(self.draws).saturating_add(self.unknown)
    }

    /// The numbers of turns that occur, in ascending order.
    pub(crate) fn turns(&self) -> BTreeSet<Turns> {
        let some = |(turns, count): (&Turns, &u128)| (*count > 0).then_some(*turns);
        self.wins.iter().filter_map(some).chain(self.losses.iter().filter_map(some)).collect()
    }

    /// The number of positions with an outcome in this number of turns.
    pub(crate) fn count(&self, outcome: Outcome, turns: Turns) -> u128 {
        let counts = match outcome {
            Outcome::Win => &self.wins,
            Outcome::Loss => &self.losses,
            Outcome::Draw => return 0,
        };
        counts.get(&turns).copied().unwrap_or(0)
    }

    /// The largest number with a bar.
    pub(crate) fn largest(&self) -> u128 {
        let counts = self.wins.values().chain(self.losses.values()).chain(&self.without_turns);
        counts.chain([&self.draws, &self.unknown]).copied().max().unwrap_or(0)
    }

    /// The outcomes in words, with their numbers. Leaves out draws if their number is 0 and some
    /// positions are undecided, because these may be drawn.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = (Kind, &'static str, u128)> {
        let counts = [self.won(), self.lost(), self.draws, self.unknown];
        let open = self.unknown > 0;
        let all = Kind::ALL.into_iter().zip(self.words.kinds).zip(counts);
        all.map(|((kind, word), count)| (kind, word, count)).filter(move |(kind, _, count)| match kind {
            Kind::Won | Kind::Lost => true,
            Kind::Drawn => *count > 0 || !open,
            Kind::Undecided => open,
        })
    }

    /// The bars without turns: the kind, its name and the number.
    pub(crate) fn turnless(&self) -> impl Iterator<Item = (Kind, &'static str, u128)> {
        let counts = [self.without_turns[0], self.without_turns[1], self.draws, self.unknown];
        let all = Kind::ALL.into_iter().zip(self.words.kinds).zip(counts);
        all.map(|((kind, word), count)| (kind, word, count)).filter(|(.., count)| *count > 0)
    }

    /// The number of positions, with a description of what is counted.
    pub(crate) fn positions(&self) -> String {
        format!("{} {}", grouped(self.total()), self.counted.as_deref().unwrap_or("positions"))
    }
}

/// Formats a whole number with a comma before every third digit from the right.
pub fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A share in percent, with a useful number of digits.
pub(crate) fn percent(part: u128, all: u128) -> String {
    let share = if all == 0 { 0.0 } else { part as f64 / all as f64 * 100.0 };
    match part {
        0 => "0%".to_owned(),
        _ if share < 0.01 => "<0.01%".to_owned(),
        _ if share < 1.0 => format!("{share:.2}%"),
        _ if part < all && share > 99.9 => ">99.9%".to_owned(),
        _ => format!("{share:.1}%"),
    }
}

const WIDTH: f64 = 880.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 28.0;
const TOP: f64 = 92.0;
const BOTTOM: f64 = 66.0;
/// The height of a bar for a count of 1, as a share of a decade, so that it is visible.
const ONE: f64 = 0.25;

/// Draws a histogram, 880 × 460 pixels times `scale`.
///
/// Won and lost positions with the same number of turns are side by side. Drawn and undecided ones
/// have separate bars on the right. A scale that is not a number above 0 counts as 1.
pub fn histogram_svg(histogram: &Histogram, theme: Theme, scale: f64) -> String {
    let colors = theme.colors();
    let total = histogram.total();
    let words = histogram.words;
    let title = if histogram.title.is_empty() {
        let mut title = words.title.to_owned();
        title[..1].make_ascii_uppercase();
        title
    } else {
        format!("{}: {}", histogram.title, words.title)
    };
    let kinds: Vec<_> = histogram.kinds().collect();
    let mut description = format!("{} for the side to move:", histogram.positions());
    for &(_, word, count) in &kinds {
        put!(description, " {} {word} ({}),", grouped(count), percent(count, total));
    }
    description.pop();
    description.push('.');
    if let Some(last) = histogram.turns().last() {
        put!(description, " The longest takes {last} turns.");
    }

    let scale = if scale > 0.0 && scale <= 100.0 { scale } else { 1.0 };
    let mut out = svg::open((WIDTH, HEIGHT), (scale, ""), &title, &description);
    svg::background(&mut out, colors.page, WIDTH, HEIGHT);
    draw_title(&mut out, &title, &histogram.positions(), colors);
    draw_legend(&mut out, &kinds, total, colors);
    let decades = decades(histogram.largest());
    draw_counts_axis(&mut out, decades, colors);
    draw_bars(&mut out, histogram, decades, colors);
    out.push_str("</svg>\n");
    out
}

/// The number of powers of ten on the axis, at least one.
fn decades(largest: u128) -> u32 {
    (largest.max(2) - 1).ilog10() + 1
}

/// The height of a bar.
fn height(count: u128, decades: u32) -> f64 {
    if count == 0 {
        return 0.0;
    }
    ((count as f64).log10() + ONE) / (f64::from(decades) + ONE) * (HEIGHT - TOP - BOTTOM)
}

fn draw_title(out: &mut String, title: &str, count: &str, colors: &Colors) {
    let size = (15.5 * (WIDTH - LEFT - RIGHT) / letters::width(title, 15.5)).clamp(6.0, 15.5);
    Text::new(title, LEFT, 38.0, size, colors.text).bold().draw(out);
    Text::new(count, LEFT, 66.0, 11.5, colors.faint_text).draw(out);
}

/// Draws the legend from the right, on the line below the title.
fn draw_legend(out: &mut String, kinds: &[(Kind, &str, u128)], total: u128, colors: &Colors) {
    let mut x = WIDTH - RIGHT;
    for &(kind, word, count) in kinds.iter().rev() {
        let words = format!("{word} {}", percent(count, total));
        Text::new(&words, x, 66.0, 11.5, colors.text).align(Align::Right).draw(out);
        x -= letters::width(&words, 11.5) + 20.0;
        put!(
            *out,
            "<rect x=\"{}\" y=\"54.5\" width=\"12\" height=\"12\" rx=\"3\" fill=\"{}\"/>\n",
            Num(x),
            kind.color(colors)
        );
        x -= 22.0;
    }
}

/// Draws lines and labels at the powers of ten; if there are many, at every other one or fewer.
fn draw_counts_axis(out: &mut String, decades: u32, colors: &Colors) {
    let base = HEIGHT - BOTTOM;
    let step = (decades / 8 + 1) as usize;
    let mut lines = String::new();
    for power in (0..=decades).step_by(step) {
        let y = base - height(10_u128.saturating_pow(power), decades);
        put!(lines, "M{} {}H{}", Num(LEFT), Num(y), Num(WIDTH - RIGHT));
        match power {
            0..=3 => {
                let label = grouped(10_u128.pow(power));
                Text::new(&label, LEFT - 12.0, y + 5.5, 11.0, colors.faint_text)
                    .align(Align::Right)
                    .draw(out);
            }
            _ => {
                let label = power.to_string();
                let small = letters::width(&label, 7.5);
                let x = LEFT - 12.0 - small;
                Text::new(&label, x, y - 0.5, 7.5, colors.faint_text).draw(out);
                Text::new("10", x - 3.0, y + 5.5, 11.0, colors.faint_text).align(Align::Right).draw(out);
            }
        }
    }
    put!(*out, "<path fill=\"none\" stroke=\"{}\" d=\"{lines}\"/>\n", colors.grid);
    let middle = (TOP + HEIGHT - BOTTOM) / 2.0;
    Text::new("positions (log scale)", 26.0, middle, 11.0, colors.faint_text)
        .align(Align::Middle)
        .turned(-90.0)
        .draw(out);
}

/// Draws a bar with a round top.
fn bar(out: &mut String, (x, width): (f64, f64), height: f64, color: &str, title: &str) {
    let r = (width / 2.0).min(3.5).min(height);
    let base = HEIGHT - BOTTOM;
    put!(
        *out,
        "<path fill=\"{color}\" d=\"M{} {}v-{}q0-{r} {r}-{r}h{}q{r} 0 {r} {r}v{}z\"><title>{}</title></path>\n",
        Num(x),
        Num(base),
        Num(height - r),
        Num(width - 2.0 * r),
        Num(height - r),
        svg::escaped(title),
        r = Num(r)
    );
}

fn draw_bars(out: &mut String, histogram: &Histogram, decades: u32, colors: &Colors) {
    let base = HEIGHT - BOTTOM;
    let turns = histogram.turns();
    let words = histogram.words;
    let extra: Vec<(Kind, &str, u128)> = histogram.turnless().collect();
    let extra_room = 84.0 * extra.len() as f64;
    let (from, to) = (LEFT + 10.0, WIDTH - RIGHT - 10.0 - extra_room);
    let ends = turns.first().zip(turns.last()).map(|(first, last)| (first.0, last.0));
    if let Some((first, last)) = ends {
        let columns = f64::from(last - first) + 1.0;
        let step = ((to - from) / columns).min(64.0);
        let both = turns.iter().any(|&turns| {
            histogram.count(Outcome::Win, turns) > 0 && histogram.count(Outcome::Loss, turns) > 0
        });
        let x = |turns: Turns| from + step * f64::from(turns.0 - first);
        for &turns in &turns {
            let counts =
                [Outcome::Win, Outcome::Loss].map(|outcome| (outcome, histogram.count(outcome, turns)));
            let here = counts.iter().filter(|(_, count)| *count > 0).count() as f64;
            // Each bar has the whole width if wins and losses never share a number of turns.
            let room = step * 0.78 / if both { here.max(1.0) } else { 1.0 };
            let mut at = x(turns) + step * 0.11;
            for (outcome, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
                let color = if outcome == Outcome::Win { colors.win } else { colors.loss };
                let word = words.bars[usize::from(outcome == Outcome::Loss)];
                let title = format!("{word} in {turns}: {}", grouped(count));
                let gap = if here > 1.0 { (room * 0.08).min(1.5) } else { 0.0 };
                bar(out, (at + gap / 2.0, room - gap), height(count, decades), color, &title);
                at += room;
            }
        }
        // Labels at round numbers, if there is space for them.
        let widest = letters::width(&last.to_string(), 11.0) + 9.0;
        let every = [1_u16, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000]
            .into_iter()
            .find(|every| f64::from(*every) * step >= widest)
            .unwrap_or(50_000);
        for turns in (first..=last).filter(|turns| turns % every == 0) {
            Text::new(&turns.to_string(), x(Turns(turns)) + step / 2.0, base + 20.0, 11.0, colors.faint_text)
                .align(Align::Middle)
                .draw(out);
        }
        let middle = from + step * columns / 2.0;
        Text::new(words.axis, middle, base + 47.0, 11.0, colors.faint_text).align(Align::Middle).draw(out);
    }
    for (nth, (kind, word, count)) in extra.into_iter().enumerate() {
        let color = kind.color(colors);
        let x = to + 20.0 + 84.0 * nth as f64;
        bar(out, (x + 12.0, 40.0), height(count, decades), color, &format!("{word}: {}", grouped(count)));
        Text::new(word, x + 32.0, base + 20.0, 11.0, colors.faint_text).align(Align::Middle).draw(out);
    }
    let line = format!("M{} {}H{}", Num(LEFT), Num(base), Num(WIDTH - RIGHT));
    svg::stroke(out, colors.faint_text, 1.5, [""; 2], &line);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_for_people() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(401_567_166_000), "401,567,166,000");
        assert_eq!(percent(0, 0), "0%");
        assert_eq!(percent(1, 8), "12.5%");
        assert_eq!(percent(1, 1_000_000), "<0.01%");
        assert_eq!(percent(999_999, 1_000_000), ">99.9%");
        assert_eq!(percent(5, 5), "100.0%");
    }

    #[test]
    fn the_axis_ends_above_the_largest_bar() {
        for (largest, expected) in [(0, 1), (1, 1), (10, 1), (11, 2), (1000, 3), (1001, 4), (u128::MAX, 39)] {
            assert_eq!(decades(largest), expected, "{largest}");
            assert!(height(largest, decades(largest)) <= HEIGHT - TOP - BOTTOM + 1e-9);
        }
    }
}

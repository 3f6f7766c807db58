//! An alphabet of single strokes with round ends, so that pictures need no fonts: every viewer
//! shows the same letters, even one without fonts (such as a server that creates a PNG).
//!
//! A glyph is a list of strokes in SVG path syntax on a grid in which capitals and digits are 10
//! high, small letters 7, and the baseline is at 0. Each stroke has an absolute start and relative
//! commands, so placing a letter only changes its starts, and a whole line of text is one path.

use crate::svg::{Num, put};

type Stroke = (f64, f64, &'static str);

/// The width of the pen, on the grid of the glyphs.
const PEN: f64 = 1.25;
/// The space between two letters.
const GAP: f64 = 2.5;
/// The width of a blank, and of a character without a glyph.
const BLANK: f64 = 3.2;
const UNKNOWN: (f64, &[Stroke]) = (5.0, &[(0.0, 0.0, "v-9h5v9z")]);

const BOWL_RIGHT: Stroke = (0.0, -3.5, "a2.8 3.5 0 1 1 5.6 0a2.8 3.5 0 1 1-5.6 0z");

/// The width of a character and its strokes.
fn glyph(c: char) -> Option<(f64, &'static [Stroke])> {
    Some(match c {
        'a' => (5.6, &[BOWL_RIGHT, (5.6, -7.0, "v7")]),
        'b' => (5.6, &[BOWL_RIGHT, (0.0, -10.5, "v10.5")]),
        'c' => (5.0, &[(5.0, -5.6, "a2.8 3.5 0 1 0 0 4.2")]),
        'd' => (5.6, &[BOWL_RIGHT, (5.6, -10.5, "v10.5")]),
        'e' => (5.6, &[(0.0, -3.6, "h5.6a2.8 3.5 0 1 0-.8 2.5")]),
        'f' => (3.8, &[(4.0, -10.3, "c-1.7-.5-2.6.4-2.6 2.2v8.1"), (0.0, -7.0, "h3.6")]),
        'g' => (5.6, &[BOWL_RIGHT, (5.6, -7.0, "v7.2c0 2-1.1 2.9-2.8 2.9c-1 0-1.8-.3-2.4-.8")]),
        'h' => (5.2, &[(0.0, -10.5, "v10.5"), (0.0, -4.0, "a2.6 3 0 0 1 5.2 0v4")]),
        'i' => (0.0, &[(0.0, -7.0, "v7"), (0.0, -9.9, "v.01")]),
        'j' => (1.6, &[(1.6, -7.0, "v7.3c0 1.9-.6 2.8-1.6 2.7"), (1.6, -9.9, "v.01")]),
        'k' => (4.9, &[(0.0, -10.5, "v10.5"), (4.7, -7.0, "l-4.7 4.3"), (1.9, -4.4, "l3 4.4")]),
        'l' => (1.5, &[(0.0, -10.5, "v8.6c0 1.3.5 1.9 1.5 1.9")]),
        'm' => (
            8.6,
            &[(0.0, -7.0, "v7"), (0.0, -4.3, "a2.15 2.7 0 0 1 4.3 0v4.3m0-4.3a2.15 2.7 0 0 1 4.3 0v4.3")],
        ),
        'n' => (5.2, &[(0.0, -7.0, "v7"), (0.0, -4.0, "a2.6 3 0 0 1 5.2 0v4")]),
        'o' => (5.6, &[BOWL_RIGHT]),
        'p' => (5.6, &[BOWL_RIGHT, (0.0, -7.0, "v10.2")]),
        'q' => (5.6, &[BOWL_RIGHT, (5.6, -7.0, "v10.2")]),
        'r' => (3.4, &[(0.0, -7.0, "v7"), (0.0, -3.8, "c0-2.2 1.4-3.5 3.4-3.1")]),
        's' => (
            4.7,
            &[(
                4.3,
                -6.0,
                "c-.5-.7-1.2-1-2.1-1c-1.2 0-2.1.7-2.1 1.8c0 1 .8 1.4 2.2 1.7c1.5.3 2.4.8 2.4 1.9c0 1-1 \
                 1.6-2.3 1.6c-1.1 0-1.9-.4-2.4-1.1",
            )],
        ),
        't' => (3.8, &[(1.4, -9.5, "v7.4c0 1.6.8 2.3 2.3 2"), (0.0, -7.0, "h3.6")]),
        'u' => (5.2, &[(0.0, -7.0, "v4a2.6 3 0 0 0 5.2 0v-4v7")]),
        'v' => (5.2, &[(0.0, -7.0, "l2.6 7l2.6-7")]),
        'w' => (8.0, &[(0.0, -7.0, "l2 7l2-6.6l2 6.6l2-7")]),
        'x' => (4.8, &[(0.0, -7.0, "l4.8 7"), (4.8, -7.0, "l-4.8 7")]),
        'y' => (5.2, &[(0.0, -7.0, "l2.7 6.7"), (5.2, -7.0, "l-3.2 8.3c-.4 1.2-1 1.9-2 1.7")]),
        'z' => (4.6, &[(0.0, -7.0, "h4.6l-4.6 7h4.6")]),
        'A' => (7.2, &[(0.0, 0.0, "l3.6-10l3.6 10"), (1.3, -3.4, "h4.6")]),
        'B' => (5.9, &[(3.3, -5.3, "h-3.3v-4.7h3.3a2.35 2.35 0 0 1 0 4.7a2.65 2.65 0 0 1 0 5.3h-3.3v-5.3")]),
        'C' => (7.4, &[(7.4, -8.2, "a4.3 5 0 1 0 0 6.4")]),
        'D' => (7.0, &[(0.0, 0.0, "v-10h2.4a4.6 5 0 0 1 0 10z")]),
        'E' => (5.0, &[(5.0, -10.0, "h-5v10h5"), (0.0, -5.2, "h4.3")]),
        'F' => (5.0, &[(5.0, -10.0, "h-5v10"), (0.0, -5.2, "h4.2")]),
        'G' => (8.4, &[(7.5, -8.2, "a4.3 5 0 1 0 .9 3.4h-3.3")]),
        'H' => (6.4, &[(0.0, -10.0, "v10"), (6.4, -10.0, "v10"), (0.0, -5.2, "h6.4")]),
        'I' => (0.0, &[(0.0, -10.0, "v10")]),
        'J' => (3.8, &[(3.8, -10.0, "v7.1c0 1.9-.9 2.9-2.2 2.9c-.7 0-1.2-.2-1.6-.7")]),
        'K' => (6.0, &[(0.0, -10.0, "v10"), (5.7, -10.0, "l-5.7 6"), (2.2, -6.3, "l3.8 6.3")]),
        'L' => (4.7, &[(0.0, -10.0, "v10h4.7")]),
        'M' => (8.0, &[(0.0, 0.0, "v-10l4 6.8l4-6.8v10")]),
        'N' => (6.4, &[(0.0, 0.0, "v-10l6.4 10v-10")]),
        'O' => (8.6, &[(0.0, -5.0, "a4.3 5 0 1 1 8.6 0a4.3 5 0 1 1-8.6 0z")]),
        'P' => (5.9, &[(0.0, 0.0, "v-10h3.1a2.8 2.8 0 0 1 0 5.6h-3.1")]),
        'Q' => (8.6, &[(0.0, -5.0, "a4.3 5 0 1 1 8.6 0a4.3 5 0 1 1-8.6 0z"), (5.4, -2.6, "l3 3.2")]),
        'R' => (6.1, &[(0.0, 0.0, "v-10h3.1a2.8 2.8 0 0 1 0 5.6h-3.1"), (3.1, -4.4, "l3 4.4")]),
        'S' => (
            6.1,
            &[(
                5.6,
                -8.4,
                "c-.7-1.1-1.6-1.6-2.8-1.6c-1.6 0-2.7 1-2.7 2.4c0 1.5 1.2 2 2.9 2.4c1.9.5 3.1 1.1 3.1 2.7c0 \
                 1.5-1.3 2.5-3.1 2.5c-1.4 0-2.4-.6-3-1.7",
            )],
        ),
        'T' => (6.4, &[(0.0, -10.0, "h6.4"), (3.2, -10.0, "v10")]),
        'U' => (6.2, &[(0.0, -10.0, "v6.6a3.1 3.4 0 0 0 6.2 0v-6.6")]),
        'V' => (7.0, &[(0.0, -10.0, "l3.5 10l3.5-10")]),
        'W' => (10.4, &[(0.0, -10.0, "l2.6 10l2.6-9l2.6 9l2.6-10")]),
        'X' => (6.2, &[(0.0, -10.0, "l6.2 10"), (6.2, -10.0, "l-6.2 10")]),
        'Y' => (6.4, &[(0.0, -10.0, "l3.2 5.2l3.2-5.2"), (3.2, -4.8, "v4.8")]),
        'Z' => (5.8, &[(0.0, -10.0, "h5.8l-5.8 10h5.8")]),
        '0' => (5.8, &[(0.0, -5.0, "a2.9 5 0 1 1 5.8 0a2.9 5 0 1 1-5.8 0z")]),
        '1' => (5.8, &[(0.9, -8.1, "l2.4-1.9v10")]),
        '2' => (
            5.8,
            &[(0.3, -7.5, "c.2-1.6 1.2-2.5 2.6-2.5c1.5 0 2.6 1 2.6 2.6c0 1.4-.8 2.4-2 3.7l-3.3 3.7h5.5")],
        ),
        '3' => (
            5.8,
            &[(
                0.5,
                -8.4,
                "c.5-1 1.3-1.6 2.4-1.6c1.5 0 2.4.9 2.4 2.3c0 1.5-1 2.4-2.6 2.4c1.8 0 2.9 1 2.9 2.6c0 1.6-1.1 \
                 2.7-2.8 2.7c-1.3 0-2.2-.6-2.7-1.7",
            )],
        ),
        '4' => (5.8, &[(4.2, 0.0, "v-10l-4.2 7.2h5.8")]),
        '5' => (
            5.8,
            &[(
                5.2,
                -10.0,
                "h-4.3l-.5 4.6c.6-.5 1.4-.9 2.4-.9c1.7 0 2.9 1.2 2.9 3.1c0 1.9-1.2 3.2-2.9 3.2c-1.3 \
                 0-2.2-.6-2.7-1.6",
            )],
        ),
        '6' => (5.8, &[(4.3, -10.0, "c-2.4 1.7-4.3 4-4.3 6.9a2.9 3.1 0 1 0 5.8 0a2.9 3.1 0 0 0-5.6-.9")]),
        '7' => (5.8, &[(0.1, -10.0, "h5.6l-3.6 10")]),
        '8' => (
            5.8,
            &[(
                2.9,
                -5.3,
                "a2.4 2.35 0 1 1 0-4.7a2.4 2.35 0 1 1 0 4.7a2.8 2.65 0 1 1 0 5.3a2.8 2.65 0 1 1 0-5.3z",
            )],
        ),
        '9' => (5.8, &[(1.5, 0.0, "c2.4-1.7 4.3-4 4.3-6.9a2.9 3.1 0 1 0-5.8 0a2.9 3.1 0 0 0 5.6.9")]),
        '.' => (0.2, &[(0.1, -0.2, "v.01")]),
        ',' => (0.6, &[(0.6, -0.2, "l-.6 2")]),
        ':' => (0.2, &[(0.1, -5.6, "v.01"), (0.1, -0.2, "v.01")]),
        ';' => (0.6, &[(0.5, -5.6, "v.01"), (0.6, -0.2, "l-.6 2")]),
        '!' => (0.2, &[(0.1, -10.0, "v6.6"), (0.1, -0.2, "v.01")]),
        '?' => (
            4.8,
            &[
                (0.0, -7.9, "c.2-1.3 1.1-2.1 2.4-2.1c1.4 0 2.4.9 2.4 2.3c0 2-2.4 2.2-2.4 4.3"),
                (2.4, -0.2, "v.01"),
            ],
        ),
        '-' | '\u{2010}' | '\u{2011}' => (3.0, &[(0.0, -3.7, "h3")]),
        '–' | '−' => (4.8, &[(0.0, -3.7, "h4.8")]),
        '—' => (8.0, &[(0.0, -3.7, "h8")]),
        '+' => (5.0, &[(0.0, -4.0, "h5"), (2.5, -6.5, "v5")]),
        '±' => (5.0, &[(0.0, -5.0, "h5"), (2.5, -7.5, "v5"), (0.0, 0.0, "h5")]),
        '=' => (5.0, &[(0.0, -5.2, "h5"), (0.0, -2.6, "h5")]),
        '×' => (4.2, &[(0.0, -6.0, "l4.2 4.2"), (4.2, -6.0, "l-4.2 4.2")]),
        '*' => (4.0, &[(2.0, -10.0, "v4.6"), (0.0, -8.8, "l4 2.3"), (4.0, -8.8, "l-4 2.3")]),
        '·' | '•' => (0.2, &[(0.1, -3.9, "v.01")]),
        '…' => (5.0, &[(0.1, -0.2, "v.01"), (2.5, -0.2, "v.01"), (4.9, -0.2, "v.01")]),
        '/' => (3.8, &[(0.0, 1.2, "l3.8-12")]),
        '\\' => (3.8, &[(0.0, -10.8, "l3.8 12")]),
        '|' => (0.0, &[(0.0, -10.8, "v13")]),
        '_' => (5.0, &[(0.0, 1.0, "h5")]),
        '(' => (2.0, &[(2.0, -11.0, "c-2.7 3.7-2.7 9.3 0 13")]),
        ')' => (2.0, &[(0.0, -11.0, "c2.7 3.7 2.7 9.3 0 13")]),
        '[' => (2.0, &[(2.0, -11.0, "h-2v13h2")]),
        ']' => (2.0, &[(0.0, -11.0, "h2v13h-2")]),
        '{' => (2.6, &[(2.6, -11.0, "c-1.6 0-1.6.8-1.6 3.2s0 3.3-1 3.3c1 0 1 .9 1 3.3s0 3.2 1.6 3.2")]),
        '}' => (2.6, &[(0.0, -11.0, "c1.6 0 1.6.8 1.6 3.2s0 3.3 1 3.3c-1 0-1 .9-1 3.3s0 3.2-1.6 3.2")]),
        '<' => (4.6, &[(4.6, -6.8, "l-4.6 3l4.6 3")]),
        '>' => (4.6, &[(0.0, -6.8, "l4.6 3l-4.6 3")]),
        '≤' => (4.6, &[(4.6, -8.0, "l-4.6 3l4.6 3"), (0.0, 0.0, "h4.6")]),
        '≥' => (4.6, &[(0.0, -8.0, "l4.6 3l-4.6 3"), (0.0, 0.0, "h4.6")]),
        '→' => (7.4, &[(0.0, -3.7, "h7.4"), (4.7, -6.3, "l2.7 2.6l-2.7 2.6")]),
        '←' => (7.4, &[(7.4, -3.7, "h-7.4"), (2.7, -6.3, "l-2.7 2.6l2.7 2.6")]),
        '\'' | '’' | '‘' | '′' => (0.2, &[(0.1, -10.2, "v2.4")]),
        '"' | '“' | '”' => (2.0, &[(0.0, -10.2, "v2.4"), (2.0, -10.2, "v2.4")]),
        '`' => (1.4, &[(0.0, -10.4, "l1.4 1.8")]),
        '^' => (4.4, &[(0.0, -6.8, "l2.2-3.2l2.2 3.2")]),
        '~' => (5.2, &[(0.0, -3.2, "c.9-1.9 2-1.6 2.6-.8s1.7 1.1 2.6-.8")]),
        '%' => (
            8.4,
            &[
                (6.8, -10.0, "l-5.2 10"),
                (0.0, -7.9, "a1.8 2.1 0 1 1 3.6 0a1.8 2.1 0 1 1-3.6 0z"),
                (4.8, -2.1, "a1.8 2.1 0 1 1 3.6 0a1.8 2.1 0 1 1-3.6 0z"),
            ],
        ),
        '#' => (
            6.0,
            &[(2.2, -9.2, "l-1.2 9.2"), (5.0, -9.2, "l-1.2 9.2"), (0.4, -6.3, "h5.6"), (0.0, -2.9, "h5.6")],
        ),
        '&' => (
            7.2,
            &[(
                7.0,
                0.0,
                "l-5.3-6.2c-.9-1.1-.9-2-.5-2.8c.8-1.5 3.6-1.3 3.7.9c.1 3-4.9 2.4-4.9 5.6c0 1.6 1.3 2.5 2.8 \
                 2.5c2.2 0 3.8-1.8 4.1-4.6",
            )],
        ),
        '$' => (
            6.1,
            &[
                (
                    5.6,
                    -8.1,
                    "c-.7-.9-1.6-1.3-2.8-1.3c-1.6 0-2.7.9-2.7 2.1c0 1.4 1.2 1.9 2.9 2.2c1.9.4 3.1 1 3.1 2.4c0 \
                     1.3-1.3 2.2-3.1 2.2c-1.4 0-2.4-.5-3-1.5",
                ),
                (3.0, -10.8, "v12.2"),
            ],
        ),
        '@' => (
            9.0,
            &[(
                6.4,
                -4.0,
                "a2 2.4 0 1 0-4 0a2 2.4 0 1 0 4 0v-2.4v2.2c0 2.6 2.6 2.4 2.6-.3a4.5 5 0 1 0-2 4.5",
            )],
        ),
        _ => return None,
    })
}

/// The alignment of a text relative to its point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Align {
    Left,
    Middle,
    Right,
}

/// The width of a text in units, if capitals are `size` units high.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let grid: f64 = text.chars().map(|c| advance(c) + GAP).sum();
    (grid - if text.is_empty() { 0.0 } else { GAP }) * size / 10.0
}

fn advance(c: char) -> f64 {
    if c.is_whitespace() { BLANK } else { glyph(c).unwrap_or(UNKNOWN).0 }
}

/// A text on a line.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    pub words: &'a str,
    pub x: f64,
    /// The baseline.
    pub y: f64,
    /// The height of capitals.
    pub size: f64,
    pub align: Align,
    pub color: &'a str,
    /// 1 for a normal pen, more for bold.
    pub weight: f64,
    /// The rotation around the point, in degrees clockwise.
    pub turned: f64,
}

impl<'a> Text<'a> {
    pub(crate) fn new(words: &'a str, x: f64, y: f64, size: f64, color: &'a str) -> Text<'a> {
        Text { words, x, y, size, align: Align::Left, color, weight: 1.0, turned: 0.0 }
    }

    pub(crate) fn align(self, align: Align) -> Text<'a> {
        Text { align, ..self }
    }

    pub(crate) fn bold(self) -> Text<'a> {
        Text { weight: 1.4, ..self }
    }

    pub(crate) fn turned(self, turned: f64) -> Text<'a> {
        Text { turned, ..self }
    }

    /// Appends the text as one path.
    pub(crate) fn draw(self, out: &mut String) {
        let shift = match self.align {
            Align::Left => 0.0,
            Align::Middle => width(self.words, self.size) / -2.0,
            Align::Right => -width(self.words, self.size),
        };
        let scale = self.size / 10.0;
        let mut path = String::new();
        let mut x = shift / scale;
        for c in self.words.chars() {
            if !c.is_whitespace() {
                for &(start, height, rest) in glyph(c).unwrap_or(UNKNOWN).1 {
                    put!(path, "M{} {}{rest}", Num(x + start), Num(height));
                }
            }
            x += advance(c) + GAP;
        }
        if path.is_empty() {
            return;
        }
        put!(*out, "<path transform=\"translate({} {})", Num(self.x), Num(self.y));
        if self.turned != 0.0 {
            put!(*out, "rotate({})", Num(self.turned));
        }
        put!(
            *out,
            "scale({})\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\" d=\"{path}\"/>\n",
            Num(scale),
            self.color,
            Num(PEN * self.weight)
        );
    }
}

/// Breaks a text into lines no wider than `most`. Cuts words that are wider.
pub(crate) fn wrapped(text: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let joined = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if width(&joined, size) <= most {
            line = joined;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for c in word.chars() {
            line.push(c);
            if line.chars().nth(1).is_some() && width(&line, size) > most {
                line.pop();
                lines.push(std::mem::replace(&mut line, c.to_string()));
            }
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_ascii_character_has_a_glyph_within_its_width() {
        for c in (33..127).map(char::from) {
            let (width, strokes) = glyph(c).unwrap_or_else(|| panic!("no glyph for {c}"));
            assert!(!strokes.is_empty());
            for (x, y, rest) in strokes {
                assert!((-0.1..=width + 0.3).contains(x), "{c}");
                assert!((-11.0..=3.0).contains(y), "{c}");
                assert!(rest.starts_with(|c: char| c.is_ascii_lowercase()), "{c}: strokes are relative");
                assert!(!rest.contains(|c: char| c.is_ascii_uppercase()), "{c}: strokes are relative");
            }
        }
    }

    #[test]
    fn lines_are_broken_to_fit() {
        let lines = wrapped("win in 5 with b1c2, then a veryveryverylongword", 10.0, 80.0);
        assert!(lines.len() > 2);
        assert!(lines.iter().all(|line| width(line, 10.0) <= 80.0), "{lines:?}");
        let joined: String = lines.concat().split_whitespace().collect();
        assert_eq!(joined, "winin5withb1c2,thenaveryveryverylongword");
        assert!(wrapped("  ", 10.0, 80.0).is_empty());
        assert_eq!(wrapped("abc", 10.0, 1.0), ["a", "b", "c"]);
    }
}

//! Parses positions and turns as people write them: `A1A2`, `a1 - a2` or `a1→a2` for `a1a2`, and
//! lines such as `1. a1a2! d4d3 2. b1b2`. Retrograde's own notation is tried first, so this does
//! not make any game's notation ambiguous.

use crate::game::rules::{Position, Rules, Turn};
use std::borrow::Cow;
use std::ops::ControlFlow;

use retrograde_game::{TextError, clean_text};

/// Parses a position as [`read`] does.
///
/// # Errors
/// As [`Rules::parse_position`].
pub(crate) fn position(game: &dyn Rules, text: &str) -> Result<Position, TextError> {
    read(text, |text| game.parse_position(text))
}

/// Parses a position or a board with `parse`. Surrounding whitespace, a byte-order mark and other line endings are
/// ignored. Rows can be separate lines, instead of joined by slashes.
///
/// # Errors
/// As `parse`.
pub(crate) fn read(
    text: &str,
    parse: impl Fn(&str) -> Result<Position, TextError>,
) -> Result<Position, TextError> {
    parse(text).or_else(|error| {
        let clean = clean_text(text);
        let lines: Vec<&str> = clean.trim().lines().map(str::trim_end).collect();
        let plain = lines.join("\n");
        let read = if plain == text { Err(error) } else { parse(&plain) };
        if lines.len() < 2 {
            return read;
        }
        let rows: Vec<&str> = lines.iter().map(|line| line.trim_end_matches('/')).collect();
        read.or_else(|error| parse(&rows.join("/")).map_err(|_| error))
    })
}

/// Parses a turn, or else the only turn among the [variants] of the text.
///
/// # Errors
/// As [`Rules::parse_turn`].
pub(crate) fn turn(game: &dyn Rules, position: &Position, text: &str) -> Result<Turn, TextError> {
    game.parse_turn(position, text).or_else(|error| {
        let mut found = variants(text).into_iter().filter_map(|text| game.parse_turn(position, &text).ok());
        let first = found.next().ok_or_else(|| error.clone())?;
        let written = game.turn_text(position, &first);
        let same = found.all(|other| game.turn_text(position, &other) == written);
        if same { Ok(first) } else { Err(error) }
    })
}

/// The steps of a turn in the game's notation, or unchanged if they are invalid.
pub(crate) fn steps<'a>(game: &dyn Rules, position: &Position, steps: &'a [String]) -> Cow<'a, [String]> {
    let reads = |steps: &[String]| game.each_step(position, steps, &mut |_| ControlFlow::Break(())).is_ok();
    if reads(steps) {
        return steps.into();
    }
    let split = |text: String| text.split(',').map(str::to_owned).collect::<Vec<String>>();
    let mut found = variants(&steps.join(",")).into_iter().map(split).filter(|steps| reads(steps));
    match found.next() {
        Some(first) if found.all(|other| other == first) => first.into(),
        _ => steps.into(),
    }
}

/// Other spellings of a turn, to try if a text is invalid: with one kind of dash, in lowercase,
/// with and without dashes and commas between squares.
pub(crate) fn variants(text: &str) -> Vec<String> {
    let dashed: String = text.trim().chars().map(|c| if is_dash(c) { '-' } else { c }).collect();
    let dashed = dashed.replace("->", "-").split_whitespace().collect::<Vec<_>>().join(" ");
    let dashed = dashed.replace(" -", "-").replace("- ", "-").replace(" ,", ",").replace(", ", ",");
    let mut all: Vec<String> = Vec::new();
    for base in [dashed.to_lowercase(), dashed] {
        let mut add = |variant: String| {
            if variant != text && !variant.is_empty() && !all.contains(&variant) {
                all.push(variant);
            }
        };
        if let Some(squares) = squares_in(&base) {
            add(squares.concat());
            add(squares.join("-"));
            add(squares.join(","));
            if squares.len() > 2 && squares.len().is_multiple_of(2) {
                let steps: Vec<String> = squares.chunks(2).map(|step| step.join("-")).collect();
                add(steps.join(","));
            }
        }
        for between in ["", "-", ","] {
            add(base.replace(' ', between));
        }
        add(base.replace([' ', '-'], ""));
        add(base);
    }
    all
}

/// The text in lowercase without whitespace, dashes and arrows.
pub(crate) fn squeezed(text: &str) -> String {
    let dropped = |c: char| c.is_whitespace() || is_dash(c) || c == '>';
    text.chars().filter(|&c| !dropped(c)).flat_map(char::to_lowercase).collect()
}

/// The words of a line of a record, without move numbers and marks such as `!?` and `$1`.
pub(crate) fn words_of(text: &str) -> Vec<&str> {
    let words = text.split_whitespace().map(|word| {
        let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let after = word[digits..].trim_start_matches(['.', '…']);
        let numbered = digits > 0 && after.len() < word.len() - digits;
        let word = if numbered { after } else { word };
        word.trim_end_matches(['!', '?'])
    });
    words.filter(|word| !word.is_empty() && !word.starts_with('$')).collect()
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '→' | '⟶' | '⇒' | '➔' | '➝' | '➡')
}

/// The squares of a text that consists of squares with whitespace, dashes, commas or an `x` between
/// them.
fn squares_in(text: &str) -> Option<Vec<&str>> {
    let mut squares = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let letters = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
        let digits =
            rest[letters..].len() - rest[letters..].trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if letters == 0 || digits == 0 {
            return None;
        }
        squares.push(&rest[..letters + digits]);
        rest = rest[letters + digits..].trim_start_matches([' ', '-', ',']);
        // A capture, as in chess. Only boards with 24 columns have a column `x`.
        rest = rest
            .strip_prefix('x')
            .filter(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
            .unwrap_or(rest);
    }
    (squares.len() > 1).then_some(squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_written_in_many_ways() {
        for text in ["A1A2", "a1-a2", "a1 a2", " a1→a2\t", "A1 -> a2", "a1 – a2", "a1xa2", "a1, a2"] {
            assert!(variants(text).contains(&"a1a2".to_owned()), "{text}: {:?}", variants(text));
            assert!(text == "a1-a2" || variants(text).contains(&"a1-a2".to_owned()), "{text}");
        }
        assert!(variants("a1-a2 B1 b2").contains(&"a1-a2,b1-b2".to_owned()));
        assert!(variants("O:a2, b1 o:b2").contains(&"O:a2,b1 o:b2".to_owned()));
        assert_eq!(squeezed("A1 → a2"), "a1a2");
        assert_eq!(words_of("1. a1a2! d4d3 ?? $3 2... b1b2 12.c1c2?!"), ["a1a2", "d4d3", "b1b2", "c1c2"]);
        assert_eq!(words_of("1-0"), ["1-0"]);
    }
}

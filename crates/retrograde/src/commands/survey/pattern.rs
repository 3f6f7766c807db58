//! Patterns of game names: `pushfight:mini,moves={0..3},pawns={1,2}` means eight names.
//!
//! Braces contain values and ranges of whole numbers, separated by commas. They can be anywhere in
//! a name. Several braces mean all combinations, in which the last braces vary fastest.

use retrograde_game::TextError;

use crate::output::thousands;

/// The maximum number of variants of a survey.
pub(super) const MAX_VARIANTS: u64 = 1000;

/// The forms in braces, for errors.
const EXPECTED: &str = "a value or a range, as in `{1,2}` or `{0..3}`";

/// A pattern.
pub(super) struct Pattern {
    /// The pattern as typed.
    pub(super) text: String,
    /// Its parts between commas outside of braces.
    parts: Vec<Part>,
}

/// A part of a name.
#[derive(Default)]
struct Part {
    /// The alternatives for each piece. A character outside of braces is a piece with one alternative.
    pieces: Vec<Vec<String>>,
    /// Whether it contains braces.
    varies: bool,
}

/// One of the names of a pattern.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Variant {
    /// The whole name.
    pub(super) name: String,
    /// The parts that differ between the variants; otherwise the whole name.
    pub(super) label: String,
}

impl Pattern {
    /// Parses a pattern. A name without braces is a pattern, too.
    ///
    /// # Errors
    /// If braces are not closed, or contain anything but values and ranges.
    pub(super) fn parse(text: &str) -> Result<Pattern, TextError> {
        let chars: Vec<char> = text.chars().collect();
        let unexpected = |at, expected| Err(TextError::unexpected("game", text, at, expected));
        let (mut parts, mut part) = (Vec::new(), Part::default());
        let mut at = 0;
        while let Some(&c) = chars.get(at) {
            at += 1;
            match c {
                '{' => {
                    let end = chars[at..].iter().position(|c| matches!(c, '{' | '}'));
                    let end = end.map_or(chars.len(), |length| at + length);
                    if chars.get(end) != Some(&'}') {
                        return unexpected(end, "`}`");
                    }
                    part.pieces.push(choices(text, at, &chars[at..end])?);
                    part.varies = true;
                    at = end + 1;
                }
                '}' => return unexpected(at - 1, "`{` before it"),
                ',' => parts.push(std::mem::take(&mut part)),
                c => part.pieces.push(vec![c.to_string()]),
            }
        }
        parts.push(part);
        Ok(Pattern { text: text.to_owned(), parts })
    }

    /// The number of variants.
    pub(super) fn count(&self) -> u64 {
        let pieces = self.parts.iter().flat_map(|part| &part.pieces);
        pieces.fold(1, |count: u64, piece| count.saturating_mul(piece.len() as u64))
    }

    /// Whether some parts are the same in all variants and others are not.
    pub(super) fn has_labels(&self) -> bool {
        self.parts.iter().any(|part| part.varies) && self.parts.iter().any(|part| !part.varies)
    }

    /// The names of the pattern.
    pub(super) fn variants(&self) -> Vec<Variant> {
        let join = |text: &str, more: &str, first: bool| match first {
            true => more.to_owned(),
            false => format!("{text},{more}"),
        };
        let mut variants = vec![Variant::default()];
        for (number, part) in self.parts.iter().enumerate() {
            let texts = part.texts();
            let with = |Variant { name, label }: &Variant, text: &String| Variant {
                name: join(name, text, number == 0),
                label: if part.varies { join(label, text, label.is_empty()) } else { label.clone() },
            };
            variants =
                variants.iter().flat_map(|variant| texts.iter().map(|text| with(variant, text))).collect();
        }
        if !self.parts.iter().any(|part| part.varies) {
            variants.iter_mut().for_each(|variant| variant.label = variant.name.clone());
        }
        variants
    }
}

impl Part {
    /// All combinations of its pieces.
    fn texts(&self) -> Vec<String> {
        self.pieces.iter().fold(vec![String::new()], |texts, piece| {
            texts.iter().flat_map(|text| piece.iter().map(move |more| format!("{text}{more}"))).collect()
        })
    }
}

/// The choices in braces. `from` is the place of `chars` in the pattern.
fn choices(text: &str, mut from: usize, chars: &[char]) -> Result<Vec<String>, TextError> {
    let mut choices = Vec::new();
    for word in chars.split(|c| *c == ',') {
        let word_text: String = word.iter().collect();
        match word_text.split_once("..") {
            _ if word.is_empty() => return Err(TextError::unexpected("game", text, from, EXPECTED)),
            None => choices.push(word_text),
            Some((first, last)) => {
                let last_from = from + first.chars().count() + 2;
                let (first, last) = (number(text, from, first)?, number(text, last_from, last)?);
                if last < first {
                    let expected = format!("a number of at least {first}");
                    return Err(TextError::unexpected("game", text, last_from, expected));
                }
                if u64::from(last - first) >= MAX_VARIANTS {
                    return Err(too_many(text, u64::from(last - first) + 1));
                }
                choices.extend((first..=last).map(|number| number.to_string()));
            }
        }
        from += word.len() + 1;
    }
    Ok(choices)
}

/// The number with which a range begins or ends. `from` is its place in the pattern.
fn number(text: &str, from: usize, digits: &str) -> Result<u32, TextError> {
    let wrong = digits.chars().position(|c| !c.is_ascii_digit());
    let wrong = if digits.is_empty() { Some(0) } else { wrong };
    if let Some(place) = wrong {
        let expected = "a whole number, as in `{0..3}`";
        return Err(TextError::unexpected("game", text, from + place, expected));
    }
    digits.parse().map_err(|_| TextError::unexpected("game", text, from, "a smaller number"))
}

/// The error about too many variants.
pub(super) fn too_many(text: &str, count: u64) -> TextError {
    let reason = format!(
        "these are {} variants, and a survey can have at most {}",
        thousands(count.into()),
        thousands(MAX_VARIANTS.into())
    );
    TextError::impossible("game", text, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(pattern: &str) -> Vec<String> {
        Pattern::parse(pattern).unwrap().variants().into_iter().map(|variant| variant.name).collect()
    }

    fn complaint(pattern: &str) -> String {
        Pattern::parse(pattern).err().expect("an error").reason()
    }

    #[test]
    fn patterns_stand_for_all_combinations_the_last_varying_fastest() {
        for name in ["tactics", "tactics:5x4,line=3,normal", "pushfight:my board.board", "", ",", "a,,b"] {
            let pattern = Pattern::parse(name).unwrap();
            let label = name.to_owned();
            assert_eq!(pattern.variants(), [Variant { name: label.clone(), label }], "{name}");
            assert_eq!((pattern.count(), pattern.has_labels()), (1, false));
        }
        assert_eq!(
            names("pushfight:mini,moves={0..2},pawns={1,2}"),
            [(0, 1), (0, 2), (1, 1), (1, 2), (2, 1), (2, 2)]
                .map(|(moves, pawns)| format!("pushfight:mini,moves={moves},pawns={pawns}"))
        );
        assert_eq!(names("t:{3,4}x{2..3}"), ["t:3x2", "t:3x3", "t:4x2", "t:4x3"]);
        assert_eq!(names("p,moves={0..1,unlimited}"), ["p,moves=0", "p,moves=1", "p,moves=unlimited"]);
        assert_eq!(names("{a,é},{x=1,y}"), ["a,x=1", "a,y", "é,x=1", "é,y"]);
        assert_eq!(names("a{7..7}{7}"), ["a77"]);
    }

    #[test]
    fn labels_have_only_what_differs() {
        let pattern = Pattern::parse("p:mini,moves={0..1},pushers=2,pawns={1,2}").unwrap();
        let labels: Vec<String> = pattern.variants().into_iter().map(|variant| variant.label).collect();
        assert_eq!(
            labels,
            ["moves=0,pawns=1", "moves=0,pawns=2", "moves=1,pawns=1", "moves=1,pawns=2"],
            "in the order of the names"
        );
        assert_eq!((pattern.count(), pattern.has_labels()), (4, true));
        let whole = Pattern::parse("t:{3,4}x4").unwrap();
        assert_eq!(whole.variants()[0], Variant { name: "t:3x4".to_owned(), label: "t:3x4".to_owned() });
        assert!(!whole.has_labels());
    }

    #[test]
    fn mistakes_are_shown_with_their_place() {
        for (pattern, reason) in [
            ("a,b={1,2", "ends too early, expected `}`"),
            ("é{1,{2}}", "found '{' at character 5, expected `}`"),
            ("a,b=1}", "found '}' at character 6, expected `{` before it"),
            ("a={}", "found '}' at character 4, expected a value or a range, as in `{1,2}` or `{0..3}`"),
            ("a={1,}", "found '}' at character 6, expected a value or a range, as in `{1,2}` or `{0..3}`"),
            ("a={1,,2}", "found ',' at character 6, expected a value or a range, as in `{1,2}` or `{0..3}`"),
            ("a={0..}", "found '}' at character 7, expected a whole number, as in `{0..3}`"),
            ("a={..3}", "found '.' at character 4, expected a whole number, as in `{0..3}`"),
            ("a={x,0..1é}", "found 'é' at character 10, expected a whole number, as in `{0..3}`"),
            ("a={-1..3}", "found '-' at character 4, expected a whole number, as in `{0..3}`"),
            ("a={3..1}", "found '1' at character 7, expected a number of at least 3"),
            ("a={0..99999999999}", "found '9' at character 7, expected a smaller number"),
            ("a={0..1000}", "these are 1,001 variants, and a survey can have at most 1,000"),
            ("a={0..4294967295}", "these are 4,294,967,296 variants, and a survey can have at most 1,000"),
        ] {
            assert_eq!(complaint(pattern), reason, "{pattern}");
        }
    }

    #[test]
    fn huge_patterns_are_counted_without_being_listed() {
        assert_eq!(Pattern::parse("{1..1000}").unwrap().count(), 1000);
        assert_eq!(Pattern::parse(&"{1..1000}".repeat(3)).unwrap().count(), 1_000_000_000);
        assert_eq!(Pattern::parse(&"{1..1000}".repeat(30)).unwrap().count(), u64::MAX);
    }
}

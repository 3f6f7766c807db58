//! Errors in text that people write: the text, the place of the mistake, the character found there
//! and the one expected.

use std::fmt;

/// A mistake in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mistake {
    /// A character that is not allowed there.
    Unexpected {
        /// The character found; `None` at the end of the text.
        found: Option<char>,
        /// Where, counted in characters from 0.
        at: usize,
        /// The characters that would have been allowed, e.g. "one of `X`, `O` or `.`".
        expected: String,
    },
    /// The text can be parsed but describes something impossible, e.g. "two anchors".
    Impossible(String),
}

/// An error in a text that a person wrote: a position, a turn, the name of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// The kind of text: "position", "turn", "game", "board".
    pub what: &'static str,
    /// The whole text.
    pub text: String,
    /// The mistake.
    pub mistake: Mistake,
    /// The text that was probably meant, such as the correct name of a game.
    pub suggestion: Option<String>,
}

impl TextError {
    /// An unexpected character at `at`, counted from 0. If `at` is the end of the text or past it,
    /// the error says that the text ends too early.
    pub fn unexpected(what: &'static str, text: &str, at: usize, expected: impl Into<String>) -> TextError {
        let mistake = Mistake::Unexpected { found: text.chars().nth(at), at, expected: expected.into() };
        TextError { what, text: text.to_owned(), mistake, suggestion: None }
    }

    /// Something impossible; `reason` completes the sentence "this is not a position: …".
    pub fn impossible(what: &'static str, text: &str, reason: impl Into<String>) -> TextError {
        let mistake = Mistake::Impossible(reason.into());
        TextError { what, text: text.to_owned(), mistake, suggestion: None }
    }

    /// Adds the text that was probably meant. The message asks "did you mean …?" unless it is about
    /// a single character.
    #[must_use]
    pub fn meant(mut self, suggestion: Option<String>) -> TextError {
        if let (Mistake::Impossible(reason), Some(meant)) = (&mut self.mistake, &suggestion) {
            reason.push_str(&format!("; did you mean `{meant}`?"));
        }
        self.suggestion = suggestion;
        self
    }

    /// The message without the kind of text, for callers that name it themselves: "“a1a9”: found …".
    pub fn quoted(&self) -> String {
        let at = match &self.mistake {
            Mistake::Unexpected { at, .. } => *at,
            Mistake::Impossible(_) => 0,
        };
        format!("“{}”: {}", excerpt(&self.text, at), self.reason())
    }

    /// The message without the text, for callers that show the text themselves.
    pub fn reason(&self) -> String {
        match &self.mistake {
            Mistake::Unexpected { found: Some(found), at, expected } => {
                format!("found {found:?} at character {}, expected {expected}", at + 1)
            }
            Mistake::Unexpected { found: None, expected, .. } => {
                format!("ends too early, expected {expected}")
            }
            Mistake::Impossible(reason) => reason.clone(),
        }
    }
}

/// Cuts long texts to the part around the mistake.
fn excerpt(text: &str, at: usize) -> String {
    const SHOWN: usize = 80;
    let chars: Vec<char> = text.chars().collect();
    let visible = |chars: &[char]| -> String { chars.iter().flat_map(|c| c.escape_debug()).collect() };
    if chars.len() <= SHOWN {
        return visible(&chars);
    }
    let from = at.saturating_sub(SHOWN / 2).min(chars.len() - SHOWN);
    let (before, after) =
        (if from > 0 { "…" } else { "" }, if from + SHOWN < chars.len() { "…" } else { "" });
    format!("{before}{}{after}", visible(&chars[from..from + SHOWN]))
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.what, self.quoted())
    }
}

impl std::error::Error for TextError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_character_place_and_expectation() {
        let error = TextError::unexpected("position", "X?O", 1, "`X`, `O` or `.`");
        assert_eq!(error.to_string(), "position “X?O”: found '?' at character 2, expected `X`, `O` or `.`");
        let error = TextError::unexpected("position", "XO", 2, "14 more squares");
        assert_eq!(error.to_string(), "position “XO”: ends too early, expected 14 more squares");
        assert_eq!(error.quoted(), "“XO”: ends too early, expected 14 more squares");
    }

    #[test]
    fn long_texts_are_cut_around_the_mistake() {
        let error = TextError::unexpected("position", &"é\n".repeat(5000), 5000, "an end");
        assert!(error.to_string().chars().count() < 250, "{error}");
    }
}

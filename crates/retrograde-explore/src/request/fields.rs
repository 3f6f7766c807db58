//! The parts of a request as text: named parameters and a body. They are parsed in one place, so
//! that every program rejects a request with the same message.

use std::fmt::Display;
use std::str::FromStr;

use retrograde_game::{Seat, decode_text, joined};
use serde::de::DeserializeOwned;

use crate::{ListPage, OpenGame, Problem};

/// The limits that a program sets for requests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RequestLimits {
    /// Positions that `find` returns.
    pub found: u64,
    /// Puzzles that `puzzles` returns.
    pub puzzles: u64,
    /// Turns in a line.
    pub line: u64,
    /// Turns or steps of a position in one answer, and turns of all positions of a batch.
    pub page: u64,
    /// Positions in a batch, and turns of a game to annotate.
    pub batch: usize,
}

impl Default for RequestLimits {
    fn default() -> RequestLimits {
        RequestLimits { found: 100, puzzles: 20, line: 500, page: 15_000, batch: 500 }
    }
}

/// A parameter of a route.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The name.
    pub name: &'static str,
    /// The values that it accepts.
    pub kind: ParamKind,
    /// Whether it is part of the path and not of the query.
    pub in_path: bool,
    /// Whether it is required.
    pub required: bool,
    /// A sentence for the documentation of the route.
    pub doc: &'static str,
}

/// The values that a parameter accepts.
#[derive(Clone, Copy, Debug)]
pub enum ParamKind {
    /// Any text.
    Text,
    /// One of some words.
    Word {
        /// The words.
        words: &'static [&'static str],
        /// A sentence about them.
        doc: &'static str,
    },
    /// `true` or `false`.
    Flag,
    /// A whole number up to this one.
    Number(u64),
}

impl Param {
    const fn new(name: &'static str, kind: ParamKind, doc: &'static str) -> Param {
        Param { name, kind, in_path: false, required: false, doc }
    }

    /// Any text.
    pub const fn text(name: &'static str, doc: &'static str) -> Param {
        Param::new(name, ParamKind::Text, doc)
    }

    /// `first` or `second`; [`Fields::seat`] reads it.
    pub const fn to_move(doc: &'static str) -> Param {
        let words_doc = "The player to move in a position, which decides how the first player sees it.";
        Param::new("to_move", ParamKind::Word { words: &["first", "second"], doc: words_doc }, doc)
    }

    /// One of some words, with a sentence about the words and one about the parameter.
    pub const fn word(
        name: &'static str,
        words: &'static [&'static str],
        words_doc: &'static str,
        doc: &'static str,
    ) -> Param {
        Param::new(name, ParamKind::Word { words, doc: words_doc }, doc)
    }

    /// `true` or `false`.
    pub(crate) const fn flag(name: &'static str, doc: &'static str) -> Param {
        Param::new(name, ParamKind::Flag, doc)
    }

    /// A whole number up to `max`.
    pub const fn number(name: &'static str, max: u64, doc: &'static str) -> Param {
        Param::new(name, ParamKind::Number(max), doc)
    }

    /// The page of a long list; `Fields::page` reads it.
    pub const PAGE: [Param; 2] = [
        Param::number(
            "offset",
            u64::MAX,
            "The number of entries to skip; 0 by default. `page.next` in an answer is the offset of the \
             next page.",
        ),
        Param::number("limit", u64::MAX, "The maximum number of entries; the server's limit by default."),
    ];

    /// The first steps of a turn; [`Fields::steps`] reads them.
    pub const MOVES: Param =
        Param::text("moves", "The steps made so far, separated by commas: `d1-a2,d3-c3`; none by default.");

    /// Makes it part of the path.
    pub const fn in_path(self) -> Param {
        Param { in_path: true, required: true, ..self }
    }

    /// Makes it required.
    pub const fn required(self) -> Param {
        Param { required: true, ..self }
    }

    /// Rejects values that the parameter does not accept.
    fn check(&self, text: &str) -> Result<(), Problem> {
        let (good, takes) = match self.kind {
            ParamKind::Text => return Ok(()),
            ParamKind::Word { words, .. } => (words.contains(&text), alternatives(words)),
            ParamKind::Flag => (matches!(text, "true" | "false"), alternatives(&["true", "false"])),
            ParamKind::Number(u64::MAX) => (text.parse::<u64>().is_ok(), "a whole number".to_owned()),
            ParamKind::Number(max) => {
                let good = text.parse::<u64>().is_ok_and(|number| number <= max);
                (good, format!("a whole number up to {max}"))
            }
        };
        if good { Ok(()) } else { Err(self.refused(format!("must be {takes}, not {text}"))) }
    }

    fn refused(&self, reason: impl Display) -> Problem {
        let part = if self.in_path { "path" } else { "query" };
        Problem::bad(part, format!("`{}` {reason}", self.name))
    }
}

/// Joins words for a sentence: `win`, `loss` or `draw`.
fn alternatives(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    joined(&quoted, "or")
}

/// The parts of a request: checked parameters and a body.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a> {
    texts: &'a [(String, String)],
    body: &'a [u8],
}

impl<'a> Fields<'a> {
    /// Checks the texts against the parameters of a route.
    ///
    /// # Errors
    /// If a name is unknown or duplicated, a value is invalid, or a required parameter is
    /// missing.
    pub fn checked(
        params: &[Param],
        texts: &'a [(String, String)],
        body: &'a [u8],
    ) -> Result<Fields<'a>, Problem> {
        for (at, (name, text)) in texts.iter().enumerate() {
            let Some(param) = params.iter().find(|param| param.name == name) else {
                let known: Vec<&str> = params.iter().map(|param| param.name).collect();
                let known = match known.as_slice() {
                    [] => "this request has no parameters".to_owned(),
                    known => format!("expected {}", alternatives(known)),
                };
                return Err(Problem::bad("query", format!("there is no parameter `{name}`; {known}")));
            };
            if texts[..at].iter().any(|(other, _)| other == name) {
                return Err(param.refused("appears twice"));
            }
            param.check(text)?;
        }
        let fields = Fields { texts, body };
        match params.iter().find(|param| param.required && fields.text(param.name).is_none()) {
            Some(missing) => Err(missing.refused("is missing")),
            None => Ok(fields),
        }
    }

    /// The text of a parameter, if it was given.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.texts.iter().find(|(given, _)| given == name).map(|(_, text)| text.as_str())
    }

    /// The parameter `position`, as a function that returns its text, or the start if it was not given.
    pub(super) fn position(&self) -> impl Fn(&OpenGame) -> String + Send + Sync + 'static {
        let position = self.text("position").map(str::to_owned);
        move |game| position.clone().unwrap_or_else(|| game.start())
    }

    /// The number of a parameter, if it was given.
    ///
    /// # Errors
    /// If it is not a number of this type.
    pub fn number<T: FromStr>(&self, name: &str) -> Result<Option<T>, Problem> {
        let parsed = self.text(name).map(str::parse).transpose();
        parsed.map_err(|_| Problem::bad("query", format!("`{name}` is too large")))
    }

    /// The number of a parameter, or `default` if it was not given.
    ///
    /// # Errors
    /// If it is above `max`.
    pub(crate) fn number_up_to(&self, name: &str, default: u64, max: u64) -> Result<u64, Problem> {
        match self.number(name)? {
            Some(number) if number > max => {
                Err(Problem::bad("query", format!("`{name}` must be at most {max}, not {number}")))
            }
            Some(number) => Ok(number),
            None => Ok(default.min(max)),
        }
    }

    /// The page of [`Param::PAGE`]; by default as long as the limits allow.
    ///
    /// # Errors
    /// If it is longer than that.
    pub(crate) fn page(&self, limits: &RequestLimits) -> Result<ListPage, Problem> {
        let limit = self.number_up_to("limit", limits.page, limits.page)?;
        Ok(ListPage { offset: self.number("offset")?.unwrap_or(0), limit })
    }

    /// The truth of a flag, if it was given.
    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        self.text(name).map(|text| text == "true")
    }

    /// The steps of [`Param::MOVES`].
    ///
    /// # Errors
    /// If there are more steps than any turn has.
    pub fn steps(&self) -> Result<Vec<String>, Problem> {
        /// More steps than any turn has.
        const MAX_STEPS: usize = 100;
        let moves = self.text("moves").filter(|moves| !moves.is_empty());
        let steps: Vec<String> = moves.iter().flat_map(|moves| moves.split(',')).map(str::to_owned).collect();
        if steps.len() > MAX_STEPS {
            return Err(Problem::bad("query", format!("`moves` can have at most {MAX_STEPS} steps")));
        }
        Ok(steps)
    }

    /// The player of [`Param::to_move`], by default the first.
    pub fn seat(&self) -> Seat {
        if self.text("to_move") == Some("second") { Seat::Second } else { Seat::First }
    }

    /// The body.
    ///
    /// # Errors
    /// If it is not JSON of this type.
    pub fn body<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        let refused = |reason: String| Problem::bad("body", reason);
        let text = decode_text(self.body.to_vec()).map_err(|error| refused(error.to_string()))?;
        serde_json::from_str(&text).map_err(|error| refused(error.to_string()))
    }
}

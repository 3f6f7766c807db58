//! Routes: data that describe how to send a request over HTTP or inside a page, for servers to
//! document and dispatch.

use serde::Serialize;

use crate::{Error, Fields, OpenGame, Param, Problem, RequestLimits, SearchLimits};

/// The program that handles a request.
pub trait Host {
    /// The limits of the next search.
    fn search(&self) -> SearchLimits;

    /// A seed for random choices, if the request asks for any.
    fn seed(&self) -> u32;

    /// Converts an error that is part of an answer, as in a batch.
    fn problem(&self, error: Error) -> Problem;
}

/// Search limits are a minimal host, for programs on the user's own machine: the seed is fixed, and
/// system errors are reported unchanged.
impl Host for SearchLimits {
    fn search(&self) -> SearchLimits {
        self.clone()
    }

    fn seed(&self) -> u32 {
        1
    }

    fn problem(&self, error: Error) -> Problem {
        Problem::try_from(error)
            .unwrap_or_else(|error| Problem::new(500, "server", "The request failed", error.to_string()))
    }
}

/// An answer as JSON.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The object.
    pub json: Vec<u8>,
    /// Whether the same request always gets the same answer, so that it can be cached.
    pub repeats: bool,
}

/// Finds the answer of a question.
type Answer = dyn Fn(&OpenGame, &dyn Host) -> Result<Reply, Error> + Send + Sync;

/// A request that was read: a question about an open game.
pub struct Question {
    /// The number of positions that it looks up.
    pub positions: u64,
    answer: Box<Answer>,
}

impl Question {
    /// A question that always gets the same answer.
    pub(super) fn new<A: Serialize>(
        positions: u64,
        answer: impl Fn(&OpenGame, &dyn Host) -> Result<A, Error> + Send + Sync + 'static,
    ) -> Question {
        Question::that_may_change(positions, move |game, host| Ok((answer(game, host)?, true)))
    }

    /// A question whose answer comes with whether it is always the same.
    pub(super) fn that_may_change<A: Serialize>(
        positions: u64,
        answer: impl Fn(&OpenGame, &dyn Host) -> Result<(A, bool), Error> + Send + Sync + 'static,
    ) -> Question {
        let answer = Box::new(move |game: &OpenGame, host: &dyn Host| {
            let (answer, repeats) = answer(game, host)?;
            let json = serde_json::to_vec(&answer).map_err(std::io::Error::from)?;
            Ok(Reply { json, repeats })
        });
        Question { positions, answer }
    }

    /// Answers the question.
    ///
    /// # Errors
    /// If a text is invalid, a required table is missing, or a file is damaged.
    pub fn reply(&self, game: &OpenGame, host: &dyn Host) -> Result<Reply, Error> {
        (self.answer)(game, host)
    }
}

/// Reads a question from its fields, within limits.
type ReadQuestion = fn(&Fields<'_>, &RequestLimits) -> Result<Question, Problem>;

/// The path and parameters of a request.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// The path relative to the game's path. Parts in braces are parameters:
    /// `positions/{position}`.
    pub path: &'static str,
    /// The unique name of the operation.
    pub name: &'static str,
    /// The group in the documentation: `games`, `positions` or `pictures`.
    pub topic: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// More about it; may be empty.
    pub description: &'static str,
    /// The parameters, without the name of the game.
    pub params: &'static [Param],
    /// The name of the body's schema in `docs/answers.schema.json`. A request with a body is a `POST`, whose
    /// answer is not cached; one without is a `GET`.
    pub body: Option<&'static str>,
    /// A description of the answer, and the name of its schema in the same file.
    pub answer: (&'static str, &'static str),
    /// Statuses other than 200, and their meanings.
    pub refusals: &'static [(u16, &'static str)],
    /// Reads the request.
    pub(super) read: ReadQuestion,
}

impl Route {
    /// Reads a request from its parameters, including those of the path, and its body.
    ///
    /// # Errors
    /// If it is invalid or exceeds the limits.
    pub fn request(
        &self,
        texts: &[(String, String)],
        body: &[u8],
        limits: &RequestLimits,
    ) -> Result<Question, Problem> {
        (self.read)(&Fields::checked(self.params, texts, body)?, limits)
    }

    /// Matches the parts of a path relative to the game's path, and returns the parameters in it.
    pub fn matches(&self, parts: &[String]) -> Option<Vec<(String, String)>> {
        let own: Vec<&str> = self.path.split('/').collect();
        if own.len() != parts.len() {
            return None;
        }
        let mut texts = Vec::new();
        for (own, part) in own.into_iter().zip(parts) {
            match own.strip_prefix('{').and_then(|own| own.strip_suffix('}')) {
                Some(name) => texts.push((name.to_owned(), part.clone())),
                None if own == part => {}
                None => return None,
            }
        }
        Some(texts)
    }
}

//! Routes: data that describe how to send a request over HTTP or inside a page, for servers to
//! document and dispatch.

use serde::Serialize;

use crate::request::fields::{Fields, Param, RequestLimits};
use crate::request::problem::Problem;
use crate::{Error, OpenGame, SearchLimits};

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

/// A request about an open game. Each type is one kind of request, with its parameters as fields.
pub trait Request: Sized + Send + Sync + 'static {
    /// The answer, which is serialised to JSON.
    type Answer: Serialize;

    /// Reads the request.
    ///
    /// # Errors
    /// If it is invalid or exceeds the limits.
    fn read(fields: &Fields<'_>, limits: &RequestLimits) -> Result<Self, Problem>;

    /// Answers the request.
    ///
    /// # Errors
    /// If a text is invalid, a required table is missing, or a file is damaged.
    fn answer(&self, game: &OpenGame, host: &dyn Host) -> Result<Self::Answer, Error>;

    /// The number of positions that it looks up.
    fn positions(&self) -> u64 {
        0
    }

    /// Whether the same request always gets the same answer, so that it can be cached.
    fn repeats(&self, _answer: &Self::Answer) -> bool {
        true
    }
}

/// An answer as JSON.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The object.
    pub json: Vec<u8>,
    /// Whether the same request always gets the same answer.
    pub repeats: bool,
}

/// A type-erased request.
pub trait AnyRequest: Send + Sync {
    /// As [`Request::positions`].
    fn positions(&self) -> u64;

    /// The answer as JSON.
    ///
    /// # Errors
    /// As [`Request::answer`].
    fn reply(&self, game: &OpenGame, host: &dyn Host) -> Result<Reply, Error>;
}

impl<R: Request> AnyRequest for R {
    fn positions(&self) -> u64 {
        Request::positions(self)
    }

    fn reply(&self, game: &OpenGame, host: &dyn Host) -> Result<Reply, Error> {
        let answer = self.answer(game, host)?;
        let json = serde_json::to_vec(&answer).map_err(std::io::Error::from)?;
        Ok(Reply { json, repeats: self.repeats(&answer) })
    }
}

/// Reads a request from its fields, within limits.
type ReadRequest = fn(&Fields<'_>, &RequestLimits) -> Result<Box<dyn AnyRequest>, Problem>;

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
    /// Reads the request; see [`read`].
    pub read: ReadRequest,
}

/// Reads a type-erased request, for [`Route::read`].
///
/// # Errors
/// As [`Request::read`].
pub fn read<R: Request>(fields: &Fields<'_>, limits: &RequestLimits) -> Result<Box<dyn AnyRequest>, Problem> {
    Ok(Box::new(R::read(fields, limits)?))
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
    ) -> Result<Box<dyn AnyRequest>, Problem> {
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

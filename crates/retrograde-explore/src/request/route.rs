//! A route: how a program asks one request over HTTP or inside a page, in data that a server can
//! describe and dispatch.

use serde::Serialize;

use crate::request::fields::{Fields, Param, RequestLimits};
use crate::request::problem::Problem;
use crate::{Error, OpenGame, SearchLimits};

/// The program around a request.
pub trait Host {
    /// Limits of the next search.
    fn search(&self) -> SearchLimits;

    /// A seed for random choices, if the request asks for any.
    fn seed(&self) -> u32;

    /// The words for an error that is a part of an answer, as in a batch.
    fn problem(&self, error: Error) -> Problem;
}

/// Limits alone are a host, for a program on the asker's own machine: the seed is always the same,
/// and faults of the machine are reported as they are.
impl Host for SearchLimits {
    fn search(&self) -> SearchLimits {
        self.clone()
    }

    fn seed(&self) -> u32 {
        1
    }

    fn problem(&self, error: Error) -> Problem {
        Problem::try_from(error)
            .unwrap_or_else(|error| Problem::new(500, "server", "The question failed", error.to_string()))
    }
}

/// A question about an open game. A type is one question: its fields are what was asked.
pub trait Request: Sized + Send + Sync + 'static {
    /// The answer, which is also the JSON that programs get.
    type Answer: Serialize;

    /// Reads the request.
    ///
    /// # Errors
    /// If it cannot be read, or asks for more than the limits allow.
    fn read(fields: &Fields<'_>, limits: &RequestLimits) -> Result<Self, Problem>;

    /// Answers the request.
    ///
    /// # Errors
    /// If a text cannot be read, the question needs a table and there is none, or a file is
    /// damaged.
    fn answer(&self, game: &OpenGame, host: &dyn Host) -> Result<Self::Answer, Error>;

    /// The positions that it looks up, for programs that count them.
    fn positions(&self) -> u64 {
        0
    }

    /// Whether the same request gets the same answer again, so that programs may keep it.
    fn repeats(&self, _answer: &Self::Answer) -> bool {
        true
    }
}

/// An answer as JSON.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The object.
    pub json: Vec<u8>,
    /// Whether the same request gets the same answer again.
    pub repeats: bool,
}

/// A request whose type is hidden.
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

/// The two methods of HTTP that ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HttpMethod {
    /// Everything stands in path and query.
    Get,
    /// The request has a body; its answers are not cached.
    Post,
}

/// Reads a request from its fields, within limits.
type ReadRequest = fn(&Fields<'_>, &RequestLimits) -> Result<Box<dyn AnyRequest>, Problem>;

/// The method, path and parameters with which a request is asked.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// The method.
    pub method: HttpMethod,
    /// The path below that of the game; parts in braces are parameters: `positions/{position}`.
    pub path: &'static str,
    /// The name of the operation, of which there is one only.
    pub name: &'static str,
    /// The group in which it is described: `games`, `positions` or `pictures`.
    pub topic: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// More about it; may be empty.
    pub description: &'static str,
    /// The parameters, without the name of the game.
    pub params: &'static [Param],
    /// The name of the body's schema in `docs/answers.schema.json`; empty if there is no body.
    pub body: &'static str,
    /// The answer in words, and the name of its schema there.
    pub answer: (&'static str, &'static str),
    /// Statuses other than 200, and when they come.
    pub refusals: &'static [(u16, &'static str)],
    /// Reads the request; see [`read`].
    pub read: ReadRequest,
}

/// Reads a request whose type is hidden, for [`Route::read`].
///
/// # Errors
/// As [`Request::read`].
pub fn read<R: Request>(fields: &Fields<'_>, limits: &RequestLimits) -> Result<Box<dyn AnyRequest>, Problem> {
    Ok(Box::new(R::read(fields, limits)?))
}

impl Route {
    /// Reads a request from the texts of its parameters, those of the path among them, and its
    /// body.
    ///
    /// # Errors
    /// If it cannot be read, or asks for more than the limits allow.
    pub fn request(
        &self,
        texts: &[(String, String)],
        body: &[u8],
        limits: &RequestLimits,
    ) -> Result<Box<dyn AnyRequest>, Problem> {
        (self.read)(&Fields::checked(self.params, texts, body)?, limits)
    }

    /// The parameters in the parts of a path below that of the game, if the path is this route's.
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

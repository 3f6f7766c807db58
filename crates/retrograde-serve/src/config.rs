//! How the server is to run: where it listens, where tables lie, and the bounds of what strangers may ask.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

/// How the server is to run.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The folder with the tables. Nothing else on the disk is read.
    pub tables: PathBuf,
    /// What stands before every path, such as `/retrograde`; empty for nothing.
    pub prefix: Prefix,
    /// Whether clients are told apart by the last entry of `X-Forwarded-For`, as behind a proxy of one's own.
    pub trust_proxy: bool,
    /// Whether every request is logged, not only what fails.
    pub log_requests: bool,
    /// Bounds.
    pub limits: Limits,
}

impl Default for Config {
    /// On this machine only, port 8080, tables in `tables`.
    fn default() -> Config {
        Config {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            tables: PathBuf::from("tables"),
            prefix: Prefix::default(),
            trust_proxy: false,
            log_requests: false,
            limits: Limits::default(),
        }
    }
}

/// Bounds of what strangers may ask.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Questions that are worked on at the same time; the others wait.
    pub workers: usize,
    /// Questions that may wait; more are told to come again.
    pub waiting: usize,
    /// Connections at the same time; more wait to be accepted.
    pub connections: usize,
    /// Time for an answer, waiting included.
    pub time: Duration,
    /// Positions that one search may look at, where there is no table.
    pub search_nodes: u64,
    /// Time that the searches of one question may take.
    pub search_time: Duration,
    /// Successors that are looked at to list turns, in all of one question.
    pub turns: u64,
    /// Positions of a batch.
    pub batch: usize,
    /// Bytes of a request's body.
    pub body: usize,
    /// Bytes of a request's path and query.
    pub url: usize,
    /// Positions that `find` gives.
    pub found: u64,
    /// Puzzles that `puzzles` gives.
    pub puzzles: u64,
    /// Turns of a line.
    pub line: usize,
    /// Pixels of a picture from left to right.
    pub pixels: u32,
    /// Opened games that are kept; one that is asked for by two names counts twice.
    pub games: usize,
    /// Bytes of answers that are kept.
    pub cache: u64,
    /// Requests a second of one client; `None`: any number.
    pub rate: Option<NonZeroU32>,
    /// How often it is looked whether there are new tables.
    pub refresh: Duration,
    /// How long open requests may take when the server is stopped.
    pub farewell: Duration,
}

impl Default for Limits {
    /// Fit for a small public server: ten seconds a question, half a second of them to search.
    fn default() -> Limits {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Limits {
            workers: cores,
            waiting: 256,
            connections: 4096,
            time: Duration::from_secs(10),
            search_nodes: 200_000,
            search_time: Duration::from_millis(500),
            turns: 100_000,
            batch: 500,
            body: 256 << 10,
            url: 8 << 10,
            found: 100,
            puzzles: 20,
            line: 500,
            pixels: 2048,
            games: 64,
            cache: 64 << 20,
            rate: None,
            refresh: Duration::from_secs(30),
            farewell: Duration::from_secs(10),
        }
    }
}

/// What stands before every path: empty, or `/` and segments of letters, digits, `-`, `_`, `.`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Prefix(String);

impl Prefix {
    /// The prefix, without `/` at its end.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for Prefix {
    type Err = String;

    /// Reads a prefix; a `/` at its end is left out.
    fn from_str(text: &str) -> Result<Prefix, String> {
        let whole = text.strip_suffix('/').unwrap_or(text);
        let plain = |segment: &str| {
            !matches!(segment, "" | "." | "..")
                && segment.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
        };
        let good = match whole.strip_prefix('/') {
            Some(segments) => segments.split('/').all(plain),
            None => whole.is_empty(),
        };
        match good {
            true => Ok(Prefix(whole.to_owned())),
            false => Err(format!("“{text}” is no prefix of paths, such as /retrograde")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_read_strictly() {
        for (text, read) in [("", ""), ("/", ""), ("/a", "/a"), ("/a/b-1/", "/a/b-1")] {
            assert_eq!(text.parse::<Prefix>().unwrap().as_str(), read);
        }
        for bad in ["a", "//", "/a//b", "/..", "/{game}", "/a b", "/é", "/a?b"] {
            assert!(bad.parse::<Prefix>().is_err(), "{bad}");
        }
    }
}

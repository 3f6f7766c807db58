//! The configuration of the server: its address, the folders with tables, and limits on requests.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use retrograde_explore::{RequestLimits, TableFolders};

use crate::address::Listen;
use crate::host_name::HostName;

/// The configuration of the server.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on.
    pub listen: Listen,
    /// The hosts that are accepted in `Host`, and whose web pages may use the server. On a loopback
    /// address, `localhost` and loopback addresses are always accepted, and nothing else if this is
    /// empty. On another address, an empty list accepts all hosts.
    pub allow_hosts: Vec<HostName>,
    /// The folders with tables. The server reads no other files.
    pub tables: TableFolders,
    /// The prefix of all paths, such as `/retrograde`; may be empty.
    pub prefix: Prefix,
    /// Whether to identify clients by the last entry of `X-Forwarded-For`. Use this only behind your own
    /// proxy.
    pub trust_proxy: bool,
    /// Whether to log every request, not only failed and slow ones.
    pub log_requests: bool,
    /// Limits on requests.
    pub limits: Limits,
    /// The WebAssembly module of `retrograde-offline`, with which the page solves boards in the browser.
    /// The program passes it in, since it also embeds it for standalone pages. Without it the page has
    /// no solver.
    pub module: Option<&'static [u8]>,
}

impl Default for Config {
    /// Loopback only, port 8080, tables in `tables`.
    fn default() -> Config {
        Config {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)).into(),
            allow_hosts: Vec::new(),
            tables: TableFolders::default(),
            prefix: Prefix::default(),
            trust_proxy: false,
            log_requests: false,
            limits: Limits::default(),
            module: None,
        }
    }
}

/// Limits on the number, size and time of requests.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The number of requests that are answered at the same time, at least two; others wait. A client gets
    /// at most half of them.
    pub workers: usize,
    /// How many of these may take longer than [`Limits::quick`]; at least one and not all. Each may use a
    /// few hundred megabytes.
    pub long_workers: usize,
    /// The number of games that are opened at the same time.
    pub opening_workers: usize,
    /// The time after which a request moves to the workers for long requests.
    pub quick: Duration,
    /// The sustained work that a client may cause per second.
    pub work: Duration,
    /// The burst of work that a client may cause, in seconds of [`Limits::work`]. Beyond it, while others
    /// wait, the client is refused and its long requests are stopped.
    pub work_burst: u32,
    /// The length of the queue; further requests are refused as busy.
    pub waiting: usize,
    /// The number of open connections; further ones wait to be accepted.
    pub connections: usize,
    /// The number of open connections per client; further ones are closed. Does not apply behind a proxy or
    /// to connections from this machine.
    pub client_connections: usize,
    /// The time for one answer, including waiting.
    pub time: Duration,
    /// The positions that a search may visit if there is no table.
    pub search_nodes: u64,
    /// The time for all searches of one request.
    pub search_time: Duration,
    /// The number of turns that a request may list; longer lists are incomplete.
    pub turns: u64,
    /// The memory of a loop over the rules, or of a search, in bytes.
    pub question_memory: u64,
    /// The maximum size of what a request may ask for.
    pub requests: RequestLimits,
    /// The maximum size of a request body in bytes.
    pub body: usize,
    /// The maximum length of path and query in bytes.
    pub url: usize,
    /// The maximum width of a picture in pixels.
    pub pixels: u32,
    /// The number of open games.
    pub games: usize,
    /// The memory of all open games in bytes: index tables and cached file contents.
    pub games_memory: u64,
    /// The bytes of bodies and answers in flight; an eighth per client.
    pub in_flight: u64,
    /// The size of the cache of answers in bytes.
    pub cache: u64,
    /// The rate limit per client in requests per second; `None` for no limit.
    pub rate: Option<NonZeroU32>,
    /// The interval for checking for new tables.
    pub refresh: Duration,
    /// The time for open requests to finish when the server stops.
    pub shutdown_time: Duration,
}

impl Default for Limits {
    /// Suitable for a small public server: ten seconds per request, including at most half a second for
    /// searches. Caches take a few hundred megabytes, or less if less memory is available.
    fn default() -> Limits {
        let cores = retrograde_explore::usable_threads();
        let allowed = retrograde_explore::allowed_memory(None);
        let at_most = |default: u64, parts: u64| default.min(allowed / parts);
        Limits {
            workers: cores,
            long_workers: (cores / 2).clamp(1, 2),
            opening_workers: 2,
            quick: Duration::from_millis(50),
            work: Duration::from_millis(500),
            work_burst: 20,
            waiting: 256,
            connections: 4096,
            client_connections: 128,
            time: Duration::from_secs(10),
            search_nodes: 200_000,
            search_time: Duration::from_millis(500),
            turns: 100_000,
            question_memory: at_most(64 << 20, 4 * cores as u64),
            requests: RequestLimits::default(),
            body: 256 << 10,
            url: 8 << 10,
            pixels: 2048,
            games: 64,
            games_memory: at_most(128 << 20, 4),
            in_flight: at_most(48 << 20, 16),
            cache: at_most(64 << 20, 8),
            rate: None,
            refresh: Duration::from_secs(30),
            shutdown_time: Duration::from_secs(10),
        }
    }
}

/// The prefix of all paths: empty, or segments of letters, digits, `-`, `_` and `.`, each after a `/`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Prefix(String);

impl Prefix {
    /// The prefix, without a trailing `/`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for Prefix {
    type Err = String;

    /// Parses a prefix, and removes a trailing `/`.
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
            false => Err(format!("expected a path that begins with /, such as /retrograde, not “{text}”")),
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

//! The configuration of the server: its address, the folder of tables, and the limits on strangers'
//! requests.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use retrograde_explore::TableFolders;
use retrograde_explore::request::RequestLimits;

use crate::address::Listen;
use crate::host_name::HostName;

/// The configuration of the server.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on.
    pub listen: Listen,
    /// Hosts by whose names the server may be addressed, and whose web pages may use it. A server on
    /// a loopback address always accepts `localhost` and loopback addresses, and nothing else if this is
    /// empty; on another address an empty list accepts all hosts.
    pub allow_hosts: Vec<HostName>,
    /// The folders with the tables. Nothing else on the disk is read.
    pub tables: TableFolders,
    /// Prefix of every path, such as `/retrograde`; may be empty.
    pub prefix: Prefix,
    /// Tells clients apart by the last entry of `X-Forwarded-For`. Only for a server behind your
    /// own proxy.
    pub trust_proxy: bool,
    /// Logs every request, not only failed or slow ones.
    pub log_requests: bool,
    /// Limits on requests.
    pub limits: Limits,
    /// The WebAssembly module with which the page solves boards in the browser: that of
    /// `retrograde-offline`. The program has it once, also for pages that stand alone, and hands it
    /// over. Without it the page says that it has no solver.
    pub module: Option<&'static [u8]>,
}

impl Default for Config {
    /// On this machine only, port 8080, tables in `tables`.
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

/// Limits on requests: their number, size and time.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Questions answered at the same time, at least two; the others wait. Each client has half of
    /// them at the most.
    pub workers: usize,
    /// Of these, those that answer what takes longer than [`Limits::quick`]; at least one and not
    /// all. Each may take some hundred megabytes.
    pub long_workers: usize,
    /// Games that are opened at the same time.
    pub opening_workers: usize,
    /// Time for which a question is tried before it is left to the workers for long ones.
    pub quick: Duration,
    /// Work that a client may cause in a second, beside what it may cause at once.
    pub work: Duration,
    /// Work that a client may cause at once, in seconds of [`Limits::work`]. Beyond it the client is
    /// refused, and its long questions are ended, while others wait.
    pub work_burst: u32,
    /// Questions that may wait; further ones are refused as busy.
    pub waiting: usize,
    /// Open connections; further ones wait to be accepted.
    pub connections: usize,
    /// Open connections of one client; further ones are closed. Without effect behind a proxy, and
    /// for connections from this machine.
    pub client_connections: usize,
    /// Time for one answer, waiting included.
    pub time: Duration,
    /// Positions that one search may visit where there is no table.
    pub search_nodes: u64,
    /// Time for all searches of one question.
    pub search_time: Duration,
    /// Turns that one question may list; longer lists are incomplete.
    pub turns: u64,
    /// Bytes that one loop of the rules, or one search, may take.
    pub question_memory: u64,
    /// The most that one request may ask for.
    pub requests: RequestLimits,
    /// Bytes of a request's body.
    pub body: usize,
    /// Bytes of a request's path and query.
    pub url: usize,
    /// Width of a picture in pixels.
    pub pixels: u32,
    /// Open games kept in memory.
    pub games: usize,
    /// Bytes of all open games: their tables for indices, and what is kept of their files.
    pub games_memory: u64,
    /// Bytes of bodies and answers that are under way; of one client an eighth.
    pub in_flight: u64,
    /// Bytes of answers kept in memory.
    pub cache: u64,
    /// Requests a second that one client may make; `None` for no limit.
    pub rate: Option<NonZeroU32>,
    /// Time between two looks for new tables.
    pub refresh: Duration,
    /// Time that open requests get to finish when the server stops.
    pub farewell: Duration,
}

impl Default for Limits {
    /// Suits a small public server: ten seconds a question, of which all its searches together may take half
    /// a second. What is kept takes a few hundred megabytes, and less where less memory may be used.
    fn default() -> Limits {
        let cores = retrograde_explore::usable_threads();
        let allowed = retrograde_explore::allowed_memory(None);
        let at_most = |usual: u64, parts: u64| usual.min(allowed / parts);
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
            farewell: Duration::from_secs(10),
        }
    }
}

/// Prefix of every path: empty, or `/` and segments of letters, digits, `-`, `_`, `.`.
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

//! HTTP requests to the host of a site, for one range of one file each. They are repeated if the
//! connection breaks or the host is busy. At most the requested number of bytes is read, whatever
//! the host sends.

use std::collections::HashMap;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use retrograde_table::site::{Piece, SITE_INDEX};
use ureq::http::{HeaderMap, Response};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body, Timeout};

use super::cache::{Host, Part};
use crate::tables::without_credentials;

/// The maximum size of files that are loaded whole from hosts without byte ranges.
const MAX_WHOLE: u64 = 32 << 20;
/// The maximum number of bytes to read for one query. Beyond this, downloading the table is better.
const MAX_READ: u64 = 256 << 20;
/// The maximum number of requests for one query.
const MAX_REQUESTS: u64 = 4000;
/// The maximum time for one query, from the first request to the last response.
const MAX_TIME: Duration = Duration::from_secs(120);
/// After this time without a request, the next one starts a new query: an engine runs for hours.
const IDLE: Duration = Duration::from_secs(5);
/// The pauses between attempts at a request.
const PAUSES: [Duration; 3] =
    [Duration::from_millis(250), Duration::from_millis(500), Duration::from_secs(1)];
/// Timeouts for connecting and for the next bytes.
const CONNECT: Duration = Duration::from_secs(10);
const NEXT_BYTES: Duration = Duration::from_secs(20);

/// The host of a site.
#[derive(Debug)]
pub(super) struct HttpHost {
    agent: Agent,
    /// The address of the site's folder, with a trailing slash.
    base: String,
    /// The bytes of `site.json` when the site was opened.
    index: Vec<u8>,
    /// The last ETag of each file.
    tags: Mutex<HashMap<String, String>>,
    usage: Mutex<Usage>,
}

/// The requests, bytes and time that a query has used so far.
#[derive(Debug)]
struct Usage {
    started: Instant,
    /// The end of the last request, and the number of running ones.
    ended: Instant,
    running: u32,
    requests: u64,
    bytes: u64,
}

impl Usage {
    fn new() -> Usage {
        let now = Instant::now();
        Usage { started: now, ended: now, running: 0, requests: 0, bytes: 0 }
    }

    /// Starts a request and returns the time left for it.
    fn begin(&mut self) -> Result<Duration, Failed> {
        if self.running == 0 && self.ended.elapsed() > IDLE {
            *self = Usage::new();
        }
        if self.requests == MAX_REQUESTS {
            return Err(Failed::fatal(format!(
                "this query needs more than {MAX_REQUESTS} requests to the site; download the table or \
                 solve the game instead"
            )));
        }
        let left = MAX_TIME.saturating_sub(self.started.elapsed());
        if left.is_zero() {
            return Err(too_slow());
        }
        self.requests += 1;
        self.running += 1;
        Ok(left)
    }

    fn end(&mut self) {
        self.running -= 1;
        self.ended = Instant::now();
    }
}

/// The failure of a query that takes too long.
fn too_slow() -> Failed {
    Failed::fatal(format!("the host did not answer this query within {} seconds", MAX_TIME.as_secs()))
}

/// Why a request failed, and whether to retry it.
struct Failed {
    error: io::Error,
    retry: bool,
}

impl Failed {
    fn fatal(message: String) -> Failed {
        Failed { error: io::Error::other(message), retry: false }
    }

    /// A failure that a retry may fix.
    fn transient(message: String) -> Failed {
        Failed { error: io::Error::other(message), retry: true }
    }
}

/// A request for a file or a range of it.
#[derive(Clone, Copy)]
struct FileRequest<'a> {
    path: &'a str,
    /// The expected length of the file, and the range to load. `None` loads the whole file, of
    /// unknown length.
    range: Option<(u64, (u64, u64))>,
    /// The maximum number of bytes of the response.
    max_bytes: u64,
}

impl HttpHost {
    /// Connects to the folder at `base` and reads its `site.json`, of at most `max_bytes` bytes.
    pub(super) fn connect(base: &str, max_bytes: u64) -> io::Result<(HttpHost, Vec<u8>)> {
        let mut host = HttpHost {
            agent: agent(base.starts_with("https:"))?,
            base: base.to_owned(),
            index: Vec::new(),
            tags: Mutex::default(),
            usage: Mutex::new(Usage::new()),
        };
        let part = host.request(FileRequest { path: SITE_INDEX, range: None, max_bytes })?;
        host.index.clone_from(&part.bytes);
        Ok((host, part.bytes))
    }

    /// Makes a request, with retries.
    fn request(&self, wanted: FileRequest<'_>) -> io::Result<Part> {
        let mut pauses = PAUSES.iter();
        loop {
            match (self.try_request(wanted), pauses.next()) {
                (Err(Failed { retry: true, .. }), Some(pause)) => std::thread::sleep(*pause),
                (Err(Failed { error, .. }), _) => return Err(error),
                (Ok(part), _) => return Ok(part),
            }
        }
    }

    fn try_request(&self, wanted: FileRequest<'_>) -> Result<Part, Failed> {
        let left = self.usage.lock().begin()?;
        let answer = self.answer(wanted, left);
        self.usage.lock().end();
        answer
    }

    /// Makes one request, within the time left.
    fn answer(&self, wanted: FileRequest<'_>, left: Duration) -> Result<Part, Failed> {
        let path = wanted.path;
        let request = self.agent.get(format!("{}{path}", self.base)).header("Accept-Encoding", "identity");
        let mut request = request.config().timeout_global(Some(left)).build();
        if let Some((_, (from, to))) = wanted.range {
            request = request.header("Range", format!("bytes={from}-{}", to - 1));
        }
        let response = request.call().map_err(|error| failure(path, &error))?;
        let headers = response.headers();
        match (response.status().as_u16(), wanted.range) {
            (206, Some((length, range))) => {
                let found = text(headers, "content-range").unwrap_or_default();
                if !is_range(found, range, length) {
                    let (from, to) = range;
                    return Err(Failed::fatal(format!(
                        "the host answered “{}” to a request for bytes {from} to {to} of the {length} of “{path}”",
                        found.escape_debug()
                    )));
                }
                self.check_tag(path, headers)?;
                let bytes = self.body(response, range.1 - range.0, path)?;
                Ok(Part { from: range.0, bytes })
            }
            (200, Some((length, _))) => {
                if length > MAX_WHOLE {
                    return Err(Failed::fatal(format!(
                        "the host does not serve byte ranges, and “{path}” has {length} bytes; for such a host, \
                         export the site in pieces of at most {MAX_WHOLE} bytes, as with `retrograde \
                         export site --piece-size 25M`"
                    )));
                }
                self.check_tag(path, headers)?;
                Ok(Part { from: 0, bytes: self.body(response, length, path)? })
            }
            (200, None) => Ok(Part { from: 0, bytes: self.whole(response, wanted.max_bytes, path)? }),
            (status, _) => Err(self.refused(status, path)),
        }
    }

    /// The error for an unexpected status.
    fn refused(&self, status: u16, path: &str) -> Failed {
        match status {
            408 | 425 | 429 | 500 | 502 | 503 | 504 => {
                Failed::transient(format!("the host answered with status {status} for “{path}”"))
            }
            404 | 410 | 416 if path != SITE_INDEX && self.is_updated() => Failed::fatal(format!(
                "the site was exported again while it was being read, and “{path}” is gone; try again"
            )),
            404 | 410 => Failed::fatal(format!("“{path}” was not found on the host (status {status})")),
            416 => Failed::fatal(format!("“{path}” is shorter than {SITE_INDEX} says (status 416)")),
            status => Failed::fatal(format!("the host answered with status {status} for “{path}”")),
        }
    }

    /// Whether `site.json` has changed since the site was opened.
    fn is_updated(&self) -> bool {
        let max_bytes = self.index.len() as u64 + 1;
        let now = self.try_request(FileRequest { path: SITE_INDEX, range: None, max_bytes });
        // A longer one has changed, too.
        now.map_or_else(|failed| !failed.retry, |part| part.bytes != self.index)
    }

    /// Compares the ETag of a file with the one it had before. A host with several machines may
    /// give a file several tags, so a new tag only counts as an error if `site.json` has changed as well.
    fn check_tag(&self, path: &str, headers: &HeaderMap) -> Result<(), Failed> {
        let Some(tag) = text(headers, "etag").filter(|tag| tag.len() <= 200) else { return Ok(()) };
        let before = self.tags.lock().insert(path.to_owned(), tag.to_owned());
        if before.is_none_or(|before| before == tag) || !self.is_updated() {
            return Ok(());
        }
        Err(Failed::fatal(format!("the site was exported again while “{path}” was being read; try again")))
    }

    /// Reads a response body of the given length.
    fn body(&self, response: Response<Body>, length: u64, path: &str) -> Result<Vec<u8>, Failed> {
        let announced = response.body().content_length();
        if announced.is_some_and(|announced| announced != length) {
            let announced = announced.unwrap_or_default();
            return Err(Failed::fatal(format!(
                "the host sent {announced} bytes of “{path}” instead of {length}"
            )));
        }
        let bytes = self.whole(response, length, path)?;
        if bytes.len() as u64 == length {
            Ok(bytes)
        } else {
            let had = bytes.len();
            Err(Failed::transient(format!("the connection ended after {had} of {length} bytes of “{path}”")))
        }
    }

    /// Reads a response body of at most `max_bytes` bytes.
    fn whole(&self, response: Response<Body>, max_bytes: u64, path: &str) -> Result<Vec<u8>, Failed> {
        let mut bytes = Vec::new();
        let read = response.into_body().into_reader().take(max_bytes + 1).read_to_end(&mut bytes);
        let mut usage = self.usage.lock();
        usage.bytes += bytes.len() as u64;
        let all = usage.bytes;
        drop(usage);
        read.map_err(|error| Failed::transient(format!("cannot read all of “{path}”: {error}")))?;
        if bytes.len() as u64 > max_bytes {
            return Err(Failed::fatal(format!("the host sent more than {max_bytes} bytes for “{path}”")));
        }
        if all > MAX_READ {
            return Err(Failed::fatal(format!(
                "this query reads more than {MAX_READ} bytes from the site; download the table or \
                 solve the game instead"
            )));
        }
        Ok(bytes)
    }
}

impl Host for HttpHost {
    fn get(&self, piece: &Piece, range: Range<u64>) -> io::Result<Part> {
        let range = Some((piece.bytes, (range.start, range.end)));
        self.request(FileRequest { path: &piece.path, range, max_bytes: piece.bytes })
    }
}

/// An HTTP client that trusts the system's root certificates and does not follow redirects from
/// HTTPS to HTTP.
fn agent(secure: bool) -> io::Result<Agent> {
    let config = Agent::config_builder()
        .https_only(secure)
        .http_status_as_error(false)
        .user_agent(concat!("retrograde/", env!("CARGO_PKG_VERSION")))
        .timeout_connect(Some(CONNECT))
        .timeout_per_read(Some(NEXT_BYTES))
        .timeout_recv_response(Some(NEXT_BYTES));
    let found = rustls_native_certs::load_native_certs();
    // An HTTP host may still redirect to HTTPS.
    if found.certs.is_empty() && secure {
        let reasons: String = found.errors.iter().map(|error| format!("; {error}")).collect();
        let message = format!("this system has no trusted root certificates{reasons}");
        return Err(io::Error::other(message));
    }
    let roots: RootCerts = found
        .certs
        .iter()
        .map(|certificate| Certificate::from_der(certificate).to_owned())
        .collect::<Vec<_>>()
        .into();
    let tls = TlsConfig::builder()
        .root_certs(roots)
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build();
    Ok(config.tls_config(tls).build().new_agent())
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Whether a `Content-Range` header is this range of a file of this length.
fn is_range(header: &str, (from, to): (u64, u64), length: u64) -> bool {
    let parts = header.strip_prefix("bytes ").and_then(|rest| rest.split_once('/'));
    let Some((range, all)) = parts else { return false };
    let is = |text: &str, number: u64| text.trim().parse() == Ok(number);
    let is_here = range.split_once('-').is_some_and(|(first, last)| is(first, from) && is(last, to - 1));
    // A host may omit the length of the file.
    is_here && (is(all, length) || all.trim() == "*")
}

/// The failure of a request without a response.
fn failure(path: &str, error: &ureq::Error) -> Failed {
    let (message, retry) = match error {
        ureq::Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
            ("the host did not answer in time".to_owned(), true)
        }
        ureq::Error::Timeout(_) => ("the host stopped answering".to_owned(), true),
        ureq::Error::HostNotFound => ("host not found".to_owned(), false),
        ureq::Error::ConnectionFailed => ("cannot connect to the host".to_owned(), true),
        ureq::Error::Io(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
            ("the host refused the connection".to_owned(), true)
        }
        ureq::Error::Io(error) => (without_credentials(&format!("the connection failed: {error}")), true),
        ureq::Error::Protocol(error) => (format!("the host sent invalid HTTP: {error}"), true),
        ureq::Error::RequireHttpsOnly(_) => ("the host redirects from HTTPS to HTTP".to_owned(), false),
        error => (without_credentials(&error.to_string()), false),
    };
    Failed { error: io::Error::other(format!("{message} (while loading “{path}”)")), retry }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_requested_range_is_accepted() {
        for right in ["bytes 0-9/100", "bytes 0-9/*"] {
            assert!(is_range(right, (0, 10), 100), "{right}");
        }
        let wrong = [
            "",
            "bytes",
            "bytes 0-9",
            "bytes 1-10/100",
            "bytes 0-10/100",
            "bytes 0-9/99",
            "0-9/100",
            "bytes */100",
            "bytes -9/100",
            "bytes 0-9/18446744073709551716",
        ];
        for wrong in wrong {
            assert!(!is_range(wrong, (0, 10), 100), "{wrong}");
        }
    }
    #[test]
    fn the_requests_and_the_time_of_a_question_are_limited() {
        let ago = |seconds| Instant::now().checked_sub(Duration::from_secs(seconds)).unwrap();
        let mut usage = Usage::new();
        for _ in 0..MAX_REQUESTS {
            assert!(usage.begin().is_ok());
            usage.end();
        }
        assert!(usage.begin().is_err_and(|failed| failed.error.to_string().contains("requests")));
        // A slow host, and an engine that queries again after a while.
        let mut slow = Usage { started: ago(100), ended: ago(1), ..Usage::new() };
        assert!(slow.begin().is_ok_and(|left| left <= Duration::from_secs(20)));
        slow.end();
        slow.started = ago(121);
        assert!(slow.begin().is_err_and(|failed| !failed.retry));
        slow.ended = ago(60);
        assert!(slow.begin().is_ok_and(|left| left > Duration::from_secs(100)));
    }
}

//! Protects a local server from foreign web pages.
//!
//! Any web page can send requests to 127.0.0.1, and with a domain that resolves there (DNS rebinding) it
//! could also read the answers. A server on a loopback address therefore accepts only loopback names in
//! `Host`, and no requests from pages of other hosts, which browsers report in `Origin` or
//! `Sec-Fetch-Site`. [`Config::allow_hosts`] accepts further hosts.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, Version, header};

use crate::config::Config;
use crate::host_name::HostName;
use crate::message::refusal::Refusal;

/// Checks the host of a request, and the page that sent it.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// The accepted hosts in addition to loopback; `None` accepts all hosts.
    allowed: Option<Arc<[HostName]>>,
}

impl Guard {
    /// The guard of a server.
    pub fn new(config: &Config) -> Guard {
        let named = &config.allow_hosts;
        let all =
            if named.is_empty() { !config.listen.is_loopback() } else { named.contains(&HostName::any()) };
        let hosts = named.iter().chain(config.listen.host());
        Guard { allowed: (!all).then(|| hosts.cloned().collect()) }
    }

    /// Whether only some hosts are accepted.
    pub fn is_strict(&self) -> bool {
        self.allowed.is_some()
    }

    /// Rejects a request without exactly one valid `Host`, for a foreign host, or from a foreign page.
    pub fn check(&self, request: &Request) -> Result<(), Refusal> {
        let host = host_header(request)?;
        let Some(allowed) = &self.allowed else { return Ok(()) };
        // The host in an absolute-form target overrides the header.
        let hosts = [request.uri().authority().cloned(), host];
        for host in hosts.iter().flatten() {
            if !accepts(allowed, host) {
                return Err(Refusal::foreign_host(host.host()));
            }
        }
        let headers = request.headers();
        for origin in headers.get_all(header::ORIGIN) {
            if !self.allows_origin(origin) {
                return Err(Refusal::foreign_page(&String::from_utf8_lossy(origin.as_bytes())));
            }
        }
        let is_loopback = hosts.iter().flatten().all(|host| HostName::of(host).is_loopback());
        match !headers.contains_key(header::ORIGIN) && is_from_elsewhere(request, is_loopback) {
            true => Err(Refusal::foreign_page("another site")),
            false => Ok(()),
        }
    }

    /// Whether pages of an origin may use the server.
    pub fn allows_origin(&self, origin: &HeaderValue) -> bool {
        let Some(allowed) = &self.allowed else { return true };
        let host = origin.to_str().ok().and_then(|origin| origin.parse::<Uri>().ok());
        host.and_then(|origin| origin.authority().cloned()).is_some_and(|host| accepts(allowed, &host))
    }
}

fn accepts(allowed: &[HostName], host: &Authority) -> bool {
    let host = HostName::of(host);
    host.is_loopback() || allowed.contains(&host)
}

/// The single `Host` that HTTP/1.1 requires; `None` if it is empty, or missing in an earlier version, which no
/// browser sends.
fn host_header(request: &Request) -> Result<Option<Authority>, Refusal> {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => {
            let text = host.to_str().ok().filter(|host| !host.contains('@'));
            match text {
                Some("") => Ok(None),
                text => text.and_then(|host| host.parse().ok()).map(Some).ok_or_else(Refusal::no_host),
            }
        }
        (None, _) if request.version() != Version::HTTP_11 => Ok(None),
        _ => Err(Refusal::no_host()),
    }
}

/// Whether a browser reports that a request without `Origin` comes from a page of another site. Links that
/// open a page of this server are harmless. `same-site` is another port of this host.
fn is_from_elsewhere(request: &Request, is_loopback: bool) -> bool {
    const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
    const MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
    const DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");
    let headers: &HeaderMap = request.headers();
    let has = |name: HeaderName, value: &str| headers.get(name).is_some_and(|found| found == value);
    let is_link = *request.method() == Method::GET && has(MODE, "navigate") && has(DEST, "document");
    let is_foreign = has(SITE, "cross-site") || (has(SITE, "same-site") && !is_loopback);
    is_foreign && !is_link
}

impl HostName {
    /// The host of an authority, without its port.
    fn of(authority: &Authority) -> HostName {
        HostName::new(authority.host())
    }

    /// Whether the host can only be this machine.
    fn is_loopback(&self) -> bool {
        let address = self.as_str().parse::<IpAddr>();
        self.as_str() == "localhost" || address.is_ok_and(|address| address.to_canonical().is_loopback())
    }
}

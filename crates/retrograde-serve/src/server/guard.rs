//! Keeps foreign web pages away from a server that only this machine is meant to use.
//!
//! Any page in a browser can send requests to 127.0.0.1, and a name that its owner points there (DNS
//! rebinding) lets it read the answers too. A server on a loopback address therefore accepts only
//! loopback names in `Host`, and no requests from pages of other hosts: browsers name these in `Origin`,
//! or say that there is one in `Sec-Fetch-Site`. [`Config::allow_hosts`] accepts further hosts.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, Version, header};

use crate::config::Config;
use crate::host_name::HostName;
use crate::message::refusal::Refusal;

/// Checks the host that a request is for, and the page that sent it.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// The hosts accepted in addition to loopback ones; `None` accepts all.
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

    /// Refuses a request without one good `Host`, for a foreign host, or from a foreign page.
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

/// The one `Host` that HTTP/1.1 demands; `None` if it is empty, or is missing in an earlier version. No
/// browser sends such requests.
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

/// Whether a browser says that a request without `Origin` comes from a page of another site. A link
/// that opens a page of this server does no harm. `same-site` is another port of this host.
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

    /// Whether it can only mean this machine.
    fn is_loopback(&self) -> bool {
        let address = self.as_str().parse::<IpAddr>();
        self.as_str() == "localhost" || address.is_ok_and(|address| address.to_canonical().is_loopback())
    }
}

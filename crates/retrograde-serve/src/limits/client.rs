//! The client: requests and work are counted per client.

use std::convert::Infallible;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName, header};

/// The address at the other end of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub IpAddr);

/// A client: an IPv4 address, or an IPv6 /64 network, which belongs to one client. For connections from this
/// machine, which share an address, it is a program or the pages of a site.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Client {
    network: IpAddr,
    /// A hash that distinguishes programs on this machine; 0 for other clients.
    program: u64,
}

impl Client {
    /// The client of a connection.
    pub fn of(peer: IpAddr) -> Client {
        let network = match peer.to_canonical() {
            IpAddr::V6(address) if !address.is_loopback() => {
                let [a, b, c, d, ..] = address.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
            address => address,
        };
        Client { network, program: 0 }
    }

    /// Whether it is on this machine.
    pub fn is_local(&self) -> bool {
        self.network.is_loopback()
    }

    /// The client of requests without a connection, as in tests.
    pub fn unknown() -> Client {
        Client::of(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
    }

    /// The client of a request: its peer address, or the address that our own proxy reports.
    pub fn of_request(extensions: &Extensions, headers: &HeaderMap, trust_proxy: bool) -> Client {
        let peer = extensions.get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0);
        let named = if trust_proxy { forwarded(headers) } else { None };
        let client = Client::of(named.unwrap_or(peer));
        // A proxy on this machine forwards requests from anywhere.
        match client.is_local() && !headers.contains_key(FORWARDED) {
            true => Client { program: program(headers), ..client },
            false => client,
        }
    }
}

/// The client that the gate determined.
impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Client, Infallible> {
        Ok(parts.extensions.get::<Client>().copied().unwrap_or_else(Client::unknown))
    }
}

/// Distinguishes the programs on this machine, and the sites of a browser's pages, so that a busy one does
/// not slow down the others.
fn program(headers: &HeaderMap) -> u64 {
    let mut hasher = DefaultHasher::new();
    for name in [header::USER_AGENT, header::ORIGIN] {
        headers.get(name).hash(&mut hasher);
    }
    hasher.finish()
}

const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The address that our proxy reports: the last entry of `X-Forwarded-For`. Earlier entries may be forged by
/// the client.
fn forwarded(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all(FORWARDED).iter().next_back()?.to_str().ok()?;
    last.rsplit(',').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_network_are_one_client() {
        let client = |text: &str| Client::of(text.parse().unwrap());
        assert_eq!(client("2001:db8::1"), client("2001:db8::2"));
        assert_ne!(client("2001:db8::1"), client("2001:db9::1"));
        assert_eq!(client("192.0.2.1"), client("::ffff:192.0.2.1"));
        assert_ne!(client("192.0.2.1"), client("192.0.2.2"));
    }

    #[test]
    fn local_programs_are_separate_clients() {
        let client = |peer: [u8; 4], headers: &[(&'static str, &'static str)]| {
            let mut extensions = Extensions::new();
            extensions.insert(Peer(peer.into()));
            let headers = headers.iter().map(|&(name, value)| {
                (HeaderName::from_static(name), axum::http::HeaderValue::from_static(value))
            });
            Client::of_request(&extensions, &headers.collect(), false)
        };
        let here = [127, 0, 0, 1];
        let browser = client(here, &[("user-agent", "browser")]);
        assert_eq!(browser, client(here, &[("user-agent", "browser"), ("accept", "*/*")]));
        assert_ne!(browser, client(here, &[("user-agent", "script")]));
        assert_ne!(browser, client(here, &[("user-agent", "browser"), ("origin", "http://localhost:3000")]));
        // Remote clients cannot pretend to be several, not even through a proxy.
        let far = [192, 0, 2, 1];
        assert_eq!(client(far, &[("user-agent", "a")]), client(far, &[("user-agent", "b")]));
        let through = |agent| client(here, &[("user-agent", agent), ("x-forwarded-for", "192.0.2.1")]);
        assert_eq!(through("a"), through("b"));
    }

    #[test]
    fn only_the_last_forwarded_address_counts() {
        let mut headers = HeaderMap::new();
        assert_eq!(forwarded(&headers), None);
        headers.insert("x-forwarded-for", "10.0.0.1, 192.0.2.7".parse().unwrap());
        assert_eq!(forwarded(&headers), "192.0.2.7".parse().ok());
        headers.append("x-forwarded-for", "nobody".parse().unwrap());
        assert_eq!(forwarded(&headers), None);
    }
}

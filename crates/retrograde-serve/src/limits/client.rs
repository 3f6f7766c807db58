//! The client: the unit by which requests and work are counted.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName};

/// The address at the other end of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub IpAddr);

/// A client: an IPv4 address or an IPv6 /64 network, since one client owns all of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Client(pub IpAddr);

impl Client {
    /// The client of a connection.
    pub fn of(peer: IpAddr) -> Client {
        Client(match peer.to_canonical() {
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
            address => address,
        })
    }

    /// The client of requests that come from nowhere, as in tests.
    pub fn unknown() -> Client {
        Client(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
    }

    /// The client of a request: the other end of its connection, or whom our own proxy names.
    pub fn of_request(extensions: &Extensions, headers: &HeaderMap, trust_proxy: bool) -> Client {
        let peer = extensions.get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0);
        let named = if trust_proxy { forwarded(headers) } else { None };
        Client::of(named.unwrap_or(peer))
    }
}

/// The client that the gate found out.
impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Client, Infallible> {
        Ok(parts.extensions.get::<Client>().copied().unwrap_or_else(Client::unknown))
    }
}

/// The client as our proxy names it: the last entry of `X-Forwarded-For`. The client may have
/// written the others.
fn forwarded(headers: &HeaderMap) -> Option<IpAddr> {
    const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-for");
    let last = headers.get_all(FORWARDED).iter().next_back()?.to_str().ok()?;
    last.rsplit(',').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_one_client() {
        let client = |text: &str| Client::of(text.parse().unwrap());
        assert_eq!(client("2001:db8::1"), client("2001:db8::2"));
        assert_ne!(client("2001:db8::1"), client("2001:db9::1"));
        assert_eq!(client("192.0.2.1"), client("::ffff:192.0.2.1"));
        assert_ne!(client("192.0.2.1"), client("192.0.2.2"));
    }

    #[test]
    fn only_the_last_entry_counts() {
        let mut headers = HeaderMap::new();
        assert_eq!(forwarded(&headers), None);
        headers.insert("x-forwarded-for", "10.0.0.1, 192.0.2.7".parse().unwrap());
        assert_eq!(forwarded(&headers), "192.0.2.7".parse().ok());
        headers.append("x-forwarded-for", "nobody".parse().unwrap());
        assert_eq!(forwarded(&headers), None);
    }
}

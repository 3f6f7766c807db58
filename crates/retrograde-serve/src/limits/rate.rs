//! Bounds the requests a second of each client.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName};
use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};

/// The address at the other end of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub IpAddr);

/// Clients remembered; beyond this number, idle ones are forgotten.
const MANY: usize = 1 << 16;

/// Counts the requests of each client. Two seconds' worth may come at once.
pub(crate) struct RateLimit {
    limiter: RateLimiter<IpAddr, DefaultKeyedStateStore<IpAddr>, DefaultClock>,
    clock: DefaultClock,
}

impl RateLimit {
    pub fn new(per_second: NonZeroU32) -> RateLimit {
        let quota = Quota::per_second(per_second)
            .allow_burst(per_second.saturating_mul(NonZeroU32::MIN.saturating_add(1)));
        RateLimit { limiter: RateLimiter::keyed(quota), clock: DefaultClock::default() }
    }

    /// Admits a request, or says how long the client has to wait.
    pub fn check(&self, client: IpAddr) -> Result<(), Duration> {
        let not_until = match self.limiter.check_key(&neighbourhood(client)) {
            Ok(_) => return Ok(()),
            Err(not_until) => not_until,
        };
        Err(not_until.wait_time_from(self.clock.now()))
    }

    /// Forgets idle clients if there are many.
    pub fn forget(&self) {
        if self.limiter.len() > MANY {
            self.limiter.retain_recent();
        }
    }
}

/// The unit that is limited: an IPv4 address or an IPv6 /64 network, since one client owns all of
/// it.
fn neighbourhood(client: IpAddr) -> IpAddr {
    match client.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address => address,
    }
}

/// The client as our proxy names it: the last entry of `X-Forwarded-For`. The client may have
/// written the others.
pub(crate) fn forwarded(headers: &HeaderMap) -> Option<IpAddr> {
    const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-for");
    let last = headers.get_all(FORWARDED).iter().next_back()?.to_str().ok()?;
    last.rsplit(',').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_share_their_rate() {
        let rate = RateLimit::new(NonZeroU32::MIN);
        let at = |text: &str| rate.check(text.parse().unwrap()).is_ok();
        assert!(at("2001:db8::1") && at("2001:db8::2") && !at("2001:db8::3") && at("2001:db9::3"));
        assert!(at("192.0.2.1") && at("::ffff:192.0.2.1") && !at("192.0.2.1") && at("192.0.2.2"));
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

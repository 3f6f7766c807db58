//! Limits the requests per second of each client.

use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};

use super::client::Client;

/// The number of remembered clients; beyond it, idle ones are forgotten.
const MAX_CLIENTS: usize = 1 << 16;

/// Counts the requests of each client. Allows bursts of two seconds' worth.
pub(crate) struct RateLimit {
    limiter: RateLimiter<Client, DefaultKeyedStateStore<Client>, DefaultClock>,
    clock: DefaultClock,
}

impl RateLimit {
    pub fn new(per_second: NonZeroU32) -> RateLimit {
        let quota = Quota::per_second(per_second)
            .allow_burst(per_second.saturating_mul(NonZeroU32::MIN.saturating_add(1)));
        RateLimit { limiter: RateLimiter::keyed(quota), clock: DefaultClock::default() }
    }

    /// Admits a request, or returns how long the client has to wait.
    pub fn check(&self, client: Client) -> Result<(), Duration> {
        let not_until = match self.limiter.check_key(&client) {
            Ok(_) => return Ok(()),
            Err(not_until) => not_until,
        };
        Err(not_until.wait_time_from(self.clock.now()))
    }

    /// Forgets idle clients if there are many.
    pub fn forget(&self) {
        if self.limiter.len() > MAX_CLIENTS {
            self.limiter.retain_recent();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_client_has_its_own_rate() {
        let rate = RateLimit::new(NonZeroU32::MIN);
        let at = |text: &str| rate.check(Client::of(text.parse().unwrap())).is_ok();
        assert!(at("192.0.2.1") && at("192.0.2.1") && !at("192.0.2.1") && at("192.0.2.2"));
    }
}

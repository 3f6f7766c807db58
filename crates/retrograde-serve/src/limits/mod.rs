//! Limits for untrusted clients: requests per second, the total work and each client's share of it, and
//! bytes in flight.

pub(crate) mod client;
pub(crate) mod flight;
pub(crate) mod pool;
pub(crate) mod rate;
pub(crate) mod shares;
pub(crate) mod tally;

//! Bounds on what strangers may ask: requests a second of one client, the work of all questions
//! together and each client's share of it, and bytes that are under way.

pub(crate) mod client;
pub(crate) mod flight;
pub(crate) mod pool;
pub(crate) mod rate;
pub(crate) mod shares;

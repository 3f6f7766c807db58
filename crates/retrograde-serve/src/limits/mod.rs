//! Bounds on what strangers may ask: requests a second of one client, and the work of all questions
//! together.

pub(crate) mod pool;
pub(crate) mod rate;

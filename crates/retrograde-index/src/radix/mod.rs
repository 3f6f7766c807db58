//! Numbers of several sets in mixed radix, and the blocks of arrangements with the same counts.

pub(crate) mod block_ranges;
pub(crate) mod digits;
pub(crate) mod divisor;

//! The packets of a round. The engine handles one packet instead of thousands of messages.

use serde::{Deserialize, Serialize};

/// A piece of a solver, or the tally of its sender.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Packet {
    pub to: u32,
    pub from: u32,
    pub round: u64,
    pub is_tally: bool,
    pub tag: u64,
    /// Copied as a whole. By default, `serde` would serialise them one by one.
    #[serde(with = "serde_bytes")]
    pub bytes: Vec<u8>,
}

//! The manifest of a checkpoint lists the shards that together form a complete state. It is a sealed
//! file (see `sealed_json.rs` in `retrograde-table`).

use serde::{Deserialize, Serialize};

/// The format version of manifests.
pub(crate) const VERSION: u32 = 4;
/// The name of the file.
pub(crate) const MANIFEST: &str = "manifest.json";

/// A complete state of a solve.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    pub format: u32,
    pub identity: String,
    pub stage: u64,
    pub sequence: u64,
    pub score_bytes: u8,
    /// The number of positions in all shards.
    pub count: u64,
    pub shards: Vec<ShardFile>,
}

/// The shard of one process.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub(crate) struct ShardFile {
    pub file: String,
    pub bytes: u64,
    pub seal: String,
}

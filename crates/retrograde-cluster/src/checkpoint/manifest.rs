//! The manifest of a checkpoint: it names the shards that together are one whole state. It is a
//! sealed file (see `sealed_json.rs` of `retrograde-table`).
//!
//! A checkpoint of what occurs has the same manifest: its count is that of the keys, it has blocks of
//! one and scores of two bytes, and its shards have [pieces of their own](super::occurring_shard).

use serde::{Deserialize, Serialize};

/// The version of the format of manifests and shards.
pub(crate) const VERSION: u32 = 2;
/// The name of the file.
pub(crate) const MANIFEST: &str = "manifest.json";

/// A whole state of a solve.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    pub format: u32,
    pub identity: String,
    pub stage: u64,
    pub sequence: u64,
    pub score_bytes: u8,
    pub counter_bytes: u8,
    /// The partition of the indices: their number, the size of blocks, and the threads of every
    /// process.
    pub count: u64,
    pub block_bits: u32,
    pub threads: Vec<u32>,
    pub shards: Vec<ShardFile>,
}

/// The file of one process.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub(crate) struct ShardFile {
    pub file: String,
    pub bytes: u64,
    pub seal: String,
}

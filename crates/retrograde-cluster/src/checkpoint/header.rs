//! The header of a shard, which says of what it is; [`super::shard`] describes it.

use super::manifest::{Manifest, VERSION};

const MAGIC: &[u8; 8] = b"\x89RGC\r\n\x1a\n";
/// The header of a process's shard.
pub(crate) fn header(manifest: &Manifest, process: u32, places: u64) -> Vec<u8> {
    let mut header = Vec::new();
    header.extend_from_slice(MAGIC);
    header.extend_from_slice(&VERSION.to_le_bytes());
    header.extend_from_slice(&(manifest.identity.len() as u32).to_le_bytes());
    header.extend_from_slice(&manifest.stage.to_le_bytes());
    header.extend_from_slice(&manifest.sequence.to_le_bytes());
    header.extend_from_slice(&process.to_le_bytes());
    header.extend_from_slice(&[manifest.score_bytes, manifest.counter_bytes, 0, 0]);
    header.extend_from_slice(&places.to_le_bytes());
    header.extend_from_slice(manifest.identity.as_bytes());
    header
}

/// The number of places that a header tells.
pub(crate) fn places_of_header(header: &[u8]) -> Option<u64> {
    header.get(40..)?.first_chunk::<8>().map(|places| u64::from_le_bytes(*places))
}

//! Reads the sidecar files of a solution: small sealed files with more information (see
//! `sealed_json.rs` of `retrograde-table`). No value of a position depends on them. A file that is
//! damaged or inconsistent is ignored with a note.

use std::path::Path;

use retrograde_table::{Storage, read_sealed};
use serde::de::DeserializeOwned;

/// Reads a file; `None` if it is missing or damaged.
pub(crate) fn read<T: DeserializeOwned>(
    path: &Path,
    storage: &dyn Storage,
    notes: &mut Vec<String>,
) -> Option<T> {
    read_sealed(storage, path).unwrap_or_else(|error| {
        notes.push(format!("{error}; it is ignored"));
        None
    })
}

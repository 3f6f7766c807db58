//! Reads and writes the sidecar files of a solution: small sealed files with more information (see
//! `sealed_json.rs` of `retrograde-table`). No value of a position depends on them. A file that is
//! damaged or inconsistent is ignored with a note.

use std::io;
use std::path::Path;

use retrograde_table::{Storage, read_sealed, write_sealed};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Writes a file atomically.
pub(crate) fn write(
    directory: &Path,
    storage: &dyn Storage,
    file: &str,
    value: &impl Serialize,
) -> io::Result<()> {
    Ok(write_sealed(storage, &directory.join(file), value)?)
}

/// Reads a file; `None` if it is missing or cannot be used. `fault` describes inconsistent numbers.
pub(crate) fn read<T: DeserializeOwned>(
    directory: &Path,
    storage: &dyn Storage,
    file: &str,
    fault: impl Fn(&T) -> Option<String>,
    notes: &mut Vec<String>,
) -> Option<T> {
    let path = directory.join(file);
    let value = match read_sealed(storage, &path) {
        Ok(found) => found?,
        Err(error) => {
            notes.push(format!("{error}; it is ignored"));
            return None;
        }
    };
    if let Some(fault) = fault(&value) {
        notes.push(format!("{} is damaged: {fault}; it is ignored", path.display()));
        return None;
    }
    Some(value)
}

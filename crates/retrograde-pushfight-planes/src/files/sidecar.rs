//! Small files beside a solution with more information, sealed (see `sealed_json.rs` of
//! `retrograde-table`). No value of a position depends on them.
//! A file that is damaged, or whose numbers do not add up, counts as none, and a note names it.

use std::io;
use std::path::Path;

use retrograde_table::{Storage, read_sealed, write_sealed};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Writes a file, whole or not at all.
pub(crate) fn write(
    directory: &Path,
    storage: &dyn Storage,
    file: &str,
    value: &impl Serialize,
) -> io::Result<()> {
    Ok(write_sealed(storage, &directory.join(file), value)?)
}

/// Reads a file; `None` if there is none that can be used. `fault` says where its numbers do not
/// add up.
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
            notes.push(format!("{error}; it is left aside"));
            return None;
        }
    };
    if let Some(fault) = fault(&value) {
        notes.push(format!("{} is damaged: {fault}; it is left aside", path.display()));
        return None;
    }
    Some(value)
}

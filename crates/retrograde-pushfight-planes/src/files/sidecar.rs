//! Small files beside a solution with more information, sealed (see `sealed_json.rs` of
//! `retrograde-table`). No value of a position depends on them.
//!
//! History: until version 0.1.0 they had no checksum. Such files are still read, since what they
//! say takes as long as a solve to find again: their numbers must add up, and a note says that
//! nothing else vouches for them. Whatever writes one anew seals it. A file that is damaged, or whose
//! numbers do not add up, counts as none, and a note names it.

use std::io;
use std::path::Path;

use retrograde_table::{SealedJson, Storage, read_sealed, write_sealed};
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
    let (value, sealed) = match read_sealed(storage, &path) {
        Ok(None) => return None,
        Ok(Some(SealedJson::Sealed(value))) => (value, true),
        Ok(Some(SealedJson::Unsealed(value))) => (value, false),
        Err(error) => {
            notes.push(format!("{error}; it is left aside"));
            return None;
        }
    };
    if let Some(fault) = fault(&value) {
        notes.push(format!("{} is damaged: {fault}; it is left aside", path.display()));
        return None;
    }
    if !sealed {
        notes.push(format!(
            "{} is of an earlier version and has no checksum: its numbers add up, but are unchecked otherwise",
            path.display()
        ));
    }
    Some(value)
}

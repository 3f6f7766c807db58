//! Small JSON files beside a solution with more information. Nothing depends on them.

use std::io;
use std::path::Path;

use retrograde_table::{Storage, TableError, read_up_to, write_all};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// No such file is longer.
const MAX_BYTES: u64 = 1 << 20;

/// Writes a file, whole or not at all.
pub(crate) fn write(
    directory: &Path,
    storage: &dyn Storage,
    file: &str,
    value: &impl Serialize,
) -> io::Result<()> {
    let (path, unfinished) = (directory.join(file), directory.join(format!("{file}.tmp")));
    let write = || {
        let mut sink = storage.create(&unfinished)?;
        write_all(&mut *sink, &serde_json::to_vec(value).map_err(io::Error::other)?)?;
        sink.sync()?;
        storage.rename(&unfinished, &path)
    };
    write().map_err(|error| TableError::io("write", &path, error).into())
}

/// Reads a file, if it exists and is valid.
pub(crate) fn read<T: DeserializeOwned>(directory: &Path, storage: &dyn Storage, file: &str) -> Option<T> {
    let source = storage.open(&directory.join(file)).ok()?;
    let mut bytes = vec![0; source.length().ok().filter(|&length| length <= MAX_BYTES)? as usize];
    let read = read_up_to(&*source, &mut bytes, 0).ok()?;
    serde_json::from_slice(&bytes[..read]).ok()
}

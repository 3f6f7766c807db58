//! `run.json`: the duration of a solve. The file is sealed and lies in the directory of the table.
//!
//! All other files depend only on the game and its values, so equal values give equal digests. No
//! value depends on this file: sites omit it, and a table is complete without it.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::directory::files::RUN;
use crate::error::TableError;
use crate::format::sealed_json::{read_sealed, write_sealed};
use crate::storage::Storage;

/// The runs that produced the files in a directory.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Runs {
    runs: Vec<Run>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    /// The stamp of the result: its kind and a checksum, as in `table 3f…`.
    of: String,
    /// The version of the program.
    program: String,
    seconds: f64,
}

/// The kind in a stamp.
fn kind(stamp: &str) -> Option<&str> {
    stamp.split(' ').next()
}

/// The seconds that it took to produce the result with this stamp, if recorded.
///
/// # Errors
/// If the file is damaged or cannot be read.
pub fn read_seconds(storage: &dyn Storage, directory: &Path, stamp: &str) -> Result<Option<f64>, TableError> {
    let runs: Option<Runs> = read_sealed(storage, &directory.join(RUN))?;
    let runs = runs.unwrap_or_default().runs;
    Ok(runs.iter().find(|run| run.of == stamp).map(|run| run.seconds))
}

/// Records the seconds that it took to produce the result with this stamp. Replaces the entry of
/// the same kind. The caller must hold the lock of the directory.
///
/// # Errors
/// An error of the system.
pub fn write_seconds(
    storage: &dyn Storage,
    directory: &Path,
    stamp: &str,
    seconds: f64,
) -> Result<(), TableError> {
    let path = directory.join(RUN);
    // A damaged file is replaced.
    let mut runs: Runs = read_sealed(storage, &path).ok().flatten().unwrap_or_default();
    runs.runs.retain(|run| kind(&run.of) != kind(stamp));
    let program = env!("CARGO_PKG_VERSION").to_owned();
    runs.runs.push(Run { of: stamp.to_owned(), program, seconds });
    write_sealed(storage, &path, &runs)
}

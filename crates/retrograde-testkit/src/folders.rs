//! Temporary folders for tests.

use std::io;
use std::path::PathBuf;

pub use tempfile::TempDir;

/// A new temporary folder in Cargo's target directory, so that tests write nowhere else.
///
/// Dropping it removes the folder.
///
/// # Errors
///
/// The folder cannot be created.
pub fn tempdir() -> io::Result<TempDir> {
    let folder = target_tmp()?;
    std::fs::create_dir_all(&folder)?;
    TempDir::new_in(folder)
}

/// The folder `target/tmp`. The test program is `target/<profile>/deps/<name>`, or one level higher.
fn target_tmp() -> io::Result<PathBuf> {
    let program = std::env::current_exe()?;
    // Cargo creates this file in every target directory.
    let target = program.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file());
    target.map(|folder| folder.join("tmp")).ok_or_else(|| {
        io::Error::new(io::ErrorKind::NotFound, format!("{} is not in a target directory", program.display()))
    })
}

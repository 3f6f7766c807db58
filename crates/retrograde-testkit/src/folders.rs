//! Temporary folders for tests, and generated files of the documentation.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

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

/// The files below a folder with their bytes, by names such as `game/values.rgt`.
///
/// # Panics
/// If one cannot be read.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        let (path, name) = (entry.path(), entry.file_name().into_string().expect("a plain name"));
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            found.insert(name, std::fs::read(path).expect("a readable file"));
        }
    }
    found
}

/// Writes [`files`] below a folder.
///
/// # Panics
/// If one cannot be written.
pub fn write_files(folder: &Path, files: &BTreeMap<String, Vec<u8>>) {
    for (name, bytes) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(folder)).expect("a folder");
        std::fs::write(path, bytes).expect("a writable file");
    }
}

/// Compares a file of `docs/` with its generated text, which may depend on the old one. `UPDATE_DOCS=1`
/// rewrites it.
///
/// # Panics
/// If it differs, or cannot be read or written.
pub fn compare_document(file: &str, wanted: impl FnOnce(&str) -> String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(file);
    let written = std::fs::read_to_string(&path).expect("a readable file");
    let wanted = wanted(&written);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, wanted).expect("a writable file");
        return;
    }
    assert!(
        written == wanted,
        "docs/{file} is out of date: run this test with UPDATE_DOCS=1, and for openapi.json `npm run types` in web/"
    );
}

//! Opens regular files only, whatever has the name of a table's file.
//!
//! Opening a pipe waits until its other end is opened, and reading a device may never end. Without
//! this check, a single `mkfifo manifest.json` would block every command that reads the table.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a file without blocking. Rejects pipes, devices, sockets and folders. `how` should not
/// truncate, because the type is checked after opening.
///
/// # Errors
/// An error of the system, or one that names the type of what is there instead.
pub fn open_regular(path: &Path, how: &OpenOptions) -> io::Result<File> {
    let file = without_waiting(how).open(path).map_err(|error| match std::fs::metadata(path) {
        // Opening a pipe without a reader for writing fails with a different error.
        Ok(data) if !data.is_file() => refused(data.file_type()),
        _ => error,
    })?;
    match file.metadata()?.file_type() {
        kind if kind.is_file() => Ok(file),
        kind => Err(refused(kind)),
    }
}

#[cfg(unix)]
fn without_waiting(how: &OpenOptions) -> OpenOptions {
    let mut how = how.clone();
    // This has no effect on regular files.
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut how, rustix::fs::OFlags::NONBLOCK.bits() as i32);
    how
}

#[cfg(not(unix))]
fn without_waiting(how: &OpenOptions) -> OpenOptions {
    how.clone()
}

/// The error for something that is not a regular file.
fn refused(kind: std::fs::FileType) -> io::Error {
    if kind.is_dir() {
        return io::ErrorKind::IsADirectory.into();
    }
    let what = what_it_is(kind);
    io::Error::new(io::ErrorKind::InvalidInput, format!("it is {what} where a file should be"))
}

#[cfg(unix)]
fn what_it_is(kind: std::fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        kind if kind.is_fifo() => "a pipe",
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn what_it_is(_kind: std::fs::FileType) -> &'static str {
    "something else"
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn only_regular_files_are_opened() {
        let folder = retrograde_testkit::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        assert!(Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
        std::os::unix::fs::symlink("pipe", path("link")).unwrap();
        std::fs::write(path("file"), "text").unwrap();
        std::os::unix::fs::symlink("file", path("right")).unwrap();
        let read = |name: &str| open_regular(&path(name), OpenOptions::new().read(true));
        let write = |name: &str| open_regular(&path(name), OpenOptions::new().write(true).create(true));
        for name in ["pipe", "link"] {
            assert_eq!(read(name).unwrap_err().to_string(), "it is a pipe where a file should be");
            assert_eq!(write(name).unwrap_err().to_string(), "it is a pipe where a file should be");
        }
        assert_eq!(read("/dev/zero").unwrap_err().to_string(), "it is a device where a file should be");
        assert_eq!(read(".").unwrap_err().kind(), io::ErrorKind::IsADirectory);
        assert_eq!(read("none").unwrap_err().kind(), io::ErrorKind::NotFound);
        assert_eq!(io::read_to_string(read("right").unwrap()).unwrap(), "text");
        assert!(write("new").unwrap().metadata().unwrap().is_file());
    }
}

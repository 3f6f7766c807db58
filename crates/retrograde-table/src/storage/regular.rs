//! Opens the files of tables, and nothing that only bears their names.
//!
//! Opening a pipe waits until somebody opens its other end, and reading a device may never end. So
//! one `mkfifo manifest.json` would stop every command that looks at the table.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a file without waiting; a pipe, a device, a socket or a folder is refused. `how` should not
/// truncate, since the file is looked at after it was opened.
///
/// # Errors
/// An error of the system, or one that says what stands in the place of the file.
pub fn open_regular(path: &Path, how: &OpenOptions) -> io::Result<File> {
    let file = without_waiting(how).open(path).map_err(|error| match std::fs::metadata(path) {
        // Writing to a pipe that nobody reads fails with an error of its own.
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
    // For regular files this changes nothing.
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut how, rustix::fs::OFlags::NONBLOCK.bits() as i32);
    how
}

#[cfg(not(unix))]
fn without_waiting(how: &OpenOptions) -> OpenOptions {
    how.clone()
}

/// The error about something that is no regular file.
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
    fn only_files_are_opened() {
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

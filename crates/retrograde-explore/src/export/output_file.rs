//! Files that people name with `--out`: whole or not at all, links followed, and straight into what is
//! no regular file.
//!
//! A regular file is written under a temporary name and gets its own name when it is whole. A pipe or
//! a device cannot be replaced by a file: it is what its user wants to write to, so bytes go straight
//! there.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use retrograde_game::system_reason;

use super::temporary::Temporary;

/// The most links from one name to the next, as in Linux.
const MAX_LINKS: usize = 40;
const BUFFER: usize = 1 << 18;

/// A file being written. Dropped before [`OutputFile::finish`], a regular file is as it was before.
pub struct OutputFile {
    destination: Option<Destination>,
    /// The name that its user gave.
    path: PathBuf,
}

/// Where the bytes go.
enum Destination {
    /// A new file, which gets its name at the end.
    New { file: BufWriter<File>, temporary: Temporary, name: PathBuf },
    /// A pipe or a device.
    Through(BufWriter<File>),
    /// The standard output of this process.
    StandardOutput(BufWriter<io::Stdout>),
}

/// Whether files that exist are kept.
static KEEP_EXISTING: AtomicBool = AtomicBool::new(false);

/// Sets whether [`OutputFile::create`] refuses to replace a file that exists. It does not at first.
pub fn keep_existing_files(keep: bool) {
    KEEP_EXISTING.store(keep, Ordering::Relaxed);
}

/// Refuses the name of a file that exists, if [such files are kept](keep_existing_files). An empty file
/// has nothing to lose, and what is not a file is not replaced.
///
/// # Errors
/// Names the file.
pub fn refuse_existing(path: &Path) -> io::Result<()> {
    let exists = || fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() > 0);
    if KEEP_EXISTING.load(Ordering::Relaxed) && !is_standard_output(path) && exists() {
        let text = format!("“{}” exists already; --force replaces it", path.display());
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
    }
    Ok(())
}

/// Whether a path is the standard output of this process. If it goes to a file, that file is not
/// replaced, since others may write to it too.
pub fn is_standard_output(path: &Path) -> bool {
    ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == Path::new(name))
}

/// Whether bytes go straight to what has this name: a pipe, a device, standard output.
pub(super) fn is_stream(path: &Path) -> bool {
    is_standard_output(path) || fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir())
}

/// The file that a path means: links are followed, also those to files that do not exist yet.
pub(super) fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            // It is no link, or it does not exist.
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many links lead from one to the next"))
}

/// The system's error about a file, in plain words.
pub fn reason(path: &Path, error: &io::Error) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match (error.kind(), folder) {
        (io::ErrorKind::NotFound, Some(folder)) if !folder.exists() => {
            format!("there is no folder “{}”", folder.display())
        }
        _ => system_reason(error),
    }
}

/// Names the file in an error. Where the reader of standard output has gone, the kind says so; a pipe
/// that was named must not be left half written without an error.
pub(super) fn named(path: &Path, error: &io::Error) -> io::Error {
    let kind = match error.kind() {
        io::ErrorKind::BrokenPipe if !is_standard_output(path) => io::ErrorKind::Other,
        kind => kind,
    };
    io::Error::new(kind, format!("cannot write “{}”: {}", path.display(), reason(path, error)))
}

impl Destination {
    fn open(path: &Path) -> io::Result<Destination> {
        if is_standard_output(path) {
            return Ok(Destination::StandardOutput(BufWriter::with_capacity(BUFFER, io::stdout())));
        }
        match fs::metadata(path) {
            Ok(data) if data.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(data) if !data.is_file() => {
                let file = OpenOptions::new().write(true).open(path)?;
                return Ok(Destination::Through(BufWriter::with_capacity(BUFFER, file)));
            }
            _ => {}
        }
        let name = behind_links(path)?;
        name.file_name().ok_or_else(|| io::Error::other("it names no file"))?;
        let (temporary, file) = Temporary::file(&name)?;
        Ok(Destination::New { file: BufWriter::with_capacity(BUFFER, file), temporary, name })
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Destination::New { file, .. } | Destination::Through(file) => file,
            Destination::StandardOutput(out) => out,
        }
    }
}

impl OutputFile {
    /// Begins to write a file. Opening a pipe waits for its reader.
    ///
    /// # Errors
    /// As [`refuse_existing`]; an error of the system that names the file.
    pub fn create(path: &Path) -> io::Result<OutputFile> {
        refuse_existing(path)?;
        OutputFile::replace(path)
    }

    /// The same, also where existing files are kept.
    ///
    /// # Errors
    /// An error of the system that names the file.
    pub fn replace(path: &Path) -> io::Result<OutputFile> {
        let destination = Destination::open(path).map_err(|error| named(path, &error))?;
        Ok(OutputFile { destination: Some(destination), path: path.to_owned() })
    }

    /// Writes a whole file.
    ///
    /// # Errors
    /// As [`OutputFile::create`].
    pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
        OutputFile::create(path)?.end_with(bytes)
    }

    /// Writes the last bytes of the file, and ends it.
    ///
    /// # Errors
    /// An error of the system that names the file.
    pub fn end_with(mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)?;
        self.finish()?;
        Ok(())
    }

    /// Ends the file, and gives it its name. Says by which name its user knows it.
    ///
    /// # Errors
    /// An error of the system that names the file.
    ///
    /// # Panics
    /// If it was finished before.
    pub fn finish(mut self) -> io::Result<PathBuf> {
        let destination = self.destination.take().expect("a file is finished once");
        let finished = match destination {
            Destination::StandardOutput(mut out) => out.flush(),
            Destination::Through(mut file) => file.flush(),
            Destination::New { file, temporary, name } => {
                let written = file.into_inner().map_err(io::IntoInnerError::into_error);
                let written = written.and_then(|file| file.sync_all());
                written.and_then(|()| temporary.rename(&name))
            }
        };
        finished.map_err(|error| named(&self.path, &error))?;
        Ok(std::mem::take(&mut self.path))
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let destination = self.destination.as_mut().expect("a file is not written after its end");
        destination.writer().write(bytes).map_err(|error| named(&self.path, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let destination = self.destination.as_mut().expect("a file is not written after its end");
        destination.writer().flush().map_err(|error| named(&self.path, &error))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, symlink};
    use std::process::Command;

    #[test]
    fn links_lead_to_the_file_that_is_replaced() {
        let folder = retrograde_testkit::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("inner")).unwrap();
        fs::write(path("inner/file"), "old").unwrap();
        symlink("inner/file", path("link")).unwrap();
        symlink("link", path("far")).unwrap();
        symlink("inner/new", path("early")).unwrap();
        symlink("loop", path("loop")).unwrap();
        OutputFile::write_whole(&path("far"), b"new").unwrap();
        OutputFile::write_whole(&path("early"), b"made").unwrap();
        assert!(fs::symlink_metadata(path("far")).unwrap().is_symlink());
        assert!(fs::symlink_metadata(path("link")).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(path("inner/file")).unwrap(), "new");
        assert_eq!(fs::read_to_string(path("inner/new")).unwrap(), "made");
        let error = OutputFile::write_whole(&path("loop"), b"").unwrap_err().to_string();
        assert!(error.contains("loop") && error.contains("links"), "{error}");
        let error = OutputFile::write_whole(&path("inner"), b"").unwrap_err().to_string();
        assert!(error.ends_with("it is a folder"), "{error}");
        assert_eq!(fs::read_dir(path("inner")).unwrap().count(), 2, "something was left behind");
    }

    #[test]
    fn pipes_and_devices_are_written_to() {
        let folder = retrograde_testkit::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let there = pipe.clone();
        let reader = std::thread::spawn(move || fs::read_to_string(there).unwrap());
        OutputFile::write_whole(&pipe, b"through").unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        OutputFile::write_whole(Path::new("/dev/null"), b"gone").unwrap();
        if Path::new("/dev/full").exists() {
            let error = OutputFile::write_whole(Path::new("/dev/full"), b"x").unwrap_err().to_string();
            assert_eq!(error, "cannot write “/dev/full”: the disk is full");
        }
        // A reader that goes early leaves an error, and none that passes for a closed terminal.
        let there = pipe.clone();
        let reader = std::thread::spawn(move || drop(File::open(there).unwrap()));
        let mut file = OutputFile::create(&pipe).unwrap();
        reader.join().unwrap();
        let error = file.write_all(&vec![0; 1 << 20]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::Other);
        assert!(error.to_string().contains("nobody reads it any more"), "{error}");
    }
}

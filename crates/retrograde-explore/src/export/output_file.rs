//! Files that users name with `--out`. They are written completely or not at all, links are followed, and
//! bytes go straight to anything that is not a regular file.
//!
//! A regular file is written under a temporary name and renamed when it is complete. A pipe or a device must
//! not be replaced by a file, so bytes go straight to it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use retrograde_game::system_reason;

use super::temporary::Temporary;

/// The longest chain of links, as in Linux.
const MAX_LINKS: usize = 40;
const BUFFER: usize = 1 << 18;

/// A file being written. Dropping it before [`OutputFile::finish`] leaves a regular file as it was.
pub struct OutputFile {
    out: BufWriter<Box<dyn Write + Send>>,
    /// A regular file, which gets its final name at the end.
    new: Option<(File, Temporary, PathBuf)>,
    /// The name that the user gave.
    path: PathBuf,
}

/// Whether existing files are kept.
static KEEP_EXISTING: AtomicBool = AtomicBool::new(false);

/// Sets whether [`OutputFile::create`] refuses to replace existing files. By default it replaces them.
pub fn keep_existing_files(keep: bool) {
    KEEP_EXISTING.store(keep, Ordering::Relaxed);
}

/// Refuses the name of an existing file if [existing files are kept](keep_existing_files). Empty files and
/// anything that is not a regular file are accepted.
///
/// # Errors
/// Names the file.
pub fn reject_existing(path: &Path) -> io::Result<()> {
    let exists = || fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() > 0);
    if KEEP_EXISTING.load(Ordering::Relaxed) && !is_standard_output(path) && exists() {
        let text = format!("“{}” already exists; --force overwrites it", path.display());
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
    }
    Ok(())
}

/// Whether a path is the standard output of this process. If standard output is a file, it is not replaced,
/// since others may write to it too.
pub fn is_standard_output(path: &Path) -> bool {
    ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == Path::new(name))
}

/// Whether bytes go straight to this path: a pipe, a device or standard output.
pub(super) fn is_stream(path: &Path) -> bool {
    is_standard_output(path) || fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir())
}

/// The file that a path refers to. Links are followed, including links to files that do not exist yet.
pub(super) fn resolve_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            // It is not a link, or it does not exist.
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("the chain of links is too long"))
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

/// Adds the file name to an error. The kind stays `BrokenPipe` if the reader of standard output has gone, but
/// not for a named pipe, so that a half-written one is always reported.
pub(super) fn named(path: &Path, error: &io::Error) -> io::Error {
    let kind = match error.kind() {
        io::ErrorKind::BrokenPipe if !is_standard_output(path) => io::ErrorKind::Other,
        kind => kind,
    };
    io::Error::new(kind, format!("cannot write “{}”: {}", path.display(), reason(path, error)))
}

/// Opens the place that the bytes go to.
fn open(path: &Path) -> io::Result<OutputFile> {
    let output = |out: Box<dyn Write + Send>, new| {
        Ok(OutputFile { out: BufWriter::with_capacity(BUFFER, out), new, path: path.to_owned() })
    };
    if is_standard_output(path) {
        return output(Box::new(io::stdout()), None);
    }
    match fs::metadata(path) {
        Ok(data) if data.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(data) if !data.is_file() => {
            return output(Box::new(OpenOptions::new().write(true).open(path)?), None);
        }
        _ => {}
    }
    let name = resolve_links(path)?;
    name.file_name().ok_or_else(|| io::Error::other("it is not the name of a file"))?;
    let (temporary, file) = Temporary::file(&name)?;
    output(Box::new(file.try_clone()?), Some((file, temporary, name)))
}

impl OutputFile {
    /// Creates a file. Opening a pipe waits for its reader.
    ///
    /// # Errors
    /// The errors of [`reject_existing`], or an error of the system with the name of the file.
    pub fn create(path: &Path) -> io::Result<OutputFile> {
        reject_existing(path)?;
        OutputFile::replace(path)
    }

    /// Like [`create`](Self::create), but replaces existing files in any case.
    ///
    /// # Errors
    /// An error of the system with the name of the file.
    pub fn replace(path: &Path) -> io::Result<OutputFile> {
        open(path).map_err(|error| named(path, &error))
    }

    /// Writes the last bytes of the file and finishes it.
    ///
    /// # Errors
    /// An error of the system with the name of the file.
    pub fn end_with(mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)?;
        self.finish()?;
        Ok(())
    }

    /// Finishes the file and renames it. Returns the name that the user gave.
    ///
    /// # Errors
    /// An error of the system with the name of the file.
    pub fn finish(mut self) -> io::Result<PathBuf> {
        let finished = self.out.flush().and_then(|()| match self.new {
            Some((file, temporary, name)) => file.sync_all().and_then(|()| temporary.rename(&name)),
            None => Ok(()),
        });
        finished.map_err(|error| named(&self.path, &error))?;
        Ok(self.path)
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes).map_err(|error| named(&self.path, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().map_err(|error| named(&self.path, &error))
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
        OutputFile::create(&path("far")).and_then(|out| out.end_with(b"new")).unwrap();
        OutputFile::create(&path("early")).and_then(|out| out.end_with(b"made")).unwrap();
        assert!(fs::symlink_metadata(path("far")).unwrap().is_symlink());
        assert!(fs::symlink_metadata(path("link")).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(path("inner/file")).unwrap(), "new");
        assert_eq!(fs::read_to_string(path("inner/new")).unwrap(), "made");
        let error =
            OutputFile::create(&path("loop")).and_then(|out| out.end_with(b"")).unwrap_err().to_string();
        assert!(error.contains("loop") && error.contains("links"), "{error}");
        let error =
            OutputFile::create(&path("inner")).and_then(|out| out.end_with(b"")).unwrap_err().to_string();
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
        OutputFile::create(&pipe).and_then(|out| out.end_with(b"through")).unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        OutputFile::create(Path::new("/dev/null")).and_then(|out| out.end_with(b"gone")).unwrap();
        if Path::new("/dev/full").exists() {
            let error = OutputFile::create(Path::new("/dev/full"))
                .and_then(|out| out.end_with(b"x"))
                .unwrap_err()
                .to_string();
            assert_eq!(error, "cannot write “/dev/full”: the disk is full");
        }
        // A reader that closes the pipe early causes an error, which is not mistaken for a closed terminal.
        let there = pipe.clone();
        let reader = std::thread::spawn(move || drop(File::open(there).unwrap()));
        let mut file = OutputFile::create(&pipe).unwrap();
        reader.join().unwrap();
        let error = file.write_all(&vec![0; 1 << 20]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::Other);
        assert!(error.to_string().contains("its reader has closed it"), "{error}");
    }
}

//! A file under a temporary name that gets its own name only when it is whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The file; dropped before [`UnfinishedFile::finish`] it disappears.
pub(super) struct UnfinishedFile {
    file: Option<BufWriter<File>>,
    temporary: PathBuf,
    path: PathBuf,
}

pub(super) fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write “{}”: {error}", path.display()))
}

impl UnfinishedFile {
    pub(super) fn create(path: &Path) -> io::Result<UnfinishedFile> {
        let name = path.file_name().ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, format!("“{}” names no file", path.display()))
        })?;
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.partial", std::process::id()));
        let temporary = path.with_file_name(hidden);
        let file = File::create(&temporary).map_err(|error| named(path, &error))?;
        Ok(UnfinishedFile {
            file: Some(BufWriter::with_capacity(1 << 18, file)),
            temporary,
            path: path.to_owned(),
        })
    }

    pub(super) fn finish(mut self) -> io::Result<PathBuf> {
        let path = self.path.clone();
        let failed = |error: io::Error| named(&path, &error);
        let buffered = self.file.take().expect("a part is finished once");
        let file = buffered.into_inner().map_err(|error| failed(error.into_error()))?;
        file.sync_all().map_err(failed)?;
        drop(file);
        fs::rename(&self.temporary, &path).map_err(failed)?;
        Ok(path)
    }
}

impl Write for UnfinishedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let file = self.file.as_mut().expect("a part is not written after its end");
        file.write(bytes).map_err(|error| named(&self.path, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let file = self.file.as_mut().expect("a part is not written after its end");
        file.flush().map_err(|error| named(&self.path, &error))
    }
}

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        self.file = None;
        // After `finish` the temporary name is gone; before it, a file that cannot be removed harms
        // nobody.
        let _ = fs::remove_file(&self.temporary);
    }
}

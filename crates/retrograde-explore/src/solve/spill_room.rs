//! Files of a solve that leave space on the disk. The number of reachable positions is not known in
//! advance, so a plan cannot reject solves that are too large. Without this limit they would fill
//! the disk, which would affect every other program.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use retrograde_solve::reachable::Spill;

/// The number of bytes to leave free.
pub(crate) const RESERVE: u64 = 1 << 30;
/// The number of bytes between two checks of the disk.
const CHECK_EVERY: usize = 1 << 24;

/// Files in a folder that are written only while its disk has enough free space.
pub(crate) struct WithRoom {
    pub files: Box<dyn Spill>,
    pub folder: PathBuf,
    /// The number of bytes that can be written to a folder, if the system reports it.
    pub free: fn(&Path) -> Option<u64>,
}

impl WithRoom {
    fn check(&self) -> io::Result<()> {
        match (self.free)(&self.folder) {
            Some(free) if free < RESERVE => Err(io::Error::new(
                io::ErrorKind::StorageFull,
                format!(
                    "less than 1 GiB would be left on the disk of {}; the solve resumes when there is room, \
                     or with --ignore-space",
                    self.folder.display()
                ),
            )),
            _ => Ok(()),
        }
    }
}

impl Spill for WithRoom {
    fn write(&self, name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        self.files.write(name, &mut |out| {
            self.check()?;
            fill(&mut CheckedWriter { out, room: self, unseen: 0 })
        })
    }

    fn read(&self, name: &str) -> io::Result<Box<dyn Read + Send>> {
        self.files.read(name)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.files.remove(name)
    }

    fn names(&self) -> io::Result<Vec<String>> {
        self.files.names()
    }
}

/// A writer that checks the free space from time to time.
struct CheckedWriter<'a> {
    out: &'a mut dyn Write,
    room: &'a WithRoom,
    unseen: usize,
}

impl Write for CheckedWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.unseen >= CHECK_EVERY {
            self.room.check()?;
            self.unseen = 0;
        }
        let written = self.out.write(bytes)?;
        self.unseen += written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use retrograde_table::{DiskStorage, SpillFolder};
    use std::sync::Arc;

    use super::*;

    fn written(free: fn(&Path) -> Option<u64>) -> (io::Result<()>, Vec<String>) {
        let folder = retrograde_testkit::tempdir().unwrap();
        let path = folder.path().join("work");
        let files = Box::new(SpillFolder::open(Arc::new(DiskStorage), &path, "a solve", false).unwrap());
        let room = WithRoom { files, folder: path, free };
        let result = room.write("run", &mut |out| (0..3).try_for_each(|_| out.write_all(&[0; CHECK_EVERY])));
        (result, room.names().unwrap())
    }

    #[test]
    fn some_disk_space_is_left_to_others() {
        let (result, names) = written(|_| Some(RESERVE - 1));
        assert_eq!(result.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert!(names.is_empty(), "{names:?}");
        let unfinished = |path: &Path| {
            let held: u64 =
                std::fs::read_dir(path).unwrap().map(|file| file.unwrap().metadata().unwrap().len()).sum();
            Some(if held < CHECK_EVERY as u64 { RESERVE } else { 0 })
        };
        let (result, names) = written(unfinished);
        assert_eq!(result.unwrap_err().kind(), io::ErrorKind::StorageFull, "a disk that fills up is noticed");
        assert!(names.is_empty(), "{names:?}");
        for free in [|_: &Path| Some(RESERVE), |_: &Path| None] {
            let (result, names) = written(free);
            assert!(result.is_ok() && names == ["run"]);
        }
    }
}

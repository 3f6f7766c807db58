//! A folder for data that a solver cannot hold in memory ([`Spill`]). It is next to the future
//! table, and an interrupted solve resumes from it.
//!
//! The file `identity` identifies the solve; if it names another solve, the folder is emptied.
//! Every other file is written under another name, synced and renamed. It is a sequence of frames,
//! so truncation or changes cause an error and never a wrong value:
//!
//! ```text
//! frames     4  length n of the content, at least 1
//!            n  content
//!            4  CRC-32C of the file's name, the frame's number and the content
//! end        4  0
//!            4  the same CRC-32C, of no content
//! ```

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrograde_solve::reachable::Spill;

use crate::error::TableError;
use crate::storage::{Source, Storage, UNFINISHED, read_up_to, read_whole, replace_file};

/// The file that identifies the solve.
const IDENTITY: &str = "identity";
/// The number of bytes of content in a frame.
const FRAME: usize = 1 << 18;
/// The longest frame: its memory is allocated before its checksum is checked.
const MOST: u32 = 1 << 20;

/// A folder with the files of one solve.
#[derive(Debug)]
pub struct SpillFolder {
    folder: PathBuf,
    storage: Arc<dyn Storage>,
}

fn frame_sum(name: &str, number: u64, content: &[u8]) -> u32 {
    let begun = crc32c::crc32c_append(crc32c::crc32c(name.as_bytes()), &number.to_le_bytes());
    crc32c::crc32c_append(begun, content)
}

impl SpillFolder {
    /// Opens the folder of a solve. Keeps files that an earlier run of the same solve left, and
    /// removes those of another solve.
    ///
    /// # Errors
    /// An error of the system.
    pub fn open(storage: Arc<dyn Storage>, folder: &Path, identity: &str) -> Result<SpillFolder, TableError> {
        let folder = folder.to_owned();
        if !SpillFolder::belongs_to(&*storage, &folder, identity) {
            SpillFolder::remove(&*storage, &folder)?;
            let made = storage.create_directory(&folder);
            made.map_err(|error| TableError::io("create", &folder, error))?;
            replace_file(&*storage, &folder.join(IDENTITY), |out| out.write_all(identity.as_bytes()))?;
        }
        Ok(SpillFolder { folder, storage })
    }

    /// Whether this is the name of a finished file with spilled data.
    pub fn is_content(name: &str) -> bool {
        name != IDENTITY && !name.ends_with(UNFINISHED)
    }

    /// Whether the folder exists and belongs to this solve.
    pub fn belongs_to(storage: &dyn Storage, folder: &Path, identity: &str) -> bool {
        let read = |source: Box<dyn Source>| read_whole(&*source, identity.len() as u64);
        let found = storage.open(&folder.join(IDENTITY)).and_then(read);
        matches!(found, Ok(Some(found)) if found == identity.as_bytes())
    }

    /// Removes a folder with all its files, if it exists.
    ///
    /// # Errors
    /// An error of the system.
    pub fn remove(storage: &dyn Storage, folder: &Path) -> Result<(), TableError> {
        match storage.remove_directory(folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(TableError::io("remove", folder, error))
            }
            _ => Ok(()),
        }
    }
}

impl Spill for SpillFolder {
    fn write(&self, name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let written = replace_file(&*self.storage, &self.folder.join(name), |out| {
            let mut frames = FrameWriter { out, name, number: 0, content: Vec::with_capacity(FRAME) };
            fill(&mut frames)?;
            frames.end()
        });
        written.map_err(io::Error::from)
    }

    fn read(&self, name: &str) -> io::Result<Box<dyn Read + Send>> {
        let path = self.folder.join(name);
        let source = self.storage.open(&path)?;
        let name = name.to_owned();
        Ok(Box::new(FrameSource {
            source,
            path,
            name,
            number: 0,
            offset: 0,
            content: Vec::new(),
            at: 0,
            ended: false,
        }))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.storage.remove(&self.folder.join(name))
    }

    fn names(&self) -> io::Result<Vec<String>> {
        let mut names = self.storage.names(&self.folder)?;
        names.retain(|name| SpillFolder::is_content(name));
        Ok(names)
    }
}

/// Writes frames.
struct FrameWriter<'a> {
    out: &'a mut dyn Write,
    name: &'a str,
    number: u64,
    content: Vec<u8>,
}

impl FrameWriter<'_> {
    /// Writes the buffered content as a frame.
    fn put(&mut self) -> io::Result<()> {
        self.out.write_all(&(self.content.len() as u32).to_le_bytes())?;
        self.out.write_all(&self.content)?;
        self.out.write_all(&frame_sum(self.name, self.number, &self.content).to_le_bytes())?;
        self.number += 1;
        self.content.clear();
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        if !self.content.is_empty() {
            self.put()?;
        }
        self.put()
    }
}

impl Write for FrameWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(FRAME - self.content.len());
        self.content.extend_from_slice(&bytes[..taken]);
        if self.content.len() == FRAME {
            self.put()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads frames and checks them.
struct FrameSource {
    source: Box<dyn Source>,
    path: PathBuf,
    name: String,
    number: u64,
    offset: u64,
    content: Vec<u8>,
    at: usize,
    ended: bool,
}

impl FrameSource {
    fn damaged(&self) -> io::Error {
        let path = self.path.display();
        let reason = format!("{path} is damaged in frame {}; run `solve --again` to start over", self.number);
        io::Error::new(io::ErrorKind::InvalidData, reason)
    }

    fn exactly(&mut self, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        if read_up_to(&*self.source, &mut bytes, self.offset)? < length {
            return Err(self.damaged());
        }
        self.offset += length as u64;
        Ok(bytes)
    }

    fn next_frame(&mut self) -> io::Result<()> {
        let number =
            |bytes: &[u8]| bytes.iter().rev().fold(0_u32, |number, &byte| number << 8 | u32::from(byte));
        let length = number(&self.exactly(4)?);
        if length > MOST {
            return Err(self.damaged());
        }
        self.content = self.exactly(length as usize)?;
        self.at = 0;
        if number(&self.exactly(4)?) != frame_sum(&self.name, self.number, &self.content) {
            return Err(self.damaged());
        }
        self.number += 1;
        self.ended = length == 0;
        Ok(())
    }
}

impl Read for FrameSource {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.content.len() && !self.ended {
            self.next_frame()?;
        }
        let read = buffer.len().min(self.content.len() - self.at);
        buffer[..read].copy_from_slice(&self.content[self.at..self.at + read]);
        self.at += read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::DiskStorage;

    fn all(folder: &SpillFolder, name: &str) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        folder.read(name)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    #[test]
    fn files_are_read_back_and_every_changed_byte_is_an_error() {
        let place = retrograde_testkit::tempdir().unwrap();
        let path = place.path().join("work");
        let folder = SpillFolder::open(Arc::new(DiskStorage), &path, "mine").unwrap();
        for length in [0, 1, 100, FRAME - 1, FRAME, FRAME + 1, 3 * FRAME + 7] {
            let bytes: Vec<u8> = (0..length).map(|at| (at * 7 + at / 251) as u8).collect();
            folder.write("file", &mut |out| out.write_all(&bytes)).unwrap();
            assert_eq!(all(&folder, "file").unwrap(), bytes);
        }
        folder.write("file", &mut |out| out.write_all(b"a few bytes")).unwrap();
        let right = std::fs::read(path.join("file")).unwrap();
        for at in 0..right.len() {
            let mut wrong = right.clone();
            wrong[at] ^= 1 << (at % 8);
            std::fs::write(path.join("file"), wrong).unwrap();
            assert!(all(&folder, "file").is_err(), "byte {at}");
            std::fs::write(path.join("file"), &right[..at]).unwrap();
            assert!(all(&folder, "file").is_err(), "cut at {at}");
        }
        // A copy under another name is invalid.
        std::fs::write(path.join("other"), &right).unwrap();
        let error = all(&folder, "other").unwrap_err().to_string();
        assert!(error.contains("other is damaged in frame 0"), "{error}");
    }

    #[test]
    fn only_the_same_solve_keeps_its_files() {
        let place = retrograde_testkit::tempdir().unwrap();
        let path = place.path().join("work");
        let open = |identity: &str| SpillFolder::open(Arc::new(DiskStorage), &path, identity).unwrap();
        open("mine").write("file", &mut |out| out.write_all(b"x")).unwrap();
        std::fs::write(path.join("half.tmp"), "").unwrap();
        assert_eq!(open("mine").names().unwrap(), ["file"]);
        let failed = open("mine").write("file", &mut |_| Err(io::Error::other("no")));
        assert!(failed.is_err() && all(&open("mine"), "file").unwrap() == b"x");
        assert!(open("mine and more").names().unwrap().is_empty());
        SpillFolder::remove(&DiskStorage, &path).unwrap();
        SpillFolder::remove(&DiskStorage, &path).unwrap();
        assert!(!path.exists());
    }
}

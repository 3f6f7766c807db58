//! Records in the files of a solve.

use std::io::{self, Read, Write};

use super::tasks::TASK;
use crate::job::SolveError;
use crate::spill::Spill;

/// Writes a file with a function that can return the error of a solver.
pub(super) fn write_by(
    spill: &dyn Spill,
    name: &str,
    fill: &mut dyn FnMut(&mut dyn Write) -> Result<(), SolveError>,
) -> Result<(), SolveError> {
    let mut fault = None;
    let written = spill.write(name, &mut |out| match fill(out) {
        Err(SolveError::Checkpoint(error)) => Err(error),
        Err(error) => {
            fault = Some(error);
            Err(io::Error::other("the solver has ended"))
        }
        Ok(()) => Ok(()),
    });
    match fault {
        Some(fault) => Err(fault),
        None => Ok(written?),
    }
}

/// Removes the files whose names begin with one of these prefixes.
pub(super) fn remove_all(spill: &dyn Spill, beginnings: &[&str]) -> io::Result<()> {
    let names = spill.names()?;
    let begins = |name: &&String| beginnings.iter().any(|beginning| name.starts_with(beginning));
    names.iter().filter(begins).try_for_each(|name| spill.remove(name))
}

/// The maximum number of positions whose successors are in memory while they are gathered.
const MAX_GATHERED: usize = TASK << 6;

/// Batch sizes chosen so that all data stays below the memory limit, for games with a usual number of
/// successors.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    /// The number of positions that are expanded together.
    pub gathered: usize,
    /// The bytes of waiting keys after which they are written.
    pub waiting: u64,
    /// The number of positions whose successors are looked up together.
    pub looked_up: usize,
    /// The number of positions that are sorted together by number.
    pub numbered: usize,
}

impl Sizes {
    pub fn new(memory: u64) -> Sizes {
        let of = |bytes: u64| usize::try_from(memory / bytes).unwrap_or(usize::MAX).max(16);
        Sizes {
            gathered: of(4096).min(MAX_GATHERED),
            waiting: memory / 2,
            // About 30 successors of 16 bytes, before and after they are grouped.
            looked_up: of(1024),
            numbered: of(128),
        }
    }

    /// The number of positions that are numbered together, each with its images.
    pub fn numbered_together(&self) -> usize {
        (self.numbered / 16).clamp(16, MAX_GATHERED)
    }
}

/// The size of a read, in bytes.
const BUFFER: usize = 1 << 16;

/// Reads records of `SIZE` bytes.
pub(super) struct Records<const SIZE: usize> {
    source: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    at: usize,
    end: usize,
}

impl<const SIZE: usize> Records<SIZE> {
    pub fn open(spill: &dyn Spill, name: &str) -> io::Result<Records<SIZE>> {
        let buffer = vec![0; BUFFER / SIZE * SIZE];
        Ok(Records { source: spill.read(name)?, buffer, at: 0, end: 0 })
    }

    /// The next record; `None` at the end.
    #[inline]
    pub fn next(&mut self) -> io::Result<Option<[u8; SIZE]>> {
        if self.at == self.end && !self.fill()? {
            return Ok(None);
        }
        let mut record = [0; SIZE];
        record.copy_from_slice(&self.buffer[self.at..self.at + SIZE]);
        self.at += SIZE;
        Ok(Some(record))
    }

    /// Reads up to `most` records.
    pub fn take<T>(&mut self, most: usize, read: fn([u8; SIZE]) -> T) -> io::Result<Vec<T>> {
        let mut records = Vec::new();
        while records.len() < most {
            match self.next()? {
                Some(record) => records.push(read(record)),
                None => break,
            }
        }
        Ok(records)
    }

    /// Fills the buffer with whole records. Returns whether there were any.
    fn fill(&mut self) -> io::Result<bool> {
        (self.at, self.end) = (0, 0);
        while self.end < self.buffer.len() {
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(0) => break,
                Ok(read) => self.end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        if !self.end.is_multiple_of(SIZE) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a file ends within a record"));
        }
        Ok(self.end > 0)
    }
}

/// Decodes a key or a number, and a score.
pub(super) fn scored([a, b, c, d, e, f, g, h, low, high]: [u8; 10]) -> (u64, u16) {
    (u64::from_le_bytes([a, b, c, d, e, f, g, h]), u16::from_le_bytes([low, high]))
}

/// The keys of a file.
pub(super) type Keys = Records<8>;

impl Keys {
    #[inline]
    pub fn next_key(&mut self) -> io::Result<Option<u64>> {
        Ok(self.next()?.map(u64::from_le_bytes))
    }
}

/// Merges sorted files.
pub(super) struct Merged<const SIZE: usize, T> {
    files: Vec<Records<SIZE>>,
    read: fn([u8; SIZE]) -> T,
    /// The least record of each file that has not ended.
    heads: std::collections::BinaryHeap<std::cmp::Reverse<(T, usize)>>,
}

impl<const SIZE: usize, T: Ord> Merged<SIZE, T> {
    pub fn open(spill: &dyn Spill, names: &[String], read: fn([u8; SIZE]) -> T) -> io::Result<Self> {
        let mut merged = Merged { files: Vec::new(), read, heads: std::collections::BinaryHeap::new() };
        for (number, name) in names.iter().enumerate() {
            merged.files.push(Records::open(spill, name)?);
            merged.advance(number)?;
        }
        Ok(merged)
    }

    fn advance(&mut self, number: usize) -> io::Result<()> {
        if let Some(record) = self.files[number].next()? {
            self.heads.push(std::cmp::Reverse(((self.read)(record), number)));
        }
        Ok(())
    }

    /// Returns the least remaining record.
    pub fn next(&mut self) -> io::Result<Option<T>> {
        let Some(std::cmp::Reverse((record, number))) = self.heads.pop() else { return Ok(None) };
        self.advance(number)?;
        Ok(Some(record))
    }
}

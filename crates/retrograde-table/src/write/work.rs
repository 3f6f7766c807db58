//! The work file, `work.rgw`: the checkpoint of an interrupted solve. It is next to the future
//! table and is always replaced as a whole, because a mixture of two states is useless. A file that
//! is damaged, truncated or belongs to something else is reported and not used, and the solve
//! starts over.
//!
//! Version 1, all numbers little-endian. The solver's bytes are not compressed, since most states
//! are never read, and the solve waits while they are written:
//!
//! ```text
//!    0  8  magic: 89 'R' 'G' 'W' 0D 0A 1A 0A
//!    8  4  format version
//!   12  4  length n of the identity
//!   16  8  stage, the solver's measure of progress
//!   24  8  number of the solver's bytes
//!   32  4  size of a chunk in bytes
//!   36  n  identity: game, versions, solver, as text
//!      4  CRC-32C of everything before it, the header checksum
//! chunks, all of that size except the last, each followed by
//!      4  CRC-32C of the header checksum, the chunk's number and the chunk
//! ```

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use retrograde_solve::clock::Instant;
use retrograde_solve::reachable::Spill;
use retrograde_solve::{Checkpoint, SavedState};

use crate::directory::files::{SPILL, WORK};
use crate::directory::lock::GameLock;
use crate::error::{FilePart, TableError, VersionKind};
use crate::format::values_file::checksum;
use crate::storage::{DiskStorage, Source, Storage, read_up_to, replace_file};
use crate::write::spill::SpillFolder;

const MAGIC: [u8; 8] = *b"\x89RGW\r\n\x1a\n";
const WORK_VERSION: u32 = 1;
const FIXED: usize = 36;
const CHUNK: u32 = 4 << 20;
/// The longest identity.
const MAX_IDENTITY: u32 = 1 << 16;

/// The owner of a work file. A solver resumes only from its own file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkIdentity {
    /// The game's `RULES_VERSION`.
    pub rules_version: u32,
    /// The numbering's `INDEX_VERSION`.
    pub index_version: u32,
    /// The solver and everything else that its bytes depend on, such as "fill, outcomes".
    pub solver: String,
}

/// The pace of saving: a state is saved when the cost is small compared to the work that would be lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckpointPace {
    /// The least time between two saves, as a multiple of the time that saving takes.
    pub factor: u32,
    /// The least time between two saves.
    pub least: Duration,
}

impl Default for CheckpointPace {
    /// A factor of 20, so that saving takes at most a twentieth of the time, and 30 seconds.
    fn default() -> CheckpointPace {
        CheckpointPace { factor: 20, least: Duration::from_secs(30) }
    }
}

impl CheckpointPace {
    /// Whether to save now, at time `since` after the last save or the beginning. The last save took `cost`.
    pub fn is_due(self, since: Duration, cost: Duration) -> bool {
        since >= self.least && since >= cost.saturating_mul(self.factor)
    }
}

/// The work file of a game: a [`Checkpoint`] on disk.
#[derive(Debug)]
pub struct WorkFile {
    path: PathBuf,
    identity: String,
    pace: CheckpointPace,
    storage: Arc<dyn Storage>,
    /// The time of the last save, or of the beginning.
    last: Instant,
    /// The duration of the last save.
    cost: Duration,
    warning: Option<TableError>,
    // Only the holder of the lock may use the file.
    _lock: GameLock,
}

impl WorkFile {
    /// Creates the `WorkFile` of a locked game. The file does not have to exist.
    pub fn new(lock: &GameLock, identity: &WorkIdentity) -> WorkFile {
        WorkFile::with(lock, identity, CheckpointPace::default(), Arc::new(DiskStorage))
    }

    /// [`WorkFile::new`] with another pace or file system.
    pub fn with(
        lock: &GameLock,
        identity: &WorkIdentity,
        pace: CheckpointPace,
        storage: Arc<dyn Storage>,
    ) -> WorkFile {
        let WorkIdentity { rules_version, index_version, solver } = identity;
        WorkFile {
            path: lock.directory().join(WORK),
            identity: format!(
                "{}, rules {rules_version}, numbering {index_version}, solver {solver}",
                lock.game()
            ),
            pace,
            storage,
            last: Instant::now(),
            cost: Duration::ZERO,
            warning: None,
            _lock: lock.clone(),
        }
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The reason why an existing work file was not used by [`Checkpoint::load`].
    pub fn warning(&self) -> Option<&TableError> {
        self.warning.as_ref()
    }

    /// Whether the file exists and belongs to this solver, according to its header.
    pub fn is_own(&self) -> bool {
        let Ok(source) = self.storage.open(&self.path) else { return false };
        let mut head = vec![0; FIXED + self.identity.len()];
        let whole = read_up_to(&*source, &mut head, 0).is_ok_and(|read| read == head.len());
        whole && head.starts_with(&MAGIC) && head.ends_with(self.identity.as_bytes())
    }

    /// The folder for data that does not fit into memory. It does not have to exist.
    pub fn spill_folder(&self) -> PathBuf {
        self.path.with_file_name(SPILL)
    }

    /// Removes the file and the folder, when the table is finished or the solve starts over.
    ///
    /// # Errors
    /// An error of the system.
    pub fn remove(&mut self) -> Result<(), TableError> {
        let folder = self.spill_folder();
        if self.storage.names(&folder).is_ok() {
            SpillFolder::remove(&*self.storage, &folder)?;
        }
        match self.storage.remove(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(TableError::io("remove", &self.path, error))
            }
            _ => Ok(()),
        }
    }

    /// Reads the file; `None` if it does not exist.
    fn read(&self) -> Result<Option<SavedState>, TableError> {
        match self.storage.open(&self.path) {
            Ok(source) => self.read_from(&*source).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(TableError::io("read", &self.path, error)),
        }
    }

    fn read_from(&self, source: &dyn Source) -> Result<SavedState, TableError> {
        let path = &self.path;
        let io = |error| TableError::io("read", path, error);
        let damaged = |place, reason| TableError::damaged(path, place, reason);
        let length = source.length().map_err(io)?;
        let mut fixed = [0; FIXED];
        let read = read_up_to(source, &mut fixed, 0).map_err(io)?;
        if read >= MAGIC.len() && !fixed.starts_with(&MAGIC) {
            return Err(TableError::foreign(path, "it does not begin like a work file"));
        }
        let truncated = |expected| TableError::Truncated { file: path.clone(), found: length, expected };
        if read < FIXED {
            return Err(truncated(FIXED as u64));
        }
        let number = |at: usize| u32::from_le_bytes([fixed[at], fixed[at + 1], fixed[at + 2], fixed[at + 3]]);
        let long = |at: usize| u64::from(number(at)) | u64::from(number(at + 4)) << 32;
        if number(8) != WORK_VERSION {
            return Err(TableError::WrongVersion {
                file: path.clone(),
                what: VersionKind::Format,
                found: number(8).into(),
                expected: WORK_VERSION.into(),
            });
        }
        let (identity_bytes, stage, total, chunk) = (number(12), long(16), long(24), number(32));
        if identity_bytes > MAX_IDENTITY || !(1..=CHUNK).contains(&chunk) {
            return Err(damaged(FilePart::Header, "its numbers are invalid"));
        }
        let mut rest = vec![0; identity_bytes as usize + 4];
        if read_up_to(source, &mut rest, FIXED as u64).map_err(io)? < rest.len() {
            return Err(truncated((FIXED + rest.len()) as u64));
        }
        let (identity, sum) = rest.split_at(identity_bytes as usize);
        let header_checksum = crc32c::crc32c_append(crc32c::crc32c(&fixed), identity);
        if sum != header_checksum.to_le_bytes() {
            return Err(damaged(FilePart::Header, "its checksum is wrong"));
        }
        if identity != self.identity.as_bytes() {
            return Err(TableError::WrongGame {
                file: path.clone(),
                found: String::from_utf8_lossy(identity).into_owned(),
                expected: self.identity.clone(),
            });
        }
        let offset = (FIXED + rest.len()) as u64;
        let expected = total
            .div_ceil(u64::from(chunk))
            .checked_mul(4)
            .and_then(|sums| sums.checked_add(total)?.checked_add(offset))
            .unwrap_or(u64::MAX);
        if expected != length {
            return Err(truncated(expected));
        }
        let read_chunk = |at: u64, piece: &mut [u8]| {
            let from = offset + at * (u64::from(chunk) + 4);
            let mut sum = [0; 4];
            let read = read_up_to(source, piece, from).map_err(io)?;
            let after = from + piece.len() as u64;
            if read < piece.len() || read_up_to(source, &mut sum, after).map_err(io)? < sum.len() {
                return Err(truncated(expected));
            }
            if sum != checksum(header_checksum, at, piece).to_le_bytes() {
                return Err(damaged(FilePart::Block(at), "its checksum is wrong"));
            }
            Ok(())
        };
        // Reads twice: a file can claim any length and be mostly a hole, so memory for all of it is
        // only allocated after every chunk has been checked.
        let mut piece = vec![0; total.min(chunk.into()) as usize];
        for at in 0..total.div_ceil(chunk.into()) {
            let left = total - at * u64::from(chunk);
            piece.truncate(usize::try_from(left).unwrap_or(usize::MAX));
            read_chunk(at, &mut piece)?;
        }
        let mut bytes = vec![0; total as usize];
        for (at, piece) in (0..).zip(bytes.chunks_mut(chunk as usize)) {
            read_chunk(at, piece)?;
        }
        Ok(SavedState { stage, bytes })
    }

    fn header(&self, stage: u64, total: u64) -> Vec<u8> {
        let mut header = Vec::with_capacity(FIXED + self.identity.len() + 4);
        header.extend_from_slice(&MAGIC);
        header.extend_from_slice(&WORK_VERSION.to_le_bytes());
        header.extend_from_slice(&(self.identity.len() as u32).to_le_bytes());
        header.extend_from_slice(&stage.to_le_bytes());
        header.extend_from_slice(&total.to_le_bytes());
        header.extend_from_slice(&CHUNK.to_le_bytes());
        header.extend_from_slice(self.identity.as_bytes());
        header
    }
}

impl Checkpoint for WorkFile {
    /// Returns `None` if the file is damaged, truncated, has another version or belongs to
    /// something else; then [`WorkFile::warning`] returns the reason.
    fn load(&mut self) -> io::Result<Option<SavedState>> {
        self.warning = None;
        match self.read() {
            Ok(saved) => Ok(saved),
            Err(error @ (TableError::Permission { .. } | TableError::Io { .. })) => Err(error.into()),
            Err(warning) => {
                self.warning = Some(warning);
                Ok(None)
            }
        }
    }

    fn due(&self) -> bool {
        self.pace.is_due(self.last.elapsed(), self.cost)
    }

    fn save(&mut self, stage: u64, parts: &[&[u8]]) -> io::Result<()> {
        let begun = Instant::now();
        let total = parts.iter().map(|part| part.len() as u64).sum();
        let header = self.header(stage, total);
        let header_checksum = crc32c::crc32c(&header);
        let result = replace_file(&*self.storage, &self.path, |out| {
            out.write_all(&header)?;
            out.write_all(&header_checksum.to_le_bytes())?;
            write_chunks(out, header_checksum, parts)
        });
        self.last = Instant::now();
        self.cost = self.last - begun;
        result.map_err(io::Error::from)
    }

    fn has_spilled(&self) -> bool {
        SpillFolder::belongs_to(&*self.storage, &self.spill_folder(), &self.identity)
    }

    fn spill(&self) -> io::Result<Option<Box<dyn Spill>>> {
        let folder = SpillFolder::open(self.storage.clone(), &self.spill_folder(), &self.identity)?;
        Ok(Some(Box::new(folder)))
    }
}

/// Writes the parts as one sequence of chunks, without joining them in memory.
fn write_chunks(out: &mut dyn Write, header_checksum: u32, parts: &[&[u8]]) -> io::Result<()> {
    let begin = |number| checksum(header_checksum, number, &[]);
    let (mut number, mut sum, mut room) = (0, begin(0), CHUNK as usize);
    for part in parts {
        let mut part = *part;
        while !part.is_empty() {
            let (piece, rest) = part.split_at(part.len().min(room));
            out.write_all(piece)?;
            sum = crc32c::crc32c_append(sum, piece);
            room -= piece.len();
            part = rest;
            if room == 0 {
                out.write_all(&sum.to_le_bytes())?;
                number += 1;
                (sum, room) = (begin(number), CHUNK as usize);
            }
        }
    }
    if room < CHUNK as usize {
        out.write_all(&sum.to_le_bytes())?;
    }
    Ok(())
}

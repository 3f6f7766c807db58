//! The log of a solve: the results of each phase, superblock by superblock, in files from which a later
//! run resumes.
//!
//! A phase has files `phase-T-N.rgl`: T is the number of the phase (the turns in which its positions
//! end), N counts the runs that wrote to it. The results of a phase depend only on earlier phases. So a
//! missing or damaged record is simply computed again and written to the next file; everything else is
//! kept. A phase is complete when it has an end record and the number of superblocks in that record.
//! All numbers are little-endian.
//!
//! ```text
//! header, 48 bytes
//!    0  8  magic: 89 'R' 'G' 'L' 0D 0A 1A 0A
//!    8  4  format version
//!   12  4  number of the phase
//!   16 28  identity of the solve: the beginning of a BLAKE3 hash of game, versions and scope
//!   44  4  CRC-32C of all that, the header checksum
//! records, in the order in which they were found
//!    0  4  superblock; FF FF FF FF in the end record
//!    4  4  positions
//!    8  4  bytes before compression
//!   12  4  bytes n that follow
//!   16  4  CRC-32C of those, begun with the header checksum
//!   20  4  CRC-32C of these 20 bytes, begun with the header checksum
//!   24  n  zstd: for each cell its present rows; for each word of the rows its bytes that are not zero; those bytes
//! ```
//!
//! The end record has no bytes. In place of positions it has the number of superblocks, and in place of
//! the bytes before compression the milliseconds that the run took for the phase.
//!
//! The log of the positions won in one turn only has counts, and so has the log of the draws (phase
//! 65,535), except for the cells of draws before the first push. The positions won in one turn because
//! the opponent has no push have a separate log (phase 65,534); see [`PhaseId`].

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use retrograde_game::{Game, system_reason};
use retrograde_pushfight::PushFight;
use retrograde_solve::clock::Instant;
use retrograde_solve::{Progress, SolveError};
use retrograde_table::compression;
use retrograde_table::{RemovedFile, Sink, Source, Storage, read_up_to, remove_file, write_all};

use crate::layout::sparse::{CellShape, SparseCells, count_bits};
use crate::layout::superblocks::{SuperblockId, SuperblockTable};
use crate::phase::kinds::PhaseId;

const MAGIC: [u8; 8] = *b"\x89RGL\r\n\x1a\n";
const VERSION: u32 = 2;
const HEADER: usize = 48;
const RECORD: usize = 24;
const END_MARK: SuperblockId = SuperblockId(u32::MAX);
const PHASES: &str = "phase-";
/// The undecided positions of a solve in parts, and the results of its phases; see [`crate::files::chunks`].
pub(crate) const LEFT: &str = "left-";
pub(crate) const FOUND: &str = "found-";
/// Implausible positions.
pub(crate) const OTHERS: &str = "others-";
/// The wins of a file that is being proved.
pub(crate) const WINS: &str = "wins-";
const SUFFIX: &str = ".rgl";
/// The compression level. A log is written once and read once or twice.
const COMPRESSION_LEVEL: i32 = 1;
/// The bytes of a record that are read at a time when only its checksum is checked.
const PIECE: u64 = 1 << 20;
/// The time between syncs: the work that is lost if the machine stops.
const SYNC_INTERVAL: Duration = Duration::from_secs(30);

/// The suffix of messages about a file with another header.
const FOREIGN: &str = " is from another solve";

/// The logs of a solve.
#[derive(Clone)]
pub(crate) struct Log {
    directory: PathBuf,
    /// The prefix of its file names.
    prefix: &'static str,
    identity: [u8; 28],
    storage: Arc<dyn Storage>,
}

/// The place of a record.
#[derive(Clone, Copy)]
struct RecordLocation {
    file: usize,
    offset: u64,
    raw: u32,
    packed: u32,
    sum: u32,
    positions: u32,
}

/// The log of a phase, which may be incomplete.
#[derive(Default)]
pub(crate) struct PhaseLog {
    files: Vec<(PathBuf, Box<dyn Source>, u32)>,
    records: BTreeMap<SuperblockId, RecordLocation>,
    /// The number of superblocks according to the end record, if there is one.
    end: Option<u32>,
    /// The total time of the runs that wrote the files.
    milliseconds: u64,
    /// Descriptions of damaged places.
    damage: Vec<String>,
}

impl Log {
    /// The log of a board in a directory.
    pub(crate) fn new(game: &PushFight, directory: &Path, storage: &Arc<dyn Storage>) -> Log {
        let (name, board) = (game.name(), game.board_drawing());
        let identity = format!("{name}\n{board}\nrules {}\n", PushFight::RULES_VERSION);
        let (directory, identity) = (directory.to_owned(), identity_of(identity.as_bytes()));
        Log { directory, prefix: PHASES, identity, storage: storage.clone() }
    }

    /// Logs of something else in the same directory, with another prefix of their names.
    pub(crate) fn sibling(&self, prefix: &'static str) -> Log {
        let identity = identity_of(&[&self.identity, prefix.as_bytes()].concat());
        Log { prefix, identity, ..self.clone() }
    }

    /// The files in order: of each the phase, the number and the path.
    fn files(&self) -> io::Result<Vec<(PhaseId, u32, PathBuf)>> {
        let names = match self.storage.names(&self.directory) {
            Ok(names) => names,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(&self.directory, "read", &error)),
        };
        let file = |name: &String| {
            let (phase, number) = name.strip_prefix(self.prefix)?.strip_suffix(SUFFIX)?.split_once('-')?;
            let phase = PhaseId::from_number(phase.parse().ok()?);
            Some((phase, number.parse().ok()?, self.directory.join(name)))
        };
        let mut files: Vec<_> = names.iter().filter_map(file).collect();
        files.sort_unstable();
        Ok(files)
    }

    /// The files of a phase, in order of their numbers.
    fn files_of(&self, phase: PhaseId) -> io::Result<impl Iterator<Item = (u32, PathBuf)>> {
        let files = self.files()?.into_iter().filter(move |file| file.0 == phase);
        Ok(files.map(|(_, number, path)| (number, path)))
    }

    fn header(&self, phase: PhaseId) -> [u8; HEADER] {
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(&MAGIC);
        header[8..12].copy_from_slice(&VERSION.to_le_bytes());
        header[12..16].copy_from_slice(&u32::from(phase.number()).to_le_bytes());
        header[16..44].copy_from_slice(&self.identity);
        let sum = crc32c::crc32c(&header[..44]);
        header[44..].copy_from_slice(&sum.to_le_bytes());
        header
    }

    /// Reads the record headers of a phase. Files of other versions or games count as damage.
    pub(crate) fn open(&self, phase: PhaseId) -> io::Result<PhaseLog> {
        let mut found = PhaseLog::default();
        let expected = self.header(phase);
        for (_, path) in self.files_of(phase)? {
            let source = self.storage.open(&path).map_err(|error| failed(&path, "read", &error))?;
            let mut header = [0; HEADER];
            let read = read_up_to(&*source, &mut header, 0);
            if read.map_err(|error| failed(&path, "read", &error))? < HEADER || header != expected {
                found.damage.push(format!("{}{FOREIGN}", path.display()));
                continue;
            }
            let seed = word(&header, 44);
            found.scan(&path, &*source, seed).map_err(|error| failed(&path, "read", &error))?;
            found.files.push((path, source, seed));
        }
        Ok(found)
    }

    /// Opens the log of a phase and drops damaged records, with notes about them.
    pub(crate) fn open_checked(&self, phase: PhaseId, progress: &dyn Progress) -> io::Result<PhaseLog> {
        let mut found = self.open(phase)?;
        found.check()?;
        found.note_damage(progress);
        Ok(found)
    }

    /// Begins the next file of a phase.
    pub(crate) fn write(&self, phase: PhaseId) -> io::Result<PhaseLogWriter> {
        let present = self.open(phase)?.records.into_keys().collect();
        let number = self.files_of(phase)?.last().map_or(0, |(number, _)| number + 1);
        let name = format!("{}{:03}-{number}{SUFFIX}", self.prefix, phase.number());
        let path = self.directory.join(name);
        let begin = || {
            let mut sink = self.storage.create(&path)?;
            write_all(&mut *sink, &self.header(phase))?;
            self.storage.sync_directory(&self.directory)?;
            Ok(sink)
        };
        let sink = begin().map_err(|error| failed(&path, "write", &error))?;
        let seed = word(&self.header(phase), 44);
        let state = WriterState { sink, synced: Instant::now(), present, failed: false };
        Ok(PhaseLogWriter { path, seed, begun: Instant::now(), state: Mutex::new(state) })
    }

    /// Removes the logs of all phases, and the work files of parts. Returns the removed files.
    pub(crate) fn remove(&self) -> io::Result<Vec<RemovedFile>> {
        self.remove_where(|name| {
            [PHASES, LEFT, FOUND, OTHERS, WINS].iter().any(|prefix| name.starts_with(prefix))
        })
    }

    /// Removes the work files of a solve in parts.
    pub(crate) fn remove_part_files(&self) -> io::Result<Vec<RemovedFile>> {
        self.remove_where(|name| name.starts_with(LEFT) || name.starts_with(FOUND))
    }

    fn remove_where(&self, matches: impl Fn(&str) -> bool) -> io::Result<Vec<RemovedFile>> {
        let mut names = self.storage.names(&self.directory).unwrap_or_default();
        names.retain(|name| name.ends_with(SUFFIX) && matches(name));
        names.sort_unstable();
        let mut removed = Vec::new();
        for name in names {
            removed.extend(remove_file(&*self.storage, &self.directory.join(name))?);
        }
        Ok(removed)
    }

    /// Removes the files of a phase.
    pub(crate) fn remove_phase(&self, phase: PhaseId) -> io::Result<()> {
        let mut files = self.files_of(phase)?;
        files.try_for_each(|(_, path)| Ok(remove_file(&*self.storage, &path).map(|_| ())?))
    }

    /// The phases that have files, ascending.
    pub(crate) fn phases(&self) -> io::Result<Vec<PhaseId>> {
        let mut phases: Vec<PhaseId> = self.files()?.into_iter().map(|file| file.0).collect();
        phases.dedup();
        Ok(phases)
    }
}

impl PhaseLog {
    /// Notes the damaged records, and the files that are ignored.
    pub(crate) fn note_damage(&self, progress: &dyn Progress) {
        for what in &self.damage {
            progress.note(&match what.strip_suffix(FOREIGN) {
                Some(_) => format!("{what}, or its beginning is damaged; ignoring it"),
                None => format!("{what} is damaged; computing the missing part again"),
            });
        }
    }

    /// The name of a stage that computes the rest of the phase.
    pub(crate) fn stage(&self, name: &str) -> String {
        self.damage.iter().fold(name.to_owned(), |name, record| format!("{name}, again for {record}"))
    }

    /// For each of some superblocks whether the log has it.
    pub(crate) fn done(&self, superblocks: &SuperblockTable) -> Vec<bool> {
        superblocks.ids().map(|superblock| self.contains(superblock)).collect()
    }
}

/// The error for damage. The next attempt checks all logs first, and computes damaged records again.
pub(crate) fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{what} is damaged"))
}

/// The error of the system for a file.
fn failed(path: &Path, action: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot {action} {}: {}", path.display(), system_reason(error)))
}

/// The beginning of a hash.
fn identity_of(bytes: &[u8]) -> [u8; 28] {
    *blake3::hash(bytes).as_bytes().first_chunk().unwrap_or(&[0; 28])
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

impl PhaseLog {
    fn scan(&mut self, path: &Path, source: &dyn Source, seed: u32) -> io::Result<()> {
        let file = self.files.len();
        let mut at = HEADER as u64;
        loop {
            let mut record = [0; RECORD];
            match read_up_to(source, &mut record, at)? {
                RECORD => {}
                // The end of the file, or the run that wrote it was interrupted.
                _ => return Ok(()),
            }
            if word(&record, 20) != crc32c::crc32c_append(seed, &record[..20]) {
                self.damage.push(format!("{} at byte {at}", path.display()));
                return Ok(());
            }
            let (superblock, positions) = (SuperblockId(word(&record, 0)), word(&record, 4));
            let (raw, packed, sum) = (word(&record, 8), word(&record, 12), word(&record, 16));
            let offset = at + RECORD as u64;
            at = offset + u64::from(packed);
            if superblock == END_MARK {
                self.end = Some(positions);
                self.milliseconds += u64::from(raw);
            } else {
                self.records.insert(superblock, RecordLocation { file, offset, raw, packed, sum, positions });
            }
        }
    }

    /// Whether the log is complete, judging by the record headers.
    pub(crate) fn is_complete(&self) -> bool {
        self.end.is_some_and(|end| end as usize == self.records.len())
    }

    /// Reads all records, and drops damaged ones.
    pub(crate) fn check(&mut self) -> io::Result<()> {
        let mut damaged = Vec::new();
        for (&superblock, location) in &self.records {
            if let Some(what) = self.damage_of(location)? {
                damaged.push((superblock, what));
            }
        }
        for (superblock, what) in damaged {
            self.records.remove(&superblock);
            self.damage.push(what);
        }
        Ok(())
    }

    /// Reads bytes of a record; returns fewer if the file ends early.
    fn fill(&self, location: &RecordLocation, from: u64, bytes: &mut [u8]) -> io::Result<usize> {
        let (path, source, _) = &self.files[location.file];
        read_up_to(&**source, bytes, location.offset + from).map_err(|error| failed(path, "read", &error))
    }

    /// Describes the damage of a record, if there is any. The stored length may be wrong, so the record
    /// is read in pieces.
    fn damage_of(&self, location: &RecordLocation) -> io::Result<Option<String>> {
        let (mut sum, mut from, length) = (self.files[location.file].2, 0, u64::from(location.packed));
        let mut piece = vec![0; length.min(PIECE) as usize];
        while from < length {
            let wanted = (length - from).min(PIECE) as usize;
            if self.fill(location, from, &mut piece[..wanted])? < wanted {
                return Ok(Some(self.describe(location)));
            }
            sum = crc32c::crc32c_append(sum, &piece[..wanted]);
            from += wanted as u64;
        }
        Ok((sum != location.sum).then(|| self.describe(location)))
    }

    fn describe(&self, location: &RecordLocation) -> String {
        format!("{} at byte {}", self.files[location.file].0.display(), location.offset)
    }

    /// The size of all records on disk.
    pub(crate) fn packed_bytes(&self) -> u64 {
        self.records.values().map(|location| u64::from(location.packed)).sum()
    }

    /// Whether there is a record.
    pub(crate) fn contains(&self, superblock: SuperblockId) -> bool {
        self.records.contains_key(&superblock)
    }

    /// The number of positions in a record; 0 if it does not exist.
    pub(crate) fn positions(&self, superblock: SuperblockId) -> u64 {
        self.records.get(&superblock).map_or(0, |location| location.positions.into())
    }

    /// The superblocks of the log, each with its number of positions.
    pub(crate) fn superblocks(&self) -> impl Iterator<Item = (SuperblockId, u64)> {
        self.records.iter().map(|(&superblock, location)| (superblock, location.positions.into()))
    }

    /// The results in a superblock; none if there is no record.
    ///
    /// # Errors
    /// If the record is damaged, or cannot be read.
    pub(crate) fn read(&self, superblock: SuperblockId, shape: CellShape) -> io::Result<SparseCells> {
        let Some(location) = self.records.get(&superblock).filter(|location| location.packed > 0) else {
            return Ok(SparseCells::default());
        };
        let damaged = || damaged(&self.describe(location));
        if location.packed as usize > compression::packed_bound(max_bytes(shape)) {
            return Err(damaged());
        }
        let mut packed = vec![0; location.packed as usize];
        let read = self.fill(location, 0, &mut packed)?;
        if read < packed.len() || crc32c::crc32c_append(self.files[location.file].2, &packed) != location.sum
        {
            return Err(damaged());
        }
        let record = LogRecord { superblock, positions: location.positions, raw: location.raw, packed };
        record.cells(shape).ok_or_else(damaged)
    }

    /// The seconds that the phase took.
    pub(crate) fn seconds(&self) -> f64 {
        self.milliseconds as f64 / 1e3
    }
}

/// The results in a superblock as they are written, and sent to other processes.
pub(crate) struct LogRecord {
    pub superblock: SuperblockId,
    pub positions: u32,
    /// Bytes before compression.
    raw: u32,
    packed: Vec<u8>,
}

impl LogRecord {
    pub(crate) fn new(
        superblock: SuperblockId,
        positions: u64,
        cells: &SparseCells,
    ) -> io::Result<LogRecord> {
        let raw = if cells.is_empty() { Vec::new() } else { packed(cells) };
        let packed =
            if raw.is_empty() { Vec::new() } else { compression::compress(&raw, COMPRESSION_LEVEL)? };
        let positions = positions as u32;
        Ok(LogRecord { superblock, positions, raw: raw.len() as u32, packed })
    }

    /// The contents; `None` if the bytes do not fit.
    pub(crate) fn cells(&self, shape: CellShape) -> Option<SparseCells> {
        if self.packed.is_empty() {
            return Some(SparseCells::default());
        }
        if self.raw as usize > max_bytes(shape) {
            return None;
        }
        unpacked(&compression::decompress(&self.packed, self.raw as usize).ok()?, shape)
    }

    /// The message in which the record is sent.
    pub(crate) fn message(&self) -> Vec<u8> {
        let words = [self.superblock.0, self.positions, self.raw];
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.extend_from_slice(&self.packed);
        bytes
    }

    /// The inverse of [`LogRecord::message`].
    pub(crate) fn from_message(message: &[u8]) -> Option<LogRecord> {
        let (words, packed) = message.split_at_checked(12)?;
        let (superblock, positions, raw) = (word(words, 0), word(words, 4), word(words, 8));
        Some(LogRecord { superblock: SuperblockId(superblock), positions, raw, packed: packed.to_vec() })
    }
}

struct WriterState {
    sink: Box<dyn Sink>,
    synced: Instant,
    /// The superblocks in all files of the phase.
    present: BTreeSet<SuperblockId>,
    /// Whether something could not be written.
    failed: bool,
}

/// Writes the records of a phase, from several threads.
pub(crate) struct PhaseLogWriter {
    path: PathBuf,
    seed: u32,
    begun: Instant,
    state: Mutex<WriterState>,
}

impl PhaseLogWriter {
    /// A record's bytes in the file.
    fn bytes(&self, record: &LogRecord) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(RECORD + record.packed.len());
        let sum = crc32c::crc32c_append(self.seed, &record.packed);
        for word in [record.superblock.0, record.positions, record.raw, record.packed.len() as u32, sum] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        let sum = crc32c::crc32c_append(self.seed, &bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes.extend_from_slice(&record.packed);
        bytes
    }

    /// Writes the results in a superblock.
    ///
    /// # Errors
    /// The first one. After it, everything is ignored.
    pub(crate) fn add(
        &self,
        superblock: SuperblockId,
        positions: u64,
        cells: &SparseCells,
    ) -> io::Result<()> {
        self.add_records(&[LogRecord::new(superblock, positions, cells)?])
    }

    /// Writes records one after the other.
    ///
    /// # Errors
    /// The first one. After it, everything is ignored.
    pub(crate) fn add_records(&self, records: &[LogRecord]) -> io::Result<()> {
        let bytes = records.iter().map(|record| self.bytes(record)).collect::<Vec<Vec<u8>>>().concat();
        let mut state = self.state.lock();
        if state.failed {
            return Ok(());
        }
        let mut write = || {
            write_all(&mut *state.sink, &bytes)?;
            if state.synced.elapsed() >= SYNC_INTERVAL {
                state.sink.sync()?;
                state.synced = Instant::now();
            }
            Ok(())
        };
        let written = write().map_err(|error| failed(&self.path, "write", &error));
        state.failed = written.is_err();
        state.present.extend(records.iter().map(|record| record.superblock));
        written
    }

    /// Ends the phase if `result` says that it is complete; otherwise it stays open. Returns when everything
    /// is on disk.
    ///
    /// # Errors
    /// The error of `result`, or the end cannot be written.
    pub(crate) fn finish(self, result: Result<(), SolveError>) -> Result<(), SolveError> {
        let raw = self.begun.elapsed().as_millis() as u32;
        let mut state = self.state.lock();
        let positions = state.present.len() as u32;
        let end = self.bytes(&LogRecord { superblock: END_MARK, positions, raw, packed: Vec::new() });
        let end = if result.is_ok() { &end[..] } else { &[] };
        let synced = write_all(&mut *state.sink, end).and_then(|()| state.sink.sync());
        result.and_then(|()| Ok(synced.map_err(|error| failed(&self.path, "write", &error))?))
    }
}

/// The most bytes before compression: no superblock has more than all rows.
fn max_bytes(CellShape { words, cells }: CellShape) -> usize {
    cells * (8 * words + 64 * words * 9 * words)
}

/// The rows of a superblock as bytes.
fn packed(cells: &SparseCells) -> Vec<u8> {
    let SparseCells { present, rows, .. } = cells;
    let mut bytes = Vec::with_capacity(present.len() * 8 + rows.len() * 3);
    for word in present {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    let masks = bytes.len();
    bytes.resize(masks + rows.len(), 0);
    for (number, word) in rows.iter().enumerate() {
        let mut mask = 0;
        for (at, byte) in word.to_le_bytes().into_iter().enumerate() {
            if byte != 0 {
                mask |= 1 << at;
                bytes.push(byte);
            }
        }
        bytes[masks + number] = mask;
    }
    bytes
}

/// The inverse of [`packed`].
fn unpacked(bytes: &[u8], CellShape { words, cells }: CellShape) -> Option<SparseCells> {
    let (present, rest) = bytes.split_at_checked(cells * 8 * words)?;
    let present: Vec<u64> = present.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
    let count = count_bits(&present) as usize;
    let (masks, mut rest) = rest.split_at_checked(count * words)?;
    let mut rows = vec![0; count * words];
    for (word, &mask) in rows.iter_mut().zip(masks) {
        let (bytes, after) = rest.split_at_checked(mask.count_ones() as usize)?;
        rest = after;
        for (at, &byte) in crate::layout::sets::bits_of(mask.into()).zip(bytes) {
            *word |= u64::from(byte) << (8 * at);
        }
    }
    rest.is_empty().then(|| SparseCells::from_parts(words, present, rows))
}

//! The log of a long solve: what each phase found, superblock by superblock, in files that a later run goes on from.
//!
//! A phase has a file, `phase-T-N.rgl`: T is in how many turns its positions end, N counts the runs that wrote for it.
//! What a phase finds depends on nothing but the phases before, so a record that is missing or damaged is simply found
//! again, and written to the next file; everything else stays. A phase is whole when it has an end record and as many
//! superblocks as that says. All numbers are little-endian.
//!
//! ```text
//! header, 48 bytes
//!    0  8  magic: 89 'R' 'G' 'L' 0D 0A 1A 0A
//!    8  4  format version
//!   12  4  turns
//!   16 28  what it belongs to: the beginning of a BLAKE3 hash of game, versions and scope
//!   44  4  CRC-32C of all that, the header checksum
//! records, in the order in which they were found
//!    0  4  superblock; FF FF FF FF in the end record
//!    4  4  positions
//!    8  4  bytes before compression
//!   12  4  bytes n that follow
//!   16  4  CRC-32C of those, begun with the header checksum
//!   20  4  CRC-32C of these 20 bytes, begun with the header checksum
//!   24  n  zstd: which rows each cell has; for each word of the rows which of its bytes are not zero; those bytes
//! ```
//!
//! The end record has the number of superblocks instead of positions, no bytes, and in place of their number before
//! compression the milliseconds that the run took for the phase. In the log of what is won in one
//! turn there are numbers only. So there are in that of the draws, which counts as one of 65,535 turns, but for the
//! positions before the first push: of those that are drawn it has the cells. Where wins are kept, what is won in one turn by
//! leaving the opponent without a push has a log of its own, as if it took 65,534 turns.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use retrograde_table::{Sink, Source, Storage, read_up_to, write_all};

use crate::layout::sparse::Cells;

const MAGIC: [u8; 8] = *b"\x89RGL\r\n\x1a\n";
const VERSION: u32 = 1;
const HEADER: usize = 48;
const RECORD: usize = 24;
const END: u32 = u32::MAX;
const PHASE: &str = "phase-";
const LEFT: &str = "left-";
const OTHERS: &str = "others-";
const WINS: &str = "wins-";
const END_OF_NAME: &str = ".rgl";
/// The level of compression: a log is written once and read once or twice.
const LEVEL: i32 = 1;
/// What may be lost when the machine stops.
const SYNC: Duration = Duration::from_secs(30);
/// The number of the draws' log.
pub(crate) const DRAWS: u16 = u16::MAX;
/// The number of the log of what is won in one turn by leaving the opponent without a push.
pub(crate) const STUCK: u16 = DRAWS - 1;

/// Where the logs of a solve are.
#[derive(Clone)]
pub(crate) struct Log {
    directory: PathBuf,
    /// What its files' names begin with.
    prefix: String,
    identity: [u8; 28],
    storage: Arc<dyn Storage>,
}

/// A record's place.
#[derive(Clone, Copy)]
struct Place {
    file: usize,
    offset: u64,
    raw: u32,
    packed: u32,
    sum: u32,
    positions: u32,
}

/// What a log has of a phase.
pub(crate) struct Found {
    files: Vec<(PathBuf, Box<dyn Source>, u32)>,
    places: BTreeMap<u32, Place>,
    /// Superblocks that the end record says, if there is one.
    end: Option<u32>,
    /// What the files' runs took.
    milliseconds: u64,
    /// What is not as it was written.
    pub damage: Vec<String>,
}

impl Log {
    pub(crate) fn new(directory: &Path, identity: &str, storage: Arc<dyn Storage>) -> Log {
        let hash = blake3::hash(identity.as_bytes());
        let mut identity = [0; 28];
        identity.copy_from_slice(&hash.as_bytes()[..28]);
        Log { directory: directory.to_owned(), prefix: PHASE.to_owned(), identity, storage }
    }

    /// Where a part of a board keeps what is left of it after so many turns: files of the same form.
    pub(crate) fn left(&self, part: usize, parts: usize) -> Log {
        self.beside(format!("{LEFT}{part}of{parts}-"))
    }

    /// Where positions are kept that no push can have led to: files of the same form.
    pub(crate) fn others(&self) -> Log {
        self.beside(OTHERS.to_owned())
    }

    /// Where wins are kept that are to be compared with others: files of the same form.
    pub(crate) fn wins(&self) -> Log {
        self.beside(WINS.to_owned())
    }

    fn beside(&self, prefix: String) -> Log {
        let mut identity = [0; 28];
        let hash = blake3::hash(&[&self.identity, prefix.as_bytes()].concat());
        identity.copy_from_slice(&hash.as_bytes()[..28]);
        Log { prefix, identity, ..self.clone() }
    }

    fn failed(&self, path: &Path, what: &str, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("cannot {what} {}: {error}", path.display()))
    }

    /// The files of a phase, by number.
    fn files(&self, turns: u16) -> io::Result<Vec<(u32, PathBuf)>> {
        let names = match self.storage.names(&self.directory) {
            Ok(names) => names,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(self.failed(&self.directory, "read", &error)),
        };
        let mut files: Vec<(u32, PathBuf)> = names
            .iter()
            .filter_map(|name| {
                let name_of = name.strip_prefix(&self.prefix)?.strip_suffix(END_OF_NAME)?;
                let (phase, number) = name_of.split_once('-')?;
                let number = number.parse().ok()?;
                (phase.parse() == Ok(turns)).then(|| (number, self.directory.join(name)))
            })
            .collect();
        files.sort();
        Ok(files)
    }

    fn header(&self, turns: u16) -> [u8; HEADER] {
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(&MAGIC);
        header[8..12].copy_from_slice(&VERSION.to_le_bytes());
        header[12..16].copy_from_slice(&u32::from(turns).to_le_bytes());
        header[16..44].copy_from_slice(&self.identity);
        let sum = crc32c::crc32c(&header[..44]);
        header[44..].copy_from_slice(&sum.to_le_bytes());
        header
    }

    /// Looks through the records of a phase. Files of other versions or games have nothing.
    pub(crate) fn open(&self, turns: u16) -> io::Result<Found> {
        let mut found = Found {
            files: Vec::new(),
            places: BTreeMap::new(),
            end: None,
            milliseconds: 0,
            damage: Vec::new(),
        };
        let expected = self.header(turns);
        for (_, path) in self.files(turns)? {
            let source = self.storage.open(&path).map_err(|error| self.failed(&path, "read", &error))?;
            let mut header = [0; HEADER];
            let read = read_up_to(&*source, &mut header, 0);
            if read.map_err(|error| self.failed(&path, "read", &error))? < HEADER || header != expected {
                found.damage.push(format!("{} is not of this solve", path.display()));
                continue;
            }
            let seed = word(&header, 44);
            found.scan(&path, &*source, seed).map_err(|error| self.failed(&path, "read", &error))?;
            found.files.push((path, source, seed));
        }
        Ok(found)
    }

    /// Begins the next file of a phase.
    pub(crate) fn write(&self, turns: u16) -> io::Result<Writer> {
        let number = self.files(turns)?.last().map_or(0, |(number, _)| number + 1);
        let name = format!("{}{turns:03}-{number}{END_OF_NAME}", self.prefix);
        let path = self.directory.join(name);
        let begin = || {
            let mut sink = self.storage.create(&path)?;
            write_all(&mut *sink, &self.header(turns))?;
            self.storage.sync_directory(&self.directory)?;
            Ok(sink)
        };
        let sink = begin().map_err(|error| self.failed(&path, "write", &error))?;
        let seed = word(&self.header(turns), 44);
        let state = State { sink, synced: Instant::now(), failed: None };
        Ok(Writer { path, seed, begun: Instant::now(), state: Mutex::new(state) })
    }

    /// Removes the logs of all phases, and what parts have left.
    pub(crate) fn remove(&self) -> io::Result<()> {
        self.remove_those(|name| [PHASE, LEFT, OTHERS, WINS].iter().any(|prefix| name.starts_with(prefix)))
    }

    /// Removes what parts have left where a board was cut into another number of parts.
    pub(crate) fn remove_left(&self, parts: usize) -> io::Result<()> {
        let cut = format!("of{parts}");
        self.remove_those(|name| {
            name.starts_with(LEFT) && name.split('-').nth(1).is_none_or(|part| !part.ends_with(&cut))
        })
    }

    fn remove_those(&self, which: impl Fn(&str) -> bool) -> io::Result<()> {
        let names = self.storage.names(&self.directory).unwrap_or_default();
        let mut those = names.into_iter().filter(|name| name.ends_with(END_OF_NAME) && which(name));
        those.try_for_each(|name| self.remove_file(&self.directory.join(name)))
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.storage.remove(path).map_err(|error| self.failed(path, "remove", &error))
    }

    /// Removes the files of a phase.
    pub(crate) fn remove_phase(&self, turns: u16) -> io::Result<()> {
        self.files(turns)?.iter().try_for_each(|(_, path)| self.remove_file(path))
    }

    /// The phases that have files, ascending.
    pub(crate) fn phases(&self) -> io::Result<Vec<u16>> {
        let names = self.storage.names(&self.directory);
        let names = names.map_err(|error| self.failed(&self.directory, "read", &error))?;
        let phase = |name: &String| -> Option<u16> {
            let name = name.strip_prefix(&self.prefix)?.strip_suffix(END_OF_NAME)?;
            name.split_once('-')?.0.parse().ok()
        };
        let mut phases: Vec<u16> = names.iter().filter_map(phase).collect();
        phases.sort_unstable();
        phases.dedup();
        Ok(phases)
    }
}

/// What is damaged is found again by the next try, which looks through all logs first.
pub(crate) fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{what} is damaged"))
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

impl Found {
    fn scan(&mut self, path: &Path, source: &dyn Source, seed: u32) -> io::Result<()> {
        let file = self.files.len();
        let mut at = HEADER as u64;
        loop {
            let mut record = [0; RECORD];
            match read_up_to(source, &mut record, at)? {
                RECORD => {}
                // The end of the file, or the run that wrote it was ended.
                _ => return Ok(()),
            }
            if word(&record, 20) != crc32c::crc32c_append(seed, &record[..20]) {
                self.damage.push(format!("{} at byte {at}", path.display()));
                return Ok(());
            }
            let (superblock, positions) = (word(&record, 0), word(&record, 4));
            let (raw, packed, sum) = (word(&record, 8), word(&record, 12), word(&record, 16));
            let offset = at + RECORD as u64;
            at = offset + u64::from(packed);
            if superblock == END {
                self.end = Some(positions);
                self.milliseconds += u64::from(raw);
            } else {
                self.places.insert(superblock, Place { file, offset, raw, packed, sum, positions });
            }
        }
    }

    /// Whether nothing is missing, as far as the records' heads tell.
    pub(crate) fn is_whole(&self) -> bool {
        self.end.is_some_and(|end| end as usize == self.places.len())
    }

    /// Whether everything can be read as it was written.
    pub(crate) fn is_sound(&self) -> io::Result<bool> {
        for place in self.places.values() {
            if self.bytes(place)?.is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads everything, and forgets what is damaged.
    pub(crate) fn check(&mut self) -> io::Result<()> {
        let mut damaged = Vec::new();
        for (&superblock, place) in &self.places {
            if let Err(what) = self.bytes(place)? {
                damaged.push((superblock, what));
            }
        }
        for (superblock, what) in damaged {
            self.places.remove(&superblock);
            self.damage.push(what);
        }
        Ok(())
    }

    /// A record's bytes, or what is damaged.
    fn bytes(&self, place: &Place) -> io::Result<Result<Vec<u8>, String>> {
        let (path, source, seed) = &self.files[place.file];
        let mut packed = vec![0; place.packed as usize];
        let read = read_up_to(&**source, &mut packed, place.offset).map_err(|error| {
            io::Error::new(error.kind(), format!("cannot read {}: {error}", path.display()))
        })?;
        let right = read == packed.len() && crc32c::crc32c_append(*seed, &packed) == place.sum;
        Ok(if right { Ok(packed) } else { Err(self.where_is(place)) })
    }

    fn where_is(&self, place: &Place) -> String {
        format!("{} at byte {}", self.files[place.file].0.display(), place.offset)
    }

    /// The superblocks that are there, each with the number of its positions.
    pub(crate) fn superblocks(&self) -> impl Iterator<Item = (usize, u64)> {
        self.places.iter().map(|(&superblock, place)| (superblock as usize, place.positions.into()))
    }

    /// What was found in a superblock. What is damaged is not there any more afterwards; that is said in `Err`.
    pub(crate) fn read<const W: usize>(
        &self,
        superblock: usize,
        cells: usize,
    ) -> io::Result<Result<Cells<W>, String>> {
        let Some(&place) = self.places.get(&(superblock as u32)) else { return Ok(Ok(Cells::empty())) };
        if place.packed == 0 {
            return Ok(Ok(Cells::empty()));
        }
        let packed = match self.bytes(&place)? {
            Ok(packed) => packed,
            Err(damage) => return Ok(Err(damage)),
        };
        let record =
            Record { superblock: superblock as u32, positions: place.positions, raw: place.raw, packed };
        Ok(record.cells(cells).ok_or_else(|| self.where_is(&place)))
    }

    /// What was found in a superblock, where nothing is known to be damaged.
    ///
    /// # Errors
    /// If it is damaged all the same, or cannot be read.
    pub(crate) fn read_sound<const W: usize>(&self, superblock: usize, cells: usize) -> io::Result<Cells<W>> {
        self.read(superblock, cells)?.map_err(|what| damaged(&what))
    }

    /// Forgets all other superblocks.
    pub(crate) fn keep(&mut self, keep: impl Fn(usize) -> bool) {
        self.places.retain(|&superblock, _| keep(superblock as usize));
    }

    /// How long it took to find this.
    pub(crate) fn seconds(&self) -> f64 {
        self.milliseconds as f64 / 1e3
    }

    /// Forgets a superblock that cannot be read.
    pub(crate) fn forget(&mut self, superblock: usize) {
        self.places.remove(&(superblock as u32));
    }
}

/// What was found in a superblock, as it is written, and sent to other processes.
pub(crate) struct Record {
    pub superblock: u32,
    pub positions: u32,
    /// Bytes before compression.
    raw: u32,
    packed: Vec<u8>,
}

impl Record {
    pub(crate) fn new<const W: usize>(
        superblock: usize,
        positions: u64,
        cells: &Cells<W>,
    ) -> io::Result<Record> {
        let raw = if cells.is_empty() { Vec::new() } else { packed(cells) };
        let packed = if raw.is_empty() { Vec::new() } else { zstd::bulk::compress(&raw, LEVEL)? };
        let (superblock, positions) = (superblock as u32, positions as u32);
        Ok(Record { superblock, positions, raw: raw.len() as u32, packed })
    }

    /// What it holds, of superblocks with so many cells; `None` if it is no such record.
    pub(crate) fn cells<const W: usize>(&self, cells: usize) -> Option<Cells<W>> {
        if self.packed.is_empty() {
            return Some(Cells::empty());
        }
        // No superblock has more than all rows.
        let most = cells * (8 * W + 64 * W * 9 * W);
        if self.raw as usize > most {
            return None;
        }
        unpacked(&zstd::bulk::decompress(&self.packed, self.raw as usize).ok()?, cells)
    }

    /// As it is sent.
    pub(crate) fn message(&self) -> Vec<u8> {
        let words = [self.superblock, self.positions, self.raw];
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.extend_from_slice(&self.packed);
        bytes
    }

    /// The inverse of [`Record::message`].
    pub(crate) fn from_message(message: &[u8]) -> Option<Record> {
        let (words, packed) = message.split_at_checked(12)?;
        let (superblock, positions, raw) = (word(words, 0), word(words, 4), word(words, 8));
        Some(Record { superblock, positions, raw, packed: packed.to_vec() })
    }
}

struct State {
    sink: Box<dyn Sink>,
    synced: Instant,
    failed: Option<io::Error>,
}

/// Writes the records of a phase, from several threads.
pub(crate) struct Writer {
    path: PathBuf,
    seed: u32,
    begun: Instant,
    state: Mutex<State>,
}

impl Writer {
    /// A record's bytes in the file.
    fn bytes(&self, record: &Record) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(RECORD + record.packed.len());
        let sum = crc32c::crc32c_append(self.seed, &record.packed);
        for word in [record.superblock, record.positions, record.raw, record.packed.len() as u32, sum] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        let sum = crc32c::crc32c_append(self.seed, &bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes.extend_from_slice(&record.packed);
        bytes
    }

    /// Writes what was found in a superblock. A failure is kept, see [`Writer::failed`].
    pub(crate) fn add<const W: usize>(&self, superblock: usize, positions: u64, cells: &Cells<W>) {
        self.add_record(Record::new(superblock, positions, cells));
    }

    /// Writes a record, or keeps why there is none.
    pub(crate) fn add_record(&self, record: io::Result<Record>) {
        let bytes = record.map(|record| self.bytes(&record));
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.failed.is_some() {
            return;
        }
        let write = || {
            write_all(&mut *state.sink, &bytes?)?;
            if state.synced.elapsed() >= SYNC {
                state.sink.sync()?;
                state.synced = Instant::now();
            }
            Ok::<_, io::Error>(())
        };
        if let Err(error) = write() {
            state.failed = Some(error);
        }
    }

    /// Whether something could not be written.
    pub(crate) fn failed(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).failed.is_some()
    }

    /// Ends the phase, with so many superblocks in all its files; returns when everything is on the disk. With `None`
    /// it is left open.
    pub(crate) fn finish(self, superblocks: Option<usize>) -> io::Result<()> {
        let milliseconds = self.begun.elapsed().as_millis();
        let end = superblocks.map(|count| {
            let (positions, raw) = (count as u32, milliseconds as u32);
            self.bytes(&Record { superblock: END, positions, raw, packed: Vec::new() })
        });
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let finish = || match state.failed.take() {
            Some(error) => Err(error),
            None => {
                if let Some(end) = end {
                    write_all(&mut *state.sink, &end)?;
                }
                state.sink.sync()
            }
        };
        finish().map_err(|error| {
            io::Error::new(error.kind(), format!("cannot write {}: {error}", self.path.display()))
        })
    }
}

/// The rows of a superblock as bytes.
fn packed<const W: usize>(cells: &Cells<W>) -> Vec<u8> {
    let (there, rows) = cells.parts();
    let mut bytes = Vec::with_capacity(there.len() * 8 * W + rows.len() * 3 * W);
    for word in there.iter().flatten() {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    let masks = bytes.len();
    bytes.resize(masks + rows.len() * W, 0);
    for (number, word) in rows.iter().flatten().enumerate() {
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
fn unpacked<const W: usize>(bytes: &[u8], cells: usize) -> Option<Cells<W>> {
    let (there, rest) = bytes.split_at_checked(cells * 8 * W)?;
    let mut words = there.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
    let there: Vec<[u64; W]> = (0..cells)
        .map(|_| {
            let mut row = [0; W];
            row.iter_mut().for_each(|word| *word = words.next().unwrap_or(0));
            row
        })
        .collect();
    let count: usize = there.iter().flatten().map(|word| word.count_ones() as usize).sum();
    let (masks, mut rest) = rest.split_at_checked(count * W)?;
    let mut rows = vec![[0; W]; count];
    for (row, masks) in rows.iter_mut().zip(masks.chunks(W)) {
        for (word, &mask) in row.iter_mut().zip(masks) {
            let (bytes, after) = rest.split_at_checked(mask.count_ones() as usize)?;
            rest = after;
            for (at, &byte) in crate::layout::sets::squares(mask.into()).zip(bytes) {
                *word |= u64::from(byte) << (8 * at);
            }
        }
    }
    rest.is_empty().then(|| Cells::from_parts(there, rows))
}

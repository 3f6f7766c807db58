//! What an interrupted solve goes on from: every process writes what it owns to a shard, and when all are on their
//! disks process 0 writes a manifest that names them. The manifest comes last, so there is always a whole state:
//! the one before, or the new one. All of it stands in `cluster` in the directory of the game, on a file system
//! that the processes share or each on its own.
//!
//! The next run may have other processes: the manifest says how positions were dealt, every process says which shards it
//! finds, each shard is read by one of them, and what it holds is sent to whoever owns it now. A shard that is
//! missing or damaged is an error that names it, not a reason to begin anew: it may lie on a disk that is only not
//! there at the moment.
//!
//! A shard, all numbers little-endian:
//!
//! ```text
//!   8  magic: 89 'R' 'G' 'S' 0D 0A 1A 0A
//!   4  format version, 1
//!   4  length n of the identity
//!   8  stage, the solver's measure
//!   8  sequence number of the checkpoint
//!   4  process
//!   1  bytes of a score
//!   1  bytes of a counter, or 0
//!   2  0
//!   8  number of places
//!   n  identity
//! pieces of up to 2^18 places: their scores, their counters, and
//!  32  BLAKE3 of the sum before (of the header for the first) and all that
//! ```
//!
//! The last sum is the seal that the manifest repeats.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use retrograde_game::Dense;
use retrograde_solve::array::{ScoreArray, SharedScore};
use retrograde_table::CheckpointPace;
use serde::{Deserialize, Serialize};

use crate::packet::{Kind, Packet, pack, unpack};
use crate::run::Run;
use crate::wire::{Tally, Wire};
use crate::{ClusterError, Partition};

const MAGIC: &[u8; 8] = b"\x89RGS\r\n\x1a\n";
const VERSION: u32 = 1;
const MANIFEST: &str = "manifest.json";
/// Places of a piece.
const PIECE: u64 = 1 << 18;
/// Pieces that a process reads in a round.
const PIECES_A_ROUND: u64 = 8;
/// A longer manifest is none.
const MOST_MANIFEST: u64 = 4 << 20;

/// A whole state.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
struct Manifest {
    format: u32,
    identity: String,
    stage: u64,
    sequence: u64,
    score_bytes: u8,
    counter_bytes: u8,
    /// How it was dealt.
    count: u64,
    block_bits: u32,
    threads: Vec<u32>,
    shards: Vec<ShardFile>,
}

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
struct ShardFile {
    file: String,
    bytes: u64,
    seal: String,
}

/// Where the shards of a process are.
#[derive(Debug)]
pub struct ClusterCheckpoint {
    directory: PathBuf,
    identity: String,
    pace: CheckpointPace,
    last: Instant,
    cost: Duration,
    found: Option<Manifest>,
    saved: u64,
}

impl ClusterCheckpoint {
    /// Shards below the directory of a game. `identity` says what they are of: game, versions, solver; all processes say
    /// the same.
    pub fn new(game_directory: &Path, identity: impl Into<String>) -> ClusterCheckpoint {
        ClusterCheckpoint {
            directory: game_directory.join("cluster"),
            identity: identity.into(),
            pace: CheckpointPace::default(),
            last: Instant::now(),
            cost: Duration::ZERO,
            found: None,
            saved: 0,
        }
    }

    /// With another pace.
    #[must_use]
    pub fn pace(mut self, pace: CheckpointPace) -> ClusterCheckpoint {
        self.pace = pace;
        self
    }

    /// How many checkpoints this run has written.
    pub fn saved(&self) -> u64 {
        self.saved
    }

    /// Whether saving is worth its cost now.
    pub(crate) fn due(&self) -> bool {
        self.pace.is_due(self.last.elapsed(), self.cost)
    }

    /// Removes all that was saved here, when there is a table or the work is to begin anew.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn remove(&self) -> Result<(), ClusterError> {
        match fs::remove_dir_all(&self.directory) {
            Err(error) if self.directory.exists() => Err(ClusterError::file(&self.directory, error)),
            _ => Ok(()),
        }
    }

    fn wrong(&self, file: &str, reason: impl Into<String>) -> ClusterError {
        ClusterError::Checkpoint { file: self.directory.join(file), reason: reason.into() }
    }

    /// Reads the manifest that process 0 has, for all: the bytes of a score in it, if there is one.
    pub(crate) fn look(&mut self, wire: &mut Wire) -> Result<Option<usize>, ClusterError> {
        let path = self.directory.join(MANIFEST);
        let mut text = Vec::new();
        if wire.me == 0 {
            match File::open(&path) {
                Ok(file) => {
                    let read = file.take(MOST_MANIFEST).read_to_end(&mut text);
                    read.map_err(|error| ClusterError::file(&path, error))?;
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(ClusterError::file(&path, error)),
            }
        }
        let text = wire.tell(&text)?.swap_remove(0);
        if text.is_empty() {
            return Ok(None);
        }
        let again = "remove it, or solve with --again, to begin anew";
        let manifest: Manifest = serde_json::from_slice(&text)
            .map_err(|error| self.wrong(MANIFEST, format!("it cannot be read ({error}); {again}")))?;
        if manifest.format != VERSION || manifest.identity != self.identity {
            let reason = format!(
                "it is of “{}”, and this is “{}”; {again}",
                manifest.identity.escape_debug(),
                self.identity
            );
            return Err(self.wrong(MANIFEST, reason));
        }
        let sound = manifest.shards.len() == manifest.threads.len()
            && !manifest.shards.is_empty()
            && manifest.block_bits <= 32
            && matches!(manifest.score_bytes, 1 | 2)
            && manifest.shards.iter().all(|shard| !shard.file.contains(['/', '\\']));
        if !sound {
            return Err(self.wrong(MANIFEST, format!("its numbers are impossible; {again}")));
        }
        let score_bytes = usize::from(manifest.score_bytes);
        self.found = Some(manifest);
        Ok(Some(score_bytes))
    }

    fn header(&self, about: &Manifest, process: u32, places: u64) -> Vec<u8> {
        let mut header = Vec::new();
        header.extend_from_slice(MAGIC);
        header.extend_from_slice(&VERSION.to_le_bytes());
        header.extend_from_slice(&(self.identity.len() as u32).to_le_bytes());
        header.extend_from_slice(&about.stage.to_le_bytes());
        header.extend_from_slice(&about.sequence.to_le_bytes());
        header.extend_from_slice(&process.to_le_bytes());
        header.extend_from_slice(&[about.score_bytes, about.counter_bytes, 0, 0]);
        header.extend_from_slice(&places.to_le_bytes());
        header.extend_from_slice(self.identity.as_bytes());
        header
    }
}

/// The sum of a piece.
fn sum(before: &blake3::Hash, bytes: &[u8]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(before.as_bytes());
    hasher.update(bytes);
    hasher.finalize()
}

fn shard_name(sequence: u64, process: usize) -> String {
    format!("{sequence}-{process}.shard")
}

/// Writes a file under another name, syncs it, and gives it its name.
fn replace(path: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".tmp");
    let unfinished = PathBuf::from(unfinished);
    let write = || {
        let mut out = BufWriter::with_capacity(1 << 20, File::create(&unfinished)?);
        fill(&mut out)?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(&unfinished, path)?;
        #[cfg(unix)]
        if let Some(directory) = path.parent() {
            File::open(directory)?.sync_all()?;
        }
        Ok(())
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(&unfinished);
    })
}

impl<G: Dense, S: SharedScore> Run<'_, '_, G, S> {
    /// Saves what all processes have; all call it at the same place.
    pub(crate) fn save(&mut self, stage: u64, counters: &[AtomicU16]) -> Result<(), ClusterError> {
        let Some(shards) = self.job.shards.as_deref_mut() else { return Ok(()) };
        let began = Instant::now();
        let mut about = Manifest {
            format: VERSION,
            identity: shards.identity.clone(),
            stage,
            sequence: shards.found.as_ref().map_or(0, |found| found.sequence) + 1,
            score_bytes: S::BYTES as u8,
            counter_bytes: if counters.is_empty() { 0 } else { 2 },
            count: self.deal.count(),
            block_bits: self.deal.bits(),
            threads: self.session.threads.clone(),
            shards: Vec::new(),
        };
        let directory = &shards.directory;
        fs::create_dir_all(directory).map_err(|error| ClusterError::file(directory, error))?;
        let path = directory.join(shard_name(about.sequence, self.me as usize));
        let header = shards.header(&about, self.me, self.scores.len() as u64);
        let (mut seal, mut bytes) = (blake3::hash(&header), header.len() as u64);
        let scores = &self.scores;
        replace(&path, |out| {
            out.write_all(&header)?;
            let places = scores.len() as u64;
            for from in (0..places).step_by(PIECE as usize) {
                let piece = piece(scores, counters, from..places.min(from + PIECE));
                seal = sum(&seal, &piece);
                out.write_all(&piece)?;
                out.write_all(seal.as_bytes())?;
                bytes += piece.len() as u64 + 32;
            }
            Ok(())
        })
        .map_err(|error| ClusterError::file(&path, error))?;
        let mut said = bytes.to_le_bytes().to_vec();
        said.extend_from_slice(seal.as_bytes());
        for (process, said) in self.session.wire.tell(&said)?.into_iter().enumerate() {
            let wrong = ClusterError::Protocol { from: process as u32, what: "a seal that is none" };
            let (Some((bytes, seal)), 40) = (said.split_first_chunk::<8>(), said.len()) else {
                return Err(wrong);
            };
            about.shards.push(ShardFile {
                file: shard_name(about.sequence, process),
                bytes: u64::from_le_bytes(*bytes),
                seal: seal.iter().map(|byte| format!("{byte:02x}")).collect(),
            });
        }
        if self.me == 0 {
            let path = directory.join(MANIFEST);
            let text = serde_json::to_vec_pretty(&about)
                .map_err(|error| ClusterError::file(&path, io::Error::other(error)))?;
            replace(&path, |out| out.write_all(&text)).map_err(|error| ClusterError::file(&path, error))?;
        }
        // The manifest is there; nobody removes what came before until all know.
        self.session.wire.agree(Tally::default())?;
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let name = entry.file_name().into_string().unwrap_or_default();
            let old = name.contains(".shard") && about.shards.iter().all(|shard| shard.file != name);
            if old {
                // What is left over is removed by the next one.
                let _ = fs::remove_file(entry.path());
            }
        }
        self.session.wire.agree(Tally::default())?;
        shards.found = Some(about);
        shards.saved += 1;
        shards.last = Instant::now();
        shards.cost = shards.last - began;
        Ok(())
    }

    /// Goes on from what was saved, if it has scores of this size: the stage, and the counters if there are any.
    pub(crate) fn resume(&mut self, counters: &mut Vec<u16>) -> Result<Option<u64>, ClusterError> {
        let Some(shards) = self.job.shards.as_deref() else { return Ok(None) };
        let Some(found) = shards.found.as_ref().filter(|found| usize::from(found.score_bytes) == S::BYTES)
        else {
            return Ok(None);
        };
        if found.count != self.deal.count() {
            return Err(shards.wrong(MANIFEST, format!("it has {} indices", found.count)));
        }
        self.job.progress.stage("reading what was saved", 0);
        let wire = &mut self.session.wire;
        let mut mine = shards.to_read(found, wire)?.into_iter();
        let old = Partition::with_bits(found.count, &found.threads, found.block_bits);
        if found.counter_bytes > 0 {
            counters.resize(self.scores.len(), 0);
        }
        let mut reader: Option<Reader> = None;
        let mut placed = 0;
        loop {
            let mut packets = Vec::new();
            let mut more = true;
            for _ in 0..PIECES_A_ROUND {
                reader = match reader {
                    Some(reader) if !reader.is_at_end() => Some(reader),
                    _ => match mine.next() {
                        Some(process) => Some(Reader::open(shards, found, &old, process)?),
                        None => None,
                    },
                };
                let Some(reader) = &mut reader else {
                    more = false;
                    break;
                };
                let (from, scores, counters) = reader.piece()?;
                packets.extend(address(
                    &old,
                    &self.deal,
                    (self.me, reader.process),
                    from,
                    &scores,
                    &counters,
                ));
            }
            let (packets, tally) = wire.round(packets, Tally::flag(Tally::MORE, more))?;
            for packet in packets {
                placed += place(&self.scores, counters, &packet)?;
            }
            if !tally.has(Tally::MORE) {
                break;
            }
        }
        let missing = Tally::flag(Tally::TOO_MANY, placed != self.scores.len() as u64);
        if wire.agree(missing)?.has(Tally::TOO_MANY) {
            return Err(shards.wrong(MANIFEST, "its shards do not hold all positions"));
        }
        Ok(Some(found.stage))
    }
}

impl ClusterCheckpoint {
    /// The shards that this process is to read: each is read by one of those who find it.
    fn to_read(&self, found: &Manifest, wire: &mut Wire) -> Result<Vec<usize>, ClusterError> {
        let is_there = |shard: &ShardFile| {
            let file = fs::metadata(self.directory.join(&shard.file));
            u8::from(file.is_ok_and(|file| file.len() == shard.bytes))
        };
        let said: Vec<u8> = found.shards.iter().map(is_there).collect();
        let said = wire.tell(&said)?;
        let mut load = vec![0_u32; said.len()];
        let mut mine = Vec::new();
        for (number, shard) in found.shards.iter().enumerate() {
            let readers = said.iter().zip(&mut load).enumerate();
            let readers = readers.filter(|(_, (said, _))| said.get(number) == Some(&1));
            let Some((reader, (_, load))) = readers.min_by_key(|(_, (_, load))| **load) else {
                let reason = "no process finds it whole; put it back, or solve with --again to begin anew";
                return Err(self.wrong(&shard.file, reason));
            };
            *load += 1;
            if reader == wire.me as usize {
                mine.push(number);
            }
        }
        Ok(mine)
    }
}

/// A shard that is read, piece by piece.
struct Reader {
    process: u32,
    path: PathBuf,
    file: BufReader<File>,
    places: u64,
    at: u64,
    sizes: (usize, usize),
    sum: blake3::Hash,
    seal: String,
}

impl Reader {
    fn open(
        shards: &ClusterCheckpoint,
        found: &Manifest,
        old: &Partition,
        process: usize,
    ) -> Result<Reader, ClusterError> {
        let shard = &found.shards[process];
        let path = shards.directory.join(&shard.file);
        let io = |error| ClusterError::file(&path, error);
        let mut file = BufReader::with_capacity(1 << 20, File::open(&path).map_err(io)?);
        let places = old.owned(process as u32);
        let header = shards.header(found, process as u32, places);
        let mut read = vec![0; header.len()];
        file.read_exact(&mut read).map_err(io)?;
        if read != header {
            return Err(shards.wrong(&shard.file, "it is not the shard that the manifest names"));
        }
        Ok(Reader {
            process: process as u32,
            file,
            places,
            at: 0,
            sizes: (usize::from(found.score_bytes), usize::from(found.counter_bytes)),
            sum: blake3::hash(&header),
            seal: shard.seal.clone(),
            path,
        })
    }

    fn is_at_end(&self) -> bool {
        self.at == self.places
    }

    /// The next piece: its first place, its scores, its counters. Nothing at the end.
    fn piece(&mut self) -> Result<(u64, Vec<u8>, Vec<u8>), ClusterError> {
        let damaged = |path: &Path, at| ClusterError::Checkpoint {
            file: path.to_owned(),
            reason: format!(
                "the piece that begins at place {at} is damaged; solve with --again to begin anew"
            ),
        };
        let (from, count) = (self.at, PIECE.min(self.places - self.at) as usize);
        if count == 0 {
            return Ok((from, Vec::new(), Vec::new()));
        }
        let mut scores = vec![0; count * (self.sizes.0 + self.sizes.1)];
        let mut seal = [0; 32];
        let read = self.file.read_exact(&mut scores).and_then(|()| self.file.read_exact(&mut seal));
        read.map_err(|error| ClusterError::file(&self.path, error))?;
        self.sum = sum(&self.sum, &scores);
        self.at += count as u64;
        if self.sum != blake3::Hash::from_bytes(seal)
            || self.is_at_end() && self.sum.to_hex().as_str() != self.seal
        {
            return Err(damaged(&self.path, from));
        }
        let counters = scores.split_off(count * self.sizes.0);
        Ok((from, scores, counters))
    }
}

/// Packets with a piece of an old shard for whoever owns it now: runs of places, each with its first place and length.
fn address(
    old: &Partition,
    new: &Partition,
    (me, process): (u32, u32),
    from: u64,
    scores: &[u8],
    counters: &[u8],
) -> Vec<Packet> {
    let mut bytes: Vec<Vec<u8>> = vec![Vec::new(); new.processes()];
    let pieces = old.pieces_of(process, from, from + PIECE).map(|(place, range)| (place - from, range));
    let total = if scores.is_empty() { 0 } else { old.owned(process).min(from + PIECE) - from };
    let (score, counter) = match total {
        0 => (0, 0),
        total => (scores.len() / total as usize, counters.len() / total as usize),
    };
    for (at, range) in pieces.take_while(|(at, _)| *at < total) {
        for (owner, place, part) in new.pieces(range.clone()) {
            let first = (at + part.start - range.start) as usize;
            let count = (part.end - part.start) as usize;
            let out = &mut bytes[owner as usize];
            pack(out, place);
            pack(out, count as u64);
            out.extend_from_slice(&scores[first * score..(first + count) * score]);
            out.extend_from_slice(&counters[first * counter..(first + count) * counter]);
        }
    }
    let packets = (0..).zip(bytes).filter(|(_, bytes)| !bytes.is_empty());
    packets.map(|(to, bytes)| Packet { to, from: me, round: 0, kind: Kind::Saved, tag: 0, bytes }).collect()
}

/// Takes what was saved of own places; how many.
fn place<S: SharedScore>(
    scores: &ScoreArray<S>,
    counters: &mut [u16],
    packet: &Packet,
) -> Result<u64, ClusterError> {
    let wrong = || ClusterError::Protocol { from: packet.from, what: "what was not saved here" };
    if packet.kind != Kind::Saved {
        return Err(wrong());
    }
    let mut bytes = packet.bytes.as_slice();
    let mut placed = 0;
    while !bytes.is_empty() {
        let first = unpack(&mut bytes).ok_or_else(wrong)?;
        let count = unpack(&mut bytes).ok_or_else(wrong)?;
        let end = first.checked_add(count).filter(|&end| end <= scores.len() as u64).ok_or_else(wrong)?;
        for (at, place) in (first..end).enumerate() {
            scores.set(place, S::take(bytes, at).ok_or_else(wrong)?);
        }
        bytes = bytes.get(count as usize * S::BYTES..).ok_or_else(wrong)?;
        if !counters.is_empty() {
            for (at, place) in (first..end).enumerate() {
                counters[place as usize] = <u16 as SharedScore>::take(bytes, at).ok_or_else(wrong)?;
            }
            bytes = bytes.get(count as usize * 2..).ok_or_else(wrong)?;
        }
        placed += count;
    }
    Ok(placed)
}

/// The bytes of a piece.
fn piece<S: SharedScore>(
    scores: &ScoreArray<S>,
    counters: &[AtomicU16],
    places: std::ops::Range<u64>,
) -> Vec<u8> {
    let mut bytes = Vec::with_capacity((places.end - places.start) as usize * 4);
    places.clone().for_each(|place| scores.get(place).put(&mut bytes));
    if !counters.is_empty() {
        for place in places {
            bytes.extend_from_slice(&counters[place as usize].load(Ordering::Relaxed).to_le_bytes());
        }
    }
    bytes
}

//! Checkpoints of a solve. Every process writes the positions it owns to a *shard*; once all shards are
//! on disk, process 0 writes a *manifest* that lists them. Since the manifest is written last, there is
//! always a complete state: the previous one or the new one. All files are in `cluster` in the directory
//! of the game, on a shared file system or on each process's own disk.
//!
//! The next run may have a different number of processes. Every process reports which shards it finds,
//! one of them reads each shard, and its pieces are split among the owners of their contents. A missing
//! or damaged shard causes an error that names it. The solve does not start over, since the disk may
//! only be unavailable for now.

pub(crate) mod manifest;
pub(crate) mod shard;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use retrograde_solve::together::{DividePiece, SavePiece, SavedAt, SharedCheckpoint};
use retrograde_solve::{Exchange, Piece, SolveError, Tally};
use retrograde_table::{
    CheckpointPace, DiskStorage, Storage, read_file, replace_file, unseal_json, write_sealed,
};

use crate::error::ClusterError;
use crate::join::MAX_PROCESSES;
use manifest::{MANIFEST, Manifest, ShardFile, VERSION};
use shard::{ShardReader, ShardWriter, shard_name};

/// The number of pieces that a process reads in a round.
const PIECES_A_ROUND: u64 = 8;

/// Manifests longer than this are rejected.
const MAX_MANIFEST: u64 = 4 << 20;

/// A process's handle to the checkpoint of a game.
#[derive(Debug)]
pub struct ClusterCheckpoint {
    pub(crate) directory: PathBuf,
    pub(crate) identity: String,
    pub(crate) storage: Arc<dyn Storage>,
    pub(crate) pace: CheckpointPace,
    pub(crate) last: Instant,
    pub(crate) cost: Duration,
    pub(crate) found: Option<Manifest>,
    pub(crate) saved: u64,
}

impl ClusterCheckpoint {
    /// Uses the subdirectory `cluster` of a game's directory. `identity` names the game, versions and
    /// solver, and must be the same in all processes.
    pub fn new(game_directory: &Path, identity: impl Into<String>) -> ClusterCheckpoint {
        ClusterCheckpoint {
            directory: game_directory.join("cluster"),
            identity: identity.into(),
            storage: Arc::new(DiskStorage),
            pace: CheckpointPace::default(),
            last: Instant::now(),
            cost: Duration::ZERO,
            found: None,
            saved: 0,
        }
    }

    /// Uses `storage` instead of the disk.
    #[must_use]
    pub fn storage(mut self, storage: Arc<dyn Storage>) -> ClusterCheckpoint {
        self.storage = storage;
        self
    }

    /// Sets the pace of checkpoints.
    #[must_use]
    pub fn pace(mut self, pace: CheckpointPace) -> ClusterCheckpoint {
        self.pace = pace;
        self
    }

    /// Returns the number of checkpoints that this run has written.
    pub fn saved(&self) -> u64 {
        self.saved
    }

    /// Removes the checkpoint, once there is a table or to start over.
    ///
    /// # Errors
    /// Returns an error if the directory cannot be removed.
    pub fn remove(&self) -> Result<(), ClusterError> {
        match self.storage.remove_directory(&self.directory) {
            Err(error) if self.directory.exists() => Err(ClusterError::file(&self.directory, error)),
            _ => Ok(()),
        }
    }

    pub(crate) fn wrong(&self, file: &str, reason: impl Into<String>) -> ClusterError {
        ClusterError::unusable(self.directory.join(file).display(), reason)
    }

    /// Parses and validates the text of a manifest.
    pub(crate) fn understood(&self, text: &[u8]) -> Result<Manifest, ClusterError> {
        let again = "remove it, or solve with --again to start over";
        // Every process checks the manifest that it receives.
        let body = unseal_json(text).map_err(|reason| self.wrong(MANIFEST, format!("{reason}; {again}")))?;
        let manifest: Manifest = serde_json::from_slice(&body)
            .map_err(|error| self.wrong(MANIFEST, format!("it cannot be read ({error}); {again}")))?;
        if manifest.format != VERSION || manifest.identity != self.identity {
            let reason = format!(
                "it belongs to “{}”, not to “{}”; {again}",
                manifest.identity.escape_debug(),
                self.identity
            );
            return Err(self.wrong(MANIFEST, reason));
        }
        let sound = (1..=MAX_PROCESSES).contains(&manifest.shards.len())
            && matches!(manifest.score_bytes, 1 | 2)
            && manifest.shards.iter().all(|shard| !shard.file.contains(['/', '\\']));
        if !sound {
            return Err(self.wrong(MANIFEST, format!("its numbers are impossible; {again}")));
        }
        Ok(manifest)
    }

    /// Returns the shards that this process must read. Exactly one process that finds a shard reads it.
    fn to_read(&self, found: &Manifest, exchange: &mut dyn Exchange) -> Result<Vec<usize>, SolveError> {
        let is_there = |shard: &ShardFile| {
            let length = self.storage.open(&self.directory.join(&shard.file)).and_then(|file| file.length());
            u8::from(length.is_ok_and(|length| length == shard.bytes))
        };
        let present: Vec<u8> = found.shards.iter().map(is_there).collect();
        let present = exchange.tell_all(&present)?;
        let mut load = vec![0_u32; present.len()];
        let mut mine = Vec::new();
        for (number, shard) in found.shards.iter().enumerate() {
            let readers = present.iter().zip(&mut load).enumerate();
            let readers = readers.filter(|(_, (present, _))| present.get(number) == Some(&1));
            let Some((reader, (_, load))) = readers.min_by_key(|(_, (_, load))| **load) else {
                let reason =
                    "no process has a complete copy; restore it, or solve with --again to start over";
                return Err(self.wrong(&shard.file, reason).into());
            };
            *load += 1;
            if reader == exchange.process() {
                mine.push(number);
            }
        }
        Ok(mine)
    }
}

impl SharedCheckpoint for ClusterCheckpoint {
    fn due(&self) -> bool {
        self.pace.is_due(self.last.elapsed(), self.cost)
    }

    fn look(&mut self, exchange: &mut dyn Exchange) -> Result<Option<SavedAt>, SolveError> {
        // Process 0 has the manifest.
        let path = self.directory.join(MANIFEST);
        let text = match exchange.process() {
            0 => read_file(&*self.storage, &path, MAX_MANIFEST).map_err(ClusterError::from)?,
            _ => None,
        };
        let text = text.unwrap_or_default();
        let text = exchange.tell_all(&text)?.swap_remove(0);
        if text.is_empty() {
            return Ok(None);
        }
        let found = self.understood(&text)?;
        let at = SavedAt { stage: found.stage, score_bytes: found.score_bytes, positions: found.count };
        self.found = Some(found);
        Ok(Some(at))
    }

    fn load(
        &self,
        exchange: &mut dyn Exchange,
        divide: DividePiece<'_>,
        take: &mut dyn FnMut(&[u8]) -> Option<()>,
    ) -> Result<(), SolveError> {
        let Some(found) = &self.found else { return Ok(()) };
        let mut shards = self.to_read(found, exchange)?.into_iter();
        let mut reader: Option<ShardReader> = None;
        loop {
            let (mut pieces, mut more) = (Vec::new(), true);
            for _ in 0..PIECES_A_ROUND {
                let Some(piece) = self.next_piece(found, &mut reader, &mut shards)? else {
                    more = false;
                    break;
                };
                let parts = divide(&piece).ok_or_else(|| self.not_whole())?;
                for (process, bytes) in parts.into_iter().enumerate().filter(|(_, bytes)| !bytes.is_empty()) {
                    pieces.push(Piece { process, tag: 0, bytes });
                }
            }
            let (pieces, tally) = exchange.round(pieces, Tally::flag(Tally::MORE, more))?;
            for piece in pieces {
                let wrong =
                    SolveError::Protocol { from: piece.process, what: "parts that do not belong here" };
                take(&piece.bytes).ok_or(wrong)?;
            }
            if !tally.has(Tally::MORE) {
                return Ok(());
            }
        }
    }

    fn save(
        &mut self,
        exchange: &mut dyn Exchange,
        at: SavedAt,
        fill: &mut dyn FnMut(&mut SavePiece<'_>) -> io::Result<()>,
    ) -> Result<(), SolveError> {
        let began = Instant::now();
        let mut about = Manifest {
            format: VERSION,
            identity: self.identity.clone(),
            stage: at.stage,
            sequence: self.found.as_ref().map_or(0, |found| found.sequence) + 1,
            score_bytes: at.score_bytes,
            count: at.positions,
            shards: Vec::new(),
        };
        let me = exchange.process();
        let directory = &self.directory;
        let storage = &*self.storage;
        storage.create_directory(directory).map_err(|error| ClusterError::file(directory, error))?;
        let path = directory.join(shard_name(about.sequence, me));
        let mut message = Vec::new();
        replace_file(storage, &path, |out| {
            let mut shard = ShardWriter::begin(out, &about, me)?;
            fill(&mut |bytes| shard.piece(bytes))?;
            let (bytes, seal) = shard.end()?;
            message = [&bytes.to_le_bytes(), seal.as_bytes().as_slice()].concat();
            Ok(())
        })
        .map_err(ClusterError::from)?;
        for (from, message) in exchange.tell_all(&message)?.into_iter().enumerate() {
            let (Some((bytes, seal)), 40) = (message.split_first_chunk::<8>(), message.len()) else {
                return Err(SolveError::Protocol { from, what: "a malformed seal" });
            };
            about.shards.push(ShardFile {
                file: shard_name(about.sequence, from),
                bytes: u64::from_le_bytes(*bytes),
                seal: seal.iter().map(|byte| format!("{byte:02x}")).collect(),
            });
        }
        if me == 0 {
            let path = directory.join(MANIFEST);
            write_sealed(storage, &path, &about).map_err(ClusterError::from)?;
        }
        // The manifest is written. Old shards stay until all processes know that.
        exchange.add_up(Tally::default())?;
        for name in storage.names(directory).unwrap_or_default() {
            let old = name.contains(".shard") && about.shards.iter().all(|shard| shard.file != name);
            if old {
                // The next checkpoint removes any leftovers.
                let _ = storage.remove(&directory.join(name));
            }
        }
        exchange.add_up(Tally::default())?;
        self.found = Some(about);
        self.saved += 1;
        self.last = Instant::now();
        self.cost = self.last - began;
        Ok(())
    }

    fn not_whole(&self) -> SolveError {
        self.wrong(MANIFEST, "its shards do not hold the state of all processes").into()
    }
}

impl ClusterCheckpoint {
    /// Returns the next piece of the open shard, or else of the next shard.
    fn next_piece(
        &self,
        found: &Manifest,
        reader: &mut Option<ShardReader>,
        shards: &mut impl Iterator<Item = usize>,
    ) -> Result<Option<Vec<u8>>, ClusterError> {
        loop {
            if let Some(current) = reader
                && let Some(piece) = current.piece()?
            {
                return Ok(Some(piece));
            }
            let Some(shard) = shards.next() else { return Ok(None) };
            *reader = Some(ShardReader::open(&*self.storage, &self.directory, found, shard)?);
        }
    }
}

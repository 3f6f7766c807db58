//! Checkpoints of a solve: every process writes what it owns to a *shard*, and when all shards are
//! on their disks, process 0 writes a *manifest* that names them. The manifest comes last, so there
//! is always a whole state: the one before or the new one. All files stand in `cluster` in the
//! directory of the game, on a file system that the processes share or each on its own.
//!
//! The next run may have other processes. The manifest says how the indices were partitioned, every
//! process says which shards it finds, each shard is read by one of them, and its scores are sent
//! to their new owners. A shard that is missing or damaged is an error that names it, not a reason
//! to begin anew: its disk may only be absent at the moment.

pub(crate) mod header;
pub(crate) mod manifest;
pub(crate) mod occurring_shard;
pub(crate) mod pieces;
pub(crate) mod shard;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use retrograde_table::{CheckpointPace, DiskStorage, Storage, read_whole, unseal_json};

use crate::error::ClusterError;
use crate::join::MAX_PROCESSES;
use crate::partition::MAX_THREADS;
use crate::transport::Transport;
use manifest::{MANIFEST, Manifest, ShardFile, VERSION};

/// A longer manifest is none.
const MAX_MANIFEST: u64 = 4 << 20;

/// The checkpoint of a game, as one process sees it.
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
    /// Shards below the directory of a game. `identity` says what they are of: game, versions,
    /// solver; all processes say the same.
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

    /// In another file system than the disk.
    #[must_use]
    pub fn storage(mut self, storage: Arc<dyn Storage>) -> ClusterCheckpoint {
        self.storage = storage;
        self
    }

    /// With another pace.
    #[must_use]
    pub fn pace(mut self, pace: CheckpointPace) -> ClusterCheckpoint {
        self.pace = pace;
        self
    }

    /// The number of checkpoints that this run has written.
    pub fn saved(&self) -> u64 {
        self.saved
    }

    /// Whether saving is worth its cost now.
    pub(crate) fn due(&self) -> bool {
        self.pace.is_due(self.last.elapsed(), self.cost)
    }

    /// Removes the checkpoint, when there is a table or the work is to begin anew.
    ///
    /// # Errors
    /// An error of the system.
    pub fn remove(&self) -> Result<(), ClusterError> {
        match self.storage.remove_directory(&self.directory) {
            Err(error) if self.directory.exists() => Err(ClusterError::file(&self.directory, error)),
            _ => Ok(()),
        }
    }

    pub(crate) fn wrong(&self, file: &str, reason: impl Into<String>) -> ClusterError {
        ClusterError::checkpoint(&self.directory.join(file), reason)
    }

    /// Reads the manifest that process 0 has, for all: the bytes of a score in it, if there is one.
    pub(crate) fn look(&mut self, transport: &mut Transport) -> Result<Option<usize>, ClusterError> {
        let path = self.directory.join(MANIFEST);
        let mut text = Vec::new();
        if transport.me == 0 {
            match self.storage.open(&path).and_then(|source| read_whole(&*source, MAX_MANIFEST)) {
                Ok(Some(bytes)) => text = bytes,
                Ok(None) => return Err(self.wrong(MANIFEST, "it is too long for a manifest")),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(ClusterError::file(&path, error)),
            }
        }
        let text = transport.all_gather(&text)?.swap_remove(0);
        if text.is_empty() {
            return Ok(None);
        }
        let manifest = self.understood(&text)?;
        let score_bytes = usize::from(manifest.score_bytes);
        self.found = Some(manifest);
        Ok(Some(score_bytes))
    }

    /// Reads the text of a manifest, whose numbers nobody has checked before.
    pub(crate) fn understood(&self, text: &[u8]) -> Result<Manifest, ClusterError> {
        let again = "remove it, or solve with --again, to begin anew";
        // Every process checks what it was sent.
        let body = unseal_json(text).map_err(|reason| self.wrong(MANIFEST, format!("{reason}; {again}")))?;
        let manifest: Manifest = serde_json::from_slice(&body)
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
            && (1..=MAX_PROCESSES).contains(&manifest.shards.len())
            && manifest.threads.iter().all(|threads| *threads <= MAX_THREADS)
            && manifest.block_bits <= 32
            && matches!(manifest.score_bytes, 1 | 2)
            && manifest.shards.iter().all(|shard| !shard.file.contains(['/', '\\']));
        if !sound {
            return Err(self.wrong(MANIFEST, format!("its numbers are impossible; {again}")));
        }
        Ok(manifest)
    }

    /// The shards that this process is to read: each is read by one of those who find it.
    pub(crate) fn to_read(
        &self,
        found: &Manifest,
        transport: &mut Transport,
    ) -> Result<Vec<usize>, ClusterError> {
        let is_there = |shard: &ShardFile| {
            let length = self.storage.open(&self.directory.join(&shard.file)).and_then(|file| file.length());
            u8::from(length.is_ok_and(|length| length == shard.bytes))
        };
        let said: Vec<u8> = found.shards.iter().map(is_there).collect();
        let said = transport.all_gather(&said)?;
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
            if reader == transport.me as usize {
                mine.push(number);
            }
        }
        Ok(mine)
    }
}

//! The work file, `work.rgw`: the state from which an interrupted solver resumes. It is next to the table
//! that is being solved and is replaced as a whole each time, because a state that mixes two moments is
//! useless. A file that is damaged, cut off or foreign causes a warning that names it, and the solve starts
//! over.
//!
//! It is a [block log](BlockLogWriter). Its label names the game, the versions and the solver; its content is
//! the stage in the solver's unit, as 8 little-endian bytes, and the solver's bytes. These are not
//! compressed, since most states are never read and are written while someone waits.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use retrograde_solve::clock::Instant;
use retrograde_solve::reachable::Spill;
use retrograde_solve::{Checkpoint, SavedState};

use crate::directory::files::{SPILL, WORK};
use crate::directory::leftovers::{RemovedFile, remove_file, remove_folder};
use crate::directory::lock::GameLock;
use crate::error::{FilePart, TableError};
use crate::storage::{Storage, replace_file};
use crate::write::block_log::{BlockLogReader, BlockLogWriter};
use crate::write::spill::SpillFolder;

/// Identifies the solve that a work file belongs to. A solver only resumes from its own work files.
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
    pub fn new(
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

    /// Whether there is anything from which this solver can resume, judged by the headers.
    pub fn is_saved(&self) -> bool {
        let names = self.storage.names(&self.spill_folder()).unwrap_or_default();
        self.is_own() || self.has_spilled() && names.iter().any(|name| SpillFolder::is_content(name))
    }

    /// Returns whether the file exists and belongs to this solver, judged by its header.
    fn is_own(&self) -> bool {
        self.open().is_ok()
    }

    /// The folder for data that does not fit into memory. It does not have to exist.
    pub fn spill_folder(&self) -> PathBuf {
        self.path.with_file_name(SPILL)
    }

    /// Removes what this solver has saved, when its table is finished. A solve with other options may still
    /// resume from its own file.
    ///
    /// # Errors
    /// An error of the system.
    pub fn remove_own(&self) -> Result<Vec<RemovedFile>, TableError> {
        let mut removed = Vec::new();
        if self.is_own() {
            removed.extend(remove_file(&*self.storage, &self.path)?);
        }
        if self.has_spilled() {
            removed.extend(remove_folder(&*self.storage, &self.spill_folder())?);
        }
        Ok(removed)
    }

    /// Removes the file and the folder, whatever solver they belong to, when the solve starts over.
    ///
    /// # Errors
    /// An error of the system.
    pub fn remove(&mut self) -> Result<(), TableError> {
        let folder = self.spill_folder();
        if self.storage.names(&folder).is_ok() {
            remove_folder(&*self.storage, &folder)?;
        }
        remove_file(&*self.storage, &self.path).map(drop)
    }

    fn open(&self) -> Result<BlockLogReader, TableError> {
        BlockLogReader::open(&*self.storage, &self.path, &self.identity)
    }

    /// Reads the file. Checks all of it before it allocates memory for all of it: a file can have any length
    /// and be mostly a hole.
    fn read(&self) -> Result<SavedState, TableError> {
        let (mut log, mut length) = (self.open()?, 0);
        while let Some(block) = log.next_block()? {
            length += block.len();
        }
        let (mut log, mut bytes) = (self.open()?, Vec::with_capacity(length));
        while let Some(block) = log.next_block()? {
            bytes.extend(block);
        }
        let Some((stage, _)) = bytes.split_first_chunk() else {
            return Err(TableError::damaged(&self.path, FilePart::Whole, "it has no stage"));
        };
        let stage = u64::from_le_bytes(*stage);
        bytes.drain(..8);
        Ok(SavedState { stage, bytes })
    }
}

impl Checkpoint for WorkFile {
    /// Returns `None` if the file is damaged, truncated, has another version or belongs to
    /// something else; then [`WorkFile::warning`] returns the reason.
    fn load(&mut self) -> io::Result<Option<SavedState>> {
        self.warning = None;
        match self.read() {
            Ok(saved) => Ok(Some(saved)),
            Err(TableError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
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
        let started = Instant::now();
        let result = replace_file(&*self.storage, &self.path, |out| {
            let mut log = BlockLogWriter::begin(out, &self.identity, false)?;
            log.write_all(&stage.to_le_bytes())?;
            parts.iter().try_for_each(|part| log.write_all(part))?;
            log.end().map(drop)
        });
        self.last = Instant::now();
        self.cost = self.last - started;
        result.map_err(io::Error::from)
    }

    fn has_spilled(&self) -> bool {
        SpillFolder::belongs_to(&*self.storage, &self.spill_folder(), &self.identity)
    }

    fn spill(&self, compressed: bool) -> io::Result<Option<Box<dyn Spill>>> {
        let folder = self.spill_folder();
        let folder = SpillFolder::open(self.storage.clone(), &folder, &self.identity, compressed)?;
        Ok(Some(Box::new(folder)))
    }
}

//! Solvers that store the values of a game in an archive, their own files, because a table of all
//! indices would be too large. An open archive is a [`ValueStore`].

use std::path::Path;
use std::sync::Arc;

use retrograde_solve::{Exchange, Progress, SolveError};
use retrograde_table::{Storage, TableError};

use crate::{Reachable, SolveOptions, ValueStore};

/// The task of an [`ArchiveSolver`].
pub struct ArchiveJob<'a> {
    /// The game's directory, which exists and is locked.
    pub directory: &'a Path,
    /// Threads (at least one), horizon, storage, and what to keep: with [`SolveOptions::with_wins`], values can
    /// be read without looking at turns. If only the wins are missing, only they are computed.
    pub options: SolveOptions,
    /// The memory limit in bytes.
    pub memory: u64,
    /// Whether the solution is damaged and the damaged parts have to be solved again.
    pub damaged: bool,
    /// Receives progress, and may stop the solve.
    pub progress: &'a dyn Progress,
}

impl<'a> ArchiveJob<'a> {
    pub(crate) fn new(
        directory: &'a Path,
        options: &SolveOptions,
        damaged: bool,
        progress: &'a dyn Progress,
    ) -> ArchiveJob<'a> {
        // In memory wins are cheap, and without them answers are slow.
        let options = SolveOptions {
            threads: options.threads.max(1),
            with_wins: options.keeps_wins(),
            ..options.clone()
        };
        let memory = crate::machine::allowed_memory(options.memory);
        ArchiveJob { directory, options, memory, damaged, progress }
    }
}

/// The memory, disk and time that an [`ArchiveSolver`] needs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ResourceEstimate {
    /// Bytes of memory.
    pub memory: u128,
    /// Bytes of memory beyond which it does not get faster.
    pub enough: u128,
    /// Bytes of disk for the solution.
    pub disk: u128,
    /// Bytes of disk for the wins; 0 if it cannot store them.
    pub wins: u128,
    /// Bytes of disk for work files.
    pub work: u128,
    /// Seconds of one thread.
    pub seconds: f64,
}

/// Solves a game into an archive. Lists of solved games find it by a file whose name ends in `.rgp`.
pub trait ArchiveSolver: Send + Sync {
    /// Estimates a solve with `threads` threads within `memory` bytes, or within the minimum that it
    /// needs; `None` if the game cannot be solved.
    fn estimate(&self, memory: u64, threads: usize) -> Option<ResourceEstimate>;

    /// Solves the game, resuming an interrupted run.
    ///
    /// # Errors
    /// If it is stopped, or a file cannot be read or written.
    fn solve(&self, job: &ArchiveJob<'_>) -> Result<(), SolveError>;

    /// Estimates the resources of each process of a shared solve, which has `threads` threads, and the
    /// bytes that each sends; `None` if that is not supported.
    fn estimate_together(&self, _processes: u32, _threads: usize) -> Option<(ResourceEstimate, u128)> {
        None
    }

    /// Solves the game together with other processes, of which the first has a directory and
    /// writes. This requires that [`ArchiveSolver::estimate_together`] returns an estimate.
    ///
    /// # Errors
    /// As [`ArchiveSolver::solve`], or if another process fails.
    fn solve_together(&self, _job: &ArchiveJob<'_>, _exchange: &mut dyn Exchange) -> Result<(), SolveError> {
        Err(SolveError::TooLarge { count: u128::MAX })
    }

    /// Counts the reachable positions with the given memory and threads; `None` if it has no faster
    /// method than taking every turn of every position.
    fn count_reachable(
        &self,
        _memory: u64,
        _threads: usize,
        _progress: &dyn Progress,
    ) -> Option<Result<Reachable, SolveError>> {
        None
    }

    /// Whether there is a solution in the game's directory, intact or damaged.
    fn is_there(&self, _directory: &Path, _storage: &dyn Storage) -> bool {
        false
    }

    /// Removes the leftovers of a killed run from the game's directory, which is locked: unfinished
    /// files and, if the game is `solved`, files that only a solve needs. Returns a sentence for
    /// each file that it removed or that can be resumed from.
    ///
    /// # Errors
    /// If a file cannot be removed.
    fn remove_leftovers(
        &self,
        _directory: &Path,
        _storage: &Arc<dyn Storage>,
        _solved: bool,
    ) -> Result<Vec<String>, SolveError> {
        Ok(Vec::new())
    }

    /// Opens the solution, if there is one.
    ///
    /// # Errors
    /// If a file is damaged, or of another game or version.
    fn open(
        &self,
        directory: &Path,
        storage: &Arc<dyn Storage>,
    ) -> Result<Option<Box<dyn ValueStore>>, TableError>;
}

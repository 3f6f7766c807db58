//! The settings of a solve: threads, memory, horizon, storage, progress.

use std::sync::Arc;

use retrograde_game::Turns;
use retrograde_solve::{Progress, Silent};
use retrograde_table::{DiskStorage, Storage};

/// Whether there can be files of earlier runs, and boards that do not fit into memory. In a browser there
/// are neither, and the page's module is smaller without the code for these.
pub(crate) const HAS_DISK: bool = cfg!(not(target_family = "wasm"));

/// The settings of [`solve_logged`](crate::solve_logged): resources, horizon, progress.
pub struct SolveConfig<'a> {
    /// Threads to use.
    pub threads: usize,
    /// If set, only positions that end within this number of turns are decided.
    pub horizon: Option<Turns>,
    /// Receives progress, and may stop the solve.
    pub progress: &'a dyn Progress,
    /// The storage for the logs.
    pub storage: Arc<dyn Storage>,
    /// The number of parts into which the board is cut. One part is in memory at a time; 1 keeps
    /// the whole board in memory.
    pub parts: usize,
    /// The memory limit in bytes. The solve always allocates its minimum, and uses the rest of the
    /// limit to run faster.
    pub memory: u64,
}

impl Default for SolveConfig<'_> {
    /// Two threads, no horizon, the whole board at once, on disk.
    fn default() -> Self {
        SolveConfig {
            threads: 2,
            horizon: None,
            progress: &Silent,
            storage: Arc::new(DiskStorage),
            parts: 1,
            memory: u64::MAX,
        }
    }
}

impl<'a> SolveConfig<'a> {
    /// The same settings with another horizon.
    pub(crate) fn within(&self, horizon: Option<Turns>) -> SolveConfig<'a> {
        SolveConfig { horizon, storage: self.storage.clone(), ..*self }
    }
}

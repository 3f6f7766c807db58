//! Limits, callbacks and checkpoints of a solve that several processes share.

use std::io;

use retrograde_game::Turns;

use crate::exchange::Exchange;
use crate::job::{Progress, SolveError};

/// The options and callbacks of a process that solves a game together with others.
pub struct SharedJob<'a> {
    /// The memory that this process may use, in bytes. If it would need more, the solve ends with
    /// [`SolveError::Memory`].
    pub memory: u64,
    /// If set, only positions that end within this number of turns are decided; the others stay unknown.
    pub horizon: Option<Turns>,
    /// Receives the progress of the solve and may stop it.
    pub progress: &'a dyn Progress,
    /// Saves states from which an interrupted run can resume.
    pub checkpoint: Option<&'a mut dyn SharedCheckpoint>,
    /// The approximate number of turns that a thread handles in a round; `None` chooses an efficient
    /// number. The result does not depend on it. Tests use it to get many rounds out of small games.
    pub batch: Option<u64>,
    /// Indices are partitioned into blocks of `2^block_bits`; `None` makes blocks as large as possible.
    pub block_bits: Option<u32>,
    /// The number of indices in each window of scores sent to process 0 at the end, the same in all
    /// processes; `None` means a few million. Their memory is not counted in `memory`.
    pub window: Option<u64>,
    /// Whether a process holds only the scores of its own positions, even if `memory` has room for all
    /// scores of a game that cannot repeat. Tests use it.
    pub divided: bool,
}

impl<'a> SharedJob<'a> {
    /// Creates a job without a horizon or checkpoints, with `memory` bytes for this process.
    pub fn new(memory: u64, progress: &'a dyn Progress) -> SharedJob<'a> {
        SharedJob {
            memory,
            horizon: None,
            progress,
            checkpoint: None,
            batch: None,
            block_bits: None,
            window: None,
            divided: false,
        }
    }
}

/// A saved state of all processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SavedAt {
    /// The progress of the solver, in its own unit.
    pub stage: u64,
    /// The bytes per score.
    pub score_bytes: u8,
    /// The number of positions of all processes.
    pub positions: u64,
}

/// Saves a piece of bytes.
pub type SavePiece<'a> = dyn FnMut(&[u8]) -> io::Result<()> + 'a;

/// Splits a saved piece into the parts for each process. Returns `None` if the piece is malformed.
pub type DividePiece<'a> = &'a dyn Fn(&[u8]) -> Option<Vec<Vec<u8>>>;

/// Checkpoints that several processes save together and any number of processes can resume from. A
/// state consists of pieces of bytes; each process receives the parts that it owns.
pub trait SharedCheckpoint {
    /// Whether it is time to save a checkpoint.
    fn due(&self) -> bool;

    /// Returns the state that an earlier run saved, if there is one. It is the same in all processes.
    ///
    /// # Errors
    /// Returns an error if the state cannot be read or another process has failed.
    fn look(&mut self, exchange: &mut dyn Exchange) -> Result<Option<SavedAt>, SolveError>;

    /// Reads that state: `divide` splits a piece into the parts for each process, and `take` receives
    /// the parts for this process. Both return `None` if the bytes are malformed.
    ///
    /// # Errors
    /// Returns an error if the state is damaged or cannot be read, or another process has failed.
    fn load(
        &self,
        exchange: &mut dyn Exchange,
        divide: DividePiece<'_>,
        take: &mut dyn FnMut(&[u8]) -> Option<()>,
    ) -> Result<(), SolveError>;

    /// Saves the pieces of all processes, replacing the previous state. `fill` passes the pieces of this
    /// process, each of up to a million bytes.
    ///
    /// # Errors
    /// Returns an error if the state cannot be written or another process has failed.
    fn save(
        &mut self,
        exchange: &mut dyn Exchange,
        at: SavedAt,
        fill: &mut dyn FnMut(&mut SavePiece<'_>) -> io::Result<()>,
    ) -> Result<(), SolveError>;

    /// The error for a state that lacks something the solver needs.
    fn not_whole(&self) -> SolveError;
}

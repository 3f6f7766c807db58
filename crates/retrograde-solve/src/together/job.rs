//! The means of a solver that shares its work with other processes.

use std::io;

use retrograde_game::Turns;

use crate::exchange::Exchange;
use crate::job::{Progress, SolveError};

/// The means of a process that solves a game together with others, and the extent of their task.
pub struct SharedJob<'a> {
    /// Bytes of memory that this process may use; before it needs more, the solve ends with
    /// [`SolveError::Memory`].
    pub memory: u64,
    /// If given, only positions that end within so many turns are decided; the others stay unknown.
    pub horizon: Option<Turns>,
    /// Receives the progress of the solve, and may stop it.
    pub progress: &'a dyn Progress,
    /// Where states are saved from which an interrupted run can resume.
    pub checkpoint: Option<&'a mut dyn SharedCheckpoint>,
    /// The approximate number of turns that a thread looks at in a round; `None`: as many as pay. The
    /// result does not depend on it; tests make many rounds of small games.
    pub batch: Option<u64>,
    /// The indices are partitioned in blocks of 2 to this power; `None`: as large as they can be.
    pub block_bits: Option<u32>,
    /// The number of indices of each window in which scores are sent to process 0 at the end, the same
    /// in all processes; `None`: some millions. Their memory is not counted in `memory`.
    pub window: Option<u64>,
}

impl<'a> SharedJob<'a> {
    /// Everything with turns, in so many bytes a process, without checkpoints.
    pub fn new(memory: u64, progress: &'a dyn Progress) -> SharedJob<'a> {
        SharedJob {
            memory,
            horizon: None,
            progress,
            checkpoint: None,
            batch: None,
            block_bits: None,
            window: None,
        }
    }
}

/// A state that all processes have saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SavedAt {
    /// The progress of the solver, in a measure of its own.
    pub stage: u64,
    /// Bytes of a score.
    pub score_bytes: u8,
    /// The positions of all processes.
    pub positions: u64,
}

/// Saves a piece of bytes.
pub type SavePiece<'a> = dyn FnMut(&[u8]) -> io::Result<()> + 'a;

/// Gives, by process, what a saved piece holds for each; `None` if that is not what a solver saves.
pub type DividePiece<'a> = &'a dyn Fn(&[u8]) -> Option<Vec<Vec<u8>>>;

/// The states of a solve that several processes save together, from which any other number of processes
/// can resume. A state is pieces of bytes; which of them a process receives depends on what it owns.
pub trait SharedCheckpoint {
    /// Whether saving is worth its cost now.
    fn due(&self) -> bool;

    /// The state that an earlier run has saved, the same in all processes, if there is one.
    ///
    /// # Errors
    /// If it cannot be read, or another process has failed.
    fn look(&mut self, exchange: &mut dyn Exchange) -> Result<Option<SavedAt>, SolveError>;

    /// Reads that state: `divide` gives, by process, what a piece holds for each, and `take` receives
    /// what is for this process. Both return `None` if the bytes are malformed.
    ///
    /// # Errors
    /// If it is damaged or cannot be read, or another process has failed.
    fn load(
        &self,
        exchange: &mut dyn Exchange,
        divide: DividePiece<'_>,
        take: &mut dyn FnMut(&[u8]) -> Option<()>,
    ) -> Result<(), SolveError>;

    /// Saves the pieces of all processes in place of what was saved before; `fill` hands over those of
    /// this one, of up to a million bytes.
    ///
    /// # Errors
    /// If it cannot be written, or another process has failed.
    fn save(
        &mut self,
        exchange: &mut dyn Exchange,
        at: SavedAt,
        fill: &mut dyn FnMut(&mut SavePiece<'_>) -> io::Result<()>,
    ) -> Result<(), SolveError>;

    /// The error of a state that does not hold what the solver needs.
    fn not_whole(&self) -> SolveError;
}

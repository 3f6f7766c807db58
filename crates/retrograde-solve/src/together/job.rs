//! The means of a solver that shares its work with other processes.

use std::io;

use retrograde_game::Turns;

use crate::exchange::Exchange;
use crate::job::{Progress, SolveError};

/// The means of a process that solves a game together with others, and the extent of their task.
pub struct SharedJob<'a> {
    /// Bytes of memory that it may take in this process; it says [`SolveError::Memory`] before it
    /// allocates more.
    pub memory: u64,
    /// If given, only positions that end within so many turns are decided; the others stay unknown.
    pub horizon: Option<Turns>,
    /// The listener to its progress, which may stop it.
    pub progress: &'a dyn Progress,
    /// Where it leaves what an interrupted run can go on from.
    pub checkpoint: Option<&'a mut dyn SharedCheckpoint>,
    /// Turns of a thread in a round, about; `None`: as many as pay. The result does not depend on
    /// it; tests make many rounds of small games.
    pub batch: Option<u64>,
    /// The indices are partitioned in blocks of 2 to this power; `None`: as large as they can be.
    pub block_bits: Option<u32>,
    /// Indices of the windows in which scores come to process 0 at the end, the same in all
    /// processes; `None`: some millions. Their memory is not counted in `memory`.
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
    /// How far the solver was, in a measure of its own.
    pub stage: u64,
    /// Bytes of a score.
    pub score_bytes: u8,
    /// The positions of all processes.
    pub positions: u64,
}

/// Is handed pieces of bytes, to be saved.
pub type SavePiece<'a> = dyn FnMut(&[u8]) -> io::Result<()> + 'a;

/// Gives, by process, what a saved piece holds for each; `None` if that is not what a solver saves.
pub type DividePiece<'a> = &'a dyn Fn(&[u8]) -> Option<Vec<Vec<u8>>>;

/// Where several processes together leave what an interrupted run can go on from, with any other number
/// of processes. It holds pieces of bytes; which of them a process gets depends on what it owns.
pub trait SharedCheckpoint {
    /// Whether saving is worth its cost now.
    fn due(&self) -> bool;

    /// The state that an earlier run has saved, the same in all processes, if there is one.
    ///
    /// # Errors
    /// If it cannot be read, or another process has failed.
    fn look(&mut self, exchange: &mut dyn Exchange) -> Result<Option<SavedAt>, SolveError>;

    /// Hands out that state: `divide` gives, by process, what a piece holds for each, and `take` gets
    /// what is for this one. Either gives `None` if that is not what a solver saves.
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

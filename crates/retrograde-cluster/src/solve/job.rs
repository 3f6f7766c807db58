//! The means of a solver on a cluster.

use retrograde_game::Turns;
use retrograde_solve::Progress;

use crate::checkpoint::ClusterCheckpoint;

/// The means of a solver on a cluster, and the extent of its task.
pub struct ClusterJob<'a> {
    /// Bytes of memory that it may take in this process; it says
    /// [`SolveError::Memory`](retrograde_solve::SolveError::Memory) before it allocates more.
    pub memory: u64,
    /// If given, only positions that end within so many turns are decided; the others stay unknown.
    pub horizon: Option<Turns>,
    /// The listener to its progress, which may stop it.
    pub progress: &'a dyn Progress,
    /// Where it leaves what an interrupted run can go on from.
    pub checkpoint: Option<&'a mut ClusterCheckpoint>,
    /// Turns of a thread in a round, about; `None`: as many as pay. The result does not depend on
    /// it; tests make many rounds of small games.
    pub batch: Option<u64>,
    /// The indices are partitioned in blocks of 2 to this power; `None`: as large as they can be.
    pub block_bits: Option<u32>,
    /// Indices of the windows in which scores come to process 0 at the end, the same in all
    /// processes; `None`: some millions. Their memory is not counted in `memory`.
    pub window: Option<u64>,
}

impl<'a> ClusterJob<'a> {
    /// Everything with turns, in so many bytes a process, without checkpoints.
    pub fn new(memory: u64, progress: &'a dyn Progress) -> ClusterJob<'a> {
        ClusterJob {
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

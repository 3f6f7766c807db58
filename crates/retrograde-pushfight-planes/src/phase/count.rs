//! The counts of a phase.

use serde::{Deserialize, Serialize};

use crate::layout::numbering::Layout;
use crate::layout::sparse::SparseCells;
use crate::layout::superblocks::SuperblockId;
use crate::phase::kinds::PhaseId;

/// The number of positions that a phase found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseCount {
    /// The number of the phase, as files have it: the turns in which the positions end (even ones
    /// are lost, odd ones won), or 65,535 for draws.
    pub turns: u16,
    /// Positions with a canonical anchor. If no symmetry of the board maps an anchor's square to
    /// itself, as on the standard board, these are the positions up to symmetry.
    pub count: u64,
    /// All positions, images included.
    pub all: u64,
    /// Positions before the first push, which `count` and `all` leave out.
    pub starts: u64,
    /// The seconds that the phase took, if known; interrupted runs do not count. They are not part of the
    /// solution.
    #[serde(skip)]
    pub seconds: f64,
}

impl PhaseCount {
    /// The phase of the counts.
    pub(crate) fn id(&self) -> PhaseId {
        PhaseId::from_number(self.turns)
    }

    /// Whether the phase has found nothing, which ends a solve.
    pub(crate) fn is_empty(&self) -> bool {
        self.count + self.starts == 0
    }
}

/// The counts of a phase from those of its superblocks.
pub(crate) fn count_phase(
    layout: &Layout,
    phase: PhaseId,
    superblocks: impl Iterator<Item = (SuperblockId, u64)>,
) -> PhaseCount {
    let turns = phase.number();
    let mut count = PhaseCount { turns, count: 0, all: 0, starts: 0, seconds: 0.0 };
    for (superblock, positions) in superblocks {
        if layout.is_start(superblock) {
            count.starts += positions;
        } else {
            count.count += positions;
            count.all += positions * layout.symmetries.orbit_size(layout.superblocks[superblock].anchor);
        }
    }
    count
}

/// The cells that are logged for a superblock's draws in addition to their number: only draws before
/// the first push, which the file of losses does not have.
pub(crate) fn logged_draws(layout: &Layout, superblock: SuperblockId, draws: &SparseCells) -> SparseCells {
    if layout.is_start(superblock) { draws.clone() } else { SparseCells::default() }
}

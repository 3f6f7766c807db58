//! The counts of implausible positions: `others.json` beside the solution.

use std::path::Path;

use retrograde_table::Storage;
use serde::{Deserialize, Serialize};

use crate::files::sidecar;
use crate::phase::count::PhaseCount;

pub(crate) const FILE: &str = "others.json";

/// The counts of implausible positions (those that no push can have led to) by turns.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImplausiblePositions {
    /// The checksum of the losses from which the counts follow.
    pub losses: u32,
    /// The counts of losses and wins by turns, from 0 on.
    pub phases: Vec<PhaseCount>,
    /// The count of draws, or of undecided positions where the solution has a horizon.
    pub draws: PhaseCount,
}

/// The counts that follow from losses with this checksum, if there are any.
pub(crate) fn read(directory: &Path, storage: &dyn Storage, losses: u32) -> Option<ImplausiblePositions> {
    sidecar::read::<ImplausiblePositions>(directory, storage, FILE)
        .filter(|implausible| implausible.losses == losses)
}

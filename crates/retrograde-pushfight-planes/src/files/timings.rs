//! The time that each phase of a solve took: `times.json` in the folder of the solution, a sealed file
//! (see `sidecar`).
//!
//! Times are not part of the solution, whose bytes are the same on all machines and after any
//! interruption.

use std::path::Path;

use retrograde_table::{Storage, TableError, write_sealed};
use serde::{Deserialize, Serialize};

use crate::files::sidecar;
use crate::files::solution_info::SolutionInfo;
use crate::phase::count::PhaseCount;

pub(crate) const FILE: &str = "times.json";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PhaseTimings {
    /// The seconds of each phase, by turns.
    seconds: Vec<f64>,
}

/// The seconds of all phases, to the millisecond.
pub(crate) fn total(phases: &[PhaseCount]) -> f64 {
    (phases.iter().map(|phase| phase.seconds).sum::<f64>() * 1e3).round() / 1e3
}

/// Writes the times atomically.
pub(crate) fn write(directory: &Path, storage: &dyn Storage, info: &SolutionInfo) -> Result<(), TableError> {
    let seconds = info.phases.iter().map(|phase| phase.seconds).collect();
    write_sealed(storage, &directory.join(FILE), &PhaseTimings { seconds })
}

/// Adds the times to a description, if there are any.
pub(crate) fn read(
    directory: &Path,
    storage: &dyn Storage,
    info: &mut SolutionInfo,
    notes: &mut Vec<String>,
) {
    let Some(times) = sidecar::read::<PhaseTimings>(&directory.join(FILE), storage, notes) else { return };
    for (phase, seconds) in info.phases.iter_mut().zip(times.seconds) {
        phase.seconds = seconds;
    }
    info.seconds = Some(total(&info.phases));
}

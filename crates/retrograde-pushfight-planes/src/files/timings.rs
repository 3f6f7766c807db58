//! The time that each phase of a solve took: `times.json` in the folder of the solution, a sealed file
//! (see `sidecar`). The times of the phases must add up to the total.
//!
//! Times are not part of the solution, whose bytes are the same on all machines and after any
//! interruption.

use std::path::Path;

use retrograde_table::Storage;
use serde::{Deserialize, Serialize};

use crate::files::sidecar;
use crate::files::solution_info::SolutionInfo;

pub(crate) const FILE: &str = "times.json";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PhaseTimings {
    /// The sum over all phases.
    seconds: f64,
    phases: Vec<PhaseTiming>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PhaseTiming {
    turns: u16,
    seconds: f64,
    blocks: usize,
    bytes: usize,
}

fn milliseconds(seconds: f64) -> f64 {
    (seconds * 1e3).round() / 1e3
}

/// Writes the times atomically.
pub(crate) fn write(directory: &Path, storage: &dyn Storage, info: &SolutionInfo) -> std::io::Result<()> {
    let phases = info.phases.iter().map(|phase| PhaseTiming {
        turns: phase.turns,
        seconds: milliseconds(phase.seconds),
        blocks: phase.blocks,
        bytes: phase.bytes,
    });
    let seconds = milliseconds(info.seconds.unwrap_or_default());
    let timings = PhaseTimings { seconds, phases: phases.collect() };
    sidecar::write(directory, storage, FILE, &timings)
}

impl PhaseTimings {
    /// Describes an inconsistency in the times, if there is one. Each is rounded to a millisecond.
    fn fault(&self) -> Option<String> {
        let sum: f64 = self.phases.iter().map(|phase| phase.seconds).sum();
        let most = 0.001 * (self.phases.len() + 1) as f64;
        ((sum - self.seconds).abs() > most).then(|| "its times do not add up".to_owned())
    }
}

/// Adds the times to a description, if there are any.
pub(crate) fn read(
    directory: &Path,
    storage: &dyn Storage,
    info: &mut SolutionInfo,
    notes: &mut Vec<String>,
) {
    let timings: Option<PhaseTimings> = sidecar::read(directory, storage, FILE, PhaseTimings::fault, notes);
    info.seconds = timings.as_ref().map(|timings| timings.seconds);
    for timing in timings.into_iter().flat_map(|timings| timings.phases) {
        if let Some(phase) = info.phases.iter_mut().find(|phase| phase.turns == timing.turns) {
            (phase.seconds, phase.blocks, phase.bytes) = (timing.seconds, timing.blocks, timing.bytes);
        }
    }
}

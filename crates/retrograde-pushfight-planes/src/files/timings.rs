//! How long the phases of a solve took: `times.json` beside the solution. It is not in it, for a solution is the same
//! bytes on whatever machines it was found, and however often it was cut off.

use std::path::Path;

use retrograde_table::Storage;
use serde::{Deserialize, Serialize};

use crate::files::sidecar;
use crate::files::solution_info::About;

pub(crate) const FILE: &str = "times.json";

#[derive(Serialize, Deserialize, Default)]
struct Times {
    /// Of all phases.
    seconds: f64,
    phases: Vec<Took>,
}

#[derive(Serialize, Deserialize)]
struct Took {
    turns: u16,
    seconds: f64,
    blocks: usize,
    bytes: usize,
}

fn milliseconds(seconds: f64) -> f64 {
    (seconds * 1e3).round() / 1e3
}

/// Writes them, whole or not at all.
pub(crate) fn write(directory: &Path, storage: &dyn Storage, about: &About) -> std::io::Result<()> {
    let phases = about.phases.iter().map(|phase| Took {
        turns: phase.turns,
        seconds: milliseconds(phase.seconds),
        blocks: phase.blocks,
        bytes: phase.bytes,
    });
    let times = Times { seconds: milliseconds(about.seconds), phases: phases.collect() };
    sidecar::write(directory, storage, FILE, &times)
}

/// Adds them to a description, where there are any: nothing depends on them.
pub(crate) fn read(directory: &Path, storage: &dyn Storage, about: &mut About) {
    let times: Times = sidecar::read(directory, storage, FILE).unwrap_or_default();
    about.seconds = times.seconds;
    for took in times.phases {
        if let Some(phase) = about.phases.iter_mut().find(|phase| phase.turns == took.turns) {
            (phase.seconds, phase.blocks, phase.bytes) = (took.seconds, took.blocks, took.bytes);
        }
    }
}

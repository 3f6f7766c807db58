//! Estimates memory and time of the generic solvers from a sample of positions.
//!
//! The estimate counts the steps of a solver: how often it makes a position, lists successors,
//! predecessors and images, and reads a random score of the table. The sample measures the time of
//! each step on this machine. The number of phases is unknown before a solve, so the estimate for
//! solving without predecessors, which looks at every open position in each phase, is a guess.

use retrograde_solve::retrograde::memory_needed;

use crate::Method;
use crate::game::any_game::{AnyGame, MAX_INDEX_MEMORY};
use crate::game::sample::Sample;

/// The number of looks at an open position when solving backwards without predecessors: a guess.
const LOOKS_FORWARDS: f64 = 12.0;
/// The same with predecessors, where only a refuted witness causes another look.
const LOOKS_AT_WITNESSES: f64 = 2.0;
/// Seconds per index to count, compress and write values.
const WRITING: f64 = 5e-9;
/// The possible error of a sample in the number of open positions.
const SAMPLING: f64 = 1.08;

/// Seconds of one thread, and bytes of memory.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Estimate {
    pub seconds: f64,
    /// The same if scores are in files.
    pub seconds_in_files: f64,
    /// Memory in addition to the fixed part of every solver; `None` if the solver's own formula
    /// applies.
    pub memory: Option<u64>,
}

/// Seconds to read or write a random score of a table of `bytes` bytes, depending on cache sizes,
/// with other reads in flight.
fn access(bytes: u64) -> f64 {
    match bytes {
        0..=0x8_0000 => 1e-9,
        0x8_0001..=0x200_0000 => 4e-9,
        _ => 10e-9,
    }
}

/// The estimate of a solver; `None` if it has its own estimate or cannot be estimated.
pub(crate) fn estimate(entry: &AnyGame, method: Method) -> Option<Estimate> {
    if !matches!(method, Method::Graded | Method::Retrograde) || entry.index_memory() > MAX_INDEX_MEMORY {
        return None;
    }
    let indices = u64::try_from(entry.index_counts()?.1).ok()?;
    let sample = (*entry.sampled.get_or_init(|| {
        // The first access to indices builds tables, so times are measured after it.
        let sample = entry.dense()?.sample()?;
        Some(Sample {
            predecessors: entry.sample_predecessors.as_ref().and_then(|sample| sample()),
            images: entry.sample_images.as_ref().and_then(|sample| sample()),
            ..sample
        })
    }))?;
    if method == Method::Graded {
        let seconds = graded(&sample, indices);
        return Some(Estimate { seconds, seconds_in_files: seconds, memory: None });
    }
    let places = entry.largest_stage.as_ref().map_or(indices, |largest| largest().min(indices));
    let orbits = sample.images.map_or(1.0, |images| images.orbits);
    let open = (places as f64 * sample.open * orbits * SAMPLING) as u64;
    Some(Estimate {
        seconds: backwards(&sample, indices),
        seconds_in_files: in_files(&sample, indices),
        memory: Some(memory_needed(indices, open)),
    })
}

/// One pass: every position once, with all its successors.
fn graded(sample: &Sample, indices: u64) -> f64 {
    indices as f64 * (sample.in_order + sample.turns * access(indices) + WRITING)
}

/// Solving backwards.
fn backwards(sample: &Sample, indices: u64) -> f64 {
    let &Sample { images, predecessors: before, .. } = sample;
    let access = access(indices);
    let orbits = images.map_or(1.0, |images| images.orbits);
    // The first look, which ends at the first image that is the representative, and the writes to
    // the images of each orbit.
    let first = sample.look + images.map_or(0.0, |images| images.seconds * (0.3 + images.orbits)) + access;
    let looks = if before.is_some() { LOOKS_AT_WITNESSES } else { LOOKS_FORWARDS };
    let forwards = looks * (sample.successors + sample.turns * access);
    // Once for each decided position, and more for images.
    let backwards = before.map_or(0.0, |seconds| seconds + sample.turns * access);
    indices as f64 * (first + orbits * (forwards + backwards) + WRITING)
}

/// Solving backwards by counting, with files: every position once with its successors, and the
/// decided ones, half of all, with their predecessors.
fn in_files(sample: &Sample, indices: u64) -> f64 {
    let turns = sample.turns * access(indices);
    let backwards = sample.predecessors.map_or(0.0, |seconds| 0.5 * (seconds + turns));
    indices as f64 * (sample.in_order + turns + backwards + 2.0 * WRITING)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::sample::ImageSample;

    const PLAIN: Sample = Sample {
        open: 0.8,
        turns: 10.0,
        look: 1e-8,
        successors: 2e-7,
        in_order: 2e-7,
        predecessors: None,
        images: None,
    };

    #[test]
    fn every_capability_makes_solving_faster() {
        let with_before = Sample { predecessors: Some(2e-7), ..PLAIN };
        let images = Some(ImageSample { orbits: 0.125, seconds: 2e-8 });
        let [plain, before, both] =
            [PLAIN, with_before, Sample { images, ..with_before }].map(|sample| backwards(&sample, 1 << 24));
        let pass = graded(&PLAIN, 1 << 24);
        assert!(
            plain > 2.0 * before && before > 2.0 * both && before > pass,
            "{plain} {before} {both} {pass}"
        );
        assert!(graded(&PLAIN, 1 << 10) < pass / 10_000.0);
    }
}

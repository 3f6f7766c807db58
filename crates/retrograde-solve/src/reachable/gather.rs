//! Gathers the positions that occur, grade by grade, the highest first: when the turn of a grade
//! comes, all its positions are known.

use std::collections::BTreeMap;

use super::batches::Batches;
use super::layer::{BYTES_A_KEY, Layer};
use super::tasks::{TASK, in_tasks};
use super::waiting::{DividedKeys, Waiting};
use crate::job::{Job, SolveError};

/// Positions whose successors are held at a time.
const BATCH: usize = TASK << 6;

/// Bytes that a layer takes in the end, with scores of one byte.
fn layer_bytes(keys: u64) -> u64 {
    keys * (BYTES_A_KEY + 1) + size_of::<Layer>() as u64
}

/// The unfinished successors of positions of a grade, by grade, divided by their parts.
pub(super) fn divided_successors(
    game: &dyn Batches,
    keys: &[u64],
    grade: u64,
) -> Result<Vec<(u64, DividedKeys)>, SolveError> {
    let found = game.successors(keys, grade)?;
    Ok(found.into_iter().map(|(grade, keys)| (grade, DividedKeys::new(&keys))).collect())
}

/// All layers of what occurs, the highest grade first, without scores.
pub(super) fn gather(
    game: &dyn Batches,
    job: &Job<'_>,
    pool: &crate::Pool,
) -> Result<Vec<Layer>, SolveError> {
    let mut waiting: BTreeMap<u64, Waiting> = BTreeMap::new();
    let mut layers = Vec::new();
    let mut held = 0;
    if let Some((grade, key)) = game.start()? {
        waiting.entry(grade).or_insert_with(Waiting::new).add(pool, &[DividedKeys::new(&[key])]);
    }
    job.progress.stage("gathering positions", 0);
    while let Some((grade, positions)) = waiting.pop_last() {
        let keys = positions.into_sorted(pool);
        held += layer_bytes(keys.len() as u64);
        for batch in keys.chunks(BATCH) {
            if job.progress.stopped() {
                return Err(SolveError::Stopped);
            }
            let found = in_tasks(pool, batch, &|_, keys| divided_successors(game, keys, grade))?;
            let mut by_grade: BTreeMap<u64, Vec<DividedKeys>> = BTreeMap::new();
            let mut found_bytes = 0;
            for (grade, divided) in found.into_iter().flatten() {
                found_bytes += divided.len() as u64 * 8;
                by_grade.entry(grade).or_default().push(divided);
            }
            for (grade, found) in by_grade {
                let sets = waiting.entry(grade).or_insert_with(Waiting::new);
                sets.add(pool, &found);
            }
            let need = held + found_bytes + waiting.values().map(Waiting::bytes).sum::<u64>();
            if need > job.memory {
                return Err(SolveError::Memory { need, limit: job.memory });
            }
            job.progress.advance(batch.len() as u64);
        }
        layers.push(Layer::new(grade, keys));
    }
    Ok(layers)
}

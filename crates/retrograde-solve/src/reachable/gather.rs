//! Gathers the positions that occur, grade by grade, the highest first: when the turn of a grade
//! comes, all its positions are known.
//!
//! Positions that wait are held in sets by parts of the keys, each of which fits the cache. What a
//! batch of positions leads to is first divided by these parts and then put into them, part by
//! part, so that memory is read in order.

use std::collections::BTreeMap;

use rayon::prelude::*;
use retrograde_game::Graded;

use super::coding::Coding;
use super::key_set::KeySet;
use super::layer::{BYTES_A_KEY, Layer};
use super::successors::{Next, each_next, key_of_position, position_of};
use super::tasks::{TASK, in_tasks};
use crate::job::{Job, SolveError};

/// The power of two of the parts.
const PART_BITS: u32 = 8;
/// Positions whose successors are held at a time.
const BATCH: usize = TASK << 6;

/// Keys of a grade that wait for their turn.
pub(super) struct Waiting(Vec<KeySet>);

impl Waiting {
    pub fn new() -> Waiting {
        Waiting((0..1 << PART_BITS).map(|_| KeySet::default()).collect())
    }

    fn bytes(&self) -> u64 {
        (self.0.len() * size_of::<KeySet>()) as u64 + self.key_bytes()
    }

    /// Bytes of the keys, without what sets of none take.
    pub fn key_bytes(&self) -> u64 {
        self.0.iter().map(KeySet::bytes).sum()
    }

    /// Adds keys, part by part.
    pub fn add(&mut self, pool: &crate::Pool, found: &[Divided]) {
        let add = |(part, set): (usize, &mut KeySet)| {
            found.iter().for_each(|found| set.extend(found.part(part), PART_BITS));
        };
        if found.iter().map(|found| found.keys.len()).sum::<usize>() <= TASK {
            self.0.iter_mut().enumerate().for_each(add);
        } else {
            pool.install(|| self.0.par_iter_mut().enumerate().for_each(add));
        }
    }

    /// The keys of one part after the other, sorted.
    pub fn into_parts(self) -> impl Iterator<Item = Vec<u64>> {
        self.0.into_iter().map(KeySet::into_sorted)
    }

    /// All keys, sorted.
    fn into_sorted(self) -> Vec<u64> {
        let mut all = Vec::with_capacity(self.0.iter().map(KeySet::len).sum());
        self.into_parts().for_each(|part| all.extend(part));
        all
    }
}

/// Keys that are divided by their parts.
pub(super) struct Divided {
    keys: Vec<u64>,
    ends: Vec<u32>,
}

impl Divided {
    pub fn new(keys: &[u64]) -> Divided {
        let part = |key: u64| (key >> (64 - PART_BITS)) as usize;
        let mut at = vec![0_u32; (1 << PART_BITS) + 1];
        keys.iter().for_each(|&key| at[part(key) + 1] += 1);
        for part in 1..at.len() {
            at[part] += at[part - 1];
        }
        let mut divided = vec![0; keys.len()];
        for &key in keys {
            let at = &mut at[part(key)];
            divided[*at as usize] = key;
            *at += 1;
        }
        Divided { keys: divided, ends: at }
    }

    fn part(&self, part: usize) -> &[u64] {
        let from = part.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.keys[from as usize..self.ends[part] as usize]
    }
}

/// The unfinished successors of positions of a grade, by grade.
pub(super) fn successors<G: Graded, C: Coding<G>>(
    game: &G,
    coding: C,
    keys: &[u64],
    grade: u64,
) -> Result<Vec<(u64, Divided)>, SolveError> {
    let mut found: Vec<(u64, Vec<u64>)> = Vec::new();
    for &key in keys {
        let position = position_of(game, coding, key)?;
        each_next(game, coding, &position, grade, |next| {
            if let Next::At { grade, key } = next {
                match found.iter_mut().find(|(known, _)| *known == grade) {
                    Some((_, keys)) => keys.push(key),
                    None => found.push((grade, vec![key])),
                }
            }
        })?;
    }
    Ok(found.into_iter().map(|(grade, keys)| (grade, Divided::new(&keys))).collect())
}

/// Bytes that a layer takes in the end, with scores of one byte.
fn layer_bytes(keys: u64) -> u64 {
    keys * (BYTES_A_KEY + 1) + size_of::<Layer>() as u64
}

/// All layers of what occurs from `start`, the highest grade first, without scores.
pub(super) fn gather<G: Graded, C: Coding<G>>(
    game: &G,
    start: &G::Position,
    coding: C,
    job: &Job<'_>,
    pool: &crate::Pool,
) -> Result<Vec<Layer>, SolveError> {
    let mut waiting: BTreeMap<u64, Waiting> = BTreeMap::new();
    let mut layers = Vec::new();
    let mut held = 0;
    if game.result(start).is_none() {
        let key = key_of_position(game, coding, start)?;
        waiting.entry(game.grade(start)).or_insert_with(Waiting::new).add(pool, &[Divided::new(&[key])]);
    }
    job.progress.stage("gathering positions", 0);
    while let Some((grade, positions)) = waiting.pop_last() {
        let keys = positions.into_sorted();
        held += layer_bytes(keys.len() as u64);
        for batch in keys.chunks(BATCH) {
            if job.progress.stopped() {
                return Err(SolveError::Stopped);
            }
            let found = in_tasks(pool, batch, |_, keys| successors(game, coding, keys, grade))?;
            let mut by_grade: BTreeMap<u64, Vec<Divided>> = BTreeMap::new();
            let mut found_bytes = 0;
            for (grade, divided) in found.into_iter().flatten() {
                found_bytes += divided.keys.len() as u64 * 8;
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

//! Writing successors as sorted runs and looking up scores in sorted files, for the solvers on disk.

use std::collections::BTreeMap;
use std::io;

use super::batches::Positions;
use super::settle::smaller;
use super::spill::{Records, Sizes};
use super::tasks::run_tasks;
use super::waiting::{DividedKeys, Waiting};
use crate::job::{Progress, SolveError};
use crate::spill::Spill;

/// The files of a solve, its threads and limits.
pub(super) struct Files<'a> {
    pub spill: &'a dyn Spill,
    pub progress: &'a dyn Progress,
    pub pool: &'a crate::Pool,
    pub sizes: Sizes,
    pub memory: u64,
}

/// The names of sorted runs of keys, by grade.
#[derive(Default)]
pub(super) struct Runs {
    pub by_grade: BTreeMap<u64, Vec<String>>,
    /// The number of the next run.
    pub next: u64,
}

impl Files<'_> {
    /// Visits the records of a file, at most `most` at a time.
    pub fn each_batch<const SIZE: usize, T>(
        &self,
        name: &str,
        most: usize,
        read: fn([u8; SIZE]) -> T,
        visit: &mut dyn FnMut(Vec<T>) -> Result<(), SolveError>,
    ) -> Result<(), SolveError> {
        let mut records = Records::open(self.spill, name)?;
        loop {
            self.check_stop()?;
            let batch = records.take(most, read)?;
            if batch.is_empty() {
                return Ok(());
            }
            visit(batch)?;
        }
    }

    pub fn check_stop(&self) -> Result<(), SolveError> {
        if self.progress.stopped() { Err(SolveError::Stopped) } else { Ok(()) }
    }

    /// Writes the successors of the keys of a file, all in grades below `end`, as runs.
    pub fn write_successors(
        &self,
        game: &dyn Positions,
        (file, end): (&str, u64),
        runs: &mut Runs,
    ) -> Result<(), SolveError> {
        let mut waiting: BTreeMap<u64, Waiting> = BTreeMap::new();
        self.each_batch(file, self.sizes.gathered, u64::from_le_bytes, &mut |batch| {
            let divide = |(grade, keys): (u64, Vec<u64>)| (grade, DividedKeys::new(&keys));
            let found = run_tasks(self.pool, &batch, &|_, keys| {
                Ok(game.successors(keys, end)?.into_iter().map(divide).collect::<Vec<_>>())
            })?;
            let mut by_grade: BTreeMap<u64, Vec<DividedKeys>> = BTreeMap::new();
            for (grade, divided) in found.into_iter().flatten() {
                by_grade.entry(grade).or_default().push(divided);
            }
            for (grade, found) in by_grade {
                waiting.entry(grade).or_insert_with(Waiting::new).add(self.pool, &found);
            }
            if waiting.values().map(Waiting::key_bytes).sum::<u64>() > self.sizes.waiting {
                self.write_runs(&mut waiting, runs)?;
            }
            self.progress.advance(batch.len() as u64);
            Ok(())
        })?;
        Ok(self.write_runs(&mut waiting, runs)?)
    }

    fn write_runs(&self, waiting: &mut BTreeMap<u64, Waiting>, runs: &mut Runs) -> io::Result<()> {
        while let Some((grade, sets)) = waiting.pop_last() {
            self.write_run(grade, sets.into_parts().flatten(), runs)?;
        }
        Ok(())
    }

    /// Writes a run of sorted keys.
    pub fn write_run(
        &self,
        grade: u64,
        mut keys: impl Iterator<Item = u64>,
        runs: &mut Runs,
    ) -> io::Result<()> {
        let name = format!("run-{grade}-{}", runs.next);
        runs.next += 1;
        self.spill.write(&name, &mut |out| keys.try_for_each(|key| out.write_all(&key.to_le_bytes())))?;
        runs.by_grade.entry(grade).or_default().push(name);
        Ok(())
    }
}

/// Looks up sorted keys among sorted pairs. Removes the keys that are found and updates the least scores of
/// the positions that asked for them.
pub(super) fn look_up(
    lookups: &mut Vec<(u64, u32)>,
    least: &mut [Option<u16>],
    next: &mut dyn FnMut() -> io::Result<Option<(u64, u16)>>,
) -> io::Result<()> {
    let mut fault = None;
    let mut here = next()?;
    lookups.retain(|&(key, asker)| {
        while here.is_some_and(|(known, _)| known < key) && fault.is_none() {
            here = next().unwrap_or_else(|error| {
                fault = Some(error);
                None
            });
        }
        match here {
            Some((known, score)) if known == key => {
                let least = &mut least[asker as usize];
                *least = smaller(*least, score);
                false
            }
            _ => true,
        }
    });
    fault.map_or(Ok(()), Err)
}

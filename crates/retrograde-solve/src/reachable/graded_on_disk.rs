//! Occurring positions of games that cannot repeat, on disk: for those of which more occurs than fits
//! into memory.
//!
//! It is the solver in memory with files in the places of lists. Keys that wait for their grade are
//! written as sorted runs when memory is full, and merged when the grade's turn comes. A grade is
//! solved in parts: the successors of a part are sorted and looked up in one pass over the files of
//! the lower grades. In the end positions are numbered, sorted in runs, and merged.
//!
//! Every file is whole or not there, so their names tell how far an earlier run has come:
//!
//! | file | holds |
//! |---|---|
//! | `run-GRADE-N` | sorted keys that occur; others of the grade may be in other runs |
//! | `keys-GRADE` | all keys of a grade, sorted |
//! | `done-GRADE` | nothing: all that follows the grade is in runs |
//! | `scores-GRADE` | a score of two bytes for each key |
//! | `numbers-N` | a sorted run of numbers (8 bytes) and scores (2) |
//!
//! A grade that was interrupted is begun anew; what it had already written is found twice, which
//! does no harm.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use retrograde_game::Graded;

use super::batches::{Asked, Batches, Coded, Numbers, images_by_number};
use super::coding::Coding;
use super::settle::{other_turns, smaller};
use super::spill::{Keys, Merged, Records, Sizes, Spill, write_by};
use super::spilled_scores::{Numbered, Numbering, SpilledScores};
use super::tasks::{in_tasks, sort};
use super::waiting::{DividedKeys, Waiting};
use crate::job::{Job, Progress, SolveError, need_alternation};

/// A solve with its files.
struct OnDisk<'a> {
    game: &'a dyn Batches,
    spill: &'a dyn Spill,
    progress: &'a dyn Progress,
    pool: &'a crate::Pool,
    sizes: Sizes,
}

/// By grade: keys to be looked up, with the number of the position that asks.
type Lookups = BTreeMap<u64, Vec<(u64, u32)>>;

/// Solves what occurs from `start` in a game that cannot repeat, as [`super::solve_graded`] does,
/// with all of it in files. It goes on from what an earlier run of the same solve has left in them.
/// Positions are numbered by `number`.
///
/// # Errors
/// As [`super::solve_graded`], and the errors of the files.
pub fn solve_graded_on_disk<G: Graded, C: Coding<G>>(
    game: &G,
    start: &G::Position,
    (coding, number): (C, impl Fn(&G, &G::Position) -> Option<u64> + Sync),
    job: &mut Job<'_>,
    spill: Box<dyn Spill>,
) -> Result<SpilledScores, SolveError> {
    need_alternation(game, "solving positions that occur in files or on several processes")?;
    let numbers = |scored: &[(u64, u16)]| images_by_number(game, coding, &number, scored);
    solve_with(&Coded { game, coding, start }, &numbers, job, spill)
}

fn solve_with(
    game: &dyn Batches,
    numbers: Numbers<'_>,
    job: &mut Job<'_>,
    spill: Box<dyn Spill>,
) -> Result<SpilledScores, SolveError> {
    let (pool, progress, sizes) = (job.pool()?, job.progress, Sizes::new(job.memory));
    let solve = OnDisk { game, spill: &*spill, progress, pool: &pool, sizes };
    let numbering = Numbering::begin(&*spill, numbers, &pool, sizes)?;
    let grades = solve.gather()?;
    progress.stage("solving, grade by grade", 0);
    for &grade in &grades {
        solve.settle(grade)?;
    }
    let numbered = solve.number(&grades, numbering)?;
    Ok(SpilledScores::new(spill, numbered))
}

/// The grade of a file's name that begins like that.
fn grade_of(name: &str, beginning: &str) -> Option<u64> {
    name.strip_prefix(beginning)?.split('-').next()?.parse().ok()
}

/// The unfinished successors of positions of a grade, by grade, divided by their parts.
fn divided_successors(
    game: &dyn Batches,
    keys: &[u64],
    grade: u64,
) -> Result<Vec<(u64, DividedKeys)>, SolveError> {
    let found = game.successors(keys, grade)?;
    Ok(found.into_iter().map(|(grade, keys)| (grade, DividedKeys::new(&keys))).collect())
}

impl OnDisk<'_> {
    fn check_stop(&self) -> Result<(), SolveError> {
        if self.progress.stopped() { Err(SolveError::Stopped) } else { Ok(()) }
    }

    /// Gathers all positions; their grades, the lowest first.
    fn gather(&self) -> Result<BTreeSet<u64>, SolveError> {
        self.progress.stage("gathering positions on disk", 0);
        let mut runs: BTreeMap<u64, Vec<String>> = BTreeMap::new();
        let mut done = BTreeSet::new();
        let mut number = 0_u64;
        for name in self.spill.names()? {
            done.extend(grade_of(&name, "done-"));
            if let Some(grade) = grade_of(&name, "run-") {
                let of_run = name.rsplit('-').next().and_then(|number| number.parse().ok());
                number = number.max(of_run.map_or(0, |of_run: u64| of_run + 1));
                runs.entry(grade).or_default().push(name);
            }
        }
        if runs.is_empty()
            && done.is_empty()
            && let Some((grade, key)) = self.game.start()?
        {
            let mut waiting = BTreeMap::from([(grade, Waiting::new())]);
            waiting.values_mut().for_each(|sets| sets.add(self.pool, &[DividedKeys::new(&[key])]));
            self.write_runs(&mut waiting, &mut runs, &mut number)?;
        }
        while let Some((grade, names)) = runs.pop_last() {
            if !done.contains(&grade) {
                self.write_keys(grade, &names)?;
                self.follow(grade, &mut runs, &mut number)?;
                self.spill.write(&format!("done-{grade}"), &mut |_| Ok(()))?;
                done.insert(grade);
            }
            for name in &names {
                self.spill.remove(name)?;
            }
        }
        Ok(done)
    }

    /// Merges the runs of a grade.
    fn write_keys(&self, grade: u64, names: &[String]) -> io::Result<()> {
        self.spill.write(&format!("keys-{grade}"), &mut |out| {
            let mut merged = Merged::open(self.spill, names, u64::from_le_bytes)?;
            let mut last = None;
            while let Some(key) = merged.next()? {
                if last.replace(key) != Some(key) {
                    out.write_all(&key.to_le_bytes())?;
                }
            }
            Ok(())
        })
    }

    /// Writes what follows the positions of a grade as runs.
    fn follow(
        &self,
        grade: u64,
        runs: &mut BTreeMap<u64, Vec<String>>,
        number: &mut u64,
    ) -> Result<(), SolveError> {
        let mut waiting: BTreeMap<u64, Waiting> = BTreeMap::new();
        let mut keys = Keys::open(self.spill, &format!("keys-{grade}"))?;
        loop {
            self.check_stop()?;
            let batch = keys.take(self.sizes.gathered, u64::from_le_bytes)?;
            if batch.is_empty() {
                return Ok(self.write_runs(&mut waiting, runs, number)?);
            }
            let found = in_tasks(self.pool, &batch, &|_, keys| divided_successors(self.game, keys, grade))?;
            let mut by_grade: BTreeMap<u64, Vec<DividedKeys>> = BTreeMap::new();
            for (grade, divided) in found.into_iter().flatten() {
                by_grade.entry(grade).or_default().push(divided);
            }
            for (grade, found) in by_grade {
                let sets = waiting.entry(grade).or_insert_with(Waiting::new);
                sets.add(self.pool, &found);
            }
            if waiting.values().map(Waiting::key_bytes).sum::<u64>() > self.sizes.waiting {
                self.write_runs(&mut waiting, runs, number)?;
            }
            self.progress.advance(batch.len() as u64);
        }
    }

    fn write_runs(
        &self,
        waiting: &mut BTreeMap<u64, Waiting>,
        runs: &mut BTreeMap<u64, Vec<String>>,
        number: &mut u64,
    ) -> io::Result<()> {
        while let Some((grade, sets)) = waiting.pop_last() {
            let name = format!("run-{grade}-{number}");
            *number += 1;
            let mut parts = sets.into_parts();
            self.spill.write(&name, &mut |out| {
                parts.by_ref().flatten().try_for_each(|key| out.write_all(&key.to_le_bytes()))
            })?;
            runs.entry(grade).or_default().push(name);
        }
        Ok(())
    }

    /// Finds the scores of a grade, unless that was done.
    fn settle(&self, grade: u64) -> Result<(), SolveError> {
        let name = format!("scores-{grade}");
        if self.spill.names()?.contains(&name) {
            return Ok(());
        }
        let mut keys = Keys::open(self.spill, &format!("keys-{grade}"))?;
        write_by(self.spill, &name, &mut |out| self.write_scores(grade, &mut keys, out))
    }

    fn write_scores(&self, grade: u64, keys: &mut Keys, out: &mut dyn Write) -> Result<(), SolveError> {
        loop {
            self.check_stop()?;
            let part = keys.take(self.sizes.looked_up, u64::from_le_bytes)?;
            if part.is_empty() {
                return Ok(());
            }
            let (mut least, lookups) = self.ask(grade, &part)?;
            for (lower, mut lookups) in lookups {
                sort(self.pool, &mut lookups);
                self.look_up(lower, &lookups, &mut least)?;
            }
            let scores = in_tasks(self.pool, &part, &|first, keys| {
                self.game.scores(keys, &least[first..first + keys.len()])
            })?;
            for score in scores.into_iter().flatten() {
                out.write_all(&score.to_le_bytes())?;
            }
            self.progress.advance(part.len() as u64);
        }
    }

    /// The least scores of the successors that are over, and by grade those that are to be looked
    /// up: keys with the number of the position that has them.
    fn ask(&self, grade: u64, part: &[u64]) -> Result<(Vec<Option<u16>>, Lookups), SolveError> {
        let (mut least, mut lookups) = (Vec::with_capacity(part.len()), Lookups::new());
        let ask = |first, keys: &[u64]| self.game.ask(first as u32, keys, grade);
        for Asked { least: over, lookups: found } in in_tasks(self.pool, part, &ask)? {
            least.extend(over);
            for (grade, found) in found {
                lookups.entry(grade).or_default().extend(found);
            }
        }
        Ok((least, lookups))
    }

    /// Looks sorted keys up in one pass over a grade.
    fn look_up(
        &self,
        grade: u64,
        lookups: &[(u64, u32)],
        least: &mut [Option<u16>],
    ) -> Result<(), SolveError> {
        let mut keys = Keys::open(self.spill, &format!("keys-{grade}"))?;
        let mut scores: Records<2> = Records::open(self.spill, &format!("scores-{grade}"))?;
        let mut here: Option<(u64, u16)> = None;
        for &(key, asker) in lookups {
            while here.is_none_or(|(known, _)| known < key) {
                let (Some(known), Some(score)) = (keys.next_key()?, scores.next()?) else {
                    return Err(other_turns());
                };
                here = Some((known, u16::from_le_bytes(score)));
            }
            match here {
                Some((known, score)) if known == key => {
                    let least = &mut least[asker as usize];
                    *least = smaller(*least, score);
                }
                _ => return Err(other_turns()),
            }
        }
        Ok(())
    }

    /// Numbers all positions and sorts them in files.
    fn number(&self, grades: &BTreeSet<u64>, mut numbering: Numbering<'_>) -> Result<Numbered, SolveError> {
        self.progress.stage("sorting positions", 0);
        for grade in grades {
            let mut keys = Keys::open(self.spill, &format!("keys-{grade}"))?;
            let mut scores: Records<2> = Records::open(self.spill, &format!("scores-{grade}"))?;
            loop {
                self.check_stop()?;
                let part = keys.take(self.sizes.numbered_together(), u64::from_le_bytes)?;
                if part.is_empty() {
                    break;
                }
                let mut scored = Vec::with_capacity(part.len());
                for key in part {
                    let score = scores.next()?.ok_or_else(other_turns)?;
                    scored.push((key, u16::from_le_bytes(score)));
                }
                numbering.add(&scored)?;
            }
        }
        numbering.finish()
    }
}

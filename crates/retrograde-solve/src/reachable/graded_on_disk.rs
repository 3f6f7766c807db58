//! Solves reachable positions of games that cannot repeat on disk, if they do not fit into memory.
//!
//! This is the in-memory solver with files instead of lists. Keys that wait for their grade are written as
//! sorted runs when memory is full, and merged when it is the grade's turn. A grade is solved in parts: the
//! successors of a part are sorted and looked up in one pass over the files of the lower grades. Finally,
//! positions are numbered, sorted in runs, and merged.
//!
//! A file is complete or absent, so the names of the files show the progress of an earlier run:
//!
//! | file | holds |
//! |---|---|
//! | `run-GRADE-N` | sorted reachable keys; others of the grade may be in other runs |
//! | `keys-GRADE` | all keys of a grade, sorted |
//! | `done-GRADE` | nothing: all that follows the grade is in runs |
//! | `scores-GRADE` | a score of two bytes for each key |
//! | `numbers-N` | a sorted run of numbers (8 bytes) and scores (2) |
//!
//! An interrupted grade is started again. What it had already written is found twice, which is harmless.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use super::batches::{Batches, SuccessorLookups};
use super::files::{Files, Runs, look_up};
use super::settle::missing_successor;
use super::spill::{Keys, Merged, Records, write_by};
use super::spilled_scores::{Numbered, Numbering};
use super::tasks::{run_tasks, sort};
use crate::job::SolveError;

/// A solve with its files.
struct OnDisk<'a> {
    game: &'a dyn Batches,
    files: Files<'a>,
}

/// By grade: keys to be looked up, with the number of the position that asks.
type Lookups = BTreeMap<u64, Vec<(u64, u32)>>;

/// Solves all positions and returns them by index.
pub(super) fn solve(game: &dyn Batches, files: Files<'_>) -> Result<Numbered, SolveError> {
    let solve = OnDisk { game, files };
    let numbering = Numbering::begin(&solve.files, game)?;
    let grades = solve.gather()?;
    solve.files.progress.stage("solving, grade by grade", 0);
    for &grade in &grades {
        solve.settle(grade)?;
    }
    solve.number(&grades, numbering)
}

/// Parses the grade from the name of a file with this prefix.
fn grade_of(name: &str, beginning: &str) -> Option<u64> {
    name.strip_prefix(beginning)?.split('-').next()?.parse().ok()
}

impl OnDisk<'_> {
    /// Gathers all positions. Returns their grades in ascending order.
    fn gather(&self) -> Result<BTreeSet<u64>, SolveError> {
        self.files.progress.stage("gathering positions on disk", 0);
        let (mut runs, mut done) = (Runs::default(), BTreeSet::new());
        for name in self.files.spill.names()? {
            done.extend(grade_of(&name, "done-"));
            if let Some(grade) = grade_of(&name, "run-") {
                let of_run = name.rsplit('-').next().and_then(|number| number.parse().ok());
                runs.next = runs.next.max(of_run.map_or(0, |of_run: u64| of_run + 1));
                runs.by_grade.entry(grade).or_default().push(name);
            }
        }
        if runs.by_grade.is_empty()
            && done.is_empty()
            && let Some((grade, key)) = self.game.start()?
        {
            self.files.write_run(grade, std::iter::once(key), &mut runs)?;
        }
        while let Some((grade, names)) = runs.by_grade.pop_last() {
            if !done.contains(&grade) {
                self.write_keys(grade, &names)?;
                self.files.write_successors(self.game, (&format!("keys-{grade}"), grade), &mut runs)?;
                self.files.spill.write(&format!("done-{grade}"), &mut |_| Ok(()))?;
                done.insert(grade);
            }
            for name in &names {
                self.files.spill.remove(name)?;
            }
        }
        Ok(done)
    }

    /// Merges the runs of a grade.
    fn write_keys(&self, grade: u64, names: &[String]) -> io::Result<()> {
        self.files.spill.write(&format!("keys-{grade}"), &mut |out| {
            let mut merged = Merged::open(self.files.spill, names, u64::from_le_bytes)?;
            let mut last = None;
            while let Some(key) = merged.next()? {
                if last.replace(key) != Some(key) {
                    out.write_all(&key.to_le_bytes())?;
                }
            }
            Ok(())
        })
    }

    /// Finds the scores of a grade, unless they exist already.
    fn settle(&self, grade: u64) -> Result<(), SolveError> {
        let name = format!("scores-{grade}");
        if self.files.spill.names()?.contains(&name) {
            return Ok(());
        }
        write_by(self.files.spill, &name, &mut |out| self.write_scores(grade, out))
    }

    fn write_scores(&self, grade: u64, out: &mut dyn Write) -> Result<(), SolveError> {
        let most = self.files.sizes.looked_up;
        self.files.each_batch(&format!("keys-{grade}"), most, u64::from_le_bytes, &mut |part| {
            let (mut least, lookups) = self.ask(grade, &part)?;
            for (lower, mut lookups) in lookups {
                sort(self.files.pool, &mut lookups);
                self.look_up(lower, lookups, &mut least)?;
            }
            let scores = run_tasks(self.files.pool, &part, &|first, keys| {
                self.game.scores(keys, &least[first..first + keys.len()])
            })?;
            for score in scores.into_iter().flatten() {
                out.write_all(&score.to_le_bytes())?;
            }
            self.files.progress.advance(part.len() as u64);
            Ok(())
        })
    }

    /// Returns the least scores of the finished successors, and by grade the keys of the others with the
    /// number of their predecessor.
    fn ask(&self, grade: u64, part: &[u64]) -> Result<(Vec<Option<u16>>, Lookups), SolveError> {
        let (mut least, mut lookups) = (Vec::with_capacity(part.len()), Lookups::new());
        let ask = |first, keys: &[u64]| self.game.ask(first as u32, keys, grade);
        for SuccessorLookups { least: over, lookups: found } in run_tasks(self.files.pool, part, &ask)? {
            least.extend(over);
            for (grade, found) in found {
                lookups.entry(grade).or_default().extend(found);
            }
        }
        Ok((least, lookups))
    }

    /// Looks up sorted keys in one pass over a grade.
    fn look_up(
        &self,
        grade: u64,
        mut lookups: Vec<(u64, u32)>,
        least: &mut [Option<u16>],
    ) -> Result<(), SolveError> {
        let mut keys = Keys::open(self.files.spill, &format!("keys-{grade}"))?;
        let mut scores: Records<2> = Records::open(self.files.spill, &format!("scores-{grade}"))?;
        look_up(&mut lookups, least, &mut || {
            Ok(keys.next_key()?.zip(scores.next()?.map(u16::from_le_bytes)))
        })?;
        if lookups.is_empty() { Ok(()) } else { Err(missing_successor()) }
    }

    /// Numbers all positions and sorts them in files.
    fn number(&self, grades: &BTreeSet<u64>, mut numbering: Numbering<'_>) -> Result<Numbered, SolveError> {
        self.files.progress.stage("sorting positions", 0);
        for grade in grades {
            let mut scores: Records<2> = Records::open(self.files.spill, &format!("scores-{grade}"))?;
            let most = self.files.sizes.numbered_together();
            self.files.each_batch(&format!("keys-{grade}"), most, u64::from_le_bytes, &mut |part| {
                let mut scored = Vec::with_capacity(part.len());
                for key in part {
                    let score = scores.next()?.ok_or_else(missing_successor)?;
                    scored.push((key, u16::from_le_bytes(score)));
                }
                numbering.add(&scored)
            })?;
        }
        numbering.finish()
    }
}

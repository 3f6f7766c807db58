//! Positions by number in files: numbered in parts, sorted in runs, and read merged.

use std::collections::BTreeMap;
use std::io;

use super::batches::Positions;
use super::files::Files;
use super::spill::{Merged, remove_all, scored};
use super::tasks::{run_tasks, sort};
use crate::job::SolveError;
use crate::spill::Spill;

/// The prefix of the names of the files, which hold sorted numbers (8 bytes) with scores (2).
const BEGINNING: &str = "numbers-";

/// Numbers positions with their images and sorts them in files.
pub(super) struct Numbering<'a> {
    files: &'a Files<'a>,
    game: &'a dyn Positions,
    held: Vec<(u64, u16)>,
    numbered: Numbered,
}

/// The names of sorted files, and the number of positions by score.
#[derive(Default)]
pub(super) struct Numbered {
    names: Vec<String>,
    counts: BTreeMap<u16, u64>,
}

impl<'a> Numbering<'a> {
    /// Starts without positions. Removes the files of an earlier run.
    pub fn begin(files: &'a Files<'a>, game: &'a dyn Positions) -> io::Result<Numbering<'a>> {
        remove_all(files.spill, &[BEGINNING])?;
        Ok(Numbering { files, game, held: Vec::new(), numbered: Numbered::default() })
    }

    /// Numbers some positions that are [numbered together](super::spill::Sizes::numbered_together).
    pub fn add(&mut self, scored: &[(u64, u16)]) -> Result<(), SolveError> {
        let pairs = run_tasks(self.files.pool, scored, &|_, scored| self.game.numbered(scored))?;
        for pair in pairs.into_iter().flatten() {
            *self.numbered.counts.entry(pair.1).or_default() += 1;
            self.held.push(pair);
        }
        if self.held.len() >= self.files.sizes.numbered { Ok(self.write()?) } else { Ok(()) }
    }

    /// Returns all positions.
    pub fn finish(mut self) -> Result<Numbered, SolveError> {
        self.write()?;
        Ok(self.numbered)
    }

    fn write(&mut self) -> io::Result<()> {
        sort(self.files.pool, &mut self.held);
        let name = format!("{BEGINNING}{}", self.numbered.names.len());
        self.files.spill.write(&name, &mut |out| {
            self.held.iter().try_for_each(|(number, score)| {
                out.write_all(&number.to_le_bytes())?;
                out.write_all(&score.to_le_bytes())
            })
        })?;
        self.held.clear();
        self.numbered.names.push(name);
        Ok(())
    }
}

/// Positions by number, in sorted files.
pub struct SpilledScores {
    spill: Box<dyn Spill>,
    numbered: Numbered,
}

impl SpilledScores {
    pub(super) fn new(spill: Box<dyn Spill>, numbered: Numbered) -> SpilledScores {
        SpilledScores { spill, numbered }
    }

    /// The number of positions by score.
    pub(super) fn counts(&self) -> &BTreeMap<u16, u64> {
        &self.numbered.counts
    }

    /// Numbers and scores, in the order of the numbers.
    pub(super) fn iter(&self) -> io::Result<impl Iterator<Item = io::Result<(u64, u16)>> + use<>> {
        let mut merged = Merged::open(&*self.spill, &self.numbered.names, scored)?;
        Ok(std::iter::from_fn(move || merged.next().transpose()))
    }

    /// The score of a number, if it occurs. Reads all lower numbers.
    pub(super) fn score(&self, number: u64) -> io::Result<Option<u16>> {
        for pair in self.iter()? {
            let (here, score) = pair?;
            if here >= number {
                return Ok(Some(score).filter(|_| here == number));
            }
        }
        Ok(None)
    }
}

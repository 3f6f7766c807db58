//! Gathers positions breadth first.

use std::io::Write;

use super::super::files::Runs;
use super::super::spill::{Keys, remove_all, write_by};
use super::OnDisk;
use super::records::RunCursor;
use crate::job::SolveError;

/// The number of records between checks for a stop.
const CHECK_EVERY: usize = 1 << 16;

impl OnDisk<'_> {
    /// Gathers all positions. Returns the level that contains all of them.
    pub(super) fn gather(&self) -> Result<u64, SolveError> {
        self.files.progress.stage("gathering positions on disk", 0);
        let mut level = match self.latest("known-")? {
            Some(level) => level,
            None => {
                let start = self.game.start()?.map(|(_, key)| key);
                let put =
                    |out: &mut dyn Write| start.iter().try_for_each(|key| out.write_all(&key.to_le_bytes()));
                self.files.spill.write("new-0", &mut |out| put(out))?;
                self.files.spill.write("known-0", &mut |out| put(out))?;
                0
            }
        };
        loop {
            let mut runs = Runs::default();
            self.files.write_successors(self.game, (&format!("new-{level}"), 1), &mut runs)?;
            let Some(runs) = runs.by_grade.remove(&0) else { return Ok(level) };
            self.write_level(level, &runs)?;
            remove_all(self.files.spill, &["run-"])?;
            self.files.spill.remove(&format!("known-{level}"))?;
            self.files.spill.remove(&format!("new-{level}"))?;
            level += 1;
        }
    }

    /// Writes the new keys of runs, and all known keys with them.
    fn write_level(&self, level: u64, runs: &[String]) -> Result<(), SolveError> {
        let next = level + 1;
        write_by(self.files.spill, &format!("known-{next}"), &mut |all| {
            write_by(self.files.spill, &format!("new-{next}"), &mut |new| {
                let mut found = RunCursor::open(self.files.spill, runs)?;
                let mut known = Keys::open(self.files.spill, &format!("known-{level}"))?;
                let mut next_known = known.next_key()?;
                while let Some(keys) = self.take_next(&mut found)? {
                    for key in keys {
                        while let Some(here) = next_known.filter(|&here| here < key) {
                            all.write_all(&here.to_le_bytes())?;
                            next_known = known.next_key()?;
                        }
                        if next_known != Some(key) {
                            all.write_all(&key.to_le_bytes())?;
                            new.write_all(&key.to_le_bytes())?;
                        }
                    }
                }
                while let Some(here) = next_known {
                    all.write_all(&here.to_le_bytes())?;
                    next_known = known.next_key()?;
                }
                Ok(())
            })
        })
    }

    /// Returns the next keys of runs without duplicates; `None` at the end.
    fn take_next(&self, found: &mut RunCursor) -> Result<Option<Vec<u64>>, SolveError> {
        self.files.check_stop()?;
        let mut keys = Vec::new();
        while let Some(key) = found.head.filter(|_| keys.len() < CHECK_EVERY) {
            found.count(key)?;
            keys.push(key);
        }
        Ok(Some(keys).filter(|keys| !keys.is_empty()))
    }
}

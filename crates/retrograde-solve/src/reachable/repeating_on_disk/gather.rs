//! Gathers what occurs, breadth first.

use std::io::Write;

use super::super::spill::{Keys, remove_all, write_by};
use super::super::tasks::in_tasks;
use super::super::waiting::{DividedKeys, Waiting};
use super::OnDisk;
use super::records::Beside;
use crate::job::SolveError;

/// Records that are read between two questions whether to stop.
const PATIENCE: usize = 1 << 16;

impl OnDisk<'_> {
    /// Gathers all positions; the level that has them all.
    pub(super) fn gather(&self) -> Result<u64, SolveError> {
        self.progress.stage("gathering positions on disk", 0);
        let mut level = match self.latest("known-")? {
            Some(level) => level,
            None => {
                let start = self.game.start()?.map(|(_, key)| key);
                let put =
                    |out: &mut dyn Write| start.iter().try_for_each(|key| out.write_all(&key.to_le_bytes()));
                self.spill.write("new-0", &mut |out| put(out))?;
                self.spill.write("known-0", &mut |out| put(out))?;
                0
            }
        };
        loop {
            let runs = self.follow(level)?;
            if runs.is_empty() {
                return Ok(level);
            }
            self.write_level(level, &runs)?;
            remove_all(self.spill, &["run-"])?;
            self.spill.remove(&format!("known-{level}"))?;
            self.spill.remove(&format!("new-{level}"))?;
            level += 1;
        }
    }

    /// Writes what follows the newest positions as runs.
    fn follow(&self, level: u64) -> Result<Vec<String>, SolveError> {
        let (mut waiting, mut runs) = (Waiting::new(), Vec::new());
        let mut new = Keys::open(self.spill, &format!("new-{level}"))?;
        loop {
            self.check_stop()?;
            let batch = new.take(self.sizes.gathered, u64::from_le_bytes)?;
            if batch.is_empty() || waiting.key_bytes() > self.sizes.waiting {
                let full = std::mem::replace(&mut waiting, Waiting::new());
                if full.len() > 0 {
                    let name = format!("run-{}", runs.len());
                    let mut parts = full.into_parts();
                    self.spill.write(&name, &mut |out| {
                        parts.by_ref().flatten().try_for_each(|key| out.write_all(&key.to_le_bytes()))
                    })?;
                    runs.push(name);
                }
            }
            if batch.is_empty() {
                return Ok(runs);
            }
            let find = |_, keys: &[u64]| self.game.successors(keys, 0);
            let found = in_tasks(self.pool, &batch, &find)?.into_iter().flatten();
            let found: Vec<DividedKeys> = found.map(|(_, keys)| DividedKeys::new(&keys)).collect();
            waiting.add(self.pool, &found);
            self.progress.advance(batch.len() as u64);
        }
    }

    /// Writes the keys of runs that are new, and all that are known with them.
    fn write_level(&self, level: u64, runs: &[String]) -> Result<(), SolveError> {
        let next = level + 1;
        write_by(self.spill, &format!("known-{next}"), &mut |all| {
            write_by(self.spill, &format!("new-{next}"), &mut |new| {
                let mut found = Beside::open(self.spill, runs)?;
                let mut known = Keys::open(self.spill, &format!("known-{level}"))?;
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

    /// The next keys of runs, each once, unless there are none.
    fn take_next(&self, found: &mut Beside) -> Result<Option<Vec<u64>>, SolveError> {
        self.check_stop()?;
        let mut keys = Vec::new();
        while let Some(key) = found.head.filter(|_| keys.len() < PATIENCE) {
            found.count(key)?;
            keys.push(key);
        }
        Ok(Some(keys).filter(|keys| !keys.is_empty()))
    }
}

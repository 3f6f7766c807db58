//! Solves reachable positions of games that can repeat on disk, if they do not fit into memory.
//!
//! Positions are gathered breadth first: the successors of the newest positions are written as sorted runs
//! when memory is full, and merging the runs with all known positions yields the new ones. Positions are then
//! decided turn by turn, as several processes do it, with sorted files instead of messages: a phase lists the
//! predecessors of the positions that the previous phase decided, and scans the undecided positions along
//! with them. A phase therefore reads undecided positions, but no decided ones of earlier phases.
//!
//! A file is complete or absent, so the names of the files show the progress of an earlier run:
//!
//! | file | holds, sorted |
//! |---|---|
//! | `known-N` | the keys of all positions reachable within N turns |
//! | `new-N` | the keys of those that are not reachable sooner |
//! | `run-0-M` | keys that follow the newest; others may be in other runs |
//! | `before` | keys before the game proper |
//! | `open-T` | keys that are undecided after phase T, each with the turns that are not refuted (4 bytes) |
//! | `decided-T` | keys that phase T has decided, each with its score (2 bytes) |
//! | `won-M`, `refuted-M` | keys with a turn to a loss, and keys once for each turn that is refuted |
//!
//! The file whose name marks a step as done, `known-N` or `open-T`, is written last. An interrupted step is
//! repeated.

mod before;
mod gather;
mod phases;
mod records;

use retrograde_game::Score;

use super::batches::RepeatingBatches;
use super::files::Files;
use super::spill::{remove_all, scored};
use super::spilled_scores::{Numbered, Numbering};
use crate::job::SolveError;
use records::undecided;

/// Solves all positions and returns them by index.
pub(super) fn solve(game: &dyn RepeatingBatches, files: Files<'_>) -> Result<Numbered, SolveError> {
    let solve = OnDisk { game, files };
    let numbering = Numbering::begin(&solve.files, game)?;
    remove_all(solve.files.spill, &["run-", "won-", "refuted-"])?;
    let turns = match solve.latest("open-")? {
        Some(turns) => u16::try_from(turns).map_err(|_| SolveError::TooDeep)?,
        None => {
            let level = solve.gather()?;
            solve.run_first_look(level)?;
            0
        }
    };
    remove_all(solve.files.spill, &["known-", "new-"])?;
    let turns = solve.solve_phases(turns)?;
    let before = solve.solve_before(turns)?;
    solve.number(turns, &before, numbering)
}

/// Callback for some keys with their scores.
type Visit<'a> = &'a mut dyn FnMut(&[(u64, u16)]) -> Result<(), SolveError>;

/// A solve with its files.
struct OnDisk<'a> {
    game: &'a dyn RepeatingBatches,
    files: Files<'a>,
}

impl OnDisk<'_> {
    /// Returns the greatest number after this prefix in the names of files. Removes the other files with the
    /// prefix, which earlier steps wrote.
    fn latest(&self, beginning: &str) -> Result<Option<u64>, SolveError> {
        let number = |name: &String| name.strip_prefix(beginning)?.parse::<u64>().ok();
        let numbers: Vec<u64> = self.files.spill.names()?.iter().filter_map(number).collect();
        let latest = numbers.iter().copied().max();
        for earlier in numbers.into_iter().filter(|&number| Some(number) != latest) {
            self.files.spill.remove(&format!("{beginning}{earlier}"))?;
        }
        Ok(latest)
    }

    /// Visits the positions of the game proper with their scores, in sorted files one after the other.
    /// Undecided positions come last and are draws.
    fn each_solved(&self, turns: u16, visit: Visit<'_>) -> Result<(), SolveError> {
        let most = self.files.sizes.numbered_together();
        for turns in 0..=turns {
            self.files.each_batch(&format!("decided-{turns}"), most, scored, &mut |part| visit(&part))?;
        }
        let draw = |record| (undecided(record).0, u16::DRAW);
        self.files.each_batch(&format!("open-{turns}"), most, draw, &mut |part| visit(&part))
    }

    /// Numbers all positions and sorts them in files.
    fn number(
        &self,
        turns: u16,
        before: &[(u64, u16)],
        mut numbering: Numbering<'_>,
    ) -> Result<Numbered, SolveError> {
        self.files.progress.stage("sorting positions", 0);
        self.each_solved(turns, &mut |part| numbering.add(part))?;
        before.chunks(self.files.sizes.numbered_together()).try_for_each(|part| numbering.add(part))?;
        numbering.finish()
    }
}

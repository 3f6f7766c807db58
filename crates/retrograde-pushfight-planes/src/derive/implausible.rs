//! Positions that no push can have led to: nobody comes to them, so a solution leaves them out. Their values follow from
//! those of the others all the same, see the module `derived`; here they are counted by turns, so that counts can be over
//! all permutations of the pieces, as the first complete solve had them.
//!
//! What is found is logged like the phases of a solve, beside logs of those if they have to be made anew, and goes when
//! all is counted. The counts stand beside the solution in `others.json`, with the checksum of the losses that they follow
//! from.

use std::io;
use std::path::Path;

use retrograde_game::Game;
use retrograde_pushfight::PushFight;
use retrograde_solve::SolveError;

use crate::config::Means;
use crate::derive::values::{Values, derive, is_said};
use crate::files::implausible_counts::{FILE, Others};
use crate::files::log::{DRAWS, Log, STUCK};
use crate::files::log_planes::log_of;
use crate::files::sidecar;
use crate::files::solution_info::About;
use crate::files::work_folder::IMPLAUSIBLE;
use crate::files::work_folder::{clear, make};
use crate::kernel::simd::Level;
use crate::layout::numbering::{Scope, Shape, with_words};
use crate::layout::sparse::Cells;
use crate::phase::count::PhaseCount;
use crate::phase::count::counted;
use crate::phase::engine::Engine;
use crate::solution::open::Solution;
use crate::solve::steps::phase;

impl Solution {
    /// What is known of how many positions there are that no push can have led to; `None` until they are counted.
    pub fn others(&self) -> Option<&Others> {
        self.others.get()
    }

    /// Counts the positions that no push can have led to, unless that has been done, and writes the counts beside the
    /// solution, which is in this directory. It takes memory and time like a solve; what is found is logged in a directory
    /// within, and a later run goes on from there. That goes at the end.
    ///
    /// # Errors
    /// If it is stopped, or a file cannot be read or written.
    pub fn count_others(
        &self,
        game: &PushFight,
        directory: &Path,
        means: &Means<'_>,
    ) -> Result<&Others, SolveError> {
        if let Some(others) = self.others.get() {
            return Ok(others);
        }
        let work = directory.join(IMPLAUSIBLE);
        make(&work)?;
        let log = self.logs(game, directory, &work, means)?;
        let own = log_of(game, &work, &means.storage).others();
        let others = count(game, &log, &own, means, self.about(), self.losses().checksum())?;
        sidecar::write(directory, &*means.storage, FILE, &others)?;
        clear(&work)?;
        Ok(self.others.get_or_init(|| others))
    }
}

fn count(
    game: &PushFight,
    log: &Log,
    own: &Log,
    means: &Means<'_>,
    about: &About,
    losses: u32,
) -> Result<Others, SolveError> {
    let too_large = || SolveError::TooLarge { count: game.position_count() };
    let shape = |scope| Shape::new(game, scope).ok_or_else(too_large);
    let (target, known) = (shape(Scope::Others)?, shape(Scope::Game)?);
    let run = with_words!(target, W => counting::<W>);
    let (phases, draws) = run([target, known], [log, own], means, about)?;
    Ok(Others { losses, phases, draws })
}

fn counting<const W: usize>(
    [target, known]: [Shape; 2],
    [log, own]: [&Log; 2],
    means: &Means<'_>,
    about: &About,
) -> Result<(Vec<PhaseCount>, PhaseCount), SolveError> {
    let engine = |shape| Engine::<W>::new(shape, Level::best(), means.threads);
    let (mut target, known) = (engine(target), engine(known));
    let mut values = Values { engine: known, log, means, about };
    let mut phases = Vec::new();
    let rest = derive(&mut target, &mut values, &mut |engine, turns, what| {
        let (plane, count) = phase(engine, own, means, turns, what)?;
        if turns < STUCK && is_said(about, turns) {
            phases.push(PhaseCount { seconds: 0.0, ..count });
        }
        Ok(plane)
    })?;
    if !target.left.iter().all(Cells::is_empty) {
        return Err(
            io::Error::new(io::ErrorKind::InvalidData, "the logs of the solve do not fit together").into()
        );
    }
    let numbers = |turns, numbers: Vec<u64>| counted(&target.shape, turns, numbers.into_iter().enumerate());
    phases.push(numbers(1, rest.won));
    phases.sort_by_key(|phase| phase.turns);
    Ok((phases, numbers(DRAWS, rest.open)))
}

#[cfg(test)]
mod tests;

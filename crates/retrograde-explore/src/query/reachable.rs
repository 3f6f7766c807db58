//! Counts the positions of a game that can be reached from the start: with its own solver, or by
//! visiting every turn of every position.

use retrograde_solve::Progress;

use crate::machine::{allowed_memory, data_memory};
use crate::{AnyGame, Count, Error, Reachable, SolveOptions};

impl AnyGame {
    /// Counts the reachable positions, with the threads and the memory of the options. This does
    /// not use a table.
    ///
    /// # Errors
    /// If it does not fit or was stopped.
    pub fn reachable(&self, options: &SolveOptions, progress: &dyn Progress) -> Result<Reachable, Error> {
        let game = &*self.game;
        let memory = allowed_memory(options.memory);
        let own = self
            .own_archive_solver()
            .and_then(|(_, solver)| solver.count_reachable(memory, options.threads.max(1), progress));
        let mut reachable = match own {
            Some(own) => own.map_err(|error| self.explained(error))?,
            None => {
                // Only images share an index.
                let merges = self.up_to_symmetry();
                let all = match self.dense().filter(|_| merges) {
                    Some(dense) => dense.count_reachable(data_memory(memory), progress),
                    None => game.count_reachable(data_memory(memory), progress),
                };
                let all = all.map_err(|error| self.explained(error))?;
                Reachable {
                    game: game.name(),
                    positions: Count(game.facts().position_count),
                    reachable: Count(all.unfinished.into()),
                    before: Count(all.before.into()),
                    finished: Some(Count(all.finished.into())),
                    up_to_symmetry: merges.then_some(Count(all.numbers.into())),
                    with_images: false,
                    positions_up_to_symmetry: merges,
                    counts: Vec::new(),
                }
            }
        };
        if let Some(counts) = &self.counts {
            reachable.counts.extend(counts().into_iter().map(|(name, count)| (name, Count(count))));
        }
        Ok(reachable)
    }
}

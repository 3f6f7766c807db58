//! Counts the positions of a game that can occur: with its own solver, or by looking at every turn
//! of every position.

use retrograde_game::{Game, Show};
use retrograde_solve::Progress;

use crate::game::entry::Entry;
use crate::machine::{allowed_memory, data_memory};
use crate::{Count, Error, Occurring, SolveOptions};

/// Counts the positions that occur.
pub(crate) fn count_occurring<G: Game + Show + 'static>(
    entry: &Entry<G>,
    options: &SolveOptions,
    progress: &dyn Progress,
) -> Result<Occurring, Error> {
    let game = &entry.game;
    let memory = allowed_memory(options.memory);
    let own = entry
        .own_archive_solver()
        .and_then(|(_, solver)| solver.occurring(game, memory, options.threads.max(1), progress));
    let mut occurring = match own {
        Some(own) => own.map_err(|error| entry.explained(error))?,
        None => {
            // Only images have a number in common.
            let merges = entry.up_to_symmetry();
            let number = |position: &G::Position| match merges {
                true => entry.index(position).map(|index| index.0),
                false => None,
            };
            let all =
                retrograde_solve::occurring(game, &game.start(), &number, data_memory(memory), progress)
                    .map_err(|error| entry.explained(error))?;
            Occurring {
                game: game.name(),
                positions: Count(game.position_count()),
                occurring: Count(all.unfinished.into()),
                before: Count(all.before.into()),
                finished: Some(Count(all.finished.into())),
                up_to_symmetry: merges.then_some(Count(all.numbers.into())),
                with_images: false,
                positions_up_to_symmetry: merges,
                counts: Vec::new(),
            }
        }
    };
    if let Some(counts) = entry.counts {
        occurring.counts.extend(counts(game).into_iter().map(|(name, count)| (name, Count(count))));
    }
    Ok(occurring)
}

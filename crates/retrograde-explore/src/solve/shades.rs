//! Finds the shades of the draws of a solved game and writes them next to its table.

use std::path::Path;
use std::sync::Arc;

use retrograde_game::{Index, Knowledge, Outcome, Stored};
use retrograde_solve::clock::Instant;
use retrograde_solve::shades::{Draws, Shades};
use retrograde_solve::{Job, NoCheckpoint, Progress};
use retrograde_table::{GameLock, remove_unfinished};

use crate::long_work::long_work;
use crate::machine::{allowed_memory, data_memory};
use crate::query::lookup::complete;
use crate::query::shades::statistics;
use crate::solve::write::note_seconds;
use crate::store::shades::{self, ShadeManifest};
use crate::{AnyGame, Count, Error, OpenGame, Resources, ShadeStatistics, SolveOptions};

impl AnyGame {
    /// Finds the shades of the draws of a solved game and writes them next to its table, unless they are
    /// already there and intact (with [`SolveOptions::again`], finds them again). Returns the number of
    /// draws of each shade. Uses the options for threads, memory and storage.
    ///
    /// # Errors
    /// Returns [`Error::NoTable`] if there is no table, and an error if the table does not hold all
    /// positions, the shades do not fit or cannot be written, another process is writing, or the
    /// search was stopped.
    pub fn find_shades(
        self: &Arc<Self>,
        tables: &Path,
        options: &SolveOptions,
        progress: &dyn Progress,
    ) -> Result<ShadeStatistics, Error> {
        long_work(|| {
            let open = |lock: Option<&GameLock>| -> Result<OpenGame, Error> {
                if let Some(lock) = lock {
                    for removed in remove_unfinished(&*options.storage, lock.directory(), &[shades::FILE])? {
                        progress.note(&removed.note());
                    }
                }
                self.explore_in(options.storage.clone(), tables)
            };
            if let Some(found) = found_before(&open(None)?, options, progress)? {
                return Ok(found);
            }
            let lock = GameLock::acquire(tables, &self.game.name())?;
            // The previous holder of the lock may have found them or solved the game again.
            let game = open(Some(&lock))?;
            if let Some(found) = found_before(&game, options, progress)? {
                return Ok(found);
            }
            let began = Instant::now();
            let shades = solve(&game, options, progress)?;
            let (Some(dense), Some((main, all))) = (self.dense(), self.index_counts()) else {
                return Err(game.no_table());
            };
            let by_code = shades.by_code(u64::try_from(main).unwrap_or(u64::MAX));
            let about = ShadeManifest {
                game: game.name().to_owned(),
                rules_version: self.game.facts().rules_version,
                index_version: dense.facts().index_version,
                index_count: Count(all),
                values: game.stored()?.stamp(),
                code_bytes: if shades.scale.is_narrow() { 1 } else { 2 },
                longest: shades.scale.longest(),
                by_code,
            };
            let seconds = began.elapsed().as_secs_f64();
            drop(game);
            progress.stage("writing the shades of draws", 0);
            let threads = options.threads.max(1);
            let written = shades::write(&*options.storage, &lock, &about, &shades, (threads, progress));
            if progress.stopped() {
                return Err(Error::Stopped);
            }
            written?;
            let game = open(None)?;
            if let Some(shades) = &game.shades {
                note_seconds(&*options.storage, lock.directory(), &shades.stamp(), seconds);
            }
            statistics(&game)
        })
    }
}

/// The counts of the stored shades, if these are intact and are not to be computed `again`.
fn found_before(
    game: &OpenGame,
    options: &SolveOptions,
    progress: &dyn Progress,
) -> Result<Option<ShadeStatistics>, Error> {
    if let Some(note) = &game.shade_note {
        progress.note(note);
    }
    let Some(file) = game.shades.as_ref().filter(|_| !options.again) else { return Ok(None) };
    let (_, faults) = file.check(progress)?;
    if let Some(fault) = faults.first() {
        progress.note(&format!("{fault}; computing the shades again"));
        return Ok(None);
    }
    statistics(game).map(Some)
}

/// Finds the shades of all indices.
fn solve(game: &OpenGame, options: &SolveOptions, progress: &dyn Progress) -> Result<Shades, Error> {
    let entry = &*game.entry;
    let values = game.stored()?;
    let (Some(dense), Some(find_shades)) = (entry.dense(), &entry.shades) else {
        return Err(game.no_table());
    };
    if !values.facts().has_every_value() {
        return Err(Error::Unsupported(format!(
            "shades of draws need the values of all positions, and the table of {} does not have them all; \
             `probe --pressure` counts the turns that hold",
            game.name()
        )));
    }
    let count = dense.index_count();
    let count = u64::try_from(count).map_err(|_| Error::TooLarge(format!("{count} indices are too many")))?;
    let draws = Draws::new(count).map_err(|error| entry.explained(error))?;
    let mut looked = 0_u64;
    let mut look = |index: Index, knowledge: Knowledge| -> Result<bool, Error> {
        looked += 1;
        if looked.is_multiple_of(1 << 16) {
            progress.advance(1 << 16);
            if progress.stopped() {
                return Err(Error::Stopped);
            }
        }
        let knowledge = match knowledge {
            Knowledge::NotLost => complete(game, knowledge, &game.position_at(index)?)?,
            known => known,
        };
        match knowledge.outcome() {
            Some(Outcome::Draw) => draws.insert(index),
            Some(_) => {}
            None => {
                return Err(Error::Unsupported(format!(
                    "shades need to know whether position {index} is drawn, but the table of {} is not \
                     solved that far; solve it to the end",
                    game.name()
                )));
            }
        }
        Ok(true)
    };
    let places = 0..values.facts().place_count;
    let resources = Resources::new(options.threads, options.memory, progress);
    let all = values.bulk_values(places.clone(), &resources).transpose();
    let all = all.map_err(|error| entry.explained(error))?;
    progress.stage("looking for draws", values.facts().place_count);
    match all {
        Some(all) => {
            for index in places.map(Index) {
                look(index, all(index))?;
            }
        }
        None => values.scan(0, &mut look)?,
    }
    for index in (values.facts().place_count..count).map(Index) {
        if let Stored::Known(knowledge) = values.get(index)? {
            look(index, knowledge)?;
        }
    }
    let mut no_checkpoint = NoCheckpoint;
    let job = Job {
        threads: options.threads.max(1),
        memory: data_memory(allowed_memory(options.memory)),
        horizon: None,
        progress,
        checkpoint: &mut no_checkpoint,
    };
    find_shades(&draws, &job).map_err(|error| entry.explained(error))
}

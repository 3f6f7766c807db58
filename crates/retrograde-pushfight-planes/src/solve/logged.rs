//! Solves the plausible positions and starts of a board, and logs each phase before it counts.
//!
//! A complete log is only replayed. Otherwise the board is solved as a whole or in parts, which write
//! the same logs.

use std::io;
use std::path::Path;

use retrograde_pushfight::PushFight;
use retrograde_solve::{Alone, Exchange, SolveError};

use crate::config::{HAS_DISK, SolveConfig};
use crate::files::log::Log;
use crate::kernel::simd::SimdLevel;
use crate::layout::numbering::Layout;
use crate::layout::scope::Scope;
use crate::phase::count::PhaseCount;
use crate::phase::engine::Engine;
use crate::solve::distributed::SharedResults;
use crate::solve::driver::run_phases;
use crate::solve::in_memory::InMemoryStore;
use crate::solve::partitioned::PartitionedStore;
use crate::solve::steps::replay_log;

/// Solves a board phase by phase, each logged in an existing directory; resumes where an earlier run
/// ended. `on_phase` is called for each phase, including phases of earlier runs.
///
/// # Errors
/// If it is stopped, the board is too large, or a log cannot be written or read.
pub fn solve_logged(
    game: &PushFight,
    directory: &Path,
    config: &SolveConfig<'_>,
    on_phase: &mut dyn FnMut(PhaseCount),
) -> Result<(), SolveError> {
    solve_together(game, directory, config, &mut Alone([1]), on_phase)
}

/// The same with other processes, all of which call this; only process 0 uses the directory.
pub(crate) fn solve_together(
    game: &PushFight,
    directory: &Path,
    config: &SolveConfig<'_>,
    processes: &mut dyn Exchange,
    on_phase: &mut dyn FnMut(PhaseCount),
) -> Result<(), SolveError> {
    let layout = Layout::of_board(game, Scope::PlausibleAndStarts)?;
    let log = Log::new(game, directory, &config.storage);
    let first = processes.process() == 0;
    let complete = first && replay_log(&layout, &log, config, on_phase)?;
    if processes.tell_all(&[u8::from(complete)])?[0] == [1] {
        return Ok(());
    }
    retrograde_solve::memory::return_freed_memory();
    if first && config.parts <= 1 {
        log.remove_part_files()?;
    }
    let mut engine = Engine::new(layout, SimdLevel::best(), config.threads);
    if HAS_DISK && config.parts > 1 {
        return run_phases(&mut PartitionedStore::new(engine, &log, config), config.horizon, on_phase);
    }
    let results = SharedResults::new(&engine.layout, first.then_some(&log), config, processes);
    engine.part = results.part().cloned();
    run_phases(&mut InMemoryStore::new(engine, results, config), config.horizon, on_phase)
}

/// Solves a board, and passes its phases to `write`. If that finds damaged results, they are computed again,
/// unless the disk damages them repeatedly.
///
/// # Errors
/// The errors of [`solve_logged`] and of `write`.
pub(crate) fn solve_and_write<T>(
    game: &PushFight,
    directory: &Path,
    config: &SolveConfig<'_>,
    mut write: impl FnMut(Vec<PhaseCount>) -> Result<T, SolveError>,
) -> Result<T, SolveError> {
    let mut tries = 0;
    loop {
        let mut phases = Vec::new();
        solve_logged(game, directory, config, &mut |phase| phases.push(phase))?;
        match write(phases) {
            Err(SolveError::Checkpoint(error)) if error.kind() == io::ErrorKind::InvalidData && tries < 2 => {
                config.progress.note(&format!("{error}: it is computed again"));
                tries += 1;
            }
            result => return result,
        }
    }
}

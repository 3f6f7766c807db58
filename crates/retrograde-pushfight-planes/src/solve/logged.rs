//! Solves the plausible positions and starts of a board, and logs each phase before it counts.
//!
//! A complete log is only replayed. Otherwise the board is solved as a whole or in parts, which write
//! the same logs.

use std::io;
use std::path::Path;

use retrograde_pushfight::PushFight;
use retrograde_solve::{Alone, SolveError};

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
    let layout = Layout::of_board(game, Scope::PlausibleAndStarts)?;
    let log = Log::new(game, directory, &config.storage);
    if replay_log(&layout, &log, config, on_phase)? {
        return Ok(());
    }
    retrograde_solve::memory::return_freed_memory();
    if config.parts <= 1 {
        log.remove_part_files()?;
    }
    let engine = Engine::new(layout, SimdLevel::best(), config.threads);
    if HAS_DISK && config.parts > 1 {
        run_phases(&mut PartitionedStore::new(engine, &log, config), config.horizon, on_phase)
    } else {
        let mut alone = Alone([1]);
        let results = SharedResults::new(&engine.layout, Some(&log), config, &mut alone);
        run_phases(&mut InMemoryStore::new(engine, results, config), config.horizon, on_phase)
    }
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

#[cfg(test)]
mod tests {
    use std::fs;

    use retrograde_solve::{Progress, Silent};

    use super::*;
    use crate::files::log_planes::read_plane;
    use crate::testing::{Fuse, config, game, indices};

    /// The logged positions of every phase, sorted.
    fn logged(game: &PushFight, directory: &Path, phases: &[PhaseCount]) -> Vec<(u16, Vec<u64>)> {
        let layout = Layout::new(game, Scope::PlausibleAndStarts).unwrap();
        let log = Log::new(game, directory, &config(&Silent).storage);
        let mut all = Vec::new();
        for phase in phases.iter().filter(|phase| phase.turns != 1) {
            let found = log.open(phase.id()).unwrap();
            assert!(found.is_complete());
            let plane = read_plane(&layout, &found, 1).unwrap();
            let list = indices(game, &layout, &plane);
            assert_eq!(list.len() as u64, phase.count + phase.starts);
            all.push((phase.turns, list));
        }
        all
    }

    fn solved(
        game: &PushFight,
        directory: &Path,
        progress: &dyn Progress,
        parts: usize,
    ) -> Option<Vec<PhaseCount>> {
        let mut phases = Vec::new();
        let config = SolveConfig { parts, ..config(progress) };
        match solve_logged(game, directory, &config, &mut |phase| phases.push(phase)) {
            Ok(()) => Some(phases),
            Err(SolveError::Stopped) => None,
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn truncated_and_damaged_results_are_computed_again() {
        interrupt_and_damage(|_| 1);
    }

    #[test]
    fn a_solve_resumes_with_another_number_of_parts() {
        interrupt_and_damage(|_| 3);
        interrupt_and_damage(|run| [2, 2, 1, 5, 3][run as usize / 2 % 5]);
    }

    fn interrupt_and_damage(parts_of_run: impl Fn(u64) -> usize) {
        let game = game("pushfight:mini,pushers=2,pawns=1");
        let whole = retrograde_testkit::tempdir().unwrap();
        let phases = solved(&game, whole.path(), &Silent, 1).unwrap();
        let expected = logged(&game, whole.path(), &phases);

        let parts = retrograde_testkit::tempdir().unwrap();
        let mut runs = 0;
        // Each run gets a little further than the one before.
        while solved(&game, parts.path(), &Fuse::new(150 + 37 * runs), parts_of_run(runs)).is_none() {
            runs += 1;
            // The last file may also end within a record.
            let last = fs::read_dir(parts.path()).unwrap().map(|entry| entry.unwrap().path()).max();
            if let Some(path) = last.filter(|_| runs % 3 == 0) {
                let length = fs::metadata(&path).unwrap().len();
                fs::File::options().write(true).open(&path).unwrap().set_len(length - length.min(7)).unwrap();
            }
        }
        assert!(runs > 3);
        assert_eq!(logged(&game, parts.path(), &phases), expected);

        // One flipped bit in each file, somewhere.
        let mut changed = 0;
        for (number, entry) in fs::read_dir(parts.path()).unwrap().enumerate() {
            let path = entry.unwrap().path();
            let mut bytes = fs::read(&path).unwrap();
            let at = 997 * (number + 1) % bytes.len();
            bytes[at] ^= 1 << (number % 8);
            fs::write(&path, bytes).unwrap();
            changed += 1;
        }
        assert!(changed > 5);
        let again = solved(&game, parts.path(), &Silent, parts_of_run(0)).unwrap();
        assert_eq!(again.len(), phases.len());
        assert_eq!(logged(&game, parts.path(), &phases), expected);
    }
}

//! Solves a board phase by phase with all of it in memory, each phase logged.

use retrograde_solve::SolveError;

use crate::config::SolveConfig;
use crate::files::log::Log;
use crate::layout::sparse::SparseCells;
use crate::layout::superblocks::by_superblock;
use crate::phase::count::{PhaseCount, count_phase, logged_draws};
use crate::phase::engine::Engine;
use crate::phase::kinds::Phase;
use crate::phase::kinds::PhaseId;
use crate::solve::steps::{find_undecided, remove_no_push_wins, run_logged_phase};

pub(crate) fn run<const W: usize>(
    mut engine: Engine<W>,
    log: &Log,
    config: &SolveConfig<'_>,
    on_phase: &mut dyn FnMut(PhaseCount),
) -> Result<(), SolveError> {
    let mut won = find_undecided(&mut engine, config.progress)?;
    let (stuck, count) = run_logged_phase(&engine, log, config, PhaseId::Turns(0), Phase::NoPush)?;
    engine.remove_decided(&stuck);
    on_phase(count);
    for (superblock, count) in remove_no_push_wins(&mut engine, &stuck, config.progress)? {
        won[superblock] += count;
    }
    let numbers = |turns: u16, numbers: &[u64]| -> Result<PhaseCount, SolveError> {
        if !log.open(turns)?.is_whole() {
            let writer = log.write(turns)?;
            for (superblock, &count) in by_superblock(numbers) {
                writer.add(superblock, count, &SparseCells::<W>::empty());
            }
            writer.finish(Some(numbers.len()))?;
        }
        let mut count = count_phase(&engine.layout, turns, by_superblock(numbers.iter().copied()));
        (count.blocks, count.bytes) = (engine.blocks(), engine.bytes());
        Ok(count)
    };
    on_phase(numbers(1, &won)?);

    let mut newest = Vec::new();
    for turns in 2.. {
        if turns == PhaseId::Draws.number() {
            return Err(SolveError::TooDeep);
        }
        if config.horizon.is_some_and(|horizon| turns > horizon) {
            return Ok(());
        }
        if turns % 2 == 0 {
            engine.update_push_cache(turns, &newest, config.memory);
        }
        let (found, mut count) =
            run_logged_phase(&engine, log, config, PhaseId::Turns(turns), engine.phase_for(turns, &newest))?;
        engine.remove_decided(&found);
        newest = found;
        (count.blocks, count.bytes) = (engine.blocks(), engine.bytes());
        let over = count.count + count.starts == 0;
        on_phase(count);
        if over {
            break;
        }
    }
    let log_draws = || -> Result<(), SolveError> {
        let writer = log.write(PhaseId::Draws)?;
        for (superblock, cells) in by_superblock(&engine.undecided) {
            writer.add(superblock, cells.count(), &logged_draws(&engine.layout, superblock, cells));
        }
        Ok(writer.finish(Some(engine.undecided.len()))?)
    };
    log_draws()
}

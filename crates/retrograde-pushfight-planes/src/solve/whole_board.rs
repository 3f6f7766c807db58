//! Whole board.

use retrograde_solve::SolveError;

use crate::config::Means;
use crate::files::log::{DRAWS, Log};
use crate::layout::sparse::Cells;
use crate::phase::count::{PhaseCount, counted, logged_draws};
use crate::phase::engine::Engine;
use crate::phase::kinds::Phase;
use crate::solve::steps::{begun, leave_no_push, phase};

pub(crate) fn run<const W: usize>(
    mut engine: Engine<W>,
    log: &Log,
    means: &Means<'_>,
    each: &mut dyn FnMut(PhaseCount),
) -> Result<(), SolveError> {
    let mut won = begun(&mut engine, means.progress)?;
    let (stuck, count) = phase(&engine, log, means, 0, Phase::Stuck)?;
    engine.apply(&stuck);
    each(count);
    for (superblock, count) in leave_no_push(&mut engine, &stuck, means.progress)? {
        won[superblock] += count;
    }
    let numbers = |turns: u16, numbers: &[u64]| -> Result<PhaseCount, SolveError> {
        if !log.open(turns)?.is_whole() {
            let writer = log.write(turns)?;
            for (superblock, &count) in numbers.iter().enumerate() {
                writer.add(superblock, count, &Cells::<W>::empty());
            }
            writer.finish(Some(numbers.len()))?;
        }
        let mut count = counted(&engine.shape, turns, numbers.iter().copied().enumerate());
        (count.blocks, count.bytes) = (engine.blocks(), engine.bytes());
        Ok(count)
    };
    each(numbers(1, &won)?);

    let mut newest = Vec::new();
    for turns in 2.. {
        if turns == DRAWS {
            return Err(SolveError::TooDeep);
        }
        if means.horizon.is_some_and(|horizon| turns > horizon) {
            return Ok(());
        }
        if turns % 2 == 0 {
            engine.keep_ways(turns, &newest, means.memory);
        }
        let (found, mut count) = phase(&engine, log, means, turns, engine.phase_of(turns, &newest))?;
        engine.apply(&found);
        newest = found;
        (count.blocks, count.bytes) = (engine.blocks(), engine.bytes());
        let over = count.count + count.starts == 0;
        each(count);
        if over {
            break;
        }
    }
    let log_draws = || -> Result<(), SolveError> {
        let writer = log.write(DRAWS)?;
        for (superblock, cells) in engine.left.iter().enumerate() {
            writer.add(superblock, cells.count(), &logged_draws(&engine.shape, superblock, cells));
        }
        Ok(writer.finish(Some(engine.left.len()))?)
    };
    log_draws()
}

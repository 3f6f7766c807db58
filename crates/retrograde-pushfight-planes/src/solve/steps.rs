//! Steps that several stores share: the undecided positions at the beginning, a phase with and
//! without its log.

use parking_lot::Mutex;
use retrograde_game::Turns;
use retrograde_solve::{Progress, Silent, SolveError};

use crate::config::SolveConfig;
use crate::files::log::{Log, PhaseLog};
use crate::files::log_planes::read_plane;
use crate::layout::numbering::Layout;
use crate::layout::sparse::{Plane, SparseCells, empty_plane};
use crate::layout::superblocks::SuperblockId;
use crate::parallel::try_for_each;
use crate::phase::count::{PhaseCount, count_phase};
use crate::phase::engine::Engine;
use crate::phase::kinds::{Phase, PhaseId};

/// Finds the undecided positions that the engine's part holds: all that do not win at once by ejecting a
/// piece. Returns the number of the other positions of every superblock, also of other parts.
pub(crate) fn find_undecided(engine: &mut Engine, progress: &dyn Progress) -> Result<Vec<u64>, SolveError> {
    let part = engine.part.take();
    let superblocks = engine.layout.superblocks.len();
    let all = Mutex::new((empty_plane(superblocks), vec![0; superblocks]));
    engine.run_phase("won in 1 turn", Phase::Initial, &[], progress, &|superblock, found| {
        let cells = match &part {
            Some(part) => part.retain_held(&engine.layout, superblock, found.cells),
            None => found.cells,
        };
        let mut all = all.lock();
        (all.0[superblock], all.1[superblock]) = (cells, found.won);
        Ok(())
    })?;
    let (undecided, won) = all.into_inner();
    engine.set_undecided(undecided);
    engine.part = part;
    Ok(won)
}

/// The results of a phase and their counts.
pub(crate) type PhaseResult = Result<(Plane, PhaseCount), SolveError>;

/// The results in a superblock, with their number.
pub(crate) type Found = (SuperblockId, u64, SparseCells);

/// Logs the results of a phase, unless the log has them.
pub(crate) fn log_results(
    log: &Log,
    config: &SolveConfig<'_>,
    id: PhaseId,
    results: Vec<Found>,
) -> Result<(), SolveError> {
    if log.open_checked(id, config.progress)?.is_complete() {
        return Ok(());
    }
    let writer = log.write(id)?;
    let written = try_for_each(config.threads, results, &Silent, |(superblock, count, cells)| {
        Ok(writer.add(superblock, count, &cells)?)
    });
    writer.finish(written)
}

/// The counts and the time of a logged phase.
pub(crate) fn count_log(layout: &Layout, id: PhaseId, log: &PhaseLog) -> PhaseCount {
    PhaseCount { seconds: log.seconds(), ..count_phase(layout, id, log.superblocks()) }
}

/// Reports all phases if the log has them and nothing is damaged.
pub(crate) fn replay_log(
    layout: &Layout,
    log: &Log,
    config: &SolveConfig<'_>,
    on_phase: &mut dyn FnMut(PhaseCount),
) -> Result<bool, SolveError> {
    if !log.open_checked(PhaseId::WonByNoPush, config.progress)?.is_complete() {
        return Ok(false);
    }
    let mut counts = Vec::new();
    let over = log.open_checked(PhaseId::Draws, config.progress)?.is_complete();
    for turns in (0..=PhaseId::MAX_TURNS.0).map(Turns) {
        if config.horizon.is_some_and(|horizon| turns > horizon.max(Turns(1))) {
            break;
        }
        let found = log.open_checked(turns.into(), config.progress)?;
        if !found.is_complete() {
            return Ok(false);
        }
        let count = count_log(layout, turns.into(), &found);
        let last = turns > Turns(1) && count.is_empty();
        counts.push(count);
        if last {
            if !over {
                return Ok(false);
            }
            break;
        }
    }
    counts.into_iter().for_each(on_phase);
    Ok(true)
}

/// The results of a phase: read from its log, and computed if the log does not have them.
pub(crate) fn run_logged_phase(
    engine: &Engine,
    log: &Log,
    config: &SolveConfig<'_>,
    id: PhaseId,
    phase: Phase<'_>,
) -> PhaseResult {
    let layout = &engine.layout;
    let mut found = log.open_checked(id, config.progress)?;
    let mut plane = read_plane(layout, &found, config.threads)?;
    if !found.is_complete() {
        let (writer, more) = (log.write(id)?, Mutex::new(Vec::new()));
        let (name, done) = (found.stage(&id.title()), found.done(&layout.superblocks));
        let result = engine.run_phase(&name, phase, &done, config.progress, &|superblock, found| {
            writer.add(superblock, found.count, &found.cells)?;
            more.lock().push((superblock, found.cells));
            Ok(())
        });
        writer.finish(result)?;
        more.into_inner().into_iter().for_each(|(superblock, cells)| plane[superblock] = cells);
        found = log.open(id)?;
    }
    Ok((plane, count_log(layout, id, &found)))
}

/// The results of a phase, without logs.
pub(crate) fn run_phase(
    engine: &Engine,
    progress: &dyn Progress,
    id: PhaseId,
    phase: Phase<'_>,
) -> PhaseResult {
    let all = Mutex::new((empty_plane(engine.layout.superblocks.len()), Vec::new()));
    engine.run_phase(&id.title(), phase, &[], progress, &|superblock, found| {
        let mut all = all.lock();
        all.0[superblock] = found.cells;
        all.1.push((superblock, found.count));
        Ok(())
    })?;
    let (plane, counts) = all.into_inner();
    Ok((plane, count_phase(&engine.layout, id, counts.into_iter())))
}

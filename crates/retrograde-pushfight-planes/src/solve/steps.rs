//! Steps that several stores share: the undecided positions at the beginning, the phases of a log, and a
//! phase without a log.

use parking_lot::Mutex;
use retrograde_game::Turns;
use retrograde_solve::{Progress, SolveError};

use crate::config::SolveConfig;
use crate::files::log::{Log, PhaseLog};
use crate::layout::numbering::Layout;
use crate::layout::sparse::{Plane, SparseCells, empty_plane};
use crate::layout::superblocks::{SuperblockId, by_superblock};
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

/// The results of a phase, without logs.
pub(crate) fn run_phase(
    engine: &Engine,
    progress: &dyn Progress,
    id: PhaseId,
    phase: Phase<'_>,
) -> PhaseResult {
    let plane = Mutex::new(empty_plane(engine.layout.superblocks.len()));
    engine.run_phase(&id.title(), phase, &[], progress, &|superblock, found| {
        plane.lock()[superblock] = found.cells;
        Ok(())
    })?;
    let plane = plane.into_inner();
    let count = count_phase(&engine.layout, id, by_superblock(plane.iter().map(SparseCells::count)));
    Ok((plane, count))
}

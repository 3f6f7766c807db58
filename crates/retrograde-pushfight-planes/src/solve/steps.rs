//! Steps that several stores share: the undecided positions at the beginning, a phase with and
//! without its log.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use parking_lot::Mutex;
use retrograde_game::Turns;
use retrograde_solve::{Progress, SolveError};

use crate::config::{SolveConfig, StopOnFailure};
use crate::files::log::{Log, PhaseLog, PhaseLogWriter, note_damage};
use crate::files::log_planes::read_plane;
use crate::layout::numbering::Layout;
use crate::layout::partition::BoardPart;
use crate::layout::sparse::{Plane, SparseCells, empty_plane};
use crate::layout::superblocks::{SuperblockId, by_superblock};
use crate::parallel::for_each_parallel;
use crate::phase::count::{PhaseCount, count_phase};
use crate::phase::engine::Engine;
use crate::phase::kinds::{Phase, PhaseId};

/// Finds the undecided positions of the whole board: all that do not win at once by ejecting a piece.
/// Returns the number of the other positions, by superblock.
pub(crate) fn find_undecided(engine: &mut Engine, progress: &dyn Progress) -> Result<Vec<u64>, SolveError> {
    find_undecided_where(engine, progress, &|_, _, cells| cells)
}

/// Finds the undecided positions that a part holds. Returns the number of positions that win at
/// once for every superblock, also of other parts.
pub(crate) fn find_undecided_of_part(
    engine: &mut Engine,
    part: &Arc<BoardPart>,
    progress: &dyn Progress,
) -> Result<Vec<u64>, SolveError> {
    engine.part = None;
    let won = find_undecided_where(engine, progress, &|layout, superblock, cells| {
        part.retain_held(layout, superblock, cells)
    })?;
    engine.part = Some(Arc::clone(part));
    Ok(won)
}

fn find_undecided_where(
    engine: &mut Engine,
    progress: &dyn Progress,
    retain: &(dyn Fn(&Layout, SuperblockId, SparseCells) -> SparseCells + Sync),
) -> Result<Vec<u64>, SolveError> {
    let won: Vec<AtomicU64> = engine.layout.superblocks.iter().map(|_| AtomicU64::new(0)).collect();
    let undecided = Mutex::new(empty_plane(engine.layout.superblocks.len()));
    engine.run_phase("won in 1 turn", Phase::Initial, &[], progress, &|superblock, found| {
        won[superblock].store(found.won, Ordering::Relaxed);
        let cells = retain(&engine.layout, superblock, found.cells);
        undecided.lock()[superblock] = cells;
    })?;
    engine.set_undecided(undecided.into_inner());
    Ok(won.into_iter().map(AtomicU64::into_inner).collect())
}

/// Runs a phase; returns its results and their number in each superblock.
pub(crate) fn collect_phase(
    engine: &Engine,
    name: &str,
    phase: Phase<'_>,
    progress: &dyn Progress,
) -> Result<(Plane, Vec<(SuperblockId, u64)>), SolveError> {
    let all = Mutex::new((empty_plane(engine.layout.superblocks.len()), Vec::new()));
    engine.run_phase(name, phase, &[], progress, &|superblock, found| {
        let mut all = all.lock();
        all.0[superblock] = found.cells;
        all.1.push((superblock, found.count));
    })?;
    Ok(all.into_inner())
}

/// Removes the positions that win in one turn because the opponent has no push; returns them, and
/// their numbers by superblock.
pub(crate) fn remove_no_push_wins(
    engine: &mut Engine,
    stuck: &[SparseCells],
    progress: &dyn Progress,
) -> Result<(Plane, Vec<(SuperblockId, u64)>), SolveError> {
    if stuck.iter().all(SparseCells::is_empty) {
        return Ok((Vec::new(), Vec::new()));
    }
    let (wins, counts) = collect_phase(engine, "won in 1 turn", Phase::Wins(stuck), progress)?;
    engine.remove_decided(&wins);
    Ok((wins, counts))
}

/// Logs the positions that win in one turn because the opponent has no push, unless the log has them.
pub(crate) fn log_no_push_wins(
    layout: &Layout,
    log: &Log,
    config: &SolveConfig<'_>,
    wins: &[SparseCells],
) -> Result<(), SolveError> {
    if is_logged(log, PhaseId::WonByNoPush, config.progress)? {
        return Ok(());
    }
    let writer = log.write(PhaseId::WonByNoPush)?;
    let wins: Vec<_> = by_superblock(wins).filter(|&(id, wins)| has_no_push_wins(layout, id, wins)).collect();
    let count = wins.len();
    for_each_parallel(config.threads, wins, |(superblock, wins)| {
        writer.add(superblock, wins.count(), wins);
    });
    Ok(writer.finish(Some(count))?)
}

/// Whether a superblock's wins by leaving no push are logged: only after the first push, because the
/// file of wins omits the others.
pub(crate) fn has_no_push_wins(layout: &Layout, superblock: SuperblockId, wins: &SparseCells) -> bool {
    !wins.is_empty() && !layout.is_start(superblock)
}

/// Whether the log of a phase is complete and undamaged.
pub(crate) fn is_logged(log: &Log, id: PhaseId, progress: &dyn Progress) -> Result<bool, SolveError> {
    let mut found = log.open(id)?;
    found.check()?;
    found.note_damage(progress);
    Ok(found.is_complete())
}

/// Removes from a part the positions lost without a turn (`stuck`, of the whole board) and the
/// positions that win because the opponent has no push. Returns these wins and their numbers by
/// superblock, which are right for the part's own superblocks.
pub(crate) fn remove_no_push_wins_of_part(
    engine: &mut Engine,
    part: &Arc<BoardPart>,
    stuck: &[SparseCells],
    progress: &dyn Progress,
) -> Result<(Plane, Vec<(SuperblockId, u64)>), SolveError> {
    if stuck.iter().all(SparseCells::is_empty) {
        return Ok((Vec::new(), Vec::new()));
    }
    let held = |(superblock, cells): (SuperblockId, &SparseCells)| {
        part.retain_held(&engine.layout, superblock, cells.clone())
    };
    let lost: Plane = by_superblock(stuck).map(held).collect();
    engine.remove_decided(&lost);
    // The phase runs for all superblocks, so that the cells held of other parts are right too.
    engine.part = None;
    let wins = remove_no_push_wins(engine, stuck, progress)?;
    engine.part = Some(Arc::clone(part));
    Ok(wins)
}

/// Reports all phases if the log has them and nothing is damaged.
pub(crate) fn replay_log(
    layout: &Layout,
    log: &Log,
    config: &SolveConfig<'_>,
    on_phase: &mut dyn FnMut(PhaseCount),
) -> Result<bool, SolveError> {
    if !is_logged(log, PhaseId::WonByNoPush, config.progress)? {
        return Ok(false);
    }
    let mut counts = Vec::new();
    let draws = log.open(PhaseId::Draws)?;
    draws.note_damage(config.progress);
    let over = draws.is_complete();
    for turns in (0..=PhaseId::MAX_TURNS.0).map(Turns) {
        if config.horizon.is_some_and(|horizon| turns > horizon.max(Turns(1))) {
            break;
        }
        let mut found = log.open(turns)?;
        found.check()?;
        found.note_damage(config.progress);
        if !found.is_complete() {
            return Ok(false);
        }
        let count = count_phase(layout, turns, found.superblocks());
        let count = PhaseCount { seconds: found.seconds(), ..count };
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

/// The rest of a phase, which is missing in its log.
pub(crate) struct UnfinishedPhase {
    /// Superblocks that the log has.
    pub done: Vec<bool>,
    /// Descriptions of damaged records, which are computed again.
    damage: Vec<String>,
    writer: PhaseLogWriter,
    /// Superblocks in the log, old and new.
    written: AtomicUsize,
}

impl UnfinishedPhase {
    /// Begins the next file of a phase; `present` has the results already in the log.
    pub(crate) fn begin(
        log: &Log,
        id: PhaseId,
        present: &PhaseLog,
        damage: Vec<String>,
        superblocks: usize,
    ) -> Result<UnfinishedPhase, SolveError> {
        let mut done = vec![false; superblocks];
        present.superblocks().for_each(|(superblock, _)| done[superblock] = true);
        let (writer, written) = (log.write(id)?, AtomicUsize::new(present.superblocks().count()));
        Ok(UnfinishedPhase { done, damage, writer, written })
    }

    /// The name of a stage of progress, with a note about damaged records.
    pub(crate) fn name(&self, mut name: String) -> String {
        self.damage.iter().for_each(|record| name.push_str(&format!(", again for {record}")));
        name
    }

    /// Whether something could not be written.
    pub(crate) fn failed(&self) -> bool {
        self.writer.failed()
    }

    /// Writes the results in a superblock.
    pub(crate) fn add(&self, superblock: SuperblockId, count: u64, cells: &SparseCells) {
        self.writer.add(superblock, count, cells);
        self.written.fetch_add(1, Ordering::Relaxed);
    }

    /// Ends the phase, or leaves its file open if it has failed.
    pub(crate) fn finish(self, result: Result<(), SolveError>) -> Result<(), SolveError> {
        // The write error takes precedence over the stop that it caused.
        self.writer.finish(result.is_ok().then_some(self.written.into_inner()))?;
        result
    }
}

/// The results of a phase: read from its log, and computed if the log does not have them.
pub(crate) fn run_logged_phase(
    engine: &Engine,
    log: &Log,
    config: &SolveConfig<'_>,
    id: impl Into<PhaseId>,
    phase: Phase<'_>,
) -> Result<(Plane, PhaseCount), SolveError> {
    let id = id.into();
    let layout = &engine.layout;
    let mut found = log.open(id)?;
    let mut damage = std::mem::take(&mut found.damage);
    let mut plane = read_plane(layout, &mut found, config.threads, &mut damage)?;
    damage.iter().for_each(|what| note_damage(what, config.progress));
    if !found.is_complete() {
        let rest = UnfinishedPhase::begin(log, id, &found, damage, layout.superblocks.len())?;
        let more = Mutex::new(Vec::new());
        let name = rest.name(id.title());
        let watched = StopOnFailure { inner: config.progress, failed: &|| rest.failed() };
        let result = engine.run_phase(&name, phase, &rest.done, &watched, &|superblock, found| {
            rest.add(superblock, found.count, &found.cells);
            more.lock().push((superblock, found.cells));
        });
        rest.finish(result)?;
        for (superblock, cells) in more.into_inner() {
            plane[superblock] = cells;
        }
        found = log.open(id)?;
    }
    let count = count_phase(layout, id, found.superblocks());
    Ok((plane, PhaseCount { seconds: found.seconds(), ..count }))
}

/// The results of a phase, without logs.
pub(crate) fn run_phase(
    engine: &Engine,
    progress: &dyn Progress,
    id: impl Into<PhaseId>,
    phase: Phase<'_>,
) -> Result<(Plane, PhaseCount), SolveError> {
    let id = id.into();
    let (plane, counts) = collect_phase(engine, &id.title(), phase, progress)?;
    Ok((plane, count_phase(&engine.layout, id, counts.into_iter())))
}

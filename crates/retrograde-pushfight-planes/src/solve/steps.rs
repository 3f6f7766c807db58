//! Steps that several drivers of phases share: the undecided positions at the beginning, a phase
//! with and without its log.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use retrograde_solve::{Progress, SolveError};

use crate::config::{SolveConfig, StopOnFailure};
use crate::files::log::{Log, PhaseLogWriter};
use crate::files::log_planes::read_plane;
use crate::layout::numbering::Layout;
use crate::layout::partition::BoardPart;
use crate::layout::sparse::{Plane, SparseCells, empty_plane};
use crate::layout::superblocks::{SuperblockId, by_superblock};
use crate::phase::count::{PhaseCount, count_phase};
use crate::phase::engine::Engine;
use crate::phase::kinds::Phase;
use crate::phase::kinds::PhaseId;

/// Sets what there is at all, but for what wins in one turn by ejecting a piece: of that the numbers, by superblock.
pub(crate) fn find_undecided<const W: usize>(
    engine: &mut Engine<W>,
    progress: &dyn Progress,
) -> Result<Vec<u64>, SolveError> {
    let won: Vec<AtomicU64> = engine.layout.superblocks.iter().map(|_| AtomicU64::new(0)).collect();
    let undecided = Mutex::new(empty_plane(engine.layout.superblocks.len()));
    engine.run_phase("won in 1 turn", Phase::Initial, &[], progress, |superblock, found| {
        won[superblock].store(found.won, Ordering::Relaxed);
        undecided.lock()[superblock] = found.cells;
    })?;
    engine.set_undecided(undecided.into_inner());
    Ok(won.into_iter().map(AtomicU64::into_inner).collect())
}

/// Does a phase: what it finds, and how much of it in each superblock.
fn collect_phase<const W: usize>(
    engine: &Engine<W>,
    name: &str,
    phase: Phase<'_, W>,
    progress: &dyn Progress,
) -> Result<(Plane<W>, Vec<(SuperblockId, u64)>), SolveError> {
    let all = Mutex::new((empty_plane(engine.layout.superblocks.len()), Vec::new()));
    engine.run_phase(name, phase, &[], progress, |superblock, found| {
        let mut all = all.lock();
        all.0[superblock] = found.cells;
        all.1.push((superblock, found.count));
    })?;
    Ok(all.into_inner())
}

/// Takes away what wins in one turn by leaving the opponent without a push; gives the numbers of those, by superblock.
pub(crate) fn remove_no_push_wins<const W: usize>(
    engine: &mut Engine<W>,
    stuck: &[SparseCells<W>],
    progress: &dyn Progress,
) -> Result<Vec<(SuperblockId, u64)>, SolveError> {
    if stuck.iter().all(SparseCells::is_empty) {
        return Ok(Vec::new());
    }
    let (wins, counts) = collect_phase(engine, "won in 1 turn", Phase::Wins(stuck), progress)?;
    engine.remove_decided(&wins);
    Ok(counts)
}

/// Tells of all phases if the log has them and nothing is damaged.
pub(crate) fn replay_log(
    layout: &Layout,
    log: &Log,
    config: &SolveConfig<'_>,
    on_phase: &mut dyn FnMut(PhaseCount),
) -> Result<bool, SolveError> {
    let mut counts = Vec::new();
    let over = log.open(PhaseId::Draws)?.is_whole();
    for turns in 0..PhaseId::Draws.number() {
        if config.horizon.is_some_and(|horizon| turns > horizon.max(1)) {
            break;
        }
        let found = log.open(turns)?;
        if !found.is_whole() || !found.is_sound()? {
            return Ok(false);
        }
        let count = count_phase(layout, turns, found.superblocks());
        let count = PhaseCount { seconds: found.seconds(), ..count };
        let last = turns > 1 && count.count + count.starts == 0;
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

/// The results of a phase: from its log, and computed where the log has none.
pub(crate) fn run_logged_phase<const W: usize>(
    engine: &Engine<W>,
    log: &Log,
    config: &SolveConfig<'_>,
    id: PhaseId,
    phase: Phase<'_, W>,
) -> Result<(Plane<W>, PhaseCount), SolveError> {
    let layout = &engine.layout;
    let mut name = id.title();
    let mut found = log.open(id)?;
    let mut damage = std::mem::take(&mut found.damage);
    let mut plane = read_plane(layout, &mut found, config.threads, &mut damage)?;
    if !found.is_whole() {
        for record in &damage {
            name.push_str(&format!(", again for {record}"));
        }
        let mut done = vec![false; layout.superblocks.len()];
        found.superblocks().for_each(|(superblock, _)| done[superblock] = true);
        let writer: PhaseLogWriter = log.write(id)?;
        let failed = AtomicBool::new(false);
        let watched = StopOnFailure { inner: config.progress, failed: &failed };
        let more = Mutex::new(Vec::new());
        let result = engine.run_phase(&name, phase, &done, &watched, |superblock, found| {
            writer.add(superblock, found.count, &found.cells);
            failed.fetch_or(writer.failed(), Ordering::Relaxed);
            more.lock().push((superblock, found.cells));
        });
        let more = more.into_inner();
        let superblocks = result.is_ok().then_some(found.superblocks().count() + more.len());
        // What could not be written comes before that it was stopped for that.
        writer.finish(superblocks)?;
        result?;
        for (superblock, cells) in more {
            plane[superblock] = cells;
        }
        found = log.open(id)?;
    }
    let count = count_phase(layout, id, found.superblocks());
    Ok((plane, PhaseCount { seconds: found.seconds(), ..count }))
}

/// The results of a phase, without logs.
pub(crate) fn run_phase<const W: usize>(
    engine: &Engine<W>,
    config: &SolveConfig<'_>,
    id: PhaseId,
    phase: Phase<'_, W>,
) -> Result<(Plane<W>, PhaseCount), SolveError> {
    let (plane, counts) = collect_phase(engine, &id.title(), phase, config.progress)?;
    Ok((plane, count_phase(&engine.layout, id, counts.into_iter())))
}

/// Sets what is undecided of a part at the beginning. Gives for every superblock, also of other parts, how many positions
/// are won in one turn by ejecting a piece.
pub(crate) fn find_undecided_of_part<const W: usize>(
    engine: &mut Engine<W>,
    part: &Arc<BoardPart>,
    progress: &dyn Progress,
) -> Result<Vec<u64>, SolveError> {
    engine.part = None;
    let won: Vec<AtomicU64> = engine.layout.superblocks.iter().map(|_| AtomicU64::new(0)).collect();
    let undecided = Mutex::new(empty_plane(engine.layout.superblocks.len()));
    engine.run_phase("won in 1 turn", Phase::Initial, &[], progress, |superblock, found| {
        won[superblock].store(found.won, Ordering::Relaxed);
        let held = part.retain_held(&engine.layout, superblock, found.cells);
        undecided.lock()[superblock] = held;
    })?;
    engine.set_undecided(undecided.into_inner());
    engine.part = Some(Arc::clone(part));
    Ok(won.into_iter().map(AtomicU64::into_inner).collect())
}

/// Takes away what is lost without a turn, of the whole board, and what wins by leaving the opponent so. Gives for
/// every own superblock how many positions that are.
pub(crate) fn remove_first_wins<const W: usize>(
    engine: &mut Engine<W>,
    part: &Arc<BoardPart>,
    stuck: &Plane<W>,
    progress: &dyn Progress,
) -> Result<Vec<u64>, SolveError> {
    let held = |engine: &Engine<W>, plane: &Plane<W>| -> Plane<W> {
        let cells = by_superblock(plane.iter().cloned());
        cells.map(|(superblock, cells)| part.retain_held(&engine.layout, superblock, cells)).collect()
    };
    let won: Vec<AtomicU64> = engine.layout.superblocks.iter().map(|_| AtomicU64::new(0)).collect();
    if !stuck.iter().all(SparseCells::is_empty) {
        let lost = held(engine, stuck);
        engine.remove_decided(&lost);
        // Everywhere, for what is held of other parts is to be right too.
        engine.part = None;
        let wins = Mutex::new(empty_plane(engine.layout.superblocks.len()));
        engine.run_phase("won in 1 turn", Phase::Wins(stuck), &[], progress, |superblock, found| {
            won[superblock].store(found.count, Ordering::Relaxed);
            wins.lock()[superblock] = found.cells;
        })?;
        engine.remove_decided(&wins.into_inner());
        engine.part = Some(Arc::clone(part));
    }
    Ok(won.into_iter().map(AtomicU64::into_inner).collect())
}

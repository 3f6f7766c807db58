//! Steps.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use retrograde_solve::{Progress, SolveError};

use crate::config::{Means, Watched};
use crate::files::log::{DRAWS, Log, STUCK, Writer};
use crate::files::log_planes::read;
use crate::layout::numbering::Shape;
use crate::layout::partition::Part;
use crate::layout::sparse::{Cells, Plane, empty_plane};
use crate::phase::count::{PhaseCount, counted};
use crate::phase::engine::Engine;
use crate::phase::kinds::{Phase, phase_name};

/// Sets what there is at all, but for what wins in one turn by ejecting a piece: of that the numbers, by superblock.
pub(crate) fn begun<const W: usize>(
    engine: &mut Engine<W>,
    progress: &dyn Progress,
) -> Result<Vec<u64>, SolveError> {
    let won: Vec<AtomicU64> = engine.shape.supers.iter().map(|_| AtomicU64::new(0)).collect();
    let left = Mutex::new(empty_plane(engine.shape.supers.len()));
    engine.phase("won in 1 turn", Phase::Begin, &[], progress, |superblock, found| {
        won[superblock].store(found.won, Ordering::Relaxed);
        left.lock().unwrap_or_else(PoisonError::into_inner)[superblock] = found.cells;
    })?;
    engine.set(left.into_inner().unwrap_or_else(PoisonError::into_inner));
    Ok(won.into_iter().map(AtomicU64::into_inner).collect())
}

/// Does a phase: what it finds, and how much of it in each superblock.
fn collected<const W: usize>(
    engine: &Engine<W>,
    name: &str,
    what: Phase<'_, W>,
    progress: &dyn Progress,
) -> Result<(Plane<W>, Vec<(usize, u64)>), SolveError> {
    let all = Mutex::new((empty_plane(engine.shape.supers.len()), Vec::new()));
    engine.phase(name, what, &[], progress, |superblock, found| {
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        all.0[superblock] = found.cells;
        all.1.push((superblock, found.count));
    })?;
    Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Takes away what wins in one turn by leaving the opponent without a push; gives the numbers of those, by superblock.
pub(crate) fn leave_no_push<const W: usize>(
    engine: &mut Engine<W>,
    stuck: &[Cells<W>],
    progress: &dyn Progress,
) -> Result<Vec<(usize, u64)>, SolveError> {
    if stuck.iter().all(Cells::is_empty) {
        return Ok(Vec::new());
    }
    let (wins, counts) = collected(engine, "won in 1 turn", Phase::Wins(stuck), progress)?;
    engine.apply(&wins);
    Ok(counts)
}

/// Tells of all phases if the log has them and nothing is damaged.
pub(crate) fn told(
    shape: &Shape,
    log: &Log,
    means: &Means<'_>,
    each: &mut dyn FnMut(PhaseCount),
) -> Result<bool, SolveError> {
    let mut counts = Vec::new();
    let over = log.open(DRAWS)?.is_whole();
    for turns in 0..DRAWS {
        if means.horizon.is_some_and(|horizon| turns > horizon.max(1)) {
            break;
        }
        let found = log.open(turns)?;
        if !found.is_whole() || !found.is_sound()? {
            return Ok(false);
        }
        let count = counted(shape, turns, found.superblocks());
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
    counts.into_iter().for_each(each);
    Ok(true)
}

/// What a logged phase is called.
pub(crate) fn name_of(turns: u16) -> String {
    match turns {
        STUCK => "won by leaving no push".to_owned(),
        DRAWS => "what is not drawn".to_owned(),
        _ => phase_name(turns),
    }
}

/// What a phase finds: from the log, and what is not there by doing it.
pub(crate) fn phase<const W: usize>(
    engine: &Engine<W>,
    log: &Log,
    means: &Means<'_>,
    turns: u16,
    phase: Phase<'_, W>,
) -> Result<(Plane<W>, PhaseCount), SolveError> {
    let shape = &engine.shape;
    let mut name = name_of(turns);
    let mut found = log.open(turns)?;
    let mut damage = std::mem::take(&mut found.damage);
    let mut plane = read(shape, &mut found, means.threads, &mut damage)?;
    if !found.is_whole() {
        for what in &damage {
            name.push_str(&format!(", again for {what}"));
        }
        let mut done = vec![false; shape.supers.len()];
        found.superblocks().for_each(|(superblock, _)| done[superblock] = true);
        let writer: Writer = log.write(turns)?;
        let failed = AtomicBool::new(false);
        let watched = Watched { inner: means.progress, failed: &failed };
        let more = Mutex::new(Vec::new());
        let result = engine.phase(&name, phase, &done, &watched, |superblock, found| {
            writer.add(superblock, found.count, &found.cells);
            failed.fetch_or(writer.failed(), Ordering::Relaxed);
            more.lock().unwrap_or_else(PoisonError::into_inner).push((superblock, found.cells));
        });
        let more = more.into_inner().unwrap_or_else(PoisonError::into_inner);
        let superblocks = result.is_ok().then_some(found.superblocks().count() + more.len());
        // What could not be written comes before that it was stopped for that.
        writer.finish(superblocks)?;
        result?;
        for (superblock, cells) in more {
            plane[superblock] = cells;
        }
        found = log.open(turns)?;
    }
    let count = counted(shape, turns, found.superblocks());
    Ok((plane, PhaseCount { seconds: found.seconds(), ..count }))
}

/// What a phase finds, whatever logs there are.
pub(crate) fn done<const W: usize>(
    engine: &Engine<W>,
    means: &Means<'_>,
    turns: u16,
    what: Phase<'_, W>,
) -> Result<(Plane<W>, PhaseCount), SolveError> {
    let (plane, counts) = collected(engine, &name_of(turns), what, means.progress)?;
    Ok((plane, counted(&engine.shape, turns, counts.into_iter())))
}

/// Sets what is undecided of a part at the beginning. Gives for every superblock, also of other parts, how many positions
/// are won in one turn by ejecting a piece.
pub(crate) fn begin<const W: usize>(
    engine: &mut Engine<W>,
    part: &Arc<Part>,
    progress: &dyn Progress,
) -> Result<Vec<u64>, SolveError> {
    engine.part = None;
    let won: Vec<AtomicU64> = engine.shape.supers.iter().map(|_| AtomicU64::new(0)).collect();
    let left = Mutex::new(empty_plane(engine.shape.supers.len()));
    engine.phase("won in 1 turn", Phase::Begin, &[], progress, |superblock, found| {
        won[superblock].store(found.won, Ordering::Relaxed);
        let held = part.held(&engine.shape, superblock, found.cells);
        left.lock().unwrap_or_else(PoisonError::into_inner)[superblock] = held;
    })?;
    engine.set(left.into_inner().unwrap_or_else(PoisonError::into_inner));
    engine.part = Some(Arc::clone(part));
    Ok(won.into_iter().map(AtomicU64::into_inner).collect())
}

/// Takes away what is lost without a turn, of the whole board, and what wins by leaving the opponent so. Gives for
/// every own superblock how many positions that are.
pub(crate) fn first_wins<const W: usize>(
    engine: &mut Engine<W>,
    part: &Arc<Part>,
    stuck: &Plane<W>,
    progress: &dyn Progress,
) -> Result<Vec<u64>, SolveError> {
    let held = |engine: &Engine<W>, plane: &Plane<W>| -> Plane<W> {
        let cells = plane.iter().cloned().enumerate();
        cells.map(|(superblock, cells)| part.held(&engine.shape, superblock, cells)).collect()
    };
    let won: Vec<AtomicU64> = engine.shape.supers.iter().map(|_| AtomicU64::new(0)).collect();
    if !stuck.iter().all(Cells::is_empty) {
        let lost = held(engine, stuck);
        engine.apply(&lost);
        // Everywhere, for what is held of other parts is to be right too.
        engine.part = None;
        let wins = Mutex::new(empty_plane(engine.shape.supers.len()));
        engine.phase("won in 1 turn", Phase::Wins(stuck), &[], progress, |superblock, found| {
            won[superblock].store(found.count, Ordering::Relaxed);
            wins.lock().unwrap_or_else(PoisonError::into_inner)[superblock] = found.cells;
        })?;
        engine.apply(&wins.into_inner().unwrap_or_else(PoisonError::into_inner));
        engine.part = Some(Arc::clone(part));
    }
    Ok(won.into_iter().map(AtomicU64::into_inner).collect())
}

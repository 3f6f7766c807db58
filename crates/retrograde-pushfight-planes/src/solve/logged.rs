//! Solving a board whose values do not fit into memory: plausible positions and those before the first push, every
//! phase logged before it counts. Kept in memory is what is undecided, what the last phase found, and what this one
//! does; see the module `log` for what a later run goes on from.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use retrograde_game::Game;
use retrograde_pushfight::PushFight;
use retrograde_solve::{Progress, SolveError};
use retrograde_table::Storage;

use crate::files::log::{DRAWS, Found, Log, STUCK, Writer, damaged};
use crate::layout::numbering::{Scope, Shape, with_words};
use crate::layout::sparse::Cells;
use crate::phase::engine::{Engine, Level, Phase, Plane, phase_name};
use crate::solve::in_memory::PhaseCount;

/// What [`solve_logged`] may take, and whom it tells.
pub struct Means<'a> {
    /// Threads to use.
    pub threads: usize,
    /// If given, only what ends within so many turns is decided.
    pub horizon: Option<u16>,
    /// Hears how far it is, and may stop it.
    pub progress: &'a dyn Progress,
    /// Where the logs are written.
    pub storage: Arc<dyn Storage>,
    /// Into how many parts the board is cut, of which one is in memory at a time; 1: all of it is.
    pub parts: usize,
    /// Bytes of memory that may be taken. What is needed is taken in any case, and what makes it faster if there is room.
    pub memory: u64,
}

impl<'a> Means<'a> {
    /// The same with another horizon.
    pub(crate) fn within(&self, horizon: Option<u16>) -> Means<'a> {
        Means { horizon, storage: self.storage.clone(), ..*self }
    }
}

/// The log of a board in a directory.
pub(crate) fn log_of(game: &PushFight, directory: &Path, storage: &Arc<dyn Storage>) -> Log {
    let identity = format!("{}\n{}\nrules {}\n", game.name(), game.board_drawing(), PushFight::RULES_VERSION);
    Log::new(directory, &identity, storage.clone())
}

/// Solves a board phase by phase, each logged in a directory, which must be there; goes on where an earlier run ended.
/// `each` hears of the phases, of earlier runs as well.
///
/// # Errors
/// If it is stopped, the board is too large, or a log cannot be written or read.
pub fn solve_logged(
    game: &PushFight,
    directory: &Path,
    means: &Means<'_>,
    each: &mut dyn FnMut(PhaseCount),
) -> Result<(), SolveError> {
    let too_large = || SolveError::TooLarge { count: game.position_count() };
    let shape = Shape::new(game, Scope::Game).ok_or_else(too_large)?;
    let log = log_of(game, directory, &means.storage);
    with_words!(shape, W => begin::<W>(shape, &log, means, each))
}

fn begin<const W: usize>(
    shape: Shape,
    log: &Log,
    means: &Means<'_>,
    each: &mut dyn FnMut(PhaseCount),
) -> Result<(), SolveError> {
    if told(&shape, log, means, each)? {
        return Ok(());
    }
    crate::kernel::huge_pages::give_back();
    log.remove_left(means.parts)?;
    let engine = Engine::<W>::new(shape, Level::best(), means.threads);
    if means.parts > 1 {
        crate::solve::partitioned::run(engine, log, means, each)
    } else {
        run(engine, log, means, each)
    }
}

/// Also stops when a log cannot be written.
pub(crate) struct Watched<'a> {
    pub inner: &'a dyn Progress,
    pub failed: &'a AtomicBool,
}

impl Progress for Watched<'_> {
    fn stage(&self, name: &str, total: u64) {
        self.inner.stage(name, total);
    }
    fn advance(&self, units: u64) {
        self.inner.advance(units);
    }
    fn stopped(&self) -> bool {
        self.failed.load(Ordering::Relaxed) || self.inner.stopped()
    }
}

fn run<const W: usize>(
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

/// Sets what there is at all, but for what wins in one turn by ejecting a piece: of that the numbers, by superblock.
pub(crate) fn begun<const W: usize>(
    engine: &mut Engine<W>,
    progress: &dyn Progress,
) -> Result<Vec<u64>, SolveError> {
    let won: Vec<AtomicU64> = engine.shape.supers.iter().map(|_| AtomicU64::new(0)).collect();
    let left = Mutex::new(empty(&engine.shape));
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
    let all = Mutex::new((empty(&engine.shape), Vec::new()));
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

/// What is logged of a superblock's draws besides their number: of those before the first push which they are, as they are
/// not in the losses' file.
pub(crate) fn logged_draws<const W: usize>(shape: &Shape, superblock: usize, draws: &Cells<W>) -> Cells<W> {
    if shape.is_start(superblock) { draws.clone() } else { Cells::empty() }
}

pub(crate) fn empty<const W: usize>(shape: &Shape) -> Plane<W> {
    shape.supers.iter().map(|_| Cells::empty()).collect()
}

/// What is counted in superblocks.
pub(crate) fn counted(
    shape: &Shape,
    turns: u16,
    superblocks: impl Iterator<Item = (usize, u64)>,
) -> PhaseCount {
    let mut count = PhaseCount { turns, count: 0, all: 0, starts: 0, blocks: 0, bytes: 0, seconds: 0.0 };
    for (superblock, positions) in superblocks {
        if shape.is_start(superblock) {
            count.starts += positions;
        } else {
            count.count += positions;
            count.all += positions * shape.weight[usize::from(shape.supers[superblock].anchor)];
        }
    }
    count
}

/// Reads what a log has of a phase, with several threads.
pub(crate) fn read<const W: usize>(
    shape: &Shape,
    log: &mut Found,
    threads: usize,
    damage: &mut Vec<String>,
) -> io::Result<Plane<W>> {
    read_some(shape, log, threads, damage, |_, cells| cells)
}

/// Like [`read_some`], where nothing is known to be damaged.
///
/// # Errors
/// If something is damaged all the same, or cannot be read.
pub(crate) fn read_sound<const W: usize>(
    shape: &Shape,
    log: &mut Found,
    threads: usize,
    keep: impl Fn(usize, Cells<W>) -> Cells<W> + Sync,
) -> io::Result<Plane<W>> {
    let mut damage = Vec::new();
    let plane = read_some(shape, log, threads, &mut damage, keep)?;
    damage.first().map_or(Ok(plane), |what| Err(damaged(what)))
}

/// Reads what a log has of a phase, and keeps of each superblock what `keep` leaves of it.
pub(crate) fn read_some<const W: usize>(
    shape: &Shape,
    log: &mut Found,
    threads: usize,
    damage: &mut Vec<String>,
    keep: impl Fn(usize, Cells<W>) -> Cells<W> + Sync,
) -> io::Result<Plane<W>> {
    let there: Vec<usize> = log.superblocks().map(|(superblock, _)| superblock).collect();
    let next = AtomicUsize::new(0);
    let state = Mutex::new((empty(shape), Vec::new(), Ok(())));
    let work = || {
        while let Some(&superblock) = there.get(next.fetch_add(1, Ordering::Relaxed)) {
            let read = log.read::<W>(superblock, shape.cells.len());
            let read = match read {
                Ok(Ok(cells)) if superblock < shape.supers.len() => Ok(Ok(keep(superblock, cells))),
                read => read,
            };
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            match read {
                Ok(Ok(cells)) if superblock < shape.supers.len() => state.0[superblock] = cells,
                Ok(Ok(_)) => {}
                Ok(Err(what)) => state.1.push((superblock, what)),
                Err(error) => state.2 = Err(error),
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.max(1) {
            scope.spawn(work);
        }
        work();
    });
    let (plane, damaged, result) = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    result?;
    for (superblock, what) in damaged {
        log.forget(superblock);
        damage.push(what);
    }
    Ok(plane)
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

#[cfg(test)]
mod tests {
    use std::fs;

    use retrograde_game::{Dense, Index, Knowledge, Stored, Turns, Value};
    use retrograde_solve::retrograde::Retrograde;
    use retrograde_solve::{Job, Scores, Silent, Unkept};

    use super::*;
    use crate::solve::in_memory::positions;
    use crate::testing::{Fuse, game, means};

    /// The logged positions of every phase, sorted.
    fn logged(game: &PushFight, directory: &Path, phases: &[PhaseCount]) -> Vec<(u16, Vec<u64>)> {
        fn with<const W: usize>(game: &PushFight, shape: &Shape, found: &mut Found) -> Vec<u64> {
            let plane = read::<W>(shape, found, 1, &mut Vec::new()).unwrap();
            let mut list = Vec::new();
            for (superblock, cells) in plane.iter().enumerate() {
                positions(shape, superblock, cells, |position| list.push(game.index(&position).unwrap().0));
            }
            list.sort_unstable();
            list
        }
        let shape = Shape::new(game, Scope::Game).unwrap();
        let log = log_of(game, directory, &means(&Silent).storage);
        let mut all = Vec::new();
        for phase in phases.iter().filter(|phase| phase.turns != 1) {
            let mut found = log.open(phase.turns).unwrap();
            assert!(found.is_whole());
            let list = with_words!(shape, W => with::<W>(game, &shape, &mut found));
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
        let means = Means { parts, ..means(progress) };
        match solve_logged(game, directory, &means, &mut |phase| phases.push(phase)) {
            Ok(()) => Some(phases),
            Err(SolveError::Stopped) => None,
            Err(error) => panic!("{error}"),
        }
    }

    fn plain(game: &PushFight) -> Scores {
        let mut checkpoint = Unkept;
        let mut job = Job {
            threads: 2,
            memory: u64::MAX,
            horizon: None,
            progress: &Silent,
            checkpoint: &mut checkpoint,
        };
        Retrograde::new(game).predecessors().solve(&mut job).unwrap()
    }

    #[test]
    fn logs_have_what_the_plain_solver_finds() {
        for (name, parts) in [
            ("pushfight:mini,pushers=2,pawns=1", 1),
            ("pushfight:mini,pushers=2,pawns=1", 2),
            ("pushfight:mini,pushers=1,pawns=2,moves=1", 1),
            ("pushfight:mini,pushers=1,pawns=2,moves=1", 64),
            ("pushfight:mini,pushers=1,pawns=1,moves=unlimited", 1),
            ("pushfight:mini,pushers=1,pawns=1,moves=unlimited", 3),
            ("pushfight:x.board,pushers=2,pawns=1,moves=3", 1),
            ("pushfight:x.board,pushers=2,pawns=1,moves=3", 7),
        ] {
            let game = game(name);
            let scores = plain(&game);
            let directory = tempfile::tempdir().unwrap();
            let phases = solved(&game, directory.path(), &Silent, parts).unwrap();
            let mut decided = std::collections::HashMap::new();
            for (turns, list) in logged(&game, directory.path(), &phases) {
                decided.extend(list.into_iter().map(|index| (index, turns)));
            }
            let (mut won_in_one, mut draws) = (0, 0);
            let shape = Shape::new(&game, Scope::Game).unwrap();
            for index in 0..game.index_count() as u64 {
                let Some(position) = game.position(Index(index)) else { continue };
                let kept = if position.anchor == 0 {
                    position.own_pushers != 0
                } else {
                    let anchor = position.anchor.trailing_zeros() as usize;
                    usize::from(shape.stands_for[anchor].0) == anchor && game.is_plausible(&position)
                };
                let value = match scores.stored(Index(index)) {
                    Stored::Known(Knowledge::Exact(value)) => value,
                    other => panic!("{other:?}"),
                };
                if !kept || value == Value::Win(Turns(1)) || value == Value::Draw {
                    assert!(!decided.contains_key(&index), "{name} {index}");
                    won_in_one += u64::from(kept && value == Value::Win(Turns(1)));
                    draws += u64::from(kept && value == Value::Draw);
                    continue;
                }
                let turns = decided[&index];
                let expected =
                    if turns % 2 == 0 { Value::Loss(Turns(turns)) } else { Value::Win(Turns(turns)) };
                assert_eq!(value, expected, "{name} {index}");
            }
            assert_eq!(phases[1].count + phases[1].starts, won_in_one, "{name}");
            let log = log_of(&game, directory.path(), &means(&Silent).storage);
            let found = log.open(DRAWS).unwrap();
            assert_eq!(found.superblocks().map(|(_, count)| count).sum::<u64>(), draws, "{name}");
            assert_eq!(solved(&game, directory.path(), &Silent, parts).unwrap().len(), phases.len());
        }
    }

    #[test]
    fn what_is_cut_off_or_damaged_is_found_again() {
        interrupt_and_damage(|_| 1);
    }

    #[test]
    fn a_solve_goes_on_with_another_number_of_parts() {
        interrupt_and_damage(|_| 3);
        interrupt_and_damage(|run| [2, 2, 1, 5, 3][run as usize / 2 % 5]);
    }

    fn interrupt_and_damage(parts_of_run: impl Fn(u64) -> usize) {
        let game = game("pushfight:mini,pushers=2,pawns=1");
        let whole = tempfile::tempdir().unwrap();
        let phases = solved(&game, whole.path(), &Silent, 1).unwrap();
        let expected = logged(&game, whole.path(), &phases);

        let parts = tempfile::tempdir().unwrap();
        let mut runs = 0;
        // Each run does everything up to where the one before was, and a little more.
        while solved(&game, parts.path(), &Fuse::new(150 + 37 * runs), parts_of_run(runs)).is_none() {
            runs += 1;
            // What the last run left may also be cut off within a record.
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

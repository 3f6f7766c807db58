//! Solving a board on several machines: each holds a part of it in memory (see `parts`), and after every phase all tell
//! each other what they have found, of each superblock the cells that the other holds.
//!
//! Process 0 hears of everything, and keeps the logs of `logged`: they are what an interrupted solve goes on from, with
//! any number of processes or with one, and what the solution is made of. What is there of a phase already it tells the others. So a
//! phase counts when it is on the disk of process 0. Who has how many threads decides only how large its part is.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use retrograde_game::Game;
use retrograde_pushfight::PushFight;
use retrograde_solve::{Silent, SolveError, in_order};

use crate::files::depth_file::About;
use crate::files::log::{DRAWS, Found, Log, Record, Writer};
use crate::layout::numbering::{Scope, Shape, with_words};
use crate::layout::partition::{Part, Sequence};
use crate::layout::sparse::Cells;
use crate::phase::engine::{Engine, Level, Plane, phase_name};
use crate::solution::open::{Keep, finish};
use crate::solve::estimate::logged_memory_of;
use crate::solve::in_memory::PhaseCount;
use crate::solve::logged::{Means, counted, empty, log_of, logged_draws, told};
use crate::solve::partitioned::{begin, first_wins};

/// The processes that solve a board together.
pub trait Peers {
    /// The number of this one.
    fn process(&self) -> usize;

    /// Threads of each.
    fn threads(&self) -> &[u32];

    /// Sends bytes to others, each with the number of its receiver, and waits for what they have for this one. `more`
    /// says whether this process has something left for a further round; the answer says whether any has.
    ///
    /// # Errors
    /// If another process fails.
    fn round(&mut self, send: Vec<(usize, Vec<u8>)>, more: bool) -> io::Result<(Vec<Vec<u8>>, bool)>;
}

/// Superblocks of a round for each thread, which bounds what is on its way.
const A_ROUND: usize = 8;

/// Solves a board together with other processes, all of which call this; `each` hears of the phases at process 0, which
/// also writes the solution into the directory. The others need none. Gives the solution's description at process 0.
///
/// # Errors
/// As [`crate::solve_into`], or if another process fails.
pub fn solve_together(
    game: &PushFight,
    directory: &std::path::Path,
    means: &Means<'_>,
    keep: Keep,
    memory: u64,
    peers: &mut dyn Peers,
) -> Result<Option<About>, SolveError> {
    let too_large = || SolveError::TooLarge { count: game.position_count() };
    let shape = Shape::new(game, Scope::Game).ok_or_else(too_large)?;
    let need = logged_memory_of(&shape, &Sequence::new(&shape).cut(peers.threads()), peers.process());
    if need > u128::from(memory) {
        return Err(SolveError::Memory { need: need.try_into().unwrap_or(u64::MAX), limit: memory });
    }
    let log = log_of(game, directory, &means.storage);
    let mut phases = Vec::new();
    let first = peers.process() == 0;
    // If only the wins are missing there is nothing to solve.
    let added = if first && keep.wins { crate::derive::wins::add(game, directory, means)? } else { None };
    let complete = first && (added.is_some() || told(&shape, &log, means, &mut |phase| phases.push(phase))?);
    let word = if first { to_all(peers, &[u8::from(complete)]) } else { Vec::new() };
    let (told, _) = peers.round(word, false)?;
    if !complete && told.first().is_none_or(|word| word != &[1]) {
        phases.clear();
        let run = with_words!(shape, W => run::<W>);
        run(shape, first.then_some(&log), means, peers, &mut |phase| phases.push(phase))?;
    }
    if !first {
        return Ok(None);
    }
    let about = match added {
        Some(about) => about,
        None => finish(game, directory, means, &log, phases, keep.wins)?,
    };
    if !keep.work {
        log.remove()?;
    }
    Ok(Some(about))
}

/// The same for all other processes.
fn to_all(peers: &dyn Peers, bytes: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let others = (0..peers.threads().len()).filter(|&other| other != peers.process());
    others.map(|other| (other, bytes.to_vec())).collect()
}

struct Work<'a, const W: usize> {
    engine: Engine<W>,
    parts: Vec<Arc<Part>>,
    me: usize,
    /// At process 0.
    log: Option<&'a Log>,
    means: &'a Means<'a>,
}

/// What one process tells the others of a superblock.
struct Told<const W: usize> {
    superblock: usize,
    positions: u64,
    cells: Cells<W>,
}

fn run<const W: usize>(
    shape: Shape,
    log: Option<&Log>,
    means: &Means<'_>,
    peers: &mut dyn Peers,
    each: &mut dyn FnMut(PhaseCount),
) -> Result<(), SolveError> {
    let cut = Sequence::new(&shape).cut(peers.threads());
    let parts: Vec<Arc<Part>> = (0..cut.count()).map(|number| Arc::new(cut.part(&shape, number))).collect();
    let me = peers.process();
    let mut engine = Engine::<W>::new(shape, Level::best(), means.threads);
    let won = begin(&mut engine, &parts[me], means.progress)?;
    let mut work = Work { engine, parts, me, log, means };
    let (stuck, _) = work.phase(0, &[], &[], peers, each)?;
    let part = Arc::clone(&work.parts[me]);
    let first = first_wins(&mut work.engine, &part, &stuck, means.progress)?;
    let won: Vec<u64> = won.iter().zip(first).map(|(won, first)| won + first).collect();
    drop(stuck);
    work.phase(1, &[], &won, peers, each)?;
    let mut newest = Vec::new();
    for turns in 2.. {
        if turns == DRAWS {
            return Err(SolveError::TooDeep);
        }
        if means.horizon.is_some_and(|horizon| turns > horizon) {
            return Ok(());
        }
        let (found, over) = work.phase(turns, &newest, &[], peers, each)?;
        work.engine.apply(&found);
        newest = found;
        if over {
            break;
        }
    }
    work.draws(peers)
}

impl<const W: usize> Work<'_, W> {
    fn owns(&self, superblock: usize) -> bool {
        self.parts[self.me].owns(&self.engine.shape, superblock)
    }

    /// A phase, after the `newest` of the one before; the second takes what is won in one turn. Gives what of it is held
    /// here (of the first one everything), and whether it has found nothing.
    fn phase(
        &mut self,
        turns: u16,
        newest: &[Cells<W>],
        won: &[u64],
        peers: &mut dyn Peers,
        each: &mut dyn FnMut(PhaseCount),
    ) -> Result<(Plane<W>, bool), SolveError> {
        // What is there already, as a bit for each superblock.
        let there = match self.log {
            Some(log) => {
                let mut found = log.open(turns)?;
                found.check()?;
                Some(found)
            }
            None => None,
        };
        let done = self.tell_done(there.as_ref(), peers)?;
        let mut own = if turns == 1 {
            let count = won.iter().copied().enumerate();
            let own = count.filter(|&(superblock, _)| self.owns(superblock) && !done[superblock]);
            own.map(|(superblock, positions)| Told { superblock, positions, cells: Cells::empty() }).collect()
        } else {
            self.find(turns, newest, &done)?
        };
        own.sort_unstable_by_key(|told| told.superblock);
        let writer = match (self.log, &there) {
            (Some(log), Some(found)) if !found.is_whole() => Some(log.write(turns)?),
            _ => None,
        };
        let before = there.as_ref().map_or(0, |found| found.superblocks().count());
        // What is lost without a turn is to be known whole: it says what is won everywhere.
        let (plane, count) = self.exchange(turns == 0, own, there.as_ref(), writer.as_ref(), peers)?;
        if let Some(writer) = writer {
            writer.finish(Some(before + count))?;
        }
        // Process 0 says whether it was anything, once it is on the disk.
        let mut over = false;
        if let Some(log) = self.log {
            let found = log.open(turns)?;
            let mut count = counted(&self.engine.shape, turns, found.superblocks());
            (count.blocks, count.bytes) = (self.engine.blocks(), self.engine.bytes());
            let count = PhaseCount { seconds: found.seconds(), ..count };
            over = turns > 1 && count.count + count.starts == 0;
            each(count);
            peers.round(to_all(peers, &[u8::from(over)]), false)?;
        } else {
            let (word, _) = peers.round(Vec::new(), false)?;
            over |= word.first().is_some_and(|word| word == &[1]);
        }
        Ok((plane, over))
    }

    /// Process 0 tells all which superblocks it has of a phase.
    fn tell_done(&self, there: Option<&Found>, peers: &mut dyn Peers) -> Result<Vec<bool>, SolveError> {
        let mut done = vec![false; self.engine.shape.supers.len()];
        if let Some(found) = there {
            found.superblocks().for_each(|(superblock, _)| done[superblock] = true);
            let bytes: Vec<u8> = done.iter().map(|&done| u8::from(done)).collect();
            peers.round(to_all(peers, &bytes), false)?;
        } else {
            let (told, _) = peers.round(Vec::new(), false)?;
            let bytes = told.first().filter(|bytes| bytes.len() == done.len()).ok_or_else(nonsense)?;
            done = bytes.iter().map(|&byte| byte == 1).collect();
        }
        Ok(done)
    }

    /// Works on the own part.
    fn find(&self, turns: u16, newest: &[Cells<W>], done: &[bool]) -> Result<Vec<Told<W>>, SolveError> {
        let engine = &self.engine;
        let phase = engine.phase_of(turns, newest);
        let name = phase_name(turns);
        let list = Mutex::new(Vec::new());
        engine.phase(&name, phase, done, self.means.progress, |superblock, found| {
            let told = Told { superblock, positions: found.count, cells: found.cells };
            list.lock().unwrap_or_else(PoisonError::into_inner).push(told);
        })?;
        Ok(list.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Tells all what was found here, and hears what they have found. Process 0 writes it all down, and tells what it has
    /// from before. Gives what of it is held here (or everything), and how many superblocks were written.
    fn exchange(
        &self,
        everything: bool,
        own: Vec<Told<W>>,
        there: Option<&Found>,
        writer: Option<&Writer>,
        peers: &mut dyn Peers,
    ) -> Result<(Plane<W>, usize), SolveError> {
        let shape = &self.engine.shape;
        let mut plane = empty(shape);
        let mut written = 0;
        let held = |part: &Part, superblock: usize, cells: &Cells<W>| match everything {
            true => cells.clone(),
            false => part.held(shape, superblock, cells.clone()),
        };
        let before: Vec<(usize, u64)> = there.map_or_else(Vec::new, |found| found.superblocks().collect());
        let at_once = A_ROUND * self.means.threads.max(1);
        let (mut old, mut new) = (before.chunks(at_once), own.chunks(at_once));
        // Cells to send of one superblock: to process 0 whole, for it writes it down.
        let messages = |told: &Told<W>, is_new: bool| -> io::Result<Vec<(usize, Vec<u8>)>> {
            let mut messages = Vec::new();
            for (other, part) in self.parts.iter().enumerate().filter(|(other, _)| *other != self.me) {
                let cells = match other {
                    0 => told.cells.clone(),
                    _ => held(part, told.superblock, &told.cells),
                };
                if !cells.is_empty() || other == 0 && is_new {
                    let record = Record::new(told.superblock, told.positions, &cells)?;
                    messages.push((other, record.message()));
                }
            }
            if let Some(writer) = writer.filter(|_| is_new) {
                writer.add(told.superblock, told.positions, &told.cells);
            }
            Ok(messages)
        };
        loop {
            let some_old = old.next().unwrap_or_default();
            let some_new = if some_old.is_empty() { new.next().unwrap_or_default() } else { &[] };
            let mut send = Vec::new();
            let threads = self.means.threads;
            let read = |number: usize| -> io::Result<_> {
                let (superblock, positions) = some_old[number];
                let found = there.ok_or_else(nonsense)?;
                let cells = found.read_sound::<W>(superblock, shape.cells.len())?;
                let told = Told { superblock, positions, cells };
                Ok((messages(&told, false)?, told))
            };
            in_order(some_old.len(), threads, &Silent, &read, &mut |(messages, told)| {
                plane[told.superblock] = held(&self.parts[self.me], told.superblock, &told.cells);
                send.extend(messages);
                Ok(())
            })?;
            let made = |number: usize| messages(&some_new[number], true);
            in_order(some_new.len(), threads, &Silent, &made, &mut |messages| {
                send.extend(messages);
                written += usize::from(writer.is_some());
                Ok(())
            })?;
            let more = old.len() + new.len() > 0;
            let (received, anybody) = peers.round(send, more)?;
            let decoded = |number: usize| {
                let record = Record::from_message(&received[number]).ok_or_else(nonsense)?;
                let superblock = record.superblock as usize;
                let cells = record.cells::<W>(shape.cells.len()).ok_or_else(nonsense)?;
                if superblock >= shape.supers.len() {
                    return Err(nonsense());
                }
                if let Some(writer) = writer {
                    writer.add_record(Ok(record));
                }
                Ok((superblock, held(&self.parts[self.me], superblock, &cells)))
            };
            in_order(received.len(), threads, &Silent, &decoded, &mut |(superblock, cells)| {
                plane[superblock] = cells;
                written += usize::from(writer.is_some());
                Ok(())
            })?;
            if writer.is_some_and(Writer::failed) || !anybody {
                break;
            }
        }
        for told in own {
            plane[told.superblock] = told.cells;
        }
        Ok((plane, written))
    }

    /// Process 0 logs how many positions of each superblock are left, and of those before the first push which.
    fn draws(&self, peers: &mut dyn Peers) -> Result<(), SolveError> {
        let shape = &self.engine.shape;
        let left = self.engine.left.iter().enumerate().filter(|(superblock, _)| self.owns(*superblock));
        let own = left.map(|(superblock, cells)| Told {
            superblock,
            positions: cells.count(),
            cells: logged_draws(shape, superblock, cells),
        });
        let writer = match self.log {
            Some(log) => Some(log.write(DRAWS)?),
            None => None,
        };
        let (_, written) = self.exchange(false, own.collect(), None, writer.as_ref(), peers)?;
        if let Some(writer) = writer {
            writer.finish(Some(written))?;
        }
        Ok(())
    }
}

fn nonsense() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "another process sent what is no record of a phase")
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::mpsc::{Receiver, Sender, channel};

    use retrograde_solve::Progress;

    use super::*;
    use crate::solve_into;
    use crate::testing::{self, Fuse, game};

    const KEPT: Keep = Keep { work: true, wins: true };

    type Sent = (Vec<Vec<u8>>, bool);

    /// Processes that are threads.
    struct Threads {
        me: usize,
        threads: Vec<u32>,
        to: Vec<Sender<Sent>>,
        from: Vec<Receiver<Sent>>,
        bytes: u64,
    }

    impl Peers for Threads {
        fn process(&self) -> usize {
            self.me
        }

        fn threads(&self) -> &[u32] {
            &self.threads
        }

        fn round(&mut self, send: Vec<(usize, Vec<u8>)>, more: bool) -> io::Result<(Vec<Vec<u8>>, bool)> {
            let gone = |_| io::Error::other("a process is gone");
            let mut letters: Vec<Vec<Vec<u8>>> = self.threads.iter().map(|_| Vec::new()).collect();
            for (to, bytes) in send {
                assert_ne!(to, self.me);
                self.bytes += bytes.len() as u64;
                letters[to].push(bytes);
            }
            for (to, letters) in self.to.iter().zip(letters) {
                to.send((letters, more)).map_err(|_| io::Error::other("a process is gone"))?;
            }
            let (mut all, mut anybody) = (Vec::new(), false);
            for from in &self.from {
                let (letters, more) = from.recv().map_err(gone)?;
                all.extend(letters);
                anybody |= more;
            }
            Ok((all, anybody))
        }
    }

    fn peers(threads: &[u32]) -> Vec<Threads> {
        let count = threads.len();
        let mut all: Vec<Threads> = (0..count)
            .map(|me| Threads { me, threads: threads.to_vec(), to: Vec::new(), from: Vec::new(), bytes: 0 })
            .collect();
        for to in 0..count {
            for from in 0..count {
                let (sender, receiver) = channel();
                all[from].to.push(sender);
                all[to].from.push(receiver);
            }
        }
        all
    }

    fn means(progress: &dyn Progress, threads: u32) -> Means<'_> {
        Means { threads: threads as usize, ..testing::means(progress) }
    }

    fn losses(directory: &Path) -> Vec<u8> {
        testing::bytes(directory, crate::Which::Losses)
    }

    /// Solves with so many threads in each process; at process 0 progress is watched.
    fn solved(
        game: &PushFight,
        directory: &Path,
        threads: &[u32],
        progress: &(dyn Progress + Sync),
    ) -> Vec<Result<Option<About>, SolveError>> {
        std::thread::scope(|scope| {
            let running: Vec<_> = peers(threads)
                .into_iter()
                .map(|mut peers| {
                    scope.spawn(move || {
                        let me = peers.me;
                        // Only process 0 may touch the directory.
                        let nowhere = Path::new("/nowhere/at/all");
                        let directory = if me == 0 { directory } else { nowhere };
                        let means = means(if me == 0 { progress } else { &Silent }, peers.threads[me]);
                        solve_together(game, directory, &means, KEPT, u64::MAX, &mut peers)
                    })
                })
                .collect();
            running.into_iter().map(|running| running.join().unwrap()).collect()
        })
    }

    #[test]
    fn any_number_of_processes_writes_the_same_solution() {
        for name in [
            "pushfight:mini,pushers=2,pawns=1",
            "pushfight:mini,pushers=1,pawns=2,moves=1",
            "pushfight:x.board,pushers=1,pawns=3",
            "pushfight:x.board,pushers=2,pawns=1,moves=unlimited",
        ] {
            let game = game(name);
            let alone = tempfile::tempdir().unwrap();
            let expected = solve_into(&game, alone.path(), &means(&Silent, 2), KEPT).unwrap();
            for threads in [&[1][..], &[2, 1], &[1, 1, 3], &[1, 2, 1, 1]] {
                let directory = tempfile::tempdir().unwrap();
                let results = solved(&game, directory.path(), threads, &Silent);
                for (process, about) in results.into_iter().enumerate() {
                    let about = about.unwrap();
                    assert_eq!(about.is_some(), process == 0);
                    let Some(about) = about else { continue };
                    assert_eq!((about.start, about.shape), (expected.start, expected.shape));
                    let counts = |about: &About| -> Vec<[u64; 4]> {
                        let all = about.phases.iter().chain(&about.draws);
                        all.map(|phase| [phase.turns.into(), phase.count, phase.all, phase.starts]).collect()
                    };
                    assert_eq!(counts(&about), counts(&expected), "{name} {threads:?}");
                }
                assert!(losses(directory.path()) == losses(alone.path()), "{name} {threads:?}");
            }
        }
    }

    #[test]
    fn an_interrupted_solve_goes_on_with_other_processes() {
        let game = game("pushfight:mini,pushers=2,pawns=1");
        let alone = tempfile::tempdir().unwrap();
        solve_into(&game, alone.path(), &means(&Silent, 2), KEPT).unwrap();
        let directory = tempfile::tempdir().unwrap();
        let mut runs = 0_u64;
        loop {
            let threads = [&[1, 1][..], &[1], &[2, 1, 1]][runs as usize % 3];
            let fuse = Fuse::new(80 + 60 * runs);
            let results = solved(&game, directory.path(), threads, &fuse);
            if results.iter().all(Result::is_ok) {
                break;
            }
            // Whoever did not fail itself was told, or missed somebody.
            assert!(results.iter().all(Result::is_err) || runs > 3, "{results:?}");
            runs += 1;
            if runs == 3 {
                // Alone and in parts it goes on from there too.
                let fuse = Fuse::new(400);
                let means = Means { parts: 2, ..means(&fuse, 2) };
                let _ = solve_into(&game, directory.path(), &means, KEPT);
            }
        }
        assert!(runs > 3);
        assert!(losses(directory.path()) == losses(alone.path()));
    }

    #[test]
    fn too_little_memory_is_said_before_anything() {
        let game = game("pushfight:mini,pushers=2,pawns=1");
        let directory = tempfile::tempdir().unwrap();
        let mut alone = peers(&[1]);
        let error = solve_together(&game, directory.path(), &means(&Silent, 1), KEPT, 1 << 20, &mut alone[0]);
        assert!(matches!(error, Err(SolveError::Memory { .. })), "{error:?}");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    }
}

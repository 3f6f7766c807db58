//! Solving a board on several machines: each holds a part of it in memory (see `parts`), and after every phase all tell
//! each other what they have found, of each superblock the cells that the other holds.
//!
//! Process 0 hears of everything, and keeps the logs of `logged`: they are what an interrupted solve goes on from, with
//! any number of processes or with one, and what the solution is made of. What is there of a phase already it tells the others. So a
//! phase counts when it is on the disk of process 0. Who has how many threads decides only how large its part is.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use retrograde_solve::{Silent, SolveError, in_order};

use crate::config::Means;
use crate::files::log::{DRAWS, Found, Log, Record, Writer};
use crate::kernel::simd::Level;
use crate::layout::numbering::Shape;
use crate::layout::partition::{Part, Sequence};
use crate::layout::sparse::Cells;
use crate::layout::sparse::Plane;
use crate::layout::sparse::empty_plane;
use crate::phase::count::PhaseCount;
use crate::phase::count::{counted, logged_draws};
use crate::phase::engine::Engine;
use crate::phase::kinds::phase_name;
use crate::solve::steps::{begin, first_wins};

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

/// The same for all other processes.
pub(crate) fn to_all(peers: &dyn Peers, bytes: &[u8]) -> Vec<(usize, Vec<u8>)> {
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

pub(crate) fn run<const W: usize>(
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
        let mut plane = empty_plane(shape.supers.len());
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

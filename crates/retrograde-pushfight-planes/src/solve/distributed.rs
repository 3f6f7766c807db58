//! Solves a board on several machines. Each holds a part of it in memory (see `layout::partition`),
//! and after every phase all send each other what they found, of each superblock the cells that the
//! receiver holds.
//!
//! Process 0 receives everything and writes the logs. An interrupted solve goes on from them, with
//! any number of processes or alone, and the solution is made from them. Process 0 also sends what
//! its logs already have of a phase. So a phase counts once it is on the disk of process 0. The
//! number of threads of a process only decides how large its part is.

use std::io;
use std::sync::Arc;

use parking_lot::Mutex;
use retrograde_solve::{Silent, SolveError, in_order};

use crate::config::SolveConfig;
use crate::files::log::{Log, LogRecord, PhaseLog, PhaseLogWriter};
use crate::kernel::simd::SimdLevel;
use crate::layout::numbering::Layout;
use crate::layout::partition::{BoardPart, PusherSetOrder};
use crate::layout::sparse::Plane;
use crate::layout::sparse::SparseCells;
use crate::layout::sparse::empty_plane;
use crate::layout::superblocks::{SuperblockId, by_superblock};
use crate::phase::count::PhaseCount;
use crate::phase::count::{count_phase, logged_draws};
use crate::phase::engine::Engine;
use crate::phase::kinds::PhaseId;
use crate::phase::kinds::phase_name;
use crate::solve::steps::{find_undecided_of_part, remove_first_wins};

/// The processes that solve a board together.
pub trait Transport {
    /// The number of this one.
    fn process(&self) -> usize;

    /// Threads of each.
    fn threads(&self) -> &[u32];

    /// Sends bytes to others, each with the number of its receiver, and waits for what they have for this one. `more`
    /// says whether this process has something left for a further round; the answer says whether any has.
    ///
    /// # Errors
    /// If another process fails.
    fn exchange(&mut self, send: Vec<(usize, Vec<u8>)>, more: bool) -> io::Result<(Vec<Vec<u8>>, bool)>;
}

/// Superblocks of a round for each thread, which bounds what is on its way.
const SUPERBLOCKS_PER_EXCHANGE: usize = 8;

/// The same for all other processes.
pub(crate) fn to_all(transport: &dyn Transport, bytes: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let others = (0..transport.threads().len()).filter(|&other| other != transport.process());
    others.map(|other| (other, bytes.to_vec())).collect()
}

struct DistributedSolve<'a, const W: usize> {
    engine: Engine<W>,
    parts: Vec<Arc<BoardPart>>,
    me: usize,
    /// At process 0.
    log: Option<&'a Log>,
    config: &'a SolveConfig<'a>,
}

/// The results in a superblock that one process sends to the others.
struct SuperblockReport<const W: usize> {
    superblock: SuperblockId,
    positions: u64,
    cells: SparseCells<W>,
}

pub(crate) fn run<const W: usize>(
    layout: Layout,
    log: Option<&Log>,
    config: &SolveConfig<'_>,
    transport: &mut dyn Transport,
    on_phase: &mut dyn FnMut(PhaseCount),
) -> Result<(), SolveError> {
    let cut = PusherSetOrder::new(&layout).split(transport.threads());
    let parts: Vec<Arc<BoardPart>> =
        (0..cut.count()).map(|number| Arc::new(cut.part(&layout, number))).collect();
    let me = transport.process();
    let mut engine = Engine::<W>::new(layout, SimdLevel::best(), config.threads);
    let won = find_undecided_of_part(&mut engine, &parts[me], config.progress)?;
    let mut solve = DistributedSolve { engine, parts, me, log, config };
    let (stuck, _) = solve.phase(0, &[], &[], transport, on_phase)?;
    let part = Arc::clone(&solve.parts[me]);
    let first = remove_first_wins(&mut solve.engine, &part, &stuck, config.progress)?;
    let won: Vec<u64> = won.iter().zip(first).map(|(won, first)| won + first).collect();
    drop(stuck);
    solve.phase(1, &[], &won, transport, on_phase)?;
    let mut newest = Vec::new();
    for turns in 2.. {
        if turns == PhaseId::Draws.number() {
            return Err(SolveError::TooDeep);
        }
        if config.horizon.is_some_and(|horizon| turns > horizon) {
            return Ok(());
        }
        let (found, over) = solve.phase(turns, &newest, &[], transport, on_phase)?;
        solve.engine.remove_decided(&found);
        newest = found;
        if over {
            break;
        }
    }
    solve.draws(transport)
}

impl<const W: usize> DistributedSolve<'_, W> {
    fn owns(&self, superblock: SuperblockId) -> bool {
        self.parts[self.me].owns(&self.engine.layout, superblock)
    }

    /// A phase, after the `newest` of the one before; the second takes what is won in one turn. Gives what of it is held
    /// here (of the first one everything), and whether it has found nothing.
    fn phase(
        &mut self,
        turns: u16,
        newest: &[SparseCells<W>],
        won: &[u64],
        transport: &mut dyn Transport,
        on_phase: &mut dyn FnMut(PhaseCount),
    ) -> Result<(Plane<W>, bool), SolveError> {
        // What is there already, as a bit for each superblock.
        let present = match self.log {
            Some(log) => {
                let mut found = log.open(turns)?;
                found.check()?;
                Some(found)
            }
            None => None,
        };
        let done = self.share_done(present.as_ref(), transport)?;
        let mut own = if turns == 1 {
            let count = by_superblock(won.iter().copied());
            let own = count.filter(|&(superblock, _)| self.owns(superblock) && !done[superblock]);
            own.map(|(superblock, positions)| SuperblockReport {
                superblock,
                positions,
                cells: SparseCells::empty(),
            })
            .collect()
        } else {
            self.find(turns, newest, &done)?
        };
        own.sort_unstable_by_key(|report| report.superblock);
        let writer = match (self.log, &present) {
            (Some(log), Some(found)) if !found.is_whole() => Some(log.write(turns)?),
            _ => None,
        };
        let before = present.as_ref().map_or(0, |found| found.superblocks().count());
        // What is lost without a turn is to be known whole: it says what is won everywhere.
        let (plane, count) = self.share(turns == 0, own, present.as_ref(), writer.as_ref(), transport)?;
        if let Some(writer) = writer {
            writer.finish(Some(before + count))?;
        }
        // Process 0 says whether it was anything, once it is on the disk.
        let mut over = false;
        if let Some(log) = self.log {
            let found = log.open(turns)?;
            let mut count = count_phase(&self.engine.layout, turns, found.superblocks());
            (count.blocks, count.bytes) = (self.engine.blocks(), self.engine.bytes());
            let count = PhaseCount { seconds: found.seconds(), ..count };
            over = turns > 1 && count.count + count.starts == 0;
            on_phase(count);
            transport.exchange(to_all(transport, &[u8::from(over)]), false)?;
        } else {
            let (word, _) = transport.exchange(Vec::new(), false)?;
            over |= word.first().is_some_and(|word| word == &[1]);
        }
        Ok((plane, over))
    }

    /// Process 0 tells all which superblocks it has of a phase.
    fn share_done(
        &self,
        present: Option<&PhaseLog>,
        transport: &mut dyn Transport,
    ) -> Result<Vec<bool>, SolveError> {
        let mut done = vec![false; self.engine.layout.superblocks.len()];
        if let Some(found) = present {
            found.superblocks().for_each(|(superblock, _)| done[superblock] = true);
            let bytes: Vec<u8> = done.iter().map(|&done| u8::from(done)).collect();
            transport.exchange(to_all(transport, &bytes), false)?;
        } else {
            let (report, _) = transport.exchange(Vec::new(), false)?;
            let bytes =
                report.first().filter(|bytes| bytes.len() == done.len()).ok_or_else(malformed_message)?;
            done = bytes.iter().map(|&byte| byte == 1).collect();
        }
        Ok(done)
    }

    /// Works on the own part.
    fn find(
        &self,
        turns: u16,
        newest: &[SparseCells<W>],
        done: &[bool],
    ) -> Result<Vec<SuperblockReport<W>>, SolveError> {
        let engine = &self.engine;
        let phase = engine.phase_for(turns, newest);
        let name = phase_name(turns);
        let list = Mutex::new(Vec::new());
        engine.run_phase(&name, phase, done, self.config.progress, |superblock, found| {
            let report = SuperblockReport { superblock, positions: found.count, cells: found.cells };
            list.lock().push(report);
        })?;
        Ok(list.into_inner())
    }

    /// Tells all what was found here, and hears what they have found. Process 0 writes it all down, and tells what it has
    /// from before. Gives what of it is held here (or everything), and how many superblocks were written.
    fn share(
        &self,
        everything: bool,
        own: Vec<SuperblockReport<W>>,
        present: Option<&PhaseLog>,
        writer: Option<&PhaseLogWriter>,
        transport: &mut dyn Transport,
    ) -> Result<(Plane<W>, usize), SolveError> {
        let layout = &self.engine.layout;
        let mut plane = empty_plane(layout.superblocks.len());
        let mut written = 0;
        let held = |part: &BoardPart, superblock: SuperblockId, cells: &SparseCells<W>| match everything {
            true => cells.clone(),
            false => part.retain_held(layout, superblock, cells.clone()),
        };
        let before: Vec<(SuperblockId, u64)> =
            present.map_or_else(Vec::new, |found| found.superblocks().collect());
        let at_once = SUPERBLOCKS_PER_EXCHANGE * self.config.threads.max(1);
        let (mut old, mut new) = (before.chunks(at_once), own.chunks(at_once));
        // Cells to send of one superblock: to process 0 whole, for it writes it down.
        let messages = |report: &SuperblockReport<W>, is_new: bool| -> io::Result<Vec<(usize, Vec<u8>)>> {
            let mut messages = Vec::new();
            for (other, part) in self.parts.iter().enumerate().filter(|(other, _)| *other != self.me) {
                let cells = match other {
                    0 => report.cells.clone(),
                    _ => held(part, report.superblock, &report.cells),
                };
                if !cells.is_empty() || other == 0 && is_new {
                    let record = LogRecord::new(report.superblock, report.positions, &cells)?;
                    messages.push((other, record.message()));
                }
            }
            if let Some(writer) = writer.filter(|_| is_new) {
                writer.add(report.superblock, report.positions, &report.cells);
            }
            Ok(messages)
        };
        loop {
            let some_old = old.next().unwrap_or_default();
            let some_new = if some_old.is_empty() { new.next().unwrap_or_default() } else { &[] };
            let mut send = Vec::new();
            let threads = self.config.threads;
            let read = |number: usize| -> io::Result<_> {
                let (superblock, positions) = some_old[number];
                let found = present.ok_or_else(malformed_message)?;
                let cells = found.read_sound::<W>(superblock, layout.cells.len())?;
                let report = SuperblockReport { superblock, positions, cells };
                Ok((messages(&report, false)?, report))
            };
            in_order(some_old.len(), threads, &Silent, &read, &mut |(messages, report)| {
                plane[report.superblock] = held(&self.parts[self.me], report.superblock, &report.cells);
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
            let (received, anybody) = transport.exchange(send, more)?;
            let decoded = |number: usize| {
                let record = LogRecord::from_message(&received[number]).ok_or_else(malformed_message)?;
                let superblock = record.superblock;
                let cells = record.cells::<W>(layout.cells.len()).ok_or_else(malformed_message)?;
                if !layout.superblocks.contains(superblock) {
                    return Err(malformed_message());
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
            if writer.is_some_and(PhaseLogWriter::failed) || !anybody {
                break;
            }
        }
        for report in own {
            plane[report.superblock] = report.cells;
        }
        Ok((plane, written))
    }

    /// Process 0 logs how many positions of each superblock are left, and of those before the first push which.
    fn draws(&self, transport: &mut dyn Transport) -> Result<(), SolveError> {
        let layout = &self.engine.layout;
        let undecided =
            by_superblock(&self.engine.undecided).filter(|(superblock, _)| self.owns(*superblock));
        let own = undecided.map(|(superblock, cells)| SuperblockReport {
            superblock,
            positions: cells.count(),
            cells: logged_draws(layout, superblock, cells),
        });
        let writer = match self.log {
            Some(log) => Some(log.write(PhaseId::Draws)?),
            None => None,
        };
        let (_, written) = self.share(false, own.collect(), None, writer.as_ref(), transport)?;
        if let Some(writer) = writer {
            writer.finish(Some(written))?;
        }
        Ok(())
    }
}

fn malformed_message() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "another process sent what is no record of a phase")
}

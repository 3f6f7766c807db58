//! Solves a board on several machines. Each holds a part of it in memory (see `layout::partition`),
//! and after every phase all processes exchange their results: of each superblock, a receiver gets
//! the cells that it holds.
//!
//! Process 0 receives everything and writes the logs. An interrupted solve resumes from them, with any
//! number of processes or alone, and the solution is made from them. Process 0 also sends the results
//! of a phase that its logs already have. So a phase counts once it is on the disk of process 0. The
//! number of threads of a process only determines the size of its part.

use std::io;
use std::sync::Arc;

use parking_lot::Mutex;
use retrograde_game::Turns;
use retrograde_solve::{Piece, Progress, Silent, SolveError, Tally, in_order};

use crate::config::SolveConfig;
use crate::files::log::{Log, LogRecord, PhaseLog, PhaseLogWriter};
use crate::kernel::simd::SimdLevel;
use crate::layout::numbering::Layout;
use crate::layout::partition::{BoardPart, PusherSetOrder};
use crate::layout::sparse::{Plane, SparseCells, empty_plane};
use crate::layout::superblocks::{SuperblockId, by_superblock};
use crate::phase::count::{PhaseCount, count_phase, logged_draws};
use crate::phase::engine::Engine;
use crate::phase::kinds::PhaseId;
use crate::solve::driver::{PhaseResult, PhaseStore};
use crate::solve::steps::{find_undecided_of_part, has_no_push_wins, remove_no_push_wins_of_part};

/// Superblocks per round and thread. This bounds the memory that messages take.
const SUPERBLOCKS_PER_EXCHANGE: usize = 8;

/// Sends bytes to other processes, and returns the bytes that they send to this one. `more` is whether
/// this process needs another round; the result includes whether any process does.
pub(crate) fn round(
    processes: &mut dyn retrograde_solve::Exchange,
    send: Vec<(usize, Vec<u8>)>,
    more: bool,
) -> Result<(Vec<Vec<u8>>, bool), SolveError> {
    let pieces = send.into_iter().map(|(process, bytes)| Piece { process, tag: 0, bytes }).collect();
    let (pieces, tally) = processes.round(pieces, Tally::flag(Tally::MORE, more))?;
    Ok((pieces.into_iter().map(|piece| piece.bytes).collect(), tally.has(Tally::MORE)))
}

/// Addresses the same bytes to all other processes.
pub(crate) fn to_all(processes: &dyn retrograde_solve::Exchange, bytes: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let others = (0..processes.threads().len()).filter(|&other| other != processes.process());
    others.map(|other| (other, bytes.to_vec())).collect()
}

/// The own part of a board in memory, the other processes, and at process 0 the log.
pub(crate) struct DistributedStore<'a> {
    board: OwnPart,
    /// At process 0.
    log: Option<&'a Log>,
    progress: &'a dyn Progress,
    processes: &'a mut dyn retrograde_solve::Exchange,
    /// The positions of each superblock that win at once, later all that are won in one turn.
    won: Vec<u64>,
    /// The results of the previous phase; empty if they are not known.
    newest: Plane,
}

/// The part of a board that a process works on, and the parts of the others.
struct OwnPart {
    engine: Engine,
    parts: Vec<Arc<BoardPart>>,
    me: usize,
    threads: usize,
}

/// The results in a superblock that one process sends to the others.
struct SuperblockReport {
    superblock: SuperblockId,
    positions: u64,
    cells: SparseCells,
}

/// A phase that has begun.
struct StartedPhase {
    id: PhaseId,
    /// In process 0: the results that the log has.
    present: Option<PhaseLog>,
    /// Whether the log of process 0 has each superblock.
    done: Vec<bool>,
}

/// The share of the results that a process keeps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Share {
    /// The cells that its part holds.
    Held,
    /// Everything.
    All,
}

impl PhaseStore for DistributedStore<'_> {
    fn find(&mut self, turns: Turns) -> Result<PhaseResult, SolveError> {
        match turns {
            Turns(0) => {
                let OwnPart { engine, parts, me, .. } = &mut self.board;
                self.won = find_undecided_of_part(engine, &parts[*me], self.progress)?;
                // Every process needs all of these losses, because it decides the wins everywhere.
                self.find_and_share(turns, Share::All)
            }
            Turns(1) => self.find_won_in_1(),
            _ => {
                let result = self.find_and_share(turns, Share::Held)?;
                self.board.engine.remove_decided(&self.newest);
                Ok(result)
            }
        }
    }

    /// Process 0 logs the number of undecided positions of each superblock, and the undecided
    /// positions before the first push themselves.
    fn record_draws(&mut self, _last: Turns) -> Result<(), SolveError> {
        let begun = self.begin_phase(PhaseId::Draws)?;
        let engine = &self.board.engine;
        let own = by_superblock(&engine.undecided)
            .filter(|(superblock, _)| self.board.owns(*superblock) && !begun.done[*superblock])
            .map(|(superblock, cells)| SuperblockReport {
                superblock,
                positions: cells.count(),
                cells: logged_draws(&engine.layout, superblock, cells),
            })
            .collect();
        self.end_phase(begun, own, Share::Held)?;
        Ok(())
    }
}

impl<'a> DistributedStore<'a> {
    pub(crate) fn new(
        layout: Layout,
        log: Option<&'a Log>,
        config: &'a SolveConfig<'a>,
        processes: &'a mut dyn retrograde_solve::Exchange,
    ) -> DistributedStore<'a> {
        let cut = PusherSetOrder::new(&layout).split(processes.threads());
        let parts = (0..cut.count()).map(|number| Arc::new(cut.part(&layout, number))).collect();
        let engine = Engine::new(layout, SimdLevel::best(), config.threads);
        let board = OwnPart { engine, parts, me: processes.process(), threads: config.threads };
        let (won, newest) = (Vec::new(), Vec::new());
        DistributedStore { board, log, progress: config.progress, processes, won, newest }
    }

    fn find_won_in_1(&mut self) -> Result<PhaseResult, SolveError> {
        let OwnPart { engine, parts, me, .. } = &mut self.board;
        let stuck = std::mem::take(&mut self.newest);
        let (no_push, counts) = remove_no_push_wins_of_part(engine, &parts[*me], &stuck, self.progress)?;
        for (superblock, count) in counts {
            self.won[superblock] += count;
        }
        drop(stuck);
        let begun = self.begin_phase(PhaseId::WonByNoPush)?;
        let layout = &self.board.engine.layout;
        let own = by_superblock(no_push).filter(|(superblock, wins)| {
            self.board.owns(*superblock)
                && !begun.done[*superblock]
                && has_no_push_wins(layout, *superblock, wins)
        });
        let own =
            own.map(|(superblock, cells)| SuperblockReport { superblock, positions: cells.count(), cells });
        let own = own.collect();
        self.end_phase(begun, own, Share::Held)?;
        let begun = self.begin_phase(Turns(1).into())?;
        let own = by_superblock(self.won.iter().copied());
        let own = own.filter(|&(superblock, _)| self.board.owns(superblock) && !begun.done[superblock]);
        let report =
            |(superblock, positions)| SuperblockReport { superblock, positions, cells: SparseCells::empty() };
        let own = own.map(report).collect();
        let (_, result) = self.end_phase(begun, own, Share::Held)?;
        Ok(result)
    }

    /// Finds the results of the own part, and replaces the newest results by those of all
    /// processes.
    fn find_and_share(&mut self, turns: Turns, share: Share) -> Result<PhaseResult, SolveError> {
        let begun = self.begin_phase(turns.into())?;
        let phase = self.board.engine.phase_for(turns, &self.newest);
        let list = Mutex::new(Vec::new());
        let name = begun.id.title();
        self.board.engine.run_phase(&name, phase, &begun.done, self.progress, &|superblock, found| {
            let report = SuperblockReport { superblock, positions: found.count, cells: found.cells };
            list.lock().push(report);
        })?;
        let (newest, result) = self.end_phase(begun, list.into_inner(), share)?;
        self.newest = newest;
        Ok(result)
    }

    /// Process 0 reads the results of a phase from its log, and sends the list of their superblocks
    /// to all processes.
    fn begin_phase(&mut self, id: PhaseId) -> Result<StartedPhase, SolveError> {
        let mut done = vec![false; self.board.engine.layout.superblocks.len()];
        let Some(log) = self.log else {
            let (report, _) = round(self.processes, Vec::new(), false)?;
            let bytes =
                report.first().filter(|bytes| bytes.len() == done.len()).ok_or_else(malformed_message)?;
            done = bytes.iter().map(|&byte| byte == 1).collect();
            return Ok(StartedPhase { id, present: None, done });
        };
        let mut present = log.open(id)?;
        present.check()?;
        present.superblocks().for_each(|(superblock, _)| done[superblock] = true);
        let bytes: Vec<u8> = done.iter().map(|&done| u8::from(done)).collect();
        let send = to_all(self.processes, &bytes);
        round(self.processes, send, false)?;
        Ok(StartedPhase { id, present: Some(present), done })
    }

    /// Exchanges the results of a phase with all processes; process 0 logs all of them. Returns the
    /// share that this process keeps.
    fn end_phase(
        &mut self,
        begun: StartedPhase,
        mut own: Vec<SuperblockReport>,
        share: Share,
    ) -> Result<(Plane, PhaseResult), SolveError> {
        own.sort_unstable_by_key(|report| report.superblock);
        let StartedPhase { id, present, .. } = begun;
        let writer = match (self.log, &present) {
            (Some(log), Some(present)) if !present.is_complete() => Some(log.write(id)?),
            _ => None,
        };
        let before = present.as_ref().map_or(0, |present| present.superblocks().count());
        let (plane, written) = Exchange::new(&self.board, share, present.as_ref(), writer.as_ref())
            .run(own, &mut *self.processes)?;
        if let Some(writer) = writer {
            writer.finish(Some(before + written))?;
        }
        Ok((plane, self.announce(id)?))
    }

    /// Process 0 tells the others whether a phase has found anything, once it is on disk.
    fn announce(&mut self, id: PhaseId) -> Result<PhaseResult, SolveError> {
        let Some(log) = self.log else {
            let (word, _) = round(self.processes, Vec::new(), false)?;
            let over = word.first().is_some_and(|word| word == &[1]);
            return Ok(PhaseResult { found_any: !over, count: None });
        };
        let engine = &self.board.engine;
        let found = log.open(id)?;
        let count = count_phase(&engine.layout, id, found.superblocks());
        let count = PhaseCount { seconds: found.seconds(), ..count.with_size_of(engine) };
        // The first two phases are never the last.
        let over = id > PhaseId::Turns(Turns(1)) && count.is_empty();
        let send = to_all(self.processes, &[u8::from(over)]);
        round(self.processes, send, false)?;
        Ok(count.into())
    }
}

impl OwnPart {
    fn owns(&self, superblock: SuperblockId) -> bool {
        self.parts[self.me].owns(&self.engine.layout, superblock)
    }
}

/// The exchange of a phase's results between all processes, in rounds. Process 0 logs all results, and
/// sends the results that its log had before.
struct Exchange<'a> {
    board: &'a OwnPart,
    share: Share,
    /// At process 0: the log's results from before.
    present: Option<&'a PhaseLog>,
    /// In process 0, if the log is not complete.
    writer: Option<&'a PhaseLogWriter>,
    /// The results that this process keeps.
    plane: Plane,
    /// The number of superblocks written.
    written: usize,
}

impl<'a> Exchange<'a> {
    fn new(
        board: &'a OwnPart,
        share: Share,
        present: Option<&'a PhaseLog>,
        writer: Option<&'a PhaseLogWriter>,
    ) -> Exchange<'a> {
        let plane = empty_plane(board.engine.layout.superblocks.len());
        Exchange { board, share, present, writer, plane, written: 0 }
    }

    /// Sends the own results and receives those of others. Returns the results that this process
    /// keeps, and the number of superblocks written.
    fn run(
        mut self,
        own: Vec<SuperblockReport>,
        processes: &mut dyn retrograde_solve::Exchange,
    ) -> Result<(Plane, usize), SolveError> {
        let before: Vec<(SuperblockId, u64)> =
            self.present.map_or_else(Vec::new, |present| present.superblocks().collect());
        let at_once = SUPERBLOCKS_PER_EXCHANGE * self.board.threads.max(1);
        let (mut old, mut new) = (before.chunks(at_once), own.chunks(at_once));
        loop {
            let send = match old.next() {
                Some(some) => self.messages_from_log(some)?,
                None => self.messages_of(new.next().unwrap_or_default())?,
            };
            let more = old.len() + new.len() > 0;
            let (received, anybody) = round(processes, send, more)?;
            self.receive(&received)?;
            if self.writer.is_some_and(PhaseLogWriter::failed) || !anybody {
                break;
            }
        }
        for report in own {
            self.plane[report.superblock] = report.cells;
        }
        Ok((self.plane, self.written))
    }

    /// The cells of a superblock that are sent to a part.
    fn shared(&self, part: &BoardPart, superblock: SuperblockId, cells: &SparseCells) -> SparseCells {
        match self.share {
            Share::All => cells.clone(),
            Share::Held => part.retain_held(&self.board.engine.layout, superblock, cells.clone()),
        }
    }

    /// The messages about a superblock, each with its receiver. Process 0 gets all cells, because
    /// it logs them.
    fn messages(&self, report: &SuperblockReport, is_new: bool) -> io::Result<Vec<(usize, Vec<u8>)>> {
        let mut messages = Vec::new();
        let others = self.board.parts.iter().enumerate().filter(|(other, _)| *other != self.board.me);
        for (other, part) in others {
            let cells = match other {
                0 => report.cells.clone(),
                _ => self.shared(part, report.superblock, &report.cells),
            };
            if !cells.is_empty() || other == 0 && is_new {
                let record = LogRecord::new(report.superblock, report.positions, &cells)?;
                messages.push((other, record.message()));
            }
        }
        if let Some(writer) = self.writer.filter(|_| is_new) {
            writer.add(report.superblock, report.positions, &report.cells);
        }
        Ok(messages)
    }

    /// The messages about superblocks that the log had before. Process 0 also keeps its share of them.
    fn messages_from_log(
        &mut self,
        some: &[(SuperblockId, u64)],
    ) -> Result<Vec<(usize, Vec<u8>)>, SolveError> {
        let mut send = Vec::new();
        let mut kept = Vec::new();
        let read = |number: usize| -> io::Result<_> {
            let (superblock, positions) = some[number];
            let present = self.present.ok_or_else(malformed_message)?;
            let cells = present.read_undamaged(superblock, self.board.engine.layout.cell_shape())?;
            let report = SuperblockReport { superblock, positions, cells };
            Ok((self.messages(&report, false)?, report))
        };
        in_order(some.len(), self.board.threads, &Silent, &read, &mut |(messages, report)| {
            kept.push((report.superblock, self.own_share(report.superblock, &report.cells)));
            send.extend(messages);
            Ok(())
        })?;
        self.keep(kept);
        Ok(send)
    }

    /// The messages with the results that this process has found. Process 0 also logs these
    /// results.
    fn messages_of(&mut self, some: &[SuperblockReport]) -> Result<Vec<(usize, Vec<u8>)>, SolveError> {
        let mut send = Vec::new();
        let made = |number: usize| self.messages(&some[number], true);
        in_order(some.len(), self.board.threads, &Silent, &made, &mut |messages| {
            send.extend(messages);
            Ok(())
        })?;
        self.written += if self.writer.is_some() { some.len() } else { 0 };
        Ok(send)
    }

    /// Keeps the results that other processes have sent; process 0 logs them.
    fn receive(&mut self, received: &[Vec<u8>]) -> Result<(), SolveError> {
        let layout = &self.board.engine.layout;
        let mut kept = Vec::new();
        let decoded = |number: usize| {
            let record = LogRecord::from_message(&received[number]).ok_or_else(malformed_message)?;
            let superblock = record.superblock;
            let cells = record.cells(layout.cell_shape()).ok_or_else(malformed_message)?;
            if !layout.superblocks.contains(superblock) {
                return Err(malformed_message());
            }
            if let Some(writer) = self.writer {
                writer.add_record(Ok(record));
            }
            Ok((superblock, self.own_share(superblock, &cells)))
        };
        in_order(received.len(), self.board.threads, &Silent, &decoded, &mut |cells| {
            kept.push(cells);
            Ok(())
        })?;
        self.written += if self.writer.is_some() { received.len() } else { 0 };
        self.keep(kept);
        Ok(())
    }

    /// The cells of a superblock that this process keeps.
    fn own_share(&self, superblock: SuperblockId, cells: &SparseCells) -> SparseCells {
        self.shared(&self.board.parts[self.board.me], superblock, cells)
    }

    fn keep(&mut self, kept: Vec<(SuperblockId, SparseCells)>) {
        for (superblock, cells) in kept {
            self.plane[superblock] = cells;
        }
    }
}

fn malformed_message() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "another process sent a malformed record of a phase")
}

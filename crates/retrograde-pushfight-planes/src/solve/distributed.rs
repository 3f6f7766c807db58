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
use retrograde_solve::{Exchange, Piece, Progress, Silent, SolveError, Tally};

use crate::config::SolveConfig;
use crate::files::log::{Log, LogRecord, PhaseLog, PhaseLogWriter};
use crate::layout::numbering::Layout;
use crate::layout::partition::{BoardPart, PusherSetOrder};
use crate::layout::sparse::{Plane, SparseCells, empty_plane};
use crate::layout::superblocks::SuperblockId;
use crate::parallel::try_for_each;
use crate::phase::count::PhaseCount;
use crate::phase::engine::Engine;
use crate::phase::kinds::{Phase, PhaseId};
use crate::solve::in_memory::ResultStore;
use crate::solve::steps::{Found, PhaseResult, count_log};

/// Superblocks per round and thread. This bounds the memory that messages take.
const SUPERBLOCKS_PER_EXCHANGE: usize = 8;

/// Sends bytes to other processes, and returns the bytes that they send to this one. `more` is whether
/// this process needs another round; the result includes whether any process does.
pub(crate) fn round(
    processes: &mut dyn Exchange,
    send: Vec<Message>,
    more: bool,
) -> Result<(Vec<Vec<u8>>, bool), SolveError> {
    let pieces = send.into_iter().map(|(process, bytes)| Piece { process, tag: 0, bytes }).collect();
    let (pieces, tally) = processes.round(pieces, Tally::flag(Tally::MORE, more))?;
    Ok((pieces.into_iter().map(|piece| piece.bytes).collect(), tally.has(Tally::MORE)))
}

/// The receiver of a message, and its bytes.
type Message = (usize, Vec<u8>);

/// Addresses the same bytes to all other processes.
pub(crate) fn to_all(processes: &dyn Exchange, bytes: &[u8]) -> Vec<Message> {
    let others = (0..processes.threads().len()).filter(|&other| other != processes.process());
    others.map(|other| (other, bytes.to_vec())).collect()
}

/// The results of all processes, each of which has a part of the board, and at process 0 the log.
pub(crate) struct SharedResults<'a> {
    /// The parts of all processes.
    parts: Vec<Arc<BoardPart>>,
    me: usize,
    threads: usize,
    /// At process 0.
    log: Option<&'a Log>,
    progress: &'a dyn Progress,
    processes: &'a mut dyn Exchange,
}

/// A phase that has begun.
struct StartedPhase {
    id: PhaseId,
    /// In process 0: the results that the log has.
    present: Option<PhaseLog>,
    /// Whether the log of process 0 has each superblock.
    done: Vec<bool>,
}

impl ResultStore for SharedResults<'_> {
    fn run(&mut self, engine: &Engine, id: PhaseId, phase: Phase<'_>) -> PhaseResult {
        let begun = self.begin_phase(&engine.layout, id)?;
        let list = Mutex::new(Vec::new());
        engine.run_phase(&id.title(), phase, &begun.done, self.progress, &|superblock, found| {
            list.lock().push((superblock, found.count, found.cells));
            Ok(())
        })?;
        self.end_phase(&engine.layout, begun, list.into_inner())
    }

    fn record(
        &mut self,
        engine: &Engine,
        id: PhaseId,
        mut all: Vec<Found>,
    ) -> Result<PhaseCount, SolveError> {
        let begun = self.begin_phase(&engine.layout, id)?;
        let part = self.part();
        all.retain(|found| part.owns(&engine.layout, found.0) && !begun.done[found.0]);
        Ok(self.end_phase(&engine.layout, begun, all)?.1)
    }
}

impl<'a> SharedResults<'a> {
    pub(crate) fn new(
        layout: &Layout,
        log: Option<&'a Log>,
        config: &SolveConfig<'a>,
        processes: &'a mut dyn Exchange,
    ) -> SharedResults<'a> {
        let cut = PusherSetOrder::new(layout).split(processes.threads());
        let parts = (0..cut.count).map(|number| Arc::new(cut.part(layout, number))).collect();
        let (me, threads) = (processes.process(), config.threads.max(1));
        SharedResults { parts, me, threads, log, progress: config.progress, processes }
    }

    /// The part of this process.
    pub(crate) fn part(&self) -> &Arc<BoardPart> {
        &self.parts[self.me]
    }

    /// Process 0 reads the results of a phase from its log, and sends the list of their superblocks
    /// to all processes.
    fn begin_phase(&mut self, layout: &Layout, id: PhaseId) -> Result<StartedPhase, SolveError> {
        let superblocks = &layout.superblocks;
        let Some(log) = self.log else {
            let (report, _) = round(self.processes, Vec::new(), false)?;
            let bytes = report.first().filter(|bytes| bytes.len() == superblocks.len());
            let done = bytes.ok_or_else(malformed_message)?.iter().map(|&byte| byte == 1).collect();
            return Ok(StartedPhase { id, present: None, done });
        };
        let present = log.open_checked(id, self.progress)?;
        let done = present.done(superblocks);
        let bytes: Vec<u8> = done.iter().map(|&done| u8::from(done)).collect();
        let send = to_all(self.processes, &bytes);
        round(self.processes, send, false)?;
        Ok(StartedPhase { id, present: Some(present), done })
    }

    /// Exchanges the results of a phase with all processes; process 0 logs all of them, and then tells the
    /// others how many there are. Returns the share that this process keeps.
    fn end_phase(&mut self, layout: &Layout, begun: StartedPhase, own: Vec<Found>) -> PhaseResult {
        let StartedPhase { id, present, .. } = begun;
        let writer = match (self.log, &present) {
            (Some(log), Some(present)) if !present.is_complete() => Some(log.write(id)?),
            _ => None,
        };
        let sharing = Sharing {
            layout,
            parts: &self.parts,
            me: self.me,
            threads: self.threads,
            whole: id == Turns(0).into(),
            writer: writer.as_ref(),
            messages: Mutex::default(),
            kept: Mutex::new(empty_plane(layout.superblocks.len())),
        };
        let result = sharing.run(own, present.as_ref(), self.processes);
        let plane = sharing.kept.into_inner();
        match writer {
            Some(writer) => writer.finish(result)?,
            None => result?,
        }
        let Some(log) = self.log else {
            let (word, _) = round(self.processes, Vec::new(), false)?;
            let count = word.first().and_then(|word| serde_json::from_slice(word).ok());
            return Ok((plane, count.ok_or_else(malformed_message)?));
        };
        let count = count_log(layout, id, &log.open(id)?);
        let send = to_all(self.processes, &serde_json::to_vec(&count).map_err(io::Error::from)?);
        round(self.processes, send, false)?;
        Ok((plane, count))
    }
}

/// The exchange of a phase's results between all processes, in rounds. Process 0 logs all results, and
/// sends the results that its log had before.
struct Sharing<'a> {
    layout: &'a Layout,
    parts: &'a [Arc<BoardPart>],
    me: usize,
    threads: usize,
    /// Whether every process keeps all results, not only the cells that its part holds. It does so with the
    /// positions lost in 0 turns, because it decides the wins everywhere.
    whole: bool,
    /// In process 0, if the log is not complete.
    writer: Option<&'a PhaseLogWriter>,
    /// The messages of the next round.
    messages: Mutex<Vec<Message>>,
    /// The results that this process keeps.
    kept: Mutex<Plane>,
}

impl Sharing<'_> {
    /// Sends the own results and those from the log, and receives the results of other processes.
    fn run(
        &self,
        own: Vec<Found>,
        present: Option<&PhaseLog>,
        processes: &mut dyn Exchange,
    ) -> Result<(), SolveError> {
        let before: Vec<(SuperblockId, u64)> =
            present.map_or_else(Vec::new, |present| present.superblocks().collect());
        let at_once = SUPERBLOCKS_PER_EXCHANGE * self.threads;
        let (mut old, mut new) = (before.chunks(at_once), own.chunks(at_once));
        loop {
            match (present, old.next()) {
                // Process 0 also keeps its share of what its log had before.
                (Some(present), Some(some)) => self.in_parallel(some.len(), &|number| {
                    let (superblock, positions) = some[number];
                    let cells = present.read(superblock, self.layout.cell_shape())?;
                    self.keep(superblock, self.share_of(self.me, superblock, &cells));
                    self.send(&(superblock, positions, cells), false)
                })?,
                _ => {
                    let some = new.next().unwrap_or_default();
                    self.in_parallel(some.len(), &|number| self.send(&some[number], true))?;
                }
            }
            let more = old.len() + new.len() > 0;
            let send = std::mem::take(&mut *self.messages.lock());
            let (received, anybody) = round(processes, send, more)?;
            self.in_parallel(received.len(), &|number| self.receive(&received[number]))?;
            if !anybody {
                break;
            }
        }
        own.into_iter().for_each(|(superblock, _, cells)| self.keep(superblock, cells));
        Ok(())
    }

    /// Calls `act` on the numbers below `count`, on several threads.
    fn in_parallel(
        &self,
        count: usize,
        act: &(dyn Fn(usize) -> io::Result<()> + Sync),
    ) -> Result<(), SolveError> {
        try_for_each(self.threads, (0..count).collect(), &Silent, |number: usize| Ok(act(number)?))
    }

    /// The cells of a superblock that a process keeps.
    fn share_of(&self, process: usize, superblock: SuperblockId, cells: &SparseCells) -> SparseCells {
        if self.whole {
            return cells.clone();
        }
        self.parts[process].retain_held(self.layout, superblock, cells.clone())
    }

    /// Adds messages about a superblock. Process 0 gets all cells, because it logs them.
    fn send(&self, (superblock, positions, cells): &Found, is_new: bool) -> io::Result<()> {
        for other in (0..self.parts.len()).filter(|&other| other != self.me) {
            let cells = match other {
                0 => cells.clone(),
                _ => self.share_of(other, *superblock, cells),
            };
            if !cells.is_empty() || other == 0 && is_new {
                let message = LogRecord::new(*superblock, *positions, &cells)?.message();
                self.messages.lock().push((other, message));
            }
        }
        if let Some(writer) = self.writer.filter(|_| is_new) {
            writer.add(*superblock, *positions, cells)?;
        }
        Ok(())
    }

    /// Decodes results that another process has sent, and keeps the share of this process; process 0 logs
    /// them.
    fn receive(&self, message: &[u8]) -> io::Result<()> {
        let record = LogRecord::from_message(message).ok_or_else(malformed_message)?;
        let superblock = record.superblock;
        let cells = record.cells(self.layout.cell_shape()).ok_or_else(malformed_message)?;
        if !self.layout.superblocks.contains(superblock) {
            return Err(malformed_message());
        }
        if let Some(writer) = self.writer {
            writer.add_records(&[record])?;
        }
        self.keep(superblock, self.share_of(self.me, superblock, &cells));
        Ok(())
    }

    fn keep(&self, superblock: SuperblockId, cells: SparseCells) {
        self.kept.lock()[superblock] = cells;
    }
}

fn malformed_message() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "another process sent a malformed record of a phase")
}

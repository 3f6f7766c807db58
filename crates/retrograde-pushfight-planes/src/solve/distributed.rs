//! The results of phases, which every process of a solve has. Each process holds a part of the board in
//! memory (see `layout::partition`), and after every phase all processes exchange their results: of each
//! superblock, a receiver gets the cells that it holds. A process that works alone holds the whole board.
//!
//! Process 0 receives everything and writes the logs. An interrupted solve resumes from them, with any
//! number of processes or alone, and the solution is made from them. Process 0 also sends the results
//! of a phase that its logs already have. So a phase counts once it is on the disk of process 0. The
//! number of threads of a process only determines the size of its part.

use std::io;
use std::sync::Arc;

use parking_lot::Mutex;
use retrograde_game::Turns;
use retrograde_solve::{Alone, Exchange, Piece, Silent, SolveError, Tally};

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
use crate::solve::steps::{Found, PhaseResult, count_log};

/// Superblocks per round and thread. This bounds the memory that messages take.
const SUPERBLOCKS_PER_EXCHANGE: usize = 8;

/// Receives the results in a superblock.
type OnFound<'a> = dyn Fn(Found) -> Result<(), SolveError> + Sync + 'a;

/// The results of all processes, each of which has a part of the board, and at process 0 the log.
pub(crate) struct SharedResults<'a> {
    /// The parts of all processes; none if there is only one process.
    parts: Vec<Arc<BoardPart>>,
    /// At process 0.
    log: Option<&'a Log>,
    config: &'a SolveConfig<'a>,
    processes: &'a mut dyn Exchange,
}

impl<'a> SharedResults<'a> {
    pub(crate) fn new(
        layout: &Layout,
        log: Option<&'a Log>,
        config: &'a SolveConfig<'a>,
        processes: &'a mut dyn Exchange,
    ) -> SharedResults<'a> {
        let parts = match processes.threads() {
            [_] => Vec::new(),
            threads => {
                let cut = PusherSetOrder::new(layout).split(threads);
                (0..cut.count).map(|number| Arc::new(cut.part(layout, number))).collect()
            }
        };
        SharedResults { parts, log, config, processes }
    }

    /// The part of this process, unless it is alone.
    pub(crate) fn part(&self) -> Option<&Arc<BoardPart>> {
        self.parts.get(self.processes.process())
    }

    /// The results of a phase and their counts, from the log of process 0 or by running the rest of the
    /// phase. Processes that work together get the cells that their parts need.
    pub(crate) fn run(&mut self, engine: &Engine, id: PhaseId, phase: Phase<'_>) -> PhaseResult {
        let progress = self.config.progress;
        self.complete(&engine.layout, id, |name, done, on_found| {
            engine.run_phase(name, phase, done, progress, &|superblock, found| {
                on_found((superblock, found.cells.count(), found.cells))
            })
        })
    }

    /// Records results that are known without running a phase.
    pub(crate) fn record(
        &mut self,
        layout: &Layout,
        id: PhaseId,
        mut all: Vec<Found>,
    ) -> Result<PhaseCount, SolveError> {
        let (part, threads) = (self.part().cloned(), self.config.threads);
        let is_own = |superblock| part.as_ref().is_none_or(|part| part.owns(layout, superblock));
        let (_, count) = self.complete(layout, id, |_, done, on_found| {
            all.retain(|found| is_own(found.0) && !done[found.0]);
            try_for_each(threads, all, &Silent, on_found)
        })?;
        Ok(count)
    }

    /// Completes the results of a phase. `find` gets the name of the stage and which superblocks the log
    /// has, and passes on the results in the others of this process. Then all processes exchange their
    /// results; process 0 logs all of them, and tells the others how many there are. Returns the share
    /// that this process keeps.
    fn complete(
        &mut self,
        layout: &Layout,
        id: PhaseId,
        find: impl FnOnce(&str, &[bool], &OnFound<'_>) -> Result<(), SolveError>,
    ) -> PhaseResult {
        let present = match self.log {
            Some(log) => Some(log.open_checked(id, self.config.progress)?),
            None => None,
        };
        let done = match &present {
            Some(present) if present.is_complete() => vec![true; layout.superblocks.len()],
            Some(present) => present.done(&layout.superblocks),
            None => Vec::new(),
        };
        let done: Vec<u8> = done.into_iter().map(u8::from).collect();
        let done: Vec<bool> = self.processes.tell_all(&done)?[0].iter().map(|&done| done == 1).collect();
        if done.len() != layout.superblocks.len() {
            return Err(malformed_message().into());
        }
        let writer = match (self.log, &present) {
            (Some(log), Some(present)) if !present.is_complete() => Some(log.write(id)?),
            _ => None,
        };
        let own = Mutex::new(Vec::new());
        let name = present.as_ref().map_or_else(|| id.title(), |present| present.stage(&id.title()));
        let on_found = |found: Found| {
            if let Some(writer) = &writer {
                writer.add(found.0, found.1, &found.2)?;
            }
            own.lock().push(found);
            Ok(())
        };
        let found = if done.contains(&false) { find(&name, &done, &on_found) } else { Ok(()) };
        let sharing = Sharing {
            layout,
            parts: &self.parts,
            me: self.processes.process(),
            threads: self.config.threads.max(1),
            whole: id == Turns(0).into(),
            writer: writer.as_ref(),
            messages: Mutex::default(),
            kept: Mutex::new(empty_plane(layout.superblocks.len())),
        };
        let shared = found.and_then(|()| sharing.run(own.into_inner(), present.as_ref(), self.processes));
        let plane = sharing.kept.into_inner();
        match writer {
            Some(writer) => writer.finish(shared)?,
            None => shared?,
        }
        let count = match self.log {
            Some(log) => Some(count_log(layout, id, &log.open(id)?)),
            None => None,
        };
        let told = self.processes.tell_all(&serde_json::to_vec(&count).map_err(io::Error::from)?)?;
        let told = || serde_json::from_slice(&told[0]).map_err(|_| malformed_message());
        Ok((plane, count.map_or_else(told, Ok)?))
    }
}

/// The results of a phase from a log, for a process that works alone; computed if the log does not have
/// them.
pub(crate) fn run_logged_phase(
    engine: &Engine,
    log: &Log,
    config: &SolveConfig<'_>,
    id: PhaseId,
    phase: Phase<'_>,
) -> PhaseResult {
    SharedResults::new(&engine.layout, Some(log), config, &mut Alone([1])).run(engine, id, phase)
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
    messages: Mutex<Vec<Piece>>,
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
        let at_once =
            if self.parts.is_empty() { usize::MAX } else { SUPERBLOCKS_PER_EXCHANGE * self.threads };
        let (mut old, mut new) = (before.chunks(at_once), own.chunks(at_once));
        loop {
            match (present, old.next()) {
                // Process 0 also keeps its share of what its log had before.
                (Some(present), Some(some)) => self.in_parallel(some.len(), &|number| {
                    let (superblock, positions) = some[number];
                    let found = (superblock, positions, present.read(superblock, self.layout.cell_shape())?);
                    self.send(&found, false)?;
                    self.keep(superblock, self.share_of(self.me, superblock, found.2));
                    Ok(())
                })?,
                _ => {
                    let some = new.next().unwrap_or_default();
                    self.in_parallel(some.len(), &|number| self.send(&some[number], true))?;
                }
            }
            let more = old.len() + new.len() > 0;
            let send = std::mem::take(&mut *self.messages.lock());
            let (received, tally) = processes.round(send, Tally::flag(Tally::MORE, more))?;
            self.in_parallel(received.len(), &|number| self.receive(&received[number].bytes))?;
            if !tally.has(Tally::MORE) {
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
    fn share_of(&self, process: usize, superblock: SuperblockId, cells: SparseCells) -> SparseCells {
        match self.parts.get(process) {
            Some(part) if !self.whole => part.retain_held(self.layout, superblock, cells),
            _ => cells,
        }
    }

    /// Adds messages about a superblock. Process 0 gets all cells, because it logs them.
    fn send(&self, (superblock, positions, cells): &Found, is_new: bool) -> io::Result<()> {
        for process in (0..self.parts.len()).filter(|&process| process != self.me) {
            let cells = match process {
                0 => cells.clone(),
                _ => self.share_of(process, *superblock, cells.clone()),
            };
            if !cells.is_empty() || process == 0 && is_new {
                let bytes = LogRecord::new(*superblock, *positions, &cells)?.message();
                self.messages.lock().push(Piece { process, tag: 0, bytes });
            }
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
        self.keep(superblock, self.share_of(self.me, superblock, cells));
        Ok(())
    }

    fn keep(&self, superblock: SuperblockId, cells: SparseCells) {
        self.kept.lock()[superblock] = cells;
    }
}

fn malformed_message() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "another process sent a malformed record of a phase")
}

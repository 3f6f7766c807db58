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
use crate::phase::count::{PhaseCount, logged_draws};
use crate::phase::engine::Engine;
use crate::phase::kinds::PhaseId;
use crate::solve::driver::PhaseStore;
use crate::solve::steps::{Found, count_log, find_undecided};

/// Superblocks per round and thread. This bounds the memory that messages take.
const SUPERBLOCKS_PER_EXCHANGE: usize = 8;

/// Sends bytes to other processes, and returns the bytes that they send to this one. `more` is whether
/// this process needs another round; the result includes whether any process does.
pub(crate) fn round(
    processes: &mut dyn retrograde_solve::Exchange,
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
pub(crate) fn to_all(processes: &dyn retrograde_solve::Exchange, bytes: &[u8]) -> Vec<Message> {
    let others = (0..processes.threads().len()).filter(|&other| other != processes.process());
    others.map(|other| (other, bytes.to_vec())).collect()
}

/// The own part of a board in memory, the other processes, and at process 0 the log.
pub(crate) struct DistributedStore<'a> {
    engine: Engine,
    /// The parts of all processes.
    parts: Vec<Arc<BoardPart>>,
    me: usize,
    threads: usize,
    /// At process 0.
    log: Option<&'a Log>,
    progress: &'a dyn Progress,
    processes: &'a mut dyn retrograde_solve::Exchange,
    /// The positions of each superblock that win at once, later all that are won in one turn.
    won: Vec<u64>,
    /// The results of the previous phase; empty if they are not known.
    newest: Plane,
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
    fn find(&mut self, turns: Turns) -> Result<PhaseCount, SolveError> {
        match turns {
            Turns(0) => {
                self.won = find_undecided(&mut self.engine, self.progress)?;
                // Every process needs all of these losses, because it decides the wins everywhere.
                let count = self.find_and_share(turns.into(), Share::All)?;
                let (part, layout) = (&self.parts[self.me], &self.engine.layout);
                let lost = by_superblock(&self.newest);
                let lost: Plane =
                    lost.map(|(id, cells)| part.retain_held(layout, id, cells.clone())).collect();
                self.engine.remove_decided(&lost);
                Ok(count)
            }
            Turns(1) => self.find_won_in_1(),
            _ => {
                let count = self.find_and_share(turns.into(), Share::Held)?;
                self.engine.remove_decided(&self.newest);
                Ok(count)
            }
        }
    }

    /// Process 0 logs the number of undecided positions of each superblock, and the undecided
    /// positions before the first push themselves.
    fn record_draws(&mut self, _last: Turns) -> Result<(), SolveError> {
        let begun = self.begin_phase(PhaseId::Draws)?;
        let layout = &self.engine.layout;
        let draws = by_superblock(&self.engine.undecided)
            .filter(|(superblock, _)| self.has_to_find(*superblock, &begun))
            .map(|(superblock, cells)| (superblock, cells.count(), logged_draws(layout, superblock, cells)));
        let draws = draws.collect();
        self.end_phase(begun, draws, Share::Held)?;
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
        let parts: Vec<Arc<BoardPart>> =
            (0..cut.count()).map(|number| Arc::new(cut.part(&layout, number))).collect();
        let (me, threads) = (processes.process(), config.threads.max(1));
        let mut engine = Engine::new(layout, SimdLevel::best(), threads);
        engine.part = Some(parts[me].clone());
        let (progress, won, newest) = (config.progress, Vec::new(), Vec::new());
        DistributedStore { engine, parts, me, threads, log, progress, processes, won, newest }
    }

    /// Whether this process finds the results of a superblock.
    fn has_to_find(&self, superblock: SuperblockId, begun: &StartedPhase) -> bool {
        self.parts[self.me].owns(&self.engine.layout, superblock) && !begun.done[superblock]
    }

    fn find_won_in_1(&mut self) -> Result<PhaseCount, SolveError> {
        self.find_and_share(PhaseId::WonByNoPush, Share::Held)?;
        self.engine.remove_decided(&self.newest);
        let no_push = std::mem::take(&mut self.newest);
        let begun = self.begin_phase(Turns(1).into())?;
        let own = by_superblock(self.won.iter().zip(&no_push))
            .filter(|(superblock, _)| self.has_to_find(*superblock, &begun))
            .map(|(superblock, (won, wins))| (superblock, won + wins.count(), SparseCells::empty()));
        let own = own.collect();
        Ok(self.end_phase(begun, own, Share::Held)?.1)
    }

    /// Finds the results of the own part, and replaces the newest results by those of all
    /// processes.
    fn find_and_share(&mut self, id: PhaseId, share: Share) -> Result<PhaseCount, SolveError> {
        let begun = self.begin_phase(id)?;
        let phase = self.engine.phase_for(id, &self.newest);
        let list = Mutex::new(Vec::new());
        self.engine.run_phase(
            &begun.id.title(),
            phase,
            &begun.done,
            self.progress,
            &|superblock, found| {
                list.lock().push((superblock, found.count, found.cells));
                Ok(())
            },
        )?;
        let (newest, count) = self.end_phase(begun, list.into_inner(), share)?;
        self.newest = newest;
        Ok(count)
    }

    /// Process 0 reads the results of a phase from its log, and sends the list of their superblocks
    /// to all processes.
    fn begin_phase(&mut self, id: PhaseId) -> Result<StartedPhase, SolveError> {
        let superblocks = &self.engine.layout.superblocks;
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
    fn end_phase(
        &mut self,
        begun: StartedPhase,
        mut own: Vec<Found>,
        share: Share,
    ) -> Result<(Plane, PhaseCount), SolveError> {
        own.sort_unstable_by_key(|found| found.0);
        let StartedPhase { id, present, .. } = begun;
        let writer = match (self.log, &present) {
            (Some(log), Some(present)) if !present.is_complete() => Some(log.write(id)?),
            _ => None,
        };
        let DistributedStore { engine, parts, me, threads, processes, .. } = self;
        let plane = empty_plane(engine.layout.superblocks.len());
        let (present, layout) = (present.as_ref(), &engine.layout);
        let mut sharing =
            Sharing { layout, parts, me: *me, threads: *threads, share, writer: writer.as_ref(), plane };
        let result = sharing.run(own, present, &mut **processes);
        let plane = sharing.plane;
        match writer {
            Some(writer) => writer.finish(result)?,
            None => result?,
        }
        let Some(log) = self.log else {
            let (word, _) = round(self.processes, Vec::new(), false)?;
            let count = word.first().and_then(|word| serde_json::from_slice(word).ok());
            return Ok((plane, count.ok_or_else(malformed_message)?));
        };
        let count = count_log(&self.engine.layout, id, &log.open(id)?);
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
    share: Share,
    /// In process 0, if the log is not complete.
    writer: Option<&'a PhaseLogWriter>,
    /// The results that this process keeps.
    plane: Plane,
}

impl Sharing<'_> {
    /// Sends the own results and those from the log, and receives the results of other processes.
    fn run(
        &mut self,
        own: Vec<Found>,
        present: Option<&PhaseLog>,
        processes: &mut dyn retrograde_solve::Exchange,
    ) -> Result<(), SolveError> {
        let before: Vec<(SuperblockId, u64)> =
            present.map_or_else(Vec::new, |present| present.superblocks().collect());
        let at_once = SUPERBLOCKS_PER_EXCHANGE * self.threads;
        let (mut old, mut new) = (before.chunks(at_once), own.chunks(at_once));
        loop {
            let send = match (present, old.next()) {
                (Some(present), Some(some)) => self.messages_from_log(present, some)?,
                _ => {
                    let some = new.next().unwrap_or_default();
                    self.in_parallel(some.len(), &|number| self.messages(&some[number], true))?
                }
            };
            let more = old.len() + new.len() > 0;
            let (received, anybody) = round(processes, send.into_iter().flatten().collect(), more)?;
            let kept = self.in_parallel(received.len(), &|number| self.receive(&received[number]))?;
            self.keep(kept);
            if !anybody {
                break;
            }
        }
        self.keep(own.into_iter().map(|(superblock, _, cells)| (superblock, cells)));
        Ok(())
    }

    fn in_parallel<T: Send>(
        &self,
        count: usize,
        make: &(dyn Fn(usize) -> io::Result<T> + Sync),
    ) -> Result<Vec<T>, SolveError> {
        let mut all = Vec::with_capacity(count);
        in_order(count, self.threads, &Silent, make, &mut |one| {
            all.push(one);
            Ok(())
        })?;
        Ok(all)
    }

    /// The cells of a superblock that a process keeps.
    fn share_of(&self, process: usize, superblock: SuperblockId, cells: &SparseCells) -> SparseCells {
        match self.share {
            Share::All => cells.clone(),
            Share::Held => self.parts[process].retain_held(self.layout, superblock, cells.clone()),
        }
    }

    /// The messages about a superblock, each with its receiver. Process 0 gets all cells, because
    /// it logs them.
    fn messages(&self, (superblock, positions, cells): &Found, is_new: bool) -> io::Result<Vec<Message>> {
        let mut messages = Vec::new();
        for other in (0..self.parts.len()).filter(|&other| other != self.me) {
            let cells = match other {
                0 => cells.clone(),
                _ => self.share_of(other, *superblock, cells),
            };
            if !cells.is_empty() || other == 0 && is_new {
                messages.push((other, LogRecord::new(*superblock, *positions, &cells)?.message()));
            }
        }
        if let Some(writer) = self.writer.filter(|_| is_new) {
            writer.add(*superblock, *positions, cells)?;
        }
        Ok(messages)
    }

    /// The messages about superblocks that the log had before. Process 0 also keeps its share of them.
    fn messages_from_log(
        &mut self,
        present: &PhaseLog,
        some: &[(SuperblockId, u64)],
    ) -> Result<Vec<Vec<Message>>, SolveError> {
        let made = self.in_parallel(some.len(), &|number| {
            let (superblock, positions) = some[number];
            let found = (superblock, positions, present.read(superblock, self.layout.cell_shape())?);
            Ok((self.messages(&found, false)?, (superblock, self.share_of(self.me, superblock, &found.2))))
        })?;
        let (messages, kept): (_, Vec<_>) = made.into_iter().unzip();
        self.keep(kept);
        Ok(messages)
    }

    /// Decodes the results that another process has sent, and returns what this process keeps of them;
    /// process 0 logs them.
    fn receive(&self, message: &[u8]) -> io::Result<(SuperblockId, SparseCells)> {
        let record = LogRecord::from_message(message).ok_or_else(malformed_message)?;
        let superblock = record.superblock;
        let cells = record.cells(self.layout.cell_shape()).ok_or_else(malformed_message)?;
        if !self.layout.superblocks.contains(superblock) {
            return Err(malformed_message());
        }
        if let Some(writer) = self.writer {
            writer.add_records(&[record])?;
        }
        Ok((superblock, self.share_of(self.me, superblock, &cells)))
    }

    fn keep(&mut self, kept: impl IntoIterator<Item = (SuperblockId, SparseCells)>) {
        kept.into_iter().for_each(|(superblock, cells)| self.plane[superblock] = cells);
    }
}

fn malformed_message() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "another process sent a malformed record of a phase")
}

//! Solves a board in parts, one after the other, if the whole board does not fit into memory. The logs
//! do not depend on the parts, so a solve can be resumed with another number of parts, or without.
//!
//! The undecided positions are on disk in chunks, once for all parts: see [`crate::files::chunks`]. A
//! file `left-T` has the undecided positions after T turns, and files `found-T` the results of phases
//! since then. The cells in memory are a window on these files, see [`crate::solve::window`]. Once the
//! results have reached a certain size, the undecided positions are rewritten, superblock by
//! superblock. Missing or damaged work files are recreated from the logs.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use retrograde_game::Turns;
use retrograde_solve::SolveError;

use crate::config::SolveConfig;
use crate::files::chunks::{ChunkFile, add_chunks};
use crate::files::log::{FOUND, LEFT, Log, PhaseLog, PhaseLogWriter, damaged};
use crate::files::log_planes::read_plane;
use crate::layout::partition::{BoardPart, CellGroups, PusherSetOrder};
use crate::layout::sparse::{Plane, SparseCells};
use crate::layout::superblocks::SuperblockId;
use crate::parallel::try_for_each;
use crate::phase::count::{PhaseCount, logged_draws};
use crate::phase::engine::Engine;
use crate::phase::kinds::{Phase, PhaseId, is_loss};
use crate::solve::driver::PhaseStore;
use crate::solve::steps::count_log;
use crate::solve::window::{ChunkSource, Held, Window};

/// The undecided positions are rewritten when the results since then have reached their size on disk
/// divided by this number.
const REWRITE_RATIO: u64 = 8;
/// How often work files are tried in a phase before the solve gives up on damage.
const ATTEMPTS: usize = 3;

/// The time before the first phase: only wins by ejecting a piece are decided.
const BEGINNING: Turns = Turns(0);

/// A board in parts, one of them in memory, and the log.
pub(crate) struct PartitionedStore<'a> {
    engine: Engine,
    groups: CellGroups,
    parts: Vec<Arc<BoardPart>>,
    log: &'a Log,
    left: Log,
    found: Log,
    config: &'a SolveConfig<'a>,
    /// The file of undecided positions, and the turns after which it was written.
    base: Option<(Turns, ChunkFile)>,
    /// The results of phases, by turns.
    results: BTreeMap<Turns, ChunkFile>,
    undecided: Window,
    newest: Window,
}

impl PhaseStore for PartitionedStore<'_> {
    fn find(&mut self, turns: Turns) -> Result<PhaseCount, SolveError> {
        self.with_work_files(|store| store.try_find(turns))
    }

    fn record_draws(&mut self, last: Turns) -> Result<(), SolveError> {
        self.with_work_files(|store| store.try_record_draws(last))?;
        self.forget_work();
        self.log.remove_part_files()?;
        Ok(())
    }
}

impl<'a> PartitionedStore<'a> {
    pub(crate) fn new(engine: Engine, log: &'a Log, config: &'a SolveConfig<'a>) -> PartitionedStore<'a> {
        let order = PusherSetOrder::new(&engine.layout);
        let groups = CellGroups::new(&engine.layout, &order);
        let parts = order.split_evenly(config.parts);
        let parts = (0..parts.count).map(|number| Arc::new(parts.part(&engine.layout, number))).collect();
        PartitionedStore {
            engine,
            groups,
            parts,
            log,
            left: log.sibling(LEFT),
            found: log.sibling(FOUND),
            config,
            base: None,
            results: BTreeMap::new(),
            undecided: Window::default(),
            newest: Window::default(),
        }
    }

    /// Calls `act`, which reads work files; if some are damaged, removes them and tries again.
    fn with_work_files<T>(
        &mut self,
        mut act: impl FnMut(&mut Self) -> Result<T, SolveError>,
    ) -> Result<T, SolveError> {
        for _ in 1..ATTEMPTS {
            match act(self) {
                Err(SolveError::Checkpoint(error)) if error.kind() == io::ErrorKind::InvalidData => {
                    self.config.progress.note(&format!("{error}: the work files are made again"));
                    self.forget_work();
                    self.log.remove_part_files()?;
                }
                result => return result,
            }
        }
        act(self)
    }

    fn forget_work(&mut self) {
        self.base = None;
        self.results.clear();
        self.clear_memory();
    }

    fn clear_memory(&mut self) {
        (self.undecided, self.newest) = Default::default();
        self.engine.undecided.clear();
    }

    fn try_find(&mut self, turns: Turns) -> Result<PhaseCount, SolveError> {
        if turns == Turns(1) {
            self.find_logged(PhaseId::WonByNoPush)?;
        }
        self.find_logged(turns.into())
    }

    /// Finds and logs the results of a phase that the log does not have.
    fn find_logged(&mut self, id: PhaseId) -> Result<PhaseCount, SolveError> {
        let mut logged = self.log.open_checked(id, self.config.progress)?;
        if !logged.is_complete() {
            self.prepare(before(id))?;
            let writer = self.log.write(id)?;
            let result = self.find_rest(id, &logged, &writer);
            self.clear_memory();
            writer.finish(result)?;
            logged = self.log.open(id)?;
        }
        Ok(count_log(&self.engine.layout, id, &logged))
    }

    fn find_rest(
        &mut self,
        id: PhaseId,
        logged: &PhaseLog,
        writer: &PhaseLogWriter,
    ) -> Result<(), SolveError> {
        let (layout, threads) = (&self.engine.layout, self.config.threads);
        let done = logged.done(&layout.superblocks);
        let stuck = match id {
            PhaseId::Turns(Turns(1)) => return self.count_won_in_1(&done, writer),
            PhaseId::WonByNoPush => read_plane(layout, &self.log.open(Turns(0).into())?, threads)?,
            _ => Plane::new(),
        };
        for number in self.parts_with_work(&done) {
            let name = format!("{}, part {} of {}", id.title(), number + 1, self.parts.len());
            let name = logged.stage(&name);
            self.hold_for(id, number, &name)?;
            let newest = if stuck.is_empty() { &self.newest.plane } else { &stuck };
            let phase = self.engine.phase_for(id, newest);
            self.engine.run_phase(&name, phase, &done, self.config.progress, &|superblock, found| {
                Ok(writer.add(superblock, found.cells.count(), &found.cells)?)
            })?;
        }
        Ok(())
    }

    fn try_record_draws(&mut self, last: Turns) -> Result<(), SolveError> {
        if self.log.open_checked(PhaseId::Draws, self.config.progress)?.is_complete() {
            return Ok(());
        }
        self.prepare(last)?;
        let writer = self.log.write(PhaseId::Draws)?;
        let layout = &self.engine.layout;
        let result = self.with_source(last, |source| {
            self.for_each_superblock("drawn", &[], |superblock| {
                let cells = source.superblock(superblock)?;
                Ok(writer.add(superblock, cells.count(), &logged_draws(layout, superblock, &cells))?)
            })
        });
        writer.finish(result)
    }

    /// The parts that own superblocks which are not done.
    fn parts_with_work(&self, done: &[bool]) -> Vec<usize> {
        let layout = &self.engine.layout;
        let has_work = |number: &usize| {
            let mut own = layout.superblocks.ids().filter(|&id| self.parts[*number].owns(layout, id));
            own.any(|superblock| !done[superblock])
        };
        (0..self.parts.len()).filter(has_work).collect()
    }

    /// Calls `act` on all superblocks that are not done, on several threads.
    fn for_each_superblock(
        &self,
        name: &str,
        done: &[bool],
        act: impl Fn(SuperblockId) -> Result<(), SolveError> + Sync,
    ) -> Result<(), SolveError> {
        let progress = self.config.progress;
        let rest: Vec<SuperblockId> = (self.engine.layout.superblocks.ids())
            .filter(|superblock| done.get(superblock.index()) != Some(&true))
            .collect();
        progress.stage(name, rest.len() as u64);
        try_for_each(self.config.threads, rest, progress, act)
    }

    /// Opens a work file, and completes it if necessary. `write` is called with the superblocks that
    /// are there.
    fn complete(
        &mut self,
        log: &Log,
        turns: Turns,
        write: impl FnOnce(&mut Self, &PhaseLogWriter, &[bool]) -> Result<(), SolveError>,
    ) -> Result<ChunkFile, SolveError> {
        let file = self.open_chunks(log, turns)?;
        if file.records.is_complete() {
            return Ok(file);
        }
        let writer = log.write(turns.into())?;
        let written = write(self, &writer, &file.done);
        writer.finish(written)?;
        // Missing chunks would count as empty.
        let file = self.open_chunks(log, turns)?;
        if file.records.is_complete() { Ok(file) } else { Err(damaged("a new work file").into()) }
    }

    fn open_chunks(&self, log: &Log, turns: Turns) -> Result<ChunkFile, SolveError> {
        Ok(ChunkFile::open(log, turns, &self.engine.layout, &self.groups, self.config.progress)?)
    }

    fn add_chunks(
        &self,
        writer: &PhaseLogWriter,
        superblock: SuperblockId,
        number: u64,
        cells: &SparseCells,
    ) -> Result<(), SolveError> {
        Ok(add_chunks(writer, &self.engine.layout, &self.groups, superblock, number, cells)?)
    }

    /// Prepares the work files for the phase after `after` turns: the undecided positions, and the
    /// results of the last phase.
    fn prepare(&mut self, after: Turns) -> Result<(), SolveError> {
        let base = match &self.base {
            Some((base, _)) if *base <= after => *base,
            _ => {
                self.forget_work();
                let opened = self.open_base(after)?;
                self.base.insert(opened).0
            }
        };
        if after == BEGINNING {
            return Ok(());
        }
        let first = if base == BEGINNING { base } else { Turns(base.0 + 1).min(after) };
        for turns in (first.0..=after.0).map(Turns) {
            if !self.results.contains_key(&turns) {
                let results = self.open_results(turns)?;
                self.results.insert(turns, results);
            }
        }
        self.rewrite(after)
    }

    /// Opens the undecided positions after at most `after` turns; if there is no such file, writes the
    /// undecided positions at the beginning.
    fn open_base(&mut self, after: Turns) -> Result<(Turns, ChunkFile), SolveError> {
        for turns in self.left.phases()?.into_iter().rev().filter_map(PhaseId::turns) {
            if turns > after {
                continue;
            }
            let file = self.open_chunks(&self.left, turns)?;
            if file.records.is_complete() {
                self.remove_before(&self.left, turns)?;
                return Ok((turns, file));
            }
        }
        self.engine.part = None;
        let left = self.left.clone();
        let file = self.complete(&left, BEGINNING, |store, writer, done| {
            let (engine, progress) = (&store.engine, store.config.progress);
            engine.run_phase("won in 1 turn", Phase::Initial, done, progress, &|superblock, found| {
                store.add_chunks(writer, superblock, found.won, &found.cells)
            })
        })?;
        Ok((BEGINNING, file))
    }

    /// Removes the work files of phases with fewer turns.
    fn remove_before(&self, log: &Log, turns: Turns) -> io::Result<()> {
        let old = log.phases()?.into_iter().filter(|&id| id < turns.into());
        old.into_iter().try_for_each(|id| log.remove_phase(id))
    }

    /// The results of a phase in chunks, written from its log if necessary.
    fn open_results(&mut self, turns: Turns) -> Result<ChunkFile, SolveError> {
        let found = self.found.clone();
        self.complete(&found, turns, |store, writer, done| {
            let id = if turns == Turns(1) { PhaseId::WonByNoPush } else { turns.into() };
            let logged = store.log.open(id)?;
            let name = format!("{}: for the parts", id.title());
            store.for_each_superblock(&name, done, |superblock| {
                let cells = logged.read(superblock, store.engine.layout.cell_shape())?;
                store.add_chunks(writer, superblock, logged.positions(superblock), &cells)
            })
        })
    }

    /// Rewrites the undecided positions after `after` turns, if there are many results since the last
    /// time.
    fn rewrite(&mut self, after: Turns) -> Result<(), SolveError> {
        let Some((base, left)) = &self.base else { return Ok(()) };
        let found: u64 =
            self.results.range(..=after).map(|(_, results)| results.records.packed_bytes()).sum();
        if *base == after || after < Turns(2) || found * REWRITE_RATIO <= left.records.packed_bytes() {
            return Ok(());
        }
        let left = self.left.clone();
        let file = self.complete(&left, after, |store, writer, done| {
            let name = format!("what is left after {after} turns");
            store.with_source(after, |source| {
                store.for_each_superblock(&name, done, |superblock| {
                    store.add_chunks(writer, superblock, 0, &source.superblock(superblock)?)
                })
            })
        })?;
        self.base = Some((after, file));
        self.results.retain(|&turns, _| turns >= after);
        self.remove_before(&self.left, after)?;
        Ok(self.remove_before(&self.found, after)?)
    }

    /// Passes the chunks of the undecided positions after `after` turns to `act`. The work files must
    /// be prepared.
    fn with_source<T>(
        &self,
        after: Turns,
        act: impl FnOnce(ChunkSource<'_>) -> Result<T, SolveError>,
    ) -> Result<T, SolveError> {
        let Some((base, left)) = &self.base else { unreachable!("nothing is prepared") };
        let is_removed = |turns: Turns| after > BEGINNING && (turns > *base || *base == BEGINNING);
        let removed = self.results.range(..=after).filter(|(turns, _)| is_removed(**turns));
        let removed: Vec<&ChunkFile> = removed.map(|(_, results)| results).collect();
        act(ChunkSource { layout: &self.engine.layout, groups: &self.groups, base: left, removed: &removed })
    }

    /// Loads the undecided positions after `after` turns: the own superblocks of a part, and the cells
    /// that it reads of others if `is_read`.
    fn hold_undecided(&mut self, number: usize, after: Turns, is_read: bool) -> Result<(), SolveError> {
        let part = &self.parts[number];
        let wanted = Held { part: Arc::clone(part), reads: is_read };
        let mut window = std::mem::take(&mut self.undecided);
        window.plane = std::mem::take(&mut self.engine.undecided);
        let SolveConfig { threads, progress, .. } = *self.config;
        let held = self.with_source(after, |source| window.hold(wanted, source, threads, progress));
        self.engine.undecided = std::mem::take(&mut window.plane);
        self.undecided = window;
        self.engine.part = Some(Arc::clone(part));
        self.engine.count_undecided();
        held
    }

    /// Loads the results of a phase that a part needs.
    fn hold_newest(&mut self, number: usize, turns: Turns) -> Result<(), SolveError> {
        let Some(results) = self.results.get(&turns) else { return Ok(()) };
        let (layout, groups) = (&self.engine.layout, &self.groups);
        let source = ChunkSource { layout, groups, base: results, removed: &[] };
        let SolveConfig { threads, progress, .. } = *self.config;
        let wanted = Held { part: Arc::clone(&self.parts[number]), reads: true };
        self.newest.hold(wanted, source, threads, progress)
    }

    /// Logs the numbers of positions won in one turn.
    fn count_won_in_1(&mut self, done: &[bool], writer: &PhaseLogWriter) -> Result<(), SolveError> {
        let by_no_push = self.log.open(PhaseId::WonByNoPush)?;
        let Some((_, left)) = &self.base else { return Ok(()) };
        for superblock in self.engine.layout.superblocks.ids().filter(|&superblock| !done[superblock]) {
            let won = left.number(superblock) + by_no_push.positions(superblock);
            writer.add(superblock, won, &SparseCells::default())?;
        }
        Ok(())
    }

    /// Loads what a phase needs in a part.
    fn hold_for(&mut self, id: PhaseId, number: usize, name: &str) -> Result<(), SolveError> {
        let steps = 2 * self.engine.layout.superblocks.len() as u64;
        self.config.progress.stage(&format!("{name}, reading"), steps);
        let before = before(id);
        let is_read = before > BEGINNING && id.turns().is_some_and(is_loss);
        self.hold_undecided(number, before, is_read)?;
        // Most wins in one turn are not stored.
        if before > Turns(1) { self.hold_newest(number, before) } else { Ok(()) }
    }
}

/// The turns after which a phase comes.
fn before(id: PhaseId) -> Turns {
    match id {
        PhaseId::Turns(turns) if turns > Turns(1) => Turns(turns.0 - 1),
        _ => BEGINNING,
    }
}

#[cfg(test)]
mod tests;

//! Solves a board in parts, one after the other in the same memory, where the whole board does not
//! fit. The logs are those of a solve of the whole board, so a solve may go on with another number
//! of parts, or with none.
//!
//! A part learns from the logs what the others found: before it works on a phase, it reads the
//! results of the phase before. The undecided positions that it holds are kept in snapshots, files
//! of the same form named `left-KofN-T-M.rgl` (after T turns; snapshot 0 also has the number of
//! positions won in one turn). A snapshot is written when the logs since the last one have grown to
//! a share of it. A missing or damaged snapshot is made again from the logs.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use retrograde_solve::{Silent, SolveError, in_order};

use crate::config::{SolveConfig, StopOnFailure};
use crate::files::log::{Log, PhaseLog};
use crate::files::log_planes::read_sound_plane;
use crate::layout::partition::{BoardPart, PusherSetOrder};
use crate::layout::sparse::Plane;
use crate::layout::sparse::SparseCells;
use crate::layout::sparse::empty_plane;
use crate::layout::superblocks::{SuperblockId, by_superblock};
use crate::phase::count::PhaseCount;
use crate::phase::count::{count_phase, logged_draws};
use crate::phase::engine::Engine;
use crate::phase::kinds::PhaseId;
use crate::phase::kinds::{Phase, phase_name};
use crate::solve::steps::{find_undecided_of_part, remove_first_wins};

/// A snapshot is written again when the logs since the last one have reached one part in this of it.
const SNAPSHOT_RATIO: usize = 8;

struct PartitionedSolve<'a, const W: usize> {
    engine: Engine<W>,
    parts: Vec<Arc<BoardPart>>,
    log: &'a Log,
    config: &'a SolveConfig<'a>,
    /// The positions without any turn, once known.
    stuck: Option<Plane<W>>,
}

/// A part, read from the disk.
struct LoadedPart<const W: usize> {
    /// At the beginning only: what is won in one turn by ejecting a piece.
    won: Vec<u64>,
    /// The results of the last phase, as far as the part holds them.
    newest: Plane<W>,
}

pub(crate) fn run<const W: usize>(
    engine: Engine<W>,
    log: &Log,
    config: &SolveConfig<'_>,
    on_phase: &mut dyn FnMut(PhaseCount),
) -> Result<(), SolveError> {
    let parts = PusherSetOrder::new(&engine.layout).split_evenly(config.parts);
    let parts = (0..parts.count()).map(|number| Arc::new(parts.part(&engine.layout, number))).collect();
    let mut solve = PartitionedSolve { engine, parts, log, config, stuck: None };
    if !log.open(0)?.is_whole() {
        solve.write_first_snapshots()?;
    }
    for turns in 0.. {
        if turns == PhaseId::Draws.number() {
            return Err(SolveError::TooDeep);
        }
        if turns > 1 && config.horizon.is_some_and(|horizon| turns > horizon) {
            return Ok(());
        }
        let count = solve.phase(turns)?;
        let over = turns > 1 && count.count + count.starts == 0;
        on_phase(count);
        if over {
            return solve.draws(turns);
        }
    }
    Ok(())
}

impl<const W: usize> PartitionedSolve<'_, W> {
    /// Writes what all parts hold at the beginning, where it is not there: found once for all.
    fn write_first_snapshots(&mut self) -> Result<(), SolveError> {
        let states: Vec<Log> = (0..self.parts.len())
            .map(|number| self.log.part_snapshot(number + 1, self.parts.len()))
            .collect();
        let mut missing = Vec::new();
        for number in self.nonempty_parts() {
            if !states[number].open(0)?.is_whole() {
                missing.push((number, states[number].write(0)?));
            }
        }
        let failed = AtomicBool::new(false);
        let watched = StopOnFailure { inner: self.config.progress, failed: &failed };
        let written = AtomicUsize::new(0);
        self.engine.part = None;
        let found = if missing.is_empty() {
            Ok(())
        } else {
            self.engine.run_phase("won in 1 turn", Phase::Initial, &[], &watched, |superblock, found| {
                for (number, writer) in &missing {
                    let held =
                        self.parts[*number].retain_held(&self.engine.layout, superblock, found.cells.clone());
                    writer.add(superblock, found.won, &held);
                    failed.fetch_or(writer.failed(), Ordering::Relaxed);
                }
                written.fetch_add(1, Ordering::Relaxed);
            })
        };
        let written = written.into_inner();
        for (_, writer) in missing {
            writer.finish(found.is_ok().then_some(written))?;
        }
        found
    }

    /// The parts that have something for their own.
    fn nonempty_parts(&self) -> Vec<usize> {
        (0..self.parts.len()).filter(|&number| !self.parts[number].is_empty()).collect()
    }

    /// Does a phase, or what is missing of it in its log.
    fn phase(&mut self, turns: u16) -> Result<PhaseCount, SolveError> {
        let mut found = self.log.open(turns)?;
        found.check()?;
        let (mut blocks, mut bytes) = (0, 0);
        if !found.is_whole() {
            let damage = std::mem::take(&mut found.damage);
            let mut done = vec![false; self.engine.layout.superblocks.len()];
            found.superblocks().for_each(|(superblock, _)| done[superblock] = true);
            let writer = self.log.write(turns)?;
            let failed = AtomicBool::new(false);
            let written = AtomicUsize::new(found.superblocks().count());
            let mut result = Ok(());
            for number in self.nonempty_parts() {
                let mut name = format!("{}, part {} of {}", phase_name(turns), number + 1, self.parts.len());
                damage.iter().for_each(|what| name.push_str(&format!(", again for {what}")));
                let add = |superblock: SuperblockId, count: u64, cells: &SparseCells<W>| {
                    writer.add(superblock, count, cells);
                    written.fetch_add(1, Ordering::Relaxed);
                    failed.fetch_or(writer.failed(), Ordering::Relaxed);
                };
                result = self.part(turns, number, &name, &done, &failed, &add);
                blocks += self.engine.blocks();
                bytes = bytes.max(self.engine.bytes());
                if result.is_err() {
                    break;
                }
            }
            // What could not be written comes before that it was stopped for that.
            writer.finish(result.is_ok().then_some(written.into_inner()))?;
            result?;
            found = self.log.open(turns)?;
        }
        let count = count_phase(&self.engine.layout, turns, found.superblocks());
        Ok(PhaseCount { seconds: found.seconds(), blocks, bytes, ..count })
    }

    /// Does a part of a phase.
    fn part(
        &mut self,
        turns: u16,
        number: usize,
        name: &str,
        done: &[bool],
        failed: &AtomicBool,
        add: &(impl Fn(SuperblockId, u64, &SparseCells<W>) + Sync),
    ) -> Result<(), SolveError> {
        let loaded = self.load(number, turns.saturating_sub(1), turns < 2)?;
        let part = Arc::clone(&self.parts[number]);
        if turns == 1 {
            let stuck = self.stuck()?;
            let first = remove_first_wins(&mut self.engine, &part, &stuck, self.config.progress);
            self.stuck = Some(stuck);
            let first = first?;
            self.save(&self.log.part_snapshot(number + 1, self.parts.len()), 1, &[])?;
            for (superblock, (won, first)) in by_superblock(loaded.won.iter().zip(first)) {
                if part.owns(&self.engine.layout, superblock) && !done[superblock] {
                    add(superblock, won + first, &SparseCells::empty());
                }
            }
            return Ok(());
        }
        let engine = &self.engine;
        let phase = engine.phase_for(turns, &loaded.newest);
        let watched = StopOnFailure { inner: self.config.progress, failed };
        engine.run_phase(name, phase, done, &watched, |superblock, found| {
            add(superblock, found.count, &found.cells);
        })
    }

    /// The positions without any turn.
    fn stuck(&mut self) -> Result<Plane<W>, SolveError> {
        match self.stuck.take() {
            Some(stuck) => Ok(stuck),
            None => Ok(self.read(&mut self.log.open(0)?, |_, cells| cells)?),
        }
    }

    fn read(
        &self,
        log: &mut PhaseLog,
        filter: impl Fn(SuperblockId, SparseCells<W>) -> SparseCells<W> + Sync,
    ) -> io::Result<Plane<W>> {
        read_sound_plane(&self.engine.layout, log, self.config.threads, filter)
    }

    /// Brings a part into memory as it is after so many turns, or at the beginning.
    fn load(&mut self, number: usize, turns: u16, beginning: bool) -> Result<LoadedPart<W>, SolveError> {
        let part = Arc::clone(&self.parts[number]);
        let states = self.log.part_snapshot(number + 1, self.parts.len());
        let mut from = None;
        let mut won = Vec::new();
        // One part at a time is in memory.
        self.engine.set_undecided(empty_plane(self.engine.layout.superblocks.len()));
        for state in states.phases()?.into_iter().rev().filter(|&state| state <= turns) {
            if state > 0 && beginning {
                continue;
            }
            let mut found = states.open(state)?;
            if !found.is_whole() {
                continue;
            }
            won = vec![0; self.engine.layout.superblocks.len()];
            found.superblocks().for_each(|(superblock, count)| won[superblock] = count);
            if let Ok(plane) = self.read(&mut found, |_, cells| cells) {
                self.engine.set_undecided(plane);
                self.engine.part = Some(Arc::clone(&part));
                from = Some(state);
                break;
            }
        }
        let mut from = match from {
            Some(from) => from,
            None => {
                won = find_undecided_of_part(&mut self.engine, &part, self.config.progress)?;
                self.save(&states, 0, &won)?;
                0
            }
        };
        let mut newest = empty_plane(self.engine.layout.superblocks.len());
        if beginning {
            return Ok(LoadedPart { won, newest });
        }
        if from == 0 {
            let stuck = self.stuck()?;
            let first = remove_first_wins(&mut self.engine, &part, &stuck, self.config.progress);
            self.stuck = Some(stuck);
            first?;
            from = 1;
        }
        let mut since = 0;
        let first = if from == turns { from } else { from + 1 };
        for phase in first.max(2)..=turns {
            // What was newest before goes first.
            newest.clear();
            let layout = &self.engine.layout;
            newest = self.read(&mut self.log.open(phase)?, |superblock, cells| {
                part.retain_held(layout, superblock, cells)
            })?;
            if phase > from {
                self.engine.remove_decided(&newest);
                since += newest.iter().map(SparseCells::bytes).sum::<usize>();
            }
        }
        if since * SNAPSHOT_RATIO > self.engine.bytes() {
            self.save(&states, turns, &[])?;
        }
        Ok(LoadedPart { won, newest })
    }

    /// Writes what is left of a part, and removes what was written before.
    fn save(&self, states: &Log, turns: u16, won: &[u64]) -> Result<(), SolveError> {
        let before = states.phases()?;
        let writer = states.write(turns)?;
        let mut written = 0;
        let add = |number: usize| -> io::Result<bool> {
            let superblock = SuperblockId::new(number);
            let (won, cells) = (won.get(number).copied(), &self.engine.undecided[superblock]);
            let present = won.is_some() || !cells.is_empty();
            if present && !writer.failed() {
                writer.add(superblock, won.unwrap_or_else(|| cells.count()), cells);
            }
            Ok(present)
        };
        in_order(self.engine.undecided.len(), self.config.threads, &Silent, &add, &mut |present| {
            written += usize::from(present);
            Ok(())
        })?;
        writer.finish(Some(written))?;
        for state in before.into_iter().filter(|&state| state != turns) {
            states.remove_phase(state)?;
        }
        Ok(())
    }

    /// Logs how many positions of each superblock are left, and of those before the first push which they are.
    fn draws(&mut self, last: u16) -> Result<(), SolveError> {
        if self.log.open(PhaseId::Draws)?.is_whole() {
            return Ok(());
        }
        let writer = self.log.write(PhaseId::Draws)?;
        for number in self.nonempty_parts() {
            self.load(number, last, false)?;
            let layout = &self.engine.layout;
            let own = by_superblock(&self.engine.undecided);
            for (superblock, cells) in
                own.filter(|(superblock, _)| self.parts[number].owns(layout, *superblock))
            {
                writer.add(superblock, cells.count(), &logged_draws(layout, superblock, cells));
            }
        }
        Ok(writer.finish(Some(self.engine.undecided.len()))?)
    }
}

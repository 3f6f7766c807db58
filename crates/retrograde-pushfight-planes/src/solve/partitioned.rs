//! Solves a board in parts, one after the other in the same memory, where the whole board does not
//! fit. The logs are those of a solve of the whole board, so a solve may go on with another number
//! of parts, or with none.
//!
//! A part learns the results of the others from the logs: before it works on a phase, it reads the
//! results of the phase before. The undecided positions that it holds are stored in snapshots,
//! files of the same form named `left-KofN-T-M.rgl` (after T turns; snapshot 0 also has the number
//! of positions won in one turn). A snapshot is written when the logs since the last one have grown
//! to a share of it. A missing or damaged snapshot is made again from the logs.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use retrograde_game::Turns;
use retrograde_solve::{Silent, SolveError, in_order};

use crate::config::{SolveConfig, StopOnFailure};
use crate::files::log::{Log, PhaseLog};
use crate::files::log_planes::read_sound_plane;
use crate::layout::partition::{BoardPart, PusherSetOrder};
use crate::layout::sparse::{Plane, SparseCells, empty_plane};
use crate::layout::superblocks::{SuperblockId, by_superblock};
use crate::phase::count::{PhaseCount, count_phase, logged_draws};
use crate::phase::engine::Engine;
use crate::phase::kinds::{Phase, PhaseId, phase_name};
use crate::solve::driver::{PhaseResult, PhaseStore};
use crate::solve::steps::{UnfinishedPhase, find_undecided_of_part, remove_first_wins};

/// A snapshot is written again when the logs since the last one have reached its size divided by
/// this number.
const SNAPSHOT_RATIO: usize = 8;

/// The board in parts, one of them in memory, and the log.
pub(crate) struct PartitionedStore<'a, const W: usize> {
    engine: Engine<W>,
    parts: Vec<Arc<BoardPart>>,
    log: &'a Log,
    config: &'a SolveConfig<'a>,
    /// The positions without any turn, once known.
    stuck: Option<Plane<W>>,
}

/// A part, read from the disk.
struct LoadedPart<const W: usize> {
    /// At the beginning only: positions that are won in one turn by ejecting a piece, by
    /// superblock.
    won: Vec<u64>,
    /// The results of the last phase, as far as the part holds them.
    newest: Plane<W>,
}

/// A moment of a solve, at which the state of a part is loaded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    /// All positions that do not win at once are undecided.
    Beginning,
    /// All positions that end within this number of turns are decided.
    After(Turns),
}

impl<const W: usize> PhaseStore for PartitionedStore<'_, W> {
    fn begin(&mut self) -> Result<Turns, SolveError> {
        if !self.log.open(Turns(0))?.is_whole() {
            self.write_first_snapshots()?;
        }
        Ok(Turns(0))
    }

    fn find_lost_in_0(&mut self) -> Result<PhaseResult, SolveError> {
        self.find(Turns(0))
    }

    fn find_won_in_1(&mut self) -> Result<PhaseResult, SolveError> {
        self.find(Turns(1))
    }

    fn find(&mut self, turns: Turns) -> Result<PhaseResult, SolveError> {
        let id = PhaseId::Turns(turns);
        let mut found = self.log.open(id)?;
        found.check()?;
        found.note_damage(self.config.progress);
        let (mut blocks, mut bytes) = (0, 0);
        if !found.is_whole() {
            let damage = std::mem::take(&mut found.damage);
            let superblocks = self.engine.layout.superblocks.len();
            let rest = UnfinishedPhase::begin(self.log, id, &found, damage, superblocks)?;
            let mut result = Ok(());
            for number in self.nonempty_parts() {
                result = self.find_in_part(turns, number, &rest);
                blocks += self.engine.blocks();
                bytes = bytes.max(self.engine.bytes());
                if result.is_err() {
                    break;
                }
            }
            rest.finish(result)?;
            found = self.log.open(id)?;
        }
        let count = count_phase(&self.engine.layout, id, found.superblocks());
        Ok(PhaseCount { seconds: found.seconds(), blocks, bytes, ..count }.into())
    }

    fn record_draws(&mut self, last: Turns) -> Result<(), SolveError> {
        if self.log.open(PhaseId::Draws)?.is_whole() {
            return Ok(());
        }
        let writer = self.log.write(PhaseId::Draws)?;
        for number in self.nonempty_parts() {
            self.load(number, Moment::After(last))?;
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

impl<'a, const W: usize> PartitionedStore<'a, W> {
    pub(crate) fn new(
        engine: Engine<W>,
        log: &'a Log,
        config: &'a SolveConfig<'a>,
    ) -> PartitionedStore<'a, W> {
        let parts = PusherSetOrder::new(&engine.layout).split_evenly(config.parts);
        let parts = (0..parts.count()).map(|number| Arc::new(parts.part(&engine.layout, number))).collect();
        PartitionedStore { engine, parts, log, config, stuck: None }
    }

    /// The snapshots of a part.
    fn snapshots(&self, number: usize) -> Log {
        self.log.part_snapshot(number + 1, self.parts.len())
    }

    /// Writes the first snapshots of all parts where they are missing. The undecided positions are
    /// found once for all parts.
    fn write_first_snapshots(&mut self) -> Result<(), SolveError> {
        let mut missing = Vec::new();
        for number in self.nonempty_parts() {
            let snapshots = self.snapshots(number);
            if !snapshots.open(Turns(0))?.is_whole() {
                missing.push((number, snapshots.write(Turns(0))?));
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

    /// The parts that own any superblock.
    fn nonempty_parts(&self) -> Vec<usize> {
        (0..self.parts.len()).filter(|&number| !self.parts[number].is_empty()).collect()
    }

    /// Runs a phase in one part.
    fn find_in_part(
        &mut self,
        turns: Turns,
        number: usize,
        rest: &UnfinishedPhase,
    ) -> Result<(), SolveError> {
        let moment = match turns {
            Turns(0 | 1) => Moment::Beginning,
            _ => Moment::After(Turns(turns.0 - 1)),
        };
        let mut loaded = self.load(number, moment)?;
        if turns == Turns(1) {
            for (superblock, count) in self.remove_first_wins(number)? {
                loaded.won[superblock] += count;
            }
            self.save(&self.snapshots(number), turns, &[])?;
            for (superblock, won) in by_superblock(loaded.won) {
                if self.parts[number].owns(&self.engine.layout, superblock) && !rest.done[superblock] {
                    rest.add(superblock, won, &SparseCells::<W>::empty());
                }
            }
            return Ok(());
        }
        let name = format!("{}, part {} of {}", phase_name(turns), number + 1, self.parts.len());
        let (name, watched) = (rest.name(name), rest.watch(self.config.progress));
        let phase = self.engine.phase_for(turns, &loaded.newest);
        self.engine.run_phase(&name, phase, &rest.done, &watched, |superblock, found| {
            rest.add(superblock, found.count, &found.cells);
        })
    }

    /// Removes the positions lost in 0 turns and won in 1 from the part in memory; returns the
    /// numbers of these wins.
    fn remove_first_wins(&mut self, number: usize) -> Result<Vec<(SuperblockId, u64)>, SolveError> {
        let stuck = match self.stuck.take() {
            Some(stuck) => stuck,
            None => self.read(&mut self.log.open(Turns(0))?, |_, cells| cells)?,
        };
        let counts = remove_first_wins(&mut self.engine, &self.parts[number], &stuck, self.config.progress);
        self.stuck = Some(stuck);
        counts
    }

    fn read(
        &self,
        log: &mut PhaseLog,
        filter: impl Fn(SuperblockId, SparseCells<W>) -> SparseCells<W> + Sync,
    ) -> io::Result<Plane<W>> {
        read_sound_plane(&self.engine.layout, log, self.config.threads, filter)
    }

    /// Loads a part as it is at a moment.
    fn load(&mut self, number: usize, moment: Moment) -> Result<LoadedPart<W>, SolveError> {
        let (mut from, won) = self.load_snapshot(number, moment)?;
        let mut newest = empty_plane(self.engine.layout.superblocks.len());
        let Moment::After(turns) = moment else { return Ok(LoadedPart { won, newest }) };
        if from == Turns(0) {
            self.remove_first_wins(number)?;
            from = Turns(1);
        }
        let mut since = 0;
        let first = if from == turns { from.0 } else { from.0 + 1 };
        for phase in (first.max(2)..=turns.0).map(Turns) {
            // The previous newest results are freed first.
            newest.clear();
            let (layout, part) = (&self.engine.layout, &self.parts[number]);
            newest = self.read(&mut self.log.open(phase)?, |superblock, cells| {
                part.retain_held(layout, superblock, cells)
            })?;
            if phase > from {
                self.engine.remove_decided(&newest);
                since += newest.iter().map(SparseCells::bytes).sum::<usize>();
            }
        }
        if since * SNAPSHOT_RATIO > self.engine.bytes() {
            self.save(&self.snapshots(number), turns, &[])?;
        }
        Ok(LoadedPart { won, newest })
    }

    /// Loads the newest snapshot of a part that is not after a moment; makes the first one again if
    /// none can be read. Returns the turns after which it was taken, and its counts.
    fn load_snapshot(&mut self, number: usize, moment: Moment) -> Result<(Turns, Vec<u64>), SolveError> {
        let snapshots = self.snapshots(number);
        // One part at a time is in memory.
        self.engine.set_undecided(empty_plane(self.engine.layout.superblocks.len()));
        let last = match moment {
            Moment::Beginning => Turns(0),
            Moment::After(turns) => turns,
        };
        for turns in snapshots.phases()?.into_iter().rev().filter_map(PhaseId::turns) {
            if turns > last {
                continue;
            }
            let mut found = snapshots.open(turns)?;
            found.note_damage(self.config.progress);
            if !found.is_whole() {
                continue;
            }
            let mut won = vec![0; self.engine.layout.superblocks.len()];
            found.superblocks().for_each(|(superblock, count)| won[superblock] = count);
            match self.read(&mut found, |_, cells| cells) {
                Ok(plane) => {
                    self.engine.set_undecided(plane);
                    self.engine.part = Some(Arc::clone(&self.parts[number]));
                    return Ok((turns, won));
                }
                Err(error) => self.config.progress.note(&format!("{error}: it is made again")),
            }
        }
        let won = find_undecided_of_part(&mut self.engine, &self.parts[number], self.config.progress)?;
        self.save(&snapshots, Turns(0), &won)?;
        Ok((Turns(0), won))
    }

    /// Writes a snapshot of the undecided positions of a part, and removes the earlier ones.
    fn save(&self, snapshots: &Log, turns: Turns, won: &[u64]) -> Result<(), SolveError> {
        let before = snapshots.phases()?;
        let writer = snapshots.write(turns)?;
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
        for old in before.into_iter().filter(|&old| old != turns.into()) {
            snapshots.remove_phase(old)?;
        }
        Ok(())
    }
}

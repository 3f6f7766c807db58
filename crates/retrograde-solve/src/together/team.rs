//! The rounds in which a process takes part while several solve a game together.

use std::collections::BTreeMap;
use std::io;

use super::job::{DividePiece, SavePiece, SavedAt, SharedJob};
use super::words::{put_pairs, take_pairs};
use crate::exchange::{Alone, Exchange, Piece, Tally};
use crate::job::{Job, SolveError};
use crate::threads::Pool;

/// The number of turns that a thread handles in a round: about eight bytes each, so a few megabytes.
const BATCH: u64 = 1 << 19;

/// One of the processes that solve a game together.
pub(super) struct Team<'a, 'j> {
    pub exchange: &'a mut dyn Exchange,
    pub job: &'a mut SharedJob<'j>,
    pub pool: Pool,
    pub me: usize,
    pub processes: usize,
}

impl<'a, 'j> Team<'a, 'j> {
    pub fn new(
        exchange: &'a mut dyn Exchange,
        job: &'a mut SharedJob<'j>,
    ) -> Result<Team<'a, 'j>, SolveError> {
        let (me, processes) = (exchange.process(), exchange.threads().len());
        let pool = crate::pool(exchange.threads()[me].max(1) as usize)?;
        Ok(Team { exchange, job, pool, me, processes })
    }

    /// The number of positions in a round if each has `turns` turns.
    pub fn batch(&self, turns: u64) -> usize {
        let turns_a_round = self.job.batch.unwrap_or(BATCH) * self.pool.threads() as u64;
        (turns_a_round / turns.max(1)).clamp(1, 1 << 20) as usize
    }

    /// Returns this process's flags for the next round: whether to stop.
    pub fn stop(&self) -> Tally {
        Tally::flag(Tally::STOP, self.job.progress.stopped())
    }

    /// Returns this process's flags for the next round: whether to stop and whether to save.
    pub fn stop_or_save(&self) -> Tally {
        let due = self.me == 0 && self.job.checkpoint.as_ref().is_some_and(|checkpoint| checkpoint.due());
        self.stop().and(Tally::flag(Tally::SAVE, due))
    }

    /// Runs a round in which process 0 receives bytes from the others. Empty bytes are not sent.
    pub fn send_to_first(&mut self, bytes: Vec<u8>) -> Result<Vec<Piece>, SolveError> {
        let send = (!bytes.is_empty()).then_some(Piece { process: 0, tag: 0, bytes });
        let stop = self.stop();
        let (pieces, tally) = self.exchange.round(send.into_iter().collect(), stop)?;
        match pieces.first() {
            _ if tally.has(Tally::STOP) => Err(SolveError::Stopped),
            Some(piece) if self.me != 0 => Err(piece.wrong("unexpected bytes")),
            _ => Ok(pieces),
        }
    }

    /// Adds up a number over all processes.
    pub fn sum(&mut self, own: u64) -> Result<u64, SolveError> {
        Ok(self.exchange.add_up(Tally::sum(own))?.sum)
    }

    /// Returns whether `here` is set in any process.
    pub fn any_failed(&mut self, here: bool) -> Result<bool, SolveError> {
        Ok(self.exchange.add_up(Tally::flag(Tally::FAILED, here))?.has(Tally::FAILED))
    }

    /// Agrees on the groups of positions that any process has, with the number of batches that the largest
    /// share of each group takes. `own` lists the groups of this process with their numbers of positions.
    pub fn agree(
        &mut self,
        own: impl IntoIterator<Item = (u64, u64)>,
        batch: usize,
    ) -> Result<BTreeMap<u64, u64>, SolveError> {
        let own = own.into_iter().map(|(group, count)| (group, count.div_ceil(batch as u64)));
        let mut all = BTreeMap::new();
        for (group, batches) in take_pairs(self.exchange.tell_all(&put_pairs(own))?)? {
            let most = all.entry(group).or_insert(0);
            *most = batches.max(*most);
        }
        Ok(all)
    }

    /// Looks for a state that an earlier run has saved.
    pub fn look(&mut self) -> Result<Option<SavedAt>, SolveError> {
        match self.job.checkpoint.as_deref_mut() {
            Some(checkpoint) => checkpoint.look(&mut *self.exchange),
            None => Ok(None),
        }
    }

    /// Adds up counts by score over all processes. Only process 0 receives them; the others get an empty map.
    pub fn all_counts(&mut self, own: &BTreeMap<u16, u64>) -> Result<BTreeMap<u16, u64>, SolveError> {
        let own = put_pairs(own.iter().map(|(&score, &count)| (score.into(), count)));
        let mut all = BTreeMap::<u16, u64>::new();
        for (score, count) in take_pairs(self.exchange.tell_first(&own)?)? {
            let all = all.entry(score as u16).or_default();
            *all = all.saturating_add(count);
        }
        Ok(all)
    }

    /// Saves a state. This process holds `own` of its positions.
    pub fn save(
        &mut self,
        (stage, score_bytes, own): (u64, usize, u64),
        fill: &mut dyn FnMut(&mut SavePiece<'_>) -> io::Result<()>,
    ) -> Result<(), SolveError> {
        // Either all processes have a checkpoint or none does.
        if self.job.checkpoint.is_none() {
            return Ok(());
        }
        let at = SavedAt { stage, score_bytes: score_bytes as u8, positions: self.sum(own)? };
        match self.job.checkpoint.as_deref_mut() {
            Some(checkpoint) => checkpoint.save(&mut *self.exchange, at, fill),
            None => Ok(()),
        }
    }

    /// Reads the saved state with [`super::SharedCheckpoint::load`]. `take` returns the number of positions
    /// in the bytes. Returns how many all processes have taken.
    pub fn load(
        &mut self,
        divide: DividePiece<'_>,
        take: &mut dyn FnMut(&[u8]) -> Option<u64>,
    ) -> Result<u64, SolveError> {
        self.job.progress.stage("reading what was saved", 0);
        let mut taken = 0;
        if let Some(checkpoint) = self.job.checkpoint.as_deref() {
            checkpoint.load(&mut *self.exchange, divide, &mut |bytes| {
                taken += take(bytes)?;
                Some(())
            })?;
        }
        self.sum(taken)
    }

    /// Fails if the saved state is incomplete in any process.
    pub fn check_whole(&mut self, whole: bool) -> Result<(), SolveError> {
        match (self.any_failed(!whole)?, &self.job.checkpoint) {
            (true, Some(checkpoint)) => Err(checkpoint.not_whole()),
            _ => Ok(()),
        }
    }

    /// Fails if `need` exceeds the memory limit.
    pub fn check_memory(&self, need: u64) -> Result<(), SolveError> {
        match need > self.job.memory {
            true => Err(SolveError::Memory { need, limit: self.job.memory }),
            false => Ok(()),
        }
    }
}

/// Solves with a single process.
pub(super) fn alone<T>(
    job: &Job<'_>,
    solve: impl FnOnce(&mut Team<'_, '_>) -> Result<T, SolveError>,
) -> Result<T, SolveError> {
    let mut alone = Alone([u32::try_from(job.threads).unwrap_or(u32::MAX)]);
    solve(&mut Team::new(&mut alone, &mut SharedJob::new(job.memory, job.progress))?)
}

/// Returns whether to save a state after a round.
pub(super) fn saves(tally: Tally) -> bool {
    tally.has(Tally::SAVE) || tally.has(Tally::STOP)
}

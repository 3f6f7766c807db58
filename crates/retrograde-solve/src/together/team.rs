//! A process among those that solve a game together: the way to take part in rounds.

use std::collections::BTreeMap;
use std::io;

use super::job::{DividePiece, SavePiece, SavedAt, SharedJob};
use super::words::{pack, unpack};
use crate::exchange::{Exchange, Tally};
use crate::job::SolveError;
use crate::threads::Pool;

/// Turns that a thread looks at in a round: some eight bytes each, so some megabytes.
const BATCH: u64 = 1 << 19;

/// A process among those that solve a game together.
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

    /// The number of positions of a round if each has `turns` turns.
    pub fn batch(&self, turns: u64) -> usize {
        let turns_a_round = self.job.batch.unwrap_or(BATCH) * self.pool.threads() as u64;
        (turns_a_round / turns.max(1)).clamp(1, 1 << 20) as usize
    }

    /// The flag of this process for the next round, if it is to stop.
    pub fn stop(&self) -> Tally {
        Tally::flag(Tally::STOP, self.job.progress.stopped())
    }

    /// The flags of this process for the next round: to stop, or to save.
    pub fn wishes(&self) -> Tally {
        let due = self.me == 0 && self.job.checkpoint.as_ref().is_some_and(|checkpoint| checkpoint.due());
        self.stop().and(Tally::flag(Tally::SAVE, due))
    }

    /// The sum of a number of all processes.
    pub fn sum(&mut self, own: u64) -> Result<u64, SolveError> {
        Ok(self.exchange.add_up(Tally::sum(own))?.sum)
    }

    /// Whether something has failed in any process.
    pub fn any_failed(&mut self, here: bool) -> Result<bool, SolveError> {
        Ok(self.exchange.add_up(Tally::flag(Tally::FAILED, here))?.has(Tally::FAILED))
    }

    /// The groups of positions that any process has, with the batches that the most of a group take:
    /// `own` are those of this process, with the number of its positions.
    pub fn agree(
        &mut self,
        own: impl IntoIterator<Item = (u64, u64)>,
        batch: usize,
    ) -> Result<BTreeMap<u64, u64>, SolveError> {
        let mut said = Vec::new();
        for (group, count) in own {
            pack(&mut said, group);
            pack(&mut said, count.div_ceil(batch as u64));
        }
        let mut all = BTreeMap::new();
        for (from, said) in self.exchange.tell_all(&said)?.into_iter().enumerate() {
            let mut said = said.as_slice();
            while !said.is_empty() {
                let (Some(group), Some(batches)) = (unpack(&mut said), unpack(&mut said)) else {
                    return Err(SolveError::Protocol { from, what: "a schedule that cannot be read" });
                };
                let most = all.entry(group).or_insert(0);
                *most = batches.max(*most);
            }
        }
        Ok(all)
    }

    /// The state that an earlier run has saved, if there is one.
    pub fn look(&mut self) -> Result<Option<SavedAt>, SolveError> {
        match self.job.checkpoint.as_deref_mut() {
            Some(checkpoint) => checkpoint.look(&mut *self.exchange),
            None => Ok(None),
        }
    }

    /// Numbers by score, those of all processes together at process 0; elsewhere nothing.
    pub fn all_counts(&mut self, own: &BTreeMap<u16, u64>) -> Result<BTreeMap<u16, u64>, SolveError> {
        let mut said = Vec::new();
        for (&score, &count) in own {
            pack(&mut said, score.into());
            pack(&mut said, count);
        }
        let mut all = BTreeMap::<u16, u64>::new();
        for (from, said) in self.exchange.tell_first(&said)?.into_iter().enumerate() {
            let mut said = said.as_slice();
            while !said.is_empty() {
                let score = unpack(&mut said).and_then(|score| u16::try_from(score).ok());
                let (Some(score), Some(count)) = (score, unpack(&mut said)) else {
                    return Err(SolveError::Protocol { from, what: "counts that cannot be read" });
                };
                let all = all.entry(score).or_default();
                *all = all.saturating_add(count);
            }
        }
        Ok(all)
    }

    /// Saves a state, of which this process holds so many positions.
    pub fn save(
        &mut self,
        (stage, score_bytes, own): (u64, usize, u64),
        fill: &mut dyn FnMut(&mut SavePiece<'_>) -> io::Result<()>,
    ) -> Result<(), SolveError> {
        // All processes have a checkpoint, or none.
        if self.job.checkpoint.is_none() {
            return Ok(());
        }
        let at = SavedAt { stage, score_bytes: score_bytes as u8, positions: self.sum(own)? };
        match self.job.checkpoint.as_deref_mut() {
            Some(checkpoint) => checkpoint.save(&mut *self.exchange, at, fill),
            None => Ok(()),
        }
    }

    /// Reads a saved state, as [`super::SharedCheckpoint::load`] does. `take` returns the number of
    /// positions in the bytes.
    pub fn load(
        &mut self,
        found: SavedAt,
        divide: DividePiece<'_>,
        take: &mut dyn FnMut(&[u8]) -> Option<u64>,
    ) -> Result<(), SolveError> {
        self.job.progress.stage("reading what was saved", 0);
        let Some(checkpoint) = self.job.checkpoint.as_deref() else { return Ok(()) };
        let mut taken = 0;
        let take = &mut |bytes: &[u8]| {
            taken += take(bytes)?;
            Some(())
        };
        checkpoint.load(&mut *self.exchange, divide, take)?;
        let whole = self.sum(taken)? == found.positions;
        self.check_whole(whole)
    }

    /// Fails if a saved state is not whole in some process.
    pub fn check_whole(&mut self, whole: bool) -> Result<(), SolveError> {
        match (self.any_failed(!whole)?, &self.job.checkpoint) {
            (true, Some(checkpoint)) => Err(checkpoint.not_whole()),
            _ => Ok(()),
        }
    }

    /// Fails if more memory is needed than is allowed.
    pub fn check_memory(&self, need: u64) -> Result<(), SolveError> {
        match need > self.job.memory {
            true => Err(SolveError::Memory { need, limit: self.job.memory }),
            false => Ok(()),
        }
    }
}

/// Whether a state is to be saved.
pub(super) fn saves(tally: Tally) -> bool {
    tally.has(Tally::SAVE) || tally.has(Tally::STOP)
}

//! A solve of what occurs, as one process sees it: its share, the owners of all positions, and the way
//! to take part in rounds.

use retrograde_solve::reachable::Share;
use retrograde_solve::{Pool, SolveError};

use super::owners::Owners;
use crate::error::ClusterError;
use crate::session::Session;
use crate::solve::job::ClusterJob;
use crate::transport::{Tally, pack, unpack};

/// Bytes of memory for a position that a process owns, while a grade is gathered.
pub const OCCURRING_BYTES: u64 = 16;
/// The same in a game that can repeat, when solving begins.
pub const OCCURRING_REPEATING_BYTES: u64 = 24;

/// Turns that a thread looks at in a round; the keys that follow take eight bytes each.
const BATCH: u64 = 1 << 19;
/// Turns of a position, about.
const TURNS: u64 = 16;
/// Positions of which a thread makes one message for each other process, at the most.
const CHUNK: usize = 1 << 16;

/// A solve of what occurs, as one process sees it. `B` is [`dyn Batches`] or [`dyn RepeatingBatches`].
///
/// [`dyn Batches`]: retrograde_solve::reachable::Batches
/// [`dyn RepeatingBatches`]: retrograde_solve::reachable::RepeatingBatches
pub(super) struct OccurringRun<'a, 'j, B: ?Sized> {
    pub game: &'a B,
    pub session: &'a mut Session,
    pub job: &'a mut ClusterJob<'j>,
    pub owners: Owners,
    pub me: u32,
    pub share: Share,
}

impl<'a, 'j, B: ?Sized> OccurringRun<'a, 'j, B> {
    /// A run of this process, which knows whether there is a checkpoint.
    pub(super) fn new(
        game: &'a B,
        session: &'a mut Session,
        job: &'a mut ClusterJob<'j>,
    ) -> Result<OccurringRun<'a, 'j, B>, ClusterError> {
        if let Some(checkpoint) = &mut job.checkpoint {
            checkpoint.look(&mut session.transport)?;
        }
        let owners = Owners::new(session.threads());
        let me = session.process() as u32;
        Ok(OccurringRun { game, session, job, owners, me, share: Share::default() })
    }

    pub(super) fn pool(&self) -> &Pool {
        &self.session.pool
    }

    pub(super) fn processes(&self) -> usize {
        self.session.threads().len()
    }

    /// Own positions of a round.
    pub(super) fn batch(&self) -> u64 {
        let threads = self.session.threads()[self.me as usize].max(1);
        (self.job.batch.unwrap_or(BATCH) * u64::from(threads) / TURNS).max(1)
    }

    /// The pieces of a batch for the threads of this process.
    pub(super) fn chunks<'k>(&self, keys: &'k [u64]) -> Vec<&'k [u64]> {
        let size = keys.len().div_ceil(self.pool().threads() * 2).clamp(1, CHUNK);
        keys.chunks(size).collect()
    }

    /// The wishes of this process for the next round: to stop, or to save.
    pub(super) fn wishes(&self) -> Tally {
        let stop = Tally::flag(Tally::STOP, self.job.progress.stopped());
        let due = self.me == 0 && self.job.checkpoint.as_ref().is_some_and(|checkpoint| checkpoint.due());
        Tally { flags: stop.flags | Tally::flag(Tally::SAVE, due).flags, ..stop }
    }

    /// Tells all processes this process's next grade and how many keys it has, and hears theirs: the
    /// grade that is `better` than all others, and the batches that it takes.
    pub(super) fn next_grade(
        &mut self,
        own: Option<(u64, u64)>,
        better: fn(u64, u64) -> u64,
    ) -> Result<Option<(u64, u64)>, ClusterError> {
        let mut said = Vec::new();
        if let Some((grade, keys)) = own {
            pack(&mut said, grade);
            pack(&mut said, keys.div_ceil(self.batch()));
        }
        let mut grades = Vec::new();
        for (from, said) in (0..).zip(self.session.transport.all_gather(&said)?) {
            let mut said = said.as_slice();
            if said.is_empty() {
                continue;
            }
            match (unpack(&mut said), unpack(&mut said)) {
                (Some(grade), Some(batches)) => grades.push((grade, batches)),
                _ => return Err(ClusterError::Protocol { from, what: "a grade that cannot be read" }),
            }
        }
        let next = grades.iter().map(|&(grade, _)| grade).reduce(better);
        Ok(next.map(|next| {
            let here = grades.iter().filter(|&&(grade, _)| grade == next);
            (next, here.map(|&(_, batches)| batches).max().unwrap_or(0))
        }))
    }

    /// Refuses to go on in more memory than is allowed; `more` is what is held beside the share.
    pub(super) fn check_memory(&self, more: u64) -> Result<(), ClusterError> {
        let need = self.share.bytes() + more;
        match need > self.job.memory {
            true => Err(SolveError::Memory { need, limit: self.job.memory }.into()),
            false => Ok(()),
        }
    }
}

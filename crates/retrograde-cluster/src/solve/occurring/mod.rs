//! Only what occurs, in games that cannot repeat, on a cluster: the sorted codes of
//! [`retrograde_solve::reachable`], of which every process owns a share.
//!
//! A position belongs to the process that its key says ([`owners`]); with symmetries the position
//! that stands for its images has the key. Grades are gathered from the highest down: all processes
//! list the successors of their positions of a grade and send each to its owner. Then grades are
//! solved from the lowest up: each successor's owner is asked for its score. In the end every process
//! numbers its positions, and process 0 gets all of them in the order of their numbers.
//!
//! All processes are at the same grade at any time, so what was saved is a whole state, from which
//! other processes can go on.

mod gather;
mod hand_over;
mod messages;
mod owners;
mod saved;
mod settle;
mod sink;

use retrograde_solve::reachable::{Batches, Numbers, Share};
use retrograde_solve::{Pool, SolveError};

#[cfg(feature = "fuzzing")]
pub(crate) use hand_over::take_positions;
#[cfg(feature = "fuzzing")]
pub(crate) use messages::keys_by_grade;
pub use sink::{CollectedOccurring, OccurringSink, OccurringTotals};

use super::job::ClusterJob;
use crate::error::ClusterError;
use crate::session::Session;
use crate::transport::{Tally, pack, unpack};
use owners::Owners;

/// Bytes of memory for a position that a process owns, while a grade is gathered.
pub const OCCURRING_BYTES: u64 = 16;

/// Turns that a thread looks at in a round; the keys that follow take eight bytes each.
const BATCH: u64 = 1 << 19;
/// Turns of a position, about.
const TURNS: u64 = 16;
/// Positions of which a thread makes one message for each other process, at the most.
const CHUNK: usize = 1 << 16;

/// A solve of what occurs, as one process sees it.
struct OccurringRun<'a, 'j> {
    game: &'a dyn Batches,
    session: &'a mut Session,
    job: &'a mut ClusterJob<'j>,
    owners: Owners,
    me: u32,
    share: Share,
}

/// Solves what occurs from the start of a game that cannot repeat, together with all other
/// processes, and hands all positions by number to `sink` at process 0. `job.horizon` and
/// `job.block_bits` are not used.
///
/// # Errors
/// If a share does not fit the memory, it is stopped, a game takes more than 32,765 turns or breaks a
/// promise, a checkpoint fails, the sink, or a process.
pub fn occurring(
    game: &dyn Batches,
    numbers: Numbers<'_>,
    session: &mut Session,
    job: &mut ClusterJob<'_>,
    sink: &mut dyn OccurringSink,
) -> Result<(), ClusterError> {
    if let Some(checkpoint) = &mut job.checkpoint {
        checkpoint.look(&mut session.transport)?;
    }
    let owners = Owners::new(session.threads());
    let me = session.process() as u32;
    let mut run = OccurringRun { game, session, job, owners, me, share: Share::default() };
    if !run.resume()? {
        run.begin()?;
    }
    run.gather()?;
    run.settle()?;
    run.hand_over(numbers, sink)
}

impl OccurringRun<'_, '_> {
    fn pool(&self) -> &Pool {
        &self.session.pool
    }

    fn processes(&self) -> usize {
        self.session.threads().len()
    }

    /// Own positions of a round.
    fn batch(&self) -> u64 {
        let threads = self.session.threads()[self.me as usize].max(1);
        (self.job.batch.unwrap_or(BATCH) * u64::from(threads) / TURNS).max(1)
    }

    /// The pieces of a batch for the threads of this process.
    fn chunks<'k>(&self, keys: &'k [u64]) -> Vec<&'k [u64]> {
        let size = keys.len().div_ceil(self.pool().threads() * 2).clamp(1, CHUNK);
        keys.chunks(size).collect()
    }

    /// The wishes of this process for the next round: to stop, or to save.
    fn wishes(&self) -> Tally {
        let stop = Tally::flag(Tally::STOP, self.job.progress.stopped());
        let due = self.me == 0 && self.job.checkpoint.as_ref().is_some_and(|checkpoint| checkpoint.due());
        Tally { flags: stop.flags | Tally::flag(Tally::SAVE, due).flags, ..stop }
    }

    /// Tells all processes this process's next grade and how many keys it has, and hears theirs: the
    /// grade that is `better` than all others, and the batches that it takes.
    fn next_grade(
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
    fn check_memory(&self, more: u64) -> Result<(), ClusterError> {
        let need = self.share.bytes() + more;
        match need > self.job.memory {
            true => Err(SolveError::Memory { need, limit: self.job.memory }.into()),
            false => Ok(()),
        }
    }
}

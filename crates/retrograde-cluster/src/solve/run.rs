//! The state that all solvers of a cluster share: the game, the partition, the scores of this
//! process, and the way to take part in rounds.

use retrograde_game::{Dense, Index};
use retrograde_solve::array::{ScoreArray, SharedScore};
use retrograde_solve::{Progress, SolveError};

use super::job::ClusterJob;
use crate::error::ClusterError;
use crate::partition::Partition;
use crate::session::Session;
use crate::transport::Tally;

/// Turns that a thread looks at in a round: eight bytes each, so some megabytes.
const BATCH: u64 = 1 << 19;

/// One attempt at a game, with scores of one size.
pub(crate) struct Run<'a, 'j, G, S: SharedScore> {
    pub game: &'a G,
    pub session: &'a mut Session,
    pub job: &'a mut ClusterJob<'j>,
    pub partition: Partition,
    pub me: u32,
    /// Indices before the prelude.
    pub main: u64,
    /// Scores by local place.
    pub scores: ScoreArray<S>,
}

/// The part of a run that all threads may read; the engine's worker belongs to one of them.
pub(crate) struct View<'a, G, S: SharedScore> {
    pub game: &'a G,
    pub partition: &'a Partition,
    pub me: u32,
    pub scores: &'a ScoreArray<S>,
    pub own_main: u64,
    pub progress: &'a dyn Progress,
}

impl<G: Dense, S: SharedScore> View<'_, G, S> {
    /// The index at a local place.
    pub(crate) fn index(&self, place: u64) -> Index {
        self.partition.index(self.me, place)
    }
}

/// The number of indices that a process owns, if `bytes` fit for each.
fn room(owned: u64, bytes: u64, limit: u64) -> Result<usize, ClusterError> {
    let need = owned.saturating_mul(bytes);
    if need > limit {
        return Err(SolveError::Memory { need, limit }.into());
    }
    usize::try_from(owned).map_err(|_| SolveError::TooLarge { count: owned.into() }.into())
}

impl<'a, 'j, G: Dense, S: SharedScore> Run<'a, 'j, G, S> {
    /// `bytes`: memory that an index takes, the score among it.
    pub(crate) fn new(
        game: &'a G,
        session: &'a mut Session,
        job: &'a mut ClusterJob<'j>,
        bytes: u64,
    ) -> Result<Run<'a, 'j, G, S>, ClusterError> {
        let count = u64::try_from(game.index_count())
            .ok()
            // Places are packed into 44 bits.
            .filter(|&count| count < 1 << 44)
            .ok_or(SolveError::TooLarge { count: game.index_count() })?;
        let threads = session.threads().to_vec();
        let partition = match job.block_bits {
            Some(bits) => Partition::with_bits(count, &threads, bits),
            None => Partition::new(count, &threads),
        };
        let me = session.process() as u32;
        // A process without room ends all: the others must not wait for it.
        let len = room(partition.owned(me), bytes, job.memory)?;
        let main = count - game.prelude();
        Ok(Run { game, session, job, partition, me, main, scores: ScoreArray::new(len, S::UNKNOWN)? })
    }

    /// The part that all threads may read.
    pub(crate) fn view(&self) -> View<'_, G, S> {
        let (game, partition, me, scores) = (self.game, &self.partition, self.me, &self.scores);
        View { game, partition, me, scores, own_main: self.own_main(), progress: self.job.progress }
    }

    /// Indices that this process owns.
    pub(crate) fn own(&self) -> u64 {
        self.scores.len() as u64
    }

    /// The index at a local place.
    pub(crate) fn index(&self, place: u64) -> Index {
        self.partition.index(self.me, place)
    }

    /// The local places of the main positions begin at 0; those of the prelude follow, from here
    /// on.
    pub(crate) fn own_main(&self) -> u64 {
        // Blocks are assigned in order, so what a process owns of a beginning of the numbering is a
        // beginning.
        self.partition
            .own_pieces(self.me, self.main..self.partition.count())
            .next()
            .map_or(self.own(), |(place, _)| place)
    }

    /// Positions of a round, so that about as many turns are looked at as pay.
    pub(crate) fn batch(&self) -> u64 {
        let own = self.own();
        let samples = own.min(64);
        let mut turns = 0;
        for sample in 0..samples {
            let place = own / samples * sample;
            let _ = self.game.each_successor_at(self.index(place), |_| {
                turns += 1;
                std::ops::ControlFlow::Continue(())
            });
        }
        let each = (turns / samples.max(1)).max(1);
        let threads = self.session.threads()[self.me as usize].max(1);
        (self.job.batch.unwrap_or(BATCH) * u64::from(threads) / each).clamp(1, 1 << 20)
    }

    /// The wishes of this process for the next round: to stop, or to save.
    pub(crate) fn wishes(&self) -> Tally {
        let stop = Tally::flag(Tally::STOP, self.job.progress.stopped());
        let due = self.me == 0 && self.job.checkpoint.as_ref().is_some_and(|checkpoint| checkpoint.due());
        Tally { flags: stop.flags | Tally::flag(Tally::SAVE, due).flags, ..stop }
    }
}

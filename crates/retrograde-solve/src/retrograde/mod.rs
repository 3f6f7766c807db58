//! Games that can repeat, from the ends backwards, turn by turn; positions that are never decided
//! are draws.
//!
//! In phase t the positions that end in exactly t turns are decided, so the number of turns is
//! exact: a win needs a turn into a loss of phase t − 1, a loss needs every turn refuted, the last
//! of them in phase t − 1. Among positions that are images of each other under a symmetry of the
//! game, the solver expands only the one with the smallest index and writes its score to all of
//! them, so that looking up needs no symmetry.
//!
//! A phase is a superstep. Shards of positions read the scores as they were when the phase began
//! and answer with messages, which are applied when all have answered; so the result does not
//! depend on the number of threads. `steps` has what a shard does, without threads; this module
//! drives the steps by the threads of one machine. Machines that each hold all scores and some of
//! the shards would run the same steps and send each other the messages.

mod capabilities;
mod shard;
mod steps;
mod strategy;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;
use retrograde_game::{Dense, Predecessors, Symmetries, Turns, Value};

use crate::array::{ScoreArray, SharedScore};
use crate::job::{Job, Progress, SavedState, Scores, SolveError};
use crate::prelude::before_the_game;
use crate::threads::Pool;
use capabilities::EachImageIndex;
pub use capabilities::{EachPredecessorIndex, each_predecessor_index};
use shard::{MAX_INDICES, Shard};
use steps::Steps;
pub use strategy::Strategy;

/// The solver for games that can repeat, with what it may make use of.
///
/// ```no_run
/// # fn example<G: retrograde_game::Predecessors + retrograde_game::Symmetries>(game: &G) {
/// use retrograde_solve::{Job, Silent, NoCheckpoint, retrograde::Retrograde};
///
/// let mut no_checkpoint = NoCheckpoint;
/// let mut job =
///     Job { threads: 2, memory: 1 << 30, horizon: None, progress: &Silent, checkpoint: &mut no_checkpoint };
/// let scores = Retrograde::new(game).predecessors().symmetries().solve(&mut job);
/// # }
/// ```
pub struct Retrograde<'a, G: Dense> {
    game: &'a G,
    before: Option<EachPredecessorIndex<G>>,
    images: Option<EachImageIndex<G>>,
    strategy: Strategy,
    shard: u64,
}

impl<'a, G: Dense> Retrograde<'a, G> {
    /// For any game with a numbering: all is found by looking forwards.
    pub fn new(game: &'a G) -> Retrograde<'a, G> {
        Retrograde { game, before: None, images: None, strategy: Strategy::default(), shard: MAX_INDICES }
    }

    /// Finds wins from the predecessors of losses.
    #[must_use]
    pub fn predecessors(mut self) -> Self
    where
        G: Predecessors,
    {
        self.before = Some(each_predecessor_index::<G>);
        self
    }

    /// Looks at one position of each orbit only.
    #[must_use]
    pub fn symmetries(mut self) -> Self
    where
        G: Symmetries,
    {
        if self.game.symmetry_count() > 1 {
            self.images = Some(capabilities::each_image_index::<G>);
        }
        self
    }

    /// The way to find losses.
    #[must_use]
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = strategy;
        self
    }

    /// Indices of a shard, between 1 and 65,536 (which it is if not given). The result does not
    /// depend on it; tests make many shards of small games.
    #[must_use]
    pub fn shard(mut self, indices: u64) -> Self {
        self.shard = indices.clamp(1, MAX_INDICES);
        self
    }

    /// Solves the game. With `job.horizon` only positions that end within so many turns are decided
    /// (and those that the rules end), and the others stay unknown.
    ///
    /// # Errors
    /// If it does not fit the memory, is stopped, a game takes more than 32,765 turns, or the
    /// checkpoint fails.
    pub fn solve(&self, job: &mut Job<'_>) -> Result<Scores, SolveError> {
        crate::array::narrow_then_wide(
            self.game.index_count(),
            job,
            |job, saved| self.run::<u8>(job, saved),
            |job, saved| self.run::<u16>(job, saved),
        )
    }

    /// `None` if a game is too long for this kind of score.
    fn run<S: SharedScore>(
        &self,
        job: &mut Job<'_>,
        saved: Option<SavedState>,
    ) -> Result<Option<Scores>, SolveError> {
        let count = job.room(self.game.index_count(), 8 * S::BYTES as u128)?;
        let main = count as u64 - self.game.prelude();
        let saved = saved.and_then(|saved| {
            Some((u16::try_from(saved.stage).ok()?, ScoreArray::<S>::from_bytes(saved.bytes, count)?))
        });
        let (mut turns, mut scores) = match saved {
            Some((turns, scores)) => (turns, scores),
            None => (0, ScoreArray::<S>::new(count, S::UNKNOWN)?),
        };
        let steps = Steps {
            game: self.game,
            before: self.before,
            images: self.images,
            strategy: if self.before.is_some() { self.strategy } else { Strategy::Recheck },
            wins_at_once: job.horizon != Some(Turns(0)),
        };
        let mut shards: Vec<Shard> = (0..main.div_ceil(self.shard))
            .map(|n| Shard::new(n * self.shard, main.min((n + 1) * self.shard)))
            .collect();
        let progress = job.progress;
        let memory = Memory { held: (count * S::BYTES) as u64, limit: job.memory };
        let driver = Driver { pool: job.pool()?, progress, memory, stopped: AtomicBool::new(false) };
        progress.stage("looking at every position", main);
        driver.begin(&steps, &mut shards, &scores, turns)?;
        // Wins in one turn are found before phase 1, so that phase may find nothing and not be the
        // last one.
        let first = turns.max(2);
        turns = turns.max(1);
        let mut open: u64 = shards.iter().map(|shard| shard.open.len() as u64).sum();
        progress.stage("solving, turn by turn", open);
        let mut counted = false;
        while open > 0 && job.horizon.is_none_or(|horizon| Turns(turns) <= horizon) {
            let Some(phase) = Phase::new(turns) else { return Ok(None) };
            let losses = match steps.strategy {
                Strategy::Counters if counted => Losses::CountDown,
                // Counting begins when wins in one turn are of use, for they are most.
                Strategy::Counters if turns > 1 => Losses::Count,
                _ => Losses::LookAgain,
            };
            let found = driver.phase(&steps, &mut shards, &scores, phase, losses)?;
            counted |= losses == Losses::Count;
            // A position that ends in t + 1 turns has a turn to one that ends in t.
            if found == 0 && turns >= first {
                break;
            }
            open -= found;
            turns += 1;
            if job.checkpoint.due() {
                job.checkpoint.save(u64::from(turns), &[&scores.bytes()])?;
            }
        }
        if job.horizon.is_none() {
            driver.each(&mut shards, |shard| {
                let open = std::mem::take(&mut shard.open);
                open.iter().for_each(|open| steps.decide(&scores, open.index(shard), S::DRAW));
            })?;
        }
        let solved = driver.pool.install(|| before_the_game(self.game, &scores, main, progress))?;
        Ok(solved.then(|| scores.into_scores()))
    }
}

/// The values that a phase decides.
#[derive(Clone, Copy)]
struct Phase<S> {
    turns: Turns,
    win: S,
    loss: S,
}

/// The way in which a phase finds its losses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Losses {
    LookAgain,
    Count,
    CountDown,
}

impl<S: SharedScore> Phase<S> {
    /// `None` if scores cannot say so many turns.
    fn new(turns: u16) -> Option<Phase<S>> {
        Some(Phase {
            turns: Turns(turns),
            win: S::from_value(Value::Win(Turns(turns)))?,
            loss: S::from_value(Value::Loss(Turns(turns)))?,
        })
    }
}

/// The memory of the scores, and the memory that all may take.
#[derive(Clone, Copy)]
struct Memory {
    held: u64,
    limit: u64,
}

/// Runs the steps of all shards on the threads of one machine.
struct Driver<'a> {
    pool: Pool,
    progress: &'a dyn Progress,
    memory: Memory,
    stopped: AtomicBool,
}

impl Driver<'_> {
    /// Does something for every shard, unless it is stopped.
    fn each<T: Send>(
        &self,
        shards: &mut [Shard],
        step: impl Fn(&mut Shard) -> T + Sync,
    ) -> Result<Vec<T>, SolveError> {
        let progress = self.progress;
        let done = self.pool.install(|| {
            shards
                .par_iter_mut()
                .with_max_len(1)
                .map(|shard| {
                    if self.stopped.load(Ordering::Relaxed) || progress.stopped() {
                        self.stopped.store(true, Ordering::Relaxed);
                        return None;
                    }
                    Some(step(shard))
                })
                .collect::<Option<Vec<T>>>()
        });
        done.ok_or(SolveError::Stopped)
    }

    /// The first look, or after an interruption the list of what was left open.
    fn begin<G: Dense, S: SharedScore>(
        &self,
        steps: &Steps<'_, G>,
        shards: &mut [Shard],
        scores: &ScoreArray<S>,
        turns: u16,
    ) -> Result<(), SolveError> {
        // Open positions are counted while they are found, so that they do not outgrow the memory.
        let open = AtomicU64::new(0);
        let Memory { held, limit } = self.memory;
        let most = limit.saturating_sub(held) / Shard::BYTES_AN_OPEN_POSITION;
        self.each(shards, |shard| {
            if open.load(Ordering::Relaxed) > most {
                return;
            }
            match turns {
                0 => steps.begin(shard, scores),
                turns => steps.resume(shard, scores, Turns(turns)),
            }
            open.fetch_add(shard.open.len() as u64, Ordering::Relaxed);
            self.progress.advance(shard.end - shard.start);
        })?;
        let open = open.into_inner();
        if open > most {
            // At least; the rest was not looked at.
            let need = held.saturating_add(open.saturating_mul(Shard::BYTES_AN_OPEN_POSITION));
            return Err(SolveError::Memory { need, limit });
        }
        Ok(())
    }

    /// A phase; how many positions it decided, images not counted.
    fn phase<G: Dense, S: SharedScore>(
        &self,
        steps: &Steps<'_, G>,
        shards: &mut [Shard],
        scores: &ScoreArray<S>,
        phase: Phase<S>,
        losses: Losses,
    ) -> Result<u64, SolveError> {
        // All shards read what earlier phases decided ...
        let wins = self.each(shards, |shard| steps.wins(shard, scores))?;
        if losses == Losses::CountDown {
            let refuted = self.each(shards, |shard| steps.refuted(shard, scores))?;
            deliver(shards, refuted.into_iter().flatten());
            self.each(shards, |shard| steps.count_down(shard))?;
        } else {
            let count = losses == Losses::Count;
            self.each(shards, |shard| steps.look_again(shard, scores, phase.turns, count))?;
        }
        // ... and only then anything is written.
        self.each(shards, |shard| {
            shard.lost.iter().for_each(|&index| steps.decide(scores, index, phase.loss));
            shard.also_won.drain(..).for_each(|index| steps.decide(scores, index, phase.win));
        })?;
        self.pool.install(|| {
            wins.into_par_iter()
                .flatten_iter()
                .for_each(|index| steps.decide_if_open(scores, index, phase.win));
        });
        let found: u64 = self.each(shards, |shard| shard.settle(scores))?.into_iter().sum();
        self.progress.advance(found);
        Ok(found)
    }
}

/// Hands messages to the shards of the positions they are about.
fn deliver(shards: &mut [Shard], messages: impl Iterator<Item = u64>) {
    let Some(indices) = shards.first().map(|shard| shard.end - shard.start) else { return };
    for index in messages {
        shards[(index / indices) as usize].inbox.push(index);
    }
}

/// Solves a game that can repeat, looking forwards only.
///
/// # Errors
/// As [`Retrograde::solve`].
pub fn solve<G: Dense>(game: &G, job: &mut Job<'_>) -> Result<Scores, SolveError> {
    Retrograde::new(game).solve(job)
}

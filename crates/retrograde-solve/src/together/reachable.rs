//! Solves only the reachable positions of games that cannot repeat. First, all positions are gathered
//! grade by grade, the highest first: the successors of a grade are sent to their owners, so by the time
//! a grade is expanded, every process knows all of its positions in that grade. Then grades are solved
//! from the lowest up. A single process reads the scores of lower grades directly; several processes ask
//! the owners.
//!
//! The key of a position determines its owner ([`Owners`]); with symmetries, it is the key of the
//! canonical form. All processes always work on the same grade, so their checkpoint is a consistent
//! state from which other processes can resume.

use std::iter;

use super::ask::{Asks, Next, Seen};
use super::hand_over::hand_over;
use super::job::SharedJob;
use super::owners::Owners;
use super::repeating;
use super::sink::ReachableSink;
use super::team::{Team, alone, saves};
use crate::exchange::{Exchange, Tally};
use crate::job::{Job, Scores, SolveError};
use crate::memory;
use crate::reachable::{
    Batches, DividedKeys, GradeState, Kind, LowerLayers, NumberedScores, Positions, Reachable,
    ReachableScores, RestoredShare, Share, code_of, key_of, run_tasks,
};

/// The memory for each position that a process owns while a grade is gathered, in bytes.
pub const REACHABLE_BYTES: u64 = 16;

/// Solves the positions reachable from the start, together with all other processes, and passes all
/// positions by index to `sink` at process 0. Ignores `job.horizon` and `job.block_bits`.
///
/// # Errors
/// Returns an error if a share does not fit into memory, the solve is stopped, a game takes more than
/// 32,765 turns or breaks a promise, players do not alternate, or a checkpoint, the sink or another process fails.
pub fn reachable(
    game: &Reachable<'_>,
    exchange: &mut dyn Exchange,
    job: &mut SharedJob<'_>,
    sink: &mut dyn ReachableSink,
) -> Result<(), SolveError> {
    game.require_alternation()?;
    let mut team = Team::new(exchange, job)?;
    let own = solve(game, &mut team)?;
    hand_over(own, team, sink)
}

/// Solves the positions reachable from the start on this machine. Ignores `job.horizon` and `job.checkpoint`.
///
/// # Errors
/// Returns an error if the positions do not fit into memory, a game takes too long, it is stopped, or the game
/// breaks a promise: turns must lower the grade, and reachable positions must have a code and an index. In a game
/// that can repeat, players must alternate.
pub fn solve_alone(game: &Reachable<'_>, job: &Job<'_>) -> Result<ReachableScores, SolveError> {
    if matches!(game.0, Kind::Repeating(_)) {
        game.require_alternation()?;
    }
    alone(job, |team| solve(game, team)).map(ReachableScores::Listed)
}

/// Solves and numbers this process's share of the reachable positions.
fn solve(game: &Reachable<'_>, team: &mut Team<'_, '_>) -> Result<NumberedScores, SolveError> {
    let (share, game): (Share, &dyn Positions) = match &game.0 {
        Kind::Graded(game) => (solve_graded(&**game, team)?, &**game),
        Kind::Repeating(game) => (repeating::solve(&**game, team)?, &**game),
    };
    team.job.progress.stage("sorting positions", 0);
    share.into_numbered(game, &team.pool, team.job.memory)
}

/// Solves this process's share of the reachable positions.
fn solve_graded(game: &dyn Batches, team: &mut Team<'_, '_>) -> Result<Share, SolveError> {
    let owners = Owners::new(team.exchange.threads());
    let mut graded = Graded { game, owners: &owners, share: Share::default() };
    if !graded.resume(team)?
        && let Some((grade, key)) = game.start()?
        && owners.of(key) == team.me
    {
        graded.share.add(&team.pool, grade, &[DividedKeys::new(&[key])]);
    }
    graded.gather(team)?;
    graded.settle(team)?;
    Ok(graded.share)
}

/// The state of a solve in one process.
struct Graded<'a> {
    game: &'a dyn Batches,
    owners: &'a Owners,
    share: Share,
}

impl Graded<'_> {
    /// Resumes from a checkpoint. Returns whether there was one.
    fn resume(&mut self, team: &mut Team<'_, '_>) -> Result<bool, SolveError> {
        let mut restored = RestoredShare::default();
        let mut fits = true;
        let stage = team.load_pieces(self.owners, &mut |piece| fits &= restored.add(piece))?;
        if stage.is_none() {
            return Ok(false);
        }
        let share = restored.finish(&team.pool).filter(|_| fits);
        team.check_whole(share.is_some())?;
        self.share = share.unwrap_or_default();
        team.check_memory(self.share.bytes())?;
        Ok(true)
    }

    /// Gathers all positions.
    fn gather(&mut self, team: &mut Team<'_, '_>) -> Result<(), SolveError> {
        team.job.progress.stage("gathering positions", 0);
        let batch = team.batch_of_keys();
        while let Some((grade, batches)) = team.agree(self.share.next_waiting(), batch)?.pop_last() {
            let keys = self.share.take_waiting(&team.pool, grade);
            let (mut parts, mut done) = (keys.chunks(batch), 0);
            let game = self.game;
            let find = |keys: &[u64]| game.successors(keys, grade);
            for _ in 0..batches {
                let part = parts.next().unwrap_or_default();
                let (found, tally) = team.round_of_keys(self.owners, part, grade, &find)?;
                let bytes = found.values().flatten().map(|keys| keys.len() as u64 * 8).sum::<u64>();
                for (grade, found) in found {
                    self.share.add(&team.pool, grade, &found);
                }
                team.check_memory(self.share.bytes() + keys.len() as u64 * 10 + bytes)?;
                done += part.len();
                if saves(tally) {
                    let left = GradeState::Waiting;
                    let current = Current { left, grade, keys: &keys, done, scores: &[] };
                    current.save(&self.share, team)?;
                }
                if tally.has(Tally::STOP) {
                    return Err(SolveError::Stopped);
                }
                team.job.progress.advance(part.len() as u64);
            }
            self.share.put_gathered(grade, keys);
        }
        Ok(())
    }

    /// Solves all grades.
    fn settle(&mut self, team: &mut Team<'_, '_>) -> Result<(), SolveError> {
        team.job.progress.stage("solving, grade by grade", self.share.left_to_solve());
        let batch = team.batch_of_keys();
        let grades = team.agree(self.share.gathered_grades(), batch)?;
        for (grade, batches) in grades {
            let keys = self.share.take_gathered(grade);
            let scores = match team.processes {
                1 if team.job.checkpoint.is_none() => self.scores_here(team, grade, &keys)?,
                _ => self.scores_of_all(team, (grade, batches), &keys, batch)?,
            };
            self.share.put_solved(grade, keys, scores);
        }
        Ok(())
    }

    /// Finds the scores of keys of a grade when this process holds all lower grades.
    fn scores_here(&self, team: &Team<'_, '_>, grade: u64, keys: &[u64]) -> Result<Scores, SolveError> {
        let lower = LowerLayers::new(self.share.layers(), grade);
        let scores = run_tasks(&team.pool, keys, &|_, keys| {
            if team.job.progress.stopped() {
                return Err(SolveError::Stopped);
            }
            let scores = self.game.settle(keys, grade, &lower)?;
            team.job.progress.advance(keys.len() as u64);
            Ok(scores)
        })?;
        Ok(Scores::joined(scores))
    }

    /// Finds the scores of keys of a grade when all processes together hold the lower grades.
    fn scores_of_all(
        &self,
        team: &mut Team<'_, '_>,
        (grade, batches): (u64, u64),
        keys: &[u64],
        batch: usize,
    ) -> Result<Scores, SolveError> {
        let mut scores = Vec::new();
        memory::reserve(&mut scores, keys.len())?;
        let mut settling = Settling { graded: self, grade, keys, scores };
        let mut parts = keys.chunks(batch);
        team.ask(&mut settling, batches, |_, _| parts.next().unwrap_or_default().to_vec())?;
        let scores = settling.scores;
        team.check_memory(self.share.bytes() + keys.len() as u64 * 12)?;
        Ok(Scores::packed(scores))
    }
}

/// A grade that is being solved.
struct Settling<'a> {
    graded: &'a Graded<'a>,
    grade: u64,
    keys: &'a [u64],
    /// The scores of the first keys.
    scores: Vec<u16>,
}

impl Asks for Settling<'_> {
    type Found = Vec<u16>;
    type Lookup = (u64, u32);

    fn address(&self, key: u64) -> (usize, u64) {
        (self.graded.owners.of(key), code_of(key))
    }

    fn successors(&self, keys: &[u64], visit: impl FnMut(usize, Next)) -> Result<(), SolveError> {
        self.graded.game.ask(0, keys, self.grade)?.each(visit);
        Ok(())
    }

    fn scores(&self, grade: u64, codes: &[u64], scores: &mut Vec<u16>) -> Option<()> {
        let keys: Vec<u64> = codes.iter().map(|&code| key_of(code)).collect();
        self.graded.share.scores(grade, &keys, scores).ok()
    }

    fn decide(&self, keys: &[u64], seen: &[Seen]) -> Result<Vec<u16>, SolveError> {
        let least: Vec<Option<u16>> = seen.iter().map(|seen| seen.least).collect();
        self.graded.game.scores(keys, &least)
    }

    fn take(&mut self, found: Vec<u16>) {
        self.scores.extend(found);
    }

    fn pause(&mut self, team: &mut Team<'_, '_>) -> Result<(), SolveError> {
        let &mut Settling { graded, grade, keys, ref scores } = self;
        let (left, done) = (GradeState::Gathered, scores.len());
        Current { left, grade, keys, done, scores }.save(&graded.share, team)
    }
}

/// A grade that was taken from the share to work on it.
struct Current<'a> {
    grade: u64,
    keys: &'a [u64],
    /// The number of keys that are done, from the first on.
    done: usize,
    /// The state of the remaining keys; finished keys are one step further.
    left: GradeState,
    /// The scores of the finished keys, if they have scores.
    scores: &'a [u16],
}

impl Current<'_> {
    /// Saves the shares of all processes. All processes must call this at the same point.
    fn save(&self, share: &Share, team: &mut Team<'_, '_>) -> Result<(), SolveError> {
        let own = share.len() + self.keys.len() as u64;
        team.save_pieces((0, own), &|visit| {
            let &Current { grade, keys, done, left, scores } = self;
            let further = if left == GradeState::Waiting { GradeState::Gathered } else { GradeState::Solved };
            let scored = keys.iter().copied().zip(scores.iter().copied().chain(iter::repeat(0)));
            visit(further, grade, &mut scored.clone().take(done))?;
            visit(left, grade, &mut scored.skip(done))?;
            share.each(visit)
        })
    }
}

//! Decides positions turn by turn.

use std::io;

use super::super::batches::FirstLook;
use super::super::spill::{Records, remove_all, scored, write_by};
use super::super::tasks::{run_tasks, sort};
use super::OnDisk;
use super::records::{RunCursor, put_decided, put_undecided, undecided};
use crate::job::SolveError;
use crate::phase::{Phase, Phases, Solved};
use crate::spill::Spill;

/// Predecessors to be notified, which are written once there are many of them.
struct Notified {
    name: &'static str,
    keys: Vec<u64>,
    runs: Vec<String>,
}

impl Notified {
    fn new(name: &'static str) -> Notified {
        Notified { name, keys: Vec::new(), runs: Vec::new() }
    }

    fn write(&mut self, spill: &dyn Spill, pool: &crate::Pool) -> io::Result<()> {
        if self.keys.is_empty() {
            return Ok(());
        }
        sort(pool, &mut self.keys);
        let name = format!("{}{}", self.name, self.runs.len());
        spill.write(&name, &mut |out| {
            self.keys.iter().try_for_each(|key| out.write_all(&key.to_le_bytes()))
        })?;
        self.keys.clear();
        self.runs.push(name);
        Ok(())
    }
}

impl OnDisk<'_> {
    /// Takes a first look at all positions and writes the results.
    pub(super) fn run_first_look(&self, level: u64) -> Result<(), SolveError> {
        self.files.progress.stage("counting turns", 0);
        let (known, most) = (format!("known-{level}"), self.files.sizes.gathered);
        write_by(self.files.spill, "open-0", &mut |open| {
            write_by(self.files.spill, "decided-0", &mut |decided| {
                write_by(self.files.spill, "before", &mut |before| {
                    self.files.each_batch(&known, most, u64::from_le_bytes, &mut |batch| {
                        let looks =
                            run_tasks(self.files.pool, &batch, &|_, keys| self.game.first_look(keys))?;
                        for (&key, look) in batch.iter().zip(looks.into_iter().flatten()) {
                            match look {
                                FirstLook::Before => before.write_all(&key.to_le_bytes())?,
                                FirstLook::Decided(score) => put_decided(decided, key, score)?,
                                FirstLook::Open(left) => put_undecided(open, key, left)?,
                            }
                        }
                        self.files.progress.advance(batch.len() as u64);
                        Ok(())
                    })
                })
            })
        })
    }

    /// Decides positions turn by turn, after phase `turns`. Returns the last phase.
    pub(super) fn solve_phases(&self, mut turns: u16) -> Result<u16, SolveError> {
        self.files.progress.stage("solving on disk, turn by turn", 0);
        let decided = Records::<10>::open(self.files.spill, &format!("decided-{turns}"))?.next()?;
        let open = Records::<12>::open(self.files.spill, &format!("open-{turns}"))?.next()?;
        let (found, open) = (u64::from(decided.is_some()), u64::from(open.is_some()));
        let mut phases = Phases::new(turns, open, None);
        let mut solved = Solved { found, open, more_is_due: false };
        while phases.take(&solved)
            && let Some(next) = phases.due()
        {
            solved = self.decide(next)?;
            turns = next;
        }
        Ok(turns)
    }

    /// Runs the phase that decides positions that end in exactly `turns` turns.
    fn decide(&self, turns: u16) -> Result<Solved, SolveError> {
        let phase = Phase::new(turns).ok_or(SolveError::TooDeep)?;
        let [won, refuted] = self.tell(turns, &phase)?;
        let (mut won, mut refuted) =
            (RunCursor::open(self.files.spill, &won)?, RunCursor::open(self.files.spill, &refuted)?);
        let last = format!("open-{}", turns - 1);
        let most = self.files.sizes.numbered_together();
        let mut solved = Solved { found: 0, open: 0, more_is_due: false };
        write_by(self.files.spill, &format!("open-{turns}"), &mut |left_open| {
            write_by(self.files.spill, &format!("decided-{turns}"), &mut |decided| {
                self.files.each_batch(&last, most, undecided, &mut |batch| {
                    for (key, left) in batch {
                        let wins = won.count(key)? > 0;
                        let left = left.checked_sub(refuted.count(key)?).ok_or_else(|| {
                            let reason =
                                "a position is a predecessor of more positions than it has successors";
                            SolveError::BrokenPromise(reason.to_owned())
                        })?;
                        if wins || left == 0 {
                            put_decided(decided, key, if wins { phase.win } else { phase.loss })?;
                            solved.found += 1;
                        } else {
                            put_undecided(left_open, key, left)?;
                            solved.open += 1;
                        }
                    }
                    Ok(())
                })
            })
        })?;
        self.files.progress.advance(solved.found);
        remove_all(self.files.spill, &["won-", "refuted-"])?;
        self.files.spill.remove(&last)?;
        Ok(solved)
    }

    /// Lists the predecessors that a phase notifies: the runs of positions that win, and of positions with a refuted
    /// turn.
    fn tell(&self, turns: u16, phase: &Phase) -> Result<[Vec<String>; 2], SolveError> {
        let (mut won, mut refuted) = (Notified::new("won-"), Notified::new("refuted-"));
        // Wins and losses in one turn are in the first file too.
        for decided in (0..turns).filter(|&earlier| earlier + 1 == turns || turns == 2) {
            let (decided, most) = (format!("decided-{decided}"), self.files.sizes.gathered);
            self.files.each_batch(&decided, most, scored, &mut |batch| {
                for (told, list) in [(true, &mut won), (false, &mut refuted)] {
                    let tells = |&&(_, score): &&(u64, u16)| match told {
                        true => phase.passes_on_loss(score),
                        false => phase.passes_on_win(score),
                    };
                    let keys: Vec<u64> = batch.iter().filter(tells).map(|&(key, _)| key).collect();
                    let found = run_tasks(self.files.pool, &keys, &|_, keys| self.game.predecessors(keys))?;
                    found.iter().for_each(|found| list.keys.extend_from_slice(found));
                    if list.keys.len() as u64 * 8 > self.files.sizes.waiting / 4 {
                        list.write(self.files.spill, self.files.pool)?;
                    }
                }
                Ok(())
            })?;
        }
        won.write(self.files.spill, self.files.pool)?;
        refuted.write(self.files.spill, self.files.pool)?;
        Ok([won.runs, refuted.runs])
    }
}

//! Solves games with a dense numbering that can repeat, either with predecessors or forwards only. In the
//! forwards case, every phase asks again for the scores of the successors of all open positions.
//!
//! Each phase scans the scores for the positions that the previous phase decided, instead of keeping a
//! list of them. Symmetries are not used: images of a position may belong to other processes, and finding
//! the canonical form of an orbit would cost as much as it saves.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};

use retrograde_game::{Dense, Index, Outcome, Score, Successor, Turns, Value};

use super::ask::Seen;
use super::back::{OpenPositions, solve_phases};
use super::dense::{Attempt, BySuccessors, DenseShare, Verdict, narrow_then_wide};
use super::job::{SavedAt, SharedJob};
use super::send::{Sends, Word};
use super::sink::ScoreSink;
use super::team::Team;
use crate::exchange::{Exchange, Tally};
use crate::job::{SolveError, require_alternation};
use crate::memory;
use crate::phase::Phase;
use crate::retrograde::{Capabilities, EachPredecessorIndex};
use crate::widths::Width;

/// The memory for each index that a process owns, in bytes.
pub const RETROGRADE_BYTES: u64 = 3;

/// The number of indices that a thread expands at a time.
const PART: u64 = 1 << 12;
/// The number of positions that a thread scans, without expanding them, at a time.
const LOOK: usize = 1 << 16;
/// The maximum number of turns of a position that can be counted.
const MAX_TURNS: usize = u16::MAX as usize - 1;

/// Solves a game that can repeat, together with all other processes, and passes the scores to `sink` at
/// process 0. Uses the predecessors of the game if `able` has them, otherwise looks forwards only.
///
/// # Errors
/// Returns an error if the game does not fit into memory, the solve is stopped, a game takes more than
/// 32,765 turns, or a checkpoint, the sink or another process fails.
pub fn retrograde<G: Dense>(
    game: &G,
    able: Capabilities<G>,
    exchange: &mut dyn Exchange,
    job: &mut SharedJob<'_>,
    sink: &mut dyn ScoreSink,
) -> Result<(), SolveError> {
    require_alternation(game, "solving on several processes")?;
    narrow_then_wide(exchange, job, sink, |team, width, found, sink| {
        phases(game, team, width, found, sink, able.before)
    })
}

/// Runs the phases with scores of one width. Only the phases determine whether a game is too long for it,
/// as on a single machine, so the tables are the same.
fn phases<G: Dense>(
    game: &G,
    team: &mut Team<'_, '_>,
    width: Width,
    found: Option<SavedAt>,
    sink: &mut dyn ScoreSink,
    before: Option<EachPredecessorIndex<G>>,
) -> Attempt {
    let share = DenseShare::new(game, team, width, if before.is_some() { 2 } else { 0 })?;
    let (mut turns, horizon) = (0, team.job.horizon);
    if let Some(found) = found {
        turns = u16::try_from(found.stage).map_err(|_| SolveError::TooDeep)?;
        share.resume(team, found)?;
    }
    let mut left = Vec::new();
    if before.is_some() {
        memory::reserve(&mut left, share.own() as usize)?;
        left.extend((0..share.own()).map(|_| AtomicU16::new(0)));
    }
    share.first_look(team, &left)?;
    let Some(phase) = Phase::passed_on_before(turns) else { return Ok(false) };
    let mut open = OpenIndices { share: &share, before, left, phase };
    if turns > 1 && before.is_some() {
        team.send(&open)?;
    }
    match solve_phases(team, &mut open, turns, horizon)? {
        true => share.finish(team, sink),
        false => Ok(false),
    }
}

impl<G: Dense> DenseShare<'_, G> {
    /// Decides indices without a position and positions that are over, have no turns, or are won or lost
    /// at once, and counts the turns of the rest if there are counters. Sends no messages. Positions that
    /// are already decided stay as they are.
    fn first_look(&self, team: &mut Team<'_, '_>, counters: &[AtomicU16]) -> Result<(), SolveError> {
        team.job.progress.stage("looking at every position", self.own_main);
        let progress = team.job.progress;
        let within = |value| u16::from_value(value).filter(|_| team.job.horizon != Some(Turns(0)));
        let (win, loss) = (within(Value::Win(Turns(1))), within(Value::Loss(Turns(1))));
        let too_many = AtomicBool::new(false);
        team.pool.each_range(self.own_main as usize, PART as usize, &|places| {
            let mut next = Vec::new();
            if progress.stopped() || too_many.load(Ordering::Relaxed) {
                return;
            }
            let count = places.len() as u64;
            self.each_undecided(places.start as u64..places.end as u64, |place, position| {
                let decide = |score| self.scores.set(place, score);
                if let Some(outcome) = self.game.result(&position) {
                    return decide(u16::over(outcome));
                }
                if let Some(win) = win.filter(|_| self.game.wins_now(&position)) {
                    return decide(win);
                }
                next.clear();
                let counter = counters.get(place as usize);
                let (mut any, mut never) = (false, false);
                let _ = self.game.each_numbered_successor(&position, |reached| {
                    any = true;
                    match reached {
                        Successor::At(reached) | Successor::Again(reached) => next.push(reached.0),
                        Successor::Terminal(outcome) => never |= outcome != Outcome::Win,
                    }
                    if counter.is_some() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                });
                if !any {
                    decide(u16::over(self.game.outcome_without_turns()));
                } else if let Some(counter) = counter {
                    next.sort_unstable();
                    next.dedup();
                    too_many.fetch_or(next.len() > MAX_TURNS, Ordering::Relaxed);
                    // A turn that is never refuted adds one that is never counted down.
                    let count = next.len().min(MAX_TURNS) as u16 + u16::from(never);
                    counter.store(count, Ordering::Relaxed);
                    // Every turn loses at once, and no message will say so.
                    if let Some(loss) = loss.filter(|_| count == 0) {
                        decide(loss);
                    }
                }
            });
            progress.advance(count);
        });
        if team.any_failed(too_many.into_inner())? {
            let name = self.game.name();
            let reason = format!(
                "{name}: some position has more than {MAX_TURNS} turns, and they are counted in two bytes"
            );
            return Err(SolveError::Outside(reason.into()));
        }
        let stop = team.stop();
        match team.exchange.add_up(stop)?.has(Tally::STOP) {
            true => Err(SolveError::Stopped),
            false => Ok(()),
        }
    }
}

/// The undecided indices. With predecessors, the unrefuted turns of each position are counted. Without, a position
/// with a turn to a loss wins; if all turns are refuted, it is lost.
struct OpenIndices<'s, 'a, G: Dense> {
    share: &'s DenseShare<'a, G>,
    before: Option<EachPredecessorIndex<G>>,
    /// By place: the unrefuted turns, if there are predecessors.
    left: Vec<AtomicU16>,
    phase: Phase,
}

impl<G: Dense> OpenIndices<'_, '_, G> {
    /// Asks for the scores of the successors of all undecided positions.
    fn ask(&self, team: &mut Team<'_, '_>) -> Result<(), SolveError> {
        let (share, Phase { turns, win, loss, .. }) = (self.share, self.phase);
        let batch = team.batch(share.turns());
        let batches = team.agree([(0, share.own_main)], batch)?.remove(&0).unwrap_or(0);
        // Ignores values decided in this phase.
        let rule = |_, seen: Seen| match seen.least.map_or(Some(Value::Win(Turns(0))), Score::value) {
            Some(Value::Loss(lost)) if lost < turns => Verdict::Decided(win),
            Some(Value::Win(won)) if won < turns => Verdict::Decided(loss),
            _ => Verdict::Open,
        };
        team.ask(&mut BySuccessors::new(share, rule, false), batches, |_, number| {
            let from = number.saturating_mul(batch as u64).min(share.own_main);
            let to = from.saturating_add(batch as u64).min(share.own_main);
            (from..to).filter(|&place| share.scores.is_unknown(place)).collect()
        })
    }
}

impl<G: Dense> OpenPositions for OpenIndices<'_, '_, G> {
    fn count_open(&self, team: &Team<'_, '_>) -> u64 {
        let open = AtomicU64::new(0);
        team.pool.each_range(self.share.own_main as usize, LOOK, &|places| {
            let here = places.filter(|&place| self.share.scores.is_unknown(place as u64)).count();
            open.fetch_add(here as u64, Ordering::Relaxed);
        });
        open.into_inner()
    }

    fn phase(&mut self, team: &mut Team<'_, '_>, turns: u16) -> Result<bool, SolveError> {
        let Some(phase) = self.share.scores.phase(turns) else { return Ok(false) };
        self.phase = phase;
        match self.before {
            Some(_) => team.send(self)?,
            None => self.ask(team)?,
        }
        Ok(true)
    }

    fn save(&self, team: &mut Team<'_, '_>, turns: u16) -> Result<(), SolveError> {
        self.share.save(team, turns.into())
    }

    fn end(&self, team: &Team<'_, '_>) {
        let scores = &self.share.scores;
        team.pool.each_range(self.share.own_main as usize, LOOK, &|places| {
            for place in places.map(|place| place as u64).filter(|&place| scores.is_unknown(place)) {
                scores.set(place, u16::DRAW);
            }
        });
    }
}

impl<G: Dense> Sends for OpenIndices<'_, '_, G> {
    fn parts(&self) -> usize {
        self.share.own_main.div_ceil(PART) as usize
    }

    fn address(&self, id: u64) -> (usize, u64) {
        let (owner, place) = self.share.partition.place(Index(id));
        (owner as usize, place)
    }

    fn part(&self, part: usize, send: &mut dyn FnMut(Word, u64)) -> Result<(), SolveError> {
        let (share, phase) = (self.share, &self.phase);
        let mut one = Vec::new();
        let from = part as u64 * PART;
        for place in from..(from + PART).min(share.own_main) {
            let score = share.scores.get(place);
            let word = match score {
                score if phase.passes_on_loss(score) => Word::Wins,
                score if phase.passes_on_win(score) => Word::Refuted,
                _ => continue,
            };
            let index = share.index(place);
            // The first look already took turns to finished positions into account.
            let over = score == u16::over(Outcome::Loss) || score == u16::over(Outcome::Win);
            if over && share.game.position(index).is_none_or(|at| share.game.result(&at).is_some()) {
                continue;
            }
            one.clear();
            if let Some(before) = self.before {
                before(share.game, index, &mut |Index(previous)| one.push(previous));
            }
            one.sort_unstable();
            one.dedup();
            one.iter().for_each(|&previous| send(word, previous));
        }
        Ok(())
    }

    fn receive(&self, word: Word, places: &[u64]) -> Option<()> {
        let Phase { win, loss, .. } = self.phase;
        for &place in places {
            let left = self.left.get(place as usize)?;
            if !self.share.scores.is_unknown(place) {
                continue;
            }
            // A position that wins in this phase has a turn that is never refuted, so the order of words
            // does not matter.
            match word {
                Word::Wins => self.share.scores.set(place, win),
                Word::Refuted if left.fetch_sub(1, Ordering::Relaxed) == 1 => {
                    self.share.scores.set(place, loss);
                }
                Word::Refuted => {}
            }
        }
        Some(())
    }
}

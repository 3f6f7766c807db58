//! Builds a set of positions with one turn each that is closed under all replies, so that a side
//! never loses.
//!
//! In all positions of the set the side is to move. After the turn of a position, every reply leads
//! back into the set or to a position in which the side wins in one turn. The latter have no entry,
//! since a checker can find the winning turn. Most replies are of this kind, so this keeps the set
//! small.
//!
//! A work list has the positions without a turn. A turn whose replies are all known costs nothing.
//! Other turns are compared by the number of new positions that they add, first on a sample of the
//! replies, then the best on all. Further passes walk through the set from the start, choose among
//! the turns that stay in it, and drop positions that are no longer reached.

use std::ops::ControlFlow;

use retrograde_game::{Index, Outcome, Seat};
use retrograde_solve::Pool;
use rustc_hash::{FxHashMap, FxHashSet};
use schemars::JsonSchema;
use serde::Serialize;

use crate::query::proof_status::{ProofStatus, ProofStatuses};
use crate::{Count, Error, OpenGame, Player, Position, Resources, bounds};

/// The size of a set of positions while it was being closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Growth {
    /// Positions that have a turn.
    pub with_turn: Count,
    /// Positions that still need one.
    pub waiting: Count,
    /// Different positions after those turns.
    pub after_turns: Count,
}

/// A set of positions with one turn each, which proves that a side never loses, or the part of it that
/// was found (`certificate`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Certificate {
    /// The canonical name of the game.
    pub game: String,
    /// The side that never loses.
    pub side: Player,
    /// Whether the set is closed; if not, the exit status is 1.
    pub closed: bool,
    /// Positions in the set, including those that still need a turn.
    pub positions: Count,
    /// Different positions after those turns.
    pub after_turns: Count,
    /// The size of the set after the first pass and after each pass that shrank it.
    pub passes: Vec<Count>,
    /// How the set grew in the first pass: its state whenever its size had doubled, and at the end.
    pub growth: Vec<Growth>,
    /// The certificate file; null if the set is not closed.
    pub file: Option<String>,
    /// Its size in bytes.
    pub bytes: Option<Count>,
    /// Its checksum: 16 hexadecimal digits.
    pub checksum: Option<String>,
}

/// Marks a position of the set without a turn.
const WAITING: u64 = u64::MAX;
/// The number of replies to sample for each turn.
const SAMPLE: usize = 24;
/// The maximum number of turns of a position to sample.
const SAMPLED_TURNS: usize = 256;
/// The number of replies to look at before taking the best turn so far.
const MAX_REPLIES: usize = 1 << 14;
/// The maximum number of further passes.
const PASSES: usize = 12;
/// The last pass is the first one that removes less than one in this many positions.
const MIN_GAIN: usize = 200;
/// The maximum number of positions whose turns are chosen in parallel.
const MAX_BATCH: usize = 1 << 10;
/// The memory per position of the set in bytes.
const BYTES_PER_POSITION: u64 = 100;

/// The turns of a side: the index of a position, and the index of the position its turn leads to.
pub(crate) type Turned = FxHashMap<u64, u64>;

/// A closed set, or how far it got.
pub(crate) struct Closure {
    pub closed: bool,
    pub turns: Turned,
    pub after_turns: u64,
    pub passes: Vec<Count>,
    pub growth: Vec<Growth>,
}

/// Closes a set for a side with at most `limit` positions.
pub(crate) fn close(
    open: &OpenGame,
    side: Seat,
    limit: u64,
    resources: &Resources<'_>,
) -> Result<Closure, Error> {
    open.entry.game.require_alternation("a strategy as a set of positions")?;
    let statuses = ProofStatuses::new(open, resources)?;
    let limit = limit.min(resources.memory.saturating_sub(statuses.bytes()) / BYTES_PER_POSITION);
    let threads = retrograde_solve::pool(resources.threads)?;
    let pass = |within: Option<&Turned>| {
        let mut pass = Pass {
            open,
            statuses: &statuses,
            limit,
            resources,
            threads: &threads,
            within,
            turns: Turned::default(),
            after: FxHashSet::default(),
            work: Vec::new(),
            growth: Vec::new(),
        };
        let closed = pass.run(side)?;
        Ok::<_, Error>((closed, pass.turns, pass.after.len() as u64, pass.growth))
    };
    let (closed, mut turns, mut after_turns, growth) = pass(None)?;
    let mut passes = vec![Count(turns.len() as u128)];
    while closed && passes.len() <= PASSES {
        let (closed_again, fewer, after, _) = pass(Some(&turns))?;
        if !closed_again || fewer.len() >= turns.len() {
            break;
        }
        let enough = turns.len() - fewer.len() < turns.len() / MIN_GAIN;
        (turns, after_turns) = (fewer, after);
        passes.push(Count(turns.len() as u128));
        if enough {
            break;
        }
    }
    Ok(Closure { closed, turns, after_turns, passes, growth })
}

/// One walk through the set from the start.
struct Pass<'a> {
    open: &'a OpenGame,
    statuses: &'a ProofStatuses<'a>,
    limit: u64,
    resources: &'a Resources<'a>,
    threads: &'a Pool,
    /// The set to stay in, with its turns.
    within: Option<&'a Turned>,
    turns: Turned,
    /// Positions after a turn whose replies are in the set.
    after: FxHashSet<u64>,
    work: Vec<u64>,
    growth: Vec<Growth>,
}

/// A chosen turn: the position it leads to, and the replies that need an entry.
struct Choice {
    next: u64,
    replies: Vec<u64>,
}

impl Pass<'_> {
    /// Closes the set. Returns false if it exceeds the limit.
    fn run(&mut self, side: Seat) -> Result<bool, Error> {
        self.resources.progress.stage("collecting positions", 0);
        self.begin(side)?;
        let mut noted = 1;
        while !self.work.is_empty() {
            bounds::check()?;
            if self.resources.progress.stopped() {
                return Err(Error::Stopped);
            }
            let max = (self.after.len() / 16).clamp(1, MAX_BATCH);
            let batch = self.work.split_off(self.work.len().saturating_sub(max));
            let chosen = self.threads.results(batch.len(), &|number| self.choose(batch[number]))?;
            for (here, Choice { next, replies }) in batch.iter().zip(chosen) {
                self.turns.insert(*here, next);
                self.after.insert(next);
                replies.into_iter().for_each(|reply| self.add(reply));
            }
            self.resources.progress.advance(batch.len() as u64);
            let with_turn = self.turns.len() - self.work.len();
            if with_turn >= noted {
                self.note();
                noted = with_turn * 2;
            }
            if self.turns.len() as u64 > self.limit {
                self.note();
                return Ok(false);
            }
        }
        self.note();
        Ok(true)
    }

    /// Adds the start, or the positions after every first turn.
    fn begin(&mut self, side: Seat) -> Result<(), Error> {
        let game = &*self.open.entry.game;
        let start = game.start();
        let roots = if side == Seat::First { vec![start] } else { self.successors(&start) };
        for root in roots {
            match self.statuses.exact(&root)? {
                ProofStatus::Won => {}
                ProofStatus::Needed(index) if !self.statuses.is_lost(index)? => self.add(index),
                ProofStatus::Needed(_) | ProofStatus::Lost => {
                    let (side, text) = (side.name(), game.position_text(&root));
                    let reason =
                        format!("{side} can be forced to lose {}, in position {text}", self.open.name());
                    return Err(Error::Unsupported(reason));
                }
            }
        }
        Ok(())
    }

    fn note(&mut self) {
        let growth = Growth {
            with_turn: Count((self.turns.len() - self.work.len()) as u128),
            waiting: Count(self.work.len() as u128),
            after_turns: Count(self.after.len() as u128),
        };
        if self.growth.last() != Some(&growth) {
            self.growth.push(growth);
        }
    }

    /// Adds a position without a turn.
    fn add(&mut self, index: u64) {
        self.turns.entry(index).or_insert_with(|| {
            self.work.push(index);
            WAITING
        });
    }

    /// Chooses the turn of a position.
    fn choose(&self, here: u64) -> Result<Choice, Error> {
        let game = &*self.open.entry.game;
        let mut turns = Vec::new();
        for next in self.successors(&self.open.position_at(Index(here))?) {
            if game.result(&next) != Some(Outcome::Win) {
                turns.push(self.statuses.index(&next)?);
            }
        }
        turns.sort_unstable();
        if let Some(&next) = turns.iter().find(|turn| self.after.contains(turn)) {
            return Ok(Choice { next, replies: Vec::new() });
        }
        let next = self.cheapest(here, &turns)?;
        let mut replies = Vec::new();
        for reply in self.successors(&self.open.position_at(Index(next))?) {
            if let ProofStatus::Needed(index) = self.statuses.exact(&reply)? {
                replies.push(index);
            }
        }
        // Sorted, so that the order does not depend on hashes.
        replies.sort_unstable();
        Ok(Choice { next, replies })
    }

    /// The turn that adds the fewest new positions, within the search limits.
    fn cheapest(&self, here: u64, turns: &[u64]) -> Result<u64, Error> {
        let every = turns.len().div_ceil(SAMPLED_TURNS).max(1);
        let mut sampled = Vec::new();
        for (number, &next) in turns.iter().enumerate() {
            let sample =
                if number % every == 0 { self.cost(next, SAMPLE, usize::MAX)?.0 } else { Some(usize::MAX) };
            if let Some(cost) = sample {
                sampled.push((cost, next));
            }
        }
        sampled.sort_unstable();
        if let Some(&known) = self.within.and_then(|within| within.get(&here)) {
            sampled.insert(0, (0, known));
        }
        let (mut best, mut effort) = (None, 0);
        for (_, next) in sampled {
            let most = best.map_or(usize::MAX, |(cost, _)| cost);
            let (cost, looked) = self.cost(next, usize::MAX, most)?;
            effort += looked;
            if let Some(cost) = cost {
                best = Some((cost, next));
            }
            if best.is_some_and(|(cost, _)| cost == 0 || effort > MAX_REPLIES) {
                break;
            }
        }
        match best {
            Some((_, next)) => Ok(next),
            None => {
                let text = self.open.entry.game.position_text(&self.open.position_at(Index(here))?);
                let name = self.open.name();
                let reason = format!(
                    "the values of {name} contradict each other: {text} is not lost, but every turn loses"
                );
                Err(Error::Unsupported(reason))
            }
        }
    }

    /// The number of new positions that a turn to an index adds, among the first `sample` replies;
    /// `None` if a reply wins or leaves the set, or if there are at least `most`. Also returns the
    /// number of replies looked at.
    fn cost(&self, next: u64, sample: usize, most: usize) -> Result<(Option<usize>, usize), Error> {
        let position = self.open.position_at(Index(next))?;
        let mut new = FxHashSet::default();
        let (mut looked, mut good, mut failed) = (0, true, None);
        let _ = self.open.entry.game.each_successor(&position, &mut |reply| {
            looked += 1;
            match self.statuses.quick(&reply, |index| self.turns.contains_key(&index)) {
                Ok(ProofStatus::Won) => {}
                Ok(ProofStatus::Lost) => good = false,
                Ok(ProofStatus::Needed(index)) => {
                    good = self.within.is_none_or(|within| within.contains_key(&index));
                    if !self.turns.contains_key(&index) {
                        new.insert(index);
                    }
                }
                Err(error) => failed = Some(error),
            }
            good &= new.len() < most;
            if failed.is_some() || !good || looked >= sample {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        if let Some(error) = failed {
            return Err(error);
        }
        let whole = looked < sample && self.within.is_none();
        good = good && !(whole && self.statuses.any_lost(new.iter().copied().collect())?);
        Ok((good.then_some(new.len()), looked))
    }

    /// The positions after all turns, without duplicates.
    fn successors(&self, position: &Position) -> Vec<Position> {
        let mut seen = std::collections::HashSet::new();
        let _ = self.open.entry.game.each_successor(position, &mut |next| {
            seen.insert(next);
            ControlFlow::Continue(())
        });
        seen.into_iter().collect()
    }
}

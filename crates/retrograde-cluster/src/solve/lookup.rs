//! Looking up successors on a cluster: positions are decided from the scores of their successors,
//! which their owners answer.
//!
//! Positions come in batches of bounded size, one a round. A batch is expanded into its successors;
//! those of one owner are sorted, and each is asked for once, packed into a byte or two. The owner
//! answers in the next round with one score each, and the batch is decided. Meanwhile the next
//! batch is on its way, so a round carries the questions of one batch and the answers of the one
//! before. A batch is answered only after the one before it is decided everywhere, so it may depend
//! on that one.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use retrograde_game::{Dense, Index, Successor};
use retrograde_solve::array::{ScoreArray, SharedScore};
use retrograde_solve::{Pool, SolveError};

use super::run::Run;
use crate::error::ClusterError;
use crate::partition::Partition;
use crate::transport::{Packet, PacketKind, Places, Tally};

/// The result for a position.
pub(crate) enum Verdict<S> {
    Decided(S),
    Open,
    /// Its score does not fit.
    TooLong,
}

/// A rule that decides positions from the scores of their successors, which come in any order and
/// perhaps repeatedly.
pub(crate) trait Rule<S>: Sync {
    /// A summary of the successors seen so far.
    type Seen: Copy + Default + Send + Sync;
    fn see(&self, seen: &mut Self::Seen, score: S);
    fn decide(&self, index: Index, seen: Self::Seen) -> Verdict<S>;
}

/// The most positions of a chunk: their numbers share eight bytes with places.
const CHUNK_BITS: u32 = 20;

/// A part of a batch, for one thread.
struct Chunk<A> {
    places: Vec<u64>,
    seen: Vec<A>,
    /// For each owner, successors by place, with the position that has them in the low bits.
    asked: Vec<Vec<u64>>,
    /// The answers of the owners.
    answers: Vec<Vec<u8>>,
}

/// The counts of all decisions.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Decisions {
    pub decided: u64,
    pub too_long: bool,
}

impl<G: Dense, S: SharedScore> Run<'_, '_, G, S> {
    /// Decides positions by a rule: `batch(n)` gives the local places of batch n of `batches`, a
    /// number on which all have agreed. `pause` is called between rounds when a checkpoint is due.
    /// Counts are those of all processes.
    pub(crate) fn decide_by_successors<R: Rule<S>>(
        &mut self,
        rule: &R,
        batches: u64,
        mut batch: impl FnMut(&Self, u64) -> Vec<u64>,
        pause: &mut dyn FnMut(&mut Self) -> Result<(), ClusterError>,
    ) -> Result<Decisions, ClusterError> {
        let (decided, too_long) = (AtomicU64::new(0), AtomicU64::new(0));
        let mut flying: Vec<Chunk<R::Seen>> = Vec::new();
        let mut answers: Vec<Packet> = Vec::new();
        for round in 0..=batches {
            let next = match round < batches {
                true => {
                    let places = batch(self, round);
                    let (game, partition, me) = (self.game, &self.partition, self.me);
                    expand::<G, S, R>(&self.session.pool, game, partition, me, rule, &places)
                }
                false => Vec::new(),
            };
            let mut packets = std::mem::take(&mut answers);
            let me = self.me;
            packets.extend(
                self.session
                    .pool
                    .all(next.len(), &|tag| next[tag].questions(tag as u64, me))
                    .into_iter()
                    .flatten(),
            );
            let wishes = self.wishes();
            let (packets, tally) = self.session.transport.exchange(packets, wishes)?;
            for packet in &packets {
                match packet.kind {
                    PacketKind::Answer => {
                        let wrong = ClusterError::Protocol {
                            from: packet.from,
                            what: "an answer without a question",
                        };
                        let chunk = usize::try_from(packet.tag).ok().and_then(|tag| flying.get_mut(tag));
                        let place = chunk.and_then(|chunk| chunk.answers.get_mut(packet.from as usize));
                        *place.ok_or(wrong)? = packet.bytes.clone();
                    }
                    PacketKind::Question => {}
                    _ => {
                        return Err(ClusterError::Protocol {
                            from: packet.from,
                            what: "what nobody asked for",
                        });
                    }
                }
            }
            let (scores, partition, me) = (&self.scores, &self.partition, self.me);
            let progress = self.job.progress;
            let flew: Vec<Mutex<Chunk<R::Seen>>> = flying.into_iter().map(Mutex::new).collect();
            self.session.pool.results(flew.len(), &|number| {
                let chunk = &mut *flew[number].lock();
                let (now, long) = chunk.decide(rule, scores, partition, me)?;
                decided.fetch_add(now, Ordering::Relaxed);
                too_long.fetch_add(long, Ordering::Relaxed);
                progress.advance(chunk.places.len() as u64);
                Ok::<(), ClusterError>(())
            })?;
            let asks: Vec<&Packet> =
                packets.iter().filter(|packet| packet.kind == PacketKind::Question).collect();
            answers = self.session.pool.results(asks.len(), &|number| answer(asks[number], scores, me))?;
            if tally.has(Tally::SAVE) || tally.has(Tally::STOP) {
                pause(self)?;
            }
            if tally.has(Tally::STOP) {
                return Err(SolveError::Stopped.into());
            }
            flying = next;
        }
        let long = Tally::flag(Tally::TOO_LONG, too_long.into_inner() > 0);
        let tally =
            self.session.transport.all_reduce(Tally { sums: [decided.into_inner(), 0, 0], ..long })?;
        Ok(Decisions { decided: tally.sums[0], too_long: tally.has(Tally::TOO_LONG) })
    }
}

/// Expands positions into their successors, by all threads.
fn expand<G: Dense, S: SharedScore, R: Rule<S>>(
    pool: &Pool,
    game: &G,
    partition: &Partition,
    me: u32,
    rule: &R,
    places: &[u64],
) -> Vec<Chunk<R::Seen>> {
    let size = places.len().div_ceil(pool.threads() * 4).clamp(1, 1 << CHUNK_BITS);
    pool.all(places.len().div_ceil(size), &|number| {
        let places = &places[number * size..places.len().min((number + 1) * size)];
        let mut asked = vec![Vec::new(); partition.processes()];
        let mut seen = vec![R::Seen::default(); places.len()];
        for (position, (&place, seen)) in (0_u64..).zip(places.iter().zip(&mut seen)) {
            let _ = game.each_successor_at(partition.index(me, place), |next| {
                match next {
                    Successor::Terminal(outcome) => rule.see(seen, S::over(outcome)),
                    // Players alternate: no other game is solved on several processes.
                    Successor::At(next) | Successor::Again(next) => {
                        let (owner, place) = partition.place(next);
                        asked[owner as usize].push(place << CHUNK_BITS | position);
                    }
                }
                ControlFlow::Continue(())
            });
        }
        // Own scores are read where they are, in any order.
        for (owner, asked) in (0..).zip(&mut asked) {
            if owner != me {
                asked.sort_unstable();
            }
        }
        let answers = vec![Vec::new(); partition.processes()];
        Chunk { places: places.to_vec(), seen, asked, answers }
    })
}

/// The scores that are asked for.
fn answer<S: SharedScore>(
    question: &Packet,
    scores: &ScoreArray<S>,
    me: u32,
) -> Result<Packet, ClusterError> {
    let mut bytes = Vec::with_capacity(question.bytes.len() * S::BYTES);
    question.places(scores.len() as u64, |place| scores.get(place).put(&mut bytes))?;
    Ok(Packet { to: question.from, from: me, round: 0, kind: PacketKind::Answer, tag: question.tag, bytes })
}

impl<A: Copy> Chunk<A> {
    /// Its questions, one packet an owner.
    fn questions(&self, tag: u64, me: u32) -> Vec<Packet> {
        let mut packets = Vec::new();
        for (owner, asked) in (0..).zip(&self.asked) {
            if owner == me || asked.is_empty() {
                continue;
            }
            let mut places = Places::default();
            let mut last = None;
            for place in asked.iter().map(|asked| asked >> CHUNK_BITS) {
                if last != Some(place) {
                    places.push(place);
                    last = Some(place);
                }
            }
            let (kind, bytes) = (PacketKind::Question, places.bytes);
            packets.push(Packet { to: owner, from: me, round: 0, kind, tag, bytes });
        }
        packets
    }

    /// Decides its positions from the answers: how many, and how many scores do not fit.
    fn decide<S: SharedScore, R: Rule<S, Seen = A>>(
        &mut self,
        rule: &R,
        scores: &ScoreArray<S>,
        partition: &Partition,
        me: u32,
    ) -> Result<(u64, u64), ClusterError> {
        const POSITION: u64 = (1 << CHUNK_BITS) - 1;
        for (owner, (asked, answers)) in (0..).zip(self.asked.iter().zip(&self.answers)) {
            if owner == me {
                for asked in asked {
                    rule.see(&mut self.seen[(asked & POSITION) as usize], scores.get(asked >> CHUNK_BITS));
                }
                continue;
            }
            let missing = || ClusterError::Protocol { from: owner, what: "fewer scores than were asked for" };
            let mut at = 0;
            let mut last: Option<(u64, S)> = None;
            for asked in asked {
                let place = asked >> CHUNK_BITS;
                let score = match last {
                    Some((known, score)) if known == place => score,
                    _ => {
                        let score = S::take(answers, at).ok_or_else(missing)?;
                        at += 1;
                        last = Some((place, score));
                        score
                    }
                };
                rule.see(&mut self.seen[(asked & POSITION) as usize], score);
            }
        }
        let (mut decided, mut too_long) = (0, 0);
        for (&place, &seen) in self.places.iter().zip(&self.seen) {
            match rule.decide(partition.index(me, place), seen) {
                Verdict::Decided(score) => {
                    scores.set(place, score);
                    decided += 1;
                }
                Verdict::Open => {}
                Verdict::TooLong => too_long += 1,
            }
        }
        Ok((decided, too_long))
    }
}

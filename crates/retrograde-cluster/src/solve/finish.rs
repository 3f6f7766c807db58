//! The end of a solve: the positions before the game, and the scores of all processes at process 0.
//! They come in pieces of bounded size and in the order of indices, so that the table is the one
//! that a single machine writes.

use std::ops::Range;

use parking_lot::Mutex;
use retrograde_game::{Dense, Index, Value};
use retrograde_solve::array::SharedScore;
use retrograde_solve::{SolveError, score_without_turns};
use retrograde_table::Counts;

use super::job::ClusterJob;
use super::lookup::{Rule, Verdict};
use super::run::Run;
use super::sink::{ScoreSink, ScoreTotals};
use crate::error::ClusterError;
use crate::session::Session;
use crate::transport::{Packet, PacketKind, Tally};

/// Indices of a window: all processes together send as many scores in a round.
const WINDOW: u64 = 1 << 22;
/// Scores that a thread counts at a time.
const COUNTED: usize = 1 << 20;

/// Whether the scores were long enough; then the sink of process 0 has taken all of them.
pub(crate) type Attempt = Result<bool, ClusterError>;

/// Solves with scores of one byte, and if a game is too long for them with two. A saved state goes
/// to the solver that saved it.
pub(crate) fn narrow_then_wide<'j>(
    session: &mut Session,
    job: &mut ClusterJob<'j>,
    sink: &mut dyn ScoreSink,
    narrow: impl Fn(&mut Session, &mut ClusterJob<'j>, &mut dyn ScoreSink) -> Attempt,
    wide: impl Fn(&mut Session, &mut ClusterJob<'j>, &mut dyn ScoreSink) -> Attempt,
) -> Result<(), ClusterError> {
    let score_bytes = match &mut job.checkpoint {
        Some(checkpoint) => checkpoint.look(&mut session.transport)?,
        None => None,
    };
    if score_bytes != Some(2) && narrow(session, job, sink)? {
        return Ok(());
    }
    if wide(session, job, sink)? { Ok(()) } else { Err(SolveError::TooDeep.into()) }
}

/// Positions before the game take the best of what their successors are worth, where a turn may not
/// count.
struct BestOfSuccessors<'a, G>(&'a G);

#[derive(Clone, Copy, Default)]
struct Seen {
    /// The smallest and the greatest score of what is decided, as values of the side to move there.
    worst: Option<Value>,
    undecided: bool,
    /// A successor before the game is not yet looked at.
    waits: bool,
}

impl<G: Dense, S: SharedScore> Rule<S> for BestOfSuccessors<'_, G> {
    type Seen = Seen;

    fn see(&self, seen: &mut Seen, score: S) {
        match score.value() {
            Some(value) => seen.worst = Some(seen.worst.map_or(value, |worst| worst.min(value))),
            None if score == S::NOT_LOST => seen.waits = true,
            None => seen.undecided = true,
        }
    }

    fn decide(&self, index: Index, seen: Seen) -> Verdict<S> {
        if seen.waits {
            return Verdict::Open;
        }
        let Some(position) = self.0.position(index) else {
            return Verdict::Decided(S::NONE);
        };
        // The worst value for the opponent is the best one here, whether the turn is counted or
        // not.
        let best = seen.worst.map(|worst| worst.before(self.0.turn_is_counted(&position)));
        let fits = |value| S::from_value(value).map_or(Verdict::TooLong, Verdict::Decided);
        match best {
            // Successors are undecided only with a horizon, and then they end later than it: a win
            // stands, and nothing else does.
            Some(value @ Value::Win(_)) => fits(value),
            _ if seen.undecided => Verdict::Decided(S::UNKNOWN),
            Some(value) => fits(value),
            None => Verdict::Decided(score_without_turns(self.0, index)),
        }
    }
}

impl<G: Dense, S: SharedScore> Run<'_, '_, G, S> {
    /// Solves the positions before the game, and hands all scores to the sink of process 0.
    pub(crate) fn finish(&mut self, sink: &mut dyn ScoreSink) -> Attempt {
        if !self.before_the_game()? {
            return Ok(false);
        }
        self.hand_over(sink)?;
        Ok(true)
    }

    /// Whether all scores fit.
    fn before_the_game(&mut self) -> Result<bool, ClusterError> {
        let (own_main, own) = (self.own_main(), self.own());
        let mut left = self.partition.count() - self.main;
        // A code that no solver uses, for those that are not yet looked at.
        (own_main..own).for_each(|place| self.scores.set(place, S::NOT_LOST));
        let batch = self.batch();
        while left > 0 {
            let waiting: Vec<u64> =
                (own_main..own).filter(|&place| self.scores.get(place) == S::NOT_LOST).collect();
            let batches = self.most((waiting.len() as u64).div_ceil(batch))?;
            let places = |_: &Self, number: u64| {
                let part = waiting.chunks(batch as usize).nth(number as usize);
                part.map_or_else(Vec::new, <[u64]>::to_vec)
            };
            let asked =
                self.decide_by_successors(&BestOfSuccessors(self.game), batches, places, &mut |_| Ok(()))?;
            if asked.too_long {
                return Ok(false);
            }
            if asked.decided == 0 {
                let name = self.game.name();
                let reason = format!("{name}: positions before the game lead to each other in a circle");
                return Err(ClusterError::Connect(reason));
            }
            left -= asked.decided;
        }
        Ok(true)
    }

    /// The greatest of what all processes say.
    pub(crate) fn most(&mut self, own: u64) -> Result<u64, ClusterError> {
        let told = self.session.transport.all_gather(&own.to_le_bytes())?;
        let read =
            |bytes: &Vec<u8>| bytes.iter().rev().fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
        Ok(told.iter().map(read).max().unwrap_or(0))
    }

    /// Hands all scores to process 0's sink, window by window. A round carries a window, and
    /// process 0 begins the next one only when the sink has taken it: the others are at most one
    /// window ahead, and what waits for them in the engine's queues is no more than that.
    fn hand_over(&mut self, sink: &mut dyn ScoreSink) -> Result<(), ClusterError> {
        let totals = self.totals()?;
        let count = self.partition.count();
        self.job.progress.stage("writing", count);
        if let Some(totals) = &totals {
            sink.begin(totals).map_err(ClusterError::Sink)?;
        }
        let step = self.job.window.unwrap_or(WINDOW).max(1);
        let mut from = 0;
        while from < count {
            let window = from..count.min(from.saturating_add(step));
            let mut own = Vec::new();
            let mut first = None;
            // Process 0 has its own scores at hand.
            if self.me != 0 {
                for (place, range) in self.partition.own_pieces(self.me, window.clone()) {
                    first.get_or_insert(place);
                    (place..place + (range.end - range.start))
                        .for_each(|place| self.scores.get(place).put(&mut own));
                }
            }
            let packet = first.map(|first| self.session.transport.packet(0, PacketKind::Scores, first, own));
            let stop = Tally::flag(Tally::STOP, self.job.progress.stopped());
            let (packets, tally) = self.session.transport.exchange(packet.into_iter().collect(), stop)?;
            if tally.has(Tally::STOP) {
                return Err(SolveError::Stopped.into());
            }
            if self.me == 0 {
                let scores = self.in_order(&window, packets)?;
                sink.take(&S::scores(scores)).map_err(ClusterError::Sink)?;
            } else if let Some(packet) = packets.first() {
                return Err(ClusterError::Protocol { from: packet.from, what: "what nobody asked for" });
            }
            self.job.progress.advance(window.end - window.start);
            from = window.end;
        }
        Ok(())
    }

    /// The scores of a window at process 0: its own, and what the others have sent.
    fn in_order(&self, window: &Range<u64>, packets: Vec<Packet>) -> Result<Vec<S::Atomic>, ClusterError> {
        let mut sent: Vec<Option<Packet>> = vec![None; self.partition.processes()];
        for packet in packets {
            match sent.get_mut(packet.from as usize) {
                Some(place @ None) if packet.kind == PacketKind::Scores => *place = Some(packet),
                _ => return Err(ClusterError::Protocol { from: packet.from, what: "what nobody asked for" }),
            }
        }
        let mut scores: Vec<S::Atomic> = (window.start..window.end).map(|_| S::UNKNOWN.atomic()).collect();
        for (from, packet) in (0..).zip(sent) {
            let others = || ClusterError::Protocol { from, what: "scores of others" };
            let bytes = packet.as_ref().map_or(&[][..], |packet| &packet.bytes);
            let mut at = 0;
            for (place, range) in self.partition.own_pieces(from, window.clone()) {
                let first = (range.start - window.start) as usize;
                let scores = &mut scores[first..first + (range.end - range.start) as usize];
                if from == self.me {
                    scores.iter_mut().zip(place..).for_each(|(score, place)| {
                        *score = self.scores.get(place).atomic();
                    });
                    continue;
                }
                // The part of a window that a process owns lies together there, so its packet
                // begins at the first place.
                if at == 0 && packet.as_ref().is_none_or(|packet| packet.tag != place) {
                    return Err(others());
                }
                for score in scores {
                    *score = S::take(bytes, at).ok_or_else(others)?.atomic();
                    at += 1;
                }
            }
            if at * S::BYTES != bytes.len() {
                return Err(others());
            }
        }
        Ok(scores)
    }

    /// The totals of all scores, which process 0 knows before the first of them comes; `None`
    /// elsewhere.
    fn totals(&mut self) -> Result<Option<ScoreTotals>, ClusterError> {
        let (scores, own_main, own) = (&self.scores, self.own_main(), self.own());
        let counts = Mutex::new(Counts::default());
        self.session.pool.each_range(own_main as usize, COUNTED, &|places| {
            let places: Vec<S> = places.map(|place| scores.get(place as u64)).collect();
            let counted = Counts::of_scores(&places);
            counts.lock().merge(&counted);
        });
        let counts = counts.into_inner();
        let undecided = (own_main..own).any(|place| scores.get(place) == S::UNKNOWN);
        let said = serde_json::to_vec(&(counts, undecided)).unwrap_or_default();
        let mut totals = ScoreTotals {
            indices: self.partition.count(),
            score_bytes: S::BYTES,
            counts: Counts::default(),
            undecided_before: false,
        };
        for (from, said) in (0..).zip(self.session.transport.gather_at_first(&said)?) {
            let Ok((counts, undecided)) = serde_json::from_slice::<(Counts, bool)>(&said) else {
                return Err(ClusterError::Protocol { from, what: "counts that cannot be read" });
            };
            totals.counts.merge(&counts);
            totals.undecided_before |= undecided;
        }
        Ok((self.me == 0).then_some(totals))
    }
}

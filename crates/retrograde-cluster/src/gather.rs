//! The end of a solve: the positions before the game, and the scores of all processes at process 0, in pieces of
//! bounded size and in the order of indices, so that what is written is what one machine writes.

use retrograde_game::{Dense, Value};
use retrograde_solve::array::Shared;
use retrograde_solve::{Scores, SolveError};

use crate::ask::{Rule, Verdict};
use crate::packet::Kind;
use crate::run::{Job, Run, without_turns};
use crate::wire::Tally;
use crate::{ClusterError, Session};

/// Indices that are gathered in a round: all processes together send as many scores.
const WINDOW: u64 = 1 << 22;

/// What an attempt gives: `None` if the scores are too short, else those of all at process 0.
pub(crate) type Attempt = Result<Option<Option<Scores>>, ClusterError>;

/// Solves with scores of one byte, and if a game is too long for them with two. What was saved goes to the solver
/// that saved it.
pub(crate) fn narrow_then_wide<'j, G: Dense>(
    session: &mut Session,
    job: &mut Job<'j>,
    narrow: impl Fn(&G, &mut Session, &mut Job<'j>) -> Attempt,
    wide: impl Fn(&G, &mut Session, &mut Job<'j>) -> Attempt,
    game: &G,
) -> Result<Option<Scores>, ClusterError> {
    let score_bytes = match &mut job.shards {
        Some(shards) => shards.look(&mut session.wire)?,
        None => None,
    };
    if score_bytes != Some(2)
        && let Some(scores) = narrow(game, session, job)?
    {
        return Ok(scores);
    }
    wide(game, session, job)?.ok_or_else(|| SolveError::TooDeep.into())
}

/// Positions before the game take the best of what their successors are worth, where a turn may not count.
struct Before<'a, G>(&'a G);

#[derive(Clone, Copy, Default)]
struct Seen {
    /// The smallest and the greatest score of what is decided, as values of the side to move there.
    worst: Option<Value>,
    undecided: bool,
    /// A successor before the game is not yet looked at.
    waits: bool,
}

impl<G: Dense, S: Shared> Rule<S> for Before<'_, G> {
    type Seen = Seen;

    fn see(&self, seen: &mut Seen, score: S) {
        match score.value() {
            Some(value) => seen.worst = Some(seen.worst.map_or(value, |worst| worst.min(value))),
            None if score == S::NOT_LOST => seen.waits = true,
            None => seen.undecided = true,
        }
    }

    fn decide(&self, index: u64, seen: Seen) -> Verdict<S> {
        if seen.waits {
            return Verdict::Open;
        }
        let Some(position) = self.0.position(retrograde_game::Index(index)) else {
            return Verdict::Decided(S::NONE);
        };
        // What is worst for the opponent is best here, whether the turn counts or not.
        let best = seen.worst.map(|worst| worst.before(self.0.counts(&position)));
        let fits = |value| S::from_value(value).map_or(Verdict::TooLong, Verdict::Decided);
        match best {
            // Successors are undecided only with a horizon, and then they end later than it: a win stands, and
            // nothing else does.
            Some(value @ Value::Win(_)) => fits(value),
            _ if seen.undecided => Verdict::Decided(S::UNKNOWN),
            Some(value) => fits(value),
            None => Verdict::Decided(without_turns(self.0, index)),
        }
    }
}

impl<G: Dense, S: Shared> Run<'_, '_, G, S> {
    /// Solves the positions before the game, and gathers all scores: process 0 gets them.
    pub(crate) fn finish(&mut self) -> Attempt {
        if self.before_the_game()? { self.gather().map(Some) } else { Ok(None) }
    }

    /// Whether all scores fit.
    fn before_the_game(&mut self) -> Result<bool, ClusterError> {
        let (own_main, own) = (self.own_main(), self.own());
        let mut left = self.deal.count() - self.main;
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
            let asked = self.ask(&Before(self.game), batches, places, &mut |_| Ok(()))?;
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
        let told = self.session.wire.tell(&own.to_le_bytes())?;
        let read =
            |bytes: &Vec<u8>| bytes.iter().rev().fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
        Ok(told.iter().map(read).max().unwrap_or(0))
    }

    fn gather(&mut self) -> Result<Option<Scores>, ClusterError> {
        let count = self.deal.count();
        self.job.progress.stage("gathering", count);
        let mut all: Vec<S::Atomic> = Vec::new();
        if self.me == 0 {
            // Where this fails the others learn it from whoever gets the error.
            let room = usize::try_from(count).ok().filter(|&room| all.try_reserve_exact(room).is_ok());
            let room = room.ok_or(SolveError::Memory { need: count, limit: self.job.memory })?;
            all.extend((0..room).map(|_| S::UNKNOWN.atomic()));
        }
        for from in (0..count).step_by(WINDOW as usize) {
            let window = from..count.min(from + WINDOW);
            let mut bytes = Vec::new();
            let mut first = None;
            for (place, range) in self.deal.own_pieces(self.me, window.clone()) {
                first.get_or_insert(place);
                for place in place..place + (range.end - range.start) {
                    self.scores.get(place).put(&mut bytes);
                }
            }
            let packet = first.map(|first| self.session.wire.packet(0, Kind::Scores, first, bytes));
            let stop = Tally::flag(Tally::STOP, self.job.progress.stopped());
            let (packets, tally) = self.session.wire.round(packet.into_iter().collect(), stop)?;
            if tally.has(Tally::STOP) {
                return Err(SolveError::Stopped.into());
            }
            for packet in packets {
                let wrong = |what| ClusterError::Protocol { from: packet.from, what };
                if packet.kind != Kind::Scores {
                    return Err(wrong("what nobody asked for"));
                }
                for at in 0..packet.bytes.len() / S::BYTES {
                    let index = self.deal.index(packet.from, packet.tag.saturating_add(at as u64));
                    let score = S::take(&packet.bytes, at);
                    let place = usize::try_from(index).ok().and_then(|index| all.get_mut(index));
                    let (Some(score), Some(place)) = (score, place) else {
                        return Err(wrong("scores of others"));
                    };
                    *place = score.atomic();
                }
            }
            self.job.progress.advance(window.end - window.start);
        }
        Ok((self.me == 0).then(|| S::scores(all)))
    }
}

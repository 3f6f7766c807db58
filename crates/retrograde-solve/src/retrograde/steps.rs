//! The steps of a shard in a phase. They are pure: they read scores and answer with lists, so
//! threads and machines alike can run them.
//!
//! With predecessors a win is found from the loss it leads to ([`Steps::wins`]); without them every
//! look at an open position looks for a loss among its successors too. A loss is found by looking
//! again at positions whose witness is gone ([`Steps::look_again`]), or by counting down along the
//! predecessors of wins ([`Steps::refuted`] and [`Steps::count_down`]).

use std::ops::ControlFlow;

use retrograde_game::{Dense, Index, Outcome, Successor, Turns, Value};

use super::capabilities::{EachImageIndex, EachPredecessorIndex};
use super::shard::{NEVER_REFUTED, NOT_SEEN, Open, Shard};
use super::strategy::Strategy;
use crate::array::{ScoreArray, SharedScore};

/// The game, with what it can do.
pub(crate) struct Steps<'a, G: Dense> {
    pub game: &'a G,
    pub before: Option<EachPredecessorIndex<G>>,
    pub images: Option<EachImageIndex<G>>,
    pub strategy: Strategy,
    /// Whether wins in one turn are decided before the first phase.
    pub wins_at_once: bool,
}

/// The result of another look at a position.
enum Look {
    /// Some turn leads to a loss of the opponent.
    Won,
    /// Every turn leads to a win of the opponent.
    Lost,
    /// It stays open, with this note.
    Open(u64),
}

impl<G: Dense> Steps<'_, G> {
    /// Writes a score to a position and its images.
    pub(crate) fn decide<S: SharedScore>(&self, scores: &ScoreArray<S>, index: u64, score: S) {
        scores.set(index, score);
        if let Some(images) = self.images
            && let Some(position) = self.game.position(Index(index))
        {
            images(self.game, &position, &mut |image| {
                scores.set(image, score);
                ControlFlow::Continue(())
            });
        }
    }

    /// The same for a message that may have come before, or about an image.
    pub(crate) fn decide_if_open<S: SharedScore>(&self, scores: &ScoreArray<S>, index: u64, score: S) {
        if scores.get(index) == S::UNKNOWN {
            self.decide(scores, index, score);
        }
    }

    /// The index of the position that stands for all images of one.
    fn canonical(&self, index: u64) -> u64 {
        let mut smallest = index;
        if let Some(images) = self.images
            && let Some(position) = self.game.position(Index(index))
        {
            images(self.game, &position, &mut |image| {
                smallest = smallest.min(image);
                ControlFlow::Continue(())
            });
        }
        smallest
    }

    /// Before the first phase: decides what no position has, what is over, without turns or won at
    /// once, and lists the rest. It writes its decisions at once, for it reads no score that
    /// matters.
    pub(crate) fn begin<S: SharedScore>(&self, shard: &mut Shard, scores: &ScoreArray<S>) {
        let win = S::from_value(Value::Win(Turns(1))).filter(|_| self.wins_at_once);
        let mut orbit = Vec::new();
        for index in shard.start..shard.end {
            // An image with a smaller index has been decided; most are, and then nothing is to be
            // done.
            if self.images.is_some() && scores.get(index) != S::UNKNOWN {
                continue;
            }
            let Some(position) = self.game.position(Index(index)) else {
                scores.set(index, S::NONE);
                continue;
            };
            orbit.clear();
            let mut smallest = true;
            if let Some(images) = self.images {
                images(self.game, &position, &mut |image| {
                    orbit.push(image);
                    smallest = image >= index;
                    if smallest { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                });
            }
            if !smallest {
                continue;
            }
            let mut stuck = false;
            let score = match (self.game.result(&position), win) {
                (Some(outcome), _) => S::over(outcome),
                (None, Some(win)) if self.game.wins_now(&position) => win,
                _ => {
                    // The first successor is the first witness.
                    let mut note = None;
                    let _ = self.game.each_successor_at(Index(index), |next| {
                        note = Some(match next {
                            Successor::At(next) => next.0,
                            Successor::Terminal(Outcome::Draw) => NEVER_REFUTED,
                            Successor::Terminal(_) => NOT_SEEN,
                        });
                        ControlFlow::Break(())
                    });
                    match note {
                        None => {
                            // Turns into finished losses are known already; these ones are not.
                            stuck = self.game.outcome_without_turns() == Outcome::Loss;
                            S::over(self.game.outcome_without_turns())
                        }
                        Some(note) => {
                            shard.open.push(Open::new(shard, index, note));
                            continue;
                        }
                    }
                }
            };
            if stuck || win.is_none() && score == S::over(Outcome::Loss) {
                shard.lost.push(index);
            }
            scores.set(index, score);
            orbit.iter().for_each(|&image| scores.set(image, score));
        }
        shard.open.shrink_to_fit();
    }

    /// Lists what was open when phase `turns` was to begin.
    pub(crate) fn resume<S: SharedScore>(&self, shard: &mut Shard, scores: &ScoreArray<S>, turns: Turns) {
        let lost_before = turns.0.checked_sub(1).and_then(|turns| S::from_value(Value::Loss(Turns(turns))));
        for index in shard.start..shard.end {
            let score = scores.get(index);
            if score == S::UNKNOWN && self.canonical(index) == index {
                shard.open.push(Open::new(shard, index, NOT_SEEN));
            } else if Some(score) == lost_before && self.canonical(index) == index {
                shard.lost.push(index);
            }
        }
        shard.open.shrink_to_fit();
    }

    /// Positions, perhaps images, with a turn to a loss of the phase before.
    pub(crate) fn wins<S: SharedScore>(&self, shard: &mut Shard, scores: &ScoreArray<S>) -> Vec<u64> {
        let mut wins = Vec::new();
        let lost = std::mem::take(&mut shard.lost);
        if let Some(before) = self.before {
            for index in lost {
                before(self.game, Index(index), &mut |Index(previous)| {
                    if scores.get(previous) == S::UNKNOWN {
                        wins.push(previous);
                    }
                });
            }
            wins.sort_unstable();
            wins.dedup();
        }
        wins
    }

    /// Looks at open positions again and lists the losses among them; with `count` every successor
    /// is looked at and the note becomes the number of those not refuted.
    pub(crate) fn look_again<S: SharedScore>(
        &self,
        shard: &mut Shard,
        scores: &ScoreArray<S>,
        turns: Turns,
        count: bool,
    ) {
        let mut open = std::mem::take(&mut shard.open);
        for position in &mut open {
            let index = position.index(shard);
            let look = match count {
                true => self.count(scores, index, turns),
                false => self.look(scores, index, position.note(), turns),
            };
            match look {
                Look::Open(note) => *position = position.with(note),
                Look::Lost => shard.lost.push(index),
                Look::Won => shard.also_won.push(index),
            }
        }
        shard.open = open;
    }

    /// Another look at an open position, with what was decided before this phase.
    fn look<S: SharedScore>(&self, scores: &ScoreArray<S>, index: u64, witness: u64, turns: Turns) -> Look {
        // With predecessors a win is found from the loss it leads to, so a witness that is not won
        // for the opponent is enough; without them every successor could have become the loss that
        // wins.
        let by_witness = self.before.is_some();
        let standing =
            witness == NEVER_REFUTED || witness != NOT_SEEN && !refuted(scores.get(witness).value(), turns);
        if by_witness && standing {
            return Look::Open(witness);
        }
        let mut witness = None;
        let mut won = false;
        let _ = self.game.each_successor_at(Index(index), |next| {
            let (value, index) = match next {
                Successor::Terminal(outcome) => (Some(Value::over(outcome)), NEVER_REFUTED),
                Successor::At(index) => (scores.get(index.0).value(), index.0),
            };
            if refuted(value, turns) {
                return ControlFlow::Continue(());
            }
            witness = Some(index);
            won = matches!(value, Some(Value::Loss(_)));
            if won || by_witness { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match witness {
            Some(_) if won && !by_witness => Look::Won,
            Some(index) => Look::Open(index),
            // Every turn is refuted, the last of them in the phase before this one: it takes as
            // many turns as this phase has.
            None => Look::Lost,
        }
    }

    /// The number of orbits of successors that are not refuted.
    fn count<S: SharedScore>(&self, scores: &ScoreArray<S>, index: u64, turns: Turns) -> Look {
        let mut left = Vec::new();
        let mut never = false;
        let _ = self.game.each_successor_at(Index(index), |next| {
            match next {
                Successor::Terminal(outcome) => never |= outcome != Outcome::Win,
                Successor::At(next) if !refuted(scores.get(next.0).value(), turns) => {
                    left.push(self.canonical(next.0));
                }
                Successor::At(_) => {}
            }
            ControlFlow::Continue(())
        });
        left.sort_unstable();
        left.dedup();
        match left.len() as u64 + u64::from(never) {
            0 => Look::Lost,
            count => Look::Open(count),
        }
    }

    /// Positions that stand for their orbit, once for each win of the phase before that they have a
    /// turn to.
    pub(crate) fn refuted<S: SharedScore>(&self, shard: &mut Shard, scores: &ScoreArray<S>) -> Vec<u64> {
        let mut all = Vec::new();
        if let Some(before) = self.before {
            let mut one = Vec::new();
            for &index in &shard.won {
                one.clear();
                before(self.game, Index(index), &mut |Index(previous)| {
                    if scores.get(previous) == S::UNKNOWN {
                        one.push(self.canonical(previous));
                    }
                });
                one.sort_unstable();
                one.dedup();
                all.extend_from_slice(&one);
            }
        }
        all
    }

    /// Counts down by the messages that have come, and lists the losses.
    pub(crate) fn count_down(&self, shard: &mut Shard) {
        let mut inbox = std::mem::take(&mut shard.inbox);
        inbox.sort_unstable();
        let mut open = std::mem::take(&mut shard.open);
        let mut at = 0;
        for index in inbox {
            while open.get(at).is_some_and(|open| open.index(shard) < index) {
                at += 1;
            }
            if let Some(position) = open.get_mut(at).filter(|open| open.index(shard) == index) {
                *position = position.with(position.note().saturating_sub(1));
                if position.note() == 0 {
                    shard.lost.push(index);
                }
            }
        }
        shard.open = open;
    }
}

/// Whether a turn to a position of this value was refuted before phase `turns`. Wins in one turn
/// are known before the first phase, but count only after it.
fn refuted(value: Option<Value>, turns: Turns) -> bool {
    matches!(value, Some(Value::Win(won)) if won < turns)
}

//! Decides positions by asking the owners of their successors for scores.
//!
//! Each round handles one batch of bounded size. A batch is expanded into its successors, which are
//! grouped by owner, sorted and deduplicated. In the next round each owner answers with one score per
//! successor, and the batch is decided. Batches are pipelined: a round carries the questions of one
//! batch and the answers to the previous one. A batch is answered only after the previous batch is
//! decided in all processes, so it may depend on that batch.

use retrograde_game::Score;

use super::team::{Team, saves};
use super::words::{WAITS, groups, put_group, put_scores, take_scores};
use crate::exchange::{Piece, Tally};
use crate::job::SolveError;
use crate::reachable::{SuccessorLookups, circle, missing_successor};

/// A successor of a position.
pub(super) enum Next {
    /// A successor with a known score.
    Score(u16),
    /// A group, such as a grade, and a position in it.
    At(u64, u64),
}

impl SuccessorLookups {
    /// Visits all successors, each with the number of its predecessor.
    pub(super) fn each(self, mut visit: impl FnMut(usize, Next)) {
        for (asker, score) in self.least.into_iter().enumerate() {
            score.into_iter().for_each(|score| visit(asker, Next::Score(score)));
        }
        for (grade, lookups) in self.lookups {
            lookups.into_iter().for_each(|(key, asker)| visit(asker as usize, Next::At(grade, key)));
        }
    }
}

/// A summary of the successors of a position.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    /// The least score.
    pub least: Option<u16>,
    /// Whether a successor is undecided.
    pub undecided: bool,
    /// Whether a successor has not been examined yet.
    pub waits: bool,
}

impl Seen {
    #[inline]
    fn see(&mut self, score: u16) {
        self.waits |= score == WAITS;
        self.undecided |= score == u16::UNKNOWN;
        self.least = Some(self.least.map_or(score, |least| least.min(score)));
    }
}

/// Decides positions from the scores of their successors.
pub(super) trait Asks: Sync {
    /// The result for some positions.
    type Found: Send;

    /// A word with the number of the position that asks.
    type Lookup: Lookup;

    /// Returns the owner of a position and the word that identifies it there.
    fn address(&self, id: u64) -> (usize, u64);

    /// Visits the successors of positions, each with the number of its predecessor in `ids`.
    fn successors(&self, ids: &[u64], visit: impl FnMut(usize, Next)) -> Result<(), SolveError>;

    /// Returns the score of a position of this process, if it is known already and no group is needed to
    /// find it.
    fn known(&self, _word: u64) -> Option<u16> {
        None
    }

    /// Appends the scores of this process's positions of a group to `scores`. Returns `None` if this
    /// process does not have one of them.
    fn scores(&self, group: u64, words: &[u64], scores: &mut Vec<u16>) -> Option<()>;

    /// Decides positions.
    fn decide(&self, ids: &[u64], seen: &[Seen]) -> Result<Self::Found, SolveError>;

    /// Receives the results, in the order of the positions.
    fn take(&mut self, found: Self::Found);

    /// Called between rounds when a checkpoint is due or the solve is about to stop.
    fn pause(&mut self, _team: &mut Team<'_, '_>) -> Result<(), SolveError> {
        Ok(())
    }
}

/// A word with the number of the position that asks, ordered by word.
pub(super) trait Lookup: Copy + Ord + Send + Sync {
    fn new(word: u64, asker: usize) -> Self;
    fn word(self) -> u64;
    fn asker(self) -> usize;
}

impl Lookup for (u64, u32) {
    fn new(word: u64, asker: usize) -> Self {
        (word, asker as u32)
    }
    fn word(self) -> u64 {
        self.0
    }
    fn asker(self) -> usize {
        self.1 as usize
    }
}

/// Both in eight bytes, which sort faster. Words must have at most [`PACKED_BITS`] bits.
impl Lookup for u64 {
    #[inline]
    fn new(word: u64, asker: usize) -> u64 {
        word << CHUNK_BITS | asker as u64
    }
    #[inline]
    fn word(self) -> u64 {
        self >> CHUNK_BITS
    }
    #[inline]
    fn asker(self) -> usize {
        self as usize & (CHUNK - 1)
    }
}

/// The maximum number of positions in a chunk, as a power of two.
const CHUNK_BITS: u32 = 16;
const CHUNK: usize = 1 << CHUNK_BITS;
/// The bits of a word that is packed into eight bytes with a position's number.
pub(super) const PACKED_BITS: u32 = 64 - CHUNK_BITS;

/// Successors that one process owns, by group: words with the numbers of their predecessors.
type Wanted<L> = Vec<(u64, Vec<L>)>;

/// A chunk of a batch, for one thread.
struct Chunk<L> {
    ids: Vec<u64>,
    seen: Vec<Seen>,
    /// By owner. Sorted, except for this process.
    wanted: Vec<Wanted<L>>,
    /// By owner.
    answers: Vec<Vec<u8>>,
}

impl Team<'_, '_> {
    /// Decides positions batch by batch; `batch(n)` returns batch n. All processes have the same
    /// number of batches.
    pub fn ask<A: Asks>(
        &mut self,
        asks: &mut A,
        batches: u64,
        mut batch: impl FnMut(&A, u64) -> Vec<u64>,
    ) -> Result<(), SolveError> {
        let (mut flying, mut answers): (Vec<Chunk<A::Lookup>>, Vec<Piece>) = (Vec::new(), Vec::new());
        for round in 0..=batches {
            let next = match round < batches {
                true => self.expanded(asks, &batch(asks, round))?,
                false => Vec::new(),
            };
            let mut pieces = std::mem::take(&mut answers);
            let me = self.me;
            let questions = self.pool.all(next.len(), &|tag| next[tag].questions(tag, me));
            pieces.extend(questions.into_iter().flatten());
            let flags = self.stop_or_save();
            let (pieces, tally) = self.exchange.round(pieces, flags)?;
            // Answers have odd tags.
            let (answered, questions): (Vec<Piece>, Vec<Piece>) =
                pieces.into_iter().partition(|piece| piece.tag % 2 == 1);
            for piece in answered {
                let chunk = usize::try_from(piece.tag / 2).ok().and_then(|tag| flying.get_mut(tag));
                let place = chunk.and_then(|chunk| chunk.answers.get_mut(piece.process));
                *place.ok_or_else(|| SolveError::Protocol {
                    from: piece.process,
                    what: "an answer without a question",
                })? = piece.bytes;
            }
            let decided = self.pool.results(flying.len(), &|number| flying[number].decided(&*asks, me))?;
            for (found, chunk) in decided.into_iter().zip(&flying) {
                self.job.progress.advance(chunk.ids.len() as u64);
                asks.take(found);
            }
            answers = self.pool.results(questions.len(), &|number| answer(&*asks, &questions[number]))?;
            if saves(tally) {
                asks.pause(self)?;
            }
            if tally.has(Tally::STOP) {
                return Err(SolveError::Stopped);
            }
            flying = next;
        }
        Ok(())
    }

    /// Decides the positions before the game proper in passes. Each pass decides those whose successors are
    /// all decided. `waiting` lists the undecided positions of this process.
    pub fn ask_in_passes<A: Asks>(
        &mut self,
        asks: &mut A,
        batch: usize,
        waiting: impl Fn(&A) -> Vec<u64>,
    ) -> Result<(), SolveError> {
        let mut ids = waiting(asks);
        loop {
            let own = (!ids.is_empty()).then_some((0, ids.len() as u64));
            let Some((_, batches)) = self.agree(own, batch)?.pop_last() else { return Ok(()) };
            let mut parts = ids.chunks(batch);
            self.ask(asks, batches, |_, _| parts.next().unwrap_or_default().to_vec())?;
            let left = waiting(asks);
            if self.sum((ids.len() - left.len()) as u64)? == 0 {
                return Err(circle());
            }
            ids = left;
        }
    }

    /// Expands positions into their successors on all threads.
    fn expanded<A: Asks>(&self, asks: &A, ids: &[u64]) -> Result<Vec<Chunk<A::Lookup>>, SolveError> {
        let (me, processes) = (self.me, self.processes);
        let size = ids.len().div_ceil(self.pool.threads() * 4).clamp(1, CHUNK);
        self.pool.results(ids.len().div_ceil(size), &|number| {
            let ids = &ids[number * size..ids.len().min((number + 1) * size)];
            Chunk::new(asks, ids, me, processes)
        })
    }
}

/// Looks up the scores that a question asks for.
fn answer<A: Asks>(asks: &A, question: &Piece) -> Result<Piece, SolveError> {
    let mut scores = Vec::new();
    for (group, words) in groups(question, u64::MAX)? {
        asks.scores(group, &words, &mut scores).ok_or_else(missing_successor)?;
    }
    Ok(Piece { process: question.process, tag: question.tag + 1, bytes: put_scores(&scores) })
}

impl<L: Lookup> Chunk<L> {
    fn new<A: Asks<Lookup = L>>(
        asks: &A,
        ids: &[u64],
        me: usize,
        processes: usize,
    ) -> Result<Chunk<L>, SolveError> {
        let mut seen = vec![Seen::default(); ids.len()];
        let mut wanted: Vec<Wanted<L>> = vec![Vec::new(); processes];
        asks.successors(ids, |asker, next| match next {
            Next::Score(score) => seen[asker].see(score),
            Next::At(group, id) => {
                let (owner, word) = asks.address(id);
                if owner == me
                    && let Some(score) = asks.known(word)
                {
                    return seen[asker].see(score);
                }
                let wanted = &mut wanted[owner];
                match wanted.iter_mut().find(|(known, _)| *known == group) {
                    Some((_, words)) => words.push(L::new(word, asker)),
                    None => wanted.push((group, vec![L::new(word, asker)])),
                }
            }
        })?;
        for (owner, wanted) in wanted.iter_mut().enumerate() {
            // This process's own scores are read directly, in any order.
            if owner != me {
                wanted.iter_mut().for_each(|(_, words)| words.sort_unstable());
            }
        }
        Ok(Chunk { ids: ids.to_vec(), seen, wanted, answers: vec![Vec::new(); processes] })
    }

    /// Returns one piece of questions per owner.
    fn questions(&self, tag: usize, me: usize) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for (process, wanted) in self.wanted.iter().enumerate() {
            if process == me || wanted.is_empty() {
                continue;
            }
            let (mut bytes, mut words) = (Vec::new(), Vec::new());
            for (group, asked) in wanted {
                words.clear();
                words.extend(asked.iter().map(|asked| asked.word()));
                words.dedup();
                put_group(&mut bytes, *group, &words);
            }
            pieces.push(Piece { process, tag: 2 * tag as u64, bytes });
        }
        pieces
    }

    /// Decides the positions once all answers have arrived.
    fn decided<A: Asks<Lookup = L>>(&self, asks: &A, me: usize) -> Result<A::Found, SolveError> {
        let mut seen = self.seen.clone();
        for (from, (wanted, answers)) in self.wanted.iter().zip(&self.answers).enumerate() {
            if from == me {
                for (group, asked) in wanted {
                    let words: Vec<u64> = asked.iter().map(|asked| asked.word()).collect();
                    let mut scores = Vec::with_capacity(words.len());
                    asks.scores(*group, &words, &mut scores).ok_or_else(missing_successor)?;
                    asked.iter().zip(scores).for_each(|(asked, score)| seen[asked.asker()].see(score));
                }
                continue;
            }
            let missing = || SolveError::Protocol { from, what: "the wrong scores" };
            let mut answers = take_scores(answers).ok_or_else(missing)?.into_iter();
            for (_, asked) in wanted {
                let mut last: Option<(u64, u16)> = None;
                for asked in asked {
                    let word = asked.word();
                    let score = match last {
                        Some((known, score)) if known == word => score,
                        _ => answers.next().ok_or_else(missing)?,
                    };
                    last = Some((word, score));
                    seen[asked.asker()].see(score);
                }
            }
            if answers.next().is_some() {
                return Err(missing());
            }
        }
        asks.decide(&self.ids, &seen)
    }
}

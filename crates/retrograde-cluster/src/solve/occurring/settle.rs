//! Scores of all positions, grade by grade, the lowest first: a process asks the owners of the
//! successors of its positions, in batches, each successor once a message. While a batch is answered
//! the next one is on its way.

use retrograde_solve::SolveError;
use retrograde_solve::reachable::{Batches, GradeState, Share, code_of, narrowed, widened};

use super::messages::{keys_by_grade, put_codes};
use super::owners::Owners;
use super::run::OccurringRun;
use super::saved::Current;
use crate::error::ClusterError;
use crate::transport::{Packet, PacketKind, Tally};

/// Successors of one grade that one process owns: codes, sorted, with the numbers of the positions
/// that have them.
type Wanted = Vec<(u64, Vec<(u64, u32)>)>;

/// A part of a batch, for one thread.
struct Chunk {
    keys: Vec<u64>,
    /// The least score among the successors, as far as it is known.
    least: Vec<Option<u16>>,
    /// By owner: successors whose scores are asked for, by grade.
    wanted: Vec<Wanted>,
    /// By owner: the answers.
    answers: Vec<Vec<u8>>,
}

impl OccurringRun<'_, '_, dyn Batches + '_> {
    /// Solves all grades.
    pub(super) fn settle(&mut self) -> Result<(), ClusterError> {
        self.job.progress.stage("solving, grade by grade", self.share.left_to_solve());
        while let Some((grade, batches)) = self.next_grade(self.share.next_gathered(), u64::min)? {
            let keys = self.share.take_gathered(grade);
            let scores = self.scores_of(grade, &keys, batches)?;
            self.share.put_solved(grade, keys, scores);
        }
        Ok(())
    }

    fn scores_of(&mut self, grade: u64, keys: &[u64], batches: u64) -> Result<Vec<u16>, ClusterError> {
        let batch = usize::try_from(self.batch()).unwrap_or(usize::MAX);
        let mut parts = keys.chunks(batch);
        let mut scores = Vec::new();
        retrograde_solve::memory::reserve(&mut scores, keys.len())?;
        let (mut flying, mut answers): (Vec<Chunk>, Vec<Packet>) = (Vec::new(), Vec::new());
        for round in 0..=batches {
            let next = match round < batches {
                true => self.asked(parts.next().unwrap_or_default(), grade)?,
                false => Vec::new(),
            };
            let mut packets = std::mem::take(&mut answers);
            packets.extend(self.questions(&next));
            let wishes = self.wishes();
            let (packets, tally) = self.session.transport.exchange(packets, wishes)?;
            let mut questions = Vec::new();
            for packet in packets {
                match packet.kind {
                    PacketKind::Answer => {
                        let what = "an answer without a question";
                        let wrong = ClusterError::Protocol { from: packet.from, what };
                        let chunk = usize::try_from(packet.tag).ok().and_then(|tag| flying.get_mut(tag));
                        let place = chunk.and_then(|chunk| chunk.answers.get_mut(packet.from as usize));
                        *place.ok_or(wrong)? = packet.bytes;
                    }
                    PacketKind::Question => questions.push(packet),
                    _ => {
                        let what = "what nobody asked for";
                        return Err(ClusterError::Protocol { from: packet.from, what });
                    }
                }
            }
            let game = self.game;
            let decided = self.pool().results(flying.len(), &|number| flying[number].decided(game))?;
            for decided in decided {
                self.job.progress.advance(decided.len() as u64);
                scores.extend(decided);
            }
            answers = self.answered(&questions, grade)?;
            self.check_memory(keys.len() as u64 * 12)?;
            if tally.has(Tally::SAVE) || tally.has(Tally::STOP) {
                let done = scores.len();
                self.save(&Current { left: GradeState::Gathered, grade, keys, done, scores: &scores })?;
            }
            if tally.has(Tally::STOP) {
                return Err(SolveError::Stopped.into());
            }
            flying = next;
        }
        Ok(scores)
    }

    /// The successors of a batch: own scores are looked up at once.
    fn asked(&self, part: &[u64], grade: u64) -> Result<Vec<Chunk>, ClusterError> {
        let chunks = self.chunks(part);
        let (game, share, owners, me) = (self.game, &self.share, &self.owners, self.me);
        let processes = self.processes();
        self.pool().results(chunks.len(), &|number| {
            let keys = chunks[number].to_vec();
            Ok(Chunk::new(game, (share, owners, me), keys, grade, processes)?)
        })
    }

    /// The questions of chunks, one message an owner and chunk.
    fn questions(&self, chunks: &[Chunk]) -> Vec<Packet> {
        let mut questions = Vec::new();
        for (tag, chunk) in (0..).zip(chunks) {
            for (owner, wanted) in (0..).zip(&chunk.wanted).filter(|(_, wanted)| !wanted.is_empty()) {
                let mut bytes = Vec::new();
                let mut codes = Vec::new();
                for (grade, asked) in wanted {
                    codes.clear();
                    codes.extend(asked.iter().map(|&(code, _)| code));
                    codes.dedup();
                    put_codes(&mut bytes, *grade, &codes);
                }
                questions.push(self.session.transport.packet(owner, PacketKind::Question, tag, bytes));
            }
        }
        questions
    }

    /// The scores that are asked for.
    fn answered(&self, questions: &[Packet], grade: u64) -> Result<Vec<Packet>, ClusterError> {
        let (share, me) = (&self.share, self.me);
        self.pool().results(questions.len(), &|number| {
            let question = &questions[number];
            let mut scores = Vec::new();
            for (grade, keys) in keys_by_grade(question, grade)? {
                share.scores(grade, &keys, &mut scores)?;
            }
            let bytes = put_scores(&scores);
            let (to, tag) = (question.from, question.tag);
            Ok(Packet { to, from: me, round: 0, kind: PacketKind::Answer, tag, bytes })
        })
    }
}

impl Chunk {
    fn new(
        game: &dyn Batches,
        (share, owners, me): (&Share, &Owners, u32),
        keys: Vec<u64>,
        grade: u64,
        processes: usize,
    ) -> Result<Chunk, SolveError> {
        let asked = game.ask(0, &keys, grade)?;
        let mut least = asked.least;
        let mut wanted: Vec<Wanted> = vec![Vec::new(); processes];
        let (mut own, mut scores) = (Vec::new(), Vec::new());
        for (grade, lookups) in asked.lookups {
            let mut by_owner: Vec<Vec<(u64, u32)>> = vec![Vec::new(); processes];
            for (key, asker) in lookups {
                by_owner[owners.of(key) as usize].push((key, asker));
            }
            for (owner, mut asked) in by_owner.into_iter().enumerate().filter(|(_, asked)| !asked.is_empty())
            {
                if owner == me as usize {
                    own.clear();
                    scores.clear();
                    own.extend(asked.iter().map(|&(key, _)| key));
                    share.scores(grade, &own, &mut scores)?;
                    asked.iter().zip(&scores).for_each(|(&(_, asker), &score)| see(&mut least, asker, score));
                    continue;
                }
                asked.iter_mut().for_each(|(key, _)| *key = code_of(*key));
                asked.sort_unstable();
                wanted[owner].push((grade, asked));
            }
        }
        Ok(Chunk { keys, least, wanted, answers: vec![Vec::new(); processes] })
    }

    /// The scores of the positions, when all answers are there.
    fn decided(&self, game: &dyn Batches) -> Result<Vec<u16>, ClusterError> {
        let mut least = self.least.clone();
        for ((from, wanted), answers) in (0..).zip(&self.wanted).zip(&self.answers) {
            let missing = || ClusterError::Protocol { from, what: "other scores than were asked for" };
            let answers = take_scores(answers).ok_or_else(missing)?;
            let mut answers = answers.into_iter();
            for (_, asked) in wanted {
                let mut last: Option<(u64, u16)> = None;
                for &(code, asker) in asked {
                    let score = match last {
                        Some((known, score)) if known == code => score,
                        _ => answers.next().ok_or_else(missing)?,
                    };
                    last = Some((code, score));
                    see(&mut least, asker, score);
                }
            }
            if answers.next().is_some() {
                return Err(missing());
            }
        }
        Ok(game.scores(&self.keys, &least)?)
    }
}

#[inline]
pub(super) fn see(least: &mut [Option<u16>], asker: u32, score: u16) {
    let least = &mut least[asker as usize];
    *least = Some(least.map_or(score, |least| least.min(score)));
}

/// Scores in a byte each if they fit, else in two: the first byte says how many.
pub(super) fn put_scores(scores: &[u16]) -> Vec<u8> {
    match scores.iter().map(|&score| narrowed(score)).collect::<Option<Vec<u8>>>() {
        Some(narrow) => [&[1], narrow.as_slice()].concat(),
        None => {
            let wide = scores.iter().flat_map(|score| score.to_le_bytes());
            std::iter::once(2).chain(wide).collect()
        }
    }
}

/// The scores of an answer; none where nothing was asked. `None` if they cannot be read.
pub(super) fn take_scores(bytes: &[u8]) -> Option<Vec<u16>> {
    match bytes.split_first() {
        None => Some(Vec::new()),
        Some((1, narrow)) => Some(narrow.iter().map(|&score| widened(score)).collect()),
        Some((2, wide)) => {
            let (scores, rest) = wide.as_chunks::<2>();
            rest.is_empty().then(|| scores.iter().map(|&score| u16::from_le_bytes(score)).collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_come_back_in_one_byte_or_two() {
        for (scores, length) in [(vec![], 1), (vec![0, 125, u16::MAX], 4), (vec![1, 300, 2], 7)] {
            let bytes = put_scores(&scores);
            assert_eq!((take_scores(&bytes), bytes.len()), (Some(scores), length));
        }
        assert_eq!(take_scores(&[]), Some(vec![]));
        assert_eq!((take_scores(&[2, 1]), take_scores(&[3, 1])), (None, None));
    }
}

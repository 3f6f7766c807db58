//! Sends words about positions to their owners. The work is split into parts; each round handles as many
//! as produce a target number of bytes.

use std::sync::atomic::{AtomicU64, Ordering};

use super::team::Team;
use super::words::{groups, put_group};
use crate::exchange::{Piece, Tally};
use crate::job::SolveError;

/// The number of bytes that a thread produces before they are sent.
const BYTES_A_ROUND: u64 = 4 << 20;

/// A word about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// It has a turn to a loss.
    Wins,
    /// One of its turns is refuted.
    Refuted,
}

/// Work in parts that produces words for the owners of positions.
pub(super) trait Sends: Sync {
    /// Returns the number of parts.
    fn parts(&self) -> usize;

    /// Returns the owner of a position and the number that identifies it there.
    fn address(&self, id: u64) -> (usize, u64);

    /// Does one part and passes each word to `send`, with the position that it is about.
    fn part(&self, part: usize, send: &mut dyn FnMut(Word, u64)) -> Result<(), SolveError>;

    /// Receives words about positions of this process, by number. Returns `None` if it does not own them.
    fn receive(&self, word: Word, numbers: &[u64]) -> Option<()>;
}

impl Team<'_, '_> {
    /// Does all parts and receives the words sent to this process. All processes must call this at the
    /// same point.
    pub fn send(&mut self, sends: &dyn Sends) -> Result<(), SolveError> {
        let parts = sends.parts();
        let threads = self.pool.threads();
        let most = self.job.batch.unwrap_or(BYTES_A_ROUND) * threads as u64;
        let mut at: usize = 0;
        // The number of parts in a round, adapted to the bytes that earlier rounds produced.
        let mut step = threads;
        loop {
            let end = at.saturating_add(step).min(parts);
            let bytes = AtomicU64::new(0);
            let (me, processes) = (self.me, self.processes);
            let pieces = self.pool.results(end - at, &|number| {
                let pieces = pieces_of(sends, at + number, me, processes)?;
                let here = pieces.iter().map(|piece| piece.bytes.len() as u64).sum();
                bytes.fetch_add(here, Ordering::Relaxed);
                Ok::<_, SolveError>(pieces)
            })?;
            step = match bytes.into_inner() {
                bytes if bytes > most => (step / 2).max(1),
                bytes if bytes < most / 4 => (step * 2).min(1 << 20),
                _ => step,
            };
            at = end;
            let tally = self.stop().and(Tally::flag(Tally::MORE, at < parts));
            let (pieces, tally) = self.exchange.round(pieces.into_iter().flatten().collect(), tally)?;
            self.pool.results(pieces.len(), &|number| {
                let piece = &pieces[number];
                let word = if piece.tag == 0 { Word::Wins } else { Word::Refuted };
                for (_, numbers) in groups(piece, 1)? {
                    let received = sends.receive(word, &numbers);
                    received.ok_or_else(|| piece.wrong("a position that the receiver does not own"))?;
                }
                Ok::<(), SolveError>(())
            })?;
            if tally.has(Tally::STOP) {
                return Err(SolveError::Stopped);
            }
            if !tally.has(Tally::MORE) {
                return Ok(());
            }
        }
    }
}

/// Does one part and returns its words to the other processes. Words to this process are received at
/// once.
fn pieces_of(sends: &dyn Sends, part: usize, me: usize, processes: usize) -> Result<Vec<Piece>, SolveError> {
    let mut words = [(); 2].map(|()| vec![Vec::new(); processes]);
    sends.part(part, &mut |word, id| {
        let (owner, number) = sends.address(id);
        words[word as usize][owner].push(number);
    })?;
    let mut pieces = Vec::new();
    for (word, by_owner) in [Word::Wins, Word::Refuted].into_iter().zip(words) {
        for (process, mut numbers) in by_owner.into_iter().enumerate() {
            if numbers.is_empty() {
                continue;
            }
            if process == me {
                sends.receive(word, &numbers);
                continue;
            }
            numbers.sort_unstable();
            if word == Word::Wins {
                numbers.dedup();
            }
            let mut bytes = Vec::new();
            put_group(&mut bytes, 0, &numbers);
            pieces.push(Piece { process, tag: word as u64, bytes });
        }
    }
    Ok(pieces)
}

//! Going on from a checkpoint of all positions: its scores, and its counters if it has any, come to
//! the processes that own them now.

use retrograde_game::Dense;
use retrograde_solve::array::{ScoreArray, SharedScore};

use super::redistribute::redistribute;
use super::run::Run;
use crate::checkpoint::manifest::MANIFEST;
use crate::checkpoint::shard::{PIECE, ScorePiece, ShardReader};
use crate::error::ClusterError;
use crate::partition::Partition;
use crate::transport::{Tally, pack, unpack};

impl<G: Dense, S: SharedScore> Run<'_, '_, G, S> {
    /// Goes on from a checkpoint, if it has scores of this size: gives the stage, and fills the
    /// counters if there are any.
    pub(crate) fn resume(&mut self, counters: &mut Vec<u16>) -> Result<Option<u64>, ClusterError> {
        let Some(checkpoint) = self.job.checkpoint.as_deref() else { return Ok(None) };
        let Some(found) =
            checkpoint.found.as_ref().filter(|found| usize::from(found.score_bytes) == S::BYTES)
        else {
            return Ok(None);
        };
        if found.count != self.partition.count() {
            return Err(checkpoint.wrong(MANIFEST, format!("it has {} indices", found.count)));
        }
        self.job.progress.stage("reading what was saved", 0);
        let transport = &mut self.session.transport;
        let mine = checkpoint.to_read(found, transport)?;
        let old = Partition::with_bits(found.count, &found.threads, found.block_bits);
        if found.counter_bytes > 0 {
            counters.resize(self.scores.len(), 0);
        }
        let mut placed = 0;
        redistribute(
            transport,
            mine,
            |process| ShardReader::open(&*checkpoint.storage, &checkpoint.directory, found, &old, process),
            |piece| address(&old, &self.partition, &piece),
            |bytes| {
                placed += place(&self.scores, counters, bytes)?;
                Some(())
            },
        )?;
        let missing = Tally::flag(Tally::TOO_MANY, placed != self.scores.len() as u64);
        if transport.all_reduce(missing)?.has(Tally::TOO_MANY) {
            return Err(checkpoint.wrong(MANIFEST, "its shards do not hold all positions"));
        }
        Ok(Some(found.stage))
    }
}

/// The parts of a piece of an old shard for each of the present owners: runs of places, each with
/// its first place and length.
fn address(old: &Partition, new: &Partition, piece: &ScorePiece) -> Vec<Vec<u8>> {
    let &ScorePiece { process, from, ref scores, ref counters } = piece;
    let mut bytes: Vec<Vec<u8>> = vec![Vec::new(); new.processes()];
    let pieces = old.pieces_of(process, from, from + PIECE).map(|(place, range)| (place - from, range));
    // A piece has a place at least.
    let total = old.owned(process).min(from + PIECE) - from;
    let (score, counter) = (scores.len() / total as usize, counters.len() / total as usize);
    for (at, range) in pieces.take_while(|(at, _)| *at < total) {
        for (owner, place, part) in new.pieces(range.clone()) {
            let first = (at + part.start - range.start) as usize;
            let count = (part.end - part.start) as usize;
            let out = &mut bytes[owner as usize];
            pack(out, place);
            pack(out, count as u64);
            out.extend_from_slice(&scores[first * score..(first + count) * score]);
            out.extend_from_slice(&counters[first * counter..(first + count) * counter]);
        }
    }
    bytes
}

/// Takes saved scores and counters of own places; gives the number of places, `None` if the bytes
/// say nothing of the kind.
fn place<S: SharedScore>(scores: &ScoreArray<S>, counters: &mut [u16], mut bytes: &[u8]) -> Option<u64> {
    let mut placed = 0;
    while !bytes.is_empty() {
        let first = unpack(&mut bytes)?;
        let count = unpack(&mut bytes)?;
        let end = first.checked_add(count).filter(|&end| end <= scores.len() as u64)?;
        for (at, place) in (first..end).enumerate() {
            scores.set(place, S::take(bytes, at)?);
        }
        bytes = bytes.get(count as usize * S::BYTES..)?;
        if !counters.is_empty() {
            for (at, place) in (first..end).enumerate() {
                counters[place as usize] = <u16 as SharedScore>::take(bytes, at)?;
            }
            bytes = bytes.get(count as usize * 2..)?;
        }
        placed += count;
    }
    Some(placed)
}

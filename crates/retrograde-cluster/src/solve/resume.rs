//! Going on from a checkpoint, whose processes may have been others: its shards are read by those
//! who find them, and the scores are sent to their owners.

use retrograde_game::Dense;
use retrograde_solve::array::{ScoreArray, SharedScore};

use super::run::Run;
use crate::checkpoint::manifest::MANIFEST;
use crate::checkpoint::shard::{PIECE, ShardReader};
use crate::error::ClusterError;
use crate::partition::Partition;
use crate::transport::{Packet, PacketKind, Tally, pack, unpack};

/// Pieces that a process reads in a round.
const PIECES_A_ROUND: u64 = 8;

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
        let mut mine = checkpoint.to_read(found, transport)?.into_iter();
        let old = Partition::with_bits(found.count, &found.threads, found.block_bits);
        if found.counter_bytes > 0 {
            counters.resize(self.scores.len(), 0);
        }
        let mut reader: Option<ShardReader> = None;
        let mut placed = 0;
        loop {
            let mut packets = Vec::new();
            let mut more = true;
            for _ in 0..PIECES_A_ROUND {
                reader = match reader {
                    Some(reader) if !reader.is_at_end() => Some(reader),
                    _ => match mine.next() {
                        Some(process) => Some(ShardReader::open(
                            &*checkpoint.storage,
                            &checkpoint.directory,
                            found,
                            &old,
                            process,
                        )?),
                        None => None,
                    },
                };
                let Some(reader) = &mut reader else {
                    more = false;
                    break;
                };
                let (from, scores, counters) = reader.piece()?;
                packets.extend(address(
                    &old,
                    &self.partition,
                    (self.me, reader.process),
                    from,
                    &scores,
                    &counters,
                ));
            }
            let (packets, tally) = transport.exchange(packets, Tally::flag(Tally::MORE, more))?;
            for packet in packets {
                placed += place(&self.scores, counters, &packet)?;
            }
            if !tally.has(Tally::MORE) {
                break;
            }
        }
        let missing = Tally::flag(Tally::TOO_MANY, placed != self.scores.len() as u64);
        if transport.all_reduce(missing)?.has(Tally::TOO_MANY) {
            return Err(checkpoint.wrong(MANIFEST, "its shards do not hold all positions"));
        }
        Ok(Some(found.stage))
    }
}

/// Packets with a piece of an old shard for its present owners: runs of places, each with its first
/// place and length.
fn address(
    old: &Partition,
    new: &Partition,
    (me, process): (u32, u32),
    from: u64,
    scores: &[u8],
    counters: &[u8],
) -> Vec<Packet> {
    let mut bytes: Vec<Vec<u8>> = vec![Vec::new(); new.processes()];
    let pieces = old.pieces_of(process, from, from + PIECE).map(|(place, range)| (place - from, range));
    let total = if scores.is_empty() { 0 } else { old.owned(process).min(from + PIECE) - from };
    let (score, counter) = match total {
        0 => (0, 0),
        total => (scores.len() / total as usize, counters.len() / total as usize),
    };
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
    let packets = (0..).zip(bytes).filter(|(_, bytes)| !bytes.is_empty());
    packets
        .map(|(to, bytes)| Packet { to, from: me, round: 0, kind: PacketKind::Saved, tag: 0, bytes })
        .collect()
}

/// Takes saved scores and counters of own places; gives the number of places.
fn place<S: SharedScore>(
    scores: &ScoreArray<S>,
    counters: &mut [u16],
    packet: &Packet,
) -> Result<u64, ClusterError> {
    let wrong = || ClusterError::Protocol { from: packet.from, what: "what was not saved here" };
    if packet.kind != PacketKind::Saved {
        return Err(wrong());
    }
    let mut bytes = packet.bytes.as_slice();
    let mut placed = 0;
    while !bytes.is_empty() {
        let first = unpack(&mut bytes).ok_or_else(wrong)?;
        let count = unpack(&mut bytes).ok_or_else(wrong)?;
        let end = first.checked_add(count).filter(|&end| end <= scores.len() as u64).ok_or_else(wrong)?;
        for (at, place) in (first..end).enumerate() {
            scores.set(place, S::take(bytes, at).ok_or_else(wrong)?);
        }
        bytes = bytes.get(count as usize * S::BYTES..).ok_or_else(wrong)?;
        if !counters.is_empty() {
            for (at, place) in (first..end).enumerate() {
                counters[place as usize] = <u16 as SharedScore>::take(bytes, at).ok_or_else(wrong)?;
            }
            bytes = bytes.get(count as usize * 2..).ok_or_else(wrong)?;
        }
        placed += count;
    }
    Ok(placed)
}

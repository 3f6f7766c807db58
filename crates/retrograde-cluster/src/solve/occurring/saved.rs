//! Saving a state of what occurs, and going on from one, whose processes may have been others.

use retrograde_solve::reachable::{GradeState, RestoredShare, SavedPiece};

use super::OccurringRun;
use crate::checkpoint::manifest::{MANIFEST, Manifest, VERSION};
use crate::checkpoint::occurring_shard::{OccurringShardReader, PIECE_KEYS, piece_bytes, read_piece};
use crate::checkpoint::shard::header;
use crate::error::ClusterError;
use crate::solve::save::save_shards;
use crate::transport::{PacketKind, Tally};

/// Pieces that a process reads in a round.
const PIECES_A_ROUND: u64 = 8;

impl OccurringRun<'_, '_> {
    /// Saves the shares of all processes; all call it at the same place. `current` is a grade that was
    /// taken from the share: how far it is, and its keys.
    pub(super) fn save(&mut self, current: Option<(GradeState, u64, &[u64])>) -> Result<(), ClusterError> {
        let Some(checkpoint) = self.job.checkpoint.as_deref_mut() else { return Ok(()) };
        let share = &self.share;
        let own = share.len() + current.map_or(0, |(_, _, keys)| keys.len() as u64);
        let count = Tally { sums: [own, 0, 0], ..Tally::default() };
        let count = self.session.transport.all_reduce(count)?.sums[0];
        let about = Manifest {
            format: VERSION,
            identity: checkpoint.identity.clone(),
            stage: 0,
            sequence: checkpoint.found.as_ref().map_or(0, |found| found.sequence) + 1,
            score_bytes: 2,
            counter_bytes: 0,
            count,
            block_bits: 0,
            threads: self.session.threads.clone(),
            shards: Vec::new(),
        };
        let header = header(&about, self.me, own);
        save_shards(&mut self.session.transport, checkpoint, about, &header, &mut |shard| {
            if let Some((state, grade, keys)) = current {
                for keys in keys.chunks(PIECE_KEYS) {
                    let piece = SavedPiece { state, grade, keys: keys.to_vec(), scores: Vec::new() };
                    shard.piece(&piece_bytes(&piece))?;
                }
            }
            share.each_piece(PIECE_KEYS, &mut |piece| shard.piece(&piece_bytes(&piece)))
        })
    }

    /// Goes on from a checkpoint; `false` if there is none.
    pub(super) fn resume(&mut self) -> Result<bool, ClusterError> {
        let Some(checkpoint) = self.job.checkpoint.as_deref() else { return Ok(false) };
        let Some(found) = checkpoint.found.as_ref() else { return Ok(false) };
        self.job.progress.stage("reading what was saved", 0);
        let transport = &mut self.session.transport;
        let mut mine = checkpoint.to_read(found, transport)?.into_iter();
        let mut reader: Option<OccurringShardReader> = None;
        let mut restored = RestoredShare::default();
        let (mut placed, mut fits) = (0, true);
        loop {
            let mut packets = Vec::new();
            let mut more = true;
            for _ in 0..PIECES_A_ROUND {
                reader = match reader {
                    Some(reader) if !reader.is_at_end() => Some(reader),
                    _ => match mine.next() {
                        Some(process) => Some(OccurringShardReader::open(
                            &*checkpoint.storage,
                            &checkpoint.directory,
                            found,
                            process,
                        )?),
                        None => None,
                    },
                };
                let Some(reader) = &mut reader else {
                    more = false;
                    break;
                };
                let Some(piece) = reader.piece()? else { continue };
                let pieces = by_owner(piece, self.session.threads.len(), |key| self.owners.of(key));
                packets.extend(
                    (0..)
                        .zip(pieces)
                        .filter(|(_, piece)| !piece.keys.is_empty())
                        .map(|(to, piece)| transport.packet(to, PacketKind::Saved, 0, piece_bytes(&piece))),
                );
            }
            let (packets, tally) = transport.exchange(packets, Tally::flag(Tally::MORE, more))?;
            for packet in packets {
                let piece = read_piece(&packet.bytes).filter(|piece| {
                    packet.kind == PacketKind::Saved
                        && piece.keys.iter().all(|&key| self.owners.of(key) == self.me)
                });
                let what = "what was not saved here";
                let piece = piece.ok_or(ClusterError::Protocol { from: packet.from, what })?;
                placed += piece.keys.len() as u64;
                fits &= restored.add(piece);
            }
            if !tally.has(Tally::MORE) {
                break;
            }
        }
        let share = restored.finish(&self.session.pool).filter(|_| fits);
        let wrong = Tally::flag(Tally::TOO_MANY, share.is_none());
        let all = transport.all_reduce(Tally { sums: [placed, 0, 0], ..wrong })?;
        match share {
            Some(share) if !all.has(Tally::TOO_MANY) && all.sums[0] == found.count => self.share = share,
            _ => return Err(checkpoint.wrong(MANIFEST, "its shards do not hold a state of all processes")),
        }
        self.check_memory(0)?;
        Ok(true)
    }
}

/// The keys of a piece by their owner.
fn by_owner(piece: SavedPiece, processes: usize, owner: impl Fn(u64) -> u32) -> Vec<SavedPiece> {
    let SavedPiece { state, grade, keys, scores } = piece;
    let none = SavedPiece { state, grade, keys: Vec::new(), scores: Vec::new() };
    let mut pieces = vec![none; processes];
    for (at, key) in keys.into_iter().enumerate() {
        let piece = &mut pieces[owner(key) as usize];
        piece.keys.push(key);
        piece.scores.extend(scores.get(at));
    }
    pieces
}

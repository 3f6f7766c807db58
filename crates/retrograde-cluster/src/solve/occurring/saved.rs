//! Saving a state of what occurs, and going on from one, whose processes may have been others.

use std::io;

use retrograde_solve::reachable::{GradeState, RestoredShare, SavedPiece};

use super::run::OccurringRun;
use crate::checkpoint::header::header;
use crate::checkpoint::manifest::{MANIFEST, Manifest, VERSION};
use crate::checkpoint::occurring_shard::{OccurringShardReader, PIECE_KEYS, piece_bytes, read_piece};
use crate::error::ClusterError;
use crate::solve::redistribute::redistribute;
use crate::solve::save::save_shards;
use crate::transport::Tally;

/// A grade that was taken from the share to be worked on.
pub(super) struct Current<'a> {
    pub grade: u64,
    pub keys: &'a [u64],
    /// So many of its keys are done, the first ones.
    pub done: usize,
    /// How far the others are: those that are done are one step further.
    pub left: GradeState,
    /// The scores of those that are done, if they have any.
    pub scores: &'a [u16],
}

impl Current<'_> {
    fn each_piece(&self, most: usize, visit: &mut dyn FnMut(SavedPiece) -> io::Result<()>) -> io::Result<()> {
        let &Current { grade, keys, done, left, scores } = self;
        let further = if left == GradeState::Waiting { GradeState::Gathered } else { GradeState::Solved };
        for (state, places) in [(further, 0..done), (left, done..keys.len())] {
            for from in places.clone().step_by(most) {
                let here = from..places.end.min(from + most);
                let scores =
                    if state == GradeState::Solved { scores[here.clone()].to_vec() } else { Vec::new() };
                visit(SavedPiece { state, grade, keys: keys[here].to_vec(), scores })?;
            }
        }
        Ok(())
    }
}

impl OccurringRun<'_, '_> {
    /// Saves the shares of all processes; all call it at the same place.
    pub(super) fn save(&mut self, current: &Current<'_>) -> Result<(), ClusterError> {
        let Some(checkpoint) = self.job.checkpoint.as_deref_mut() else { return Ok(()) };
        let share = &self.share;
        let own = share.len() + current.keys.len() as u64;
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
            let mut write = |piece: SavedPiece| shard.piece(&piece_bytes(&piece));
            current.each_piece(PIECE_KEYS, &mut write)?;
            share.each_piece(PIECE_KEYS, &mut write)
        })
    }

    /// Goes on from a checkpoint; `false` if there is none.
    pub(super) fn resume(&mut self) -> Result<bool, ClusterError> {
        let Some(checkpoint) = self.job.checkpoint.as_deref() else { return Ok(false) };
        let Some(found) = checkpoint.found.as_ref() else { return Ok(false) };
        self.job.progress.stage("reading what was saved", 0);
        let transport = &mut self.session.transport;
        let mine = checkpoint.to_read(found, transport)?;
        let mut restored = RestoredShare::default();
        let (mut placed, mut fits) = (0, true);
        redistribute(
            transport,
            mine,
            |process| OccurringShardReader::open(&*checkpoint.storage, &checkpoint.directory, found, process),
            |piece| by_owner(piece, self.session.threads.len(), |key| self.owners.of(key)),
            |bytes| {
                let owned = |piece: &SavedPiece| piece.keys.iter().all(|&key| self.owners.of(key) == self.me);
                let piece = read_piece(bytes).filter(owned)?;
                placed += piece.keys.len() as u64;
                fits &= restored.add(piece);
                Some(())
            },
        )?;
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

/// The bytes of a piece for each owner of its keys, none for the others.
fn by_owner(piece: SavedPiece, processes: usize, owner: impl Fn(u64) -> u32) -> Vec<Vec<u8>> {
    let SavedPiece { state, grade, keys, scores } = piece;
    let none = SavedPiece { state, grade, keys: Vec::new(), scores: Vec::new() };
    let mut pieces = vec![none; processes];
    for (at, key) in keys.into_iter().enumerate() {
        let piece = &mut pieces[owner(key) as usize];
        piece.keys.push(key);
        piece.scores.extend(scores.get(at));
    }
    let bytes = |piece: &SavedPiece| if piece.keys.is_empty() { Vec::new() } else { piece_bytes(piece) };
    pieces.iter().map(bytes).collect()
}

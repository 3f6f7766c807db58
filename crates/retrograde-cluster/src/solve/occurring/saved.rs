//! Saving a state of what occurs, and going on from one, whose processes may have been others.

use std::io;

use retrograde_solve::Pool;
use retrograde_solve::reachable::{Batches, GradeState, RestoredShare, SavedPiece, Share};

use super::run::OccurringRun;
use crate::checkpoint::header::header;
use crate::checkpoint::manifest::{MANIFEST, Manifest, VERSION};
use crate::checkpoint::occurring_shard::{OccurringShardReader, PIECE_KEYS, piece_bytes, read_piece};
use crate::error::ClusterError;
use crate::solve::redistribute::redistribute;
use crate::solve::save::save_shards;
use crate::transport::Tally;

/// Takes pieces, one by one.
pub(super) type VisitPiece<'a> = dyn FnMut(SavedPiece) -> io::Result<()> + 'a;

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
    fn each_piece(&self, most: usize, visit: &mut VisitPiece<'_>) -> io::Result<()> {
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

impl<B: ?Sized> OccurringRun<'_, '_, B> {
    /// Saves the pieces of all processes, of which this one has so many keys; all call it at the same
    /// place.
    pub(super) fn save_pieces(
        &mut self,
        (stage, own): (u64, u64),
        each_piece: &dyn Fn(&Share, &mut VisitPiece<'_>) -> io::Result<()>,
    ) -> Result<(), ClusterError> {
        let Some(checkpoint) = self.job.checkpoint.as_deref_mut() else { return Ok(()) };
        let count = Tally { sums: [own, 0, 0], ..Tally::default() };
        let count = self.session.transport.all_reduce(count)?.sums[0];
        let about = Manifest {
            format: VERSION,
            identity: checkpoint.identity.clone(),
            stage,
            sequence: checkpoint.found.as_ref().map_or(0, |found| found.sequence) + 1,
            score_bytes: 2,
            counter_bytes: 0,
            count,
            block_bits: 0,
            threads: self.session.threads.clone(),
            shards: Vec::new(),
        };
        let header = header(&about, self.me, own);
        let share = &self.share;
        save_shards(&mut self.session.transport, checkpoint, about, &header, &mut |shard| {
            each_piece(share, &mut |piece| shard.piece(&piece_bytes(&piece)))
        })
    }

    /// Hands the pieces of a checkpoint to their owners, and `take` those of this process; the stage
    /// in which it was saved, `None` if there is none.
    pub(super) fn restore_pieces(
        &mut self,
        take: &mut dyn FnMut(&Pool, SavedPiece),
    ) -> Result<Option<u64>, ClusterError> {
        let Some(checkpoint) = self.job.checkpoint.as_deref() else { return Ok(None) };
        let Some(found) = checkpoint.found.as_ref() else { return Ok(None) };
        self.job.progress.stage("reading what was saved", 0);
        let transport = &mut self.session.transport;
        let mine = checkpoint.to_read(found, transport)?;
        redistribute(
            transport,
            mine,
            |process| OccurringShardReader::open(&*checkpoint.storage, &checkpoint.directory, found, process),
            |piece| by_owner(piece, self.session.threads.len(), |key| self.owners.of(key)),
            |bytes| {
                let owned = |piece: &SavedPiece| piece.keys.iter().all(|&key| self.owners.of(key) == self.me);
                take(&self.session.pool, read_piece(bytes).filter(owned)?);
                Some(())
            },
        )?;
        Ok(Some(found.stage))
    }

    /// Refuses a checkpoint of other positions than all processes have now, or a state that is none
    /// in one of them; `own` is the number of keys here.
    pub(super) fn check_restored(&mut self, own: u64, whole: bool) -> Result<(), ClusterError> {
        let wrong = Tally::flag(Tally::TOO_MANY, !whole);
        let all = self.session.transport.all_reduce(Tally { sums: [own, 0, 0], ..wrong })?;
        match self.job.checkpoint.as_deref() {
            Some(checkpoint)
                if all.has(Tally::TOO_MANY)
                    || checkpoint.found.as_ref().is_none_or(|found| found.count != all.sums[0]) =>
            {
                Err(checkpoint.wrong(MANIFEST, "its shards do not hold a state of all processes"))
            }
            _ => Ok(()),
        }
    }
}

impl OccurringRun<'_, '_, dyn Batches + '_> {
    /// Saves the shares of all processes; all call it at the same place.
    pub(super) fn save(&mut self, current: &Current<'_>) -> Result<(), ClusterError> {
        let own = self.share.len() + current.keys.len() as u64;
        self.save_pieces((0, own), &|share, write| {
            current.each_piece(PIECE_KEYS, write)?;
            share.each_piece(PIECE_KEYS, write)
        })
    }

    /// Goes on from a checkpoint; `false` if there is none.
    pub(super) fn resume(&mut self) -> Result<bool, ClusterError> {
        let mut restored = RestoredShare::default();
        let (mut placed, mut fits) = (0, true);
        let stage = self.restore_pieces(&mut |_, piece| {
            placed += piece.keys.len() as u64;
            fits &= restored.add(piece);
        })?;
        if stage.is_none() {
            return Ok(false);
        }
        let share = restored.finish(&self.session.pool).filter(|_| fits);
        self.check_restored(placed, share.is_some())?;
        self.share = share.unwrap_or_default();
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

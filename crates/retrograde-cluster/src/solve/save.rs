//! Saving a checkpoint, which all processes do together.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Instant;

use retrograde_game::Dense;
use retrograde_solve::array::{ScoreArray, SharedScore};
use retrograde_table::{replace_file, write_sealed};

use super::run::Run;
use crate::checkpoint::ClusterCheckpoint;
use crate::checkpoint::header::header;
use crate::checkpoint::manifest::{MANIFEST, Manifest, ShardFile, VERSION};
use crate::checkpoint::pieces::PieceWriter;
use crate::checkpoint::shard::{PIECE, shard_name};
use crate::error::ClusterError;
use crate::transport::{Tally, Transport};

impl<G: Dense, S: SharedScore> Run<'_, '_, G, S> {
    /// Saves the scores of all processes; all call it at the same place.
    pub(crate) fn save(&mut self, stage: u64, counters: &[AtomicU16]) -> Result<(), ClusterError> {
        let Some(checkpoint) = self.job.checkpoint.as_deref_mut() else { return Ok(()) };
        let about = Manifest {
            format: VERSION,
            identity: checkpoint.identity.clone(),
            stage,
            sequence: checkpoint.found.as_ref().map_or(0, |found| found.sequence) + 1,
            score_bytes: S::BYTES as u8,
            counter_bytes: if counters.is_empty() { 0 } else { 2 },
            count: self.partition.count(),
            block_bits: self.partition.bits(),
            threads: self.session.threads.clone(),
            shards: Vec::new(),
        };
        let header = header(&about, self.me, self.scores.len() as u64);
        let scores = &self.scores;
        save_shards(&mut self.session.transport, checkpoint, about, &header, &mut |shard| {
            let places = scores.len() as u64;
            (0..places)
                .step_by(PIECE as usize)
                .try_for_each(|from| shard.piece(&piece(scores, counters, from..places.min(from + PIECE))))
        })
    }
}

/// Writes the shards of all processes, and then the manifest that names them; all call it at the same
/// place.
pub(crate) fn save_shards(
    transport: &mut Transport,
    checkpoint: &mut ClusterCheckpoint,
    mut about: Manifest,
    header: &[u8],
    fill: &mut dyn FnMut(&mut PieceWriter<'_>) -> io::Result<()>,
) -> Result<(), ClusterError> {
    let began = Instant::now();
    let directory = &checkpoint.directory;
    let storage = &*checkpoint.storage;
    storage.create_directory(directory).map_err(|error| ClusterError::file(directory, error))?;
    let path = directory.join(shard_name(about.sequence, transport.me as usize));
    let mut said = Vec::new();
    replace_file(storage, &path, |out| {
        let mut shard = PieceWriter::begin(out, header)?;
        fill(&mut shard)?;
        said = [&shard.bytes.to_le_bytes(), shard.seal.as_bytes().as_slice()].concat();
        Ok(())
    })?;
    for (process, said) in transport.all_gather(&said)?.into_iter().enumerate() {
        let wrong = ClusterError::Protocol { from: process as u32, what: "a seal that is none" };
        let (Some((bytes, seal)), 40) = (said.split_first_chunk::<8>(), said.len()) else {
            return Err(wrong);
        };
        about.shards.push(ShardFile {
            file: shard_name(about.sequence, process),
            bytes: u64::from_le_bytes(*bytes),
            seal: seal.iter().map(|byte| format!("{byte:02x}")).collect(),
        });
    }
    if transport.me == 0 {
        let path = directory.join(MANIFEST);
        write_sealed(storage, &path, &about)?;
    }
    // The manifest is there; nobody removes what came before until all know.
    transport.all_reduce(Tally::default())?;
    for name in storage.names(directory).unwrap_or_default() {
        let old = name.contains(".shard") && about.shards.iter().all(|shard| shard.file != name);
        if old {
            // The next checkpoint removes what is left over.
            let _ = storage.remove(&directory.join(name));
        }
    }
    transport.all_reduce(Tally::default())?;
    checkpoint.found = Some(about);
    checkpoint.saved += 1;
    checkpoint.last = Instant::now();
    checkpoint.cost = checkpoint.last - began;
    Ok(())
}

/// The bytes of a piece.
fn piece<S: SharedScore>(scores: &ScoreArray<S>, counters: &[AtomicU16], places: Range<u64>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity((places.end - places.start) as usize * 4);
    places.clone().for_each(|place| scores.get(place).put(&mut bytes));
    if !counters.is_empty() {
        for place in places {
            bytes.extend_from_slice(&counters[place as usize].load(Ordering::Relaxed).to_le_bytes());
        }
    }
    bytes
}

//! The file of one process in a checkpoint: the scores and counters of all places that it owns.
//!
//! All numbers are little-endian:
//!
//! ```text
//!   8  magic: 89 'R' 'G' 'C' 0D 0A 1A 0A
//!   4  format version, 2
//!   4  length n of the identity
//!   8  stage, the solver's measure
//!   8  sequence number of the checkpoint
//!   4  process
//!   1  bytes of a score
//!   1  bytes of a counter, or 0
//!   2  0
//!   8  number of places
//!   n  identity
//! pieces of up to 2^18 places: their scores, their counters, and
//!  32  BLAKE3 of the sum before (of the header for the first) and all that
//! ```
//!
//! The last sum is the seal that the manifest repeats.

use std::path::Path;

use retrograde_table::Storage;

use super::manifest::Manifest;
use super::pieces::{PieceReader, ReadPiece};
use crate::error::ClusterError;
use crate::partition::Partition;

/// Places of a piece.
pub(crate) const PIECE: u64 = 1 << 18;

/// The name of a process's shard in a checkpoint.
pub(crate) fn shard_name(sequence: u64, process: usize) -> String {
    format!("{sequence}-{process}.shard")
}

/// A piece of a shard: the scores and counters of places one after the other.
pub(crate) struct ScorePiece {
    /// The process that wrote it.
    pub process: u32,
    /// Its first place.
    pub from: u64,
    pub scores: Vec<u8>,
    pub counters: Vec<u8>,
}

/// A shard that is read, piece by piece.
pub(crate) struct ShardReader {
    process: u32,
    pieces: PieceReader,
    places: u64,
    at: u64,
    sizes: (usize, usize),
}

impl ShardReader {
    /// Opens the shard of a process, as a manifest in a directory names it. `old` is the manifest's
    /// partition.
    pub(crate) fn open(
        storage: &dyn Storage,
        directory: &Path,
        found: &Manifest,
        old: &Partition,
        process: usize,
    ) -> Result<ShardReader, ClusterError> {
        let owned = old.owned(process as u32);
        let (pieces, places) = PieceReader::open(storage, directory, found, process, Some(owned))?;
        let sizes = (usize::from(found.score_bytes), usize::from(found.counter_bytes));
        Ok(ShardReader { process: process as u32, pieces, places, at: 0, sizes })
    }
}

impl ReadPiece for ShardReader {
    type Piece = ScorePiece;

    fn piece(&mut self) -> Result<Option<ScorePiece>, ClusterError> {
        let (process, from) = (self.process, self.at);
        let count = PIECE.min(self.places - from) as usize;
        if count == 0 {
            return Ok(None);
        }
        let mut scores = vec![0; count * (self.sizes.0 + self.sizes.1)];
        self.pieces.read(&mut scores)?;
        self.at += count as u64;
        self.pieces.check(&scores, self.at == self.places, from)?;
        let counters = scores.split_off(count * self.sizes.0);
        Ok(Some(ScorePiece { process, from, scores, counters }))
    }
}

#[cfg(test)]
mod tests {
    use retrograde_table::DiskStorage;

    use super::*;
    use crate::checkpoint::header::header;
    use crate::checkpoint::manifest::{ShardFile, VERSION};
    use crate::checkpoint::pieces::sum;

    /// The manifest of a checkpoint of one process with so many places, without shards.
    fn manifest(places: u64) -> Manifest {
        Manifest {
            format: VERSION,
            identity: "a game".to_owned(),
            stage: 3,
            sequence: 7,
            score_bytes: 1,
            counter_bytes: 2,
            count: places,
            block_bits: 4,
            threads: vec![2],
            shards: Vec::new(),
        }
    }

    fn read(directory: &Path, manifest: &Manifest, old: &Partition) -> Result<Vec<u8>, ClusterError> {
        let mut reader = ShardReader::open(&DiskStorage, directory, manifest, old, 0)?;
        let mut all = Vec::new();
        while let Some(piece) = reader.piece()? {
            all.extend(piece.scores);
            all.extend(piece.counters);
        }
        Ok(all)
    }

    #[test]
    fn no_flipped_byte_or_cut_of_a_shard_passes() {
        const PLACES: u64 = 300;
        let folder = retrograde_testkit::tempdir().unwrap();
        let mut manifest = manifest(PLACES);
        let old = Partition::with_bits(PLACES, &manifest.threads, manifest.block_bits);
        let mut bytes = header(&manifest, 0, PLACES);
        let values: Vec<u8> = (0..3 * PLACES).map(|at| (at * 31 % 251) as u8).collect();
        let seal = sum(&blake3::hash(&bytes), &values);
        bytes.extend(&values);
        bytes.extend(seal.as_bytes());
        let name = shard_name(7, 0);
        let (length, path) = (bytes.len() as u64, folder.path().join(&name));
        manifest.shards.push(ShardFile {
            file: name.clone(),
            bytes: length,
            seal: seal.to_hex().to_string(),
        });
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(read(folder.path(), &manifest, &old).unwrap(), values);
        let refused = |bytes: &[u8], what: &str| {
            std::fs::write(&path, bytes).unwrap();
            let error = read(folder.path(), &manifest, &old).expect_err(what).to_string();
            assert!(error.contains(&name), "{what}: {error}");
        };
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            refused(&damaged, &format!("byte {at}"));
            refused(&bytes[..at], &format!("{at} bytes"));
        }
    }
}

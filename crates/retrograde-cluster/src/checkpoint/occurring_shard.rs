//! The file of one process in a checkpoint of what occurs: the keys that it owns, by grade, with the
//! scores of the grades that are solved.
//!
//! Header and sums are those of every [shard](super::shard); its places are keys, its scores have two
//! bytes. All numbers are little-endian:
//!
//! ```text
//! pieces of up to 2^16 keys of one grade:
//!   8  grade
//!   4  number of keys n
//!   1  0: they wait, 1: they are gathered, 2: they are solved
//!   3  0
//!  8n  keys
//!  2n  their scores, if they are solved
//!  32  the sum
//! ```

use std::path::Path;

use retrograde_solve::reachable::{GradeState, SavedPiece};
use retrograde_table::Storage;

use super::manifest::Manifest;
use super::pieces::{PieceReader, ReadPiece};
use crate::error::ClusterError;

/// Keys of a piece.
pub(crate) const PIECE_KEYS: usize = 1 << 16;
const HEAD: usize = 16;

const STATES: [GradeState; 3] = [GradeState::Waiting, GradeState::Gathered, GradeState::Solved];

/// The bytes of a piece.
pub(crate) fn piece_bytes(piece: &SavedPiece) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEAD + piece.keys.len() * 10);
    bytes.extend_from_slice(&piece.grade.to_le_bytes());
    bytes.extend_from_slice(&(piece.keys.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&[piece.state as u8, 0, 0, 0]);
    piece.keys.iter().for_each(|key| bytes.extend_from_slice(&key.to_le_bytes()));
    piece.scores.iter().for_each(|score| bytes.extend_from_slice(&score.to_le_bytes()));
    bytes
}

/// The state, the grade, the number of keys, and the bytes that follow the head of a piece.
fn read_head(head: &[u8]) -> Option<(GradeState, u64, usize, usize)> {
    let (grade, rest) = head.split_first_chunk::<8>()?;
    let (count, rest) = rest.split_first_chunk::<4>()?;
    let count = u32::from_le_bytes(*count) as usize;
    let [state, 0, 0, 0] = rest.first_chunk::<4>()? else { return None };
    let state = *STATES.get(usize::from(*state))?;
    let each = if state == GradeState::Solved { 10 } else { 8 };
    (1..=PIECE_KEYS).contains(&count).then_some((state, u64::from_le_bytes(*grade), count, count * each))
}

/// A piece of its bytes; `None` if they are none.
pub(crate) fn read_piece(bytes: &[u8]) -> Option<SavedPiece> {
    let (state, grade, count, length) = read_head(bytes)?;
    let body = bytes.get(HEAD..).filter(|body| body.len() == length)?;
    let (keys, scores) = body.split_at(count * 8);
    let keys = keys.as_chunks::<8>().0.iter().map(|&key| u64::from_le_bytes(key)).collect();
    let scores = scores.as_chunks::<2>().0.iter().map(|&score| u16::from_le_bytes(score)).collect();
    Some(SavedPiece { state, grade, keys, scores })
}

/// A shard that is read, piece by piece.
pub(crate) struct OccurringShardReader {
    pieces: PieceReader,
    keys: u64,
    at: u64,
}

impl OccurringShardReader {
    /// Opens the shard of a process, as a manifest in a directory names it.
    pub(crate) fn open(
        storage: &dyn Storage,
        directory: &Path,
        found: &Manifest,
        process: usize,
    ) -> Result<OccurringShardReader, ClusterError> {
        let (pieces, keys) = PieceReader::open(storage, directory, found, process, None)?;
        Ok(OccurringShardReader { pieces, keys, at: 0 })
    }
}

impl ReadPiece for OccurringShardReader {
    type Piece = SavedPiece;

    fn piece(&mut self) -> Result<Option<SavedPiece>, ClusterError> {
        if self.at == self.keys {
            return Ok(None);
        }
        let from = self.at;
        let mut bytes = vec![0; HEAD];
        self.pieces.read(&mut bytes)?;
        let head = read_head(&bytes).filter(|(_, _, count, _)| *count as u64 <= self.keys - from);
        let Some((_, _, count, length)) = head else { return Err(self.pieces.damaged(from)) };
        bytes.resize(HEAD + length, 0);
        self.pieces.read(&mut bytes[HEAD..])?;
        self.at += count as u64;
        self.pieces.check(&bytes, self.at == self.keys, from)?;
        read_piece(&bytes).map(Some).ok_or_else(|| self.pieces.damaged(from))
    }
}

#[cfg(test)]
mod tests {
    use retrograde_table::DiskStorage;

    use super::*;
    use crate::checkpoint::header::header;
    use crate::checkpoint::manifest::{ShardFile, VERSION};
    use crate::checkpoint::pieces::PieceWriter;
    use crate::checkpoint::shard::shard_name;

    fn read(folder: &Path, manifest: &Manifest) -> Result<Vec<SavedPiece>, ClusterError> {
        let mut reader = OccurringShardReader::open(&DiskStorage, folder, manifest, 0)?;
        let mut pieces = Vec::new();
        while let Some(piece) = reader.piece()? {
            pieces.push(piece);
        }
        Ok(pieces)
    }

    #[test]
    fn no_flipped_byte_or_cut_of_a_shard_passes() {
        let folder = retrograde_testkit::tempdir().unwrap();
        let mut manifest = Manifest {
            format: VERSION,
            identity: "a game".to_owned(),
            stage: 0,
            sequence: 7,
            score_bytes: 2,
            counter_bytes: 0,
            count: 6,
            block_bits: 0,
            threads: vec![2],
            shards: Vec::new(),
        };
        let piece = |state, grade, keys: &[u64], scores: &[u16]| SavedPiece {
            state,
            grade,
            keys: keys.to_vec(),
            scores: scores.to_vec(),
        };
        let pieces = vec![
            piece(GradeState::Waiting, 9, &[5, 1 << 60], &[]),
            piece(GradeState::Gathered, 4, &[0], &[]),
            piece(GradeState::Solved, 2, &[7, 8, u64::MAX], &[1, 300, u16::MAX]),
        ];
        let mut bytes = Vec::new();
        let head = header(&manifest, 0, 6);
        let mut writer = PieceWriter::begin(&mut bytes, &head).unwrap();
        pieces.iter().for_each(|piece| writer.piece(&piece_bytes(piece)).unwrap());
        let (seal, length) = (writer.seal.to_hex().to_string(), writer.bytes);
        assert_eq!(length, bytes.len() as u64);
        let name = shard_name(7, 0);
        let path = folder.path().join(&name);
        manifest.shards.push(ShardFile { file: name.clone(), bytes: length, seal });
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(read(folder.path(), &manifest).unwrap(), pieces);
        let refused = |bytes: &[u8], what: &str| {
            std::fs::write(&path, bytes).unwrap();
            let error = read(folder.path(), &manifest).expect_err(what).to_string();
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

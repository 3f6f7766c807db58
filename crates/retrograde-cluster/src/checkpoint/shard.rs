//! The file of one process in a checkpoint: pieces of bytes that the solver interprets. Each piece is
//! followed by a BLAKE3 hash over itself and the previous hash, so no piece can be omitted, repeated or
//! taken from another shard. All numbers are little-endian:
//!
//! ```text
//!   8  magic: 89 'R' 'G' 'C' 0D 0A 1A 0A
//!   4  format version, 3
//!   4  length n of the identity
//!   8  stage, in the solver's unit
//!   8  sequence number of the checkpoint
//!   4  process
//!   1  bytes per score
//!   3  0
//!   n  identity
//! pieces:
//!   4  length n
//!   n  bytes
//!  32  BLAKE3 of the previous hash (at first the header's), the length and the bytes
//! ```
//!
//! The last hash is the *seal*, which the manifest repeats.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use retrograde_table::{Source, Storage, read_up_to};

use super::manifest::{Manifest, VERSION};
use crate::error::ClusterError;

const MAGIC: &[u8; 8] = b"\x89RGC\r\n\x1a\n";
/// Longer pieces are rejected.
const MAX_PIECE: usize = 1 << 24;

/// Returns the name of a process's shard in a checkpoint.
pub(crate) fn shard_name(sequence: u64, process: usize) -> String {
    format!("{sequence}-{process}.shard")
}

/// Encodes the header of a process's shard.
fn header(manifest: &Manifest, process: usize) -> Vec<u8> {
    let mut header = Vec::new();
    header.extend_from_slice(MAGIC);
    header.extend_from_slice(&VERSION.to_le_bytes());
    header.extend_from_slice(&(manifest.identity.len() as u32).to_le_bytes());
    header.extend_from_slice(&manifest.stage.to_le_bytes());
    header.extend_from_slice(&manifest.sequence.to_le_bytes());
    header.extend_from_slice(&(process as u32).to_le_bytes());
    header.extend_from_slice(&[manifest.score_bytes, 0, 0, 0]);
    header.extend_from_slice(manifest.identity.as_bytes());
    header
}

/// Returns the hash of a piece, which covers the previous hash.
fn sum(before: &blake3::Hash, length: [u8; 4], bytes: &[u8]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(before.as_bytes()).update(&length).update(bytes);
    hasher.finalize()
}

/// Writes a shard, piece by piece.
pub(crate) struct ShardWriter<'a> {
    out: &'a mut dyn Write,
    pub seal: blake3::Hash,
    /// The number of bytes written so far.
    pub bytes: u64,
}

impl<'a> ShardWriter<'a> {
    pub(crate) fn begin(
        out: &'a mut dyn Write,
        manifest: &Manifest,
        process: usize,
    ) -> io::Result<ShardWriter<'a>> {
        let header = header(manifest, process);
        out.write_all(&header)?;
        Ok(ShardWriter { out, seal: blake3::hash(&header), bytes: header.len() as u64 })
    }

    pub(crate) fn piece(&mut self, bytes: &[u8]) -> io::Result<()> {
        let length = (bytes.len() as u32).to_le_bytes();
        self.seal = sum(&self.seal, length, bytes);
        self.bytes += bytes.len() as u64 + 36;
        self.out.write_all(&length)?;
        self.out.write_all(bytes)?;
        self.out.write_all(self.seal.as_bytes())
    }
}

/// Reads a shard and checks it, piece by piece.
pub(crate) struct ShardReader {
    path: PathBuf,
    source: Box<dyn Source>,
    /// The offset of the next piece in the file.
    offset: u64,
    end: u64,
    sum: blake3::Hash,
    seal: String,
}

impl ShardReader {
    /// Opens the shard of a process that a manifest lists.
    pub(crate) fn open(
        storage: &dyn Storage,
        directory: &Path,
        found: &Manifest,
        process: usize,
    ) -> Result<ShardReader, ClusterError> {
        let shard = &found.shards[process];
        let path = directory.join(&shard.file);
        let io = |error| ClusterError::file(&path, error);
        let source = storage.open(&path).map_err(io)?;
        let expected = header(found, process);
        let mut read = vec![0; expected.len()];
        let length = read_up_to(&*source, &mut read, 0).map_err(io)?;
        if length < read.len() || read != expected {
            let reason = "it is not the shard that the manifest names";
            return Err(ClusterError::checkpoint(&path, reason));
        }
        let (offset, sum) = (read.len() as u64, blake3::hash(&read));
        Ok(ShardReader { path, source, offset, end: shard.bytes, sum, seal: shard.seal.clone() })
    }

    /// Reads the next piece, if there is one.
    pub(crate) fn piece(&mut self) -> Result<Option<Vec<u8>>, ClusterError> {
        let from = self.offset;
        if from == self.end {
            return match self.sum.to_hex().as_str() == self.seal {
                true => Ok(None),
                false => Err(self.damaged(from)),
            };
        }
        let mut length = [0; 4];
        self.read(&mut length)?;
        let bytes = u32::from_le_bytes(length) as usize;
        if bytes > MAX_PIECE || self.offset + bytes as u64 + 32 > self.end {
            return Err(self.damaged(from));
        }
        let (mut piece, mut seal) = (vec![0; bytes], [0; 32]);
        self.read(&mut piece)?;
        self.read(&mut seal)?;
        self.sum = sum(&self.sum, length, &piece);
        if self.sum != blake3::Hash::from_bytes(seal) {
            return Err(self.damaged(from));
        }
        Ok(Some(piece))
    }

    /// Fills `bytes` from the file.
    fn read(&mut self, bytes: &mut [u8]) -> Result<(), ClusterError> {
        let read = read_up_to(&*self.source, bytes, self.offset)
            .map_err(|error| ClusterError::file(&self.path, error))?;
        if read < bytes.len() {
            return Err(self.wrong("it was cut off; solve with --again to begin anew"));
        }
        self.offset += read as u64;
        Ok(())
    }

    fn damaged(&self, from: u64) -> ClusterError {
        self.wrong(format!(
            "the piece that begins at byte {from} is damaged; solve with --again to begin anew"
        ))
    }

    fn wrong(&self, reason: impl Into<String>) -> ClusterError {
        ClusterError::checkpoint(&self.path, reason)
    }
}

#[cfg(test)]
mod tests {
    use retrograde_table::DiskStorage;

    use super::*;
    use crate::checkpoint::manifest::ShardFile;

    fn read(directory: &Path, manifest: &Manifest) -> Result<Vec<Vec<u8>>, ClusterError> {
        let mut reader = ShardReader::open(&DiskStorage, directory, manifest, 0)?;
        let mut all = Vec::new();
        while let Some(piece) = reader.piece()? {
            all.push(piece);
        }
        Ok(all)
    }

    #[test]
    fn no_flipped_byte_or_cut_of_a_shard_passes() {
        let folder = retrograde_testkit::tempdir().unwrap();
        for count in 0..4 {
            let mut manifest = Manifest {
                format: VERSION,
                identity: "a game".to_owned(),
                stage: 3,
                sequence: 7,
                score_bytes: 1,
                count: 300,
                shards: Vec::new(),
            };
            let pieces: Vec<Vec<u8>> =
                (0..count).map(|piece| (0..piece * 40).map(|at| (at * 31 % 251) as u8).collect()).collect();
            let mut bytes = Vec::new();
            let mut writer = ShardWriter::begin(&mut bytes, &manifest, 0).unwrap();
            pieces.iter().for_each(|piece| writer.piece(piece).unwrap());
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
}

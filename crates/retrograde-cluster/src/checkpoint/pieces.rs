//! The pieces of a shard: each is followed by a BLAKE3 sum of itself and of the sum before it (of the
//! header for the first), so that no piece can be left out, repeated or taken from another shard. The
//! last sum is the *seal* that the manifest repeats.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use retrograde_table::{Source, Storage, read_up_to};

use super::header::{header, places_of_header};
use super::manifest::Manifest;
use crate::error::ClusterError;

/// The sum of a piece, which covers the sum before it.
pub(crate) fn sum(before: &blake3::Hash, bytes: &[u8]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(before.as_bytes());
    hasher.update(bytes);
    hasher.finalize()
}

/// Writes a shard, piece by piece.
pub(crate) struct PieceWriter<'a> {
    out: &'a mut dyn Write,
    pub seal: blake3::Hash,
    /// Bytes that were written.
    pub bytes: u64,
}

impl<'a> PieceWriter<'a> {
    pub(crate) fn begin(out: &'a mut dyn Write, header: &[u8]) -> io::Result<PieceWriter<'a>> {
        out.write_all(header)?;
        Ok(PieceWriter { out, seal: blake3::hash(header), bytes: header.len() as u64 })
    }

    pub(crate) fn piece(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.seal = sum(&self.seal, bytes);
        self.bytes += bytes.len() as u64 + 32;
        self.out.write_all(bytes)?;
        self.out.write_all(self.seal.as_bytes())
    }
}

/// A shard that is read, piece by piece.
pub(crate) trait ReadPiece {
    type Piece;

    /// The next piece, if there is one.
    fn piece(&mut self) -> Result<Option<Self::Piece>, ClusterError>;
}

/// Reads the bytes of a shard and checks them, piece by piece.
pub(crate) struct PieceReader {
    path: PathBuf,
    source: Box<dyn Source>,
    /// Where the next bytes are in the file.
    offset: u64,
    sum: blake3::Hash,
    seal: String,
}

impl PieceReader {
    /// Opens the shard of a process, as a manifest in a directory names it; the reader, and the number
    /// of places that its header tells. `places`: the number that it must tell, if that is known.
    pub(crate) fn open(
        storage: &dyn Storage,
        directory: &Path,
        found: &Manifest,
        process: usize,
        places: Option<u64>,
    ) -> Result<(PieceReader, u64), ClusterError> {
        let shard = &found.shards[process];
        let path = directory.join(&shard.file);
        let io = |error| ClusterError::file(&path, error);
        let source = storage.open(&path).map_err(io)?;
        let mut read = vec![0; header(found, process as u32, 0).len()];
        let length = read_up_to(&*source, &mut read, 0).map_err(io)?;
        let places = places.or_else(|| places_of_header(&read)).unwrap_or(0);
        if length < read.len() || read != header(found, process as u32, places) {
            let reason = "it is not the shard that the manifest names";
            return Err(ClusterError::checkpoint(&path, reason));
        }
        let (offset, sum) = (read.len() as u64, blake3::hash(&read));
        Ok((PieceReader { path, source, offset, sum, seal: shard.seal.clone() }, places))
    }

    /// Reads the next bytes of a piece, all of them.
    pub(crate) fn read(&mut self, bytes: &mut [u8]) -> Result<(), ClusterError> {
        let read = read_up_to(&*self.source, bytes, self.offset)
            .map_err(|error| ClusterError::file(&self.path, error))?;
        if read < bytes.len() {
            return Err(self.wrong("it was cut off; solve with --again to begin anew"));
        }
        self.offset += read as u64;
        Ok(())
    }

    /// Reads the sum of a piece whose bytes were read; at the `last` one it is the seal, too. The piece
    /// begins at this place.
    pub(crate) fn check(&mut self, piece: &[u8], last: bool, from: u64) -> Result<(), ClusterError> {
        let mut seal = [0; 32];
        self.read(&mut seal)?;
        self.sum = sum(&self.sum, piece);
        if self.sum != blake3::Hash::from_bytes(seal) || last && self.sum.to_hex().as_str() != self.seal {
            return Err(self.damaged(from));
        }
        Ok(())
    }

    /// The error of a piece that is not what was written.
    pub(crate) fn damaged(&self, from: u64) -> ClusterError {
        self.wrong(format!(
            "the piece that begins at place {from} is damaged; solve with --again to begin anew"
        ))
    }

    fn wrong(&self, reason: impl Into<String>) -> ClusterError {
        ClusterError::checkpoint(&self.path, reason)
    }
}

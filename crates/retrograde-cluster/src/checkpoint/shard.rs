//! The file of one process in a checkpoint: pieces of bytes that the solver interprets, as the blocks of a
//! [block log](BlockLogWriter). Its label names the checkpoint and the process. The manifest repeats the
//! *seal*, a BLAKE3 hash over the label and all pieces, so that no shard of another checkpoint can take its
//! place.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use retrograde_table::{BlockLogReader, BlockLogWriter, Storage, TableError};

use super::manifest::Manifest;
use crate::error::ClusterError;

/// Returns the name of a process's shard in a checkpoint.
pub(crate) fn shard_name(sequence: u64, process: usize) -> String {
    format!("{sequence}-{process}.shard")
}

/// Returns the label of a process's shard.
fn label(manifest: &Manifest, process: usize) -> String {
    let Manifest { identity, stage, sequence, score_bytes, .. } = manifest;
    format!(
        "process {process} of checkpoint {sequence} at stage {stage} of {identity}, {score_bytes} bytes a score"
    )
}

/// Writes a shard, piece by piece.
pub(crate) struct ShardWriter<'a> {
    log: BlockLogWriter<'a>,
    seal: blake3::Hasher,
}

impl<'a> ShardWriter<'a> {
    pub(crate) fn begin(
        out: &'a mut dyn Write,
        manifest: &Manifest,
        process: usize,
    ) -> io::Result<ShardWriter<'a>> {
        let label = label(manifest, process);
        Ok(ShardWriter { log: BlockLogWriter::begin(out, &label, false)?, seal: seal_of(&label) })
    }

    /// Writes a piece, which is not empty.
    pub(crate) fn piece(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.seal.update(&(bytes.len() as u32).to_le_bytes()).update(bytes);
        self.log.block(bytes)
    }

    /// Ends the shard. Returns the length of the file and the seal.
    pub(crate) fn end(self) -> io::Result<(u64, blake3::Hash)> {
        Ok((self.log.end()?, self.seal.finalize()))
    }
}

/// Starts the hash of a shard.
fn seal_of(label: &str) -> blake3::Hasher {
    let mut seal = blake3::Hasher::new();
    seal.update(label.as_bytes());
    seal
}

/// Reads a shard and checks it, piece by piece.
pub(crate) struct ShardReader {
    path: PathBuf,
    log: BlockLogReader,
    seal: blake3::Hasher,
    expected: String,
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
        let label = label(found, process);
        let log = BlockLogReader::open(storage, &path, &label).map_err(|error| unusable(&path, error))?;
        Ok(ShardReader { path, log, seal: seal_of(&label), expected: shard.seal.clone() })
    }

    /// Reads the next piece, if there is one.
    pub(crate) fn piece(&mut self) -> Result<Option<Vec<u8>>, ClusterError> {
        let piece = self.log.next_block().map_err(|error| unusable(&self.path, error))?;
        match &piece {
            Some(bytes) => _ = self.seal.update(&(bytes.len() as u32).to_le_bytes()).update(bytes),
            None if self.seal.finalize().to_hex().as_str() == self.expected => {}
            None => return Err(ClusterError::unusable(self.path.display(), OTHER)),
        }
        Ok(piece)
    }
}

const OTHER: &str = "it is not the shard that the manifest names";

/// The error of a shard that cannot be read.
fn unusable(path: &Path, error: TableError) -> ClusterError {
    match error {
        TableError::Io { .. } | TableError::Permission { .. } => error.into(),
        TableError::Damaged { place, reason, .. } => {
            let reason = format!("it is damaged in {place}: {reason}; solve with --again to start over");
            ClusterError::unusable(path.display(), reason)
        }
        _ => ClusterError::unusable(path.display(), OTHER),
    }
}

#[cfg(test)]
mod tests {
    use retrograde_table::DiskStorage;

    use super::*;
    use crate::checkpoint::manifest::{ShardFile, VERSION};

    fn read(directory: &Path, manifest: &Manifest) -> Result<Vec<Vec<u8>>, ClusterError> {
        let mut reader = ShardReader::open(&DiskStorage, directory, manifest, 0)?;
        let mut all = Vec::new();
        while let Some(piece) = reader.piece()? {
            all.push(piece);
        }
        Ok(all)
    }

    #[test]
    fn flipped_bytes_and_truncated_shards_are_rejected() {
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
                (1..=count).map(|piece| (0..piece * 40).map(|at| (at * 31 % 251) as u8).collect()).collect();
            let mut bytes = Vec::new();
            let mut writer = ShardWriter::begin(&mut bytes, &manifest, 0).unwrap();
            pieces.iter().for_each(|piece| writer.piece(piece).unwrap());
            let (length, seal) = writer.end().unwrap();
            let seal = seal.to_hex().to_string();
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

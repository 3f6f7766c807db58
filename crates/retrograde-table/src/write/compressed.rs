//! Compresses the spilled files of a solver ([`Spill`]).
//!
//! ```text
//! blocks     4  length n of the compressed block, at least 1
//!            n  a megabyte of the content, compressed with zstd; the last block may have less
//! end        4  0
//! ```
//!
//! The blocks have no checksums, because the underlying files have them.

use std::io::{self, Read, Write};

use retrograde_solve::reachable::Spill;

use crate::compression::{Compressor, decompress};

/// The number of bytes of content in a block.
const BLOCK: usize = 1 << 20;
/// Most scores of a game are equal, so the fastest level compresses as well as others.
const LEVEL: i32 = 1;

/// Compresses files before they are written to other files.
pub struct CompressedSpill(Box<dyn Spill>);

impl CompressedSpill {
    /// Creates a compressing layer over `files`.
    pub fn new(files: Box<dyn Spill>) -> CompressedSpill {
        CompressedSpill(files)
    }
}

impl Spill for CompressedSpill {
    fn write(&self, name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        self.0.write(name, &mut |out| {
            let compressor = Compressor::new(LEVEL)?;
            let mut blocks =
                Blocks { out, compressor, content: Vec::with_capacity(BLOCK), packed: Vec::new() };
            fill(&mut blocks)?;
            blocks.put()?;
            blocks.out.write_all(&0_u32.to_le_bytes())
        })
    }

    fn read(&self, name: &str) -> io::Result<Box<dyn Read + Send>> {
        let source = self.0.read(name)?;
        Ok(Box::new(Unpacked { source, content: Vec::new(), at: 0, ended: false }))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.0.remove(name)
    }

    fn names(&self) -> io::Result<Vec<String>> {
        self.0.names()
    }
}

/// Writes blocks.
struct Blocks<'a> {
    out: &'a mut dyn Write,
    compressor: Compressor,
    content: Vec<u8>,
    packed: Vec<u8>,
}

impl Blocks<'_> {
    /// Writes the buffered content as a block, if there is any.
    fn put(&mut self) -> io::Result<()> {
        if self.content.is_empty() {
            return Ok(());
        }
        self.compressor.compress(&self.content, &mut self.packed)?;
        self.content.clear();
        self.out.write_all(&(self.packed.len() as u32).to_le_bytes())?;
        self.out.write_all(&self.packed)
    }
}

impl Write for Blocks<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(BLOCK - self.content.len());
        self.content.extend_from_slice(&bytes[..taken]);
        if self.content.len() == BLOCK {
            self.put()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads blocks.
struct Unpacked {
    source: Box<dyn Read + Send>,
    content: Vec<u8>,
    at: usize,
    ended: bool,
}

impl Read for Unpacked {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.at == self.content.len() && !self.ended {
            let mut length = [0; 4];
            self.source.read_exact(&mut length)?;
            let length = u32::from_le_bytes(length);
            if u64::from(length) > 2 * BLOCK as u64 {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a compressed block is too long"));
            }
            let mut packed = vec![0; length as usize];
            self.source.read_exact(&mut packed)?;
            self.ended = length == 0;
            if self.ended && self.source.read(&mut [0])? > 0 {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "there is data after the compressed blocks",
                ));
            }
            self.content = if self.ended { Vec::new() } else { decompress(&packed, BLOCK)? };
            self.at = 0;
        }
        let taken = bytes.len().min(self.content.len() - self.at);
        bytes[..taken].copy_from_slice(&self.content[self.at..self.at + taken]);
        self.at += taken;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DiskStorage, SpillFolder};
    use std::sync::Arc;

    #[test]
    fn written_files_are_read_back() {
        let place = retrograde_testkit::tempdir().unwrap();
        let folder = SpillFolder::open(Arc::new(DiskStorage), &place.path().join("s"), "a test").unwrap();
        let files = CompressedSpill::new(Box::new(folder));
        for length in [0, 1, BLOCK - 1, BLOCK, 3 * BLOCK + 5] {
            let content: Vec<u8> = (0..length).map(|at| (at % 7 * (at / 1000)) as u8).collect();
            files
                .write("it", &mut |out| content.chunks(99_999).try_for_each(|part| out.write_all(part)))
                .unwrap();
            let mut read = Vec::new();
            files.read("it").unwrap().read_to_end(&mut read).unwrap();
            assert!(read == content, "{length}");
        }
        assert_eq!(files.names().unwrap(), ["it"]);
        files.remove("it").unwrap();
        assert!(files.read("it").is_err());
    }
}

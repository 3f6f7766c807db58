//! The games of a site as a read-only [`Storage`]: each game has its directory, as on a disk.

use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::fetch::{Fetch, Piece};
use super::index::{SiteFile, SiteGame, SiteIndex};
use crate::storage::{Source, Storage};

/// The most ranges announced together. Further ones are fetched when they are read.
const MAX_PREPARED: usize = 1 << 14;

/// The games of a site.
#[derive(Clone, Debug)]
pub struct SiteStorage {
    index: Arc<SiteIndex>,
    fetch: Arc<dyn Fetch>,
    root: PathBuf,
}

impl SiteStorage {
    /// Creates a storage with the directories of the games at `Path::new("")`.
    pub fn new(index: Arc<SiteIndex>, fetch: Arc<dyn Fetch>) -> SiteStorage {
        SiteStorage { index, fetch, root: PathBuf::new() }
    }

    /// Moves the directories of the games below `root`, for example the address of the site, which
    /// then precedes the names of files in errors.
    #[must_use]
    pub fn below(self, root: impl Into<PathBuf>) -> SiteStorage {
        SiteStorage { root: root.into(), ..self }
    }

    /// The index of the site.
    pub fn index(&self) -> &SiteIndex {
        &self.index
    }

    /// The components of a path below the root; `None` if it is not below it.
    fn names_of<'p>(&self, path: &'p Path) -> Option<Vec<&'p str>> {
        let below = path.strip_prefix(&self.root).ok()?;
        let name = |component| match component {
            Component::Normal(name) => name.to_str(),
            _ => None,
        };
        below.components().map(name).collect()
    }

    fn game(&self, directory: &str) -> io::Result<&SiteGame> {
        let game = self.index.games.iter().find(|game| game.directory() == directory);
        game.ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// A file of a site.
struct SiteSource {
    folder: String,
    file: SiteFile,
    fetch: Arc<dyn Fetch>,
}

impl SiteSource {
    /// The beginning of a range of the file, up to the end of the piece that it begins in: the
    /// piece, and the range within it. The range must begin within the file and not be empty.
    fn first_part(&self, range: &Range<u64>) -> (Piece, Range<u64>) {
        let (piece, start) = self.file.piece_at(&self.folder, range.start);
        let end = range.end.min(start + piece.bytes);
        (piece, range.start - start..end - start)
    }
}

impl Source for SiteSource {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let end = self.file.bytes.min(offset.saturating_add(buffer.len() as u64));
        if offset >= end {
            return Ok(0);
        }
        let (piece, range) = self.first_part(&(offset..end));
        let length = (range.end - range.start) as usize;
        let bytes = self.fetch.fetch(&piece, range.clone())?;
        if bytes.len() != length {
            let Range { start, end } = range;
            let words = format!(
                "the site sent {} bytes instead of bytes {start} to {end} of “{}”",
                bytes.len(),
                piece.path
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, words));
        }
        buffer[..length].copy_from_slice(&bytes);
        Ok(length)
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.file.bytes)
    }

    fn needs_prepare(&self) -> bool {
        true
    }

    fn prepare(&self, ranges: &[Range<u64>]) -> io::Result<()> {
        let mut parts = Vec::new();
        for range in ranges {
            let mut rest = range.start..range.end.min(self.file.bytes);
            while rest.start < rest.end && parts.len() < MAX_PREPARED {
                let (piece, part) = self.first_part(&rest);
                rest.start += part.end - part.start;
                parts.push((piece, part));
            }
        }
        if parts.is_empty() { Ok(()) } else { self.fetch.prepare(&parts) }
    }
}

impl Storage for SiteStorage {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>> {
        let names = self.names_of(path).ok_or(io::ErrorKind::NotFound)?;
        let (directory, inside) = names.split_first().ok_or(io::ErrorKind::NotFound)?;
        let game = self.game(directory)?;
        let file = game.file(&inside.join("/")).ok_or(io::ErrorKind::NotFound)?;
        let fetch = Arc::clone(&self.fetch);
        Ok(Box::new(SiteSource { folder: game.folder.clone(), file: file.clone(), fetch }))
    }

    fn refusal(&self) -> io::Error {
        let words = "sites are read-only";
        io::Error::new(io::ErrorKind::ReadOnlyFilesystem, words)
    }

    fn names(&self, path: &Path) -> io::Result<Vec<String>> {
        let names = self.names_of(path).ok_or(io::ErrorKind::NotFound)?;
        let Some((directory, inside)) = names.split_first() else {
            return Ok(self.index.games.iter().map(SiteGame::directory).collect());
        };
        let files = &self.game(directory)?.files;
        let folder: String = inside.iter().map(|name| format!("{name}/")).collect();
        let below = files.iter().filter_map(|file| file.name.strip_prefix(&folder));
        let found: BTreeSet<&str> = below.filter_map(|rest| rest.split('/').next()).collect();
        if found.is_empty() && !inside.is_empty() {
            return Err(io::ErrorKind::NotFound.into());
        }
        Ok(found.into_iter().map(str::to_owned).collect())
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;

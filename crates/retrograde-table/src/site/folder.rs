//! The folder of a site: writing and reading it.
//!
//! Every file is written under a temporary name and renamed. `site.json`, which names all the
//! others, comes last, so it only ever names files that exist. A file with a digest in its address
//! is not written again if it exists, so an interrupted export can resume.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::fetch::{Fetch, Piece};
use super::index::{MAX_EXTRA_BYTES, SiteFile, SiteIndex};
use super::opened::SharedSource;
use super::storage::SiteStorage;
use crate::directory::names::directory_name;
use crate::error::TableError;
use crate::storage::{Source, Storage, UNFINISHED, read_file, read_up_to, replace_file};

/// The name of the index file of a site.
pub const SITE_INDEX: &str = "site.json";

/// The folders of tables and puzzles.
const TABLES: &str = "tables";
const PUZZLES: &str = "puzzles";
/// The folder of precomputed answers to the first questions of a page.
const AHEAD: &str = "ahead";
/// The folder of ranges that are read when a game is opened.
const OPENINGS: &str = "openings";

/// The number of bytes copied at a time.
const BUFFER_BYTES: usize = 1 << 20;
/// The number of digits of a digest in an address.
const DIGEST_DIGITS: usize = 16;

/// Called with the number of further bytes; returns whether to continue.
pub type Advance<'a> = dyn FnMut(u64) -> bool + 'a;

/// The folder of a site.
#[derive(Clone, Debug)]
pub struct SiteFolder {
    storage: Arc<dyn Storage>,
    folder: PathBuf,
}

/// The kind of a small precomputed file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExtraKind {
    /// Puzzles.
    Puzzles,
    /// Answers to the first questions of a page.
    Ahead,
    /// A long answer, packed by gzip.
    LongAnswer,
    /// The ranges that are read when a game is opened, packed by gzip.
    Opening,
}

impl ExtraKind {
    const ALL: [ExtraKind; 4] =
        [ExtraKind::Puzzles, ExtraKind::Ahead, ExtraKind::LongAnswer, ExtraKind::Opening];

    /// A word for the content.
    const fn what(self) -> &'static str {
        match self {
            ExtraKind::Puzzles => "puzzles",
            ExtraKind::Ahead => "answers",
            ExtraKind::LongAnswer => "long answers",
            ExtraKind::Opening => "ranges for opening",
        }
    }

    /// The folder of such files, and the ending of their names.
    const fn place(self) -> (&'static str, &'static str) {
        match self {
            ExtraKind::Puzzles => (PUZZLES, ".json"),
            ExtraKind::Ahead => (AHEAD, ".json"),
            ExtraKind::LongAnswer => (AHEAD, ".json.gz"),
            ExtraKind::Opening => (OPENINGS, ".bin.gz"),
        }
    }
}

/// The published files of a game, which an index can then name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublishedGame {
    /// The address of the folder.
    pub folder: String,
    /// The files.
    pub files: Vec<SiteFile>,
    /// The number of bytes written; 0 if all files existed.
    pub written: u64,
}

/// The digest of bytes, shortened for addresses.
pub fn short_digest(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..DIGEST_DIGITS].to_owned()
}

/// The name of a game for an address. Some hosts interpret `+` as a space. The digest after it
/// keeps games apart.
fn readable(game: &str) -> String {
    directory_name(game).replace('+', "_")
}

/// The error for cancelled work.
fn stopped() -> io::Error {
    io::ErrorKind::Interrupted.into()
}

impl SiteFolder {
    /// Creates a `SiteFolder` for a path, which does not have to exist.
    pub fn new(storage: Arc<dyn Storage>, folder: impl Into<PathBuf>) -> SiteFolder {
        SiteFolder { storage, folder: folder.into() }
    }

    /// The file system path of an address.
    pub fn path(&self, address: &str) -> PathBuf {
        address.split('/').fold(self.folder.clone(), |path, name| path.join(name))
    }

    /// Reads `site.json`; `None` if it does not exist.
    ///
    /// # Errors
    /// If it is damaged or cannot be read.
    pub fn index(&self) -> Result<Option<SiteIndex>, TableError> {
        let path = self.path(SITE_INDEX);
        let bytes = read_file(&*self.storage, &path, SiteIndex::MAX_BYTES as u64)?;
        bytes.map(|bytes| SiteIndex::read(&bytes, &path)).transpose()
    }

    /// Creates the parent folder of a path.
    fn create_parent(&self, path: &Path) -> Result<(), TableError> {
        let Some(folder) = path.parent() else { return Ok(()) };
        let is_new = self.storage.names(folder).is_err();
        self.storage.create_directory(folder).map_err(|error| TableError::io("make", folder, error))?;
        match folder.parent().filter(|parent| is_new && !parent.as_os_str().is_empty()) {
            Some(parent) => {
                let synced = self.storage.sync_directory(parent);
                synced.map_err(|error| TableError::io("write", parent, error))
            }
            None => Ok(()),
        }
    }

    /// The length of a file; `None` if it does not exist.
    fn length(&self, path: &Path) -> Option<u64> {
        self.storage.open(path).and_then(|source| source.length()).ok()
    }

    /// Writes a file unless it already has these bytes. Returns whether it was written.
    ///
    /// # Errors
    /// An error of the system.
    pub fn write(&self, address: &str, bytes: &[u8]) -> Result<bool, TableError> {
        let path = self.path(address);
        if self.length(&path) == Some(bytes.len() as u64) && self.has(&path, bytes) {
            return Ok(false);
        }
        self.create_parent(&path)?;
        replace_file(&*self.storage, &path, |out| out.write_all(bytes))?;
        Ok(true)
    }

    fn has(&self, path: &Path, bytes: &[u8]) -> bool {
        let mut there = vec![0; bytes.len()];
        let read = self.storage.open(path).and_then(|source| read_up_to(&*source, &mut there, 0));
        read.is_ok_and(|read| read == bytes.len()) && there == bytes
    }

    /// Writes a small file about a game, with its digest in the name. Returns its address.
    ///
    /// # Errors
    /// An error of the system.
    pub fn write_extra(&self, kind: ExtraKind, game: &str, bytes: &[u8]) -> Result<String, TableError> {
        if bytes.len() as u64 > MAX_EXTRA_BYTES {
            let reason = format!("its {} are too long ({} bytes)", kind.what(), bytes.len());
            return Err(TableError::Misused { game: game.to_owned(), reason });
        }
        let (folder, ending) = kind.place();
        let address = format!("{folder}/{}-{}{ending}", readable(game), short_digest(bytes));
        self.write(&address, bytes)?;
        Ok(address)
    }

    /// Writes the files of a game. Files longer than `piece` bytes are split into pieces of that
    /// size. Existing files are kept unless `overwrite` is set. All bytes are reported to `advance`
    /// twice: when they are read for the digests, and when they have been written or kept.
    ///
    /// # Errors
    /// An error of the system, or [`io::ErrorKind::Interrupted`] if `advance` returned `false`.
    pub fn write_game(
        &self,
        game: &str,
        sources: &[(String, SharedSource)],
        piece: Option<u64>,
        overwrite: bool,
        advance: &mut Advance<'_>,
    ) -> Result<PublishedGame, TableError> {
        let mut files = Vec::with_capacity(sources.len());
        for (name, source) in sources {
            let described = describe(name, &**source, piece, advance);
            let file = described.map_err(|error| TableError::io("read", Path::new(name), error))?;
            // Fails early, not after hours of copying.
            file.check().map_err(|reason| TableError::Misused { game: game.to_owned(), reason })?;
            files.push(file);
        }
        let descriptions: String = files.iter().map(|file| format!("{file:?}\n")).collect();
        let folder = format!("{TABLES}/{}-{}", readable(game), short_digest(descriptions.as_bytes()));
        // Pieces are in few folders, each of which is looked up once.
        let (mut written, mut made) = (0, None);
        for (file, (_, source)) in files.iter().zip(sources) {
            let mut from = 0;
            for part in file.pieces(&folder) {
                let path = self.path(&part.path);
                if overwrite || self.length(&path) != Some(part.bytes) {
                    if made.as_deref() != path.parent() {
                        self.create_parent(&path)?;
                        made = path.parent().map(Path::to_owned);
                    }
                    let range = from..from + part.bytes;
                    replace_file(&*self.storage, &path, |out| copy(&**source, range, out, advance))?;
                    written += part.bytes;
                } else if !advance(part.bytes) {
                    return Err(TableError::io("write", &path, stopped()));
                }
                from += part.bytes;
            }
        }
        Ok(PublishedGame { folder, files, written })
    }

    /// Writes `site.json`, which publishes the games of the index.
    ///
    /// # Errors
    /// If the index is invalid, or an error of the system.
    pub fn write_index(&self, index: &SiteIndex) -> Result<(), TableError> {
        let path = self.path(SITE_INDEX);
        let text = index
            .write()
            .map_err(|reason| TableError::Misused { game: path.display().to_string(), reason })?;
        self.create_parent(&path)?;
        replace_file(&*self.storage, &path, |out| out.write_all(text.as_bytes()))
    }

    /// The games of an index, read from this folder like from a site.
    pub fn games(&self, index: Arc<SiteIndex>) -> SiteStorage {
        SiteStorage::new(index, Arc::new(self.clone()))
    }

    /// Removes tables, puzzles, openings and modules that an index does not name, files in `assets`
    /// that do not belong to the page, and unfinished files of interrupted writers. Returns the
    /// addresses of what was removed.
    ///
    /// # Errors
    /// An error of the system.
    pub fn prune(&self, index: &SiteIndex, page: &[String]) -> Result<Vec<String>, TableError> {
        let mut named: BTreeSet<&str> = page.iter().map(String::as_str).collect();
        named.insert(&index.module);
        named.extend(index.workshop.as_deref());
        for game in &index.games {
            named.insert(&game.folder);
            named.extend(game.extras().map(|(extra, _)| extra.path.as_str()));
        }
        let mut removed = Vec::new();
        for folder in [TABLES, PUZZLES, AHEAD, OPENINGS, "assets", ""] {
            let is_folder = folder == TABLES;
            for name in self.storage.names(&self.path(folder)).unwrap_or_default() {
                let address = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
                let is_ours = match (name.strip_suffix(UNFINISHED), address.strip_suffix(UNFINISHED)) {
                    (Some(name), Some(address)) if !is_folder => {
                        address == SITE_INDEX || named.contains(address) || has_digest(folder, name)
                    }
                    _ => has_digest(folder, &name),
                };
                if named.contains(address.as_str()) || !is_ours {
                    continue;
                }
                let path = self.path(&address);
                let done =
                    if is_folder { self.storage.remove_directory(&path) } else { self.storage.remove(&path) };
                match done {
                    Ok(()) => removed.push(address),
                    // It is somebody else's, whatever its name.
                    Err(error)
                        if matches!(error.kind(), ErrorKind::IsADirectory | ErrorKind::NotADirectory) => {}
                    Err(error) => return Err(TableError::io("remove", &path, error)),
                }
            }
        }
        Ok(removed)
    }
}

/// Whether a name in a folder has the form of a site file with a digest. Nothing else is ever removed.
fn has_digest(folder: &str, name: &str) -> bool {
    let stem = match folder {
        TABLES => Some(name),
        "assets" => [".js", ".css", ".svg"].iter().find_map(|ending| name.strip_suffix(ending)),
        "" => name.strip_suffix(".wasm.zst"),
        _ => ExtraKind::ALL.iter().find_map(|kind| {
            let (of, ending) = kind.place();
            name.strip_suffix(ending).filter(|_| of == folder)
        }),
    };
    let Some((_, digest)) = stem.and_then(|stem| {
        // The digests of the page's files have eight characters, including `-` and `_`.
        let at = stem.len().checked_sub(if folder == "assets" { 9 } else { DIGEST_DIGITS + 1 })?;
        stem.split_at_checked(at).filter(|(_, digest)| digest.starts_with('-'))
    }) else {
        return false;
    };
    folder == "assets" || digest[1..].bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Describes a file, with its digest.
fn describe(
    name: &str,
    source: &dyn Source,
    piece: Option<u64>,
    advance: &mut Advance<'_>,
) -> io::Result<SiteFile> {
    let bytes = source.length()?;
    let mut hash = blake3::Hasher::new();
    copy(source, 0..bytes, &mut hash, advance)?;
    let piece = piece.filter(|&piece| bytes > piece);
    Ok(SiteFile { name: name.to_owned(), bytes, piece, digest: hash.finalize().to_hex().to_string() })
}

/// Copies a range of a file.
fn copy(
    source: &dyn Source,
    mut range: Range<u64>,
    out: &mut dyn io::Write,
    advance: &mut Advance<'_>,
) -> io::Result<()> {
    let mut buffer = vec![0; BUFFER_BYTES.min((range.end - range.start) as usize)];
    while range.start < range.end {
        let length = (range.end - range.start).min(buffer.len() as u64) as usize;
        if read_up_to(source, &mut buffer[..length], range.start)? < length {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it became shorter while it was read"));
        }
        out.write_all(&buffer[..length])?;
        range.start += length as u64;
        if !advance(length as u64) {
            return Err(stopped());
        }
    }
    Ok(())
}

/// Reads the files of the folder itself.
impl Fetch for SiteFolder {
    fn fetch(&self, piece: &Piece, range: Range<u64>) -> io::Result<Vec<u8>> {
        let source = self.storage.open(&self.path(&piece.path))?;
        if source.length()? != piece.bytes {
            let words = format!("“{}” is not as long as {SITE_INDEX} says", piece.path);
            return Err(io::Error::new(io::ErrorKind::InvalidData, words));
        }
        let mut bytes = vec![0; (range.end - range.start) as usize];
        let read = read_up_to(&*source, &mut bytes, range.start)?;
        bytes.truncate(read);
        Ok(bytes)
    }
}

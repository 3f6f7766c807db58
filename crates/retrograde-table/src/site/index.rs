//! The index of a site: `site.json`, treated as untrusted input.

use std::collections::HashSet;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::fetch::Piece;
use crate::directory::names::directory_name;
use crate::error::{FilePart, TableError, VersionKind};
use crate::format::sealed_json::{format_version, seal_json, unseal_json};

/// The version of the format of `site.json` that this program writes and reads.
pub const SITE_FORMAT: u32 = 1;

/// The most games of a site.
const MAX_GAMES: usize = 10_000;
/// The most files in the directory of a game.
const MAX_FILES: usize = 1_000;
/// The largest file: far more than any game that could be solved needs.
const MAX_FILE_BYTES: u64 = 1 << 50;
/// The most pieces of a file.
const MAX_PIECES: u64 = 1_000_000;
/// The shortest piece, except for the last of a file: each costs a request.
const LEAST_PIECE: u64 = 4 << 10;
/// The longest precomputed file.
pub(super) const MAX_EXTRA_BYTES: u64 = 64 << 20;
/// The longest address.
const MAX_ADDRESS: usize = 300;
/// The longest text of a board.
const MAX_BOARD_BYTES: usize = 64 << 10;

/// The games of a site and the addresses of their files.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SiteIndex {
    /// The version of the format.
    pub format: u32,
    /// The version of the program that wrote the index.
    pub program: String,
    /// The address of the WebAssembly module.
    pub module: String,
    /// The address of a module that can also solve, if `module` can only answer questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workshop: Option<String>,
    /// The games.
    pub games: Vec<SiteGame>,
}

/// A game of a site.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SiteGame {
    /// The canonical name.
    pub game: String,
    /// The text of the board, if it came from a file.
    pub board: Option<String>,
    /// The address of the folder with its files.
    pub folder: String,
    /// The files of the game's directory.
    pub files: Vec<SiteFile>,
    /// Puzzles sampled in advance.
    pub puzzles: Option<SiteExtra>,
    /// Precomputed answers to the first questions of a page.
    #[serde(default)]
    pub ahead: Option<SiteExtra>,
    /// Precomputed answers that are too long for `ahead`, each in a separate file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<SiteAnswer>,
    /// The ranges of its files that opening the game reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<SiteExtra>,
    /// The entry that the page shows in its list of games.
    pub summary: Json,
}

/// A file of a game's directory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SiteFile {
    /// Its name in the directory; `FOLDER/NAME` if it is in a subfolder.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// The length of its pieces in bytes; `None` if it is not split.
    pub piece: Option<u64>,
    /// The BLAKE3 hash of the whole file in hexadecimal digits.
    pub digest: String,
}

/// A small precomputed file: puzzles, answers, or ranges.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SiteExtra {
    /// The address of the file.
    pub path: String,
    /// Its length in bytes.
    pub bytes: u64,
}

impl SiteIndex {
    /// The longest `site.json` in bytes.
    pub const MAX_BYTES: usize = 4 << 20;

    /// Parses a `site.json`. `place` names it in errors.
    ///
    /// # Errors
    /// If it is damaged, has another version, or has invalid content.
    pub fn read(bytes: &[u8], place: &Path) -> Result<SiteIndex, TableError> {
        let damaged = |reason: String| TableError::damaged(place, FilePart::Whole, reason);
        if bytes.len() > SiteIndex::MAX_BYTES {
            return Err(damaged("it is too long".to_owned()));
        }
        let body = unseal_json(bytes).map_err(|reason| {
            // Many hosts respond with an HTML page if a file does not exist.
            if bytes.trim_ascii_start().starts_with(b"{") {
                damaged(reason.to_owned())
            } else {
                TableError::foreign(place, "it does not begin like the index of a site")
            }
        })?;
        match format_version(&body).flatten() {
            Some(found) if found != u64::from(SITE_FORMAT) => {
                return Err(TableError::WrongVersion {
                    file: place.to_owned(),
                    what: VersionKind::Format,
                    found: found.into(),
                    expected: SITE_FORMAT.into(),
                });
            }
            _ => {}
        }
        let index: SiteIndex = serde_json::from_slice(&body).map_err(|error| damaged(error.to_string()))?;
        index.check().map_err(damaged)?;
        Ok(index)
    }

    /// Formats a `site.json`.
    ///
    /// # Errors
    /// The reason why [`SiteIndex::read`] would reject it.
    pub fn write(&self) -> Result<String, String> {
        self.check()?;
        let text = seal_json(self).map_err(|error| error.to_string())?;
        if text.len() > SiteIndex::MAX_BYTES { Err("it is too long".to_owned()) } else { Ok(text) }
    }

    /// Rejects invalid values, and addresses outside the site's folder.
    fn check(&self) -> Result<(), String> {
        if self.format != SITE_FORMAT {
            return Err(format!("its format is {}, not {SITE_FORMAT}", self.format));
        }
        check_address(&self.module)?;
        self.workshop.as_deref().map_or(Ok(()), check_address)?;
        if self.games.len() > MAX_GAMES {
            return Err(format!("it has {} games", self.games.len()));
        }
        let mut names = HashSet::new();
        let mut folders = HashSet::new();
        for game in &self.games {
            if !names.insert(&game.game) {
                return Err(format!("{} appears twice", game.game));
            }
            if !folders.insert(&game.folder) {
                return Err(format!("two games have the folder “{}”", game.folder));
            }
            game.check().map_err(|reason| format!("{}: {reason}", game.game))?;
        }
        Ok(())
    }

    /// The game of a canonical name.
    pub fn game(&self, name: &str) -> Option<&SiteGame> {
        self.games.iter().find(|game| game.game == name)
    }
}

/// A file with one answer in JSON, packed by gzip.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SiteAnswer {
    /// The question, as in the file of `ahead`.
    pub question: String,
    /// The file.
    #[serde(flatten)]
    pub file: SiteExtra,
}

impl SiteGame {
    fn check(&self) -> Result<(), String> {
        check_address(&self.folder)?;
        if self.board.as_ref().is_some_and(|board| board.len() > MAX_BOARD_BYTES) {
            return Err("its board is too long".to_owned());
        }
        if self.files.len() > MAX_FILES {
            return Err(format!("it has {} files", self.files.len()));
        }
        let mut names = HashSet::new();
        for file in &self.files {
            file.check()?;
            if !names.insert(&file.name) {
                return Err(format!("“{}” appears twice", file.name));
            }
        }
        for cut in self.files.iter().filter(|file| file.piece.is_some()) {
            if let Some(file) = self.files.iter().find(|file| cut.can_have_piece(&file.name)) {
                return Err(format!("“{}” has the name of a piece of “{}”", file.name, cut.name));
            }
        }
        if self.answers.len() > MAX_FILES {
            return Err(format!("it has {} long answers", self.answers.len()));
        }
        for (extra, what) in self.extras() {
            if extra.bytes > MAX_EXTRA_BYTES {
                return Err(format!("its {what} are too long"));
            }
            check_address(&extra.path)?;
        }
        Ok(())
    }

    /// The small files in addition to the table's files, each with a description.
    pub(super) fn extras(&self) -> impl Iterator<Item = (&SiteExtra, &'static str)> {
        let named = [(&self.puzzles, "puzzles"), (&self.ahead, "answers"), (&self.opening, "opening")];
        let named = named.into_iter().filter_map(|(extra, what)| Some((extra.as_ref()?, what)));
        named.chain(self.answers.iter().map(|answer| (&answer.file, "long answers")))
    }

    /// The name of the game's directory, as on a disk.
    pub fn directory(&self) -> String {
        directory_name(&self.game)
    }

    /// The file with a name.
    pub fn file(&self, name: &str) -> Option<&SiteFile> {
        self.files.iter().find(|file| file.name == name)
    }

    /// The bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).fold(0, u64::saturating_add)
    }
}

impl SiteFile {
    pub(super) fn check(&self) -> Result<(), String> {
        check_path(&self.name, 2)
            .ok_or_else(|| format!("“{}” is not a file name", self.name.escape_debug()))?;
        let SiteFile { name, bytes, piece, digest } = self;
        if *bytes > MAX_FILE_BYTES {
            return Err(format!("“{name}” cannot be {bytes} bytes long"));
        }
        if piece.is_some_and(|piece| piece < LEAST_PIECE) || self.piece_count() > MAX_PIECES {
            return Err(format!("“{name}” cannot be split into pieces of {} bytes", piece.unwrap_or(0)));
        }
        if digest.len() != 64
            || !digest.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
        {
            return Err(format!("the digest of “{name}” is invalid"));
        }
        Ok(())
    }

    /// The number of pieces: 1 for a file that is not split or is empty.
    pub fn piece_count(&self) -> u64 {
        self.piece.map_or(1, |piece| self.bytes.div_ceil(piece.max(1)).max(1))
    }

    /// The length of every piece except the last.
    fn piece_bytes(&self) -> u64 {
        self.piece.unwrap_or(self.bytes).max(1)
    }

    /// The piece that contains a byte of the file, and the offset in the file at which it begins.
    pub fn piece_at(&self, folder: &str, byte: u64) -> (Piece, u64) {
        let number = (byte / self.piece_bytes()).min(self.piece_count() - 1);
        let start = number * self.piece_bytes();
        let bytes = (self.bytes - start).min(self.piece_bytes());
        (Piece { path: self.address(folder, number), bytes }, start)
    }

    /// All pieces in order.
    pub fn pieces(&self, folder: &str) -> impl Iterator<Item = Piece> {
        (0..self.piece_count()).map(move |number| self.piece_at(folder, number * self.piece_bytes()).0)
    }

    /// Whether a piece of the file could have this name.
    fn can_have_piece(&self, name: &str) -> bool {
        let number = name.strip_prefix(&self.name).and_then(|rest| rest.strip_prefix('.'));
        number.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
    }

    /// The address of a piece.
    fn address(&self, folder: &str, number: u64) -> String {
        let name = &self.name;
        match self.piece {
            None => format!("{folder}/{name}"),
            Some(_) => {
                let digits = (self.piece_count() - 1).to_string().len().max(3);
                format!("{folder}/{name}.{number:0digits$}")
            }
        }
    }
}

/// Returns `None` unless a path consists of at most `most` plain names and leads down.
fn check_path(path: &str, most: usize) -> Option<()> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".~_-".contains(&byte);
    let is_name = |name: &str| !name.is_empty() && !name.starts_with('.') && name.bytes().all(is_plain);
    let fine = path.len() <= MAX_ADDRESS && path.split('/').all(is_name) && path.split('/').count() <= most;
    fine.then_some(())
}

/// Rejects addresses that are not below the site's folder.
fn check_address(address: &str) -> Result<(), String> {
    check_path(address, 4)
        .ok_or_else(|| format!("“{}” is not an address on the site", address.escape_debug()))
}

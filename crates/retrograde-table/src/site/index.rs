//! The index of a site: `site.json`, read without trust.

use std::collections::HashSet;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::fetch::Piece;
use crate::directory::names::directory_name;
use crate::error::{FilePart, TableError, VersionKind};
use crate::format::sealed_json::{format_version, seal_json, unseal_json};

/// The version of the form of `site.json` that this program writes and reads.
pub const SITE_FORMAT: u32 = 1;

/// No site has more games.
const MAX_GAMES: usize = 10_000;
/// No directory of a game has more files.
const MAX_FILES: usize = 1_000;
/// No file is larger: far more than any game of which all values could be found.
const MAX_FILE_BYTES: u64 = 1 << 50;
/// No file is in more pieces.
const MAX_PIECES: u64 = 1_000_000;
/// No pieces are shorter, but for the last of a file: each costs a request.
const LEAST_PIECE: u64 = 4 << 10;
/// No address is longer.
const MAX_ADDRESS: usize = 300;
/// No board is longer.
const MAX_BOARD_BYTES: usize = 64 << 10;

/// The games of a site, and where their files lie.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SiteIndex {
    /// The version of its form.
    pub format: u32,
    /// The version of the program that wrote it.
    pub program: String,
    /// The address of the WebAssembly module.
    pub module: String,
    /// The address of a module that also solves, where `module` answers questions alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workshop: Option<String>,
    /// The games.
    pub games: Vec<SiteGame>,
}

/// A game of a site.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SiteGame {
    /// Its canonical name.
    pub game: String,
    /// The text of its board, if that came from a file.
    pub board: Option<String>,
    /// The address of the folder with its files.
    pub folder: String,
    /// The files of its directory.
    pub files: Vec<SiteFile>,
    /// Puzzles that were sampled ahead.
    pub puzzles: Option<SiteExtra>,
    /// Answers to what a page asks first.
    #[serde(default)]
    pub ahead: Option<SiteExtra>,
    /// Answers that are too long for `ahead`, each in a file of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<SiteAnswer>,
    /// The ranges of its files that are read when the game is opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<SiteExtra>,
    /// The entry that the page shows in its list of games.
    pub summary: Json,
}

/// A file of a game's directory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SiteFile {
    /// Its name in the directory; if it is in a folder there, `FOLDER/NAME`.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// The length of the pieces that it is cut into; `None` if it lies whole.
    pub piece: Option<u64>,
    /// The BLAKE3 hash of the whole file in hexadecimal digits.
    pub digest: String,
}

/// A small file that was written ahead: puzzles, answers, or ranges.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SiteExtra {
    /// The address of the file.
    pub path: String,
    /// Its length.
    pub bytes: u64,
}

impl SiteIndex {
    /// No `site.json` is longer.
    pub const MAX_BYTES: usize = 4 << 20;

    /// Reads a `site.json`. `place` names it in errors.
    ///
    /// # Errors
    /// If it is damaged, of another version, or names what cannot be.
    pub fn read(bytes: &[u8], place: &Path) -> Result<SiteIndex, TableError> {
        let damaged = |reason: String| TableError::damaged(place, FilePart::Whole, reason);
        if bytes.len() > SiteIndex::MAX_BYTES {
            return Err(damaged("it is too long".to_owned()));
        }
        let body = unseal_json(bytes).map_err(|reason| {
            // For a file that is not there, many hosts answer with a page.
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

    /// The text of a `site.json`.
    ///
    /// # Errors
    /// In words, if it is none that [`SiteIndex::read`] would take.
    pub fn write(&self) -> Result<String, String> {
        self.check()?;
        let text = seal_json(self).map_err(|error| error.to_string())?;
        if text.len() > SiteIndex::MAX_BYTES { Err("it is too long".to_owned()) } else { Ok(text) }
    }

    /// Refuses what cannot be, or would lead out of the site's folder.
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
                return Err(format!("{} stands there twice", game.game));
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

/// A file with one answer as JSON, packed by gzip.
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
                return Err(format!("“{}” stands there twice", file.name));
            }
        }
        for cut in self.files.iter().filter(|file| file.piece.is_some()) {
            if let Some(file) = self.files.iter().find(|file| cut.has_pieces_called(&file.name)) {
                return Err(format!("“{}” is called like a piece of “{}”", file.name, cut.name));
            }
        }
        if self.answers.len() > MAX_FILES {
            return Err(format!("it has {} long answers", self.answers.len()));
        }
        for (extra, what) in self.extras() {
            if extra.bytes > SiteIndex::MAX_BYTES as u64 {
                return Err(format!("its {what} are too long"));
            }
            check_address(&extra.path)?;
        }
        Ok(())
    }

    /// The small files beside those of its table, each with what it is.
    pub(super) fn extras(&self) -> impl Iterator<Item = (&SiteExtra, &'static str)> {
        let named = [(&self.puzzles, "puzzles"), (&self.ahead, "answers"), (&self.opening, "opening")];
        let named = named.into_iter().filter_map(|(extra, what)| Some((extra.as_ref()?, what)));
        named.chain(self.answers.iter().map(|answer| (&answer.file, "long answers")))
    }

    /// The name of the game's directory, as on a disk.
    pub fn directory(&self) -> String {
        directory_name(&self.game)
    }

    /// The file of a name.
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
            .ok_or_else(|| format!("“{}” is no name of a file", self.name.escape_debug()))?;
        let SiteFile { name, bytes, piece, digest } = self;
        if *bytes > MAX_FILE_BYTES {
            return Err(format!("“{name}” is said to be {bytes} bytes long"));
        }
        if piece.is_some_and(|piece| piece < LEAST_PIECE) || self.piece_count() > MAX_PIECES {
            return Err(format!("“{name}” is said to be cut into pieces of {} bytes", piece.unwrap_or(0)));
        }
        if digest.len() != 64
            || !digest.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
        {
            return Err(format!("the digest of “{name}” is none"));
        }
        Ok(())
    }

    /// The number of pieces: 1 for a file that lies whole, and for an empty one.
    pub fn piece_count(&self) -> u64 {
        self.piece.map_or(1, |piece| self.bytes.div_ceil(piece.max(1)).max(1))
    }

    /// The length of all pieces but the last.
    fn piece_bytes(&self) -> u64 {
        self.piece.unwrap_or(self.bytes).max(1)
    }

    /// The piece that a byte of the file is in, and where it begins in the file.
    pub fn piece_at(&self, folder: &str, byte: u64) -> (Piece, u64) {
        let number = (byte / self.piece_bytes()).min(self.piece_count() - 1);
        let start = number * self.piece_bytes();
        let bytes = (self.bytes - start).min(self.piece_bytes());
        (Piece { path: self.address(folder, number), bytes }, start)
    }

    /// All pieces in their order.
    pub fn pieces(&self, folder: &str) -> impl Iterator<Item = Piece> {
        (0..self.piece_count()).map(move |number| self.piece_at(folder, number * self.piece_bytes()).0)
    }

    /// Whether its pieces could have such a name.
    fn has_pieces_called(&self, name: &str) -> bool {
        let number = name.strip_prefix(&self.name).and_then(|rest| rest.strip_prefix('.'));
        number.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
    }

    /// The address of a piece by its number.
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

/// Whether a path leads down through at most so many plain names; `None` if not.
fn check_path(path: &str, most: usize) -> Option<()> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".~_-".contains(&byte);
    let is_name = |name: &str| !name.is_empty() && !name.starts_with('.') && name.bytes().all(is_plain);
    let fine = path.len() <= MAX_ADDRESS && path.split('/').all(is_name) && path.split('/').count() <= most;
    fine.then_some(())
}

/// Refuses what is no address below the site's folder.
fn check_address(address: &str) -> Result<(), String> {
    check_path(address, 4).ok_or_else(|| format!("“{}” is no address on the site", address.escape_debug()))
}

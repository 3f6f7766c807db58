//! The manifest: the description of a table in readable JSON. It is written last; a directory
//! without a manifest has no table.
//!
//! It is sealed (see `sealed_json.rs`), so edits and disk errors are noticed: a wrong `kind` or
//! `index_count` would give wrong values. Its numbers must also add up.

use std::path::Path;

use retrograde_game::{Outcome, Turns};
use serde::{Deserialize, Serialize};

use crate::directory::files::{MANIFEST, VALUES};
use crate::error::{FilePart, TableError, VersionKind};
use crate::format::cells::{CellWidth, TableKind};
use crate::format::counts::Counts;
use crate::format::sealed_json::{format_version, seal_json, unseal_json};
use crate::storage::{Storage, read_file};

/// The version of the format of all files of a table.
pub const FORMAT_VERSION: u32 = 1;

/// The default size of a block before compression. Smaller blocks are faster to probe, larger ones
/// compress slightly better; measure with `cargo bench -p retrograde-table --bench sizes` and
/// `--bench probe`.
const DEFAULT_BLOCK_BYTES: u32 = 8 << 10;

/// The longest manifest. Counts for every number of turns take 6 MB.
const MAX_BYTES: u64 = 8 << 20;

/// The value of the start position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartValue {
    /// The outcome for the side to move; `None` if it is not known.
    #[serde(with = "outcome_word")]
    pub outcome: Option<Outcome>,
    /// The turns to the end; `None` if they are not known or it is a draw.
    #[serde(with = "turns_number")]
    pub turns: Option<Turns>,
}

/// The file of values that belongs to a manifest.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValuesFile {
    /// Its name in the directory of the game.
    pub file: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its BLAKE3 hash, as `b3sum` prints it.
    pub blake3: String,
    /// The checksum at its end, in hexadecimal, to recognise another file quickly.
    pub seal: String,
}

/// The description of a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// [`FORMAT_VERSION`].
    pub format: u32,
    /// Whether the table is complete. Always true in a file.
    pub complete: bool,
    /// The canonical name of the game.
    pub game: String,
    /// The game's `RULES_VERSION`.
    pub rules_version: u32,
    /// The numbering's `INDEX_VERSION`.
    pub index_version: u32,
    /// The knowledge about positions.
    pub kind: TableKind,
    /// The number of bits per position before compression: 1, 2, 8 or 16.
    #[serde(rename = "bits")]
    pub cell: CellWidth,
    /// The number of indices.
    pub index_count: u64,
    /// The number of positions before the game proper, which have the last indices. `counts` excludes them.
    pub prelude: u64,
    /// The size of a block before compression in bytes, a power of two.
    pub block_bytes: u32,
    /// The statistics. They may include finished positions that are not numbered.
    pub counts: Counts,
    /// The value of the start, if known.
    pub start: Option<StartValue>,
    /// Data that the game stores with its table, such as its board.
    pub extra: serde_json::Map<String, serde_json::Value>,
    /// The file of values; set by the writer.
    pub values: ValuesFile,
}

impl Manifest {
    /// The manifest for a new table. Statistics, start, prelude and `extra` are empty; set them
    /// here or in the writer.
    pub fn new(
        game: impl Into<String>,
        rules_version: u32,
        index_version: u32,
        kind: TableKind,
        cell: CellWidth,
        index_count: u64,
    ) -> Manifest {
        Manifest {
            format: FORMAT_VERSION,
            complete: false,
            game: game.into(),
            rules_version,
            index_version,
            kind,
            cell,
            index_count,
            prelude: 0,
            block_bytes: DEFAULT_BLOCK_BYTES,
            counts: Counts::default(),
            start: None,
            extra: serde_json::Map::new(),
            values: ValuesFile::default(),
        }
    }

    /// A text that is different for different values.
    pub fn stamp(&self) -> String {
        format!("table {}", self.values.blake3)
    }

    /// The number of blocks.
    pub fn block_count(&self) -> u64 {
        self.index_count.div_ceil(self.cell.per_block(self.block_bytes))
    }

    /// The size of all values before compression in bytes.
    pub fn raw_bytes(&self) -> u64 {
        self.cell.bytes(self.index_count)
    }

    /// The reason why no table can have this manifest, if any.
    pub(crate) fn fault(&self) -> Option<String> {
        if !self.cell.suits(self.kind) {
            return Some(format!("a table of {} cannot have cells of {} bits", self.kind, self.cell.bits()));
        }
        if !(512..=1 << 20).contains(&self.block_bytes) || !self.block_bytes.is_power_of_two() {
            return Some(format!("blocks of {} bytes are not allowed", self.block_bytes));
        }
        if self.index_count > 1 << 56 {
            return Some(format!("the table cannot have {} indices", self.index_count));
        }
        if self.prelude > self.index_count {
            return Some("the prelude is larger than the numbering".to_owned());
        }
        None
    }

    /// The text of the file.
    pub(crate) fn to_text(&self) -> Result<String, serde_json::Error> {
        seal_json(self)
    }

    /// Parses the content of the file `path`.
    pub(crate) fn from_bytes(bytes: &[u8], path: &Path) -> Result<Manifest, TableError> {
        let damaged = |reason: String| TableError::damaged(path, FilePart::Manifest, reason);
        if !bytes.starts_with(b"{\n  \"format\": ") {
            let reason = "it does not begin like a manifest";
            return Err(TableError::foreign(path, reason));
        }
        match format_version(bytes) {
            Some(Some(found)) if found != u64::from(FORMAT_VERSION) => {
                return Err(TableError::WrongVersion {
                    file: path.to_owned(),
                    what: VersionKind::Format,
                    found: found.into(),
                    expected: FORMAT_VERSION.into(),
                });
            }
            Some(None) => return Err(TableError::foreign(path, "it has no format version")),
            _ => {}
        }
        let body = unseal_json(bytes).map_err(|reason| damaged(reason.to_owned()))?;
        let manifest: Manifest = serde_json::from_slice(&body).map_err(|error| damaged(error.to_string()))?;
        match manifest.fault().or_else(|| manifest.counts.fault()) {
            Some(fault) => Err(damaged(fault)),
            None if !manifest.complete => Err(damaged("it is not marked as complete".to_owned())),
            None if !VALUES.contains(&manifest.values.file.as_str()) => {
                Err(damaged("it has an invalid name for the file of values".to_owned()))
            }
            None => Ok(manifest),
        }
    }

    /// Reads the manifest in a directory; `None` if there is no manifest.
    pub(crate) fn read(storage: &dyn Storage, directory: &Path) -> Result<Option<Manifest>, TableError> {
        let path = directory.join(MANIFEST);
        let bytes = read_file(storage, &path, MAX_BYTES)?;
        bytes.map(|bytes| Manifest::from_bytes(&bytes, &path)).transpose()
    }
}

mod outcome_word {
    use retrograde_game::Outcome;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for references")]
    pub fn serialize<S: Serializer>(outcome: &Option<Outcome>, serializer: S) -> Result<S::Ok, S::Error> {
        outcome.map(Outcome::word).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Outcome>, D::Error> {
        let word = Option::<String>::deserialize(deserializer)?;
        word.map(|word| {
            Outcome::from_word(&word)
                .ok_or_else(|| serde::de::Error::custom(format!("“{word}” is not an outcome")))
        })
        .transpose()
    }
}

mod turns_number {
    use retrograde_game::Turns;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for references")]
    pub fn serialize<S: Serializer>(turns: &Option<Turns>, serializer: S) -> Result<S::Ok, S::Error> {
        turns.map(|turns| turns.0).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Turns>, D::Error> {
        Ok(Option::<u16>::deserialize(deserializer)?.map(Turns))
    }
}

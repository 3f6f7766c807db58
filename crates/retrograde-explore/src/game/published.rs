//! Published file formats: digits of consecutive positions, one or more per byte. The game defines
//! the digits and the numbering, and may answer queries from such files.

use std::ops::Range;
use std::path::Path;

use retrograde_game::Turns;
use retrograde_table::TableError;

use crate::{Error, ValueLookup, ValueStore};

/// A part of a numbering.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PublishedPart {
    /// The number of a chunk, if the format has chunks.
    pub chunk: Option<u64>,
    /// Otherwise, the first index.
    pub from: u64,
    /// The number of indices; `None` means to the end of the numbering.
    pub count: Option<u64>,
}

/// The contents of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Digits {
    /// The first index.
    pub from: u64,
    /// The number of indices.
    pub count: u64,
    /// The number of digits per byte, least significant first.
    pub per_byte: u32,
    /// The base of the digits.
    pub base: u32,
    /// The indices of the part, if its numbers are indices and most of their values will be read.
    pub indices: Option<Range<u64>>,
    /// The number of turns up to which the format distinguishes positions; `None` if there is no limit. Longer
    /// wins and losses have the digit of a draw.
    pub reach: Option<Turns>,
}

/// A file to write.
#[derive(Clone, Copy, Debug)]
pub struct PublishJob<'a> {
    /// The name of its format.
    pub form: &'a str,
    /// The part of the numbering.
    pub part: PublishedPart,
    /// The path; `None` to compute only the digest.
    pub out: Option<&'a Path>,
}

/// A file that was written, or whose digest was computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublishedFile {
    /// Its contents.
    pub digits: Digits,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: String,
    /// For a format with one digit per byte, how often each digit occurs.
    pub counts: Vec<(u8, u64)>,
    /// The number of bytes written by an earlier run.
    pub resumed: u64,
}

/// Published file formats of a game.
pub trait Published: Send + Sync {
    /// Their names, for messages.
    fn names(&self) -> &'static str;

    /// The contents of a file of a format; `None` if there is no such format.
    ///
    /// # Errors
    /// If the format has no such part.
    fn digits(&self, form: &str, part: PublishedPart) -> Result<Option<Digits>, Error>;

    /// The digit of an index.
    ///
    /// # Errors
    /// The errors of `values`.
    fn digit(&self, form: &str, number: u64, values: &ValueLookup<'_>) -> Result<u8, Error>;

    /// Compares how often each byte occurs with counts of the values, for a format with one digit
    /// per byte.
    ///
    /// # Errors
    /// If they differ.
    fn check(
        &self,
        _form: &str,
        _digits: &Digits,
        _counts: &[u64],
        _values: &dyn ValueStore,
    ) -> Result<(), Error> {
        Ok(())
    }

    /// Opens such files in the game's directory, if there are any. They are used only if the game
    /// has no table.
    ///
    /// # Errors
    /// If a file cannot be read, is damaged, or does not match its name.
    fn open(&self, _directory: &Path) -> Result<Option<Box<dyn ValueStore>>, TableError> {
        Ok(None)
    }
}

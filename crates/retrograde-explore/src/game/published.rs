//! Forms of files that others have published: digits of consecutive positions, several to a byte.
//! The game knows the meaning of the digits and the numbering, and may answer questions from such
//! files.

use std::ops::Range;
use std::path::Path;

use retrograde_game::Turns;
use retrograde_table::TableError;

use crate::game::numbering::ValueLookup;
use crate::{Error, ValueStore};

/// A part of a numbering.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PublishedPart {
    /// The number of a chunk, if the form has chunks.
    pub chunk: Option<u64>,
    /// The first number, otherwise.
    pub from: u64,
    /// The count; to the end of the numbering if `None`.
    pub count: Option<u64>,
}

/// The contents of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digits {
    /// The first number.
    pub from: u64,
    /// The count of numbers.
    pub count: u64,
    /// Digits of a byte, the first the least significant.
    pub per_byte: u32,
    /// Digits are below this.
    pub base: u32,
}

/// A file to be made.
#[derive(Clone, Copy, Debug)]
pub struct PublishJob<'a> {
    /// The name of its form.
    pub form: &'a str,
    /// The numbers that it has.
    pub part: PublishedPart,
    /// Where it is written; `None` if only its digest is wanted.
    pub out: Option<&'a Path>,
}

/// A file that was made, or of which the digest was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublishedFile {
    /// Its contents.
    pub digits: Digits,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: String,
    /// Of a form with one digit a byte: the digits that occur, and how often.
    pub counts: Vec<(u8, u64)>,
    /// Bytes that an earlier run had made.
    pub resumed: u64,
}

/// Forms of files that others have published.
pub trait Published: Send + Sync {
    /// Their names, for messages.
    fn names(&self) -> &'static str;

    /// The contents of a file of a form; `None` if there is no such form.
    ///
    /// # Errors
    /// If the form has no such part.
    fn digits(&self, form: &str, part: PublishedPart) -> Result<Option<Digits>, Error>;

    /// If the numbers of a part are indices and most of their values will be asked for: those
    /// indices.
    fn indices(&self, _form: &str, _digits: &Digits) -> Option<Range<u64>> {
        None
    }

    /// The turns up to which a form tells positions apart; `None` if there is no limit. What takes
    /// longer has the digit of a draw.
    fn reach(&self, _form: &str) -> Option<Turns> {
        None
    }

    /// The digit of a number.
    ///
    /// # Errors
    /// The errors of `values`.
    fn digit(&self, form: &str, number: u64, values: &ValueLookup<'_>) -> Result<u8, Error>;

    /// Compares how often each byte occurs with other counts that the values have, for a form with
    /// one digit a byte.
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

    /// Opens such files that lie in the game's directory, for questions; `None` if there are none.
    /// They are asked only where the game has no table of its own.
    ///
    /// # Errors
    /// If a file cannot be read, is damaged, or is not what its name says.
    fn open(&self, _directory: &Path) -> Result<Option<Box<dyn ValueStore>>, TableError> {
        Ok(None)
    }
}

//! Files in a form that others have published: digits of consecutive positions, some to a byte. What the digits say, and
//! how positions are numbered, the game knows. It knows too which of such files it can answer questions from.

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use retrograde_game::{Game, Knowledge, Show, Value};
use retrograde_solve::{Progress, in_order};
use retrograde_table::TableError;

use crate::Error;
use crate::store::archive::{Kept, Room};
use crate::game::open::Opened;
use crate::store::values::StoredValues;

/// Bytes that a thread makes at a time.
const PIECE: u64 = 1 << 14;

/// Which part of a numbering is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Part {
    /// The number of a chunk, if the form has chunks.
    pub chunk: Option<u64>,
    /// The first number, otherwise.
    pub from: u64,
    /// How many; to the end of the numbering if `None`.
    pub count: Option<u64>,
}

/// What a file has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digits {
    /// The first number.
    pub from: u64,
    /// How many numbers.
    pub count: u64,
    /// Digits of a byte, the first the least significant.
    pub per_byte: u32,
    /// Digits are below this.
    pub base: u32,
}

/// Gives what is known of a position.
pub type Lookup<'a, G> = dyn Fn(&<G as Game>::Position) -> Result<Knowledge, Error> + Sync + 'a;

/// Forms of files that others have published.
pub trait Published<G: Game>: Send + Sync {
    /// Their names, for messages.
    fn names(&self) -> &'static str;

    /// What a file of a form has; `None` if there is no such form.
    ///
    /// # Errors
    /// If the form has no such part.
    fn digits(&self, game: &G, form: &str, part: Part) -> Result<Option<Digits>, Error>;

    /// If the numbers of a part are indices and most of their values will be asked for: those indices.
    fn indices(&self, _form: &str, _digits: &Digits) -> Option<Range<u64>> {
        None
    }

    /// The turns up to which a form tells positions apart; `None` if there is no limit. What takes longer has the digit of a draw.
    fn reach(&self, _form: &str) -> Option<u16> {
        None
    }

    /// The digit of a number.
    ///
    /// # Errors
    /// What `values` says.
    fn digit(&self, game: &G, form: &str, number: u64, values: &Lookup<'_, G>) -> Result<u8, Error>;

    /// Opens such files that lie in the game's directory, for questions; `None` if there are none. They are asked only
    /// where the game has no table of its own.
    ///
    /// # Errors
    /// If a file cannot be read, is damaged, or is not what its name says.
    fn open(&self, _game: &G, _directory: &Path) -> Result<Option<Box<dyn Kept>>, TableError> {
        Ok(None)
    }
}

impl<G: Game + Show + 'static> Opened<'_, G> {
    pub(crate) fn publish_part(
        &self,
        form: &str,
        part: Part,
        out: &Path,
        threads: usize,
        progress: &dyn Progress,
    ) -> Result<Digits, Error> {
        let game = &self.entry.game;
        let unknown =
            |has: &str| Error::Unsupported(format!("{} has no form `{form}`; it has {has}", self.name));
        let Some(published) = &self.entry.published else { return Err(unknown("no published forms")) };
        let digits = published.digits(game, form, part)?.ok_or_else(|| unknown(published.names()))?;
        // What is won in one turn the rules tell.
        let horizon = self.values.as_ref().and_then(StoredValues::horizon).map(|horizon| horizon.max(1));
        let reach = published.reach(form);
        if let Some(horizon) = horizon
            && reach.is_none_or(|reach| reach > horizon)
        {
            let (needs, name) = (reach.map_or("all".to_owned(), |reach| reach.to_string()), &self.name);
            return Err(Error::Unsupported(format!(
                "the form `{form}` needs {needs} turns; {name} is solved up to {horizon} (solve it without --phases, or with more)"
            )));
        }
        let bytes = digits.count.div_ceil(digits.per_byte.into());
        let pieces = usize::try_from(bytes.div_ceil(PIECE)).unwrap_or(usize::MAX);
        let mut file = super::part::Part::create(out)?;
        let ahead = match (&self.values, published.indices(form, &digits)) {
            (Some(StoredValues::Kept(kept)), Some(indices)) => {
                let found = kept.ahead(indices, &Room::new(threads, None, progress));
                found.transpose().map_err(|error| self.entry.explained(error))?
            }
            _ => None,
        };
        let values = |position: &G::Position| {
            let known = match (&self.values, &ahead, self.index_of(position)) {
                (_, Some(ahead), Some(index)) => Ok(ahead.value(index)),
                (Some(_), ..) => self.stored_or_rules(position),
                (None, ..) => Err(self.no_table()),
            }?;
            // The form does not go that far.
            let beyond = horizon.is_some() && matches!(known, Knowledge::Unknown | Knowledge::NotLost);
            Ok(if beyond { Knowledge::Exact(Value::Draw) } else { known })
        };
        let piece = |number: usize| -> Result<Vec<u8>, Error> {
            let first = number as u64 * PIECE;
            let per_byte = u64::from(digits.per_byte);
            (first..bytes.min(first + PIECE))
                .map(|byte| {
                    let (from, to) = (byte * per_byte, digits.count.min((byte + 1) * per_byte));
                    (from..to).rev().try_fold(0_u32, |packed, at| {
                        let digit = published.digit(game, form, digits.from + at, &values)?;
                        Ok(packed * digits.base + u32::from(digit))
                    })
                })
                .map(|byte| byte.map(|byte| byte as u8))
                .collect()
        };
        progress.stage("writing", pieces as u64);
        let whole = in_order(pieces, threads, progress, &piece, &mut |bytes| Ok(file.write_all(&bytes)?))?;
        if !whole {
            return Err(Error::Stopped);
        }
        file.finish()?;
        Ok(digits)
    }
}

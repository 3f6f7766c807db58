//! Files in a form that others have published: digits of consecutive positions, several to a byte.

use std::io::Write;
use std::path::Path;

use retrograde_game::{Game, Knowledge, Show, Turns, Value};
use retrograde_solve::{Progress, in_order};

use super::output_file::OutputFile;
use crate::game::open::OpenGame;
use crate::game::published::{Digits, PublishedPart};
use crate::query::lookup::stored_or_rules;
use crate::{Error, Resources};

/// Bytes that a thread makes at a time.
const PIECE: u64 = 1 << 14;

pub(crate) fn publish<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    form: &str,
    part: PublishedPart,
    out: &Path,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Digits, Error> {
    let game = &open.entry.game;
    let unknown = |has: &str| Error::Unsupported(format!("{} has no form `{form}`; it has {has}", open.name));
    let Some(published) = &open.entry.published else { return Err(unknown("no published forms")) };
    let digits = published.digits(game, form, part)?.ok_or_else(|| unknown(published.names()))?;
    // The rules tell wins in one turn.
    let horizon =
        open.values.as_ref().and_then(|values| values.horizon()).map(|horizon| horizon.max(Turns(1)));
    let reach = published.reach(form);
    if let Some(horizon) = horizon
        && reach.is_none_or(|reach| reach > horizon)
    {
        let (needs, name) = (reach.map_or("all".to_owned(), |reach| reach.to_string()), &open.name);
        return Err(Error::Unsupported(format!(
            "the form `{form}` needs {needs} turns; {name} is solved up to {horizon} (solve it without --phases, or with more)"
        )));
    }
    let bytes = digits.count.div_ceil(digits.per_byte.into());
    let pieces = usize::try_from(bytes.div_ceil(PIECE)).unwrap_or(usize::MAX);
    let mut file = OutputFile::create(out)?;
    let ahead = match (&open.values, published.indices(form, &digits)) {
        (Some(values), Some(indices)) => {
            let found = values.bulk_values(indices, &Resources::new(threads, None, progress));
            found.transpose().map_err(|error| open.entry.explained(error))?
        }
        _ => None,
    };
    let values = |position: &G::Position| {
        let known = match (&open.values, &ahead, open.index_of(position)) {
            (_, Some(ahead), Some(index)) => Ok(ahead.value(index)),
            (Some(_), ..) => stored_or_rules(open, position),
            (None, ..) => Err(open.no_table()),
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

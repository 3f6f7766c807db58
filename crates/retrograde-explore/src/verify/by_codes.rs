//! Checks the values of a table from their codes, on all threads.

use retrograde_game::Random;

use crate::store::codes::CodeSource;
use crate::store::derive::Check;
use crate::verify::places::check_places;
use crate::{Error, Findings, OpenGame, Resources, ValueStore};

/// The number of places that a thread takes at a time.
const PIECE: u64 = 1 << 14;
/// The same for random places.
const SAMPLE_PIECE: u64 = 1 << 6;

/// The approximate number of places at which the indices of a position and its successors are
/// checked.
const NUMBERS: u64 = 1 << 15;

pub(crate) fn derive_by_codes(
    open: &OpenGame,
    values: &dyn ValueStore,
    codes: CodeSource<'_>,
    sample: Option<u64>,
    resources: &Resources<'_>,
) -> Result<Findings, Error> {
    let dense = open.entry.dense().ok_or_else(|| open.no_table())?;
    let places = values.facts().place_count + values.facts().prelude_count;
    let proper = open.entry.index_counts().map_or(0, |(proper, _)| proper);
    let check = Check {
        codes,
        exact: values.facts().has_turns,
        horizon: values.facts().horizon,
        prelude_from: u64::try_from(proper).unwrap_or(u64::MAX),
        every: (places / NUMBERS).max(1),
    };
    let (piece, total) = match sample {
        None => (PIECE, places),
        Some(sample) => (SAMPLE_PIECE, if places == 0 { 0 } else { sample }),
    };
    let found = check_places((total, piece), resources, |numbers, findings| {
        if sample.is_none() {
            dense.derive(&check, numbers, findings);
        } else {
            for number in numbers {
                // The place depends only on the number, not on the thread.
                let place = Random::new(number).below(places);
                dense.derive(&check, place..place + 1, findings);
            }
        }
        Ok(())
    })?;
    check.codes.into_first_fault().map_or(Ok(found), |fault| Err(fault.into()))
}

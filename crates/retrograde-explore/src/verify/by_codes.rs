//! Checks the values of a table from their codes, on all threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use retrograde_game::Random;

use crate::game::open::OpenGame;
use crate::store::codes::CodeSource;
use crate::store::derive::Check;
use crate::store::value_store::ValueStore;
use crate::{Error, Findings, Resources};

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
    let &Resources { threads, progress, .. } = resources;
    let dense = open.entry.dense().ok_or_else(|| open.no_table())?;
    let places = values.place_count() + values.prelude_count();
    let proper = open.entry.index_counts().map_or(0, |(proper, _)| proper);
    let check = Check {
        codes,
        exact: values.has_turns(),
        horizon: values.horizon(),
        prelude_from: u64::try_from(proper).unwrap_or(u64::MAX),
        every: (places / NUMBERS).max(1),
    };
    let (piece, total) = match sample {
        None => (PIECE, places),
        Some(sample) => (SAMPLE_PIECE, if places == 0 { 0 } else { sample }),
    };
    progress.stage("recomputing values", total);
    let next = AtomicU64::new(0);
    let stopped = AtomicBool::new(false);
    let all = Mutex::new(Findings::default());
    let work = || {
        let mut findings = Findings::default();
        loop {
            let from = next.fetch_add(piece, Ordering::Relaxed);
            if from >= total || stopped.load(Ordering::Relaxed) {
                break;
            }
            let to = (from + piece).min(total);
            if sample.is_some() {
                for number in from..to {
                    // The place depends only on the number, not on the thread.
                    let place = Random::new(number).below(places);
                    dense.derive(&check, place..place + 1, &mut findings);
                }
            } else {
                dense.derive(&check, from..to, &mut findings);
            }
            progress.advance(to - from);
            if progress.stopped() {
                stopped.store(true, Ordering::Relaxed);
            }
        }
        all.lock().merge(findings);
    };
    retrograde_solve::on_threads(threads, work);
    if stopped.into_inner() {
        return Err(Error::Stopped);
    }
    match check.codes.into_first_fault() {
        Some(fault) => Err(fault.into()),
        None => Ok(all.into_inner()),
    }
}

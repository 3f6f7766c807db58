//! Checks all places of a table, or a sample of them, on all threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;

use crate::{Error, Findings, Resources};

/// Calls `check` with the numbers below `total`, `piece` of them at a time, and merges what it finds.
pub(super) fn check_places(
    (total, piece): (u64, u64),
    resources: &Resources<'_>,
    check: impl Fn(Range<u64>, &mut Findings) -> Result<(), Error> + Sync,
) -> Result<Findings, Error> {
    let &Resources { threads, progress, .. } = resources;
    progress.stage("recomputing values", total);
    let next = AtomicU64::new(0);
    let stopped = AtomicBool::new(false);
    let all = Mutex::new(Ok(Findings::default()));
    retrograde_solve::on_threads(threads, || {
        let (mut findings, mut result) = (Findings::default(), Ok(()));
        while result.is_ok() && !stopped.load(Ordering::Relaxed) {
            let from = next.fetch_add(piece, Ordering::Relaxed);
            if from >= total {
                break;
            }
            let to = (from + piece).min(total);
            result = check(from..to, &mut findings);
            progress.advance(to - from);
            stopped.fetch_or(progress.stopped(), Ordering::Relaxed);
        }
        let mut all = all.lock();
        match (&mut *all, result) {
            (Ok(all), Ok(())) => all.merge(findings),
            (all @ Ok(_), Err(error)) => *all = Err(error),
            (Err(_), _) => {}
        }
    });
    if stopped.into_inner() { Err(Error::Stopped) } else { all.into_inner() }
}

//! Reads many positions. A query about all turns reads hundreds of values: they are announced, so that remote
//! files can fetch them together, and looked up by several threads in the order of the files.

use std::ops::ControlFlow;

use retrograde_game::Index;

use crate::answer_threads::answer_threads;
use crate::bounds::{self, Watch};
use crate::{Error, OpenGame, Position};

/// The number of successors to visit between two checks of the clock.
const CHECK_EVERY: u32 = 1 << 10;

/// Announces positions, and their successors if these are read, too.
pub(crate) fn prepare<'p>(
    open: &OpenGame,
    positions: impl IntoIterator<Item = &'p Position>,
    with_successors: bool,
) -> Result<(), Error> {
    let Some(values) = open.values.as_deref().filter(|values| values.facts().needs_prepare) else {
        return Ok(());
    };
    let (mut indices, mut watch) = (Vec::new(), Watch::default());
    for position in positions {
        indices.extend(open.index_of(position));
        if !with_successors {
            continue;
        }
        let mut failed = Ok(());
        let _ = open.entry.game.each_successor(position, &mut |next| {
            indices.extend(open.index_of(&next));
            failed = watch.tick(CHECK_EVERY);
            if failed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        failed?;
    }
    Ok(values.prepare(&indices)?)
}

/// Calls `look` for the numbers of `count` positions and returns the results in this order. `index` returns the
/// index of a position. Many positions are divided among threads: if a table only has losses, each turn needs
/// thousands of lookups, and nearby ones read the same parts.
pub(crate) fn look_up_all<T: Send>(
    open: &OpenGame,
    count: usize,
    index: &dyn Fn(usize) -> Option<Index>,
    look: &(dyn Fn(usize) -> Result<T, Error> + Sync),
) -> Result<Vec<T>, Error> {
    /// Fewer positions are looked up one after the other.
    const MIN_PARALLEL: usize = 256;
    /// The maximum number of positions that a thread looks up at a time.
    const MAX_SHARE: usize = 512;
    let look = |number: usize| {
        bounds::check()?;
        look(number)
    };
    let mut order: Vec<usize> = (0..count).collect();
    if count < MIN_PARALLEL {
        return order.into_iter().map(look).collect();
    }
    if let Some(values) = open.values.as_deref() {
        order.sort_by_cached_key(|&number| Some(values.location(index(number)?)));
    }
    let all_of = |numbers: &[usize]| numbers.iter().map(|&number| Ok((number, look(number)?))).collect();
    let found: Vec<Vec<(usize, T)>> = match answer_threads() {
        None => vec![all_of(&order)?],
        Some(threads) => {
            let shares: Vec<&[usize]> = order.chunks((count / MIN_PARALLEL).min(MAX_SHARE)).collect();
            let bounds = bounds::current();
            threads.results(shares.len(), &|share| bounds::within(&bounds, || all_of(shares[share])))?
        }
    };
    let mut all: Vec<Option<T>> = (0..count).map(|_| None).collect();
    for (number, found) in found.into_iter().flatten() {
        all[number] = Some(found);
    }
    Ok(all.into_iter().flatten().collect())
}

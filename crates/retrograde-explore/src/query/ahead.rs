//! Announces the positions that a query will read. A query about all turns reads hundreds of
//! values; remote files can then fetch them together.

use std::ops::ControlFlow;

use retrograde_game::Index;

use crate::Error;
use crate::bounds::Watch;
use crate::game::open::OpenGame;
use crate::game::rules::Position;

/// The number of successors to visit between two checks of the clock.
const CHECK_EVERY: u32 = 1 << 10;

/// Announces positions without their successors.
pub(crate) fn prepare_positions<'p>(
    open: &OpenGame,
    positions: impl IntoIterator<Item = &'p Position>,
) -> Result<(), Error> {
    let Some(values) = open.values.as_deref().filter(|values| values.facts().needs_prepare) else {
        return Ok(());
    };
    let indices: Vec<Index> = positions.into_iter().filter_map(|position| open.index_of(position)).collect();
    Ok(values.prepare(&indices)?)
}

/// Announces positions with their successors.
pub(crate) fn prepare<'p>(
    open: &OpenGame,
    positions: impl IntoIterator<Item = &'p Position>,
) -> Result<(), Error> {
    let Some(values) = open.values.as_deref().filter(|values| values.facts().needs_prepare) else {
        return Ok(());
    };
    let (mut indices, mut watch) = (Vec::new(), Watch::default());
    for position in positions {
        indices.extend(open.index_of(position));
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

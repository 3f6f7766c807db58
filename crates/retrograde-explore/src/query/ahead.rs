//! Telling the values which positions a question will ask for. A question about all turns asks for
//! hundreds of values; where files are far away, they are fetched at once or one after the other.

use std::ops::ControlFlow;

use retrograde_game::Index;

use crate::Error;
use crate::bounds::Watch;
use crate::game::open::OpenGame;
use crate::game::rules::Position;
use crate::query::turns::Listed;

/// Successors that are visited between two looks at the clock.
const OFTEN: u32 = 1 << 10;

/// Says that a position will be asked for, and all positions that its turns lead to.
pub(crate) fn prepare_turns(open: &OpenGame, position: &Position, turns: &Listed) -> Result<(), Error> {
    prepare_positions(open, &mut turns.iter().map(|(_, _, next)| next).chain([position]))
}

/// Says that a position will be asked for, without its turns.
pub(crate) fn prepare_position(open: &OpenGame, position: &Position) -> Result<(), Error> {
    prepare_positions(open, &mut std::iter::once(position))
}

/// Says that these positions will be asked for, without their turns.
pub(crate) fn prepare_positions(
    open: &OpenGame,
    positions: &mut dyn Iterator<Item = &Position>,
) -> Result<(), Error> {
    let Some(values) = open.values.as_deref().filter(|values| values.wants_notice()) else { return Ok(()) };
    let indices: Vec<Index> = positions.filter_map(|position| open.index_of(position)).collect();
    Ok(values.prepare(&indices)?)
}

/// Says that some positions will be asked for, with all that their turns lead to.
pub(crate) fn prepare<'p>(
    open: &OpenGame,
    positions: impl IntoIterator<Item = &'p Position>,
) -> Result<(), Error> {
    let Some(values) = open.values.as_deref().filter(|values| values.wants_notice()) else { return Ok(()) };
    let (mut indices, mut watch) = (Vec::new(), Watch::default());
    for position in positions {
        indices.extend(open.index_of(position));
        let mut failed = Ok(());
        let _ = open.entry.game.each_successor(position, &mut |next| {
            indices.extend(open.index_of(&next));
            failed = watch.tick(OFTEN);
            if failed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        failed?;
    }
    Ok(values.prepare(&indices)?)
}

//! The rows of a data set: every position of the table with its value.

use retrograde_game::{Game, Show};

use crate::game::open::OpenGame;
use crate::query::lookup::complete;
use crate::{Error, Row, RowShape};

pub(crate) fn row_shape<G: Game + Show + 'static>(open: &OpenGame<'_, G>) -> RowShape {
    let game = &open.entry.game;
    let (rows, columns) = game.plane_shape();
    RowShape { planes: game.plane_names().into_iter().map(str::to_owned).collect(), rows, columns }
}

pub(crate) fn row_count<G: Game + Show + 'static>(open: &OpenGame<'_, G>) -> Result<u64, Error> {
    let values = open.stored()?;
    let left_out: u128 = match values.has_all_positions() {
        true => open.entry.left_out().iter().map(|(_, count)| count).sum(),
        false => 0,
    };
    Ok(values.counts().positions.0.saturating_sub(left_out).try_into().unwrap_or(u64::MAX))
}

pub(crate) fn rows<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    visit: &mut dyn FnMut(Row<'_>) -> Result<bool, Error>,
) -> Result<(), Error> {
    let game = &open.entry.game;
    let (rows, columns) = game.plane_shape();
    let mut planes = vec![0; game.plane_names().len() * rows * columns];
    open.stored()?.scan(0, &mut |index, knowledge| {
        let position = open.position_at(index)?;
        let knowledge = complete(open, knowledge, &position)?;
        game.planes(&position, &mut planes);
        let text = game.position_text(&position);
        visit(Row { index: index.0, position: &text, planes: &planes, knowledge })
    })
}

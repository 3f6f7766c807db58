//! Stored shades of draws: the shade of a position, and statistics.

use retrograde_game::{Knowledge, Outcome};
use retrograde_solve::shades::Shade;

use crate::{Count, Error, LevelOfShades, OpenGame, Position, ShadeStatistics};

/// The shade of a position with this value, if it is drawn and shades are stored.
pub(crate) fn shade(
    open: &OpenGame,
    position: &Position,
    knowledge: Knowledge,
) -> Result<Option<Shade>, Error> {
    let Some(file) = &open.shades else { return Ok(None) };
    if knowledge.outcome() != Some(Outcome::Draw) {
        return Ok(None);
    }
    match open.index_of(position) {
        // A finished draw, which has no index, is quiet.
        None => Ok(open.entry.game.result(position).map(|_| Shade::Quiet)),
        Some(index) => Ok(file.get(index)?),
    }
}

/// The draws by shade.
pub(crate) fn statistics(open: &OpenGame) -> Result<ShadeStatistics, Error> {
    open.stored()?;
    let Some(file) = &open.shades else {
        return Err(Error::Unsupported(format!(
            "the shades of {} have not been computed; `retrograde shades {}` computes them",
            open.name(),
            open.entry.command_name()
        )));
    };
    let counts = file.counts();
    // Finished draws, which have no index.
    let over: u128 = open
        .entry
        .left_out()
        .iter()
        .filter(|(outcome, _)| *outcome == Outcome::Draw)
        .map(|(_, count)| count)
        .sum();
    let start = open.entry.game.start();
    let start = shade(open, &start, Knowledge::Outcome(Outcome::Draw))?;
    Ok(ShadeStatistics {
        game: open.name().to_owned(),
        draws: Count(u128::from(counts.draws()) + over),
        quiet: Count(u128::from(counts.quiet) + over),
        levels: LevelOfShades::all(&counts),
        start: start.map(Into::into),
        seconds: open.recorded_seconds(&file.stamp(), &mut Vec::new()),
    })
}

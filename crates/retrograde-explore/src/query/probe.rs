//! A position with its value and the value of every turn, or its value alone.

use retrograde_game::{Game, Seat, Show};

use crate::game::open::OpenGame;
use crate::query::resolve::{Budget, resolve, resolve_with_turns};
use crate::{Error, ListPage, Probe, SearchLimits, Source, TurnValue, Verdict};

pub(crate) fn probe<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    position: &G::Position,
    to_move: Seat,
    page: ListPage,
    limits: &SearchLimits,
) -> Result<Probe, Error> {
    let game = &open.entry.game;
    let mut budget = Budget::new(limits);
    let (resolved, mut turns) = resolve_with_turns(open, position, &mut budget)?;
    let (given, page) = page.of(turns.len());
    let turns_available = turns
        .drain(given)
        .map(|valued| TurnValue {
            turn_on_board: game.turn_on_board(position, &valued.turn, to_move),
            position: game.position_text(&valued.next),
            verdict: valued.knowledge.into(),
            turn: valued.text,
        })
        .collect();
    Ok(Probe {
        game: open.name.clone(),
        position: game.position_text(position),
        board: game.board_text(position, to_move),
        to_move: to_move.word(),
        verdict: resolved.knowledge.into(),
        source: resolved.source,
        nodes: budget.spent,
        page,
        turns_available,
    })
}

/// The value alone.
pub(crate) fn value<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    position: &str,
    limits: &SearchLimits,
) -> Result<(Verdict, Source), Error> {
    let position = open.entry.game.parse_position(position)?;
    let resolved = resolve(open, &position, &mut Budget::new(limits))?;
    Ok((resolved.knowledge.into(), resolved.source))
}

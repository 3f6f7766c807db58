//! The value of a position, with or without the values of its turns.

use std::cmp::Reverse;

use retrograde_game::Seat;

use crate::back_up::preference;
use crate::game::open::OpenGame;
use crate::game::rules::Position;
use crate::query::ahead::prepare_positions;
use crate::query::budget::Budget;
use crate::query::lookup::{Resolved, known_value};
use crate::query::resolve::{
    Valued, ValuedTurns, has_direct_value, resolve, resolve_prefix, resolve_with_turns, valued_position,
};
use crate::query::turns::{fewer_steps_first, list_turns};
use crate::query::written;
use crate::sorting::sort_by;
use crate::{Error, ListPage, Probe, SearchLimits, Source, TurnValue, Verdict};

impl OpenGame {
    /// The value of a position and of every turn; from the table, the rules or a search.
    ///
    /// # Errors
    /// If the text is not a position, or the table is damaged.
    pub fn probe(&self, position: &str, to_move: Seat, limits: &SearchLimits) -> Result<Probe, Error> {
        self.probe_page(position, to_move, &[], ListPage::ALL, limits)
    }

    /// Like [`OpenGame::probe`], with one page of the turns that begin with the steps `prefix`, written with
    /// these steps.
    ///
    /// # Errors
    /// As [`OpenGame::steps`].
    pub fn probe_page(
        &self,
        position: &str,
        to_move: Seat,
        prefix: &[String],
        page: ListPage,
        limits: &SearchLimits,
    ) -> Result<Probe, Error> {
        let position = written::position(&*self.entry.game, position)?;
        let position = &position;
        let to_move = self.entry.game.seat(position).unwrap_or(to_move);
        let game = &*self.entry.game;
        let mut budget = Budget::new(limits);
        if page.limit == 0 && prefix.is_empty() {
            return value_and_count(self, (position, to_move), page, budget);
        }
        let ValuedTurns { resolved, mut turns, complete } = if prefix.is_empty() {
            resolve_with_turns(self, position, &mut budget)?
        } else {
            turns_after(self, position, prefix, &mut budget)?
        };
        let (given, given_page) = page.of(turns.len());
        let turns_available = turns
            .drain(given)
            .map(|valued| TurnValue {
                turn_on_board: game.turn_on_board(position, &valued.turn, to_move),
                position: game.position_text(&valued.next),
                verdict: valued.knowledge.into(),
                nimber: None,
                shade: valued.shade.map(Into::into),
                turn: valued.text,
            })
            .collect();
        let answer = answer(self, (position, to_move), resolved, &budget)?;
        Ok(Probe { page: given_page, turns_available, incomplete: !complete, ..answer })
    }

    /// Only the value, as from `probe` but without the list of turns; much faster.
    ///
    /// # Errors
    /// As [`OpenGame::probe`].
    pub fn value(&self, position: &str, limits: &SearchLimits) -> Result<(Verdict, Source), Error> {
        let position = written::position(&*self.entry.game, position)?;
        let resolved = resolve(self, &position, &mut Budget::new(limits))?;
        Ok((resolved.knowledge.into(), resolved.source))
    }
}

/// The answer for a position, without its turns.
fn answer(
    open: &OpenGame,
    position: (&Position, Seat),
    resolved: Resolved,
    budget: &Budget,
) -> Result<Probe, Error> {
    Ok(Probe {
        position: valued_position(open, position, resolved)?,
        nodes: budget.spent,
        nimber: None,
        page: None,
        turns_available: Vec::new(),
        incomplete: false,
    })
}

/// If no turns are requested, only the position's own value is looked up, if the table has it. For
/// a remote table that is a tiny part of the reads for all turns.
fn value_and_count(
    open: &OpenGame,
    (position, to_move): (&Position, Seat),
    page: ListPage,
    mut budget: Budget,
) -> Result<Probe, Error> {
    let (turns, complete) = list_turns(open, position, &budget)?;
    let (_, page) = page.of(turns.len());
    prepare_positions(open, [position])?;
    let known = if has_direct_value(open, position)? { known_value(open, position)? } else { None };
    let resolved = match known {
        Some(known) => known,
        None => resolve_with_turns(open, position, &mut budget)?.resolved,
    };
    Ok(Probe { page, incomplete: !complete, ..answer(open, (position, to_move), resolved, &budget)? })
}

/// The values of a position and of the turns that lead to the same positions as turns that begin
/// with `prefix`; they are written so that they begin with these steps.
fn turns_after(
    open: &OpenGame,
    position: &Position,
    prefix: &[String],
    budget: &mut Budget,
) -> Result<ValuedTurns, Error> {
    let game = &*open.entry.game;
    let (valued, mut after) = resolve_prefix(open, position, prefix, budget)?;
    let mut turns: Vec<Valued> = valued
        .turns
        .into_iter()
        .filter_map(|valued| {
            let turn = after.remove(&valued.next)?;
            Some(Valued { text: game.turn_text(position, &turn), turn, ..valued })
        })
        .collect();
    let order = |a: &Valued| (preference(a.knowledge), Reverse(a.shade));
    sort_by(&mut turns, |a, b| order(a).cmp(&order(b)).then_with(|| fewer_steps_first(&a.text, &b.text)));
    Ok(ValuedTurns { turns, ..valued })
}

//! Lists the turns of a position, plays a turn, and replays games.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::ControlFlow;

use retrograde_game::Outcome;
use retrograde_solve::clock::Instant;

use crate::bounds;
use crate::game::rules::{Position, Rules, Turn};
use crate::query::budget::Budget;
use crate::query::written;
use crate::sorting::sort_by;
use crate::{Error, OpenGame, SearchLimits};

/// The order of turns of equal value: those of fewer steps first, then by text. So a single push comes before
/// turns that first move other pieces to the same end.
pub(crate) fn fewer_steps_first(a: &str, b: &str) -> Ordering {
    let steps = |text: &str| text.matches(',').count();
    steps(a).cmp(&steps(b)).then_with(|| a.cmp(b))
}

/// Turns with their texts and the positions they lead to.
pub(crate) type Listed = Vec<(String, Turn, Position)>;

/// The positions that turns lead to, each with one of these turns.
pub(crate) type After = HashMap<Position, Turn>;

/// Each position of a played game with the turn made there, and the last position.
type Played = (Vec<(Position, Turn)>, Position);

/// The turns of a position with their texts, plain ones first ([`fewer_steps_first`]), as far as the budget
/// allows; and whether the list is complete.
pub(crate) fn list_turns(
    open: &OpenGame,
    position: &Position,
    budget: &Budget,
) -> Result<(Listed, bool), Error> {
    let game = &*open.entry.game;
    let (mut turns, complete) = list(open, (budget, 1), |longest| {
        let mut turns = Vec::new();
        let _ = game.each_turn(position, &mut |turn, next| {
            let turn = turn();
            turns.push((game.turn_text(position, &turn), turn, next));
            if turns.len() as u64 > longest { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        turns
    })?;
    sort_by(&mut turns, |a, b| fewer_steps_first(&a.0, &b.0));
    Ok((turns, complete))
}

/// The same for queries that need all turns.
///
/// # Errors
/// [`Error::TooLarge`] if there are too many to list.
pub(crate) fn all_turns(open: &OpenGame, position: &Position) -> Result<Listed, Error> {
    match list_turns(open, position, &Budget::new(&SearchLimits::NONE))? {
        (turns, true) => Ok(turns),
        (_, false) => Err(bounds::too_many_turns()),
    }
}

/// Lists turns as far as one of `parts` equal parts of the budget allows. With a table there is no
/// time limit.
fn list<T>(
    open: &OpenGame,
    (budget, parts): (&Budget, u32),
    list: impl FnOnce(u64) -> Vec<T>,
) -> Result<(Vec<T>, bool), Error> {
    bounds::check()?;
    let now = Instant::now();
    let end = match open.values {
        Some(_) => bounds::far_future(),
        None => now + budget.listed_until.saturating_duration_since(now) / parts,
    };
    let listed = bounds::list_until(end, budget.longest, list);
    bounds::check()?;
    Ok(listed)
}

/// The turns that begin with some steps, with the positions they lead to, as far as the budget
/// allows; or the one turn that the steps form. Also returns whether the list is complete.
///
/// # Errors
/// If a step is invalid or not legal.
pub(crate) fn turns_with_prefix(
    open: &OpenGame,
    position: &Position,
    prefix: &[String],
    budget: &Budget,
) -> Result<(After, bool), Error> {
    let game = &*open.entry.game;
    let prefix = &*written::steps(game, position, prefix);
    if let Err(refused) = game.each_step(position, prefix, &mut |_| ControlFlow::Break(())) {
        let turn = written::turn(game, position, &prefix.join(",")).map_err(|_| refused)?;
        let next = game.play(position, &turn);
        return Ok(([(next, turn)].into(), true));
    }
    let mut failed = None;
    // All turns are listed after these.
    let (turns, complete) = list(open, (budget, 2), |_| {
        game.turns_after(position, prefix).unwrap_or_else(|error| {
            failed = Some(error);
            Vec::new()
        })
    })?;
    match failed {
        Some(error) => Err(error.into()),
        None => Ok((turns.into_iter().map(|(turn, next)| (next, turn)).collect(), complete)),
    }
}

/// The outcome for the side to move if the game is over.
pub(crate) fn outcome_if_over(game: &dyn Rules, position: &Position) -> Option<Outcome> {
    game.result(position).or_else(|| {
        let stuck = game.each_successor(position, &mut |_| ControlFlow::Break(())).is_continue();
        stuck.then(|| game.facts().outcome_without_turns)
    })
}

/// Reads the turns of a game played from a position: each position with the turn made there, and
/// the last position.
pub(crate) fn replay(open: &OpenGame, position: &str, turns: &[String]) -> Result<Played, Error> {
    let game = &*open.entry.game;
    let mut position = written::position(game, position)?;
    let mut played = Vec::with_capacity(turns.len());
    for (number, text) in (1..).zip(turns) {
        let turn = written::turn(game, &position, text).map_err(|error| Error::Turn { number, error })?;
        let next = game.play(&position, &turn);
        played.push((std::mem::replace(&mut position, next), turn));
    }
    Ok((played, position))
}

impl OpenGame {
    /// The text of the position that a turn leads to, and whether the turn counts (a placement does
    /// not).
    ///
    /// # Errors
    /// If a text cannot be read or the turn is not legal.
    pub fn play(&self, position: &str, turn: &str) -> Result<(String, bool), Error> {
        let game = &*self.entry.game;
        let position = written::position(game, position)?;
        let turn = game.parse_turn(&position, turn)?;
        Ok((game.position_text(&game.play(&position, &turn)), game.turn_is_counted(&position)))
    }

    /// All turns with the positions they lead to, without values: those of fewer steps first, then by text.
    ///
    /// # Errors
    /// If the text is not a position.
    pub fn turns(&self, position: &str) -> Result<Vec<(String, String)>, Error> {
        match self.turns_within(position, &SearchLimits::NONE)? {
            (turns, true) => Ok(turns),
            (_, false) => Err(bounds::too_many_turns()),
        }
    }

    /// The same within limits, and whether the list is complete.
    ///
    /// # Errors
    /// If the text is not a position.
    pub fn turns_within(
        &self,
        position: &str,
        limits: &SearchLimits,
    ) -> Result<(Vec<(String, String)>, bool), Error> {
        let game = &*self.entry.game;
        let (turns, complete) = list_turns(self, &written::position(game, position)?, &Budget::new(limits))?;
        let texts = turns.into_iter().map(|(text, _, next)| (text, game.position_text(&next))).collect();
        Ok((texts, complete))
    }
}

#[cfg(test)]
mod tests {
    use super::fewer_steps_first;

    #[test]
    fn a_turn_of_one_push_comes_before_turns_that_move_first() {
        let mut turns = ["b1-a2,c3-d3", "d1-e1", "b1-a2,b2-a2,c3-d3", "c3-d3", "b1-a2,c2-d2"];
        turns.sort_by(|a, b| fewer_steps_first(a, b));
        assert_eq!(turns, ["c3-d3", "d1-e1", "b1-a2,c2-d2", "b1-a2,c3-d3", "b1-a2,b2-a2,c3-d3"]);
    }
}

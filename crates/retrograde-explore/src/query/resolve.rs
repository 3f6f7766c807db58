//! What is known of any position, whatever the table leaves out: the rules say it, the table says it, a look
//! at the turns completes it, or a search finds it within its limits. What none of them knows stays unknown.

use std::time::Duration;

use rayon::prelude::*;
use retrograde_game::{Game, Knowledge, Outcome, Seat, Show, Stored, Turns, Value};
use retrograde_solve::clock::Instant;
use retrograde_table::{Kind, Place, TableError};

use crate::bounds;
use crate::game::open::{Listed, Opened};
use crate::store::values::StoredValues;
use crate::{Error, Probe, SearchLimits, Source, TurnValue};

/// Turns that are looked ahead where a table leaves values out.
const DEPTH: u32 = 2;

/// Answers questions with so many threads from now on, in the whole process; without it with as many as there are cores.
/// Only the first call counts, and only before the first question.
pub fn answer_with_threads(threads: usize) {
    // An error says that there are threads already.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
}

/// What the searches of one question may still take.
pub(crate) struct Budget {
    nodes: u64,
    until: Instant,
    /// Positions looked at so far; `None` while nothing was searched.
    spent: Option<u64>,
}

impl Budget {
    pub fn new(limits: &SearchLimits) -> Budget {
        let now = Instant::now();
        // A time that no clock can reach is no limit: a century will do.
        let until = now.checked_add(limits.time).unwrap_or(now + Duration::from_secs(3_000_000_000));
        Budget { nodes: limits.nodes, until, spent: None }
    }

    /// One of so many equal parts of what is left.
    fn part(&self, parts: u64) -> SearchLimits {
        let time = self.until.saturating_duration_since(Instant::now());
        let parts = parts.max(1);
        SearchLimits {
            nodes: self.nodes.div_ceil(parts),
            time: time / u32::try_from(parts).unwrap_or(u32::MAX),
        }
    }

    fn is_spent(&self) -> bool {
        self.nodes == 0 || Instant::now() >= self.until
    }

    fn spend(&mut self, nodes: u64) {
        self.nodes = self.nodes.saturating_sub(nodes);
        *self.spent.get_or_insert(0) += nodes;
    }
}

/// What is known of a position, and from where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Resolved {
    pub knowledge: Knowledge,
    pub source: Source,
}

/// A turn with what it is worth to the player who makes it.
pub(crate) struct Valued<G: Game> {
    pub text: String,
    pub turn: G::Turn,
    pub next: G::Position,
    /// For the player who makes it, the turn itself counted.
    pub knowledge: Knowledge,
    /// Of the position it leads to, for the side to move there.
    pub after: Resolved,
}

/// What a turn is worth to the player who makes it, from what is known of the position it leads to.
pub(crate) fn before(after: Knowledge, counts: bool) -> Knowledge {
    match after {
        Knowledge::Exact(value) => Knowledge::Exact(value.before(counts)),
        Knowledge::Outcome(outcome) => Knowledge::Outcome(outcome.flipped()),
        // That the turn does not win is less than there is a word for.
        Knowledge::NotLost | Knowledge::Unknown => Knowledge::Unknown,
    }
}

/// The order of preference of the player who makes the turn; the best is the smallest.
pub(crate) fn preference(knowledge: Knowledge) -> (u8, i32) {
    match knowledge {
        Knowledge::Exact(Value::Win(Turns(turns))) => (0, i32::from(turns)),
        Knowledge::Outcome(Outcome::Win) => (1, 0),
        Knowledge::Exact(Value::Draw) | Knowledge::Outcome(Outcome::Draw) => (2, 0),
        Knowledge::NotLost => (2, 1),
        Knowledge::Unknown => (3, 0),
        Knowledge::Outcome(Outcome::Loss) => (4, 0),
        Knowledge::Exact(Value::Loss(Turns(turns))) => (5, -i32::from(turns)),
    }
}

/// The value of a position from those of all its turns, of which there is at least one.
///
/// `unknown_may_win`: whether a turn of unknown value could win faster than the known ones. It could after a
/// search that gave up, it could not in a table that was ended after so many phases.
pub(crate) fn fold(
    turns: impl IntoIterator<Item = Knowledge>,
    counts: bool,
    unknown_may_win: bool,
) -> Knowledge {
    let (mut fastest, mut slowest): (Option<Turns>, Option<Turns>) = (None, None);
    let (mut won, mut lost, mut drawn, mut unknown) = (false, false, false, false);
    for turn in turns {
        match turn {
            Knowledge::Exact(Value::Win(turns)) => {
                fastest = Some(fastest.map_or(turns, |fastest| fastest.min(turns)));
            }
            Knowledge::Exact(Value::Loss(turns)) => slowest = slowest.max(Some(turns)),
            Knowledge::Outcome(Outcome::Win) => won = true,
            Knowledge::Outcome(Outcome::Loss) => lost = true,
            Knowledge::Exact(Value::Draw) | Knowledge::Outcome(Outcome::Draw) => drawn = true,
            Knowledge::NotLost => (drawn, unknown) = (true, true),
            Knowledge::Unknown => unknown = true,
        }
    }
    match fastest {
        // Nothing is faster than at once.
        Some(turns) if turns <= Turns(u16::from(counts)) || !(won || unknown && unknown_may_win) => {
            Knowledge::Exact(Value::Win(turns))
        }
        Some(_) => Knowledge::Outcome(Outcome::Win),
        None if won => Knowledge::Outcome(Outcome::Win),
        None if unknown && drawn => Knowledge::NotLost,
        None if unknown => Knowledge::Unknown,
        None if drawn => Knowledge::Exact(Value::Draw),
        None => match slowest {
            Some(turns) if !lost => Knowledge::Exact(Value::Loss(turns)),
            _ => Knowledge::Outcome(Outcome::Loss),
        },
    }
}

impl<G: Game + Show + 'static> Opened<'_, G> {
    /// What rules and table say at once; `None` if neither knows the position.
    pub fn known(&self, position: &G::Position) -> Result<Option<Resolved>, Error> {
        let game = &self.entry.game;
        if let Some(outcome) = game.result(position) {
            let knowledge = Knowledge::Exact(Value::over(outcome));
            return Ok(Some(Resolved { knowledge, source: Source::Rules }));
        }
        let Some(values) = &self.values else { return Ok(None) };
        let Some(index) = self.index_of(position) else {
            let StoredValues::Kept(kept) = values else { return Ok(None) };
            return Ok(match kept.unnumbered(&game.position_text(position))? {
                Stored::Known(knowledge) => Some(Resolved { knowledge, source: Source::Table }),
                Stored::Nothing => None,
            });
        };
        match (values.value(index)?, values) {
            (Stored::Known(knowledge), _) => {
                // Being stuck is seen by the table, but it is the rules that say so.
                let over = knowledge.turns() == Some(Turns(0)) || knowledge == Knowledge::Exact(Value::Draw);
                let knowledge = self.completed(knowledge, position)?;
                let by_rules = over && self.over_at(position).is_some();
                let source = if by_rules { Source::Rules } else { Source::Table };
                Ok(Some(Resolved { knowledge, source }))
            }
            (Stored::Nothing, StoredValues::Occurring(_) | StoredValues::Kept(_)) => Ok(None),
            (Stored::Nothing, StoredValues::Table(table)) => Err(TableError::Damaged {
                file: table.directory().to_owned(),
                place: Place::Whole,
                reason: format!(
                    "it has no value at index {index}, which is the position {}",
                    game.position_text(position)
                ),
            }
            .into()),
        }
    }

    /// What the table knows of a position, or the rules; unknown if neither does.
    pub fn stored_or_rules(&self, position: &G::Position) -> Result<Knowledge, Error> {
        Ok(self.looked_up(position, 2)?.map_or(Knowledge::Unknown, |resolved| resolved.knowledge))
    }

    /// What a table of losses leaves out: whether a position that is not lost is won, and how soon.
    pub fn completed(&self, knowledge: Knowledge, position: &G::Position) -> Result<Knowledge, Error> {
        let Some(values) = self.values.as_ref().filter(|_| knowledge == Knowledge::NotLost) else {
            return Ok(knowledge);
        };
        if let (StoredValues::Kept(kept), Some(index)) = (values, self.index_of(position)) {
            return Ok(match kept.value(index)? {
                Stored::Known(knowledge) => knowledge,
                Stored::Nothing => knowledge,
            });
        }
        let game = &self.entry.game;
        if let Some(outcome) = self.over_at(position) {
            return Ok(Knowledge::Exact(Value::over(outcome)));
        }
        let counts = game.counts(position);
        let mut turns = Vec::new();
        for (_, next) in game.turns(position) {
            turns.push(match game.result(&next) {
                Some(outcome) => Knowledge::Exact(Value::over(outcome).before(counts)),
                None => match self.index_of(&next).map(|index| values.get(index)).transpose()? {
                    Some(Stored::Known(Knowledge::NotLost)) => Knowledge::NotLost,
                    Some(Stored::Known(after)) => before(after, counts),
                    _ => Knowledge::Unknown,
                },
            });
        }
        // A turn to a position that is not lost does not win; where no turn does, one of them draws.
        let unknown = turns.contains(&Knowledge::Unknown);
        Ok(match fold(turns, counts, unknown) {
            Knowledge::NotLost if !unknown => Knowledge::Exact(Value::Draw),
            Knowledge::Unknown => Knowledge::NotLost,
            known => known,
        })
    }

    /// What rules and table say of a position, after at most so many turns; `None` if that is not enough.
    fn looked_up(&self, position: &G::Position, depth: u32) -> Result<Option<Resolved>, Error> {
        /// Deeper looks at more positions than this would be searches.
        const CHEAP: usize = 1 << 8;
        if let Some(known) = self.known(position)? {
            return Ok(Some(known));
        }
        let game = &self.entry.game;
        if let Some(outcome) = self.over_at(position) {
            let knowledge = Knowledge::Exact(Value::over(outcome));
            return Ok(Some(Resolved { knowledge, source: Source::Rules }));
        }
        if self.values.is_none() || depth == 0 {
            return Ok(None);
        }
        let turns = game.turns(position);
        let deeper = if turns.len() <= CHEAP { depth - 1 } else { 0 };
        let counts = game.counts(position);
        let mut known = Vec::with_capacity(turns.len());
        for (_, next) in &turns {
            bounds::check()?;
            match self.looked_up(next, deeper)? {
                Some(after) => known.push(before(after.knowledge, counts)),
                None => return Ok(None),
            }
        }
        Ok(Some(Resolved { knowledge: fold(known, counts, false), source: Source::Table }))
    }

    /// What is known of a position, after a search if need be, which may take what is left of the budget.
    pub fn resolve(&self, position: &G::Position, budget: &mut Budget) -> Result<Resolved, Error> {
        self.resolve_part(position, budget, 1)
    }

    fn resolve_part(
        &self,
        position: &G::Position,
        budget: &mut Budget,
        parts: u64,
    ) -> Result<Resolved, Error> {
        match self.looked_up(position, DEPTH)? {
            Some(known) => Ok(known),
            None => self.searched(position, budget, parts),
        }
    }

    /// What a search finds out about a position that the table does not know, with a part of what is left.
    fn searched(&self, position: &G::Position, budget: &mut Budget, parts: u64) -> Result<Resolved, Error> {
        let mut knowledge = Knowledge::Unknown;
        if !budget.is_spent() {
            let (found, nodes) = (self.entry.search)(&self.entry.game, position, &budget.part(parts))?;
            budget.spend(nodes);
            knowledge = found;
        } else if self.entry.game.counts(position) && self.entry.game.wins_now(position) {
            knowledge = Knowledge::Exact(Value::Win(Turns(1)));
        }
        Ok(Resolved { knowledge, source: Source::Search })
    }

    /// What rules and table say of the positions that turns lead to. Many turns are shared out over threads: where a
    /// table has losses only, each takes a look at thousands of positions, and those near to each other look at the same
    /// parts of it.
    fn looked_up_all(&self, turns: &Listed<G>) -> Result<Vec<Option<Resolved>>, Error> {
        const MANY: usize = 256;
        let look = |(_, _, next): &(String, G::Turn, G::Position)| {
            bounds::check()?;
            self.looked_up(next, DEPTH)
        };
        if turns.len() < MANY {
            return turns.iter().map(look).collect();
        }
        let carried = bounds::carried();
        let mut order: Vec<usize> = (0..turns.len()).collect();
        order.sort_by_cached_key(|&turn| self.place(&turns[turn].2));
        let look = |turn: usize| Ok((turn, carried.within(|| look(&turns[turn]))?));
        let mut known = order.into_par_iter().map(look).collect::<Result<Vec<_>, Error>>()?;
        known.sort_unstable_by_key(|&(turn, _)| turn);
        Ok(known.into_iter().map(|(_, known)| known).collect())
    }

    /// Where a table has what decides a position.
    fn place(&self, position: &G::Position) -> Option<u64> {
        let index = self.index_of(position)?;
        Some(match &self.values {
            Some(StoredValues::Kept(kept)) => kept.place(index),
            _ => index.0,
        })
    }

    /// All turns with their values, best first, then by text.
    pub fn valued_turns(&self, position: &G::Position, budget: &mut Budget) -> Result<Vec<Valued<G>>, Error> {
        let counts = self.entry.game.counts(position);
        let turns = self.turns_by_text(position)?;
        let count = turns.len() as u64;
        let known = self.looked_up_all(&turns)?;
        let mut valued = Vec::with_capacity(turns.len());
        for (number, ((text, turn, next), known)) in (0..).zip(turns.into_iter().zip(known)) {
            let after = match known {
                Some(known) => known,
                None => {
                    bounds::check()?;
                    self.searched(&next, budget, count - number)?
                }
            };
            let knowledge = before(after.knowledge, counts);
            valued.push(Valued { text, turn, next, knowledge, after });
        }
        // Sorting keeps the order of the texts.
        valued.sort_by_key(|valued| preference(valued.knowledge));
        Ok(valued)
    }

    /// The value of a position together with those of its turns. Half of the budget goes to the position.
    pub fn resolve_with_turns(
        &self,
        position: &G::Position,
        budget: &mut Budget,
    ) -> Result<(Resolved, Vec<Valued<G>>), Error> {
        let mut resolved = self.resolve_part(position, budget, 2)?;
        let turns = self.valued_turns(position, budget)?;
        bounds::spend_turns(turns.len() as u64);
        if resolved.source == Source::Search && !turns.is_empty() && resolved.knowledge.value().is_none() {
            let counts = self.entry.game.counts(position);
            let folded = fold(turns.iter().map(|turn| turn.knowledge), counts, true);
            if resolved.knowledge.outcome().is_none() || folded.value().is_some() {
                resolved.knowledge = folded;
            }
        }
        Ok((resolved, turns))
    }

    pub fn probe_position(
        &self,
        position: &G::Position,
        to_move: Seat,
        limits: &SearchLimits,
    ) -> Result<Probe, Error> {
        let game = &self.entry.game;
        let mut budget = Budget::new(limits);
        let (resolved, turns) = self.resolve_with_turns(position, &mut budget)?;
        let turns_available = turns
            .into_iter()
            .map(|valued| TurnValue {
                turn_on_board: game.turn_on_board(position, &valued.turn, to_move),
                position: game.position_text(&valued.next),
                verdict: valued.knowledge.into(),
                turn: valued.text,
            })
            .collect();
        Ok(Probe {
            game: self.name.clone(),
            position: game.position_text(position),
            board: game.board_text(position, to_move),
            to_move: to_move.word(),
            verdict: resolved.knowledge.into(),
            source: resolved.source,
            nodes: budget.spent,
            turns_available,
        })
    }

    /// Whether the table knows turns to the end.
    pub fn has_turns(&self) -> bool {
        self.values.as_ref().is_some_and(|values| values.kind() != Kind::Outcomes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIN: fn(u16) -> Knowledge = |turns| Knowledge::Exact(Value::Win(Turns(turns)));
    const LOSS: fn(u16) -> Knowledge = |turns| Knowledge::Exact(Value::Loss(Turns(turns)));
    const DRAW: Knowledge = Knowledge::Exact(Value::Draw);

    #[test]
    fn the_winner_hurries_and_the_loser_delays() {
        assert_eq!(fold([WIN(5), WIN(3), DRAW, LOSS(8)], true, true), WIN(3));
        assert_eq!(fold([LOSS(4), LOSS(6), LOSS(2)], true, true), LOSS(6));
        assert_eq!(fold([LOSS(4), DRAW], true, true), DRAW);
    }

    #[test]
    fn nothing_is_claimed_that_is_not_known() {
        use Knowledge::{NotLost, Outcome as Only, Unknown};
        assert_eq!(fold([WIN(5), Unknown], true, true), Only(Outcome::Win));
        assert_eq!(fold([WIN(5), Unknown], true, false), WIN(5));
        assert_eq!(fold([WIN(1), Unknown], true, true), WIN(1));
        assert_eq!(fold([WIN(1), Only(Outcome::Win)], true, true), WIN(1));
        assert_eq!(fold([WIN(3), Only(Outcome::Win)], true, true), Only(Outcome::Win));
        assert_eq!(fold([DRAW, Unknown], true, true), NotLost);
        assert_eq!(fold([LOSS(2), Unknown], true, false), Unknown);
        assert_eq!(fold([LOSS(2), Only(Outcome::Loss)], true, true), Only(Outcome::Loss));
        assert_eq!(before(NotLost, true), Unknown);
    }

    #[test]
    fn preference_agrees_with_the_order_of_values() {
        let values = [
            Value::Win(Turns(1)),
            Value::Win(Turns(2)),
            Value::Draw,
            Value::Loss(Turns(4)),
            Value::Loss(Turns(2)),
        ];
        assert!(values.is_sorted_by(|a, b| a > b));
        assert!(values.is_sorted_by_key(|&value| preference(Knowledge::Exact(value))));
    }
}

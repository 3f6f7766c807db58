//! Best turns from what a search has proved. A turn is taken only when the value of the position
//! after it is certain, so a line may end early but is never wrong.

use retrograde_game::{Game, Knowledge, Outcome, Turns, Value};

use super::numbers::{Found, Meter};
use super::rounds::Search;
use super::table::{Goal, UNBOUNDED};

/// Allows nothing: only what the table knows is found.
struct NoBudget;

impl Meter for NoBudget {
    fn spend(&mut self, _positions: u64) -> bool {
        false
    }

    fn left(&self) -> u64 {
        u64::MAX
    }
}

/// No line is followed further; a draw has no end anyway.
const LONGEST: usize = 1000;

impl<G: Game> Search<'_, G> {
    pub(super) fn line(&mut self, knowledge: Knowledge) -> Vec<G::Turn> {
        debug_assert!(self.wanted.line);
        let mut line = Vec::new();
        let mut position = self.position.clone();
        let mut value = match knowledge {
            Knowledge::Exact(value) => value,
            Knowledge::Outcome(Outcome::Win) => {
                // The turns are not certain, so only the turn that wins in any case is.
                let within = self.win.yes.unwrap_or(UNBOUNDED);
                line.extend(self.turn_to_loss(&position, within).map(|(turn, _)| turn));
                return line;
            }
            _ => return line,
        };
        while line.len() < LONGEST {
            let Some((turn, next, after)) = self.best(&position, value) else { break };
            line.push(turn);
            if value == Value::Draw {
                break;
            }
            (position, value) = (next, after);
        }
        line
    }

    /// A turn that keeps the value of a position, where it leads to, and the value there.
    fn best(&mut self, position: &G::Position, value: Value) -> Option<(G::Turn, G::Position, Value)> {
        let counts = self.game.turn_is_counted(position);
        if let Some(reached) = &self.reached {
            return self.game.turns(position).into_iter().find_map(|(turn, next)| {
                let after = reached.value(self.game, &next)?;
                let seen = after.flipped_if(self.game.moves_again(position, &next));
                (seen.before(counts) == value).then_some((turn, next, after))
            });
        }
        let (turn, next, after) = match value {
            Value::Win(Turns(turns)) => {
                let left = turns.checked_sub(u16::from(counts))?;
                let (turn, next) = self.turn_to_loss(position, turns)?;
                (turn, next, Value::Loss(Turns(left)))
            }
            Value::Loss(Turns(turns)) => {
                let left = turns.checked_sub(u16::from(counts))?;
                // All successors are won within so many turns; the best is not won within fewer.
                let (turn, next) = match left.checked_sub(1) {
                    Some(fewer) => self.first(position, Goal::Win, fewer, Found::No)?,
                    None => self.game.turns(position).into_iter().next()?,
                };
                (turn, next, Value::Win(Turns(left)))
            }
            Value::Draw => {
                let (turn, next) = self.first(position, Goal::Win, UNBOUNDED, Found::No)?;
                (turn, next, Value::Draw)
            }
        };
        let after = after.flipped_if(self.game.moves_again(position, &next));
        Some((turn, next, after))
    }

    /// A turn after which the opponent has lost, `within` turns including this one.
    fn turn_to_loss(&mut self, position: &G::Position, within: u16) -> Option<(G::Turn, G::Position)> {
        let left = match within {
            UNBOUNDED => UNBOUNDED,
            within => within.checked_sub(u16::from(self.game.turn_is_counted(position)))?,
        };
        self.first(position, Goal::Loss, left, Found::Yes(left))
    }

    /// The first turn after which the search finds this about the opponent: in the table, or else with
    /// the rest of the budget.
    fn first(
        &mut self,
        position: &G::Position,
        goal: Goal,
        within: u16,
        wanted: Found,
    ) -> Option<(G::Turn, G::Position)> {
        let same = |found: Found| std::mem::discriminant(&found) == std::mem::discriminant(&wanted);
        let mut turns = self.game.turns(position);
        let game = self.game;
        let goal = |next: &G::Position| if game.moves_again(position, next) { goal.after() } else { goal };
        let known = turns.iter().position(|(_, next)| {
            self.numbers.search(next, goal(next), within, &mut NoBudget).is_ok_and(same)
        });
        if let Some(at) = known {
            return Some(turns.swap_remove(at));
        }
        self.budget.allow(u64::MAX);
        let found = turns.iter().position(|(_, next)| {
            let found = self.numbers.search(next, goal(next), within, &mut self.budget);
            found.is_ok_and(same)
        })?;
        Some(turns.swap_remove(found))
    }
}

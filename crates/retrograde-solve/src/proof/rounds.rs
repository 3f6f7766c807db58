//! The rounds of a search, in which three methods share its budget.

use retrograde_game::{Game, Knowledge, Outcome, Turns, Value};

use super::limits::{Budget, Limits};
use super::numbers::{Found, Paused, ProofNumberSearch};
use super::table::{Goal, UNBOUNDED};
use crate::job::{Job, NoCheckpoint, Progress};
use crate::reachable::hashed::{self, HashedValues};

/// Stops exhaustion in time.
struct BudgetProgress<'a>(&'a Budget<'a>);

impl Progress for BudgetProgress<'_> {
    fn stage(&self, _name: &str, _total: u64) {}
    fn advance(&self, _units: u64) {}
    fn stopped(&self) -> bool {
        self.0.late()
    }
}

/// The knowledge about winning, or about losing.
#[derive(Clone, Copy, Default, Debug)]
struct Bounds {
    /// Yes, within this number of turns.
    yes: Option<u16>,
    /// Not within fewer turns than this; [`UNBOUNDED`]: never.
    not_below: u16,
    /// Proof numbers without a bound have ended without an answer.
    hopeless: bool,
}

impl Bounds {
    fn exact(&self) -> Option<Turns> {
        self.yes.filter(|&yes| yes <= self.not_below).map(Turns)
    }
    fn never(&self) -> bool {
        self.not_below == UNBOUNDED
    }
}

pub(super) struct Search<'a, G: Game> {
    game: &'a G,
    position: &'a G::Position,
    budget: Budget<'a>,
    numbers: ProofNumberSearch<'a, G>,
    /// The memory for reachable positions, in bytes.
    memory: u64,
    win: Bounds,
    loss: Bounds,
    /// The current bound of deepening.
    within: u16,
    /// All reachable positions, once they are solved.
    reached: Option<HashedValues<G>>,
}

/// The number of positions for each method in the first round.
const FIRST_ROUND: u64 = 1 << 12;

impl<'a, G: Game> Search<'a, G> {
    pub(super) fn new(game: &'a G, position: &'a G::Position, limits: &'a Limits<'a>) -> Search<'a, G> {
        Search {
            game,
            position,
            budget: Budget::new(limits),
            numbers: ProofNumberSearch::new(game, limits.memory / 2),
            memory: limits.memory / 2,
            win: Bounds::default(),
            loss: Bounds::default(),
            within: 0,
            reached: None,
        }
    }

    pub(super) fn run(&mut self) {
        let mut round = FIRST_ROUND;
        while !self.settled() && !self.budget.over && self.budget.left() > 0 {
            let before = self.budget.spent;
            self.numbers.table.grow(round.saturating_mul(2));
            self.budget.allow(round);
            // It usually ends early, because of a pause or an answer.
            let _ = self.deepen();
            // The other methods ignore the depth limit.
            let depth = self.budget.limits.depth;
            if depth.is_some_and(|depth| self.within > depth) {
                break;
            }
            if !self.settled() && depth.is_none() {
                self.exhaust(round);
            }
            for goal in [Goal::Win, Goal::Loss] {
                if depth.is_none() && !self.settled() && !self.bounds(goal).hopeless && self.open(goal) {
                    self.budget.allow(round);
                    let _ = self.ask(goal, UNBOUNDED);
                }
            }
            if self.budget.spent == before {
                break;
            }
            round = round.saturating_mul(2);
        }
    }

    /// The number of positions visited.
    pub(super) fn spent(&self) -> u64 {
        self.budget.spent
    }

    pub(super) fn knowledge(&self) -> Knowledge {
        if let Some(reached) = &self.reached {
            return reached.value(self.game, self.position).map_or(Knowledge::Unknown, Knowledge::Exact);
        }
        match (self.win, self.loss) {
            (Bounds { yes: Some(_), .. }, _) => match self.win.exact() {
                Some(turns) => Knowledge::Exact(Value::Win(turns)),
                None => Knowledge::Outcome(Outcome::Win),
            },
            (_, Bounds { yes: Some(_), .. }) => match self.loss.exact() {
                Some(turns) => Knowledge::Exact(Value::Loss(turns)),
                None => Knowledge::Outcome(Outcome::Loss),
            },
            (win, loss) if win.never() && loss.never() => Knowledge::Exact(Value::Draw),
            _ => Knowledge::Unknown,
        }
    }

    /// Whether the value is known.
    fn settled(&self) -> bool {
        matches!(self.knowledge(), Knowledge::Exact(_))
    }

    fn bounds(&self, goal: Goal) -> Bounds {
        match goal {
            Goal::Win => self.win,
            Goal::Loss => self.loss,
        }
    }

    /// Whether the outcome that a goal asks about is neither proved nor refuted.
    fn open(&self, goal: Goal) -> bool {
        let bounds = self.bounds(goal);
        bounds.yes.is_none() && !bounds.never() && self.bounds(goal.after()).yes.is_none()
    }

    fn ask(&mut self, goal: Goal, within: u16) -> Result<(), Paused> {
        let found = self.numbers.search(self.position, goal, within, &mut self.budget)?;
        let bounds = match goal {
            Goal::Win => &mut self.win,
            Goal::Loss => &mut self.loss,
        };
        match found {
            Found::Yes(turns) => bounds.yes = Some(bounds.yes.map_or(turns, |yes| yes.min(turns))),
            Found::No => bounds.not_below = bounds.not_below.max(within.saturating_add(1)),
            Found::Open if within == UNBOUNDED => bounds.hopeless = true,
            // Lines of this length exceed the depth of the search.
            Found::Open => return Err(Paused),
        }
        Ok(())
    }

    /// Asks for wins and losses within more and more turns.
    fn deepen(&mut self) -> Result<(), Paused> {
        let deepest = self.budget.limits.depth.unwrap_or(UNBOUNDED).min(UNBOUNDED - 2);
        while !self.settled() && self.within <= deepest {
            for goal in [Goal::Win, Goal::Loss] {
                let bounds = self.bounds(goal);
                let other = self.bounds(goal.after());
                let open = other.yes.is_none() && bounds.not_below <= self.within;
                if open && !self.settled() {
                    self.ask(goal, self.within)?;
                }
            }
            self.within += 1;
        }
        Ok(())
    }

    /// Solves all reachable positions if there are about `positions` of them or fewer.
    fn exhaust(&mut self, positions: u64) {
        let positions = positions.min(self.budget.left());
        let memory = self.memory.min(positions.saturating_mul(hashed::bytes_with_turns::<G>()));
        let solved = {
            let (watch, mut no_checkpoint) = (BudgetProgress(&self.budget), NoCheckpoint);
            let mut job =
                Job { threads: 1, memory, horizon: None, progress: &watch, checkpoint: &mut no_checkpoint };
            hashed::solve(self.game, self.position, &mut job)
        };
        // If there are too many, or it is too late, the other methods continue with the rest of the budget.
        let spent = match &solved {
            Ok(reached) => reached.len(),
            Err(_) => positions,
        };
        self.reached = solved.ok();
        self.budget.spend(spent);
    }
}

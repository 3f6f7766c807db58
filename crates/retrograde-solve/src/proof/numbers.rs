//! Proof-number search (df-pn): proves that the side to move wins, or loses, within a number of turns or
//! without a bound, by the path that seems to take the least effort.
//!
//! A bounded search has no cycles. Without a bound a position may repeat on the path to it. There it counts
//! as *not proved*, which is right for a proof, whatever the path. A disproof that used such a repetition
//! holds only while the repeated position is on the path, so each carries the depth of the highest one it
//! used (`rests_on`). It becomes an answer, and is stored, once it uses nothing above. Then the positions
//! below form a closed set in which the defender can stay for ever, a certificate like a fortress.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use retrograde_game::{Game, Outcome};

use super::limits::Budget;
use super::table::{Goal, Known, Table, UNBOUNDED};
use crate::hash::FoldHasher;

/// More effort than any search can spend: impossible.
const NEVER: u32 = 1 << 30;
/// Depends on no position of the path.
const NOTHING: u32 = u32::MAX;
/// The depth of the position that is searched.
const ROOT: u32 = 1;
/// Above the root: a disproof that depends on it is never stored.
const ABOVE: u32 = 0;
/// The maximum length of a path. Nothing is proved beyond it.
const MAX_DEPTH: u32 = 500;

/// A question about a position: does its side to move reach a goal within this number of turns?
#[derive(Clone, Copy, Debug)]
struct Question {
    goal: Goal,
    within: u16,
}

impl Question {
    fn is_unbounded(self) -> bool {
        self.within == UNBOUNDED
    }

    /// The outcome that answers the question with yes.
    fn wanted(self) -> Outcome {
        if self.goal == Goal::Win { Outcome::Win } else { Outcome::Loss }
    }

    /// The same question after a turn, which may count or not.
    fn after(self, turn: u16) -> Question {
        let within = if self.is_unbounded() { UNBOUNDED } else { self.within.saturating_sub(turn) };
        Question { goal: self.goal.after(), within }
    }
}

/// The status of a question about a position, on the path to it.
#[derive(Clone, Copy, Debug)]
struct Status {
    /// The effort to prove; 0: proved, [`NEVER`]: disproved.
    proof: u32,
    /// The effort to disprove; 0: disproved.
    disproof: u32,
    /// For a proof: the number of turns within which the goal is reached.
    turns: u16,
    /// For a disproof: the smallest depth of a position on the path that it depends on.
    rests_on: u32,
}

impl Status {
    fn yes(turns: u16) -> Status {
        Status { proof: 0, disproof: NEVER, turns, rests_on: NOTHING }
    }
    fn no(rests_on: u32) -> Status {
        Status { proof: NEVER, disproof: 0, turns: 0, rests_on }
    }
    fn open(proof: u32, disproof: u32) -> Status {
        Status { proof, disproof, turns: 0, rests_on: NOTHING }
    }
    fn answered(yes: bool) -> Status {
        if yes { Status::yes(0) } else { Status::no(NOTHING) }
    }
    fn done(&self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// The search must end or pause.
pub(crate) struct Paused;

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// Yes, within this number of turns.
    Yes(u16),
    /// No, within the turns allowed.
    No,
    /// Neither can be proved this way.
    Open,
}

struct Child<P> {
    position: P,
    /// The question about it, from the point of view of its player to move.
    question: Question,
    status: Status,
}

pub(crate) struct ProofNumberSearch<'a, G: Game> {
    game: &'a G,
    pub(crate) table: Table<G::Position>,
    /// The depths of the positions on the path, for a search without a bound.
    path: HashMap<(G::Position, Goal), u32, FoldHasher>,
    /// Reused memory for deduplicating successors.
    seen: HashSet<G::Position, FoldHasher>,
}

impl<'a, G: Game> ProofNumberSearch<'a, G> {
    pub(crate) fn new(game: &'a G, memory: u64) -> Self {
        ProofNumberSearch {
            game,
            table: Table::new(memory),
            path: HashMap::default(),
            seen: HashSet::default(),
        }
    }

    /// Searches until it has an answer or the budget pauses it. The results so far stay in the table.
    pub(crate) fn search(
        &mut self,
        position: &G::Position,
        goal: Goal,
        within: u16,
        budget: &mut Budget<'_>,
    ) -> Result<Found, Paused> {
        let question = Question { goal, within };
        self.path.clear();
        let mut status = self.look(position, question, ROOT);
        if !status.done() {
            status = self.visit(position, question, (NEVER, NEVER), ROOT, budget)?;
        }
        Ok(match status {
            Status { proof: 0, turns, .. } => Found::Yes(turns),
            Status { disproof: 0, rests_on: NOTHING, .. } => Found::No,
            _ => Found::Open,
        })
    }

    /// Examines a position without expanding its successors.
    fn look(&self, position: &G::Position, question: Question, depth: u32) -> Status {
        let (Question { goal, within }, wanted) = (question, question.wanted());
        if let Some(outcome) = self.game.result(position) {
            return Status::answered(outcome == wanted);
        }
        let known = self.table.get(position, goal);
        match known.answer(within) {
            Some(true) => return Status::yes(known.yes),
            Some(false) => return Status::no(NOTHING),
            None => {}
        }
        if within == UNBOUNDED
            && let Some(&at) = self.path.get(&(position.clone(), goal))
        {
            return Status::no(at);
        }
        if depth > MAX_DEPTH {
            return Status::no(ABOVE);
        }
        let turn = u16::from(self.game.turn_is_counted(position));
        if within < turn {
            // Only a player without turns can have reached the end here.
            let free = self.game.each_successor(position, |_| ControlFlow::Break(())).is_break();
            return Status::answered(!free && self.game.outcome_without_turns() == wanted);
        }
        if self.game.wins_now(position) {
            return if goal == Goal::Win { Status::yes(turn) } else { Status::no(NOTHING) };
        }
        if known.within == within { Status::open(known.proof, known.disproof) } else { Status::open(1, 1) }
    }

    /// Lists the relevant successors, each once. A successor that decides the question is returned alone.
    /// `question` is the one about the position. Stops after `most` positions; the list is then incomplete.
    fn children(
        &mut self,
        position: &G::Position,
        question: Question,
        depth: u32,
        (looked, most): (&mut u64, u64),
    ) -> Vec<Child<G::Position>> {
        let mut seen = std::mem::take(&mut self.seen);
        seen.clear();
        let mut children: Vec<Child<G::Position>> = Vec::new();
        let game = self.game;
        let goal = question.goal;
        let below = question.after(u16::from(game.turn_is_counted(position)));
        let _ = game.each_successor(position, |next| {
            if !seen.insert(next.clone()) {
                return ControlFlow::Continue(());
            }
            *looked += 1;
            let question = if game.moves_again(position, &next) { Question { goal, ..below } } else { below };
            let status = self.look(&next, question, depth + 1);
            let decides = match goal {
                Goal::Win => status.proof == 0,
                Goal::Loss => status.disproof == 0,
            };
            let child = Child { position: next, question, status };
            if decides {
                children.clear();
                children.push(child);
                return ControlFlow::Break(());
            }
            children.push(child);
            if *looked >= most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        self.seen = seen;
        children
    }

    /// Works on a position until it is answered or takes more effort than the limits (proof, disproof).
    fn visit(
        &mut self,
        position: &G::Position,
        question: Question,
        limits: (u32, u32),
        depth: u32,
        budget: &mut Budget<'_>,
    ) -> Result<Status, Paused> {
        let turn = u16::from(self.game.turn_is_counted(position));
        let goal = question.goal;
        let (before, mut looked) = (budget.spent, 1);
        if question.is_unbounded() {
            self.path.insert((position.clone(), goal), depth);
        }
        // If no more positions may be visited, it pauses whatever these are.
        let most = budget.left();
        let mut children = self.children(position, question, depth, (&mut looked, most));
        if !budget.spend(looked) {
            return Err(Paused);
        }
        if children.is_empty() {
            let status = Status::answered(self.game.outcome_without_turns() == question.wanted());
            self.leave(position, question, depth, status, looked);
            return Ok(status);
        }
        let status = loop {
            let (status, best, second) = summary(&children, goal);
            if status.done() {
                let turns = status.turns.saturating_add(turn);
                break Status { turns, ..status };
            }
            if status.proof >= limits.0 || status.disproof >= limits.1 {
                break status;
            }
            // A child may take the effort that keeps it the best one, plus some slack so that the search does
            // not alternate between two at every step, and that keeps this position within its limits.
            let others = open(&children).saturating_sub(1);
            let child = &children[best];
            let slack = |effort: u32| effort.saturating_add(1 + effort / 4).min(NEVER);
            let limits = match goal {
                Goal::Win => (limits.0.min(slack(second)), limits.1.saturating_sub(others)),
                Goal::Loss => (limits.0.saturating_sub(others), limits.1.min(slack(second))),
            };
            let limits = (
                limits.0.max(child.status.proof.saturating_add(1)),
                limits.1.max(child.status.disproof.saturating_add(1)),
            );
            let (next, below) = (child.position.clone(), child.question);
            children[best].status = self.visit(&next, below, limits, depth + 1, budget)?;
        };
        Ok(self.leave(position, question, depth, status, budget.spent - before))
    }

    /// Removes a position from the path and stores what holds on every path.
    fn leave(
        &mut self,
        position: &G::Position,
        question: Question,
        depth: u32,
        mut status: Status,
        spent: u64,
    ) -> Status {
        let Question { goal, within } = question;
        if question.is_unbounded() {
            self.path.remove(&(position.clone(), goal));
        }
        // It depends on this position and others below it, but nothing above: a closed set.
        if status.rests_on >= depth {
            status.rests_on = NOTHING;
        }
        self.table.update(position, goal, spent, |known| match status {
            Status { proof: 0, turns, .. } => known.yes = known.yes.min(turns),
            Status { disproof: 0, rests_on: NOTHING, .. } => {
                known.not_below = known.not_below.max(within.saturating_add(1));
            }
            Status { disproof: 0, .. } => {}
            Status { proof, disproof, .. } => {
                *known = Known { proof, disproof, within, ..*known };
            }
        });
        status
    }
}

/// The number of undecided children.
fn open<P>(children: &[Child<P>]) -> u32 {
    children.iter().filter(|child| !child.status.done()).count() as u32
}

/// The state of a position from its successors, the child to work on, and the effort of the second best
/// child.
///
/// One proved child proves a win; all children must be proved for a loss. If all efforts count, this takes
/// the largest plus one per other child instead of the sum: many lines lead to the same positions, which a
/// sum would count several times.
fn summary<P>(children: &[Child<P>], goal: Goal) -> (Status, usize, u32) {
    let (mut best, mut least, mut second) = (0, NEVER, NEVER);
    let (mut most, mut open, mut rests_on, mut turns) = (0, 0_u32, NOTHING, 0_u16);
    // For a loss, proof and disproof are exchanged.
    for (at, Child { status, .. }) in children.iter().enumerate() {
        let (one, all) = match goal {
            Goal::Win => (status.proof, status.disproof),
            Goal::Loss => (status.disproof, status.proof),
        };
        if one == 0 {
            return (*status, at, NEVER);
        }
        if all == 0 {
            rests_on = rests_on.min(status.rests_on);
            turns = turns.max(status.turns);
            continue;
        }
        open += 1;
        most = most.max(all);
        if one < least {
            (best, second, least) = (at, least, one);
        } else {
            second = second.min(one);
        }
    }
    if open == 0 {
        let status = if goal == Goal::Win { Status::no(rests_on) } else { Status::yes(turns) };
        return (status, best, NEVER);
    }
    let all = most.saturating_add(open - 1).min(NEVER - 1);
    let status = match goal {
        Goal::Win => Status::open(least.min(NEVER - 1), all),
        Goal::Loss => Status::open(all, least.min(NEVER - 1)),
    };
    (status, best, second)
}

//! Recomputes values from the values of the successors, using only the rules and the table, without a
//! solver.
//!
//! With turns this is a proof and not just a plausibility check: a win in t has a successor that
//! the opponent loses in t − 1, and a loss in t only has successors that the opponent wins in at
//! most t − 1. So every such value depends on values in fewer turns, down to finished games. A draw
//! has no lost successor and at least one drawn one, so each player can always stay among the draws
//! and neither can force a win. Without turns, two wrong values can support each other if positions
//! can repeat; otherwise every value depends on positions that are closer to the end.

use std::ops::{ControlFlow, Range};

use retrograde_game::promises;
use retrograde_game::{Dense, Index, Knowledge, Outcome, Score, Stored, Successor, Turns, Value};

use crate::Findings;
use crate::store::codes::CodeSource;

/// The values to check, and the parameters of the check.
pub(crate) struct Check<'a> {
    pub codes: CodeSource<'a>,
    /// Whether the table stores turns; otherwise outcomes are compared.
    pub exact: bool,
    /// The horizon of the solve, if it had one.
    pub horizon: Option<Turns>,
    /// The first index of the prelude.
    pub prelude_from: u64,
    /// At one place in this many, the indices of the position and its successors are checked
    /// against the rules.
    pub every: u64,
}

/// The maximum number of successors whose indices are checked.
const SUCCESSORS: usize = 1 << 8;

/// Recomputes the values at these places.
pub(crate) fn derive<G: Dense>(game: &G, check: &Check<'_>, places: Range<u64>, findings: &mut Findings) {
    for place in places {
        let (index, stored) = check.codes.at_place(place);
        if stored != u16::NONE {
            findings.positions += 1;
        }
        if let Err(fault) = derive_at(game, check, place, (index, stored)) {
            findings.error(|| fault);
        }
    }
}

/// Recomputes a value; returns the fault in words if it is wrong.
fn derive_at<G: Dense>(
    game: &G,
    check: &Check<'_>,
    place: u64,
    (index, stored): (Index, u16),
) -> Result<(), String> {
    let Some(position) = game.position(index) else {
        return match stored {
            u16::NONE => Ok(()),
            _ => Err(format!("no position has index {index}, but the table has a value")),
        };
    };
    let wrong = |fault: &str| Err(format!("index {index} ({}): {fault}", game.position_text(&position)));
    if stored == u16::NONE {
        return wrong("the table has no value");
    }
    if game.index(&position) != Some(index) {
        return promises::index(game, index);
    }
    if place.is_multiple_of(check.every) {
        promises::dense(game, &position, SUCCESSORS)?;
    }
    let codes = &check.codes;
    let lost = |score: u16| score < u16::NONE;
    let mut least = u16::MAX;
    let (mut any, mut nothing, mut unknown) = (false, false, false);
    let first_is_enough = !check.exact;
    let _ = game.each_numbered_successor(&position, |next| {
        any = true;
        let score = match next {
            Successor::Terminal(outcome) => u16::over(outcome),
            Successor::At(next) => match codes.at(next) {
                u16::NOT_LOST => completed(game, codes, next),
                score => score,
            },
            Successor::Again(next) => codes.at(next).flipped(),
        };
        nothing |= score == u16::NONE;
        unknown |= score == u16::UNKNOWN;
        least = least.min(score);
        if first_is_enough && lost(score) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if nothing {
        return wrong("the table has no value for a successor");
    }
    let derived = if any {
        let best = if lost(least) || !unknown { least } else { u16::UNKNOWN };
        let counts = index.0 < check.prelude_from || game.turn_is_counted(&position);
        turned(best, counts)
    } else {
        Some(u16::over(game.result(&position).unwrap_or(game.outcome_without_turns())))
    };
    if check.agrees(stored, derived) {
        return Ok(());
    }
    let derived = derived.map_or("a game that is too long".to_owned(), |derived| words(derived, check.exact));
    wrong(&format!("the table says {}, but its turns give {derived}", words(stored, check.exact)))
}

impl Check<'_> {
    /// Whether a stored score agrees with the score that the turns give; `None` is too long a game.
    fn agrees(&self, stored: u16, derived: Option<u16>) -> bool {
        let beyond = |score: u16| {
            let turns = score.value().and_then(Value::turns);
            self.horizon.is_some_and(|horizon| turns.is_some_and(|turns| turns > horizon))
        };
        match derived {
            None => self.horizon.is_some() && stored == u16::UNKNOWN,
            Some(derived) if stored == u16::UNKNOWN => {
                self.horizon.is_some() && (derived == stored || beyond(derived) || derived == u16::DRAW)
            }
            // A table of losses only says that the position is won or drawn.
            Some(derived) if stored == u16::NOT_LOST => derived >= u16::DRAW,
            Some(derived) if self.exact => derived == stored,
            Some(derived) => outcome(derived) == outcome(stored),
        }
    }
}

/// The score of a position whose best turn leads to this score, unless it exceeds the range of
/// scores.
fn turned(best: u16, counts: bool) -> Option<u16> {
    let Some(value) = best.value() else { return Some(best) };
    if counts { best.before_turn() } else { u16::from_value(value.before(false)) }
}

/// Completes a value that a table of losses leaves open: whether a position that is not lost is
/// won, and in how many turns.
#[cold]
fn completed<G: Dense>(game: &G, codes: &CodeSource<'_>, index: Index) -> u16 {
    let mut least = u16::MAX;
    let mut any = false;
    let _ = game.each_successor_at(index, |next| {
        any = true;
        least = least.min(match next {
            Successor::Terminal(outcome) => u16::over(outcome),
            Successor::At(next) => codes.at(next),
            Successor::Again(next) => codes.at(next).flipped(),
        });
        ControlFlow::Continue(())
    });
    if !any {
        let position = game.position(index);
        return position
            .map_or(u16::NONE, |p| u16::over(game.result(&p).unwrap_or(game.outcome_without_turns())));
    }
    if least < u16::NONE {
        least.before_turn().unwrap_or(u16::UNKNOWN)
    } else if least == u16::UNKNOWN {
        u16::UNKNOWN
    } else {
        u16::DRAW
    }
}

fn outcome(score: u16) -> Option<Outcome> {
    score.value().map(Value::outcome)
}

fn words(score: u16, exact: bool) -> String {
    match score.stored() {
        Stored::Nothing => "nothing".to_owned(),
        Stored::Known(Knowledge::Exact(value)) if exact => value.to_string(),
        Stored::Known(Knowledge::Exact(value)) => value.outcome().to_string(),
        Stored::Known(Knowledge::NotLost) => "not lost".to_owned(),
        Stored::Known(_) => "unknown".to_owned(),
    }
}

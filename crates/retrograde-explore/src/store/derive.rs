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
use retrograde_table::CellWidth;

use crate::Findings;
use crate::store::codes::{Bits, Bytes, CodeOrigin, CodeSource, Codes, TwoBits, WideBytes};

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
    match &check.codes.0 {
        CodeOrigin::Packed(width, cells) => match width {
            CellWidth::Byte => derive_from(game, check, &Bytes(cells), places, findings),
            CellWidth::TwoBytes => derive_from(game, check, &WideBytes(cells), places, findings),
            CellWidth::TwoBits => derive_from(game, check, &TwoBits(cells), places, findings),
            CellWidth::Bit => derive_from(game, check, &Bits(cells), places, findings),
        },
        CodeOrigin::Probed(table) => derive_from(game, check, table, places, findings),
        CodeOrigin::Loaded(loaded) => derive_from(game, check, loaded, places, findings),
    }
}

/// The score of a finished game.
fn over<S: Score>(outcome: Outcome) -> S {
    match outcome {
        Outcome::Win => S::MAX,
        Outcome::Draw => S::DRAW,
        Outcome::Loss => S::from_value(Value::Loss(Turns(0))).unwrap_or(S::NONE),
    }
}

fn derive_from<G: Dense, C: Codes>(
    game: &G,
    check: &Check<'_>,
    codes: &C,
    places: Range<u64>,
    findings: &mut Findings,
) {
    type ScoreOf<C> = <C as Codes>::Score;
    let overs = Outcome::ALL.map(over::<ScoreOf<C>>);
    let lost = |score: ScoreOf<C>| score < C::Score::NONE;
    for place in places {
        let (index, stored) = codes.at_place(place);
        if stored == C::Score::NONE {
            if game.position(index).is_some() {
                findings.error(|| format!("{}: the table has no value", name(game, index)));
            }
            continue;
        }
        findings.positions += 1;
        let Some(position) = game.position(index) else {
            findings.error(|| format!("no position has index {index}, but the table has a value"));
            continue;
        };
        let numbers = match game.index(&position) == Some(index) {
            false => promises::index(game, index),
            true if place.is_multiple_of(check.every) => promises::dense(game, &position, SUCCESSORS),
            true => Ok(()),
        };
        if let Err(broken) = numbers {
            findings.error(|| broken);
            continue;
        }
        let mut least = C::Score::MAX;
        let (mut any, mut nothing, mut unknown) = (false, false, false);
        let first_is_enough = !check.exact;
        let _ = game.each_numbered_successor(&position, |next| {
            any = true;
            let score = match next {
                Successor::Terminal(outcome) => overs[outcome as usize],
                Successor::At(next) => match codes.at(next) {
                    score if score == C::Score::NOT_LOST => completed(game, codes, next),
                    score => score,
                },
                Successor::Again(next) => codes.at(next).flipped(),
            };
            nothing |= score == C::Score::NONE;
            unknown |= score == C::Score::UNKNOWN;
            least = least.min(score);
            if first_is_enough && lost(score) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if nothing {
            findings.error(|| format!("{}: the table has no value for a successor", name(game, index)));
            continue;
        }
        let derived: Option<C::Score> = if any {
            let best = if lost(least) || !unknown { least } else { C::Score::UNKNOWN };
            let counts = index.0 < check.prelude_from || game.turn_is_counted(&position);
            turned(best, counts)
        } else {
            Some(over(game.result(&position).unwrap_or(game.outcome_without_turns())))
        };
        let beyond = |score: C::Score| {
            let turns = score.value().and_then(Value::turns);
            check.horizon.is_some_and(|horizon| turns.is_some_and(|turns| turns > horizon))
        };
        let right = match derived {
            None => check.horizon.is_some() && stored == C::Score::UNKNOWN,
            Some(derived) if stored == C::Score::UNKNOWN => {
                check.horizon.is_some() && (derived == stored || beyond(derived) || derived == C::Score::DRAW)
            }
            // A table of losses only says that the position is won or drawn.
            Some(derived) if stored == C::Score::NOT_LOST => derived >= C::Score::DRAW,
            Some(derived) if check.exact => derived == stored,
            Some(derived) => outcome(derived) == outcome(stored),
        };
        if !right {
            findings.error(|| {
                format!(
                    "{}: the table says {}, its turns give {}",
                    name(game, index),
                    words(stored, check.exact),
                    derived.map_or("too long a game".to_owned(), |derived| words(derived, check.exact)),
                )
            });
        }
    }
}

/// The score of a position whose best turn leads to this score, unless it exceeds the range of
/// scores.
fn turned<S: Score>(best: S, counts: bool) -> Option<S> {
    let Some(value) = best.value() else { return Some(best) };
    if counts { best.before_turn() } else { S::from_value(value.before(false)) }
}

/// Completes a value that a table of losses leaves open: whether a position that is not lost is
/// won, and in how many turns.
#[cold]
fn completed<G: Dense, C: Codes>(game: &G, codes: &C, index: Index) -> C::Score {
    let mut least = C::Score::MAX;
    let mut any = false;
    let _ = game.each_successor_at(index, |next| {
        any = true;
        least = least.min(match next {
            Successor::Terminal(outcome) => over(outcome),
            Successor::At(next) => codes.at(next),
            Successor::Again(next) => codes.at(next).flipped(),
        });
        ControlFlow::Continue(())
    });
    if !any {
        let position = game.position(index);
        return position
            .map_or(C::Score::NONE, |p| over(game.result(&p).unwrap_or(game.outcome_without_turns())));
    }
    if least < C::Score::NONE {
        least.before_turn().unwrap_or(C::Score::UNKNOWN)
    } else if least == C::Score::UNKNOWN {
        C::Score::UNKNOWN
    } else {
        C::Score::DRAW
    }
}

fn outcome<S: Score>(score: S) -> Option<Outcome> {
    score.value().map(Value::outcome)
}

fn words<S: Score>(score: S, exact: bool) -> String {
    match score.stored() {
        Stored::Nothing => "nothing".to_owned(),
        Stored::Known(Knowledge::Exact(value)) if exact => value.to_string(),
        Stored::Known(Knowledge::Exact(value)) => value.outcome().to_string(),
        Stored::Known(Knowledge::NotLost) => "not lost".to_owned(),
        Stored::Known(_) => "unknown".to_owned(),
    }
}

fn name<G: Dense>(game: &G, index: Index) -> String {
    match game.position(index) {
        Some(position) => format!("index {index} ({})", game.position_text(&position)),
        None => format!("index {index}"),
    }
}

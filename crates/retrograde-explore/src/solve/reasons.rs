//! Explains the choice of a solver: what the solver does, which others take too much memory, and how other
//! capabilities of the game would make solving faster.

use crate::{AnyGame, Method};

/// Sentences about the choice of a method. `passed_over` has the preferred methods that do not fit,
/// each with its memory and the limit.
pub(crate) fn notes(entry: &AnyGame, chosen: Method, passed_over: &[(Method, [String; 2])]) -> Vec<String> {
    let mut notes: Vec<String> = description(entry, chosen).into_iter().collect();
    notes.extend(passed_over.iter().map(|(method, [need, limit])| {
        format!("The method `{method}` would need {need} of memory, but the limit is {limit}.")
    }));
    if chosen == Method::Retrograde {
        notes.extend(missing_capabilities(entry));
    }
    notes
}

/// Describes what a solver does with this game; `None` if the game's own solver describes it
/// better.
fn description(entry: &AnyGame, method: Method) -> Option<String> {
    Some(match method {
        Method::Fill => "Solves 64 or more positions at a time with bit operations.".to_owned(),
        Method::FillOutcomes => {
            "Stores one bit per position: who wins, but not in how many turns.".to_owned()
        }
        Method::Graded => {
            "Solves in one pass, layer by layer: every position after its successors.".to_owned()
        }
        Method::Retrograde => {
            let mut how = match entry.sample_predecessors {
                Some(_) => "Works backwards from finished positions, using predecessors".to_owned(),
                None => {
                    "Works backwards from finished positions, looking ahead from every undecided position"
                        .to_owned()
                }
            };
            if entry.sample_images.is_some() {
                how.push_str(", for one position of each orbit");
            }
            if entry.largest_stage.is_some() {
                how.push_str(", stage by stage");
            }
            format!("{how}.")
        }
        Method::Reachable => {
            "Solves only positions that are reachable from the start, and stores them as codes.".to_owned()
        }
        Method::Phases | Method::Search => return None,
    })
}

/// The missing capabilities that would make solving backwards faster.
fn missing_capabilities(entry: &AnyGame) -> Vec<String> {
    let mut missing = Vec::new();
    if entry.sample_predecessors.is_none() {
        missing.push(
            "Without `Predecessors`, each phase looks at every undecided position again, which can take ten \
             times as long; the time is a guess, since the number of phases is not known."
                .to_owned(),
        );
    }
    if entry.sample_images.is_none() {
        missing.push(
            "If the board has symmetries that the numbering does not use, implement `Symmetries` to solve only \
             one position of each orbit."
                .to_owned(),
        );
    }
    if entry.graded {
        missing.push("No position repeats: implement `Layered` to solve in one pass.".to_owned());
    } else {
        missing.push("If no position can repeat, implement `Layered` to solve in one pass.".to_owned());
    }
    missing
}

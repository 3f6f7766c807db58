//! The choice among the solvers of a game: a table, read from top to bottom.
//!
//! The first solver is taken that the game has, that supports the request and that fits into
//! memory. A new solver is a new row.

use crate::game::solvers::SolverSpec;
use crate::{AnyGame, Method, SolveOptions};

/// Whether a solver can do what is asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Serves {
    /// It can, and is tried before all that say yes.
    First,
    /// It can, and is tried in the order of the table.
    Yes,
    /// It can, and is tried after all that say yes.
    Last,
    /// It cannot.
    No,
}

/// A method and what it can do, by the columns of [`PREFERENCE`].
struct Row {
    method: Method,
    alone: [Serves; 6],
    together: [Serves; 3],
}

const fn row(method: Method, alone: [Serves; 6], together: [Serves; 3]) -> Row {
    Row { method, alone, together }
}

use Serves::{First, Last, No, Yes};

/// Fast methods come before slow ones. The last one solves only some positions, for games with too
/// many indices. Outcomes of one bit are the fastest if they suffice. Several processes use the
/// plain methods: methods that fill share the graded solver, which ignores a horizon, so solving
/// backwards comes first if it can end early.
#[rustfmt::skip]
const PREFERENCE: &[Row] = &[
    //                         into   in      up to a                       moves  |  together:
    //                         files  memory  horizon  outcomes  reachable  again  |  all    horizon  reachable
    row(Method::Fill,         [Yes,   Yes,    Yes,     Yes,      No,        No],    [Yes,    Last,    No]),
    row(Method::FillOutcomes, [Yes,   No,     No,      First,    No,        No],    [Yes,    No,      No]),
    row(Method::Graded,       [Yes,   Yes,    Yes,     Yes,      No,        Yes],   [First,  First,   No]),
    row(Method::Phases,       [Yes,   Yes,    Yes,     Yes,      No,        No],    [No,     No,      No]),
    row(Method::Retrograde,   [Yes,   Yes,    Yes,     Yes,      No,        Yes],   [Last,   Yes,     No]),
    row(Method::Reachable,    [Yes,   No,     No,      No,       Yes,       Yes],   [Last,   No,      Yes]),
];

impl Row {
    /// Whether it supports a request on one machine.
    fn serves(&self, options: &SolveOptions, has_seats: bool) -> Serves {
        let requested = [
            !options.in_memory,
            options.in_memory,
            options.phases.is_some(),
            options.outcome_only,
            options.reachable_only,
            has_seats,
        ];
        let requested = requested
            .into_iter()
            .zip(self.alone)
            .filter_map(|(requested, serves)| requested.then_some(serves));
        if requested.clone().any(|serves| serves == No) { No } else { requested.min().unwrap_or(Yes) }
    }

    /// Whether it supports a request with several processes.
    fn serves_together(&self, options: &SolveOptions) -> Serves {
        let [.., outcomes, _, _] = self.alone;
        let [all, horizon, reachable] = self.together;
        match options {
            SolveOptions { outcome_only: true, .. } if outcomes == No => No,
            SolveOptions { reachable_only: true, outcome_only: true, .. } => No,
            SolveOptions { reachable_only: true, phases: Some(_), .. } => No,
            SolveOptions { reachable_only: true, .. } => reachable,
            SolveOptions { phases: Some(_), .. } => horizon,
            _ => all,
        }
    }
}

/// The solvers of a game that support a request, best first.
fn by_preference(entry: &AnyGame, serves: impl Fn(&Row) -> Serves) -> Vec<&SolverSpec> {
    let solver = |row: &Row| entry.solvers.iter().find(|spec| spec.method == row.method);
    let ranked = PREFERENCE.iter().filter_map(|row| Some((serves(row), solver(row)?)));
    let mut ranked: Vec<_> = ranked.filter(|(serves, _)| *serves != No).collect();
    ranked.sort_by_key(|(serves, _)| *serves);
    ranked.into_iter().map(|(_, spec)| spec).collect()
}

/// The solvers of this game that support the options on one machine, best first.
pub(crate) fn suitable<'a>(entry: &'a AnyGame, options: &SolveOptions) -> Vec<&'a SolverSpec> {
    let has_seats = entry.game.seat(&entry.game.start()).is_some();
    let mut solvers = by_preference(entry, |row| row.serves(options, has_seats));
    solvers.retain(|spec| spec.applies && (options.reachable_only || !spec.only_if_asked));
    solvers
}

/// The solvers that support the options with several processes, best first.
pub(crate) fn suitable_together<'a>(entry: &'a AnyGame, options: &SolveOptions) -> Vec<&'a SolverSpec> {
    by_preference(entry, |row| row.serves_together(options))
}

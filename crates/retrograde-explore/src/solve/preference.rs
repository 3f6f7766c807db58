//! The choice among the solvers of a game: a table, read from top to bottom.
//!
//! The first solver is taken that the game has, that supports the request and that fits into
//! memory. A new solver is a new row.

use crate::game::any_game::AnyGame;
use crate::game::solvers::SolverSpec;
use crate::{Method, SolveOptions};

/// Whether a solver supports a request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Serves {
    /// Yes, and it is tried before the others.
    First,
    /// Yes, and it is tried in the order of the table.
    Yes,
    /// Yes, and it is tried after the others.
    Last,
    /// No.
    No,
}

/// A method, and what it supports. Every method supports all values on one machine.
struct Row {
    method: Method,
    /// Values up to a number of turns ([`SolveOptions::phases`]).
    horizon: Serves,
    /// Only outcomes ([`SolveOptions::outcome_only`]).
    outcomes: Serves,
    /// Only occurring positions ([`SolveOptions::occurring_only`]).
    occurring: Serves,
    /// Games in which a player can move several times in a row ([`Game::seat`]).
    again: Serves,
    /// All values with several processes.
    #[cfg(feature = "cluster")]
    together: Serves,
    /// Values up to a number of turns with several processes.
    #[cfg(feature = "cluster")]
    together_horizon: Serves,
    /// Only occurring positions with several processes.
    #[cfg(feature = "cluster")]
    together_occurring: Serves,
}

const fn row(method: Method, alone: [Serves; 4], together: [Serves; 3]) -> Row {
    let [horizon, outcomes, occurring, again] = alone;
    #[cfg(not(feature = "cluster"))]
    let _ = together;
    Row {
        method,
        horizon,
        outcomes,
        occurring,
        again,
        #[cfg(feature = "cluster")]
        together: together[0],
        #[cfg(feature = "cluster")]
        together_horizon: together[1],
        #[cfg(feature = "cluster")]
        together_occurring: together[2],
    }
}

use Serves::{First, Last, No, Yes};

/// Fast methods come before slow ones. The last one solves only some positions, for games with too
/// many indices. Outcomes of one bit are the fastest if they suffice. Several processes use the
/// plain methods: methods that fill share the graded solver, which ignores a horizon, so solving
/// backwards comes first if it can end early.
#[rustfmt::skip]
const PREFERENCE: &[Row] = &[
    //                         up to a                       moves  |  together:
    //                         horizon   outcomes   occurring  again |  all      horizon  occurring
    row(Method::Fill,         [Yes,      Yes,       No,        No],    [Yes,     Last,    No]),
    row(Method::FillOutcomes, [No,       First,     No,        No],    [Yes,     No,      No]),
    row(Method::Graded,       [Yes,      Yes,       No,        Yes],   [First,   First,   No]),
    row(Method::Phases,       [Yes,      Yes,       No,        No],    [No,      No,      No]),
    row(Method::Planes,       [Yes,      Yes,       No,        No],    [No,      No,      No]),
    row(Method::Retrograde,   [Yes,      Yes,       No,        Yes],   [Last,    Yes,     No]),
    row(Method::Reachable,    [No,       No,        Yes,       Yes],   [Last,    No,      Yes]),
];

impl Row {
    /// Whether it supports a request on one machine.
    fn serves(&self, options: &SolveOptions, has_seats: bool) -> Serves {
        let asked = [
            (options.phases.is_some(), self.horizon),
            (options.outcome_only, self.outcomes),
            (options.occurring_only, self.occurring),
            (has_seats, self.again),
        ];
        let asked = asked.into_iter().filter_map(|(asked, serves)| asked.then_some(serves));
        if asked.clone().any(|serves| serves == No) { No } else { asked.min().unwrap_or(Yes) }
    }

    /// Whether it supports a request with several processes.
    #[cfg(feature = "cluster")]
    fn serves_together(&self, options: &SolveOptions) -> Serves {
        match options {
            SolveOptions { outcome_only: true, .. } if self.outcomes == No => No,
            SolveOptions { occurring_only: true, outcome_only: true, .. } => No,
            SolveOptions { occurring_only: true, phases: Some(_), .. } => No,
            SolveOptions { occurring_only: true, .. } => self.together_occurring,
            SolveOptions { phases: Some(_), .. } => self.together_horizon,
            _ => self.together,
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
    solvers.retain(|spec| spec.applies);
    solvers.retain(|spec| options.occurring_only || !spec.only_if_asked);
    if !options.in_memory {
        // It writes no table: the game has an archive.
        solvers.retain(|spec| spec.method != Method::Planes);
    } else {
        let whole = |spec: &SolverSpec| spec.keeps_turns && spec.method != Method::Reachable;
        solvers.retain(|spec| spec.archive().is_none() && whole(spec));
    }
    solvers
}

/// The solvers that support the options with several processes, best first.
#[cfg(feature = "cluster")]
pub(crate) fn suitable_together<'a>(entry: &'a AnyGame, options: &SolveOptions) -> Vec<&'a SolverSpec> {
    by_preference(entry, |row| row.serves_together(options))
}

//! Requests of programs, each declared once for all interfaces.
//!
//! The file of a request has its [`Route`], the answer and the code that finds it, mostly a method of
//! [`OpenGame`](crate::OpenGame). [`ROUTES`] lists their paths and parameters: the server derives its routes
//! and API description from it, and self-contained pages look up requests there. The command line calls the
//! methods and prints their answers with `--json`.
//!
//! ```
//! use retrograde_explore::{ROUTES, RequestLimits};
//!
//! let find = ROUTES.iter().find(|route| route.path == "find").expect("there is such a route");
//! let query = |outcome: &str| vec![("outcome".to_owned(), outcome.to_owned())];
//! assert!(find.request(&query("win"), b"", &RequestLimits::default()).is_ok());
//! let refused = find.request(&query("victory"), b"", &RequestLimits::default()).err().unwrap();
//! assert_eq!(&*refused.detail, "`outcome` must be `win`, `loss` or `draw`, not victory");
//! ```

pub(crate) mod annotate;
pub(crate) mod catalogue;
pub(crate) mod fields;
pub(crate) mod find;
pub(crate) mod line;
pub(crate) mod only_turns;
mod order;
pub(crate) mod pressure;
pub(crate) mod probe;
pub(crate) mod problem;
pub(crate) mod puzzle_depths;
pub(crate) mod puzzles;
mod refusal;
pub(crate) mod route;
pub(crate) mod rules;
pub(crate) mod statistics;
pub(crate) mod steps;
pub(crate) mod view;

pub(crate) use annotate::{AnnotatedGame, PlayedGame};
pub(crate) use find::FoundList;
pub(crate) use probe::{Batch, BatchAnswer};
pub(crate) use puzzle_depths::PuzzleDepths;
pub(crate) use puzzles::PuzzleList;
pub(crate) use refusal::Refusal;

/// Every request that has a path, relative to the path of a game.
pub const ROUTES: &[route::Route] = &[
    rules::ROUTE,
    statistics::ROUTE,
    probe::ROUTE,
    probe::ROUTE_IN_PATH,
    probe::BATCH_ROUTE,
    pressure::ROUTE,
    steps::ROUTE,
    refusal::ROUTE,
    line::ROUTE,
    find::ROUTE,
    puzzles::ROUTE,
    puzzle_depths::ROUTE,
    annotate::ROUTE,
    view::ROUTE,
];

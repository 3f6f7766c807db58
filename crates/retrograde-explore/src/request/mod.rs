//! Requests of programs, each declared once for all interfaces.
//!
//! A request is a type with its answer in one file: [`Request::read`] parses it and
//! [`Request::answer`] answers it. [`ROUTES`] lists their paths and parameters: the server derives
//! its routes and API description from it, and self-contained pages look up requests there. The
//! command line builds the same requests from its arguments and prints their answers with `--json`.
//!
//! ```
//! use retrograde_explore::request::{ROUTES, RequestLimits};
//!
//! let find = ROUTES.iter().find(|route| route.path == "find").expect("there is such a route");
//! let query = |outcome: &str| vec![("outcome".to_owned(), outcome.to_owned())];
//! assert!(find.request(&query("win"), b"", &RequestLimits::default()).is_ok());
//! let refused = find.request(&query("victory"), b"", &RequestLimits::default()).err().unwrap();
//! assert_eq!(&*refused.detail, "`outcome` must be `win`, `loss` or `draw`, not victory");
//! ```

pub(crate) mod annotate;
mod catalogue;
mod fields;
pub(crate) mod find;
pub(crate) mod line;
pub(crate) mod only_turns;
mod order;
pub(crate) mod pressure;
pub(crate) mod probe;
mod problem;
pub(crate) mod puzzle_depths;
pub(crate) mod puzzles;
mod refusal;
mod route;
mod rules;
pub(crate) mod statistics;
pub(crate) mod steps;
pub(crate) mod view;

pub use annotate::{AnnotateRequest, AnnotatedGame};
pub use catalogue::{GameAnswer, GameList, GameSummary};
pub use fields::{Fields, Param, ParamKind, RequestLimits};
pub use find::{FindRequest, FoundList};
pub use line::LineRequest;
pub use order::Order;
pub use pressure::PressureRequest;
pub use probe::ProbeRequest;
pub(crate) use probe::{BatchAnswer, BatchRequest};
pub use problem::{Problem, Unexpected};
pub(crate) use puzzle_depths::PuzzleDepths;
pub use puzzles::{PuzzleList, PuzzlesRequest};
pub use refusal::Refusal;
pub use route::{AnyRequest, Host, Reply, Request, Route, read};
pub use rules::{Rules, RulesExample, RulesRequest};
pub use steps::StepsRequest;

/// Every request that has a path, relative to the path of a game.
pub const ROUTES: &[Route] = &[
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

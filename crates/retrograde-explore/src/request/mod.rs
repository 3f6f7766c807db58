//! Requests: the questions that programs ask, each declared once for every way of asking.
//!
//! A request is a type with its answer in one file: [`Request::read`] reads it from texts,
//! [`Request::answer`] answers it. [`ROUTES`] says how each is asked: the server makes its paths
//! and its description of them from that table, and the page that stands alone looks its questions
//! up there. The command line builds the same requests from its arguments, and prints their answers
//! with `--json`.
//!
//! ```
//! use retrograde_explore::request::{ROUTES, RequestLimits};
//!
//! let find = ROUTES.iter().find(|route| route.path == "find").expect("there is such a route");
//! let query = |outcome: &str| vec![("outcome".to_owned(), outcome.to_owned())];
//! assert!(find.request(&query("win"), b"", &RequestLimits::default()).is_ok());
//! let refused = find.request(&query("victory"), b"", &RequestLimits::default()).err().unwrap();
//! assert_eq!(&*refused.detail, "`outcome` is `win`, `loss` or `draw`, found victory");
//! ```

mod annotate;
mod catalogue;
mod fields;
mod find;
mod line;
mod order;
mod pressure;
mod probe;
mod problem;
mod puzzle_depths;
mod puzzles;
mod refusal;
mod route;
mod rules;
mod statistics;
mod steps;
mod view;

pub use annotate::{AnnotateRequest, AnnotatedGame};
pub use catalogue::{GameAnswer, GameList, GameSummary};
pub use fields::{Fields, Param, ParamKind, RequestLimits};
pub use find::{FindRequest, FoundList};
pub use line::LineRequest;
pub use order::Order;
pub use pressure::PressureRequest;
pub use probe::{BatchAnswer, BatchItem, BatchRequest, ProbeRequest};
pub use problem::{Problem, Unexpected};
pub use puzzle_depths::{PuzzleDepths, PuzzleDepthsRequest};
pub use puzzles::{PuzzleList, PuzzlesRequest};
pub use refusal::{Refusal, RefusalRequest};
pub use route::{AnyRequest, Host, HttpMethod, Reply, Request, Route, read};
pub use rules::{Rules, RulesExample, RulesRequest};
pub use statistics::StatisticsRequest;
pub use steps::StepsRequest;
pub use view::{Shown, ViewRequest};

/// Every request that can be asked by a path, below that of a game.
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

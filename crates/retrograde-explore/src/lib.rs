//! Queries about a solved game: values of all turns, best lines, statistics, puzzles, verification.
//!
//! An [`Entry`] lists the capabilities of a typed game and builds an [`AnyGame`] from it, which has
//! no type parameters. A [`Registry`] finds games by name. An [`OpenGame`] is a game with its
//! table, and the queries are its methods; they are compiled once, not for each game.
//!
//! The modules, each of which uses only those before it: `answer` (types that several answers share),
//! `store` (lookup by index), `game` (the builder, type-erased rules, the registry, an open game), `query`
//! (values of positions and turns, and queries that are not requests), `request` (requests of programs, one
//! per file, with their answers), and then `solve`, `verify` and `export`.
//!
//! ```
//! use retrograde_explore::{Entry, Family, Loader, Registry, Resources, SearchLimits, SolveOptions};
//! use retrograde_game::Seat;
//! use retrograde_solve::Silent;
//! use retrograde_tactics::Tactics;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // `Tactics` implements `Game`, `Dense` and `Show`, among others.
//! let registry = Registry::new().with(Family::new("tactics", "Who fills the last square loses.", |spec, _| {
//!     Ok(Entry::new(Tactics::from_spec(spec)?, "Fill up to three squares.").retrograde().build())
//! }));
//!
//! let tactics = registry.find("tactics:3x3,line=3", &Loader::none())?;
//! # let tables = tempfile::tempdir()?;
//! # let tables = tables.path();
//! let solved = tactics.solve(tables, &SolveOptions::default(), &Silent)?;
//! let explore = tactics.explore(tables)?;
//! let probe = explore.probe(&explore.start(), Seat::First, &SearchLimits::default())?;
//! assert_eq!(probe.position.verdict, solved.start);
//! assert_eq!(probe.turns_available[0].verdict, solved.start, "the best turn is the first");
//! assert!(explore.verify(None, &Resources::new(1, None, &Silent))?.proved);
//! # Ok(())
//! # }
//! ```

mod answer;
mod answer_threads;
mod back_up;
mod bounds;
pub mod conformance;
mod error;
pub mod export;
mod game;
mod long_work;
mod machine;
mod query;
mod request;
pub mod schema;
mod solve;
mod sorting;
mod store;
#[cfg(test)]
mod testing;
mod verify;

pub use answer::{
    about::About,
    page::{GivenPage, ListPage},
    plan::{ClusterPlan, Method, Plan, SolveOptions},
    player::Player,
    reachable::Reachable,
    search_limits::SearchLimits,
    shades::{LevelOfShades, ShadeOfDraw, ShadeStatistics},
    statistics::{AllPositions, Phase, SolveResult, Statistics},
    value::{Known, Source, ValuedPosition, Verdict},
    verification::{Findings, Verification},
};
pub use answer_threads::set_answer_threads;
pub use bounds::Bounds;
pub use error::Error;
pub use game::{
    any_game::AnyGame,
    archive_solver::{ArchiveJob, ArchiveSolver, ResourceEstimate},
    entry::Entry,
    numbering::{Number, Numbering, ValueLookup},
    open::OpenGame,
    registry::{Family, Loader, Registry},
    rules::Position,
    shelf::Shelf,
    table_folders::TableFolders,
};
pub use long_work::{LONG_WORK, Resources};
pub use machine::{allow_memory, allowed_memory, bytes_apart, free_disk, usable_memory, usable_threads};
pub use query::{
    batch::Positions,
    certificate::{Certificate, Growth},
    numbers::NumberedPosition,
    read_turns::{Coordinates, read_turn, read_turns, turn_on_board},
    rows::{Row, RowShape},
    scenes::Scene,
};
pub use request::{
    ROUTES,
    annotate::Annotation,
    catalogue::{GameAnswer, GameList, GameSummary},
    fields::{Fields, Param, ParamKind, RequestLimits},
    find::{FindQuery, Found},
    line::{Line, LineStep},
    only_turns::OnlyTurns,
    pressure::{HoldingTurn, Pressure, TurnsByOutcome},
    probe::{Probe, TurnValue},
    problem::{Problem, Unexpected},
    puzzles::{Puzzle, PuzzleKind, PuzzleQuery, PuzzleTurns},
    route::{Host, Question, Reply, Route},
    rules::{Rules, RulesExample},
    steps::{StepValue, Steps},
};
pub use retrograde_table::{ByTurns, Count};
pub use store::value_store::{BulkValues, Candidates, StoreFacts, StoreKind, ValueStore, Visit};

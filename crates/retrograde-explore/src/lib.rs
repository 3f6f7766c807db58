//! Queries about a solved game: values of all turns, best lines, statistics, puzzles, verification.
//!
//! An [`Entry`] lists the capabilities of a typed game and builds an [`AnyGame`] from it, which has
//! no type parameters. A [`Registry`] finds games by name. An [`OpenGame`] is a game with its
//! table, and the queries are its methods; they are compiled once, not for each game.
//!
//! The modules, each of which uses only those before it: `answer` (types of answers), `store`
//! (lookup by index), `game` (the builder, type-erased rules, the registry, an open game), `query`
//! (one file per query), and then `solve`, `verify` and `export`. [`request`] is on top: it parses
//! requests.
//!
//! ```
//! use std::time::Duration;
//! # mod game {
//! #     use retrograde_game::*;
//! #     pub struct Nim(pub u64);
//! #     impl Game for Nim {
//! #         type Position = u64;
//! #         type Turn = u64;
//! #         const RULES_VERSION: u32 = 1;
//! #         fn name(&self) -> String { format!("nim,sticks={}", self.0) }
//! #         fn position_count(&self) -> u128 { u128::from(self.0) + 1 }
//! #         fn start(&self) -> u64 { self.0 }
//! #         fn result(&self, position: &u64) -> Option<Outcome> {
//! #             (*position == 0).then_some(Outcome::Loss)
//! #         }
//! #         fn turns(&self, position: &u64) -> Vec<(u64, u64)> {
//! #             (1..=3.min(*position)).map(|take| (take, position - take)).collect()
//! #         }
//! #         fn play(&self, position: &u64, turn: &u64) -> u64 { position - turn }
//! #         fn parse_position(&self, text: &str) -> Result<u64, TextError> {
//! #             text.parse().map_err(|_| TextError::unexpected("position", text, 0, "a number"))
//! #         }
//! #         fn position_text(&self, position: &u64) -> String { position.to_string() }
//! #         fn parse_turn(&self, _: &u64, text: &str) -> Result<u64, TextError> {
//! #             text.parse().map_err(|_| TextError::unexpected("turn", text, 0, "a number"))
//! #         }
//! #         fn turn_text(&self, _: &u64, turn: &u64) -> String { turn.to_string() }
//! #     }
//! #     impl Dense for Nim {
//! #         const INDEX_VERSION: u32 = 1;
//! #         fn index_count(&self) -> u128 { u128::from(self.0) + 1 }
//! #         fn index(&self, position: &u64) -> Option<Index> { Some(Index(*position)) }
//! #         fn position(&self, index: Index) -> Option<u64> { (index.0 <= self.0).then_some(index.0) }
//! #     }
//! #     impl Show for Nim {
//! #         fn picture(&self, _: &u64, seat: Seat) -> Picture { Picture::grid(self.0 as u16, 1, seat) }
//! #         fn marks(&self, _: &u64, _: &u64, _: Seat) -> Vec<Mark> { Vec::new() }
//! #         fn board_text(&self, position: &u64, _: Seat) -> String { position.to_string() }
//! #         fn turn_on_board(&self, _: &u64, turn: &u64, _: Seat) -> String { turn.to_string() }
//! #         fn plane_names(&self) -> Vec<&'static str> { vec!["sticks"] }
//! #         fn plane_shape(&self) -> (usize, usize) { (1, self.0 as usize) }
//! #         fn planes(&self, position: &u64, out: &mut [u8]) {
//! #             out.iter_mut().enumerate().for_each(|(at, out)| *out = u8::from(at < *position as usize));
//! #         }
//! #     }
//! # }
//! # use game::Nim;
//! use retrograde_explore::{Entry, Family, Loader, Registry, Resources, SearchLimits, SolveOptions};
//! use retrograde_game::Seat;
//! use retrograde_solve::Silent;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // `Nim` takes one to three sticks; it implements `Game`, `Dense` and `Show`.
//! let registry = Registry::new().with(Family::new("nim", "Who takes the last stick wins.", |mut spec, _| {
//!     let sticks = spec.take_number("sticks", 1..=1000)?.unwrap_or(21);
//!     spec.finish(&["sticks"])?;
//!     Ok(Entry::new(Nim(sticks.into()), "Take one to three sticks.").retrograde().build())
//! }));
//!
//! let nim = registry.find("nim,sticks=10", &Loader::none())?;
//! # let tables = tempfile::tempdir()?;
//! # let tables = tables.path();
//! let solved = nim.solve(tables, &SolveOptions::default(), &Silent)?;
//! assert_eq!((solved.start.outcome, solved.start.turns), ("win", Some(5)));
//!
//! let explore = nim.explore(tables)?;
//! let probe = explore.probe("10", Seat::First, &SearchLimits::default())?;
//! assert_eq!(probe.turns_available[0].turn, "2");
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
pub mod request;
mod resources;
pub mod schema;
mod solve;
mod sorting;
mod store;
#[cfg(test)]
mod testing;
mod verify;

pub use answer::{
    about::About,
    known::Known,
    page::{GivenPage, ListPage},
    plan::{ClusterPlan, Method, Plan, SolveOptions},
    reachable::Reachable,
    search_limits::SearchLimits,
    statistics::{AllPositions, Phase, SolveResult, Statistics},
    value::{Source, Verdict},
    valued_position::ValuedPosition,
    verification::{Findings, Verification},
};
pub use answer_threads::set_answer_threads;
pub use bounds::Bounds;
pub use error::Error;
pub use game::any_game::AnyGame;
pub use game::archive_solver::{ArchiveJob, ArchiveSolver, ResourceEstimate};
pub use game::entry::Entry;
pub use game::numbering::{Number, Numbering, ValueLookup};
pub use game::open::{OpenGame, Visit};
pub use game::registry::{Family, Loader, Registry};
pub use game::rules::Position;
pub use game::shelf::Shelf;
pub use game::table_folders::TableFolders;
pub use long_work::LONG_WORK;
pub use machine::{allow_memory, allowed_memory, bytes_apart, free_disk, usable_memory, usable_threads};
pub use query::{
    batch::Positions,
    certificate::{Certificate, Growth},
    numbers::NumberedPosition,
    only_turns::OnlyTurns,
    read_turns::{Coordinates, read_turn, read_turn_on_board, read_turns, turn_on_board},
    rows::{Row, RowShape},
    scenes::Scene,
    shades::{LevelOfShades, ShadeOfDraw, ShadeStatistics},
};
pub use request::{
    annotate::Annotation,
    find::{FindQuery, Found},
    line::{Line, LineStep},
    pressure::{HoldingTurn, Pressure, TurnsByOutcome},
    probe::{Probe, TurnValue},
    puzzles::{Puzzle, PuzzleKind, PuzzleTurns},
    steps::{StepValue, Steps},
};
pub use resources::Resources;
pub use retrograde_table::{ByTurns, Count};
pub use solve::leftovers::has_saved_work;
pub use store::codes::CodeSource;
pub use store::value_store::{
    BulkValues, Candidates, FileCheck, StoreKind, ValueStore, VisitIndex, VisitValue,
};

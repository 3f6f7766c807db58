//! Answers, without the types of a game: numbers, verdicts, texts. They are also the JSON that
//! programs get, so names and order of fields are part of the interface, and tests pin them.

mod about;
mod annotation;
mod certificate;
mod find;
mod known;
mod line;
mod number;
mod occurring;
mod page;
mod plan;
mod positions;
mod pressure;
mod probe;
mod puzzle;
mod row;
mod scene;
mod shades;
mod statistics;
mod steps;
mod value;
mod valued_position;
mod verification;
pub(crate) mod words;

pub use about::About;
pub use annotation::Annotation;
pub use certificate::{Certificate, Growth};
pub use find::{FindQuery, Found};
pub use known::Known;
pub use line::{Line, LineStep};
pub use number::NumberedPosition;
pub use occurring::Occurring;
pub use page::{GivenPage, ListPage};
pub use plan::{ClusterPlan, Method, Plan, SolveOptions};
pub use positions::Positions;
pub use pressure::{HoldingTurn, Pressure, TurnsByOutcome};
pub use probe::{Probe, SearchLimits, TurnValue};
pub use puzzle::{Puzzle, PuzzleKind};
pub use row::{Row, RowShape};
pub use scene::Scene;
pub use shades::{LevelOfShades, ShadeOfDraw, ShadeStatistics};
pub use statistics::{AllPositions, ByTurns, Phase, SolveResult, Statistics};
pub use steps::{StepValue, Steps};
pub use value::{Count, Source, Verdict};
pub use valued_position::ValuedPosition;
pub use verification::{Findings, Verification};

//! The solvers: how a process decides the positions that it owns, with the help of the others, and
//! how all scores come to process 0 in the end.

mod finish;
mod graded;
mod job;
mod lookup;
mod occurring;
mod redistribute;
mod resume;
mod retrograde;
mod run;
mod save;
mod sink;

pub use graded::{GRADED_BYTES, graded};
pub use job::ClusterJob;
pub use occurring::{
    CollectedOccurring, OCCURRING_BYTES, OCCURRING_REPEATING_BYTES, OccurringSink, OccurringTotals,
    occurring, occurring_repeating,
};
#[cfg(feature = "fuzzing")]
pub(crate) use occurring::{keys_by_grade, take_positions};
pub use retrograde::{RETROGRADE_BYTES, retrograde, retrograde_by_predecessors};
pub use sink::{CollectedScores, ScoreSink, ScoreTotals};

//! Only what occurs, on a cluster: the sorted codes of [`retrograde_solve::reachable`], of which every
//! process owns a share. Games that cannot repeat go grade by grade, as told here, and others turn by
//! turn ([`repeating`]).
//!
//! A position belongs to the process that its key says ([`owners`]); with symmetries the position
//! that stands for its images has the key. Grades are gathered from the highest down: all processes
//! list the successors of their positions of a grade and send each to its owner. Then grades are
//! solved from the lowest up: each successor's owner is asked for its score. In the end every process
//! numbers its positions, and process 0 gets all of them in the order of their numbers.
//!
//! All processes are at the same grade at any time, so what was saved is a whole state, from which
//! other processes can go on.

mod gather;
mod hand_over;
mod messages;
mod owners;
mod repeating;
mod run;
mod saved;
mod settle;
mod sink;

use retrograde_solve::reachable::{Batches, Numbers};

#[cfg(feature = "fuzzing")]
pub(crate) use hand_over::take_positions;
#[cfg(feature = "fuzzing")]
pub(crate) use messages::keys_by_grade;
pub use repeating::occurring_repeating;
pub use run::{OCCURRING_BYTES, OCCURRING_REPEATING_BYTES};
pub use sink::{CollectedOccurring, OccurringSink, OccurringTotals};

use super::job::ClusterJob;
use crate::error::ClusterError;
use crate::session::Session;
use run::OccurringRun;

/// Solves what occurs from the start of a game that cannot repeat, together with all other
/// processes, and hands all positions by number to `sink` at process 0. `job.horizon` and
/// `job.block_bits` are not used.
///
/// # Errors
/// If a share does not fit the memory, it is stopped, a game takes more than 32,765 turns or breaks a
/// promise, a checkpoint fails, the sink, or a process.
pub fn occurring(
    game: &dyn Batches,
    numbers: Numbers<'_>,
    session: &mut Session,
    job: &mut ClusterJob<'_>,
    sink: &mut dyn OccurringSink,
) -> Result<(), ClusterError> {
    let mut run = OccurringRun::new(game, session, job)?;
    if !run.resume()? {
        run.begin()?;
    }
    run.gather()?;
    run.settle()?;
    run.hand_over(numbers, sink)
}

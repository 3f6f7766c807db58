//! Solvers that several processes share: each owns some of the positions, works on them, and exchanges
//! messages with the others in rounds ([`crate::Exchange`]). The result does not depend on the number of
//! processes, on their threads, or on the order in which anything arrives; a sink at process 0 receives
//! the scores that one process alone finds, in the order of indices.
//!
//! The positions are those of a dense numbering, dealt in blocks ([`Partition`]), or those that occur,
//! dealt by their keys. Games that cannot repeat go by grade: positions ask the owners of their
//! successors for scores ([`ask`]). Games that can repeat go turn by turn ([`back`]): positions tell the
//! owners of their predecessors what they are ([`send`]).

mod ask;
mod back;
mod dense;
mod finish;
mod graded;
mod hand_over;
mod job;
mod keys;
mod occurring;
mod open;
mod owners;
mod partition;
mod repeating;
mod retrograde;
mod saved;
mod send;
mod sink;
mod team;
mod words;

pub use graded::{GRADED_BYTES, graded};
pub use job::{DividePiece, SavePiece, SavedAt, SharedCheckpoint, SharedJob};
pub(crate) use occurring::solve_alone;
pub use occurring::{OCCURRING_BYTES, occurring};
pub use partition::Partition;
pub(crate) use repeating::gather_alone;
pub use repeating::{OCCURRING_REPEATING_BYTES, occurring_repeating};
pub use retrograde::{RETROGRADE_BYTES, retrograde, retrograde_by_predecessors};
pub use sink::{
    CollectedOccurring, CollectedScores, OccurringSink, OccurringTotals, ScoreSink, ScoreTotals, SinkError,
};

/// Reads untrusted bytes as all that processes send and save, for `fuzz/`.
#[doc(hidden)]
pub fn take_apart(bytes: &[u8]) {
    words::take_apart(bytes);
    dense::take_apart(bytes);
    let mut positions = Vec::new();
    let _ = hand_over::take_positions(bytes, &mut positions);
    assert!(positions.is_sorted_by_key(|(number, _)| *number));
    if let Some(piece) = saved::read_piece(bytes) {
        assert_eq!(saved::piece_bytes(&piece), bytes);
    }
}

//! Solvers that run on several processes. Each process owns some of the positions, works on them, and
//! exchanges messages with the others in rounds ([`crate::Exchange`]). The result does not depend on the
//! number of processes, their threads, or the order in which messages arrive: the sink at process 0
//! receives the scores that a single process would find, in the order of indices.
//!
//! A dense numbering is partitioned into blocks ([`Partition`]); reachable positions are partitioned by
//! key. Games that cannot repeat are solved by grade: the owner of a position asks the owners of its
//! successors for their scores (module `ask`), unless all processes hold all scores (module `copies`). Games that can repeat are solved turn by turn (module `back`): the
//! owner of a decided position notifies the owners of its predecessors (module `send`).

mod ask;
mod back;
mod copies;
mod dense;
mod finish;
mod graded;
mod hand_over;
mod job;
mod keys;
mod open;
mod owners;
mod partition;
mod reachable;
mod repeating;
mod retrograde;
mod saved;
mod send;
mod sink;
mod team;
mod words;

pub use graded::{GRADED_BYTES, graded};
pub use job::{DividePiece, SavePiece, SavedAt, SharedCheckpoint, SharedJob};
pub use partition::Partition;
pub use reachable::{REACHABLE_BYTES, reachable, solve_alone};
pub use repeating::REACHABLE_REPEATING_BYTES;
pub(crate) use repeating::gather_alone;
pub use retrograde::{RETROGRADE_BYTES, retrograde};
pub use sink::{
    CollectedReachable, CollectedScores, ReachableSink, ReachableTotals, ScoreSink, ScoreTotals, SinkError,
};

/// Parses untrusted bytes as everything that processes send or save, for `fuzz/`.
#[doc(hidden)]
pub fn parse_untrusted(bytes: &[u8]) {
    words::parse_untrusted(bytes);
    dense::parse_untrusted(bytes);
    let mut positions = Vec::new();
    let _ = hand_over::take_positions(bytes, &mut positions);
    assert!(positions.is_sorted_by_key(|(number, _)| *number));
    if let Some(piece) = saved::read_piece(bytes) {
        assert_eq!(saved::piece_bytes(&piece), bytes);
    }
}

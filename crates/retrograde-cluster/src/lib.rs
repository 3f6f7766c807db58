//! The solvers of Retrograde on several machines, over [timely dataflow](timely).
//!
//! Positions are partitioned among the processes in blocks ([`Partition`]). A solve goes in rounds:
//! every process works on its own positions, and then all exchange messages, a bounded amount each
//! time, packed into a byte or two a message. The engine's progress tracking says when a round is
//! over. The result does not depend on the number of processes, on their threads, or on the order
//! in which anything arrives; a [`ScoreSink`] at process 0 gets the scores that the solvers of one
//! machine ([`retrograde_solve`]) give, in the order of indices.
//!
//! Around the engine stand a handshake with a key ([`Key`]), a heartbeat that ends all processes
//! when one of them fails, and checkpoints ([`ClusterCheckpoint`]) from which any other number of
//! processes goes on.
//!
//! Here two processes are two threads with a socket between them; real ones begin with
//! [`Member::join`]:
//!
//! ```
//! # #[cfg(unix)] {
//! use retrograde_cluster::{CollectedScores, ClusterJob, Member, graded};
//! use retrograde_game::GameSpec;
//! use retrograde_solve::Silent;
//! use retrograde_tactics::Tactics;
//!
//! let game = Tactics::from_spec(GameSpec::parse("tactics:3x3").unwrap()).unwrap();
//! let members = Member::local(&[1, 2]).unwrap();
//! let scores: Vec<_> = std::thread::scope(|scope| {
//!     let running: Vec<_> = members
//!         .into_iter()
//!         .map(|member| {
//!             scope.spawn(|| {
//!                 let mut session = member.start()?;
//!                 let mut gathered = CollectedScores::default();
//!                 graded(&game, &mut session, &mut ClusterJob::new(1 << 20, &Silent), &mut gathered)?;
//!                 session.finish()?;
//!                 Ok::<_, retrograde_cluster::ClusterError>(gathered.scores())
//!             })
//!         })
//!         .collect();
//!     running.into_iter().map(|running| running.join().unwrap().unwrap()).collect()
//! });
//! assert_eq!(scores[0].as_ref().unwrap().len(), 512);
//! assert!(scores[1].is_none());
//! # }
//! ```

mod checkpoint;
mod error;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod join;
mod liveness;
mod partition;
mod session;
mod solve;
mod transport;

pub use checkpoint::ClusterCheckpoint;
pub use error::{ClusterError, SinkError};
pub use join::{Hosts, JoinOptions, Key, MAX_PROCESSES};
pub use partition::Partition;
pub use session::{Exchanged, Member, Session};
pub use solve::{
    ClusterJob, CollectedOccurring, CollectedScores, GRADED_BYTES, OCCURRING_BYTES,
    OCCURRING_REPEATING_BYTES, OccurringSink, OccurringTotals, RETROGRADE_BYTES, ScoreSink, ScoreTotals,
    graded, occurring, occurring_repeating, retrograde, retrograde_by_predecessors,
};

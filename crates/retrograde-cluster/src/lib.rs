//! Connects several processes, on one machine or on several, for the solvers of
//! [`retrograde_solve::together`], over [timely dataflow](timely).
//!
//! A [`Session`] exchanges messages in rounds; the engine's progress tracking ends a round. In addition,
//! there are a handshake with a key ([`Key`]), a heartbeat that ends all processes when one of them fails,
//! and checkpoints ([`ClusterCheckpoint`]) from which any number of processes can resume.
//!
//! In this example, two processes are two threads with a socket between them; real processes use
//! [`Member::join`]:
//!
//! ```
//! # #[cfg(unix)] {
//! use retrograde_cluster::{ClusterError, Member};
//! use retrograde_game::GameSpec;
//! use retrograde_solve::Silent;
//! use retrograde_solve::together::{CollectedScores, SharedJob, graded};
//! use retrograde_tactics::Tactics;
//!
//! let game = Tactics::from_spec(GameSpec::parse("tactics:3x3").unwrap()).unwrap();
//! let members = Member::local(&[1, 2]).unwrap();
//! let scores: Vec<_> = std::thread::scope(|scope| {
//!     let running: Vec<_> = members
//!         .into_iter()
//!         .map(|member| {
//!             scope.spawn(|| {
//!                 let mut session = member.start();
//!                 let mut gathered = CollectedScores::default();
//!                 graded(&game, &mut session, &mut SharedJob::new(1 << 20, &Silent), &mut gathered)?;
//!                 session.finish()?;
//!                 Ok::<_, ClusterError>(gathered.scores())
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
mod session;
mod transport;

pub use checkpoint::ClusterCheckpoint;
pub use error::ClusterError;
pub use join::{Hosts, JoinOptions, Key, MAX_PROCESSES};
pub use session::{Member, Session};

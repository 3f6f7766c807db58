//! A process's membership in a cluster: its connections, the engine, its threads, and its heartbeat.
//!
//! A [`Member`] can be moved to another thread. [`Member::start`] turns it into a [`Session`], which stays on
//! its thread like the engine's workers.

use std::sync::Arc;

use retrograde_solve::{Exchange, Piece, SolveError, Tally};
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::allocator::TcpBuilder;
use timely::communication::allocator::zero_copy::initialize::{
    CommsGuard, initialize_networking_from_sockets,
};
use timely::communication::allocator::{Allocator, ProcessBuilder};

use crate::error::ClusterError;
use crate::join::{Connections, JoinOptions, connect};
use crate::liveness::Heartbeat;
use crate::liveness::{FailureMonitor, Guarded, Link};
use crate::transport::Transport;

/// A process that has joined a cluster, before its session starts.
pub struct Member {
    builder: TcpBuilder,
    guard: CommsGuard,
    heartbeat: Option<Heartbeat>,
    monitor: Arc<FailureMonitor>,
    process: usize,
    threads: Vec<u32>,
}

/// The session of a process in a cluster.
pub struct Session {
    transport: Transport,
    threads: Vec<u32>,
    guard: CommsGuard,
    heartbeat: Option<Heartbeat>,
    monitor: Arc<FailureMonitor>,
    process: usize,
}

impl Member {
    /// Finds the other processes and agrees with them on what to solve, which `about` describes, one item per
    /// line.
    ///
    /// # Errors
    /// [`ClusterError::Connect`] if some process is missing or does not belong to the cluster.
    pub fn join(join: &JoinOptions, about: &str) -> Result<Member, ClusterError> {
        let about = format!(
            "retrograde-cluster {}\n{} processes\nsilence of {:?}\n{about}",
            env!("CARGO_PKG_VERSION"),
            join.hosts.count(),
            join.timeout
        );
        let Connections { rounds, threads, heartbeat, monitor, .. } = connect(join, &about)?;
        let names: Vec<String> = (0..join.hosts.count()).map(|process| join.name(process)).collect();
        let rounds = rounds.into_iter().map(|link| link.map(Link::Tcp)).collect();
        Member::with(rounds, &names, join.process, threads, monitor, Some(heartbeat))
            .map_err(|error| ClusterError::Connect(format!("the engine did not start: {error}")))
    }

    /// Creates the members of a cluster within this process, connected by local sockets and without a
    /// heartbeat, for tests and measurements. Process k has `threads[k]` threads.
    ///
    /// # Errors
    /// An I/O error.
    #[cfg(unix)]
    pub fn local(threads: &[u32]) -> std::io::Result<Vec<Member>> {
        use std::os::unix::net::UnixStream;
        let count = threads.len();
        let mut links: Vec<Vec<Option<Link>>> =
            threads.iter().map(|_| (0..count).map(|_| None).collect()).collect();
        for (a, b) in (0..count).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let (one, other) = UnixStream::pair()?;
            links[a][b] = Some(Link::Unix(one));
            links[b][a] = Some(Link::Unix(other));
        }
        let names: Vec<String> = (0..count).map(|process| format!("process {process}")).collect();
        // If one of them fails, all have failed.
        let monitor = Arc::new(FailureMonitor::default());
        let members = links.into_iter().enumerate().map(|(process, links)| {
            Member::with(links, &names, process, threads.to_vec(), Arc::clone(&monitor), None)
        });
        members.collect()
    }

    fn with(
        links: Vec<Option<Link>>,
        names: &[String],
        process: usize,
        threads: Vec<u32>,
        monitor: Arc<FailureMonitor>,
        heartbeat: Option<Heartbeat>,
    ) -> std::io::Result<Member> {
        let links = links.into_iter().zip(names);
        let links = links
            .map(|(link, name)| link.map(|link| Guarded::new(link, Arc::clone(&monitor), name)))
            .collect();
        let hooks = Hooks::default();
        let inner = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
        let (builders, guard) = initialize_networking_from_sockets(inner, links, process, 1, hooks)?;
        let missing = || std::io::Error::other("the engine returned no worker");
        let builder = builders.into_iter().next().ok_or_else(missing)?;
        Ok(Member { builder, guard, heartbeat, monitor, process, threads })
    }

    /// Starts the session on this thread.
    pub fn start(self) -> Session {
        let Member { builder, guard, heartbeat, monitor, process, threads } = self;
        let transport = Transport::new(Allocator::Tcp(builder.build()), Arc::clone(&monitor));
        Session { transport, threads, guard, heartbeat, monitor, process }
    }
}

/// All messages of a round are in the memory of their sender and of their receiver.
impl Exchange for Session {
    fn process(&self) -> usize {
        self.process
    }

    fn threads(&self) -> &[u32] {
        &self.threads
    }

    fn round(&mut self, send: Vec<Piece>, tally: Tally) -> Result<(Vec<Piece>, Tally), SolveError> {
        Ok(self.transport.exchange(send, tally)?)
    }
}

impl Session {
    /// Broadcasts the value of process 0. The values of the others are ignored.
    ///
    /// # Errors
    /// If another process has failed.
    pub fn broadcast_from_first(&mut self, word: bool) -> Result<bool, ClusterError> {
        let words = self.tell_all(&[u8::from(word)])?;
        Ok(words.first().is_some_and(|sent| sent == &[1]))
    }

    /// The number of bytes that this process has sent to and received from others.
    pub fn traffic(&self) -> (u64, u64) {
        self.monitor.traffic()
    }

    /// Ends together with all other processes, once each has called this. Process 0 calls it after the table
    /// is written, so a process that ends successfully has contributed to a table.
    ///
    /// # Errors
    /// If another process has failed.
    pub fn finish(self) -> Result<(), ClusterError> {
        let Session { transport, guard, heartbeat, monitor, .. } = self;
        if let Err(error) = transport.close() {
            std::mem::forget(guard);
            return Err(error);
        }
        if let Some(heartbeat) = heartbeat {
            heartbeat.bye();
        }
        if monitor.has_failed() {
            std::mem::forget(guard);
            return Err(monitor.error());
        }
        // All of its threads were notified and end.
        drop(guard);
        Ok(())
    }

    /// Ends because of a failure and reports the reason to the others. The engine's threads end with the
    /// process.
    pub fn fail(self, why: &str) {
        let Session { transport, guard, heartbeat, monitor, .. } = self;
        monitor.fail(why);
        if let Some(heartbeat) = heartbeat {
            heartbeat.fail(why);
        }
        std::mem::forget((transport, guard));
    }
}

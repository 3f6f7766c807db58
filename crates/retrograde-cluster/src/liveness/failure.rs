//! The failure of other processes, noted once. The engine has no heartbeat, and it panics where a
//! connection breaks. So every pair of processes has a second connection, on which each says now
//! and then that it is there, and says so when it fails or is done. A process that is killed,
//! stopped or cut off is silent or gone on that connection; then all others end within the stated
//! time and say whose fault it was.
//!
//! `heartbeat` looks after these connections; the heartbeat, the streams and the solver share the
//! monitor here.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;

use crate::error::{ClusterError, GOES_ON};

/// The first failure of any process, and the traffic of this one.
#[derive(Debug, Default)]
pub struct FailureMonitor {
    failed: AtomicBool,
    why: Mutex<Option<String>>,
    ending: AtomicBool,
    sent: AtomicU64,
    received: AtomicU64,
}

impl FailureMonitor {
    /// Notes a failure; only the first counts, for others follow from it. Says whether this was it.
    pub(crate) fn fail(&self, why: impl Into<String>) -> bool {
        let mut held = self.why.lock();
        let first = held.is_none();
        if first {
            // A process that passes on what another said has the end of its text already.
            *held = Some(why.into().trim_end_matches(GOES_ON).to_owned());
        }
        self.failed.store(true, Ordering::SeqCst);
        first
    }

    /// Whether some process has failed.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// The failed process, and the reason.
    pub(crate) fn why(&self) -> Option<String> {
        self.why.lock().clone()
    }

    /// The failure as an error.
    pub(crate) fn error(&self) -> ClusterError {
        ClusterError::Peer(self.why().unwrap_or_else(|| "the processes have parted".to_owned()))
    }

    /// All rounds are over; from now on a connection that ends is no failure.
    pub(crate) fn rounds_ended(&self) {
        self.ending.store(true, Ordering::SeqCst);
    }

    pub(crate) fn is_ending(&self) -> bool {
        self.ending.load(Ordering::SeqCst)
    }

    pub(crate) fn count_sent(&self, bytes: usize) {
        self.sent.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(crate) fn count_received(&self, bytes: usize) {
        self.received.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Bytes that this process has sent to and received from others.
    pub fn traffic(&self) -> (u64, u64) {
        (self.sent.load(Ordering::Relaxed), self.received.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_process_said_is_not_ended_twice() {
        let (first, second) = (FailureMonitor::default(), FailureMonitor::default());
        assert!(first.fail("process 2 is gone"));
        let said = first.error().to_string();
        assert!(second.fail(said.clone()));
        assert_eq!(second.error().to_string(), said);
        assert_eq!(said.matches("start all processes again").count(), 1, "{said}");
    }
}

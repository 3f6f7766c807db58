//! Records the first failure of any process. The engine has no heartbeat, and it panics if a connection
//! breaks. Every pair of processes therefore has a second connection, on which each regularly reports that it
//! is alive, and reports when it fails or finishes. A process that is killed, stopped or cut off becomes
//! silent on that connection; all others then end within the timeout and name it.
//!
//! The heartbeat, the streams and the solver share the monitor.

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
    /// Records a failure. Only the first one counts, because others follow from it. Returns whether this was
    /// the first.
    pub(crate) fn fail(&self, why: impl Into<String>) -> bool {
        let mut held = self.why.lock();
        let first = held.is_none();
        if first {
            // A relayed message already has this end.
            *held = Some(why.into().trim_end_matches(GOES_ON).to_owned());
        }
        self.failed.store(true, Ordering::SeqCst);
        first
    }

    /// Whether some process has failed.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// The failed process and the reason.
    pub(crate) fn why(&self) -> Option<String> {
        self.why.lock().clone()
    }

    /// The failure as an error.
    pub(crate) fn error(&self) -> ClusterError {
        ClusterError::Peer(self.why().unwrap_or_else(|| "the processes are no longer connected".to_owned()))
    }

    /// Marks all rounds as finished. Connections that end from now on are not failures.
    pub(crate) fn mark_rounds_ended(&self) {
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

    /// The number of bytes that this process has sent to and received from others.
    pub fn traffic(&self) -> (u64, u64) {
        (self.sent.load(Ordering::Relaxed), self.received.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_from_another_process_gets_the_advice_only_once() {
        let (first, second) = (FailureMonitor::default(), FailureMonitor::default());
        assert!(first.fail("process 2 is gone"));
        let message = first.error().to_string();
        assert!(second.fail(message.clone()));
        assert_eq!(second.error().to_string(), message);
        assert_eq!(message.matches("start all processes again").count(), 1, "{message}");
    }
}

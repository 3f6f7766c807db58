//! A game that takes as long to open as a test wants.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use retrograde_explore::{Family, Loader, Registry};

use super::registry;

/// Holds back the opening of games until it is opened itself.
#[derive(Default)]
pub struct Gate {
    open: Mutex<bool>,
    opened: Condvar,
    /// The openings that have begun.
    pub begun: AtomicUsize,
}

impl Gate {
    fn pass(&self) {
        self.begun.fetch_add(1, Ordering::AcqRel);
        let mut open = self.open.lock();
        while !*open {
            self.opened.wait(&mut open);
        }
    }
}

/// Opens the gate when it is dropped, also when a test fails.
pub struct Opener(pub Arc<Gate>);

impl Drop for Opener {
    fn drop(&mut self) {
        *self.0.open.lock() = true;
        self.0.opened.notify_all();
    }
}

/// The usual games, and `slow:WxH`, which opens once the gate does.
pub fn slow_registry(gate: &Arc<Gate>) -> Registry {
    let gate = Arc::clone(gate);
    registry().with(Family::new("slow", "a pencil game that takes its time", move |spec, _| {
        gate.pass();
        let (columns, rows) = spec.grid((4, 4), 16)?;
        spec.finish(&[])?;
        Ok(registry().find(&format!("tactics:{columns}x{rows}"), &Loader::none()).expect("a usual game"))
    }))
}

/// Waits until a condition holds.
pub async fn until(so: impl Fn() -> bool) {
    while !so() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

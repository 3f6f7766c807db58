//! A game that opens when a test allows it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use retrograde_explore::{Family, Loader, Registry};

use super::registry;

/// Blocks the opening of games until the gate is open.
#[derive(Default)]
pub struct Gate {
    open: Mutex<bool>,
    opened: Condvar,
    /// The number of openings that have begun.
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

/// Opens the gate on drop, even when a test fails.
pub struct Opener(pub Arc<Gate>);

impl Drop for Opener {
    fn drop(&mut self) {
        *self.0.open.lock() = true;
        self.0.opened.notify_all();
    }
}

/// The usual games, and `slow:WxH`, which opens with the gate.
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

//! Several processes solve one game at the same time: one works, and the others wait if asked to. Here they
//! are threads; the lock of a game works the same way between threads.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

use crate::common::{Graph, options};
use parking_lot::Mutex;
use retrograde_explore::{AnyGame, Entry, Error, SolveOptions, SolveResult};
use retrograde_solve::{Progress, Silent};
use retrograde_table::{GameLock, TableError};
use retrograde_testkit::tempdir;

fn graph() -> Graph {
    Graph::random(3, 60, false)
}

fn game() -> Arc<AnyGame> {
    Entry::new(graph(), "").predecessors().build()
}

/// Reports the stages of a solve. If `stops`, ends it while it waits.
struct Stages {
    sender: Mutex<Sender<String>>,
    stops: bool,
}

impl Progress for Stages {
    fn stage(&self, name: &str, _total: u64) {
        self.sender.lock().send(name.to_owned()).unwrap();
    }
    fn advance(&self, _units: u64) {}
    fn stopped(&self) -> bool {
        self.stops
    }
}

#[test]
fn a_solve_fails_or_waits_while_another_process_holds_the_lock() {
    let tables = tempdir().unwrap();
    let held = GameLock::acquire(tables.path(), &graph().name).unwrap();
    let refused = game().solve(tables.path(), &options(), &Silent);
    assert!(matches!(refused, Err(Error::Table(TableError::Locked { .. }))));

    let waiting = SolveOptions { wait: true, ..options() };
    let (sender, _stages) = channel();
    let stopped = game().solve(tables.path(), &waiting, &Stages { sender: sender.into(), stops: true });
    assert!(matches!(stopped, Err(Error::Stopped)));

    let (sender, stages) = channel();
    let listener = Stages { sender: sender.into(), stops: false };
    let solved = std::thread::scope(|scope| {
        let solving = scope.spawn(|| game().solve(tables.path(), &waiting, &listener).unwrap());
        assert_eq!(stages.recv().unwrap(), "waiting for another process");
        drop(held);
        solving.join().unwrap()
    });
    assert_eq!(solved.result, Some(SolveResult::Solved));
    assert!(solved.notes.iter().any(|note| note.contains("waited for")), "{:?}", solved.notes);
}

#[test]
fn of_many_concurrent_solves_one_does_the_work() {
    let tables = tempdir().unwrap();
    let waiting = SolveOptions { wait: true, ..options() };
    let mut results: Vec<_> = std::thread::scope(|scope| {
        let solve = || game().solve(tables.path(), &waiting, &Silent).unwrap().result;
        let running: Vec<_> = (0..6).map(|_| scope.spawn(solve)).collect();
        running.into_iter().map(|running| running.join().unwrap()).collect()
    });
    results.sort_by_key(|result| *result != Some(SolveResult::Solved));
    assert_eq!(results[0], Some(SolveResult::Solved));
    assert!(results[1..].iter().all(|result| *result == Some(SolveResult::AlreadySolved)), "{results:?}");
}

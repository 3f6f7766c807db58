//! Memory runs out: every large allocation fails once, for each way to solve, to open and to probe.
//!
//! For n = 0, 1, 2, … the n-th allocation above 64 KiB gives nothing, in a process of its own, until
//! there is no n-th. The process must end by itself: with an error of ours, or with the right
//! answer where it could do with less. A process that is aborted fails the test, which says where.

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use retrograde_explore::{AnyGame, Loader, SearchLimits, SolveOptions};
use retrograde_game::Seat;
use retrograde_solve::Silent;

/// Smaller allocations are those of every program: where they fail, nothing more can be said.
const LARGE: usize = 64 << 10;

/// Large allocations until one fails; below zero none fails.
static LEFT: AtomicI64 = AtomicI64::new(i64::MIN);

struct Failing;

impl Failing {
    /// Whether this allocation is the one.
    fn fails(size: usize) -> bool {
        if size <= LARGE || LEFT.load(Ordering::SeqCst) < 0 {
            return false;
        }
        if LEFT.fetch_sub(1, Ordering::SeqCst) != 0 {
            return false;
        }
        eprintln!("no {size} bytes for:\n{}", std::backtrace::Backtrace::force_capture());
        true
    }
}

// SAFETY: everything is left to the system's allocator, or fails as an allocator may.
unsafe impl GlobalAlloc for Failing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if Failing::fails(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promises are handed on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if Failing::fails(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > layout.size() && Failing::fails(size) {
            return std::ptr::null_mut();
        }
        // SAFETY: as above.
        unsafe { System.realloc(place, layout, size) }
    }
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Failing = Failing;

/// What is done: a name, a game, options.
const SCENARIOS: [(&str, &str); 6] = [
    ("solve", "tactics:5x4"),
    ("outcomes", "tactics:5x4"),
    ("solve", "touchdown:4x4"),
    ("occurring", "touchdown:4x4"),
    ("solve", "pushfight:mini,pushers=2,pawns=1"),
    ("probe", "touchdown:4x4"),
];

fn game(name: &str) -> Arc<dyn AnyGame> {
    Arc::from(retrograde_games::registry().find(name, &Loader::none()).unwrap())
}

fn solve(tables: &Path, what: &str, name: &str) -> Result<String, String> {
    let options = SolveOptions {
        threads: 1,
        memory: Some(1 << 30),
        outcome_only: what == "outcomes",
        occurring_only: what == "occurring",
        ..SolveOptions::default()
    };
    let solved = game(name).solve(tables, &options, &Silent);
    solved.map(|statistics| format!("{:?}", statistics.start)).map_err(|error| error.to_string())
}

fn probe(tables: &Path, name: &str) -> Result<String, String> {
    let game = game(name);
    let explore = game.explore(tables).map_err(|error| error.to_string())?;
    let probe = explore.probe(&explore.start(), Seat::First, &SearchLimits::default());
    probe.map(|probe| serde_json::to_string(&probe).unwrap()).map_err(|error| error.to_string())
}

/// What a process of its own does: the scenario, the folder, and which allocation fails.
#[test]
#[ignore = "the other test starts it"]
fn child() {
    let Ok(asked) = std::env::var("RETROGRADE_MEMORY") else { return };
    let [scenario, fails, tables] = asked.splitn(3, ' ').collect::<Vec<_>>().try_into().unwrap();
    let (what, name) = SCENARIOS[scenario.parse::<usize>().unwrap()];
    let tables = Path::new(tables);
    if what == "probe" {
        solve(tables, "solve", name).unwrap();
    }
    LEFT.store(fails.parse().unwrap(), Ordering::SeqCst);
    let ended = if what == "probe" { probe(tables, name) } else { solve(tables, what, name) };
    let fired = LEFT.swap(i64::MIN, Ordering::SeqCst) < 0;
    println!("ENDED {fired} {ended:?}");
}

#[test]
fn no_allocation_that_fails_aborts_anything() {
    let mut wrong = Vec::new();
    for (number, (what, name)) in SCENARIOS.iter().enumerate() {
        let mut right = None;
        let mut failed = 0;
        // The run without a fault comes first.
        for fails in -1_i64.. {
            let tables = tempfile::tempdir().unwrap();
            let child = Command::new(std::env::current_exe().unwrap())
                .args(["child", "--exact", "--ignored", "--nocapture", "--test-threads", "1"])
                .env("RETROGRADE_MEMORY", format!("{number} {fails} {}", tables.path().display()))
                .output()
                .unwrap();
            let (out, err) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
            let Some(ended) = out.lines().find_map(|line| line.split_once("ENDED ").map(|(_, rest)| rest))
            else {
                let place: Vec<&str> =
                    err.lines().filter(|line| line.contains("retrograde")).take(3).collect();
                wrong.push(format!("{what} {name}, allocation {fails}: {}: {place:#?}", child.status));
                failed += 1;
                continue;
            };
            let (fired, answer) = ended.split_once(' ').unwrap();
            if fails < 0 {
                assert!(answer.starts_with("Ok("), "{answer}");
                right = Some(answer.to_owned());
                continue;
            }
            if answer.starts_with("Ok(") {
                assert_eq!(Some(answer), right.as_deref(), "{what} {name}: another answer");
            }
            if fired == "false" {
                break;
            }
            failed += 1;
        }
        println!("{what} {name}: {failed} allocations failed");
        assert!(*what == "probe" || failed > 0, "{what} {name} has no large allocation");
    }
    assert!(wrong.is_empty(), "{} aborts:\n{}", wrong.len(), wrong.join("\n"));
}

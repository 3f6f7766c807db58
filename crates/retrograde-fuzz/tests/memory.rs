//! Simulates a lack of memory: every large allocation fails once, for each way to solve and to probe.
//!
//! For n = 0, 1, 2, … the n-th allocation above 64 KiB fails, in a separate process with the
//! program's allocator, until there is no n-th. The process must end normally: with one of our
//! errors, or with the right answer if it can do with less. Running it again with enough memory
//! must give the right answer. A process that is aborted fails the test.

use std::alloc::{GlobalAlloc, Layout};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use retrograde_explore::{AnyGame, Loader, SearchLimits, SolveOptions};
use retrograde_game::Seat;
use retrograde_pushfight_planes::{Retention, SolveConfig, solve_into};
use retrograde_solve::Silent;
use retrograde_solve::memory::Memory;
use retrograde_table::directory_name;
use retrograde_testkit::push_fight;

/// Every program makes smaller allocations.
const LARGE: usize = 64 << 10;

/// A size that no system can allocate.
const TOO_MUCH: usize = 1 << 62;

/// The number of large allocations before one fails; if it is negative, none fails.
static LEFT: AtomicI64 = AtomicI64::new(i64::MIN);

/// The program's allocator, which makes one request too large.
struct Failing;

impl Failing {
    fn asked(layout: Layout) -> Layout {
        let fails = layout.size() > LARGE
            && LEFT.load(Ordering::SeqCst) >= 0
            && LEFT.fetch_sub(1, Ordering::SeqCst) == 0;
        match Layout::from_size_align(TOO_MUCH, layout.align()) {
            Ok(too_much) if fails => too_much,
            _ => layout,
        }
    }
}

// SAFETY: all calls are forwarded to the program's allocator; a larger piece than requested is valid.
unsafe impl GlobalAlloc for Failing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        unsafe { Memory.alloc(Failing::asked(layout)) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the same.
        unsafe { Memory.alloc_zeroed(Failing::asked(layout)) }
    }
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let asked = match Layout::from_size_align(size, layout.align()) {
            Ok(wanted) if size > layout.size() => Failing::asked(wanted).size(),
            _ => size,
        };
        // SAFETY: the same.
        unsafe { Memory.realloc(place, layout, asked) }
    }
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the same.
        unsafe { Memory.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Failing = Failing;

/// All scenarios: a name, and a game with its options.
const SCENARIOS: [(&str, &str); 7] = [
    ("solve", "tactics:5x4"),
    ("outcomes", "tactics:5x4"),
    ("solve", "touchdown:4x4"),
    ("reachable", "touchdown:4x4"),
    ("solve", "pushfight:mini,pushers=2,pawns=1"),
    ("phases", "pushfight:mini,pawns=1"),
    ("probe", "touchdown:4x4"),
];

fn game(name: &str) -> Arc<AnyGame> {
    retrograde_games::registry().find(name, &Loader::none()).unwrap()
}

fn solve(tables: &Path, what: &str, name: &str) -> Result<String, String> {
    let options = SolveOptions {
        threads: 1,
        memory: Some(1 << 30),
        outcome_only: what == "outcomes",
        reachable_only: what == "reachable",
        ..SolveOptions::default()
    };
    let solved = game(name).solve(tables, &options, &Silent);
    solved.map(|statistics| format!("{:?}", statistics.start)).map_err(|error| error.to_string())
}

/// Solves by phases with a log in files, as large boards are solved.
fn solve_phases(tables: &Path, name: &str) -> Result<String, String> {
    let directory = tables.join(directory_name(name));
    std::fs::create_dir_all(&directory).unwrap();
    let config = SolveConfig { threads: 1, ..SolveConfig::default() };
    let retention = Retention { logs: false, wins: true };
    solve_into(&push_fight(name), &directory, &config, retention).map_err(|error| error.to_string())?;
    let game = game(name);
    let explore = game.explore(tables).map_err(|error| error.to_string())?;
    let statistics = explore.statistics().map_err(|error| error.to_string())?;
    Ok(format!("{:?} {:?}", statistics.wins, statistics.by_turns))
}

fn probe(tables: &Path, name: &str) -> Result<String, String> {
    let game = game(name);
    let explore = game.explore(tables).map_err(|error| error.to_string())?;
    let probe = explore.probe(&explore.start(), Seat::First, &SearchLimits::default());
    probe.map(|probe| serde_json::to_string(&probe).unwrap()).map_err(|error| error.to_string())
}

/// The work of the separate process. The environment names the scenario, the folder, and the
/// allocation that fails.
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
    let ended = match what {
        "probe" => probe(tables, name),
        "phases" => solve_phases(tables, name),
        _ => solve(tables, what, name),
    };
    let left = LEFT.swap(i64::MIN, Ordering::SeqCst);
    let fired = (i64::MIN / 2..0).contains(&left) && fails != "-1";
    println!("ENDED {fired} {ended:?}");
}

/// Runs a scenario in a separate process. Returns whether an allocation failed, and its answer;
/// `Err` with its errors if it ended early.
fn run_child(scenario: usize, fails: i64, tables: &Path) -> (bool, Result<String, String>) {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["child", "--exact", "--ignored", "--nocapture", "--test-threads", "1"])
        .env("RETROGRADE_MEMORY", format!("{scenario} {fails} {}", tables.display()))
        .output()
        .unwrap();
    let (out, errors) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
    match out.lines().find_map(|line| line.split_once("ENDED ").map(|(_, rest)| rest)) {
        Some(ended) => {
            let (fired, answer) = ended.split_once(' ').unwrap();
            (fired == "true", Ok(answer.to_owned()))
        }
        None => (true, Err(format!("{}: {errors}", child.status))),
    }
}

#[test]
fn no_failed_allocation_aborts_the_process() {
    let mut wrong = Vec::new();
    for (scenario, (what, name)) in SCENARIOS.iter().enumerate() {
        let undisturbed = retrograde_testkit::tempdir().unwrap();
        let right = run_child(scenario, -1, undisturbed.path()).1.unwrap();
        assert!(right.starts_with("Ok("), "{right}");
        let (mut ended, mut refused, mut did_without) = (0, 0, 0);
        for fails in 0_i64.. {
            let tables = retrograde_testkit::tempdir().unwrap();
            let (fired, answer) = run_child(scenario, fails, tables.path());
            if !fired {
                assert_eq!(answer.as_ref(), Ok(&right));
                break;
            }
            match answer {
                Ok(answer) if answer == right => did_without += 1,
                Ok(answer) if answer.starts_with("Err(") => refused += 1,
                Ok(answer) => {
                    wrong.push(format!("{what} {name}, allocation {fails}: wrong answer: {answer}"))
                }
                Err(errors) if errors.contains("error: the system has no memory left") => ended += 1,
                Err(errors) => wrong.push(format!("{what} {name}, allocation {fails}: {errors}")),
            }
            let again = run_child(scenario, -1, tables.path()).1;
            assert_eq!(again.as_ref(), Ok(&right), "{what} {name}, allocation {fails}: it does not recover");
        }
        println!(
            "{what} {name}: {} allocations failed: {ended} ended the program with an error, {refused} the command, \
             {did_without} were not needed",
            ended + refused + did_without
        );
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

//! The program solves a game that does not fit into the allowed memory in files. It is killed and
//! resumed, and writes the same table.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use retrograde_table::directory_name;

const GAME: &str = "morris:6,men=5";

/// The command that solves the game with `memory`.
fn solve(tables: &Path, memory: &str) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_retrograde-classics"));
    program.args(["solve", GAME, "--memory", memory, "--threads", "2", "--tables"]).arg(tables);
    program
}

fn run(mut program: Command) -> String {
    let output = program.output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{message}");
    message
}

#[test]
fn games_too_large_for_memory_are_solved_in_files() {
    let place = retrograde_testkit::tempdir().unwrap();
    let [in_memory, in_files] = ["memory", "files"].map(|name| place.path().join(name));
    run(solve(&in_memory, "1G"));
    let game = |tables: &Path| tables.join(directory_name(GAME));
    let work = game(&in_files).join("work");

    let mut killed = solve(&in_files, "14M");
    let mut killed = killed.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let (began, stages) = (Instant::now(), || std::fs::read_dir(&work).map_or(0, Iterator::count));
    while stages() < 12 {
        assert!(killed.try_wait().unwrap().is_none(), "it was solved without files");
        assert!(began.elapsed() < Duration::from_secs(300), "there are {} files", stages());
        std::thread::sleep(Duration::from_millis(2));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    let output = run(solve(&in_files, "14M"));
    assert!(output.contains("resuming from what an earlier run saved"), "{output}");

    let values = |tables: &Path| std::fs::read(game(tables).join("values.rgt")).unwrap();
    assert!(values(&in_memory) == values(&in_files));
    assert!(!work.exists(), "files are left");
}

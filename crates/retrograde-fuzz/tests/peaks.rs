//! Commands stay within the memory that they are allowed.
//!
//! Each command runs in a separate process with a counting allocator. The peak must be at most a
//! tenth more than `--memory`, or than the number in `plan` without a limit. A command that cannot
//! work with the limit must say so before it takes more.

mod counting;

use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::atomic::Ordering;

use counting::PEAK;
use retrograde_explore::{Loader, SolveOptions};

/// Runs the command from the environment, one word per line.
#[test]
#[ignore = "the other tests start it"]
fn child() {
    let Ok(command) = std::env::var("RETROGRADE_PEAK") else { return };
    let arguments = std::iter::once("retrograde").chain(command.lines());
    let ended = retrograde::run(retrograde::registry(), arguments) == ExitCode::SUCCESS;
    println!("\nPEAK {ended} {}", PEAK.load(Ordering::Relaxed));
}

/// Runs a command. Returns whether it succeeded, and the peak of its allocated bytes.
fn peak(folder: &Path, command: &str) -> (bool, u64) {
    let words: Vec<&str> = command.split(' ').collect();
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["child", "--exact", "--ignored", "--nocapture", "--test-threads", "1"])
        .env("RETROGRADE_PEAK", words.join("\n"))
        .current_dir(folder)
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&child.stdout);
    let printed = out.lines().find_map(|line| line.strip_prefix("PEAK ")?.split_once(' '));
    let Some((ended, bytes)) = printed else {
        panic!("{command}: {}\n{out}\n{}", child.status, String::from_utf8_lossy(&child.stderr));
    };
    (ended == "true", bytes.parse().unwrap())
}

/// Runs a command with less and less memory. It must succeed with the most, and never take a tenth
/// more than it may.
fn stays_within(folder: &Path, command: &str, megabytes: &[u64]) {
    for (number, size) in megabytes.iter().enumerate() {
        let (ended, bytes) = peak(folder, &format!("{command} --memory {size}M"));
        println!("{command} --memory {size}M: {ended}, {bytes} bytes");
        assert!(ended || number > 0, "{command} needs more than {size} MB");
        assert!(bytes <= size * 1_100_000, "{command} takes {bytes} bytes with --memory {size}M");
    }
}

#[test]
fn solves_stay_within_their_plan_and_their_limit() {
    for (game, options) in [
        ("tactics:5x4", SolveOptions::default()),
        ("touchdown:4x4", SolveOptions::default()),
        ("pushfight:mini,pushers=2,pawns=1", SolveOptions::default()),
        (
            "pushfight:mini,pushers=2,pawns=1",
            SolveOptions { memory: Some(18_000_000), ..SolveOptions::default() },
        ),
    ] {
        let folder = retrograde_testkit::tempdir().unwrap();
        let plan = retrograde::registry().find(game, &Loader::none()).unwrap().plan(&options);
        let limit = options.memory.map_or(String::new(), |bytes| format!(" --memory {bytes}"));
        let (ended, bytes) = peak(folder.path(), &format!("solve {game}{limit}"));
        println!("{game}{limit}: {bytes} bytes, planned {}", plan.memory.0);
        assert!(
            ended && u128::from(bytes) <= plan.memory.0 * 11 / 10,
            "{game}: {bytes} of {}",
            plan.memory.0
        );
    }
    for command in [
        "solve tactics:5x4 --again",
        "solve touchdown:4x4 --again",
        "solve touchdown:4x4 --reachable --again",
    ] {
        stays_within(retrograde_testkit::tempdir().unwrap().path(), command, &[40, 16]);
    }
}

/// A board whose only symmetry is the half turn: it has the numbering of the first complete solution.
const SKEW: &str =
    "+ +-+-+-+\n # . . .\n+ + + + +\n . . . .\n+ + + + +\n . . . .\n+ + + + +\n . . . #\n+-+-+-+ +\n";

#[test]
fn commands_on_tables_stay_within_their_limit() {
    const BOARD: &str = "pushfight:skew.board,pushers=2,pawns=1";
    let folder = retrograde_testkit::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("skew.board"), SKEW).unwrap();
    for solved in
        ["touchdown:4x4", "pushfight:mini,pushers=1,pawns=1", &format!("{BOARD} --with-wins --memory 18M")]
    {
        assert!(peak(folder, &format!("solve {solved}")).0, "{solved}");
    }
    stays_within(folder, "verify touchdown:4x4 --full", &[40, 16, 4]);
    stays_within(folder, &format!("verify {BOARD} --full"), &[60, 20]);
    stays_within(folder, "shades pushfight:mini,pushers=1,pawns=1 --again", &[40, 16, 4]);
    stays_within(folder, "reachable touchdown:4x4", &[200, 16, 4]);
    stays_within(folder, &format!("reachable {BOARD}"), &[200, 20]);
    stays_within(folder, &format!("stats {BOARD} --all-positions"), &[60, 20]);
    stays_within(folder, "export touchdown:4x4 --out rows.csv", &[20]);
    stays_within(folder, "export touchdown:4x4 --out rows.npy", &[20]);
    stays_within(folder, &format!("export {BOARD} --format minimized --sha256"), &[100, 20]);
    stays_within(folder, "export site touchdown:4x4 --out site", &[40]);
    stays_within(folder, &format!("openings {BOARD}"), &[40]);
    stays_within(folder, &format!("certificate {BOARD} --out set.certificate"), &[40, 20]);
}

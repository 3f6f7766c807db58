//! Signals and system limits: the program ends with its own error, whatever the system refuses.

#[cfg(feature = "cluster")]
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::common::{failed, ignores_hang_up, new_folder, program, signal, start, wait_for};

/// A solve that takes several seconds.
const LONG: [&str; 4] = ["solve", "touchdown:5x5", "--threads", "1"];

#[test]
fn signals_stop_a_solve_with_a_message() {
    for (name, status, expected, again) in [
        ("-TERM", 143, "SIGTERM", false),
        ("-TERM", 143, "SIGTERM", true),
        ("-INT", 130, "Ctrl-C", false),
        ("-HUP", 129, "SIGHUP", false),
    ] {
        if name == "-HUP" && ignores_hang_up() {
            continue;
        }
        let folder = new_folder();
        let mut child = start(&folder, &[&LONG[..], if again { &["--again"] } else { &[] }].concat());
        wait_for("the solve begins", || folder.join("touchdown_5x5/lock").exists());
        signal(&child, name);
        wait_for("the solve ends", || child.try_wait().unwrap().is_some());
        let output = child.wait_with_output().unwrap();
        let message = failed(&output, &["solve"], status);
        let last = message.lines().last().unwrap();
        let saved = folder.join("touchdown_5x5/work.rgw").exists();
        let then = match (saved, again) {
            (true, false) => "the same command resumes from what was saved",
            (true, true) => "without --again, the same command resumes from what was saved",
            (false, _) => "nothing was saved, so the same command starts over",
        };
        assert_eq!(last, format!("error: stopped by {expected}; {then}"));
        assert!(message.contains(&format!("{expected}: stopping (repeat to quit immediately)")), "{message}");
    }
}

#[test]
fn reachable_positions_are_solved_in_memory_and_not_saved() {
    let folder = new_folder();
    let mut child = start(&folder, &["solve", "touchdown:6x6", "--reachable", "--threads", "1"]);
    wait_for("the solve begins", || folder.join("touchdown_6x6/lock").exists());
    signal(&child, "-INT");
    wait_for("the solve ends", || child.try_wait().unwrap().is_some());
    let message = failed(&child.wait_with_output().unwrap(), &["solve"], 130);
    let last = message.lines().last().unwrap();
    assert_eq!(last, "error: stopped by Ctrl-C; nothing was saved, so the same command starts over");
}

#[test]
fn a_hangup_that_is_ignored_stays_ignored() {
    let folder = new_folder();
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' HUP; exec \"$0\" \"$@\""]).arg(program().get_program());
    shell.args(["solve", "touchdown:5x5", "--threads", "1", "--tables"]).arg(&*folder);
    shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = shell.spawn().unwrap();
    wait_for("the solve begins", || folder.join("touchdown_5x5/lock").exists());
    signal(&child, "-HUP");
    signal(&child, "-TERM");
    wait_for("the solve ends", || child.try_wait().unwrap().is_some());
    let message = failed(&child.wait_with_output().unwrap(), &["solve"], 143);
    assert!(!message.contains("SIGHUP"), "{message}");
}

#[cfg(feature = "cluster")]
#[test]
fn a_signal_reaches_all_processes_of_a_solve() {
    let folder = new_folder();
    let mut child = start(&folder, &[&LONG[..], &["--processes", "2"]].concat());
    wait_for("the solve begins", || folder.join("touchdown_5x5/lock").exists());
    signal(&child, "-TERM");
    wait_for("the solve ends", || child.try_wait().unwrap().is_some());
    let mut output = String::new();
    // The pipe closes when all processes have ended.
    child.stderr.take().unwrap().read_to_string(&mut output).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(143), "{output}");
    assert!(output.contains("process 1: ") && output.contains("the same command "), "{output}");
    assert!(!output.contains("start again"), "{output}");
}

/// Runs the program under a shell limit.
fn limited(limit: &str, tables: &Path, arguments: &[&str]) -> Output {
    let script = format!("ulimit {limit}; exec \"$0\" \"$@\"");
    let mut shell = Command::new("bash");
    shell.args(["-c", &script]).arg(program().get_program()).args(arguments).arg("--tables").arg(tables);
    shell.stdin(Stdio::null()).output().unwrap()
}

#[test]
fn a_file_size_limit_is_an_error_that_names_the_file() {
    let tables = &new_folder();
    // Blocks of 1,024 bytes.
    let output = limited("-f 1", tables, &["solve", "touchdown:4x4"]);
    let message = failed(&output, &["solve"], 1);
    assert!(message.contains("values.rgt") && message.contains("ulimit -f"), "{message}");
    let out = tables.join("long.svg");
    let output = limited("-f 1", tables, &["render", "touchdown", "--out", out.to_str().unwrap()]);
    let message = failed(&output, &["render"], 1);
    assert!(message.contains("long.svg") && message.contains("ulimit -f") && !out.exists(), "{message}");
}

/// Solves by each method with less and less memory: every run gives an answer or its own error.
#[test]
fn running_out_of_memory_is_an_error() {
    let methods: [&[&str]; 6] = [
        &["solve", "tactics:5x4"],
        &["solve", "tactics:5x4", "--outcome-only"],
        &["solve", "touchdown:4x4"],
        &["solve", "touchdown:4x4", "--reachable"],
        &["solve", "pushfight:mini,pushers=2,pawns=1"],
        &["solve", "pushfight:mini,pushers=2,pawns=1", "--memory", "18M"],
    ];
    let folder = new_folder();
    // With less memory the system cannot load the program and kills it.
    let starts = |kilobytes: &usize| {
        limited(&format!("-v {kilobytes}"), &folder, &["index", "tactics:2x2", "X__X"]).status.success()
    };
    let least = (8_000..).step_by(1_000).find(starts).unwrap();
    let (mut refused, mut solved) = (0, 0);
    for (number, arguments) in methods.iter().enumerate() {
        // Steps of increasing size, until the memory suffices.
        for step in 0..14 {
            let kilobytes = least + step * step * 1_237 + number * 97;
            let folder = new_folder();
            let output = limited(&format!("-v {kilobytes}"), &folder, arguments);
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            let what = format!("{arguments:?} in {kilobytes} KiB: {:?}, {message}", output.status);
            match output.status.code() {
                Some(0) => solved += 1,
                Some(1) => {
                    assert!(message.lines().last().is_some_and(|line| line.starts_with("error: ")), "{what}");
                    refused += 1;
                }
                _ => panic!("{what}"),
            }
        }
    }
    assert!(refused > 5 && solved > 5, "{refused} refused, {solved} solved");
}

/// Reads the JSON of a `plan` that ran under a limit.
fn planned(output: &Output) -> serde_json::Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

const PLAN: [&str; 3] = ["plan", "tactics:5x5", "--json"];

#[test]
fn a_plan_knows_the_limits_of_the_shell() {
    let folder = new_folder();
    for limit in ["-v 1000000", "-d 1000000"] {
        let allowed = planned(&limited(limit, &folder, &PLAN))["memory_allowed"].as_u64().unwrap();
        // Half of the rest stays free.
        assert!((200_000_000..512_000_000).contains(&allowed), "{limit}: {allowed}");
    }
    let given = planned(&limited("-v 1000000", &folder, &[&PLAN[..], &["--memory", "7G"]].concat()));
    assert_eq!(given["memory_allowed"], 7_000_000_000_u64);
}

#[cfg(target_os = "linux")]
#[test]
fn files_in_memory_do_not_count_as_disk() {
    let folder = Path::new("/dev/shm");
    if !folder.is_dir() {
        return;
    }
    let plan = planned(&limited("-v 1000000", folder, &PLAN));
    let [allowed, memory, free] =
        ["memory_allowed", "memory", "disk_free"].map(|name| plan[name].as_u64().unwrap());
    assert!(free <= allowed.saturating_sub(memory) + (1 << 20), "{plan}");
}

/// A control group, removed on drop.
struct Group(std::path::PathBuf);

impl Group {
    /// Creates a limited group below a controller's folder, if this user may.
    fn new(parent: &Path, limit: &str, value: &str) -> Option<Group> {
        let folder = parent.join(format!("retrograde-test-{}", std::process::id()));
        std::fs::create_dir(&folder).ok()?;
        let group = Group(folder);
        std::fs::write(group.0.join(limit), value).ok()?;
        Some(group)
    }

    /// Runs `plan` in the group, if a process may join it.
    fn plan(&self, tables: &Path) -> Option<serde_json::Value> {
        let script = "echo $$ > \"$0/cgroup.procs\" || exit 77; exec \"$@\"";
        let mut shell = Command::new("bash");
        shell.args(["-c", script]).arg(&self.0).arg(program().get_program()).args(PLAN);
        let output = shell.arg("--tables").arg(tables).stdin(Stdio::null()).output().unwrap();
        (output.status.code() != Some(77)).then(|| planned(&output))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir(&self.0);
    }
}

/// Runs `plan` in the first group that can be created.
fn plan_in_group(groups: [(&str, &str, &str); 2]) -> Option<serde_json::Value> {
    let folder = new_folder();
    groups.into_iter().find_map(|(parent, limit, value)| {
        let group = Group::new(Path::new(parent), limit, value)?;
        // The process is in a subgroup without a limit.
        let below = Group::new(&group.0, "notify_on_release", "0");
        below.as_ref().unwrap_or(&group).plan(&folder)
    })
}

/// Does nothing without controllers or the right to create control groups.
#[cfg(target_os = "linux")]
#[test]
fn a_plan_knows_the_limits_of_its_control_group() {
    const LIMIT: u64 = 400 << 20;
    let limit = LIMIT.to_string();
    let memory = plan_in_group([
        ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", &limit),
        ("/sys/fs/cgroup", "memory.max", &limit),
    ]);
    if let Some(plan) = memory {
        let allowed = plan["memory_allowed"].as_u64().unwrap();
        assert!((LIMIT / 4..=LIMIT / 2).contains(&allowed), "{allowed}");
    }
    let threads = plan_in_group([
        ("/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "100000"),
        ("/sys/fs/cgroup", "cpu.max", "100000 100000"),
    ]);
    if let Some(plan) = threads {
        assert_eq!(plan["threads"], 1);
    }
}

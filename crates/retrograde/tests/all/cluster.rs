//! Tests of solving with several processes: the tables are the same byte for byte, and errors are
//! clear.

#![cfg(all(feature = "cluster", unix))]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use retrograde_table::testing::reachable_file;

use crate::common::{answer, fails, failure, files, names, new_folder, prints, program, run_by, start};

/// The files of a game's table, except files that differ between runs.
fn table_files(tables: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = files(tables);
    let differ = ["lock", "cluster.log", "run.json", "times.json"];
    files.retain(|path, _| !differ.contains(&path.rsplit('/').next().unwrap()));
    files
}

#[test]
fn reachable_positions_are_the_same_byte_for_byte() {
    for game in ["touchdown:4x4", "touchdown:3x5"] {
        let alone = new_folder();
        answer(&alone, &["solve", game, "--reachable"]);
        let expected = reachable_file(&alone);
        assert!(expected.len() > 1000);
        for processes in ["1", "2", "3", "4"] {
            let together = new_folder();
            let arguments = ["solve", game, "--reachable", "--processes", processes, "--workers", "2"];
            answer(&together, &arguments);
            assert!(reachable_file(&together) == expected, "{game} on {processes} processes");
            // The second run finds the file.
            answer(&together, &arguments);
            answer(&together, &["verify", game, "--full"]);
        }
    }
}

#[test]
fn tables_are_the_same_byte_for_byte() {
    let games: [&[&str]; 5] = [
        &["touchdown:4x3"],
        &["tactics:3x4"],
        &["tactics:3x4", "--outcome-only"],
        &["pushfight:mini,pushers=1,pawns=1"],
        &["pushfight:mini,pushers=1,pawns=1", "--max-turns", "4"],
    ];
    for (number, game) in games.iter().enumerate() {
        let alone = new_folder();
        answer(&alone, &[&["solve"], *game].concat());
        let expected = table_files(&alone);
        assert!(!expected.is_empty());
        let processes = (number % 4 + 1).to_string();
        let together = new_folder();
        let arguments = [&["solve"], *game, &["--processes", &processes, "--workers", "2"]].concat();
        answer(&together, &arguments);
        assert!(table_files(&together) == expected, "{game:?} on {processes} processes");
        // The second run finds the table.
        answer(&together, &arguments);
    }
}

#[test]
fn a_board_too_large_for_a_table_has_the_same_files_too() {
    // There is too little memory for a table, so it is solved phase by phase.
    let alone = new_folder();
    answer(&alone, &["solve", "pushfight:mini", "--memory", "20M", "--with-wins"]);
    let expected = table_files(&alone);
    let has = |name: &str| expected.keys().any(|path| path.ends_with(name));
    assert!(has("/losses.rgp") && has("/wins.rgp"), "{:?}", expected.keys());
    let together = new_folder();
    let arguments = ["solve", "pushfight:mini", "--memory", "60M", "--processes", "3", "--with-wins"];
    prints(&together, &arguments, "plausible positions");
    assert!(table_files(&together) == expected);
    prints(&together, &arguments, "plausible positions");
}

/// Runs the program with a file size limit, which acts like a full disk.
fn on_a_full_disk(tables: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("sh");
    let script = "ulimit -f 8; trap '' XFSZ; exec \"$@\"";
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_retrograde")]);
    run_by(command, tables, arguments)
}

#[test]
fn a_full_disk_leaves_no_partial_table() {
    let folder = new_folder();
    let solve = ["solve", "tactics", "--processes", "2", "--workers", "1"];
    let fail = |arguments: &[&str]| {
        let output = on_a_full_disk(&folder, arguments);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && !message.contains("panicked"), "{message}");
        // Process 0 reports its own error, the other one the error it received.
        assert!(
            message.matches("larger than the system allows").count() > 1
                && message.contains("process 1: error: "),
            "{message}"
        );
        assert!(!message.contains("start again"), "it would be as full as before: {message}");
    };
    fail(&solve);
    let game = folder.join("tactics_4x4");
    assert_eq!(names(&game), ["lock"]);
    fails(&folder, &["stats", "tactics"], 1, "there is no table");
    // An earlier table stays intact.
    answer(&folder, &solve);
    let before = names(&game);
    fail(&[&solve[..], &["--again"]].concat());
    assert_eq!(names(&game), before);
    answer(&folder, &["verify", "tactics", "--full"]);
}

/// A child process that is solving: it has joined the others, so it runs the engine's threads.
#[cfg(target_os = "linux")]
fn solving_child(parent: u32, process: &str) -> Option<String> {
    let text = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
    let child = std::fs::read_dir("/proc").unwrap().flatten().find(|entry| {
        // After the name in parentheses: the state, and the parent.
        let stat = text(&entry.path().join("stat"));
        let is_child = stat
            .rsplit(')')
            .next()
            .is_some_and(|rest| rest.split(' ').nth(2).is_some_and(|number| number == parent.to_string()));
        is_child && text(&entry.path().join("cmdline")).contains(&format!("--process\0{process}\0"))
    })?;
    let mut threads = std::fs::read_dir(child.path().join("task")).ok()?.flatten();
    let solves = threads.any(|thread| text(&thread.path().join("comm")).starts_with("timely"));
    solves.then(|| child.file_name().into_string().unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn all_restart_when_one_is_killed() {
    let alone = new_folder();
    answer(&alone, &["solve", "touchdown:5x4"]);
    killed_again_and_again(&["touchdown:5x4"], &|tables| table_files(tables) == table_files(&alone));
}

#[cfg(target_os = "linux")]
#[test]
fn all_restart_when_a_process_with_reachable_is_killed() {
    let alone = new_folder();
    // A smaller game would be solved before the process is killed.
    answer(&alone, &["solve", "touchdown:6x4", "--reachable"]);
    let same = |tables: &Path| reachable_file(tables) == reachable_file(&alone);
    killed_again_and_again(&["touchdown:6x4", "--reachable"], &same);
}

/// Kills a process twice: with two restarts the table is the `same` as one solved on one machine,
/// and without restarts the solve ends.
#[cfg(target_os = "linux")]
fn killed_again_and_again(game: &[&str], same: &dyn Fn(&Path) -> bool) {
    for (restarts, succeeds) in [("2", true), ("0", false)] {
        let folder = new_folder();
        let processes = ["--processes", "2", "--workers", "1", "--restarts", restarts];
        let mut solving = start(&folder, &[&["solve"], game, &processes[..]].concat());
        let mut killed = Vec::new();
        while killed.len() < if succeeds { 2 } else { 1 } {
            assert!(solving.try_wait().unwrap().is_none(), "it ended too early");
            match solving_child(solving.id(), "1") {
                Some(child) if !killed.contains(&child) => {
                    assert!(Command::new("kill").args(["-KILL", &child]).status().unwrap().success());
                    killed.push(child);
                }
                _ => std::thread::sleep(std::time::Duration::from_millis(5)),
            }
        }
        let output = solving.wait_with_output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), succeeds, "{message}");
        let again = message.matches("signal: 9 (SIGKILL); all processes start again, restart").count();
        if succeeds {
            assert!(again == 2 && message.contains("restart 2 of 2"), "{message}");
            assert!(same(&folder));
        } else {
            let last =
                "process 1 ended with signal: 9 (SIGKILL); the same command resumes from what was saved";
            assert!(again == 0 && message.contains(last), "{message}");
        }
    }
}

#[test]
fn errors_are_reported_before_anything_starts() {
    let folder = new_folder();
    let hosts = folder.join("my.hosts");
    let hosts_text = hosts.to_str().unwrap();
    let solve = |process: &str| {
        ["solve", "tactics", "--hosts", hosts_text, "--process"]
            .map(str::to_owned)
            .into_iter()
            .chain([process.to_owned()])
            .collect::<Vec<_>>()
    };
    let complain = |process: &str| {
        let arguments = solve(process);
        failure(&folder, &arguments.iter().map(String::as_str).collect::<Vec<_>>(), 1)
    };
    let plan = ["plan", "tactics:3x3", "--hosts", "2", "--outcome-only", "--memory", "1G"];
    prints(&folder, &plan, "tactics:3x3 --outcome-only --memory 1G --hosts FILE");
    std::fs::write(&hosts, "10.0.0.1:7000\n10.0.0.2").unwrap();
    assert!(complain("0").contains("my.hosts:2: “10.0.0.2”: the port is missing"));
    std::fs::write(&hosts, "10.0.0.1:7000\n10.0.0.2:7000\n").unwrap();
    assert!(complain("0").contains("--key FILE is needed"));
    std::fs::write(&hosts, "127.0.0.1:7000\n").unwrap();
    assert!(complain("1").contains("there is no process 1"));
    fails(&folder, &["solve", "tactic", "--processes", "2"], 1, "did you mean");
    fails(&folder, &["solve", "touchdown:8x8", "--processes", "2"], 1, "several processes");
    fails(&folder, &["solve", "--process", "1"], 2, "--hosts");
    let by_pattern = |hosts: &str, process: &str, status: i32| {
        failure(&folder, &["solve", "tactics", "--hosts", hosts, "--process", process], status)
    };
    assert!(
        by_pattern("10.0.0.{1..x}:7000", "0", 1)
            .contains("“10.0.0.{1..x}:7000”: expected two whole numbers between { and }")
    );
    assert!(by_pattern("10.0.0.{1..2}:7000", "0", 1).contains("--key FILE is needed"));
    assert!(by_pattern("127.0.0.1:700{1..2}", "2", 1).contains("there is no process 2"));
    assert!(by_pattern("127.0.0.1:700{1..2}", "one", 2).contains("or the word hostname"));
}

#[test]
fn a_pattern_of_hosts_replaces_the_file() {
    let alone = new_folder();
    answer(&alone, &["solve", "touchdown:4x3"]);
    // Two consecutive free ports.
    let (first, last) = loop {
        let low = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = low.local_addr().unwrap().port();
        if port % 10 < 9 && std::net::TcpListener::bind(("127.0.0.1", port + 1)).is_ok() {
            break (port, port + 1);
        }
    };
    let hosts = format!("127.0.0.1:{}{{{}..{}}}", first / 10, first % 10, last % 10);
    let folder = new_folder();
    let processes: Vec<_> = ["0", "1"]
        .map(|process| {
            let tables = &folder.join(process);
            std::fs::create_dir(tables).unwrap();
            program()
                .args(["solve", "touchdown:4x3", "--hosts", &hosts, "--process", process, "--workers", "1"])
                .arg("--tables")
                .arg(tables)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .into();
    for process in processes {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(table_files(&folder.join("0")) == table_files(&alone));
}

#[test]
fn the_resources_of_each_machine_are_planned() {
    let folder = new_folder();
    let output = answer(&folder, &["plan", "touchdown:5x5", "--hosts", "8"]);
    for word in ["8 processes", "memory", "for checkpoints", "network", "time"] {
        assert!(output.contains(word), "{output}");
    }
    // The phases need no checkpoints.
    let output = answer(&folder, &["plan", "pushfight", "--hosts", "2"]);
    assert!(output.contains("for the table, on process 0 only") && !output.contains("0 bytes"), "{output}");
    let output = answer(&folder, &["plan", "touchdown:6x6", "--reachable", "--hosts", "8", "--memory", "8G"]);
    for word in
        ["8 processes", "reachable", "memory", "known in advance", "--reachable --memory", "--hosts FILE"]
    {
        assert!(output.contains(word), "{output}");
    }
    let output = answer(&folder, &["plan", "pushfight", "--hosts", "64", "--json"]);
    let plan: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert_eq!((&plan["processes"], &plan["method"]), (&64.into(), &"phases".into()));
}

//! Snapshots of `--help` of the program and of every command. No line is longer than 80 columns.
//! Run `INSTA_UPDATE=always cargo test -p retrograde --features cluster --test all help::` to
//! update them.

// Without clusters some options are missing.
#![cfg(feature = "cluster")]

use std::process::Stdio;

use crate::common::program;

const COMMANDS: [&str; 31] = [
    "games",
    "rules",
    "plan",
    "solve",
    "probe",
    "line",
    "stats",
    "survey",
    "shades",
    "openings",
    "reachable",
    "find",
    "puzzles",
    "verify",
    "certificate",
    "index",
    "position",
    "perft",
    "render",
    "export",
    "play",
    "engine",
    "match",
    "bench",
    "serve",
    "annotate",
    "board",
    "mate",
    "reduce",
    "new",
    "completions",
];

fn help(command: Option<&str>) -> String {
    let output =
        program().args(command).arg("--help").env("COLUMNS", "80").stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    // On Windows the program's name has an extension.
    let text = text.replace("retrograde.exe", "retrograde");
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{command:?}: {line}");
    }
    text
}

#[test]
fn the_program_lists_its_commands() {
    let text = help(None);
    let listed = text.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed: Vec<&str> = listed
        .take_while(|line| !line.is_empty())
        .filter(|line| !line.starts_with("    "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert_eq!(listed, COMMANDS, "a new command needs a snapshot");
    insta::assert_snapshot!("retrograde", text);
}

#[test]
fn every_command_has_help_with_examples() {
    for command in COMMANDS {
        let text = help(Some(command));
        assert!(text.contains(&format!("retrograde {command}")) && text.contains("Examples:"), "{text}");
        insta::assert_snapshot!(command, text);
    }
}

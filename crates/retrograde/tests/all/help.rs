//! Snapshots of `--help` of the program and of every command. No line is longer than 80 columns.
//! Run `INSTA_UPDATE=always cargo test -p retrograde --features cluster --test all help::` to
//! update them.

// Without clusters some options are missing.
#![cfg(feature = "cluster")]

use std::process::Stdio;

use crate::common::{commands, program};

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
    insta::assert_snapshot!("retrograde", help(None));
}

#[test]
fn every_command_has_help_with_examples() {
    for command in commands(&[]) {
        let text = help(Some(&command));
        assert!(text.contains(&format!("retrograde {command}")) && text.contains("Examples:"), "{text}");
        insta::assert_snapshot!(command, text);
    }
}

//! The program as its users meet it: what it answers, and what it says when it fails.

#![allow(dead_code, reason = "every test takes what it needs")]

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A command with a folder of tables.
pub fn run(tables: &Path, arguments: &[&str]) -> Output {
    run_by(Command::new(env!("CARGO_BIN_EXE_retrograde")), tables, arguments)
}

/// The same by a command that begins otherwise.
pub fn run_by(mut command: Command, tables: &Path, arguments: &[&str]) -> Output {
    command.args(arguments).arg("--tables").arg(tables).stdin(Stdio::null()).output().unwrap()
}

/// What a command prints when it is answered.
pub fn answer(tables: &Path, arguments: &[&str]) -> String {
    let output = run(tables, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What a command says when it fails.
pub fn failure(tables: &Path, arguments: &[&str], code: i32) -> String {
    let output = run(tables, arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!said.contains("panicked"), "{said}");
    said
}

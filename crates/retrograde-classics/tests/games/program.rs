//! Runs the program.

use std::path::Path;
use std::process::Command;

/// Runs the program. Returns its standard error.
pub(crate) fn run(tables: &Path, arguments: &[&str]) -> String {
    let program = env!("CARGO_BIN_EXE_retrograde-classics");
    let ran = Command::new(program).args(arguments).arg("--tables").arg(tables).output().unwrap();
    let message = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.success(), "{arguments:?}: {message}");
    message
}

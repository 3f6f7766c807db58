//! Tests of the program's output and status.

use std::process::{Command, Output, Stdio};

const PROVED: &str = "tests/certificates/tactics-4x4-second.certificate";

fn program(files: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_certificate-checker"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(files).stdin(Stdio::null());
    command
}

fn run(files: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = program(files).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn the_status_says_whether_all_files_are_proved() {
    let (status, said, faults) = run(&[PROVED]);
    assert_eq!((status, faults.as_str()), (Some(0), ""));
    assert!(said.starts_with(&format!("{PROVED}: proved: the second player never loses")), "{said}");
    let (status, said, faults) = run(&["missing.certificate", "Cargo.toml", PROVED]);
    assert_eq!((status, faults.as_str()), (Some(1), ""));
    let verdicts = ["missing.certificate: not proved: ", "Cargo.toml: not proved: ", "tactics"];
    assert!(verdicts.iter().all(|verdict| said.contains(verdict)), "{said}");
    let (status, said, faults) = run(&[]);
    assert_eq!((status, said.as_str()), (Some(2), ""));
    assert!(faults.starts_with("usage: "), "{faults}");
}

#[test]
fn a_closed_pipe_is_neither_a_fault_nor_a_success() {
    let mut child = program(&[PROVED; 3]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(141));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

/// A name that is not UTF-8 does no harm.
#[cfg(unix)]
#[test]
fn any_file_name_is_accepted() {
    use std::os::unix::ffi::OsStrExt;
    let output = program(&[]).arg(std::ffi::OsStr::from_bytes(b"\xff")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("not proved"));
}

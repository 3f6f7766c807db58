//! Runs the program as users do, and reads its answers and errors.

#![allow(dead_code, reason = "without some features, tests are left out that use it")]

#[cfg(feature = "remote")]
pub mod site_host;
pub mod ugi;

use std::io::Write;
use std::ops::Deref;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use retrograde_testkit::TempDir;
pub use retrograde_testkit::files;
use serde_json::Value as Json;

/// A folder that is removed when it is dropped.
pub struct Folder(TempDir);

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.0.path()
    }
}

/// A new, empty folder.
pub fn new_folder() -> Folder {
    Folder(retrograde_testkit::tempdir().unwrap())
}

/// The program, without environment variables about tables, colours and characters.
pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
    for variable in ["RETROGRADE_TABLES", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command.env("LC_ALL", "C.UTF-8");
    // Temporary files of the program also stay below the target directory.
    command.env("TMPDIR", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// Runs the program on a folder of tables.
pub fn run(tables: &Path, arguments: &[&str]) -> Output {
    run_by(program(), tables, arguments)
}

/// Like [`run`], with a prepared command.
pub fn run_by(mut command: Command, tables: &Path, arguments: &[&str]) -> Output {
    command.args(arguments).arg("--tables").arg(tables).stdin(Stdio::null()).output().unwrap()
}

/// Starts the program on a folder of tables in the background. Only its errors are captured.
pub fn start(tables: &Path, arguments: &[&str]) -> Child {
    let mut command = program();
    command.args(arguments).arg("--tables").arg(tables);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Sends a signal to a running process.
pub fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

/// Waits until `there` returns true, at most ten minutes, which is enough on any machine.
pub fn wait_for(what: &str, mut there: impl FnMut() -> bool) {
    let began = Instant::now();
    while !there() {
        assert!(began.elapsed() < Duration::from_secs(600), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The program with these arguments.
pub fn with(arguments: &[&str]) -> Command {
    let mut command = program();
    command.args(arguments);
    command
}

/// Waits until a process ends, and returns its status.
pub fn ended(child: &mut Child) -> ExitStatus {
    wait_for("it ends", || child.try_wait().unwrap().is_some());
    child.wait().unwrap()
}

/// The names in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Runs a command with this standard input.
pub fn run_with_input(mut command: Command, input: &str) -> Output {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Ignores errors: a command that ends early closes its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// The standard output of a command that must succeed.
pub fn answer(tables: &Path, arguments: &[&str]) -> String {
    succeeded(run(tables, arguments), arguments)
}

/// A new folder with the tables of these games.
pub fn solved(games: &[&str]) -> Folder {
    let folder = new_folder();
    answer(&folder, &[&["solve", "--json"], games].concat());
    folder
}

/// The standard output of a command that must have succeeded.
pub fn succeeded(output: Output, arguments: &[&str]) -> String {
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The first object that a command prints with `--json`.
pub fn json(tables: &Path, arguments: &[&str]) -> Json {
    list(tables, arguments).swap_remove(0)
}

/// All objects that a command prints with `--json`.
pub fn list(tables: &Path, arguments: &[&str]) -> Vec<Json> {
    objects(&answer(tables, &[arguments, &["--json"]].concat()))
}

/// The objects in an output, one per line.
pub fn objects(output: &str) -> Vec<Json> {
    output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The error of a command that must fail with this exit code.
pub fn failure(tables: &Path, arguments: &[&str], code: i32) -> String {
    failed(&run(tables, arguments), arguments, code)
}

/// Checks that a command fails with this exit code and an error that contains these words.
pub fn fails(tables: &Path, arguments: &[&str], code: i32, words: &str) {
    let error = failure(tables, arguments, code);
    assert!(error.contains(words), "{arguments:?}: {error}");
}

/// Checks that a command succeeds and prints these words.
pub fn prints(tables: &Path, arguments: &[&str], words: &str) {
    let output = answer(tables, arguments);
    assert!(output.contains(words), "{arguments:?}: {output}");
}

/// The error of a command that must have failed with this exit code.
pub fn failed(output: &Output, arguments: &[&str], code: i32) -> String {
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
    assert!(!error.contains("panicked"), "{error}");
    error
}

/// Whether these tests run with SIGHUP ignored, as after `nohup`. Then child processes also ignore it.
pub fn ignores_hang_up() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & 1 == 1))
}

/// The commands that the help of a command lists, each with the words before it.
pub fn commands(below: &[&str]) -> Vec<String> {
    let output = program().args(below).arg("--help").env("COLUMNS", "80").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let Some((_, commands)) = text.split_once("Commands:\n") else { return Vec::new() };
    let lines = commands.lines().take_while(|line| !line.is_empty());
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    names.map(|name| [below, &[name]].concat().join(" ")).collect()
}

/// Violations of the definition `kind` in `docs/answers.schema.json`.
pub fn mistakes(kind: &str, answer: &Json) -> Vec<String> {
    const SCHEMAS: &str = include_str!("../../../../../docs/answers.schema.json");
    let mut schema: Json = serde_json::from_str(SCHEMAS).unwrap();
    assert!(schema["$defs"][kind].is_object(), "no schema for {kind}");
    schema["$ref"] = format!("#/$defs/{kind}").into();
    let validator = jsonschema::validator_for(&schema).unwrap();
    validator.iter_errors(answer).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

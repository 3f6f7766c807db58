//! Runs the program. It describes itself, not Retrograde.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs the program. Returns its standard error.
pub(crate) fn run(tables: &Path, arguments: &[&str]) -> String {
    let program = env!("CARGO_BIN_EXE_retrograde-classics");
    let ran = Command::new(program).args(arguments).arg("--tables").arg(tables).output().unwrap();
    let message = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.success(), "{arguments:?}: {message}");
    message
}

/// The standard output of the program.
fn output(arguments: &[&str], input: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde-classics"));
    let command = command.args(arguments).env("COLUMNS", "80");
    let mut running = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    running.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let ran = running.wait_with_output().unwrap();
    assert!(ran.status.success(), "{arguments:?}");
    String::from_utf8(ran.stdout).unwrap()
}

#[test]
fn its_help_names_its_own_games() {
    let help = output(&["--help"], "");
    assert!(help.contains("\n  retrograde-classics probe connectfour   the value"), "{help}");
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("    "));
    let commands: Vec<&str> = listed.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 20 && commands.contains(&"solve") && !commands.contains(&"mate"), "{help}");
    for command in commands.into_iter().filter(|command| *command != "help") {
        let help = output(&[command, "--help"], "");
        let lower = help.to_lowercase();
        for other in ["touchdown", "tactics", "pushfight", "push fight", "  retrograde "] {
            assert!(!lower.contains(other), "{command}: {help}");
        }
        let own = format!("\n  retrograde-classics {command}");
        assert!(!help.contains("Examples:") || help.contains(&own), "{command}: {help}");
    }
    let solve = output(&["solve", "--help"], "");
    assert!(solve.contains("  retrograde-classics solve connectfour --processes 2\n"), "{solve}");
    assert!(output(&["--version"], "").starts_with("retrograde-classics "));
    assert!(output(&["completions", "bash"], "").contains("-o default retrograde-classics\n"));
}

#[test]
fn its_engine_and_pictures_have_its_names() {
    let said = output(&["engine", "dodgem"], "ugi\nquit\n");
    assert!(said.contains("id author the authors of retrograde-classics\n"), "{said}");
    let folder = retrograde_testkit::tempdir().unwrap();
    let out = folder.path().join("board.svg");
    output(&["render", "domineering", "--out", out.to_str().unwrap()], "");
    let svg = std::fs::read_to_string(&out).unwrap();
    assert!(svg.contains("<title>Domineering 4 × 4</title>"), "{svg}");
}

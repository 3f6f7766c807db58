//! Positions with hundreds of thousands of turns: every command keeps to its limits and says that
//! its lists are incomplete. Otherwise its test would run for minutes.

use std::process::Output;

use serde_json::{Value as Json, json};

use crate::common::{new_folder, run_with_input, with};

const GAME: &str = "pushfight:standard,moves=unlimited";
const POSITION: &str = "........oOO...oOxXY...xX..";
const LIMITS: [&str; 4] = ["--time", "0.1", "--nodes", "1000"];

/// A command with a folder without tables.
fn command(arguments: &[&str], input: &str) -> Output {
    let folder = new_folder();
    run_with_input(with(&[arguments, &["--tables", folder.to_str().unwrap()]].concat()), input)
}

fn answer(arguments: &[&str], input: &str) -> String {
    let output = command(&[arguments, &LIMITS].concat(), input);
    // Status 3: the value is unknown.
    assert!(matches!(output.status.code(), Some(0 | 3)), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn parsed(arguments: &[&str], input: &str) -> Json {
    let text = answer(arguments, input);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
}

#[test]
fn lists_of_turns_keep_to_the_limits_and_say_so() {
    for more in [&[][..], &["--pressure"]] {
        let arguments = [&["probe", GAME, POSITION, "--json"], more].concat();
        let found = parsed(&arguments, "");
        assert_eq!(found["incomplete"], true, "{more:?}");
        let text = answer(&[&["probe", GAME, POSITION], more].concat(), "");
        assert!(text.contains("and possibly more") != more.contains(&"--pressure"), "{text}");
    }
    // A low limit on positions applies even if there is much time.
    let output = command(&["probe", GAME, POSITION, "--json", "--time", "3600", "--nodes", "1000"], "");
    let found: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["incomplete"], true);
    assert_eq!(found["turns_available"].as_array().unwrap().len(), 65_536);
    let line = parsed(&["line", GAME, POSITION, "--json"], "");
    assert!(["unknown", "limit"].contains(&line["ends"].as_str().unwrap()), "{line}");
    // All placements are listed, but their values are unknown.
    let start = parsed(&["probe", GAME, "--json"], "");
    assert_eq!(start.get("incomplete"), None);
    assert_eq!(start["turns_available"].as_array().unwrap().len(), 12_870);
    let many = parsed(&["probe", GAME, "-", "--json"], &format!("{POSITION}\n"));
    assert_eq!(many["incomplete"], true);
}

#[test]
fn engines_and_play_keep_to_the_limits() {
    for limit in [0, 3] {
        let query = json!({"id": 1, "position": POSITION, "limit": limit, "line": 2}).to_string();
        let found = parsed(&["engine", "--json", GAME], &query);
        assert_eq!(found["incomplete"], true, "{found}");
        assert_eq!(found["turns_available"].as_array().unwrap().len(), limit);
    }
    for go in ["go\nquit", "go movetime 10", "go depth 1", "go nodes 10\nstop"] {
        let text = answer(&["engine", GAME], &format!("position fen {POSITION}\n{go}\n"));
        assert!(text.contains("bestmove ") && !text.contains("(none)"), "{text}");
    }
    let screen = answer(&["play", GAME, POSITION], "turns\nhint\nquit\n");
    assert!(screen.contains("more at least"), "{screen}");
}

#[test]
fn lines_of_input_are_bounded() {
    let long = "x".repeat(3 << 20);
    let output = command(&["probe", "tactics:2x2", "-"], &format!("XXXX\n{long}\nX__X\n"));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("line 2") && message.contains("is too long"), "{message}");
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 2);
    let output = command(&["play", "tactics:2x2"], &format!("{long}\nquit\n"));
    let screen = String::from_utf8(output.stdout).unwrap();
    assert!(screen.contains("is too long"), "{screen}");
}

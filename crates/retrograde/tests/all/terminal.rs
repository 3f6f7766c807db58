//! Tests that untrusted names and addresses cannot control a terminal or a log.

#![cfg(unix)]

use std::fs;
use std::process::Output;

use crate::common::{answer, new_folder, program, run, run_with_input};

/// A title for the terminal's window, a cleared screen, and text that runs backwards.
const NASTY: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}x";

/// Checks that output contains nothing that a terminal would act on.
fn assert_harmless(what: &str, output: &Output) {
    for bytes in [&output.stdout, &output.stderr] {
        let text = String::from_utf8_lossy(bytes);
        let acts = |c: char| c.is_control() && c != '\n' && c != '\t' || c == '\u{202e}';
        assert!(!text.contains(acts), "{what}: {text:?}");
        assert!(!text.contains("panicked"), "{what}: {text}");
    }
}

#[test]
fn names_of_games_files_and_players_are_escaped() {
    let tables = &new_folder();
    answer(tables, &["solve", "tactics:3x3"]);
    let nasty_folder = tables.join(NASTY.replace('/', ""));
    fs::create_dir(&nasty_folder).unwrap();
    let board = nasty_folder.join(format!("{NASTY}.board"));
    fs::write(&board, format!("{NASTY}\n")).unwrap();
    let board = board.to_str().unwrap();
    let out = nasty_folder.join("out.csv");
    let out = out.to_str().unwrap();
    let commands: [&[&str]; 12] = [
        &["probe", NASTY],
        &["probe", "tactics:3x3", NASTY],
        &["probe", "tactics:3x3", &format!("XOX{NASTY}")],
        &["plan", board],
        &["board", board],
        &["rules", NASTY],
        &["solve", "tactics:3x2", NASTY],
        &["export", "tactics:3x3", "--format", "csv", "--out", out],
        &["export", "tactics:3x3", "--format", NASTY],
        &["annotate", "tactics:3x3", NASTY],
        &["find", "tactics:3x3", "--outcome", NASTY],
        &[NASTY],
    ];
    for command in commands {
        for json in [&[][..], &["--json"]] {
            assert_harmless(&format!("{command:?} {json:?}"), &run(tables, &[command, json].concat()));
        }
    }
    // A folder of tables with such a name, which contains the table of another game.
    let other = nasty_folder.join("tactics_3x3");
    fs::create_dir(&other).unwrap();
    for file in ["manifest.json", "values.rgt"] {
        fs::copy(tables.join("tactics_3x3").join(file), other.join(file)).unwrap();
    }
    for json in [&[][..], &["--json"]] {
        let command = [&["solve", "tactics:3x3", "tactics:2x3"], json].concat();
        assert_harmless("solve", &run(&nasty_folder, &command));
        assert_harmless("probe", &run(&nasty_folder, &[&["probe", "tactics:3x3"], json].concat()));
    }
    fs::write(other.join("manifest.json"), "{").unwrap();
    assert_harmless("a damaged table", &run(&nasty_folder, &["probe", "tactics:3x3"]));
    // A record, and a session with an engine.
    let record = nasty_folder.join("game.txt");
    fs::write(&record, format!("# {NASTY}\n1. {NASTY}\n")).unwrap();
    assert_harmless("annotate", &run(tables, &["annotate", "tactics:3x3", record.to_str().unwrap()]));
    for (form, words) in [
        (&[][..], format!("ugi\n{NASTY}\nposition {NASTY}\nsetoption name Tables value {NASTY}\nquit\n")),
        (&["--json"], format!("{{\"id\":\"{}\"}}\n{NASTY}\n", "\\u001b[2J\\u202e")),
    ] {
        let mut engine = program();
        engine.args(["engine", "tactics:3x3"]).args(form).arg("--tables").arg(&**tables);
        assert_harmless(&format!("engine {form:?}"), &run_with_input(engine, &words));
    }
}

/// A damaged file of shades is named however a game is opened.
#[test]
fn damaged_shades_are_named_wherever_a_game_is_opened() {
    let tables = &new_folder();
    const GAME: &str = "pushfight:mini,pushers=1,pawns=1";
    answer(tables, &["solve", GAME]);
    answer(tables, &["shades", GAME]);
    let shades = tables.join("pushfight_mini+pushers-1+pawns-1/shades.rgs");
    let mut bytes = fs::read(&shades).unwrap();
    let last = bytes.len() - 20;
    bytes[last] ^= 1;
    fs::write(&shades, bytes).unwrap();
    for command in [
        &["probe", GAME][..],
        &["line", GAME],
        &["find", GAME, "--outcome", "draw"],
        &["stats", GAME],
        &["puzzles", GAME],
    ] {
        for json in [&[][..], &["--json"]] {
            let output = run(tables, &[command, json].concat());
            let printed = String::from_utf8_lossy(&output.stderr);
            assert_eq!(
                printed.matches("shades.rgs is damaged").count(),
                1,
                "{command:?} {json:?}: {printed}"
            );
        }
    }
    let mut engine = program();
    engine.args(["engine", GAME, "--tables"]).arg(&**tables);
    let output = run_with_input(engine, "ugi\nquit\n");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        printed.lines().any(|line| line.starts_with("info string note: ") && line.contains("shades.rgs")),
        "{printed}"
    );
    let statistics = crate::common::json(tables, &["stats", GAME]);
    assert!(statistics["notes"][0].as_str().unwrap().contains("shades.rgs"), "{statistics}");
    // Without damage there is no message.
    fs::remove_file(&shades).unwrap();
    let output = run(tables, &["probe", GAME]);
    assert!(output.stderr.is_empty(), "{output:?}");
}

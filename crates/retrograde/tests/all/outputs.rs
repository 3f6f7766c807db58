//! Files that commands write: existing ones are kept without `--force`; extensions may be in
//! capitals.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

use crate::common::{failed, new_folder, program, run_with_input, succeeded};

/// A board that can be played on.
const BOARD: &str = "moves = 1\n+-+-+-+-+\n O . o x\n+ + + + +\n . o . Y\n+-+-+-+-+\n";

fn run(folder: &Path, arguments: &[&str]) -> Output {
    program().current_dir(folder).args(arguments).stdin(Stdio::null()).output().unwrap()
}

#[test]
fn no_command_replaces_a_file_without_force() {
    let folder = new_folder();
    succeeded(run(&folder, &["solve", "tactics:2x2", "touchdown"]), &["solve"]);
    let board = "+-+-+-+-+/ . o O x /+-+-+-+-+";
    let formula = include_str!("../../../../docs/pictures/reductions/formula.qdimacs");
    fs::write(folder.join("formula"), formula).unwrap();
    for (out, arguments) in [
        ("a.csv", &["export", "tactics:2x2", "--out", "a.csv"][..]),
        ("a.npy", &["export", "tactics:2x2", "--out", "a.npy"]),
        ("a.svg", &["stats", "tactics:2x2", "--out", "a.svg"]),
        ("b.SVG", &["render", "tactics:2x2", "--out", "b.SVG"]),
        ("c.svg", &["puzzles", "touchdown", "--limit", "1", "--sheet", "c.svg"]),
        ("i-solutions.svg", &["puzzles", "touchdown", "--limit", "1", "--sheet", "i.svg"]),
        ("d.csv", &["puzzles", "touchdown", "--format", "anki", "--out", "d.csv"]),
        ("e.svg", &["board", "show", board, "--out", "e.svg"]),
        ("f.svg", &["mate", board, "--out", "f.svg"]),
        ("g.board", &["reduce", "steiner", "0,0 1,1", "--out", "g.board"]),
        ("h.board", &["reduce", "qbf", "formula", "--out", "h.board"]),
        (
            "games/0002.txt",
            &["match", "perfect", "random", "--game", "tactics:2x2", "--games", "2", "--records", "games"],
        ),
    ] {
        let path = folder.join(out);
        let fresh = succeeded(run(&folder, arguments), arguments);
        assert!(path.is_file(), "{arguments:?}: {fresh}");
        fs::write(&path, "mine").unwrap();
        let message = failed(&run(&folder, arguments), arguments, 1);
        assert!(message.contains("already exists; --force"), "{arguments:?}: {message}");
        assert_eq!(fs::read(&path).unwrap(), b"mine", "{arguments:?}");
        succeeded(run(&folder, &[arguments, &["--force"]].concat()), arguments);
        assert_ne!(fs::read(&path).unwrap(), b"mine", "{arguments:?}");
    }
    // Overwriting an empty file or writing to a device loses nothing.
    fs::write(folder.join("empty.csv"), "").unwrap();
    succeeded(run(&folder, &["export", "tactics:2x2", "--out", "empty.csv"]), &["empty.csv"]);
    if cfg!(unix) {
        let out = ["export", "tactics:2x2", "--format", "csv", "--out", "/dev/null"];
        succeeded(run(&folder, &out), &out);
    }
}

#[test]
fn planes_are_listed_only_for_files_that_have_them() {
    let folder = new_folder();
    succeeded(run(&folder, &["solve", "tactics:2x2"]), &["solve"]);
    for (out, planes) in [("a.csv", false), ("a.npy", true)] {
        let arguments = ["export", "tactics:2x2", "--out", out];
        assert_eq!(succeeded(run(&folder, &arguments), &arguments).contains("planes:"), planes, "{out}");
        let json = succeeded(run(&folder, &[&arguments[..], &["--force", "--json"]].concat()), &arguments);
        assert_eq!(json.contains(r#""planes":[]"#), !planes, "{json}");
    }
}

#[test]
fn a_plan_names_the_command_with_its_options() {
    let plan = ["plan", "touchdown:3x3", "--max-turns", "5", "--outcome-only"];
    let advice = succeeded(run(Path::new("."), &plan), &plan);
    let unwrapped = advice.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(unwrapped.contains("`retrograde solve touchdown:3x3 --max-turns 5 --outcome-only`"), "{advice}");
}

#[test]
fn saving_a_game_twice_needs_force() {
    let folder = new_folder();
    let file = folder.join("game.txt");
    let play = |words: &str| {
        let mut command = program();
        command.args(["play", "touchdown:3x3"]).current_dir(&*folder);
        succeeded(run_with_input(command, words), &["play"])
    };
    play("a1a2\nsave game.txt\nquit\n");
    let first = fs::read(&file).unwrap();
    let output = play("save game.txt\nquit\n");
    assert!(output.contains("already exists") && fs::read(&file).unwrap() == first, "{output}");
    play("save game.txt --force\nquit\n");
    assert_ne!(fs::read(&file).unwrap(), first);
}

#[test]
fn extensions_may_be_in_capitals() {
    let folder = new_folder();
    succeeded(run(&folder, &["solve", "tactics:2x2"]), &["solve"]);
    fs::write(folder.join("My.BOARD"), BOARD).unwrap();
    for arguments in [
        &["render", "tactics:2x2", "--out", "a.PNG"][..],
        &["render", "tactics:2x2", "--turns", "a1", "--out", "a.Gif"],
        &["stats", "tactics:2x2", "--out", "b.PNG"],
        &["board", "show", "My.BOARD", "--out", "c.Svg"],
        &["export", "tactics:2x2", "--out", "d.CSV"],
        &["plan", "pushfight:My.BOARD"],
    ] {
        succeeded(run(&folder, arguments), arguments);
    }
    let bytes = fs::read(folder.join("a.PNG")).unwrap();
    assert!(bytes.starts_with(b"\x89PNG"));
}

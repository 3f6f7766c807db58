//! Tests of wrong usage: no command, wrong option values, missing files, exit statuses, errors as
//! JSON.

use std::process::Stdio;

use serde_json::Value as Json;

use crate::common::{answer, fails, failure, new_folder, program, run, run_with_input, with};

#[test]
fn without_a_command_there_is_a_welcome() {
    let output = program().stdin(Stdio::null()).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
    assert!(
        printed.lines().count() <= 10 && printed.lines().all(|line| line.chars().count() <= 80),
        "{printed}"
    );
    assert!(printed.contains("--help"), "{printed}");
    let to_try: Vec<&str> = printed.lines().filter_map(|line| line.strip_prefix("  retrograde ")).collect();
    assert_eq!(to_try.len(), 3, "three things to try: {printed}");
    // The suggested commands work.
    let folder = new_folder();
    for line in to_try {
        let (command, _) = line.split_once("   ").unwrap();
        let words: Vec<&str> = command.split_whitespace().collect();
        if words[0] == "serve" {
            answer(&folder, &["serve", "--help"]);
        } else {
            answer(&folder, &words);
        }
    }
    // Options without a command are a usage error.
    let output = program().arg("--json").stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

/// Every option that takes a value, with a wrong value.
#[test]
fn wrong_values_have_clear_errors() {
    let folder = new_folder();
    for (arguments, expected) in [
        (&["find", "touchdown", "--outcome", "win", "--turns", "foo"][..], "as in --turns 7"),
        (&["find", "touchdown", "--outcome", "win", "--limit", "x"], "as in --limit 10"),
        (&["find", "touchdown", "--outcome", "win", "--random", "--seed", "x"], "as in --seed 1"),
        (&["puzzles", "touchdown", "--turns", "70000"], "a whole number from 0 to 65535"),
        (&["puzzles", "touchdown", "--seed", "x"], "as in --seed 1"),
        (&["puzzles", "touchdown", "--limit", "1.5"], "a whole number"),
        (&["play", "touchdown", "--strength", "x"], "as in --strength 3"),
        (&["play", "touchdown", "--seed", "x"], "as in --seed 1"),
        (&["line", "touchdown", "--limit", "x"], "as in --limit 20"),
        (&["openings", "pushfight:mini", "--limit", "x"], "as in --limit 10"),
        (&["perft", "touchdown", "--depth", "deep"], "as in --depth 3"),
        (&["verify", "touchdown", "--sample", "x"], "as in --sample 1000"),
        (&["certificate", "touchdown", "--out", "x", "--limit", "x"], "as in --limit 1000000"),
        (&["certificate", "touchdown", "--out", "x", "--side", "green"], "expected red or blue"),
        (&["probe", "touchdown", "--nodes", "1e9"], "as in --nodes 1000000"),
        (&["probe", "touchdown", "--time", "soon"], "expected a number of seconds"),
        (&["solve", "touchdown", "--threads", "0"], "a whole number from 1 to 1024"),
        (&["solve", "touchdown", "--max-turns", "0"], "as in --max-turns 7"),
        (&["solve", "touchdown", "--memory", "lots"], "such as 8G or 500M"),
        #[cfg(feature = "cluster")]
        (&["solve", "touchdown", "--processes", "0"], "a whole number from 1 to 256"),
        #[cfg(feature = "cluster")]
        (&["plan", "touchdown", "--hosts", "x"], "as in --hosts 2"),
        (&["export", "touchdown", "--out", "x.csv", "--limit", "x"], "as in --limit 1000"),
        (&["export", "touchdown", "--out", "x", "--format", "phase0", "--chunk", "x"], "--chunk 3591"),
        (&["render", "touchdown", "--out", "x.png", "--width", "wide"], "as in --width 640"),
        (&["mate", "x.board", "--out", "x.png", "--width", "wide"], "as in --width 640"),
        (&["mate", "x.board", "--moves", "many"], "as in --moves 2"),
        (&["reduce", "steiner", "0,0", "--length", "x"], "as in --length 4"),
        (&["serve", "--listen", "8080"], "such as 127.0.0.1:8080"),
        (&["serve", "--listen", "here"], "expected an address and a port"),
        (&["serve", "--rate", "0"], "as in --rate 50"),
        (&["serve", "--work", "0"], "as in --work 500"),
    ] {
        let message = failure(&folder, arguments, 2);
        assert!(message.contains(expected), "{arguments:?}: {message}");
        for words in ["invalid digit", "invalid socket", "non-zero type", "is not in", "parse"] {
            assert!(!message.contains(words), "{arguments:?}: {message}");
        }
    }
    // The error lists the formats, for games with published ones and without.
    let message = failure(&folder, &["export", "touchdown", "--format", "xls", "--out", "x"], 1);
    assert!(message.contains("`xls`") && message.contains("it has csv, npy and parquet"), "{message}");
    assert!(message.trim_end().ends_with("html (a page)"), "{message}");
    fails(
        &folder,
        &["export", "pushfight:mini", "--format", "xls", "--out", "x"],
        1,
        "html (a page), phase0",
    );
}

/// A mistyped option is not read as a position, a board or a list of points.
#[test]
fn arguments_that_begin_with_a_hyphen_are_options() {
    let folder = new_folder();
    for (arguments, similar) in [
        (&["probe", "touchdown", "--al"][..], "--all"),
        (&["probe", "touchdown", "--node"], "--nodes"),
        (&["probe", "-touchdown"], "unexpected argument"),
        (&["line", "touchdown", "--board"], "--boards"),
        (&["mate", "--move"], "--moves"),
        (&["mate", "x.board", "--moves", "--method"], "value is required"),
        (&["board", "check", "--jso"], "--json"),
        (&["board", "show", "--dar"], "--dark"),
        (&["reduce", "steiner", "--leng"], "--length"),
        (&["index", "touchdown", "--number"], "--numbering"),
    ] {
        fails(&folder, arguments, 2, similar);
    }
    // Standard input and negative coordinates are not options.
    let output = run_with_input(with(&["probe", "tactics:2x2", "-", "--time", "1"]), "X__X\n");
    assert_eq!(output.status.code(), Some(0));
    answer(&folder, &["reduce", "steiner", "-1,0 2,3"]);
}

#[test]
fn unreadable_files_have_clear_errors() {
    let tables = &new_folder();
    let inside = |name: &str| tables.join(name).to_str().unwrap().to_owned();
    std::fs::write(inside("binary"), [0xff, 0xfe, 0x00]).unwrap();
    let (missing, nowhere) = (inside("none.board"), inside("no/none.board"));
    for (arguments, expected) in [
        (&["board", "check", &missing][..], "there is no such file"),
        (&["board", "check", &nowhere], "there is no folder"),
        (&["board", "check", tables.to_str().unwrap()], "it is a folder"),
        (&["board", "check", &inside("binary")], "it is not text"),
        (&["mate", &missing], "there is no such file"),
        (&["probe", &format!("pushfight:{missing}")], "there is no such file"),
        (&["annotate", "tactics", &missing], "there is no such file"),
        (&["reduce", "qbf", &missing], "there is no such file"),
        (&["reduce", "steiner", &missing], "there is no such file"),
        #[cfg(feature = "cluster")]
        (&["solve", "tactics", "--process", "0", "--hosts", &missing], "there is no such file"),
        (&["serve", "--listen", "203.0.113.7:8080"], "this machine has no such address"),
    ] {
        let message = failure(tables, arguments, 1);
        assert!(message.contains(expected), "{arguments:?}: {message}");
        assert!(!message.contains("os error") && !message.contains("No such"), "{arguments:?}: {message}");
    }
}

#[test]
fn errors_do_not_repeat_a_wrong_board() {
    let folder = new_folder();
    let path = folder.join("mine.board");
    std::fs::write(&path, "name = mine\n+ + +\n O|x\n+ + +\n").unwrap();
    let path = path.to_str().unwrap();
    let game = format!("pushfight:{path}");
    for command in
        [&["board", "check", path][..], &["board", "show", path], &["mate", path], &["plan", &game]]
    {
        let message = failure(&folder, command, 1);
        assert!(
            message.contains("mine.board”") && message.contains("column 3: there is a rail"),
            "{message}"
        );
        assert!(!message.contains("O|x") && !message.contains("name = mine"), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

/// The exit status distinguishes an answer from an unknown value.
#[test]
fn exit_statuses_match_the_documentation() {
    let tables = &new_folder();
    answer(tables, &["solve", "touchdown:3x3"]);
    for (status, arguments) in [
        (0, &["probe", "touchdown:3x3"][..]),
        (0, &["mate", "+-+-+-+/|O x .|/+-+-+-+"]),
        (0, &["find", "touchdown:3x3", "--outcome", "win", "--limit", "1"]),
        (1, &["probe", "touchdown:3x3", "?"]),
        (1, &["stats", "touchdown:5x5"]),
        (2, &["probe"]),
        (3, &["probe", "touchdown:8x6", "--nodes", "5"]),
        (3, &["line", "touchdown:8x6", "--nodes", "5"]),
        (3, &["find", "touchdown:3x3", "--outcome", "win", "--turns", "99"]),
        (3, &["puzzles", "touchdown:3x3", "--turns", "99"]),
        (3, &["puzzles", "touchdown:3x3", "--turns", "99", "--format", "anki"]),
    ] {
        for json in [&[][..], &["--json"]] {
            let output = run(tables, &[arguments, json].concat());
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(status), "{arguments:?}: {message}");
        }
    }
    // An empty list prints nothing to standard output, so that lines can be counted.
    let found = run(tables, &["find", "touchdown:3x3", "--outcome", "win", "--turns", "99"]);
    assert!(found.stdout.is_empty() && !found.stderr.is_empty());
    let found = run(tables, &["find", "touchdown:3x3", "--outcome", "win", "--turns", "99", "--json"]);
    assert!(found.stdout.is_empty() && found.stderr.is_empty());
    let page = include_str!("../../../../docs/command-line.md");
    for status in ["0", "1", "2", "3"] {
        assert!(page.contains(&format!("| {status} |")), "{status}");
    }
}

/// With `--json` an error is an object on one line.
#[test]
fn errors_are_json_objects_with_json() {
    let tables = &new_folder();
    let object = |arguments: &[&str], status| {
        let message = failure(tables, &[arguments, &["--json"]].concat(), status);
        let answer: Json = serde_json::from_str(message.lines().last().unwrap()).unwrap();
        assert!(run(tables, &[arguments, &["--json"]].concat()).stdout.is_empty(), "{arguments:?}");
        answer["error"].clone()
    };
    let error = object(&["probe", "touchdown", "XX?"], 1);
    let found: Vec<&Json> = ["kind", "what", "text", "place", "character"].map(|name| &error[name]).into();
    assert_eq!(
        found,
        ["position", "position", "XX?"]
            .map(Json::from)
            .iter()
            .chain([&3.into(), &"?".into()])
            .collect::<Vec<_>>()
    );
    assert!(error["detail"].as_str().unwrap().contains("'?'") && error["expected"].is_string(), "{error}");
    for (arguments, status, kind) in [
        (&["probe", "chess"][..], 1, "game"),
        (&["stats", "touchdown"], 1, "no-table"),
        (&["render", "touchdown", "--turns", "z9", "--out", "x.svg"], 1, "turn"),
        (&["export", "touchdown", "--format", "xls", "--out", "x"], 1, "unsupported"),
        (&["solve", "touchdown:6x6", "--memory", "1M"], 1, "too-large"),
        (&["board", "check", "+ +/ ?/+ +"], 1, "board"),
        (&["board", "check", "none.board"], 1, "file"),
        (&["play", "touchdown"], 1, "failed"),
        (&["frobnicate"], 2, "usage"),
        (&["find", "touchdown", "--outcome", "win", "--turns", "foo"], 2, "usage"),
    ] {
        let error = object(arguments, status);
        assert_eq!(error["kind"], kind, "{arguments:?}: {error}");
        assert!(!error["detail"].as_str().unwrap().starts_with("error"), "{error}");
    }
    let usage = object(&["find", "touchdown", "--outcome", "win", "--turns", "foo"], 2);
    assert!(usage["what"].as_str().unwrap().starts_with("--turns") && usage["text"] == "foo", "{usage}");
    assert_eq!(object(&["probe", "touchdown", "--al"], 2)["suggestion"], "--all");
    // An error in one of many lines names the line, and the others are answered.
    let output = run_with_input(with(&["probe", "tactics:2x2", "-", "--json"]), "X__X\nX?_X\n____\n");
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!((output.status.code(), out.lines().count()), (Some(1), 2), "{err}");
    let answer: Json = serde_json::from_str(&err).unwrap();
    assert_eq!((&answer["error"]["line"], &answer["error"]["place"]), (&2.into(), &2.into()), "{answer}");
    // After `--` it is not an option.
    let output = with(&["probe", "tactics:2x2", "--", "--json"]).stdin(Stdio::null()).output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("error: "));
}

/// Two compared sizes never print the same.
#[test]
fn needed_and_available_sizes_differ() {
    let folder = new_folder();
    let given = ["reachable", "pushfight", "--threads", "1", "--memory", "10.51G"];
    let message = failure(&folder, &given, 1);
    let words: Vec<&str> = message.split_whitespace().collect();
    let sizes: Vec<&[&str]> = words.windows(2).filter(|pair| pair[1] == "GB").collect();
    assert!(sizes.len() == 2 && sizes[0] != sizes[1], "{message}");
}

/// Options that a game or table cannot use are reported.
#[test]
fn options_without_effect_are_reported() {
    let tables = &new_folder();
    let solved = run(tables, &["solve", "touchdown:3x3", "--max-turns", "3"]);
    let message = String::from_utf8_lossy(&solved.stderr);
    assert!(
        solved.status.success() && message.contains("limiting the turns did not shorten the solve"),
        "{message}"
    );
    let solved = run(tables, &["solve", "pushfight:mini,pushers=1,pawns=2", "--max-turns", "3"]);
    assert!(!String::from_utf8_lossy(&solved.stderr).contains("did not shorten"));

    answer(tables, &["solve", "touchdown:4x3", "--reachable"]);
    fails(
        tables,
        &["stats", "touchdown:4x3", "--all-positions"],
        1,
        "a solve without `--reachable` counts all",
    );
    assert!(run(tables, &["stats", "touchdown:3x3", "--all-positions"]).status.success());
}

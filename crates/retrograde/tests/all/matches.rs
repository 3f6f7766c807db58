//! Tests of `match`: Retrograde's engine as an external program, built-in players, and a hostile
//! engine.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::common::{self, fails, failure, list, mistakes, new_folder, program, signal, solved, wait_for};

const PAGE: &str = include_str!("../../../../docs/engines.md");

fn read(output: &Output) -> Json {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let answer = serde_json::from_str(&text)
        .unwrap_or_else(|_| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)));
    assert_eq!(mistakes("MatchAnswer", &answer), Vec::<String>::new(), "{answer}");
    answer
}

/// Plays a match and returns its answer.
fn play(tables: &Path, arguments: &[&str]) -> Json {
    let output = common::run(tables, &[&["match", "--json"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    read(&output)
}

/// The command line of Retrograde's engine.
fn our_engine(tables: &Path, arguments: &str) -> String {
    let program = env!("CARGO_BIN_EXE_retrograde");
    format!("'{program}' engine {arguments} --tables '{}'", tables.display())
}

/// Both players are programs. Every number of the answer is recomputed from the games.
#[test]
fn two_programs_play_a_match() {
    let tables = &solved(&["touchdown"]);
    let records = tables.join("played");
    let perfect = our_engine(tables, "touchdown");
    let weak = our_engine(tables, "touchdown --strength 1,errs=20%");
    let games = 12;
    let answer = play(
        tables,
        &[
            &perfect,
            &weak,
            "--game",
            "touchdown",
            "--games",
            "12",
            "--time",
            "5",
            "--records",
            records.to_str().unwrap(),
        ],
    );
    assert_eq!((&answer["complete"], answer["games"].as_array().unwrap().len()), (&json!(true), games));
    let name = format!("retrograde {}", env!("CARGO_PKG_VERSION"));
    assert_eq!((&answer["a"]["name"], &answer["b"]["name"]), (&json!(name), &json!(name)));
    let mut wins = BTreeMap::new();
    let mut judged: BTreeMap<String, BTreeMap<&str, u64>> = BTreeMap::new();
    for (at, game) in answer["games"].as_array().unwrap().iter().enumerate() {
        assert_eq!((&game["number"], &game["reason"]), (&json!(at + 1), &json!("rules")), "{game}");
        let first = if at % 2 == 0 { "a" } else { "b" };
        assert_eq!(game["first"], first, "sides change");
        if at % 2 == 1 {
            let before = &answer["games"][at - 1];
            let opening = |game: &Json| game["turns"].as_array().unwrap()[..2].to_vec();
            assert_eq!(opening(game), opening(before), "both sides have each opening");
        }
        *wins.entry(game["winner"].as_str().unwrap().to_owned()).or_insert(0) += 1;
        // The record has the same turns, and `annotate` judges them in the same way.
        let marks = list(tables, &["annotate", "touchdown", game["record"].as_str().unwrap()]);
        let turns: Vec<&Json> = marks.iter().map(|mark| &mark["turn_on_board"]).collect();
        assert_eq!(json!(turns), game["turns"]);
        let last = marks.last().unwrap();
        assert_eq!((&last["after"]["outcome"], &last["after"]["turns"]), (&json!("win"), &json!(1)));
        assert_eq!(last["player"] == "first", game["winner"] == first, "{game}");
        for mark in &marks[game["opening"].as_u64().unwrap() as usize..] {
            let player = if (mark["player"] == "first") == (first == "a") { "a" } else { "b" };
            let counts = judged.entry(player.to_owned()).or_default();
            *counts.entry("turns").or_default() += 1;
            match mark["mark"].as_str().unwrap() {
                // TouchDown has no draws.
                "?" => *counts.entry("win_to_loss").or_default() += 1,
                "?!" => {
                    *counts.entry("slower").or_default() += 1;
                    let [before, after] = ["before", "after"].map(|at| mark[at]["turns"].as_i64().unwrap());
                    *counts.entry("turns_lost").or_default() += (before - after).unsigned_abs();
                }
                _ => *counts.entry("best").or_default() += 1,
            }
        }
    }
    for player in ["a", "b"] {
        let side = &answer[player];
        assert_eq!(side["wins"].as_u64().unwrap(), wins.get(player).copied().unwrap_or(0));
        for (field, count) in side["judged"].as_object().unwrap() {
            let found = judged[player].get(field.as_str()).copied().unwrap_or(0);
            assert_eq!(count, found, "{player} {field}");
        }
    }
    assert_eq!(
        answer["a"]["judged"]["turns"], answer["a"]["judged"]["best"],
        "a perfect engine makes no mistakes"
    );
    assert!(answer["b"]["judged"]["win_to_loss"].as_u64() > Some(0), "{}", answer["b"]);
    let score =
        (answer["a"]["wins"].as_f64().unwrap() + answer["a"]["draws"].as_f64().unwrap() / 2.0) / games as f64;
    assert!((answer["a"]["score"].as_f64().unwrap() - score).abs() < 1e-9);
    assert!(answer["a"]["score_low"].as_f64() < Some(score) && score > 0.5);
}

/// Built-in players repeat a match with the same seed, and play differently with another.
#[test]
fn a_seed_gives_the_same_match_again() {
    let folder = solved(&["touchdown:3x3"]);
    let run = |seed: &str| {
        play(&folder, &["perfect", "random", "--game", "touchdown:3x3", "--games", "10", "--seed", seed])
    };
    let first = run("7");
    assert_eq!(first, run("7"));
    assert_ne!(first["games"], run("8")["games"]);
    assert_eq!(first["a"]["name"], "perfect");
    // A perfect player can lose because of the opening.
    assert_eq!(first["a"]["judged"]["turns"], first["a"]["judged"]["best"]);
    let unjudged = play(
        &folder,
        &["perfect", "3", "--game", "touchdown:3x3", "--games", "2", "--no-judge", "--clock", "5+0.1"],
    );
    assert_eq!(unjudged["a"]["judged"], Json::Null);
}

#[test]
fn games_without_an_end_are_drawn() {
    let game = "pushfight:mini,pushers=1,pawns=1";
    let folder = solved(&[game]);
    let all = ["perfect", "perfect", "--game", game, "--games", "4", "--random-turns", "0"];
    let answer = play(&folder, &all);
    assert_eq!(answer["a"]["draws"], 4, "the game is a draw");
    for game in answer["games"].as_array().unwrap() {
        assert!(matches!(game["reason"].as_str(), Some("repetition" | "max-turns")), "{game}");
        assert_eq!(game["winner"], Json::Null);
    }
    let answer = play(&folder, &[&all[..], &["--max-turns", "9"]].concat());
    for game in answer["games"].as_array().unwrap() {
        assert_eq!((&game["reason"], game["turns"].as_array().unwrap().len()), (&json!("max-turns"), 9));
    }
}

#[test]
fn openings_come_from_a_list() {
    let folder = solved(&["touchdown"]);
    let list = folder.join("openings.txt");
    let write = |text: &str| std::fs::write(&list, text).unwrap();
    write("# two openings\na1a2 d4d3\n\nstartpos  # the second\n");
    let file = list.to_str().unwrap();
    let arguments = ["perfect", "1", "--game", "touchdown", "--games", "6", "--openings", file];
    let answer = play(&folder, &arguments);
    let games = answer["games"].as_array().unwrap();
    let openings: Vec<u64> = games.iter().map(|game| game["opening"].as_u64().unwrap()).collect();
    assert_eq!(openings, [2, 2, 0, 0, 2, 2]);
    for game in [0, 1, 4, 5] {
        assert_eq!(games[game]["turns"].as_array().unwrap()[..2], [json!("a1a2"), json!("d4d3")]);
    }
    for (text, expected) in
        [("a1a2\na1a9\n", "line 2: turn 1 “a1a9”"), ("# nothing\n", "it contains no openings")]
    {
        write(text);
        let message = failure(&folder, &[&["match"], &arguments[..]].concat(), 1);
        assert!(message.contains("openings.txt") && message.contains(expected), "{message}");
    }
}

/// The match on the page has the result that the page shows.
#[test]
fn the_documented_match_is_right() {
    let folder = solved(&["touchdown"]);
    let mut matches = 0;
    for block in PAGE.split("```text\n$ retrograde ").skip(1) {
        let (command, expected) = block.split("```").next().unwrap().split_once('\n').unwrap();
        let words: Vec<&str> = command.split(' ').collect();
        let received = common::answer(&folder, &words);
        assert_eq!(received.trim_end(), expected.trim_end(), "{command}");
        matches += 1;
    }
    assert_eq!(matches, 1);
}

#[test]
fn wrong_players_and_options_are_reported() {
    let folder = new_folder();
    for (arguments, code, expected) in [
        (&["match", "perfect", "random", "--game", "chess"][..], 1, "chess"),
        (
            &["match", "no-such-program", "random", "--game", "touchdown"],
            1,
            "“no-such-program” is not ready: its program cannot be started",
        ),
        (&["match", "'open", "random", "--game", "touchdown"], 2, "unclosed quote"),
        (&["match", "", "random", "--game", "touchdown"], 2, "a player must be"),
        (&["match", "3,errs=x", "random", "--game", "touchdown"], 2, "a player must be"),
        (&["match", "perfect", "random"], 2, "--game"),
        (&["match", "3", "random", "--game", "touchdown", "--clock", "soon"], 2, "such as 60+0.5"),
        (
            &["match", "random", "random", "--game", "tactics:2x2", "--random-turns", "9"],
            1,
            "use fewer turns",
        ),
        (&["match", "random", "random", "--game", "tactics:2x2", "--openings", "none.txt"], 1, "none.txt"),
    ] {
        fails(&folder, arguments, code, expected);
    }
}

/// The name of the test that acts as an engine if an environment variable says so; otherwise it
/// tests nothing.
const HOSTILE: &str = "matches::a_hostile_engine";

/// Misbehaves as `HOSTILE_ENGINE` says. The test harness first prints lines that are not UGI; a referee must
/// tolerate them.
#[test]
fn a_hostile_engine() {
    let Ok(way) = std::env::var("HOSTILE_ENGINE") else { return };
    let pids = std::env::var("HOSTILE_PIDS").unwrap();
    let mut pids = std::fs::OpenOptions::new().append(true).create(true).open(pids).unwrap();
    writeln!(pids, "{}", std::process::id()).unwrap();
    let mut out = std::io::stdout();
    let hang = || loop {
        std::thread::sleep(Duration::from_secs(3600));
    };
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let mut say = |text: &str| writeln!(out, "{text}").and_then(|()| out.flush()).unwrap();
        match (line.split(' ').next().unwrap(), &way[..]) {
            ("ugi", "mute") => hang(),
            ("ugi", _) => say("id name \u{7}Mallory\nugiok"),
            ("position", "unasked") => say("bestmove a9a9"),
            ("position", "deaf") => hang(),
            ("isready", _) => say("readyok"),
            // It does not end, even when asked to.
            ("quit", _) => hang(),
            ("go", "hangs" | "unasked") => hang(),
            ("go", "lies") => say("bestmove a9z9"),
            ("go", "gives up") => say("bestmove (none)"),
            ("go", "says nothing") => say("bestmove"),
            ("go", "floods") => loop {
                say("info string what a lovely day");
            },
            ("go", "floods without lines") => loop {
                out.write_all(&[b'x'; 1 << 16]).unwrap();
            },
            ("go", "sleeps") => {
                std::thread::sleep(Duration::from_secs(2));
                say("bestmove a1a2");
            }
            ("go", "dies") => {
                eprintln!("out of \u{1b}[31mluck");
                std::process::exit(7);
            }
            ("go", "talks nonsense and dies") => {
                out.write_all(b"\xff\xfe\0\n\n  \nbestmove\xff a1a2\n").unwrap();
                out.flush().unwrap();
                std::process::abort();
            }
            _ => {}
        }
    }
}

/// Whether a process is running, on systems that show this.
fn lives(pid: &str) -> bool {
    Path::new("/proc").join(pid).exists()
}

#[test]
fn a_hostile_engine_loses_and_is_harmless() {
    let folder = solved(&["touchdown:3x3"]);
    let itself = std::env::current_exe().unwrap();
    let hostile = format!("'{}' --exact {HOSTILE} --nocapture", itself.display());
    let pids = folder.join("pids");
    for (way, reason, detail) in [
        ("hangs", "timeout", "no `bestmove` within 0.5 s"),
        ("unasked", "timeout", "no `bestmove`"),
        ("deaf", "timeout", "no `readyok` within 8 s after `isready`"),
        ("floods", "timeout", "no `bestmove`"),
        ("floods without lines", "timeout", "no `bestmove`"),
        ("sleeps", "timeout", "no `bestmove`"),
        ("lies", "illegal-turn", "turn “a9z9”"),
        ("gives up", "illegal-turn", "turn “(none)”"),
        ("says nothing", "illegal-turn", "turn “(none)”"),
        ("dies", "crash", "7): out of [31mluck"),
        ("talks nonsense and dies", "crash", "it ended"),
    ] {
        // Only an engine that should run out of time gets little time, and only one that never
        // answers is given up early: the machine may be busy.
        let time = if reason == "timeout" { "0.2" } else { "60" };
        let timeout = if way == "deaf" { "8" } else { "60" };
        let output = program()
            .args([
                "match",
                &hostile,
                "random",
                "--game",
                "touchdown:3x3",
                "--games",
                "2",
                "--random-turns",
                "0",
            ])
            .args(["--time", time, "--margin", "0.3", "--timeout", timeout, "--json", "--tables"])
            .arg(&*folder)
            .env("HOSTILE_ENGINE", way)
            .env("HOSTILE_PIDS", &pids)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let answer = read(&output);
        assert_eq!(output.status.code(), Some(0), "{way}");
        assert_eq!((&answer["a"]["name"], &answer["b"]["wins"]), (&json!("Mallory"), &json!(2)), "{way}");
        for game in answer["games"].as_array().unwrap() {
            assert_eq!((&game["winner"], &game["reason"]), (&json!("b"), &json!(reason)), "{way}: {game}");
            assert!(game["detail"].as_str().unwrap().contains(detail), "{way}: {game}");
        }
        for pid in std::fs::read_to_string(&pids).unwrap().lines() {
            assert!(!lives(pid), "{way}: process {pid} is still there");
        }
    }
    // A program that does not start is named before the match.
    let mut command = program();
    command.env("HOSTILE_ENGINE", "mute").env("HOSTILE_PIDS", &pids);
    let arguments = ["match", &hostile, "random", "--game", "touchdown:3x3", "--timeout", "1"];
    let message = common::failed(&common::run_by(command, &folder, &arguments), &arguments, 1);
    assert!(message.contains("is not ready: no `ugiok` within 1 s after `ugi`"), "{message}");
}

/// Ctrl-C ends a match with the result so far.
#[cfg(unix)]
#[test]
fn a_stopped_match_has_a_result() {
    let folder = solved(&["touchdown:3x3"]);
    let player = our_engine(&folder, "touchdown:3x3");
    let mut child = program()
        .args([
            "match",
            &player,
            "random",
            "--game",
            "touchdown:3x3",
            "--games",
            "1000000",
            "--json",
            "--records",
        ])
        .arg(folder.join("played"))
        .arg("--tables")
        .arg(&*folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for("three games end", || {
        assert!(child.try_wait().unwrap().is_none());
        folder.join("played/0003.txt").exists()
    });
    signal(&child, "-INT");
    // A million games would fill the pipe if the match continued.
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let answer = read(&output);
    assert_eq!(answer["complete"], false);
    assert!(answer["games"].as_array().unwrap().len() >= 3);
    let message = String::from_utf8(output.stderr).unwrap();
    let last: Json = serde_json::from_str(message.lines().last().unwrap()).unwrap();
    assert_eq!(last["error"]["kind"], "stopped", "{message}");
}

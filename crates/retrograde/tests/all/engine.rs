//! Tests of `engine` as other programs use it: a child process that speaks UGI.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::ugi::{Client, TIMEOUT};
use crate::common::{ended, json, new_folder, program, solved};

const PAGE: &str = include_str!("../../../../docs/engines.md");

fn command(tables: &Path, arguments: &[&str]) -> Command {
    let mut command = program();
    command.arg("engine").args(arguments).arg("--tables").arg(tables);
    command
}

fn engine(tables: &Path, arguments: &[&str]) -> Client {
    Client::start(command(tables, arguments))
}

/// A line without times, which differ from run to run.
fn timeless(line: &str) -> String {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    for name in ["time", "nps"] {
        if let Some(at) = words.iter().position(|word| *word == name) {
            words[at + 1] = "0";
        }
    }
    words.join(" ")
}

/// Replays every session on the page: `>` is sent, `<` is received.
#[test]
fn the_documented_sessions_are_right() {
    let folder = solved(&["touchdown", "tactics:2x2"]);
    let mut sessions = 0;
    for block in PAGE.split("```ugi\n").skip(1) {
        let block = block.split("```").next().unwrap();
        let (first, lines) = block.split_once('\n').unwrap();
        let words: Vec<&str> = first.strip_prefix("$ retrograde engine ").unwrap().split(' ').collect();
        let mut engine = engine(&folder, &words);
        for line in lines.lines() {
            match line.split_at(2) {
                ("> ", command) => engine.say(command),
                ("< ", expected) => {
                    let received =
                        engine.next(TIMEOUT).unwrap_or_else(|| panic!("{first}: ended before {expected}"));
                    let version = env!("CARGO_PKG_VERSION");
                    assert_eq!(timeless(&received), expected.replace("VERSION", version), "{first}");
                }
                _ => panic!("{first}: {line}"),
            }
        }
        let (rest, status) = engine.close();
        assert_eq!((rest, status), (vec![], Some(0)), "{first}: it says more than the page");
        sessions += 1;
    }
    assert!(sessions >= 3, "{sessions}");
}

/// Two engines play through a client that does not know the rules and asks them for everything.
#[test]
fn a_client_without_rules_lets_two_engines_play() {
    let folder = solved(&["touchdown"]);
    let turns = json(&folder, &["probe", "touchdown"])["turns"].as_u64().unwrap() as usize;
    let mut players =
        [engine(&folder, &["touchdown"]), engine(&folder, &["touchdown", "--strength", "random"])];
    for player in &mut players {
        player.say("ugi");
        assert_eq!(player.until("ugiok")[0], format!("id name retrograde {}", env!("CARGO_PKG_VERSION")));
        player.say("isready");
        player.until("readyok");
    }
    let mut played: Vec<String> = Vec::new();
    let result = loop {
        let position = format!("position startpos moves {}", played.join(" "));
        for player in &mut players {
            player.say(&position);
        }
        let player = &mut players[played.len() % 2];
        player.say("query gameover");
        if player.response() == "true" {
            player.say("query result");
            break player.response();
        }
        player.say("query p1turn");
        assert_eq!(player.response(), played.len().is_multiple_of(2).to_string());
        player.say("query result");
        assert_eq!(player.response(), "none");
        player.say("go movetime 2000");
        played.push(player.best());
    };
    // The start is a win for Red, who plays perfectly; Blue's mistakes only make it shorter.
    assert_eq!(result, "p1win");
    assert!(played.len() <= turns && played.len() % 2 == 1, "{played:?}");
    for player in &mut players {
        player.say("quit");
        assert_eq!(player.ended(), Some(0));
    }
}

/// No search decides this position, which has no table: other answers must not wait for it.
#[test]
fn a_long_search_blocks_no_other_command() {
    let folder = new_folder();
    let mut engine = engine(&folder, &["touchdown:6x6"]);
    engine.say("position startpos");
    engine.say("go infinite");
    let deeper = |engine: &Client| engine.until("info");
    deeper(&engine);
    engine.say("isready");
    engine.until("readyok");
    engine.say("query p1turn");
    assert_eq!(engine.response(), "true");
    std::thread::sleep(Duration::from_millis(300));
    engine.say("stop");
    let turn = engine.best();
    engine.say(&format!("position startpos moves {turn}"));
    engine.say("query p1turn");
    assert_eq!(engine.response(), "false", "the turn is legal");
    // Each of these ends by itself.
    for go in ["go movetime 200", "go p1time 1 p2time 6000", "go nodes 5000"] {
        engine.say(go);
        assert_ne!(engine.best(), "(none)");
    }
    // The end of the input stops a search that waits for `stop`.
    engine.say("go infinite");
    let (lines, status) = engine.close();
    assert!(lines.last().unwrap().starts_with("bestmove ") && status == Some(0), "{lines:?}");
}

/// With a table, `go infinite` knows the answer immediately and still waits for `stop`.
#[test]
fn infinite_waits_for_stop() {
    let folder = solved(&["tactics:2x2"]);
    let mut engine = engine(&folder, &["tactics:2x2"]);
    engine.say("go infinite");
    engine.until("info");
    std::thread::sleep(Duration::from_millis(300));
    engine.say("isready");
    let before = engine.until("readyok");
    assert!(!before.iter().any(|line| line.starts_with("bestmove")), "{before:?}");
    engine.say("stop");
    assert_ne!(engine.best(), "(none)");
    engine.say("stop");
    engine.say("isready");
    assert_eq!(engine.until("readyok"), ["readyok"], "one answer for one question");
}

#[test]
fn wrong_commands_are_reported_without_ending_the_session() {
    let folder = solved(&["tactics:2x2"]);
    let mut engine = engine(&folder, &["tactics:2x2"]);
    for (command, expected) in [
        ("hello", "unknown command “hello”"),
        ("setoption name Strength value best", "a strength must be"),
        ("setoption name Colour value red", "there is no option “Colour”"),
        ("setoption name MultiPV value many", "MultiPV must be a whole number from 1 to 500"),
        ("setoption name MultiPV value 0", "MultiPV must be a whole number from 1 to 500"),
        ("setoption name MultiPV value 501", "MultiPV must be a whole number from 1 to 500"),
        ("setoption name MultiPV value -1", "MultiPV must be a whole number from 1 to 500"),
        ("setoption name Seed value -1", "Seed must be a whole number from 0 to "),
        ("setoption name Seed value x", "Seed must be a whole number from 0 to "),
        ("setoption Strength", "name NAME value VALUE"),
        ("position", "position expects"),
        ("position fen XX?_", "found '?'"),
        ("position startpos moves a1 a1", "turn 2"),
        ("go", "there is no position to search"),
        ("query weather", "turn 2"),
        ("position startpos", ""),
        ("query weather", "there is no query “weather”"),
    ] {
        engine.say(command);
        engine.say("isready");
        let lines = engine.until("readyok");
        let reported =
            lines.iter().any(|line| line.starts_with("info string error: ") && line.contains(expected));
        assert!(reported || expected.is_empty(), "{command}: {lines:?}");
    }
    engine.say("go movetime soon searchmoves a9");
    let lines = engine.until("bestmove");
    for expected in ["error: invalid parameters of go: movetime soon", "none of the turns after searchmoves"]
    {
        assert!(
            lines.iter().any(|line| line.starts_with("info string") && line.contains(expected)),
            "{lines:?}"
        );
    }
    // Unknown words before a known one are skipped, as UCI requires.
    engine.say("joho isready");
    engine.until("readyok");
    engine.say(&format!("position {}", "x".repeat(2 << 20)));
    engine.say("isready");
    assert!(engine.until("readyok")[0].contains("is too long"));
    engine.say("position startpos moves a1-b1 a2-b2");
    engine.say("query gameover");
    assert_eq!(engine.response(), "true");
    engine.say("go");
    assert_eq!(engine.until("bestmove"), ["info string the game is over", "bestmove (none)"]);
    engine.say("position fen X__X second moves a1");
    engine.say("query p1turn");
    assert_eq!(engine.response(), "true");
    let (_, status) = engine.close();
    assert_eq!(status, Some(0));
}

/// Options: a player with errors shows no values; the best turns are ranked; another folder has
/// another table.
#[test]
fn options_change_how_it_plays_and_what_it_shows() {
    let folder = solved(&["touchdown"]);
    let elsewhere = new_folder();
    let mut engine = engine(&elsewhere, &["touchdown", "--nodes", "3000"]);
    engine.say("ugi");
    assert!(engine.until("ugiok").contains(&"info string touchdown:4x4, without a table".to_owned()));
    engine.say("go");
    let lines = engine.until("bestmove");
    assert!(lines.contains(&"info string unknown, from a search".to_owned()), "{lines:?}");
    engine.say(&format!("setoption name Tables value {}", folder.display()));
    engine.say("setoption name MultiPV value 2");
    engine.say("go");
    let lines = engine.until("bestmove");
    assert!(lines[0].contains("multipv 1 score mate 6 wdl 1000 0 0"), "{lines:?}");
    assert!(lines[1].contains("multipv 2 score mate 6") && lines[2].contains("win in 11, from the table"));
    assert!(lines[0].split(" pv ").nth(1).unwrap().split(' ').count() == 11, "{lines:?}");
    engine.say("setoption name Strength value 3");
    engine.say("go");
    let lines = engine.until("bestmove");
    assert_eq!(lines.len(), 1, "a weak player must not show what it does not see: {lines:?}");
    engine.say("setoption name Tables value /nowhere/\u{1}at/all");
    engine.say("isready");
    engine.until("readyok");
}

/// A client that closes the output wants no answers.
#[test]
fn a_closed_output_ends_it() {
    let folder = solved(&["tactics:2x2"]);
    let mut child = command(&folder, &["tactics:2x2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"go\n").unwrap();
    // It ends even though the input stays open.
    let status = ended(&mut child);
    let mut output = String::new();
    child.stderr.take().unwrap().read_to_string(&mut output).unwrap();
    assert!(status.success() && output.is_empty(), "{status}: {output}");
}

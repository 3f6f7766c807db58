//! Tests of `engine --json` as other programs use it: a child process that gets queries as lines.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value as Json, json};

use crate::common::ugi::{Client, TIMEOUT};
use crate::common::{self, ended, json, mistakes, new_folder, objects, program, run_with_input, solved};

const PAGE: &str = include_str!("../../../../docs/engines.md");

fn command(tables: &Path, arguments: &[&str]) -> Command {
    let mut command = program();
    command.args(["engine", "--json"]).args(arguments).arg("--tables").arg(tables);
    command
}

/// The answers to these lines, and the status.
fn answers(tables: &Path, arguments: &[&str], lines: &[Json]) -> (Vec<Json>, Option<i32>) {
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let output = run_with_input(command(tables, arguments), &input);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let text = String::from_utf8(output.stdout).unwrap();
    (objects(&text), output.status.code())
}

/// Violations of the schema by an answer.
fn mistakes_of_answer(answer: &Json) -> Vec<String> {
    mistakes(
        match answer {
            _ if answer["error"].is_object() => "AnalysisRefusal",
            _ if answer["action"].is_string() => "ActionAnswer",
            _ => "Analysis",
        },
        answer,
    )
}

#[test]
fn the_documented_session_is_right() {
    let folder = solved(&["touchdown:3x3"]);
    let mut sessions = 0;
    for block in PAGE.split("```jsonl\n").skip(1) {
        let block = block.split("```").next().unwrap();
        let (first, rest) = block.split_once('\n').unwrap();
        let words: Vec<&str> =
            first.strip_prefix("$ retrograde engine --json ").unwrap().split(' ').collect();
        let sent: Vec<Json> = rest
            .lines()
            .filter_map(|line| line.strip_prefix("> "))
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        // An answer may continue in further lines.
        let expected: String = rest.lines().filter_map(|line| line.strip_prefix("< ")).collect();
        let expected = serde_json::Deserializer::from_str(&expected).into_iter::<Json>();
        let mut expected: Vec<String> = expected.map(|answer| answer.unwrap().to_string()).collect();
        let (received, _) = answers(&folder, &words, &sent);
        for query in sent.iter().filter(|query| query["id"] != Json::Null) {
            assert_eq!(mistakes("Query", query), Vec::<String>::new(), "{query}");
        }
        for answer in &received {
            assert_eq!(mistakes_of_answer(answer), Vec::<String>::new(), "{answer}");
        }
        // In any order.
        let mut received: Vec<String> = received.iter().map(Json::to_string).collect();
        expected.sort();
        received.sort();
        assert_eq!(received, expected, "{first}");
        sessions += 1;
    }
    assert!(sessions >= 1);
}

/// More positions than the queue holds, in many queries: each gets one answer, the same as from
/// `probe`.
#[test]
fn every_position_gets_one_answer() {
    let tables = &solved(&["touchdown:3x3"]);
    let line = json(tables, &["line", "touchdown:3x3"]);
    let turns: Vec<&Json> = line["line"].as_array().unwrap().iter().map(|step| &step["turn"]).collect();
    let queries: Vec<Json> = (0..2_000)
        .map(|id| {
            json!({"id": id, "game": "touchdown:3x3", "turns": turns, "coordinates": "mover",
                   "analyze_turns": "all", "annotate": id % 100 == 0})
        })
        .collect();
    let (received, status) = answers(tables, &["--threads", "3"], &queries);
    assert_eq!(status, Some(0));
    assert_eq!(received.len(), queries.len() * (turns.len() + 1));
    assert!(received.len() > 10_000, "the queue was never full");
    let mut found: HashMap<(u64, usize), &Json> = HashMap::new();
    for answer in &received {
        let key = (answer["id"].as_u64().unwrap(), answer["turn_number"].as_u64().unwrap() as usize);
        assert!(found.insert(key, answer).is_none(), "a second answer: {answer}");
    }
    for (number, step) in line["line"].as_array().unwrap().iter().enumerate() {
        let answer = found[&(700, number)];
        assert_eq!(mistakes_of_answer(answer), Vec::<String>::new());
        for field in ["position", "board", "to_move", "outcome", "turns"] {
            assert_eq!(answer[field], step[field], "{answer}");
        }
        let annotation = &answer["annotation"];
        assert_eq!(annotation["turn"], step["turn"], "{annotation}");
        assert!(!annotation["mark"].as_str().unwrap().starts_with('?'), "a best line has no mistake");
        let mut probe = json(tables, &["probe", "touchdown:3x3", step["position"].as_str().unwrap()]);
        for field in ["turn_on_board", "board", "to_move"] {
            // `probe` assumes that Red is to move.
            if step["to_move"] == "second" {
                probe.as_object_mut().unwrap().remove(field);
            }
        }
        let turns = |answer: &Json| -> Vec<Json> {
            let turns = answer["turns_available"].as_array().unwrap();
            turns.iter().map(|turn| json!([turn["turn"], turn["outcome"], turn["turns"]])).collect()
        };
        assert_eq!(turns(answer), turns(&probe));
    }
    assert_eq!(found[&(700, turns.len())]["source"], "rules", "the game is over there");
}

#[test]
fn wrong_lines_are_reported_without_ending_the_session() {
    let folder = solved(&["tactics:2x2"]);
    let mut engine = Client::start(command(&folder, &["tactics:2x2"]));
    for (line, id, kind, expected) in [
        ("{", Json::Null, "usage", "the line is not JSON: EOF while parsing an object (column 1)"),
        ("[]", Json::Null, "usage", "a query must be an object"),
        ("{}", Json::Null, "usage", "every query needs an `id`"),
        ("{\"id\": 1.5}", Json::Null, "usage", "every query needs an `id`"),
        ("{\"id\": 1, \"turn\": \"a1\"}", json!(1), "usage", "unknown field `turn`"),
        (
            "{\"id\": 1, \"limit\": -1}",
            json!(1),
            "usage",
            "`limit`: invalid value: integer `-1`, expected a non-negative",
        ),
        (
            "{\"id\": 1, \"turns\": [2]}",
            json!(1),
            "usage",
            "`turns`: expected a string, or a pair of strings",
        ),
        ("{\"id\": 1, \"time\": -1}", json!(1), "usage", "`time` must be a number of seconds"),
        ("{\"id\": 1, \"analyze_turns\": []}", json!(1), "usage", "empty"),
        ("{\"id\": 1, \"analyze_turns\": [1]}", json!(1), "usage", "the game has 0 turns"),
        ("{\"id\": 1, \"line\": 20000}", json!(1), "usage", "at most 10000"),
        ("{\"id\": \"a\", \"game\": \"chess\"}", json!("a"), "game", "chess"),
        ("{\"id\": \"a\", \"position\": \"X\"}", json!("a"), "position", "X"),
        ("{\"id\": \"a\", \"turns\": [\"a1\", \"a1\"]}", json!("a"), "turn", "turn 2"),
        ("{\"id\": \"a\", \"action\": \"dance\"}", json!("a"), "usage", "dance"),
        ("{\"id\": \"a\", \"action\": \"terminate\"}", json!("a"), "usage", "`terminate_id`"),
        ("{\"id\": \"a\", \"terminate_id\": 2}", json!("a"), "usage", "\"action\": \"terminate\""),
        (&"x".repeat(2 << 20), Json::Null, "usage", "is too long"),
    ] {
        engine.say(line);
        let answer: Json = serde_json::from_str(&engine.next(TIMEOUT).unwrap()).unwrap();
        assert_eq!(mistakes_of_answer(&answer), Vec::<String>::new(), "{answer}");
        assert_eq!((&answer["id"], &answer["error"]["kind"]), (&id, &json!(kind)), "{answer}");
        assert!(answer["error"]["detail"].as_str().unwrap().contains(expected), "{answer}");
    }
    engine.say("{\"id\": 1}");
    let answer: Json = serde_json::from_str(&engine.next(TIMEOUT).unwrap()).unwrap();
    assert_eq!(answer["outcome"], "loss");
    assert_eq!(engine.close(), (vec![], Some(1)), "some lines were refused");
}

/// Turns as KataGo writes them, preceded by the player.
#[test]
fn turns_may_come_in_pairs() {
    let folder = solved(&["touchdown"]);
    let lines = [
        json!({"id": 1, "turns": [["R", "a1a2"], ["B", "d4d3"]], "limit": 0}),
        json!({"id": 2, "turns": ["a1a2", "d4d3"], "limit": 0}),
        json!({"id": 3, "turns": [["blue", "a1a2"]], "limit": 0}),
        json!({"id": 4, "turns": [["R", "a1a2"], ["R", "d4d3"]]}),
        json!({"id": 5, "turns": [["X", "a1a2"]]}),
        json!({"id": 6, "moves": [["R", "a1a2", "d4d3"]]}),
    ];
    let (found, _) = answers(&folder, &["touchdown"], &lines);
    for line in &lines[..5] {
        assert_eq!(mistakes("Query", line), Vec::<String>::new());
    }
    let of = |id: u64| found.iter().find(|answer| answer["id"] == id).unwrap().clone();
    assert_eq!((&of(1)["position"], &of(1)["to_move"]), (&of(2)["position"], &json!("first")));
    assert_eq!(of(3)["to_move"], "first", "Blue has made the turn");
    for (id, expected) in
        [(4, "turn 2: the second player is to move"), (5, "a player is `R` or `B`"), (6, "")]
    {
        assert!(of(id)["error"]["detail"].as_str().unwrap().contains(expected), "{}", of(id));
    }
}

/// Queries about more games than stay open are all answered.
#[test]
fn games_are_closed_again() {
    let folder = solved(&["tactics:2x2"]);
    let names: Vec<String> = (1..=5).flat_map(|x| (1..=6).map(move |y| format!("tactics:{x}x{y}"))).collect();
    let lines: Vec<Json> = names
        .iter()
        .chain(&names)
        .enumerate()
        .map(|(id, game)| json!({"id": id, "game": game, "limit": 0, "nodes": 10}))
        .collect();
    let (found, status) = answers(&folder, &[], &lines);
    assert_eq!((found.len(), status), (lines.len(), Some(0)), "{found:?}");
}

fn next(engine: &Client) -> Json {
    serde_json::from_str(&engine.next(TIMEOUT).unwrap()).unwrap()
}

/// A position that no search decides within the test.
fn hard(id: &str) -> Json {
    json!({"id": id, "game": "touchdown:6x6", "time": 100_000, "nodes": u64::MAX, "limit": 1})
}

#[test]
fn a_query_is_cancelled() {
    let folder = solved(&["tactics:2x2"]);
    let mut engine = Client::start(command(&folder, &["--threads", "2"]));
    let mut long = hard("long");
    long["turns"] = json!(["a1a2", "a1a2"]);
    long["analyze_turns"] = json!("all");
    engine.say(&long.to_string());
    // Two of three positions are being searched, so this one waits.
    engine.say(&json!({"id": "quick", "game": "tactics:2x2"}).to_string());
    engine.say(&long.to_string());
    let refused = next(&engine);
    assert!(refused["error"]["detail"].as_str().unwrap().contains("has no answer yet"), "{refused}");
    engine.say(&json!({"id": "t", "action": "terminate", "terminate_id": "other"}).to_string());
    assert_eq!(next(&engine)["stopped"], 0);
    engine.say(
        &json!({"id": "t", "action": "terminate", "terminate_id": "long", "turn_numbers": [2]}).to_string(),
    );
    let mut received = vec![next(&engine), next(&engine)];
    assert_eq!(received[1]["stopped"], 1, "{received:?}");
    assert_eq!((&received[0]["turn_number"], &received[0]["error"]["kind"]), (&json!(2), &json!("stopped")));
    engine.say(&json!({"id": "t", "action": "terminate", "terminate_id": "long"}).to_string());
    received = (0..4).map(|_| next(&engine)).collect();
    for answer in &received {
        assert_eq!(mistakes_of_answer(answer), Vec::<String>::new(), "{answer}");
    }
    let stopped =
        received.iter().filter(|answer| answer["id"] == "long" && answer["error"]["kind"] == "stopped");
    let mut numbers: Vec<u64> = stopped.map(|answer| answer["turn_number"].as_u64().unwrap()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [0, 1], "{received:?}");
    assert!(
        received.iter().any(|answer| answer["id"] == "quick" && answer["outcome"] == "loss"),
        "{received:?}"
    );
    assert!(received.iter().any(|answer| answer["id"] == "t" && answer["stopped"] == 2), "{received:?}");
    // Its id is free again. Then everything is cancelled.
    engine.say(&hard("long").to_string());
    engine.say("{\"id\": \"v\", \"action\": \"query_version\"}");
    assert_eq!(next(&engine)["version"], format!("retrograde {}", env!("CARGO_PKG_VERSION")));
    engine.say("{\"id\": \"none\", \"action\": \"terminate_all\", \"turn_numbers\": [9]}");
    assert_eq!(next(&engine)["stopped"], 0);
    engine.say("{\"id\": \"all\", \"action\": \"terminate_all\"}");
    let last = [next(&engine), next(&engine)];
    assert!(last.iter().any(|answer| answer["id"] == "long" && answer["error"]["kind"] == "stopped"));
    assert_eq!(engine.close(), (vec![], Some(1)), "a query was refused");
}

#[test]
fn higher_priorities_come_first() {
    let folder = solved(&["tactics:2x2"]);
    let mut engine = Client::start(command(&folder, &["--threads", "1"]));
    // The only thread always takes this one first.
    let mut first = hard("first");
    first["priority"] = json!(9);
    engine.say(&first.to_string());
    for (id, priority) in [("low", -1), ("usual", 0), ("later", 0), ("high", 5)] {
        engine.say(&json!({"id": id, "game": "tactics:2x2", "priority": priority}).to_string());
    }
    engine.say(&json!({"id": "end", "action": "terminate", "terminate_id": "first"}).to_string());
    let mut order: Vec<Json> = (0..6).map(|_| next(&engine)["id"].clone()).collect();
    order.retain(|id| id != "end");
    assert_eq!(order, ["first", "high", "usual", "later", "low"]);
    engine.close();
}

/// A client that closes the output wants no more answers.
#[test]
fn a_closed_output_ends_it() {
    let folder = solved(&["tactics:2x2"]);
    let mut child = command(&folder, &["tactics:2x2", "--threads", "2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(format!("{}\n{{\"id\": 1}}\n", hard("hard")).as_bytes()).unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    output.read_line(&mut String::new()).unwrap();
    drop(output);
    input.write_all(b"{\"id\": 2}\n").unwrap();
    // It ends even though the input stays open and a thread is working.
    let status = ended(&mut child);
    let message = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert!(status.success() && message.is_empty(), "{status}: {message}");
}

#[test]
fn wrong_options_are_rejected() {
    let folder = new_folder();
    for (arguments, expected) in [
        (&["engine"][..], "needs a GAME"),
        (&["engine", "--json", "--strength", "3"], "does not support --strength"),
        (&["engine", "--json", "chess"], "chess"),
    ] {
        common::fails(&folder, arguments, 1, expected);
    }
}

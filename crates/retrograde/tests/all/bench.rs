//! Tests of `bench`: scores on an evaluation set, compared with sums over its lines.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

use crate::common::{self, Folder, answer, fails, failure, new_folder};

/// A folder with a set of TouchDown 3 × 3, and the lines of its test split.
fn set() -> (Folder, String, Vec<Json>) {
    let folder = new_folder();
    answer(&folder, &["solve", "touchdown:3x3"]);
    let set = folder.join("set").to_str().unwrap().to_owned();
    answer(&folder, &["export", "evaluation", "touchdown:3x3", "--out", &set]);
    let text = fs::read_to_string(Path::new(&set).join("test.jsonl")).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (folder, set, lines)
}

fn bench(tables: &Path, arguments: &[&str]) -> Json {
    common::json(tables, &[&["bench", "touchdown:3x3"], arguments].concat())
}

/// Answers that choose the turn with this place in each list.
fn write_answers(path: &Path, lines: &[Json], place: impl Fn(&[Json]) -> usize) {
    let of = |line: &Json| {
        let turns = line["turns_available"].as_array().unwrap();
        json!({"position": line["position"], "turn": turns[place(turns)]["turn"]}).to_string()
    };
    fs::write(path, lines.iter().map(of).collect::<Vec<_>>().join("\n")).unwrap();
}

#[test]
fn scores_are_sums_over_the_set() {
    let (folder, set, lines) = set();
    let (best, worst) = (folder.join("best.jsonl"), folder.join("worst.jsonl"));
    write_answers(&best, &lines, |_| 0);
    write_answers(&worst, &lines, |turns| turns.len() - 1);
    let [best, worst] = [&best, &worst].map(|path| path.to_str().unwrap());
    let program = env!("CARGO_BIN_EXE_retrograde");
    let engine = format!("'{program}' engine touchdown:3x3 --tables '{}'", folder.display());
    let found =
        bench(&folder, &[&set, "perfect", &engine, "--answers", best, "--answers", worst, "--time", "5"]);
    let players = found["players"].as_array().unwrap();
    let names: Vec<&str> = players.iter().map(|player| player["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["random", best, worst, "perfect", &engine.replace('\'', "")]);
    for player in players {
        assert_eq!((&player["positions"], &player["failures"]), (&lines.len().into(), &0.into()));
    }
    for perfect in [1, 3, 4] {
        for share in ["optimal_rate", "optimal_rate_won", "outcome_kept_rate", "outcome_kept_rate_won"] {
            let measure = &players[perfect][share];
            assert_eq!((&measure["value"], &measure["high"]), (&1.0.into(), &1.0.into()), "{share}");
            assert!(measure["low"].as_f64().unwrap() > 0.5);
        }
        for regret in ["outcome_regret", "turns_regret"] {
            assert_eq!(players[perfect][regret]["value"], 0.0);
        }
    }
    // Random and the worst turns, by sums without weights or intervals.
    let rank = |turn: &Json| match turn["turn_outcome"].as_str().unwrap() {
        "win" => 1.0,
        "draw" => 0.0,
        _ => -1.0,
    };
    let value = |turn: &Json| (turn["turn_outcome"].clone(), turn["turn_turns"].clone());
    let (mut optimal, mut regret, mut worst_regret) = (0.0, 0.0, 0.0);
    for line in &lines {
        let turns = line["turns_available"].as_array().unwrap();
        let count = turns.len() as f64;
        optimal += turns.iter().filter(|turn| value(turn) == value(&turns[0])).count() as f64 / count;
        regret += turns.iter().map(|turn| rank(&turns[0]) - rank(turn)).sum::<f64>() / count;
        worst_regret += rank(&turns[0]) - rank(turns.last().unwrap());
    }
    let near = |found: &Json, sum: f64| {
        let found = found["value"].as_f64().unwrap();
        assert!((found - sum / lines.len() as f64).abs() < 1e-9, "{found} {sum}");
    };
    near(&players[0]["optimal_rate"], optimal);
    near(&players[0]["outcome_regret"], regret);
    near(&players[2]["outcome_regret"], worst_regret);
    // A sample, as text and as a table.
    let text = answer(&folder, &["bench", "touchdown:3x3", &set, "3", "--positions", "5"]);
    assert!(text.starts_with("touchdown:3x3: 5 positions of") && text.contains("best turn  "), "{text}");
    let table = answer(&folder, &["bench", "touchdown:3x3", &set, "3", "--positions", "5", "--markdown"]);
    let rows: Vec<usize> = table.lines().map(|line| line.matches(" |").count()).collect();
    assert_eq!(rows.len(), 4, "{table}");
    assert!([0, 2, 3].iter().all(|&row| rows[row] == 9), "{table}");
}

#[test]
fn programs_that_fail_lose() {
    let (folder, set, lines) = set();
    // It is ready, and answers every position with a turn that is not legal.
    let script = "while read w _; do case $w in ugi) echo ugiok;; isready) echo readyok;; go) echo bestmove zz;; \
                  quit) exit;; esac; done";
    let found = bench(&folder, &[&set, &format!("sh -c '{script}'"), "--positions", "3"]);
    let player = &found["players"][1];
    assert_eq!((&player["failures"], &player["optimal_rate"]["value"]), (&3.into(), &0.0.into()));
    assert!(player["first_failure"].as_str().unwrap().contains("zz"), "{player}");
    for (program, reason) in [("no-such-program", "cannot be started"), ("false", "is not ready")] {
        fails(&folder, &["bench", "touchdown:3x3", &set, program], 1, reason);
    }
    assert!(!lines.is_empty());
}

#[test]
fn wrong_sets_and_answers_are_reported() {
    let (folder, set, lines) = set();
    let path = folder.join("answers.jsonl");
    let file = path.to_str().unwrap();
    let refused = |text: String| {
        fs::write(&path, text).unwrap();
        failure(&folder, &["bench", "touchdown:3x3", &set, "--answers", file], 1)
    };
    write_answers(&path, &lines, |_| 0);
    let right = fs::read_to_string(&path).unwrap();
    let first = right.lines().next().unwrap();
    assert!(refused(format!("{first}\n{right}")).contains("line 2: this is the second answer"));
    assert!(refused(first.to_owned()).contains("lacks answers for"));
    assert!(refused("{}".to_owned()).contains("line 1: missing field `position` (column 2)"));
    assert!(refused("a1a2".to_owned()).contains("line 1: this is not JSON: expected value (column 1)"));
    let position = &lines[0]["position"];
    assert!(refused(json!({"position": position, "turn": "a9a9"}).to_string()).contains("line 1: "));
    assert!(refused(json!({"position": "?", "turn": "a9a9"}).to_string()).contains("line 1: "));
    let wrong = |game: &str, code: i32| failure(&folder, &["bench", game, &set], code);
    assert!(wrong("touchdown:4x4", 1).contains("test.jsonl”, line 1: "));
    assert!(wrong("chess", 1).contains("chess"));
    let test = Path::new(&set).join("test.jsonl");
    let text = fs::read_to_string(&test).unwrap().replacen("win", "draw", 1);
    fs::write(&test, text).unwrap();
    assert!(wrong("touchdown:3x3", 1).contains("its SHA-256 is not the one in SHA256SUMS"));
    fs::remove_file(Path::new(&set).join("SHA256SUMS")).unwrap();
    assert!(wrong("touchdown:3x3", 1).contains("SHA256SUMS"));
}

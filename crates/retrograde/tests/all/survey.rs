//! Tests of `survey`: its figures are those of `solve`, `stats`, `probe` and `puzzles`.

use std::path::Path;

use serde_json::Value as Json;

use crate::common::{self, answer, fails, failure, new_folder, program, run, run_with_input, solved};

/// The objects that `survey --json` prints.
fn surveyed(tables: &Path, arguments: &[&str]) -> Vec<Json> {
    objects(tables, &[&["survey"], arguments].concat())
}

/// The objects that a command prints, which may be none.
fn objects(tables: &Path, arguments: &[&str]) -> Vec<Json> {
    let output = run(tables, &[arguments, &["--json"]].concat());
    common::objects(&String::from_utf8(output.stdout).unwrap())
}

/// Everything that does not depend on the time.
fn timeless(mut row: Json) -> Json {
    let fields = row.as_object_mut().unwrap();
    fields.remove("seconds");
    fields.remove("result");
    for phase in fields.get_mut("phases").and_then(Json::as_array_mut).into_iter().flatten() {
        phase.as_object_mut().unwrap().remove("seconds");
    }
    row
}

/// The same values and counts as separate solves of each variant, with or without tables.
#[test]
fn figures_are_those_of_separate_solves() {
    let names = [
        "tactics:2x2",
        "tactics:2x3",
        "tactics:3x2",
        "tactics:3x3",
        "touchdown:3x3",
        "pushfight:mini,pushers=1,pawns=1,moves=0",
        "pushfight:mini,pushers=1,pawns=1,moves=2",
    ];
    let patterns = ["tactics:{2,3}x{2..3}", "touchdown:3x3", "pushfight:mini,pushers=1,pawns=1,moves={0,2}"];
    let empty = new_folder();
    let all = [&["--sample", "1000000000"], &patterns[..]].concat();
    let rows = surveyed(&empty, &all);
    let found: Vec<&str> = rows.iter().map(|row| row["variant"].as_str().unwrap()).collect();
    assert_eq!(found, names);
    assert_eq!(std::fs::read_dir(&*empty).unwrap().count(), 0, "no tables without --keep");

    let tables = solved(&names);
    let tables = &tables;
    for (row, name) in rows.iter().zip(names) {
        let statistics = &objects(tables, &["stats", name])[0];
        for key in ["game", "positions", "wins", "losses", "draws", "start", "by_turns", "counted"] {
            assert_eq!(row[key], statistics[key], "{name}: {key}");
        }
        let start = &objects(tables, &["probe", name])[0];
        let turns = start["turns_available"].as_array().unwrap();
        let hold = turns.iter().filter(|turn| turn["outcome"] == start["outcome"]).count();
        assert_eq!((&row["first_turns"], &row["first_turns_that_hold"]), (&turns.len().into(), &hold.into()));
        let winner = match (start["outcome"].as_str().unwrap(), start["to_move"].as_str().unwrap()) {
            ("draw", _) => Json::Null,
            ("win", player) => player.into(),
            (_, "first") => "second".into(),
            (_, _) => "first".into(),
        };
        assert_eq!(row["winner"], winner, "{name}");
        let longest = statistics["by_turns"]["win"].as_object().unwrap().keys();
        let longest = longest.map(|turns| turns.parse::<u16>().unwrap()).max();
        assert_eq!(row["longest_win"], serde_json::json!(longest), "{name}");

        let puzzles = |kind| {
            let all = ["puzzles", name, "--kind", kind, "--limit", "1000000000"];
            let mut puzzles = objects(tables, &all);
            // Those of one turn come with the others only if they are requested.
            if puzzles.iter().any(|puzzle| puzzle["turns"] != 1) {
                puzzles.extend(objects(tables, &[&all[..], &["--turns", "1"]].concat()));
            }
            puzzles
        };
        // Lost positions can be puzzles, but no turn keeps a result there.
        let saves = puzzles("save").iter().filter(|puzzle| puzzle["outcome"] == "draw").count();
        let only = &row["only_turns"];
        assert_eq!(only["only_turn"], puzzles("win").len() + saves, "{name}");
        assert_eq!(only["all"], true);
        assert!(only["choices"].as_u64().unwrap() <= only["looked_at"].as_u64().unwrap(), "{row}");
    }
    // The tables give the same rows.
    let again: Vec<Json> = surveyed(tables, &all).into_iter().map(timeless).collect();
    assert_eq!(again, rows.into_iter().map(timeless).collect::<Vec<_>>());
}

/// Counts choices and only turns from the values of all turns, position by position.
#[test]
fn only_turns_are_counted_among_choices() {
    let tables = solved(&["tactics:2x3"]);
    let row = &surveyed(&tables, &["tactics:2x3"])[0];
    let cell = |cells: u32, cell: u32| if cells >> cell & 1 == 1 { 'X' } else { '_' };
    let input: String =
        (0..64_u32).flat_map(|cells| (0..6).map(move |at| cell(cells, at)).chain(['\n'])).collect();
    let mut command = program();
    command.args(["probe", "tactics:2x3", "-", "--json", "--tables"]).arg(&*tables);
    let output = String::from_utf8(run_with_input(command, &input).stdout).unwrap();
    let (mut positions, mut choices, mut only) = (0, 0, 0);
    for line in output.lines() {
        let probe: Json = serde_json::from_str(line).unwrap();
        let turns = probe["turns_available"].as_array().unwrap();
        let holding = turns.iter().filter(|turn| turn["outcome"] == probe["outcome"]).count();
        positions += 1;
        if probe["outcome"] != "loss" && turns.len() > 1 {
            choices += 1;
            only += u32::from(holding == 1);
        }
    }
    assert!(positions == 64 && only > 0 && choices > only, "{positions} {choices} {only}");
    assert_eq!(
        (&row["only_turns"]["choices"], &row["only_turns"]["only_turn"]),
        (&choices.into(), &only.into())
    );
}

#[test]
fn samples_are_the_same_in_every_run_and_near_the_truth() {
    let tables = new_folder();
    let share = |sample: &str| {
        let row = surveyed(&tables, &["touchdown:4x3", "--sample", sample]).remove(0);
        let only = &row["only_turns"];
        let number = |key: &str| only[key].as_f64().unwrap();
        (number("only_turn") / number("choices"), only.clone())
    };
    let (exact, all) = share("1000000000");
    let (estimate, some) = share("3000");
    assert_eq!((&all["all"], &some["all"]), (&true.into(), &false.into()));
    assert_eq!(some, share("3000").1);
    assert!((exact - estimate).abs() < 0.05, "{exact} {estimate}");
    assert_eq!(surveyed(&tables, &["tactics:2x2", "--sample", "0"])[0].get("only_turns"), None);
}

#[test]
fn unknown_and_oversized_variants_are_listed_with_the_reason() {
    let tables = new_folder();
    let rows = surveyed(&tables, &["pushfight:mini,pushers={1,9},pawns=1", "touchdown:8x6"]);
    assert_eq!((rows[0]["positions"].as_u64() > Some(1000), rows.len()), (true, 3), "{rows:?}");
    let reason = |row: &Json| row["left_out"].as_str().unwrap().to_owned();
    assert!(!reason(&rows[1]).contains("“"), "the name is in the row: {}", reason(&rows[1]));
    assert!(reason(&rows[2]).starts_with("No table "), "{}", reason(&rows[2]));

    let text = answer(&tables, &["survey", "pushfight:mini,pushers={1,9},pawns=1", "touchdown:8x6"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1], "pushfight:mini,pushers={1,9},pawns=1", "{text}");
    assert!(lines[2].starts_with("  pushers=1 "), "{text}");
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{text}");

    // If no variant has figures there is no result.
    let output = run(&tables, &["survey", "touchdown:8x6"]);
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn malformed_patterns_are_rejected_with_the_place() {
    let tables = new_folder();
    let refused = |arguments: &[&str]| failure(&tables, &[&["survey"], arguments].concat(), 1);
    let message = refused(&["tactics:{2..x}x2"]);
    assert!(message.contains("found 'x' at character 13, expected a whole number"), "{message}");
    assert!(refused(&["tactics:{2x2"]).contains("ends too early, expected `}`"));
    let message = refused(&["tactics:{1..100}x{1..100}"]);
    assert!(message.contains("10,000 variants, and a survey can have at most 1,000"), "{message}");
    let message = refused(&["tactics:{1..1000}x2", "tactics:2x2"]);
    assert!(message.contains("1,001 variants"), "{message}");
    assert!(refused(&["tactcs:{2,3}x2"]).contains("did you mean `tactics:2x2`?"));
}

/// `--keep` writes the tables of `solve`, and `--out` the rows as CSV.
#[test]
fn tables_and_csv_are_written_on_request() {
    let tables = new_folder();
    let file = tables.join("rows.csv");
    let out = file.to_str().unwrap();
    let games = ["survey", "tactics:2x2", "pushfight:mini,pushers=1,pawns={1,2,9},moves=0"];
    answer(&tables, &[&games[..], &["--keep", "--out", out]].concat());
    for game in ["tactics:2x2", "pushfight:mini,pushers=1,pawns=2,moves=0"] {
        let solved = &objects(&tables, &["solve", game])[0];
        assert_eq!(solved["result"], "already-solved", "{game}");
    }
    let text = std::fs::read_to_string(&file).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let header = &rows[0];
    assert_eq!((header[0], *header.last().unwrap(), rows.len()), ("variant", "left_out", 5), "{text}");
    assert!(
        text.lines().nth(1).unwrap().starts_with("tactics:2x2,tactics:2x2,second,3,positions,16,"),
        "{text}"
    );
    let last = text.lines().nth(4).unwrap();
    assert!(last.contains("pawns=9") && !last.ends_with(','), "{text}");
    assert!(text.contains("\n\"pushfight:mini,pushers=1,pawns=1,moves=0\","), "names are quoted: {text}");
    // An existing file is kept.
    fails(&tables, &[&games[..], &["--out", out]].concat(), 1, "--force");
}

#[cfg(unix)]
#[test]
fn a_stopped_survey_keeps_its_finished_rows() {
    use crate::common::{signal, wait_for};
    use std::process::Stdio;

    let tables = &new_folder();
    let file = tables.join("rows.csv");
    let mut command = program();
    command.args(["survey", "tactics:2x2", "touchdown:5x4", "--tables"]).arg(&**tables);
    command.arg("--out").arg(&file).args(["--threads", "1"]);
    command
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .stdout(std::fs::File::create(tables.join("out")).unwrap());
    let child = command.spawn().unwrap();
    let printed = || std::fs::read_to_string(tables.join("out")).unwrap();
    wait_for("the first row", || printed().contains("tactics:2x2 "));
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(printed().contains("start: the winner"), "{}", printed());
    assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 2);
}

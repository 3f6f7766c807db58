//! Tests of `solve --with-wins`, which writes the wins of a large Push Fight board to a second file
//! next to the losses.

use std::fs;
use std::path::Path;

use serde_json::Value as Json;

use crate::common::{self, answer, json, list, new_folder, prints, run};

const GAME: &str = "pushfight:mini,pushers=2,pawns=1";
const FOLDER: &str = "pushfight_mini+pawns-1";
const SMALL: &str = "pushfight:mini,pushers=1,pawns=1";
/// A low memory limit.
const MEMORY: &str = "--memory=18M";

/// The error of a failing command, on one line.
fn failure(tables: &Path, arguments: &[&str], code: i32) -> String {
    common::failure(tables, arguments, code).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn names(tables: &Path) -> Vec<String> {
    common::names(&tables.join(FOLDER))
}

#[test]
fn all_answers_match_a_table() {
    same_as_a_table(&[]);
}

#[test]
fn with_wins_all_answers_match_a_table() {
    same_as_a_table(&["--with-wins"]);
}

fn same_as_a_table(wins: &[&str]) {
    let (table, files) = (&new_folder(), &new_folder());
    answer(table, &["solve", GAME]);
    let solved = json(files, &[&["solve", GAME, MEMORY], wins].concat());
    assert_eq!(solved["counted"], "plausible positions");
    let all = ["lock", "losses.rgp", "placements", "times.json", "wins.rgp"];
    assert_eq!(names(files), all[..all.len() - usize::from(wins.is_empty())]);
    let both = |arguments: &[&str]| {
        let (one, other) = (json(table, arguments), json(files, arguments));
        assert_eq!(one, other, "{arguments:?}");
        one
    };
    both(&["probe", GAME]);
    for place in ["1000", "5003", "77777", "250001", "500002"] {
        let position = both(&["position", GAME, place])["position"].as_str().unwrap().to_owned();
        both(&["probe", GAME, &position]);
    }
    // Wins in any number of turns are found.
    let longest = solved["by_turns"]["win"]
        .as_object()
        .unwrap()
        .keys()
        .map(|turns| turns.parse::<u16>().unwrap())
        .max();
    for turns in [1, 3, 5, 7, longest.unwrap()] {
        for random in [&[][..], &["--random"]] {
            let turns = turns.to_string();
            let find = ["find", GAME, "--outcome", "win", "--turns", &turns, "--limit", "3"];
            let found = list(files, &[&find[..], random].concat());
            assert!(!found.is_empty(), "{turns}");
            for found in found {
                let probe = both(&["probe", GAME, found["position"].as_str().unwrap()]);
                assert_eq!(probe["outcome"], "win");
                assert_eq!(probe["turns"].to_string(), turns);
            }
        }
    }
    let turns = longest.unwrap().to_string();
    let found = json(files, &["find", GAME, "--outcome", "win", "--turns", &turns, "--limit", "1"]);
    let line = both(&["line", GAME, found["position"].as_str().unwrap()]);
    assert_eq!(line["line"].as_array().unwrap().len().to_string(), turns);
    let puzzle = json(files, &["puzzles", GAME, "--seed", "3", "--limit", "1", "--turns", "5"]);
    both(&["probe", GAME, puzzle["position"].as_str().unwrap()]);
    let export = |tables: &Path, form: &str| {
        let out = tables.join("out.bin");
        let export = ["export", GAME, "--format", form, "--chunk", "0", "--force", "--out"];
        answer(tables, &[&export[..], &[out.to_str().unwrap()]].concat());
        fs::read(out).unwrap()
    };
    for form in ["phase0", "phase:2", "merged"] {
        assert!(export(table, form) == export(files, form), "{form}");
    }
    // The value of each position is derived from its turns.
    let verified = json(files, &["verify", GAME]);
    assert_eq!((&verified["error_count"], &verified["positions"]), (&0.into(), &200.into()));
    answer(files, &[&["solve", SMALL, MEMORY], wins].concat());
    let verified = json(files, &["verify", SMALL, "--full"]);
    assert!(verified["positions"].as_u64().unwrap() > 7_000, "{verified}");
    assert_eq!((&verified["error_count"], &verified["proved"]), (&0.into(), &true.into()));
}

#[test]
fn the_whole_minimized_file_is_a_stream_with_a_digest() {
    /// Unlike the small boards above, it has minimized numbers.
    const GAME: &str = "pushfight:twocolumn,pushers=1,pawns=1";
    let (table, files) = (&new_folder(), &new_folder());
    answer(table, &["solve", GAME]);
    answer(files, &["solve", GAME, MEMORY, "--with-wins"]);
    let out = table.join("out.bin");
    let export = ["export", GAME, "--format", "minimized"];
    let of_table = json(table, &[&export[..], &["--out", out.to_str().unwrap()]].concat());
    // Only the digest, computed in another way.
    let of_files = json(files, &[&export[..], &["--sha256"]].concat());
    for key in ["sha256", "bytes", "counts"] {
        assert_eq!(of_table[key], of_files[key], "{key}");
    }
    let bytes = fs::read(&out).unwrap();
    let counted = of_files["counts"].as_object().unwrap();
    for (byte, count) in counted {
        let byte: u8 = byte.parse().unwrap();
        let found = bytes.iter().filter(|&&found| found == byte).count();
        assert_eq!(count.as_u64(), Some(found as u64), "{byte}");
    }
    assert!(counted.len() > 3, "{counted:?}");
    // Through a pipe, whole and from an index; to a file.
    let piped = run(files, &[&export[..], &["--out", "/dev/stdout"]].concat());
    assert!(piped.status.success() && piped.stdout == bytes);
    assert!(String::from_utf8_lossy(&piped.stderr).contains(of_files["sha256"].as_str().unwrap()));
    let rest = run(files, &[&export[..], &["--from", "777", "--out", "/dev/stdout"]].concat());
    assert!(rest.status.success() && rest.stdout == bytes[777..]);
    answer(files, &[&export[..], &["--out", out.to_str().unwrap(), "--force"]].concat());
    assert_eq!(fs::read(&out).unwrap(), bytes);
    // Nothing is left behind.
    assert_eq!(fs::read_dir(&**table).unwrap().count(), 2);
    let left: Vec<_> = fs::read_dir(files.join("pushfight_twocolumn+pushers-1+pawns-1"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| name.to_string_lossy().contains("digest"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn wins_are_added_kept_and_removed() {
    let tables = &new_folder();
    let wins = tables.join(FOLDER).join("wins.rgp");
    answer(tables, &["solve", GAME, MEMORY, "--keep-work"]);
    assert!(!wins.exists() && names(tables).iter().any(|name| name.starts_with("phase-")));
    // The wins are made from the logs, with any memory.
    prints(tables, &["solve", GAME, "--with-wins"], "394,560 plausible positions");
    assert_eq!(names(tables), ["lock", "losses.rgp", "placements", "times.json", "wins.rgp"]);
    let made = fs::read(&wins).unwrap();
    // They are kept even without `--with-wins`.
    answer(tables, &["solve", GAME, MEMORY]);
    answer(tables, &["solve", GAME, "--with-wins"]);
    assert!(fs::read(&wins).unwrap() == made);
    let blocks = |tables: &Path| json(tables, &["verify", GAME, "--sample", "5"])["blocks"].as_u64().unwrap();
    let with = blocks(tables);

    // A flipped bit causes an error, never a wrong value.
    let mut bytes = made.clone();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&wins, &bytes).unwrap();
    let verified = run(tables, &["verify", GAME, "--sample", "5", "--json"]);
    assert_eq!(verified.status.code(), Some(1));
    let verified: Json = serde_json::from_slice(&verified.stdout).unwrap();
    let output = verified["errors"][0].as_str().unwrap();
    assert!(output.contains("wins.rgp is damaged in block"), "{output}");

    // The next solve reports and repairs it, even without `--with-wins`.
    let solved = run(tables, &["solve", GAME]);
    let (out, err) = (String::from_utf8_lossy(&solved.stdout), String::from_utf8_lossy(&solved.stderr));
    assert!(err.contains("note: ") && err.contains("wins.rgp is damaged in block"), "{err}");
    assert!(out.contains("The table was damaged; solved again"), "{out}");
    assert!(fs::read(&wins).unwrap() == made);
    assert!(answer(tables, &["solve", GAME]).contains("There is already a complete table in"));

    // Without logs the same wins are made from the losses.
    fs::remove_file(&wins).unwrap();
    // Two blocks contain the placements.
    assert_eq!(2 * (blocks(tables) - 2), with - 2);
    answer(tables, &["solve", GAME, "--with-wins"]);
    assert_eq!(names(tables), ["lock", "losses.rgp", "placements", "times.json", "wins.rgp"]);
    assert!(fs::read(&wins).unwrap() == made);

    // Wins of another solve are rejected.
    fs::write(&wins, &made).unwrap();
    answer(tables, &["probe", GAME]);
    answer(tables, &["solve", GAME, MEMORY, "--again", "--max-turns", "5"]);
    assert!(!wins.exists());
    fs::write(&wins, &made).unwrap();
    for command in ["probe", "solve", "verify"] {
        let output = failure(tables, &[command, GAME], 1);
        assert!(output.contains("wins.rgp belongs to another solve"), "{output}");
    }
    answer(tables, &["solve", GAME, MEMORY, "--again", "--with-wins"]);
    assert_eq!(blocks(tables), with);
    answer(tables, &["solve", GAME, MEMORY, "--again"]);
    assert!(!wins.exists());
}

#[test]
fn all_positions_are_counted_as_in_a_table() {
    let files = new_folder();
    let files = &files;
    let expected: Json = serde_json::from_str(ALL).unwrap();
    answer(files, &["solve", GAME, MEMORY]);
    assert!(json(files, &["stats", GAME])["all_positions"].is_null());
    let output = failure(files, &["stats", GAME, "--all-positions", "--memory", "1M"], 1);
    assert!(output.contains("this needs") && output.contains("1.0 MB may be used"), "{output}");
    let counted = json(files, &["stats", GAME, "--all-positions"]);
    let all = &counted["all_positions"];
    assert_eq!(all, &expected);
    // From then on they are stored.
    assert_eq!(names(files), ["lock", "losses.rgp", "others.json", "placements", "times.json"]);
    assert_eq!(json(files, &["stats", GAME]), counted);
    let output = answer(files, &["stats", GAME]);
    assert!(output.contains("All 1,081,080 positions: "), "{output}");
    assert!(output.lines().all(|line| line.chars().count() <= 80), "{output}");
    // Another solution does not have them.
    answer(files, &["solve", GAME, MEMORY, "--again", "--max-turns", "3"]);
    assert!(json(files, &["stats", GAME])["all_positions"].is_null());
    let within = json(files, &["stats", GAME, "--all-positions"]);
    let within = &within["all_positions"];
    assert_eq!(within["positions"], expected["positions"]);
    assert_eq!(within["draws"], 0);
    for turns in ["0", "2"] {
        assert_eq!(within["by_turns"]["loss"][turns], expected["by_turns"]["loss"][turns]);
    }
    let decided = within["wins"].as_u64().unwrap() + within["losses"].as_u64().unwrap();
    assert_eq!(within["unknown"].as_u64().unwrap(), expected["positions"].as_u64().unwrap() - decided);
}

/// The counts of all positions after the first push, as another solver found them, with a table.
const ALL: &str = r#"{
 "positions": 1081080,
 "wins": 911444,
 "losses": 46788,
 "draws": 122848,
 "by_turns": {
    "win": {
     "1": 699848,
     "3": 165292,
     "5": 33170,
     "7": 9454,
     "9": 2572,
     "11": 912,
     "13": 196
    },
    "loss": {
     "0": 260,
     "2": 27356,
     "4": 8712,
     "6": 9052,
     "8": 816,
     "10": 344,
     "12": 52,
     "14": 196
    }
 }
}"#;

#[test]
fn a_full_check_proves_the_files() {
    let tables = &new_folder();
    for wins in [&[][..], &["--with-wins"]] {
        answer(tables, &[&["solve", GAME, MEMORY, "--again"], wins].concat());
        let verified = json(tables, &["verify", GAME, "--full"]);
        assert_eq!((&verified["error_count"], &verified["proved"]), (&0.into(), &true.into()));
        assert!(verified["positions"].as_u64().unwrap() > 394_560, "{verified}");
    }
    // No other process may work in the folder at the same time.
    let lock = fs::File::options().write(true).open(tables.join(FOLDER).join("lock")).unwrap();
    lock.lock().unwrap();
    for command in [&["verify", GAME, "--full"][..], &["stats", GAME, "--all-positions"]] {
        let message = failure(tables, command, 1);
        assert!(message.contains("another process"), "{message}");
    }
    drop(lock);
    // If it cannot be done in bulk, it does not start position by position.
    let message = failure(tables, &["verify", GAME, "--full", "--memory", "1M"], 1);
    assert!(message.contains("this needs") && message.contains("1.0 MB may be used"), "{message}");
    // A partial solution is proved as far as it goes.
    for phases in ["1", "3", "4"] {
        answer(tables, &["solve", GAME, MEMORY, "--max-turns", phases, "--again"]);
        let verified = json(tables, &["verify", GAME, "--full"]);
        assert_eq!((&verified["error_count"], &verified["proved"]), (&0.into(), &true.into()));
    }
}

#[test]
fn chunks_of_a_partly_solved_board_have_known_values() {
    let [whole, some, table] = [(); 3].map(|()| new_folder());
    answer(&whole, &["solve", GAME, MEMORY]);
    answer(&some, &["solve", GAME, MEMORY, "--max-turns", "3"]);
    answer(&table, &["solve", GAME, "--max-turns", "3"]);
    let export = |tables: &Path, form: &str| {
        let out = tables.join("out.bin");
        let parts = ["export", GAME, "--format", form, "--chunk", "0", "--out", out.to_str().unwrap()];
        answer(tables, &[&parts[..], &["--force"]].concat());
        fs::read(out).unwrap()
    };
    for form in ["phase0", "phase:1", "phase:2"] {
        let right = export(&whole, form);
        assert!(export(&some, form) == right && export(&table, form) == right, "{form}");
    }
    for (form, needs) in [("phase:3", "4 turns"), ("merged", "all turns")] {
        for tables in [&some, &table] {
            let out = tables.join("none.bin");
            let parts = ["export", GAME, "--format", form, "--out", out.to_str().unwrap()];
            let output = failure(tables, &parts, 1);
            assert!(output.contains(needs) && output.contains("solved up to 3"), "{output}");
            assert!(!out.exists());
        }
    }
    // It may still contain longer wins.
    for asked in [&["find", GAME, "--outcome", "win", "--turns", "7"][..], &["puzzles", GAME, "--turns", "7"]]
    {
        for tables in [&some, &table] {
            let output = failure(tables, asked, 3).replace('\n', " ");
            assert!(
                output.starts_with("There is no such p") && output.contains("solved up to 3 turns"),
                "{output}"
            );
        }
        let output = run(&whole, asked);
        assert!(!String::from_utf8_lossy(&output.stderr).contains("solved up to"));
    }
}

#[test]
fn with_wins_is_rejected_where_it_has_no_effect() {
    let tables = &new_folder();
    for game in ["tactics", "touchdown"] {
        let message = failure(tables, &["solve", game, "--with-wins"], 1);
        assert!(
            message.contains("--with-wins is only for games whose solver stores just the losses"),
            "{message}"
        );
        let plan = json(tables, &["plan", game, "--with-wins"]);
        assert_eq!(plan["fits"], false);
        assert!(plan["advice"].as_str().unwrap().contains("has wins anyway"), "{plan}");
    }
    assert_eq!(fs::read_dir(&**tables).unwrap().count(), 0);
    let message = failure(tables, &["solve", "touchdown", "--with-wins", "--processes", "2"], 1);
    assert!(message.contains("has wins anyway"), "{message}");

    let disk = |plan: &Json| plan["disk"].as_u64().unwrap();
    // Blocks take most of the 254,195 bytes of a small board.
    let small = json(tables, &["plan", "pushfight:mini"]);
    assert!((254_195..350_000).contains(&disk(&small)), "{small}");
    let plan = |more: &[&str]| json(tables, &[&["plan", "pushfight", "--memory", "20G"], more].concat());
    let (without, with) = (plan(&[]), plan(&["--with-wins"]));
    // The file has 2,803,101,926 bytes.
    assert!((2_803_101_926..3_500_000_000).contains(&(disk(&with) - disk(&without))), "{with}");
    assert!(without["advice"].as_str().unwrap().contains("--with-wins"), "{without}");
    assert!(with["advice"].as_str().unwrap().contains("solve pushfight:standard --with-wins"), "{with}");
}

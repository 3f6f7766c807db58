//! Tests with a made-up game whose values are known.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use retrograde_game::{Outcome, Seat};
use retrograde_solve::Silent;
use retrograde_testkit::tempdir;
use sha2::{Digest, Sha256};

use super::set::*;
use super::{draw, files};
use crate::testing::Heaps;
use crate::{Entry, OpenGame, SolveOptions};

fn solved() -> OpenGame {
    let game = Entry::new(Heaps::default(), "Two heaps.").symmetries().build();
    game.solve_in_memory(&SolveOptions::default(), &Silent).unwrap()
}

fn options(positions: u64, rules: &[DrawRule]) -> EvaluationOptions {
    EvaluationOptions { positions, seed: 1, rules: rules.to_vec(), formats: vec![RowsFormat::JsonLines] }
}

fn drawn(options: &EvaluationOptions) -> Vec<EvaluationRow> {
    draw::draw(&solved(), options, &mut |_| true).unwrap()
}

/// The theoretical value of such heaps: lost if both have the same remainder modulo three.
fn is_lost(position: &str) -> bool {
    let [left, right] = position.as_bytes() else { panic!("{position}") };
    (left - b'0') % 3 == (right - b'0') % 3
}

#[test]
fn no_two_positions_are_images_of_each_other_and_all_turns_have_values() {
    let rows = drawn(&options(1000, &DrawRule::ALL));
    // There are 55 heaps up to their order, one of them without a turn. Together the rules draw all the
    // others.
    assert_eq!(rows.len(), 54);
    let orbits: BTreeSet<&str> = rows.iter().map(|row| row.orbit.as_str()).collect();
    assert_eq!(orbits.len(), rows.len());
    for row in &rows {
        let mut images = [row.position.clone(), row.position.chars().rev().collect()];
        images.sort();
        assert_eq!(row.orbit, images[0]);
        assert_eq!(row.outcome, if is_lost(&row.position) { Outcome::Loss } else { Outcome::Win }, "{row:?}");
        let digits = row.position.bytes().map(|digit| usize::from(digit - b'0').min(2));
        let plane = |is: fn(u8) -> bool| -> Vec<Vec<u8>> {
            vec![row.position.bytes().map(|digit| is(digit - b'0').into()).collect()]
        };
        assert_eq!(row.planes, [plane(|heap| heap > 0), plane(|heap| heap % 2 == 1)]);
        assert_eq!(row.turns_available.len(), digits.sum::<usize>(), "{row:?}");
        for turn in &row.turns_available {
            let right = if is_lost(&turn.turn_position) { Outcome::Win } else { Outcome::Loss };
            assert_eq!(turn.turn_outcome, right, "{row:?}");
        }
        let best = &row.turns_available[0];
        let best = (best.turn_outcome, best.turn_turns);
        assert_eq!(best, (row.outcome, row.turns), "the best turn is the first");
    }
}

#[test]
fn rules_draw_what_they_say() {
    let balanced = drawn(&options(20, &[DrawRule::Balanced]));
    let wins = balanced.iter().filter(|row| row.outcome == Outcome::Win).count();
    assert_eq!((balanced.len(), wins), (20, 10));

    let mut by_depth: BTreeMap<_, usize> = BTreeMap::new();
    for row in drawn(&options(24, &[DrawRule::Depth])) {
        *by_depth.entry((row.outcome, row.turns)).or_default() += 1;
    }
    // Wins in 1, 3 to 11 turns and losses in 2 to 12: every depth is there, and all rare positions are
    // taken.
    let (least, most) = (by_depth.values().min().unwrap(), by_depth.values().max().unwrap());
    assert!(by_depth.len() >= 10 && most - least <= 2, "{by_depth:?}");

    // All of them are drawn, and nothing else, as checked by visiting every position.
    let only = drawn(&options(1000, &[DrawRule::OnlyMove]));
    let drawn: BTreeSet<String> = only.into_iter().map(|row| row.orbit).collect();
    let game = solved();
    let limits = crate::SearchLimits::default();
    let mut expected = BTreeSet::new();
    for (left, right) in (0..10).flat_map(|left| (left..10).map(move |right| (left, right))) {
        let position = format!("{left}{right}");
        let probe = game.probe(&position, Seat::First, &limits).unwrap();
        let is_right = |turn: &&crate::TurnValue| match probe.position.verdict.outcome {
            "win" => turn.verdict.outcome == "win",
            _ => turn.verdict == probe.position.verdict,
        };
        let right_turns = probe.turns_available.iter().filter(is_right).count();
        if right_turns == 1 && probe.turns_available.len() > 1 {
            expected.insert(position);
        }
    }
    assert!(!expected.is_empty());
    assert_eq!(drawn, expected);
}

#[test]
fn a_seed_gives_the_same_bytes_and_sets_of_other_seeds_split_alike() {
    let (game, folder) = (solved(), tempdir().unwrap());
    let written = |name: &str, seed: u64| {
        let out = folder.path().join(name);
        let options = EvaluationOptions { seed, ..options(30, &DrawRule::ALL) };
        let set = game.export_evaluation(&out, &options, &mut |_| true).unwrap();
        let mut rows = BTreeMap::new();
        for file in &set.files {
            let bytes = fs::read(out.join(&file.name)).unwrap();
            let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!((bytes.len() as u64, digest), (file.bytes, file.sha256.clone()));
            let lines = String::from_utf8(bytes).unwrap();
            assert_eq!(lines.lines().count() as u64, file.rows);
            for line in lines.lines() {
                let row: serde_json::Value = serde_json::from_str(line).unwrap();
                let before = rows.insert(row["orbit"].as_str().unwrap().to_owned(), file.split.word());
                assert_eq!(before, None, "{line}");
            }
        }
        assert_eq!(rows.len() as u64, set.rows);
        let sums = fs::read_to_string(out.join("SHA256SUMS")).unwrap();
        assert_eq!(sums.lines().count(), set.files.len() + 1);
        let card = fs::read_to_string(out.join("README.md")).unwrap();
        assert!(card.contains(&format!("--positions 30 --seed {seed}")), "{card}");
        assert!(set.files.iter().all(|file| card.contains(&file.sha256)), "{card}");
        assert!(card.contains("No two positions are images"), "{card}");
        let yaml = card.strip_prefix("---\n").and_then(|card| card.split_once("\n---\n")).unwrap().0;
        assert!(yaml.contains("license: mit\n") && yaml.contains("size_categories:\n- n<1K\n"), "{yaml}");
        let train = "- config_name: jsonl\n  data_files:\n  - split: train\n    path: train.jsonl\n";
        assert!(yaml.contains(train), "{yaml}");
        (set, rows)
    };
    let (first, first_rows) = written("first", 1);
    assert_eq!(first, written("again", 1).0);
    let (other, other_rows) = written("other", 2);
    assert_ne!(first.files, other.files);
    let shared: Vec<_> = first_rows.iter().filter(|(orbit, _)| other_rows.contains_key(*orbit)).collect();
    assert!(!shared.is_empty());
    assert!(shared.iter().all(|(orbit, split)| other_rows[*orbit] == **split));
    // Nothing else was left behind.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn failed_writes_leave_no_files() {
    let (game, folder) = (solved(), tempdir().unwrap());
    let out = folder.path().join("set");
    let write = |out: &std::path::Path, go_on: bool| {
        game.export_evaluation(out, &options(30, &DrawRule::ALL), &mut |_| go_on).unwrap_err().to_string()
    };
    assert_eq!(write(&out, false), "stopped");
    let nowhere = folder.path().join("none/set");
    assert!(write(&nowhere, true).contains("there is no folder"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    fs::create_dir(&out).unwrap();
    fs::write(out.join("mine"), "mine").unwrap();
    assert!(write(&out, true).contains("already exists"));
    assert_eq!(fs::read_to_string(out.join("mine")).unwrap(), "mine");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_has_the_same_rows_as_json_lines() {
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::{Field, Row};
    use serde_json::{Value, json};

    fn object(row: &Row) -> Value {
        row.get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect()
    }
    fn value(field: &Field) -> Value {
        match field {
            Field::Null => Value::Null,
            Field::Str(text) => json!(text),
            Field::ULong(number) => json!(number),
            Field::UShort(number) => json!(number),
            Field::UByte(number) => json!(number),
            Field::Group(row) => object(row),
            Field::ListInternal(list) => list.elements().iter().map(value).collect(),
            other => panic!("{other:?}"),
        }
    }

    let (game, folder) = (solved(), tempdir().unwrap());
    let out = folder.path().join("set");
    let both = vec![RowsFormat::JsonLines, RowsFormat::Parquet];
    let options = EvaluationOptions { formats: both, ..options(40, &DrawRule::ALL) };
    let set = game.export_evaluation(&out, &options, &mut |_| true).unwrap();
    assert_eq!(set.files.len(), 6);
    for split in Split::ALL {
        let lines = fs::read_to_string(out.join(format!("{}.jsonl", split.word()))).unwrap();
        let file = fs::File::open(out.join(format!("{}.parquet", split.word()))).unwrap();
        let read = SerializedFileReader::new(file).unwrap();
        let rows: Vec<_> = read.get_row_iter(None).unwrap().map(|row| object(&row.unwrap())).collect();
        assert_eq!(rows.len(), lines.lines().count());
        for (row, line) in rows.into_iter().zip(lines.lines()) {
            let mut expected: Value = serde_json::from_str(line).unwrap();
            // In Parquet the planes are one list.
            let planes: Vec<Vec<Vec<u8>>> = serde_json::from_value(expected["planes"].take()).unwrap();
            assert_eq!((planes.len(), planes[0].len(), planes[0][0].len()), (2, 1, 2));
            expected["planes"] = json!(planes.into_iter().flatten().flatten().collect::<Vec<_>>());
            assert_eq!(row, expected);
        }
    }
}

#[test]
fn a_set_is_read_back_if_it_is_intact_and_follows_the_rules() {
    let (game, folder) = (solved(), tempdir().unwrap());
    let out = folder.path().join("set");
    game.export_evaluation(&out, &options(60, &DrawRule::ALL), &mut |_| true).unwrap();
    let rows = drawn(&options(60, &DrawRule::ALL));
    for split in Split::ALL {
        let set = game.read_evaluation(&out, split).unwrap();
        let of_split = rows.iter().filter(|row| Split::of("heaps", &row.orbit) == split);
        assert!(set.into_iter().eq(of_split.map(|row| EvaluationRow { planes: Vec::new(), ..row.clone() })));
    }
    // Files with the right checksums, but with other turns.
    let test = out.join("test.jsonl");
    let text = fs::read_to_string(&test).unwrap();
    let line: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let refused = |change: &dyn Fn(&mut Vec<serde_json::Value>), reason: &str| {
        let mut line = line.clone();
        change(line["turns_available"].as_array_mut().unwrap());
        let text = format!("{text}{line}\n");
        fs::write(&test, &text).unwrap();
        let sum = format!("{}  test.jsonl\n", files::sha256(text.as_bytes()));
        fs::write(out.join("SHA256SUMS"), sum).unwrap();
        let error = game.read_evaluation(&out, Split::Test).unwrap_err().to_string();
        let number = text.lines().count();
        assert!(
            error.contains(&format!("test.jsonl”, line {number}: ")) && error.contains(reason),
            "{error}"
        );
    };
    refused(&|turns| drop(turns.pop()), "the turns of");
    refused(&|turns| turns.push(turns[0].clone()), "the turns of");
    refused(&|turns| turns[0]["turn_position"] = "99".into(), "the turns of");
    refused(&|turns| turns[0]["turn_outcome"] = "victory".into(), "“victory” is not an outcome");
    refused(&|turns| turns[0]["turn_turns"] = "soon".into(), "soon");
}

/// The data card of a set drawn from a table solved with these options.
fn card_of(options: &SolveOptions) -> String {
    let folder = tempdir().unwrap();
    let entry = Entry::new(Heaps::default(), "Two heaps.").symmetries().build();
    entry.solve(folder.path(), options, &Silent).unwrap();
    let set = EvaluationOptions { rules: vec![DrawRule::Balanced], ..self::options(20, &[]) };
    let out = folder.path().join("set");
    entry.explore(folder.path()).unwrap().export_evaluation(&out, &set, &mut |_| true).unwrap();
    fs::read_to_string(out.join("README.md")).unwrap()
}

#[test]
fn the_card_states_only_what_the_table_knows() {
    let whole = card_of(&SolveOptions::default());
    assert!(
        whole.contains("from the complete table of the game (100 positions: 66 wins, 34 losses, 0 draws)")
    );
    assert!(whole.contains("`retrograde solve heaps`") && whole.contains("turns to the end.\n"), "{whole}");
    let few = card_of(&SolveOptions { phases: Some(3), ..SolveOptions::default() });
    assert!(few.contains("incomplete table") && few.contains("undecided)"), "{few}");
    assert!(few.contains("`retrograde solve heaps --max-turns 3`"), "{few}");
    assert!(few.contains("more than 3 turns") && !few.contains("0 draws"), "{few}");
    let outcomes = card_of(&SolveOptions { outcome_only: true, ..SolveOptions::default() });
    assert!(outcomes.contains("`retrograde solve heaps --outcome-only`"), "{outcomes}");
    assert!(!outcomes.contains("perfect play, and the turns to the end"), "{outcomes}");
}

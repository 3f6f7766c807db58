//! Tests of `export evaluation`: creates the set of docs/data-sets.md as the page describes.

use serde_json::Value as Json;

use crate::common::{answer, failure, json, new_folder};

const PAGE: &str = include_str!("../../../../docs/data-sets.md");

#[test]
fn the_documented_command_writes_the_documented_files() {
    let folder = new_folder();
    let is_command = |line: &&str| line.starts_with("retrograde ");
    let mut blocks = PAGE.split("```").map(|block| block.lines().filter(is_command).collect::<Vec<_>>());
    let commands =
        blocks.find(|commands| commands.iter().any(|command| command.contains("export evaluation"))).unwrap();
    let out = folder.join("set");
    let mut made = String::new();
    for command in commands {
        let words = command.split(' ').skip(1);
        let words: Vec<&str> =
            words.map(|word| if word == "touchdown-4x4" { out.to_str().unwrap() } else { word }).collect();
        made = answer(&folder, &[&words[..], &["--json"]].concat());
    }
    let made: Json = serde_json::from_str(&made).unwrap();
    let files = made["files"].as_array().unwrap();
    assert_eq!((files.len(), &made["rows"]), (3, &3000.into()));
    for file in files {
        let [name, sha256] = ["file", "sha256"].map(|field| file[field].as_str().unwrap());
        let row = format!("| `{name}` | {} | `{sha256}` |", file["rows"]);
        assert!(PAGE.contains(&row), "docs/data-sets.md lacks {row}");
        let bytes = std::fs::read(out.join(name)).unwrap();
        assert_eq!(file["bytes"], bytes.len());
    }
}

#[test]
fn splits_have_no_image_of_each_other_and_values_are_those_of_probe() {
    let tables = &new_folder();
    answer(tables, &["solve", "tactics:3x3"]);
    let out = tables.join("set");
    answer(tables, &["export", "evaluation", "tactics:3x3", "--out", out.to_str().unwrap()]);
    let mut met = std::collections::HashSet::new();
    let mut rows = Vec::new();
    for split in ["train", "validation", "test"] {
        let text = std::fs::read_to_string(out.join(split).with_extension("jsonl")).unwrap();
        rows.extend(text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap()));
    }
    for row in &rows {
        // The eight images of a square board, computed from the text.
        let squares: Vec<char> = row["position"].as_str().unwrap().chars().filter(|c| *c != '/').collect();
        let image = |of: &dyn Fn(usize, usize) -> (usize, usize)| -> String {
            let at = |place: usize| of(place / 3, place % 3);
            (0..9).map(|place| squares[at(place).0 * 3 + at(place).1]).collect()
        };
        let images = [
            image(&|r, c| (r, c)),
            image(&|r, c| (r, 2 - c)),
            image(&|r, c| (2 - r, c)),
            image(&|r, c| (2 - r, 2 - c)),
            image(&|r, c| (c, r)),
            image(&|r, c| (c, 2 - r)),
            image(&|r, c| (2 - c, r)),
            image(&|r, c| (2 - c, 2 - r)),
        ];
        assert!(images.iter().all(|image| !met.contains(image)), "{row}");
        met.insert(images[0].clone());
    }
    // 3 × 3 squares have 102 patterns up to symmetry; on the full board the game is over.
    assert_eq!(rows.len(), 101);
    for row in rows.iter().step_by(10) {
        let position = row["position"].as_str().unwrap();
        let probe = json(tables, &["probe", "tactics:3x3", position]);
        assert_eq!([&row["outcome"], &row["turns"]], [&probe["outcome"], &probe["turns"]]);
        let turns = |of: &Json, fields: [&str; 4]| -> Vec<[Json; 4]> {
            let turns = of["turns_available"].as_array().unwrap().iter();
            turns.map(|turn| fields.map(|field| turn[field].clone())).collect()
        };
        let of_row = turns(row, ["turn", "turn_position", "turn_outcome", "turn_turns"]);
        assert_eq!(of_row, turns(&probe, ["turn", "position", "outcome", "turns"]));
    }
}

#[test]
fn impossible_sets_are_reported() {
    let tables = &new_folder();
    let out = tables.join("set");
    let out_name = out.to_str().unwrap();
    let evaluation = |game: &str, more: &[&str], code: i32| {
        let command = [&["export", "evaluation", game, "--out", out_name], more].concat();
        let message = failure(tables, &command, code);
        assert!(!out.exists());
        message
    };
    assert!(evaluation("touchdown:3x3", &[], 1).contains("retrograde solve touchdown:3x3"));
    answer(tables, &["solve", "touchdown:3x2", "--outcome-only"]);
    assert!(evaluation("touchdown:3x2", &["--rule", "depth"], 1).contains("outcomes only"));
    assert!(evaluation("touchdown:3x2", &["--rule", "luck"], 2).contains("only-move"));
    assert!(evaluation("touchdown:3x2", &["--positions", "0"], 2).contains("--positions 3000"));
    if cfg!(not(feature = "parquet")) {
        assert!(evaluation("touchdown:3x2", &["--format", "parquet"], 1).contains("--features parquet"));
    }
    answer(tables, &["export", "evaluation", "touchdown:3x2", "--out", out_name, "--rule", "balanced"]);
    assert!(out.join("README.md").exists());
}

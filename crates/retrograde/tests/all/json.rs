//! Checks the JSON of every command, and the examples in `docs/json.md`, against the published
//! schemas.

use std::path::Path;

use serde_json::{Value as Json, json};

use crate::common::{commands, mistakes, new_folder, objects, program, run_by, with};

const PAGE: &str = include_str!("../../../../docs/json.md");

/// The objects that a command prints.
fn answers(tables: &Path, command: &str) -> Vec<Json> {
    let mut run = program();
    run.current_dir(tables).arg("--json");
    let output = run_by(run, tables, &command.split(' ').collect::<Vec<_>>());
    // An unknown value also counts as an answer, with a separate status.
    let status = output.status.code();
    assert!(matches!(status, Some(0 | 3)), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    objects(&String::from_utf8(output.stdout).unwrap())
}

/// Commands, each with the kind of its answer. A test below fails if a command or a format of
/// `export` is missing.
const ANSWERS: &[(&str, &str)] = &[
    ("Statistics", "solve tactics:2x2 tactics:3x3 touchdown:3x3 pushfight:mini,pushers=1,pawns=1"),
    ("Statistics", "solve touchdown:3x2 --outcome-only"),
    ("Statistics", "stats touchdown:3x3"),
    ("SurveyRow", "survey tactics:{2,1000}x2 touchdown:3x3 --sample 100"),
    ("SurveyRow", "survey pushfight:mini,pushers=1,pawns=1,moves={0,2} --sample 0"),
    ("Statistics", "solve pushfight:mini,pushers=1,pawns=2 --max-turns 1"),
    ("Statistics", "solve pushfight:mini,pushers=2,pawns=1 --memory 18M"),
    ("Statistics", "stats pushfight:mini,pushers=2,pawns=1"),
    ("PublishedForm", "export pushfight:mini,pushers=2,pawns=1 --format merged --count 5 --out five.bin"),
    ("PublishedForm", "export pushfight:mini,pushers=2,pawns=1 --format phase0 --count 5 --out won.bin"),
    ("PublishedForm", "export pushfight:mini,pushers=2,pawns=1 --format merged --sha256"),
    ("PublishedForm", "export pushfight:mini,pushers=2,pawns=1 --format phase:2 --count 5 --out two.bin"),
    ("Statistics", "solve pushfight:standard,pushers=1,pawns=1"),
    (
        "PublishedForm",
        "export pushfight:standard,pushers=1,pawns=1 --format minimized --count 5 --out few.bin",
    ),
    ("HtmlPage", "export touchdown:3x3 --format html --out page.html"),
    ("NumberingCounts", "games touchdown --numbering 24-bit"),
    ("About", "games"),
    ("PlanHere", "plan tactics:6x6"),
    ("PlanHere", "plan pushfight"),
    ("PlanHere", "plan touchdown:8x6"),
    #[cfg(feature = "cluster")]
    ("ClusterPlan", "plan touchdown:5x4 --hosts 2"),
    ("Rules", "rules pushfight"),
    ("Rules", "rules tactics:2x2,normal"),
    ("Probe", "probe tactics:2x2 X__X"),
    ("Probe", "probe tactics:3x2,normal X_____ --nimbers"),
    ("Probe", "probe pushfight:mini,pushers=1,pawns=1"),
    ("Probe", "probe pushfight .OX.....oxY....Oox.....OX. --nodes 5"),
    ("Probe", "probe touchdown:8x6 --nodes 50"),
    ("Pressure", "probe tactics:2x2 X___ --pressure"),
    ("Pressure", "probe touchdown:8x6 --pressure --nodes 50"),
    ("ShadeStatistics", "shades pushfight:mini,pushers=1,pawns=1"),
    ("ShadeStatistics", "shades tactics:3x3"),
    ("Statistics", "stats pushfight:mini,pushers=1,pawns=1"),
    ("Probe", "probe pushfight:mini,pushers=1,pawns=1"),
    ("Pressure", "probe pushfight:mini,pushers=1,pawns=1 --pressure"),
    ("Line", "line touchdown:3x3"),
    ("Line", "line pushfight:mini,pushers=1,pawns=1"),
    ("Placements", "openings pushfight:mini,pushers=1,pawns=1 --limit 3"),
    ("Reachable", "reachable touchdown:3x3"),
    ("Reachable", "reachable pushfight:mini,pushers=1,pawns=1"),
    ("Certificate", "certificate tactics:3x3 --out set.certificate"),
    ("Certificate", "certificate pushfight:mini,pushers=1,pawns=1 --out other.certificate"),
    ("Found", "find touchdown:3x3 --outcome loss --limit 20"),
    ("Found", "find tactics:3x3 --outcome win --random --limit 5"),
    ("Puzzle", "puzzles touchdown:3x3 --limit 5"),
    ("Puzzle", "puzzles pushfight:mini,pushers=2,pawns=1 --kind press --limit 2"),
    ("WrittenFiles", "puzzles touchdown:3x3 --format anki --out cards.csv"),
    (
        "WrittenFiles",
        "openings pushfight:mini,pushers=1,pawns=1 --format anki --limit 2 --out placements.csv",
    ),
    ("Verification", "verify touchdown:3x3 --full"),
    ("Verification", "verify tactics:3x3 --sample 10"),
    ("NumberedPosition", "index pushfight .OX.....oxY....Oox.....OX."),
    ("NumberedPosition", "index pushfight YX.....oxX....Oox.O...O..."),
    ("NumberedPosition", "index pushfight .OX.....oxX.....Oox...OY.. --numbering minimized"),
    ("NumberedPosition", "position pushfight 5 --numbering minimized"),
    ("NumberedPosition", "position touchdown 0x341964 --numbering 24-bit"),
    ("Perft", "perft tactics:2x2 --depth 2"),
    ("Annotation", "annotate tactics:2x2 game.txt"),
    ("MatchAnswer", "match perfect random --game tactics:2x2 --games 2 --random-turns 0"),
    ("DataSet", "export tactics:2x2 --out positions.csv"),
    ("DataSet", "export tactics:2x2 --out positions.npy"),
    #[cfg(feature = "parquet")]
    ("DataSet", "export tactics:2x2 --out positions.parquet"),
    ("WrittenFiles", "render tactics:2x2 --out board.svg"),
    ("WrittenFiles", "puzzles touchdown:3x3 --sheet sheet.svg"),
    ("BoardCheck", "board check small.board"),
    ("BoardCheck", "board check empty.board"),
    ("BoardShown", "board show small.board"),
    ("BoardShown", "board show small.board --out small.png"),
    ("Mate", "mate small.board"),
    ("Reduced", "reduce steiner 0,0"),
    ("Reduced", "reduce steiner 0,0 --out points.board"),
    ("Reduced", "reduce qbf small.qdimacs --solve --out formula.board"),
    ("Mate", "mate small.board --moves unlimited --out small.gif"),
    ("Mate", "mate +-+/|O|/+-+"),
    ("NewGame", "new my-game"),
    ("WrittenSite", "export site touchdown:3x3 --out site --puzzles 1"),
    ("Evaluation", "export evaluation touchdown:3x3 --out evaluation --positions 50"),
    ("BenchAnswer", "bench touchdown:3x3 evaluation 1"),
    ("Book", "export book touchdown:3x3 --out book.csv --plies 2"),
];

/// Commands without a JSON answer. Most reject `--json`. (`serve` runs for ever and `engine` reads
/// standard input; they have their own tests.)
const WITHOUT: [&str; 4] = ["play", "completions", "serve", "engine"];

#[test]
fn every_answer_matches_its_schema() {
    let folder = new_folder();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("game.txt", "a1\nb1\n");
    write("small.qdimacs", "p cnf 1 1\ne 1 0\n1 0\n");
    write("small.board", "+-+-+-+-+\n . o O x\n+-+-+-+-+\n");
    write("empty.board", "+ + +\n . .\n+ + +\n . .\n+ + +\n");
    // A folder that `new` accepts as the folder of Retrograde.
    std::fs::create_dir_all(folder.join("crates/retrograde")).unwrap();
    write("crates/retrograde/Cargo.toml", "");
    for (kind, command) in ANSWERS {
        let answers = answers(&folder, command);
        assert!(!answers.is_empty(), "{command}");
        for answer in answers {
            assert_eq!(mistakes(kind, &answer), Vec::<String>::new(), "{command}: {answer}");
        }
    }
}

#[test]
fn every_command_and_format_has_a_definition() {
    let commands: Vec<String> = commands(&[])
        .into_iter()
        .flat_map(|name| {
            let below = commands(&[&name]);
            if below.is_empty() { vec![name] } else { below }
        })
        .collect();
    assert!(commands.len() > 20, "{commands:?}");
    for command in &commands {
        let answered =
            ANSWERS.iter().any(|(_, run)| run.starts_with(&format!("{command} ")) || run == command);
        assert!(answered != WITHOUT.contains(&&command[..]), "`{command}` needs an answer here");
    }
    // The error for a wrong format lists the right ones.
    let refused = |arguments: &[&str]| {
        let output = program().args(arguments).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let message = refused(&["export", "pushfight:mini,pushers=2,pawns=1", "--format", "?", "--out", "x"]);
    // Data sets and the page come first, then the published formats of this game.
    let (_, forms) = message.split_once("html (a page), ").unwrap();
    let forms: Vec<&str> =
        forms.trim().split([',', ' ']).filter(|word| !matches!(*word, "" | "and")).collect();
    assert!(forms.len() >= 4, "{message}");
    let help = program().args(["export", "--help"]).output().unwrap();
    assert!(String::from_utf8(help.stdout).unwrap().contains("html (one web page"));
    for form in forms.into_iter().chain(["html"]) {
        let wanted = format!(" --format {}", form.trim_end_matches('N'));
        assert!(
            ANSWERS.iter().any(|(_, run)| run.contains(&wanted)),
            "the format {form} needs an answer here"
        );
    }
    let tables = new_folder();
    let tables = tables.to_str().unwrap();
    assert!(program().args(["solve", "tactics:2x2", "--tables", tables]).output().unwrap().status.success());
    let message = refused(&["export", "tactics:2x2", "--out", "x.?", "--tables", tables]);
    let endings: Vec<&str> = message.split_whitespace().filter(|word| word.starts_with('.')).collect();
    assert!(endings.len() >= 3, "{message}");
    for ending in endings {
        let ending = ending.trim_matches([',', ';']);
        let there = ANSWERS.iter().any(|(_, run)| run.starts_with("export ") && run.ends_with(ending));
        assert!(there || ending == ".parquet", "the format {ending} needs an answer here");
    }
}

#[test]
fn every_error_matches_its_schema() {
    let folder = new_folder();
    for command in [
        "probe tactics:2x2 X?_X",
        "probe tactics:2x2 X",
        "probe chess",
        "stats touchdown",
        "render touchdown --turns a9 --out x.svg",
        "board check none.board",
        "board check +",
        "export touchdown --format xls --out x",
        "solve touchdown:6x6 --memory 1M",
        "solve --threds 2",
        "find touchdown --outcome lost",
        "frobnicate",
    ] {
        let output = run_by(with(&["--json"]), &folder, &command.split(' ').collect::<Vec<_>>());
        let text = String::from_utf8(output.stderr).unwrap();
        let error = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        assert_eq!(mistakes("FailedCommand", &error), Vec::<String>::new(), "{command}: {error}");
    }
}

#[test]
fn commands_without_an_answer_say_so() {
    for command in [&["play", "tactics:2x2"][..], &["completions", "bash"]] {
        let output = program().args(command).arg("--json").output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{command:?}");
        assert!(String::from_utf8(output.stderr).unwrap().contains("does not support --json"));
    }
}

#[test]
fn schemas_reject_other_answers() {
    let good = json!({"game": "g", "position": "p", "depth": 1, "leaves": "9007199254740993"});
    assert!(mistakes("Perft", &good).is_empty());
    for (field, value) in
        [("more", json!(1)), ("depth", json!(-1)), ("leaves", json!("many")), ("game", json!(null))]
    {
        let mut bad = good.clone();
        bad[field] = value;
        assert!(!mistakes("Perft", &bad).is_empty(), "{bad}");
    }
}

#[test]
fn the_page_in_the_docs_shows_current_answers() {
    let mut shown = 0;
    for part in PAGE.split("<!-- ").skip(1) {
        let (kind, rest) = part.split_once(" -->").unwrap();
        let block = rest.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
        let example: Json = serde_json::from_str(block).unwrap();
        assert_eq!(mistakes(kind, &example), Vec::<String>::new(), "{block}");
        shown += 1;
    }
    assert!(shown >= 10, "{shown}");
}

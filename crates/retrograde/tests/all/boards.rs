//! Tests of `board`, `mate` and board files: one-line drawings, standard input, pictures, wrong
//! input.

use std::path::Path;
use std::process::Output;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value as Json, json};

use crate::common::{self, failed, new_folder, program, run_with_input, succeeded, with};

const STANDARD: &str = "name = mine\nmoves = 2\n\
    + + +-+-+-+-+-+ +\n # # . O X . . #\n+ + + + + + + + +\n . . . o x Y . .\n+ + + + + + + + +\n\
    \x20. . O o x . . .\n+ + + + + + + + +\n # . . O X . # #\n+ +-+-+-+-+-+ + +\n";
/// A board whose mate takes eight moves.
const HARD: &str = "+ +-+ + +/ #|O|# #/+-+ +-+-+/|Y . o o|/+-+ + + +/ #|o o x|/+ + + + +/ #|x . x|/+ +-+ + +/ # #|O|#/+ + +-+ +";

fn run(arguments: &[&str], input: &str) -> Output {
    run_with_input(with(arguments), input)
}

fn answer(arguments: &[&str], input: &str) -> String {
    succeeded(run(arguments, input), arguments)
}

fn failure(arguments: &[&str], input: &str, code: i32) -> String {
    let output = run(arguments, input);
    assert!(output.stdout.is_empty(), "{arguments:?}");
    failed(&output, arguments, code)
}

fn json(arguments: &[&str], input: &str) -> Json {
    serde_json::from_str(&answer(arguments, input)).unwrap()
}

fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_board_is_checked_and_shown() {
    let folder = new_folder();
    let path = file(&folder, "mine.board", STANDARD);
    let output = answer(&["board", "check", &path], "");
    assert!(output.contains("26 squares") && output.contains("anchor is on f3"), "{output}");
    let checked = json(&["board", "check", &path, "--json"], "");
    assert_eq!((&checked["squares"], &checked["turns"]), (&json!(26), &json!(true)));
    let shown = json(&["board", "show", "-", "--json"], STANDARD);
    assert!(STANDARD.ends_with(shown["board"].as_str().unwrap()));
    assert!(answer(&["board", "show", &path], "").contains("│ Y │"));
    for name in ["mine.svg", "mine.png"] {
        let out = folder.join(name);
        answer(&["board", "show", &path, "--out", out.to_str().unwrap()], "");
        assert!(std::fs::metadata(out).unwrap().len() > 1000);
    }
    let out = folder.join("mine.txt");
    let output = failure(&["board", "show", &path, "--out", out.to_str().unwrap()], "", 1);
    assert!(output.contains("must end in .svg or .png") && !out.exists(), "{output}");
    let output = failure(&["mate", &path, "--out", out.to_str().unwrap()], "", 1);
    assert!(output.contains("must end in .svg, .png or .gif") && !out.exists(), "{output}");
}

#[test]
fn wrong_boards_are_rejected_with_line_and_column() {
    for (board, expected) in [
        ("+ + +/ O|x/+ + +", "line 2, column 3: there is a rail"),
        ("+ +/ ?/+ +", "line 2, column 2: found '?'"),
        ("+ + +/ Y Y/+ + +", "line 2, column 4: this is a second anchor"),
        ("+ +/ #/+ +", "the board has no square"),
        ("+ +/ ./+ +", "there are no pieces on it"),
        ("+", "2H + 1 lines"),
        ("", "cannot read the board"),
    ] {
        let found = failure(&["mate", board], "", 1);
        assert!(found.contains(expected), "{board}: {found}");
    }
    let huge = format!("+{}", " +".repeat(2000));
    assert!(
        failure(&["board", "check", "-"], &format!("{huge}\n{huge}\n{huge}\n"), 1).contains("at most 1,000")
    );
    assert!(failure(&["board", "check", "-"], &"+ ".repeat(9_000_000), 1).contains("is too long"));
    for moves in ["-1", "4294967296", "many", "1.5", ""] {
        let message = failure(&["mate", HARD, "--moves", moves], "", 2);
        assert!(message.contains("expected a number from 0 to 4294967295"), "{message}");
    }
}

#[test]
fn mate_in_one_is_found() {
    let least = json(&["mate", HARD, "--json"], "");
    assert_eq!((&least["mate"], &least["moves"]), (&json!(true), &json!(8)));
    let by: Vec<Json> = ["search", "sat"]
        .iter()
        .map(|method| json(&["mate", "-", "--json", "--method", method], HARD))
        .collect();
    assert!(by.iter().all(|found| found["moves"] == 8), "{by:?}");
    assert_eq!(json(&["mate", HARD, "--json", "--moves", "7"], ""), json!({"mate": false}));
    assert_eq!(json(&["mate", HARD, "--json", "--moves", "4294967295"], "")["moves"], 8);
    let some = json(&["mate", HARD, "--json", "--moves", "unlimited"], "");
    assert!(some["moves"].as_u64().unwrap() >= 8);
    let output = answer(&["mate", HARD, "--moves", "7"], "");
    assert_eq!(output, "No mate in one with 7 moves or fewer.\n");
    assert_eq!(answer(&["mate", "-"], STANDARD), "No mate in one with any number of moves.\n");
    // The other side's pusher is not in the way; with `P` the colours are swapped.
    let swapped = json(&["mate", "+-+-+-+/ X o P|/+-+-+-+", "--json"], "");
    assert_eq!(swapped, json!({"mate": false}));
    let swapped = json(&["mate", "+-+-+-+/ o X P|/+-+-+-+", "--json"], "");
    assert_eq!(swapped["turn"], "b1-a1");
}

#[test]
fn a_turn_is_drawn() {
    let folder = new_folder();
    for name in ["turn.svg", "turn.png", "turn.gif"] {
        let out = folder.join(name);
        let output = answer(&["mate", HARD, "--out", out.to_str().unwrap()], "");
        assert!(output.contains("8 moves, the fewest possible") && output.contains(name), "{output}");
        assert!(std::fs::metadata(out).unwrap().len() > 1000);
    }
}

#[test]
fn points_become_a_board() {
    let folder = new_folder();
    let out = folder.join("points.board");
    let out = out.to_str().unwrap();
    let output = answer(&["reduce", "steiner", "0,0 2,1 0,2 3,3", "--out", out], "");
    assert!(output.contains("shortest tree has length 7, so mate in one takes 10 moves"), "{output}");
    assert_eq!(json(&["mate", out, "--json"], "")["moves"], 10);
    assert_eq!(json(&["mate", out, "--json", "--moves", "9"], ""), json!({"mate": false}));
    let listed = file(&folder, "points.txt", "0,0 2,1\n0,2 3,3\n");
    let printed = answer(&["reduce", "steiner", &listed], "");
    assert_eq!(printed, std::fs::read_to_string(out).unwrap());
    assert_eq!(answer(&["reduce", "steiner", "-"], "0,0 2,1 0,2 3,3"), printed);
    assert_eq!(json(&["reduce", "steiner", "0,0 2,3", "--length", "9", "--json"], "")["moves"], 12);
    for (points, expected) in [
        ("", "there are no points"),
        ("0,0 0,0", "repeats the point"),
        ("0,0 1,99999999999999999999", "item 2"),
        ("0,0 5000,0", "limit is 1000"),
        ("nowhere", "cannot read the list of points"),
    ] {
        let found = failure(&["reduce", "steiner", points], "", 1);
        assert!(found.contains(expected), "{points}: {found}");
    }
}

#[test]
fn formulas_become_positions() {
    let folder = new_folder();
    let formula = "p cnf 2 2\na 1 0\ne 2 0\n1 -2 0\n-1 2 0\n";
    let path = file(&folder, "true.qdimacs", formula);
    let found = json(&["reduce", "qbf", &path, "--solve", "--json"], "");
    assert_eq!((&found["white_wins"], &found["true"]), (&json!(true), &json!(true)));
    let board = answer(&["reduce", "qbf", "-"], formula);
    assert_eq!(found["board"], board);
    assert_eq!(answer(&["mate", "-", "--moves", "2"], &board), "No mate in one with 2 moves or fewer.\n");
    let found = json(&["reduce", "qbf", "-", "--solve", "--json"], "p cnf 1 1\na 1 0\n1 0\n");
    assert_eq!((&found["white_wins"], &found["true"]), (&json!(false), &json!(false)));
    for moves in ["0", "3"] {
        let found = json(&["reduce", "qbf", &path, "--moves", moves, "--solve", "--json"], "");
        assert_eq!(found["white_wins"], json!(true), "{moves}");
        assert!(found["board"].as_str().unwrap().starts_with(&format!("moves = {moves}\n")));
    }
    let found = failure(&["reduce", "qbf", &path, "--moves", "40"], "", 1);
    assert!(found.contains("1724 columns; the limit is 1000"), "{found}");
    for (text, expected) in [
        ("p cnf 2 1\ne 1 0\n1 2 0\n", "line 3"),
        ("p cnf 4 1\ne 1 2 3 4 0\n1 2 3 4 0\n", "line 3"),
        ("1 2 0\n", "line 1"),
    ] {
        let found = failure(&["reduce", "qbf", "-"], text, 1);
        assert!(found.contains(expected), "{text}: {found}");
    }
}

/// A pusher and a pawn against two pushers and a pawn, with rails on all columns but one.
const UNEVEN: &str = "name = uneven\n+-+-+-+ +\n O . x .\n+ + + + +\n o . X Y\n+-+-+-+ +\n";

#[test]
fn sides_with_different_pieces_are_solved() {
    let folder = new_folder();
    let game = format!("pushfight:{}", file(&folder, "u.board", UNEVEN));
    let tables = &folder.join("tables");
    let plan = common::json(tables, &["plan", &game]);
    // Five pieces on eight squares; if the side with two pushers is to move, its pushers are
    // interchangeable.
    assert_eq!(plan["positions"], 8 * 7 * 6 * 5 * 4 * 3 / 2);
    assert_eq!(plan["method"], "retrograde");
    let solved = common::json(tables, &["solve", &game]);
    assert_eq!(solved["positions"], plan["positions"]);
    let verified = common::json(tables, &["verify", &game, "--full"]);
    assert_eq!((&verified["error_count"], &verified["full"]), (&json!(0), &json!(true)));
    let stats = common::json(tables, &["stats", &game]);
    assert_eq!(stats["by_turns"], solved["by_turns"]);

    // The drawn position is the start, and every turn of its line has the value shown.
    let probed = common::json(tables, &["probe", &game]);
    assert_eq!(probed["position"], "O.x.o.XY");
    let line = common::json(tables, &["line", &game]);
    assert_eq!(line["position"], probed["position"]);
    let length = probed["turns"].as_u64().unwrap() as usize;
    assert_eq!(line["line"].as_array().unwrap().len(), length);
    // After one turn the other side is to move, with different pieces.
    let next = probed["turns_available"][0]["position"].as_str().unwrap().to_owned();
    let there = common::json(tables, &["probe", &game, &next]);
    assert_eq!(there["position"], next.as_str());
    let index = common::json(tables, &["index", &game, &next])["index"].to_string();
    let back = common::json(tables, &["position", &game, index.trim_matches('"')]);
    assert_eq!(back["position"], next.as_str());

    let picture = folder.join("u.png");
    common::answer(tables, &["render", &game, &next, "--out", picture.to_str().unwrap()]);
    assert!(std::fs::metadata(picture).unwrap().len() > 1000);
    let screen = answer(&["play", &game, "--tables", tables.to_str().unwrap()], "1\nquit\n");
    assert!(screen.contains("Y") && screen.lines().all(|line| line.chars().count() <= 80), "{screen}");

    // Wrong positions and names.
    common::fails(
        tables,
        &["probe", &game, "O.x.o.X."],
        1,
        "one side has 1 pusher and 1 pawn, the other 2 pushers and 1 pawn; found",
    );
    common::fails(tables, &["plan", "pushfight:mini,pushers=2-"], 1, "or two as in `3-2`, one for each side");
    common::fails(
        tables,
        &["export", &game, "--format", "minimized", "--out", "x.bin"],
        1,
        "has no minimized numbering",
    );
    let names = common::json(tables, &["plan", "pushfight:mini,pushers=1-2,pawns=0"]);
    assert_eq!(names["game"], "pushfight:mini,pushers=1-2,pawns=0");
}

/// Commands that the output recommends work: the text between backticks is run as it is.
#[test]
fn every_advised_command_is_accepted() {
    let folder = new_folder();
    std::fs::create_dir(folder.join("empty")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("small.board", "pushers = 1\npawns = 1\n+-+-+-+ +\n . . . .\n+ + + + +\n . . . .\n+-+-+-+ +\n");
    write("two words.board", "+ + + + +\n o O x Y\n+ + + + +\n");
    write("empty.board", "+ + +\n . .\n+ + +\n . .\n+ + +\n");
    write("alone.board", "+-+-+-+-+\n . o O x\n+-+-+-+-+\n");
    write(
        "wide.board",
        &format!("+{0}\n {1}\n+{0}\n", " +".repeat(65), "O".to_owned() + " X" + &" .".repeat(63)),
    );
    write("moves.board", "moves = many\n+ + + + +\n o O x Y\n+ + + + +\n");
    write("odd.txt", "+ + + + +\n o O x Y\n+ + + + +\n");
    let here = |mut command: std::process::Command, input: &str| {
        run_with_input(
            {
                command.current_dir(&*folder);
                command
            },
            input,
        )
    };
    let retrograde = |arguments: &[&str]| here(with(arguments), "");
    // Runs a recommended command in a shell, as a user would.
    let advised = |text: &str| {
        let command = text.split('`').nth(1).unwrap_or_else(|| panic!("no advice: {text}"));
        assert!(command.starts_with("retrograde "), "{text}");
        let mut shell = std::process::Command::new("bash");
        shell.arg("-c").arg(command.replacen("retrograde", "\"$0\"", 1)).arg(program().get_program());
        succeeded(here(shell, ""), &[command])
    };
    for board in ["small.board", "two words.board"] {
        let checked = succeeded(retrograde(&["board", "check", board]), &[board]);
        let turns = checked.replace('\n', " ");
        let (_, turns) = turns.split_once("It can be played:").unwrap_or_else(|| panic!("{checked}"));
        let planned = advised(turns).replace('\n', " ");
        let (_, planned) = planned.rsplit_once("free").unwrap();
        assert!(planned.contains("To solve it, run"), "{planned}");
        assert!(advised(planned).contains("Solved in"));
        let game = format!("pushfight:{board}");
        let message = failed(&retrograde(&["stats", &game, "--tables", "empty"]), &[board], 1);
        advised(&message);
        #[cfg(feature = "cluster")]
        assert!(succeeded(retrograde(&["plan", &game, "--hosts", "2"]), &[board]).contains(board));
    }
    // For a board that cannot be played on, `board check` gives the reason of `plan` and recommends
    // nothing.
    for (board, reason, mate) in [
        ("empty.board", "too many for 4 squares", "there are no pieces on it"),
        ("alone.board", "each side needs a pusher", ""),
        ("wide.board", "boards of up to 64 squares", ""),
        ("moves.board", "`moves` must be a number", ""),
        ("odd.txt", "", ""),
    ] {
        let checked = succeeded(retrograde(&["board", "check", board]), &[board]).replace('\n', " ");
        let json: Json =
            serde_json::from_str(&succeeded(retrograde(&["board", "check", board, "--json"]), &[board]))
                .unwrap();
        let refused = !reason.is_empty();
        assert_eq!(json["turns"], !refused, "{json}");
        assert!(checked.contains(reason) && checked.contains(mate), "{checked}");
        assert_eq!(checked.contains("It cannot be played:"), refused, "{checked}");
        assert_eq!(checked.contains("`retrograde mate` does not apply"), !mate.is_empty(), "{checked}");
        let game = format!("pushfight:{board}");
        assert_eq!(retrograde(&["plan", &game]).status.success(), !refused && board.ends_with(".board"));
        assert_eq!(retrograde(&["mate", board]).status.success(), mate.is_empty(), "{board}");
        if board == "odd.txt" {
            assert!(checked.contains("FILE.board"), "{checked}");
        }
    }
}

/// A board on which the sides cannot place their pieces, but positions can be probed and solved.
#[test]
fn boards_without_placements_are_solved() {
    let folder = new_folder();
    // Two squares on the left, where three pieces do not fit; seven on the right.
    let text =
        "pushers = 1\npawns = 2\nfirst = a1, a2\n+ +-+-+ +\n . . . .\n+ + + + +\n . . . .\n+ +-+-+ +\n";
    let game = format!("pushfight:{}", file(&folder, "narrow.board", text));
    let tables = &folder.join("tables");
    let solved = common::json(tables, &["solve", &game]);
    assert_eq!((&solved["start"]["outcome"], &solved["start"]["turns"]), (&json!("loss"), &json!(2)));
    let counted = common::json(tables, &["stats", &game, "--all-positions"]);
    assert_eq!(counted["all_positions"]["positions"], 8 * 7 * 6 / 2 * 5 * 4 * 3 / 2);
    let verified = common::json(tables, &["verify", &game, "--full"]);
    assert_eq!((&verified["error_count"], &verified["proved"]), (&json!(0), &json!(true)));
    let probed = common::json(tables, &["probe", &game]);
    assert_eq!((&probed["position"], &probed["source"]), (&json!("..ooOxxY"), &json!("table")));
    assert_eq!(common::json(tables, &["index", &game, "..ooOxxY"])["index"], 0);
    assert_eq!(common::json(tables, &["probe", &game, "o.oxOxY."])["source"], "table");
    common::fails(tables, &["openings", &game], 1, "does not begin with placing pieces");
    // The same board with enough squares: the game begins with placing.
    let enough = text.replace("first = a1, a2", "first = a1, a2, b1\nsecond = c1, c2, d1, d2");
    let game = format!("pushfight:{}", file(&folder, "enough.board", &enough));
    common::answer(tables, &["solve", &game]);
    let openings = common::json(tables, &["openings", &game]);
    let count: u64 =
        openings["placements"].as_array().unwrap().iter().map(|of| of["count"].as_u64().unwrap()).sum();
    assert_eq!(count, 3, "one pusher on one of three squares, the pawns on the others");
}

/// Turns are counted as documented: placements do not count, the first turn without an anchor does,
/// and a push that would eject the mover's own piece is not a turn.
#[test]
fn turns_are_counted_as_documented() {
    let folder = new_folder();
    let tables = &folder.join("tables");
    let text = "pushers = 1\npawns = 1\n+-+-+-+ +\n . . . .\n+ + + + +\n . . . .\n+-+-+-+ +\n";
    let game = &format!("pushfight:{}", file(&folder, "small.board", text));
    common::answer(tables, &["solve", game]);
    let start = common::json(tables, &["probe", game]);
    let turns = start["turns"].as_u64().expect("it is decided");
    let placed = &start["turns_available"][0];
    assert!(placed["turn"].as_str().unwrap().contains(':'), "{placed}");
    assert_eq!(placed["turns"], turns, "the first placement counts");
    let both = common::json(tables, &["probe", game, placed["position"].as_str().unwrap()]);
    assert_eq!(both["turns"], turns);
    let ready = both["turns_available"][0]["position"].as_str().unwrap().to_owned();
    let first = common::json(tables, &["probe", game, &ready]);
    assert!(!ready.contains(['Y', 'P']) && first["turns"] == turns, "{first}");
    let pushed =
        common::json(tables, &["probe", game, first["turns_available"][0]["position"].as_str().unwrap()]);
    assert!(pushed["position"].as_str().unwrap().contains('Y'));
    assert_eq!(pushed["turns"], turns - 1, "the first turn without an anchor does not count");
    let line = common::json(tables, &["line", game]);
    assert_eq!(line["line"].as_array().unwrap().len() as u64, turns + 2);
    // Placements are turns of `perft`: four squares for a pusher, three for a pawn.
    assert_eq!(json(&["perft", game, "--depth", "2", "--json"], "")["leaves"], 12 * 12);

    let own = file(&folder, "own.board", "moves = 0\n+ + + + +\n o O . Y\n+ + + + +\n");
    let probed = common::json(tables, &["probe", &format!("pushfight:{own}")]);
    assert_eq!((&probed["outcome"], &probed["turns"]), (&json!("loss"), &json!(0)));
    assert_eq!(probed["turns_available"], json!([]));
}

#[test]
fn a_board_from_a_file_becomes_a_page_that_holds_its_text() {
    let folder = new_folder();
    let board = "moves = 1\n+-+-+-+-+\n O . o x\n+ + + + +\n . o . Y\n+-+-+-+-+\n";
    // A file name may contain anything.
    let file = folder.join("R&D.board");
    std::fs::write(&file, board).unwrap();
    let game = format!("pushfight:{}", file.display());
    let out = folder.join("page.html");
    common::answer(&folder, &["solve", &game]);
    common::answer(&folder, &["export", &game, "--format", "html", "--out", out.to_str().unwrap()]);
    let page = std::fs::read_to_string(&out).unwrap();
    assert!(page.contains("<title>Push Fight R&amp;D"), "{}", &page[..600]);
    let inside = page.split("id=\"board\">").nth(1).unwrap().split('<').next().unwrap();
    assert_eq!(BASE64.decode(inside).unwrap(), board.as_bytes());

    // The page of a built-in board contains no board text.
    common::answer(&folder, &["solve", "pushfight:mini,pushers=1,pawns=1"]);
    let arguments =
        ["export", "pushfight:mini,pushers=1,pawns=1", "--format", "html", "--out", out.to_str().unwrap()];
    common::answer(&folder, &[&arguments[..], &["--force"]].concat());
    assert!(std::fs::read_to_string(&out).unwrap().contains("id=\"board\"></script>"));
}

#[test]
fn a_start_that_is_not_in_the_files_has_a_value() {
    let folder = new_folder();
    let over = "moves = 0\nfirst = g1, e1, d1, a1\nsecond = b1, h1, c1, f1\n\
                + + + + + + + + + +\n O . . . X . . . .\n+ + + + + + + + + +\n";
    let full = "moves = 1\nfirst = b1, d1\nsecond = a1, c1\n+-+ + +-+\n O X o X|\n+ +-+-+ +\n";
    let drawn = "moves = 3\nfirst = a3, b1, c2, c3\nsecond = b3, b2, c1, a2\n\
                 +-+-+-+\n O O X|\n+ + + +\n . X .|\n+-+ + +\n #|. .|\n+ +-+-+\n";
    for (text, outcome, turns) in [(over, "loss", Some(0)), (full, "loss", Some(0)), (drawn, "draw", None)] {
        let board = folder.join("odd.board");
        std::fs::write(&board, text).unwrap();
        let game = format!("pushfight:{}", board.display());
        for command in ["solve", "stats"] {
            let start = common::json(&folder, &[command, &game])["start"].clone();
            assert_eq!(start["outcome"], outcome, "{command}");
            assert_eq!(start["turns"].as_u64(), turns, "{command}");
        }
    }
}

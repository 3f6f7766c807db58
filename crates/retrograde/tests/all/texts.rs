//! Tests of text input from any system, and of text output for any terminal.

use std::fs;

use crate::common::{failed, new_folder, run_with_input, solved, succeeded, with};

/// The output of a command with these variables.
fn answer(arguments: &[&str], variables: &[(&str, &str)], input: &str) -> String {
    let mut command = with(arguments);
    command.envs(variables.iter().copied());
    succeeded(run_with_input(command, input), arguments)
}

#[test]
fn turns_are_typed_in_many_ways() {
    let tables = solved(&["touchdown:4x4"]);
    let folder = tables.to_str().unwrap();
    let play = |words: &str| answer(&["play", "touchdown:4x4", "--tables", folder], &[], words);
    let board = |output: &str| {
        output.lines().filter(|line| line.contains('│')).map(str::to_owned).collect::<Vec<_>>()
    };
    let expected = board(&play("a1a2\nquit\n"));
    for typed in ["A1A2", "a1-a2", "a1 a2", "a1→a2", "  a1 – a2\t", "A1 -> A2"] {
        let output = play(&format!("{typed}\r\nquit\r\n"));
        assert_eq!(board(&output), expected, "{typed}: {output}");
    }
    // A line in Tactics is written with a dash, because two squares may be two turns.
    let render = |game: &str, turns: &str| {
        let out = tables.join("turns.svg");
        answer(&["render", game, "--turns", turns, "--force", "--out", out.to_str().unwrap()], &[], "");
        fs::read_to_string(out).unwrap()
    };
    assert_eq!(render("tactics:3x3", "A1-C1 b2"), render("tactics:3x3", "a1-c1 b2"));
    assert_ne!(render("tactics:3x3", "a1 a2"), render("tactics:3x3", "a1-a2"));
    // A placement contains a space.
    let placed = "O:a2,b1 o:b2,c1";
    assert_eq!(render("pushfight:mini", placed), render("pushfight:mini", "O:a2, b1 o:b2, c1"));
}

#[test]
fn records_are_read_as_people_write_them() {
    let tables = solved(&["touchdown:4x4"]);
    let folder = tables.to_str().unwrap();
    let annotate =
        |record: &str| answer(&["annotate", "touchdown:4x4", "-", "--tables", folder, "--json"], &[], record);
    let plain = annotate("# touchdown:4x4\n# coordinates: board\na1a2\nd4d3\nb1b2\n");
    assert_eq!(plain.lines().count(), 3);
    for record in [
        "1. a1a2 d4d3 2. b1b2",
        "1.a1a2 d4d3 2.b1b2 *",
        "1. a1a2\r1... d4d3\r2. b1b2\r",
        "\u{feff}[Event \"x\"]\r\n\r\n1. a1a2! {good} d4d3 $2 ; reply\r\n2. b1b2 ½-½\r\n",
        "{ two\nlines }\n1. A1-A2 D4-D3?! 2. B1 B2 1-0\n",
        "1. a1a2 1... d4d3 b1b2 0-1",
        "a1→a2\td4→d3\nb1 b2",
    ] {
        assert_eq!(annotate(record), plain, "{record:?}");
    }
    // A result before the end and an invalid turn fail.
    for wrong in ["1. a1a2 1-0 d4d3", "1. a1a2 nonsense"] {
        let command = with(&["annotate", "touchdown:4x4", "-"]);
        let message = failed(&run_with_input(command, wrong), &["annotate"], 1);
        assert!(message.contains("turn 2"), "{message}");
    }
}

#[test]
fn files_come_from_any_system() {
    let folder = new_folder();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let board = "moves = 1\n+-+-+-+-+\n O . o x\n+ + + + +\n . o . Y\n+-+-+-+-+\n";
    let formula = include_str!("../../../../docs/pictures/reductions/formula.qdimacs");
    let openings = "a1a2 d4d3\nb1b2\n";
    fs::write(path("plain.board"), board).unwrap();
    let checked = answer(&["board", "check", &path("plain.board"), "--json"], &[], "");
    for (number, form) in (0..).zip([
        |text: &str| text.replace('\n', "\r\n"),
        |text: &str| text.replace('\n', "\r"),
        |text: &str| format!("\u{feff}{text}"),
        |text: &str| text.replace('\n', " \t\n"),
    ]) {
        let write = |name: &str, text: &str| fs::write(path(name), form(text)).unwrap();
        write("a.board", board);
        assert_eq!(answer(&["board", "check", &path("a.board"), "--json"], &[], ""), checked, "{number}");
        assert_eq!(answer(&["board", "check", "-", "--json"], &[], &form(board)), checked, "{number}");
        answer(&["plan", &format!("pushfight:{}", path("a.board"))], &[], "");
        answer(&["mate", &path("a.board")], &[], "");
        write("a.qdimacs", formula);
        answer(&["reduce", "qbf", &path("a.qdimacs"), "--json"], &[], "");
        write("points", "0,0\n2,3\n");
        answer(&["reduce", "steiner", &path("points")], &[], "");
        write("openings", openings);
        let games = ["match", "random", "random", "--game", "touchdown:4x4", "--games", "2"];
        answer(&[&games[..], &["--openings", &path("openings")]].concat(), &[], "");
        let positions = form(&"OOOO/..../..../XXXX\n".repeat(2));
        let output = answer(&["probe", "touchdown:4x4", "-", "--time", "0.1"], &[], &positions);
        assert_eq!(output.lines().count(), 2, "{number}: {output}");
    }
    let wide: Vec<u8> = format!("\u{feff}{board}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(path("wide.board"), &wide).unwrap();
    for arguments in [
        &["board", "check", &path("wide.board")][..],
        &["mate", &path("wide.board")],
        &["annotate", "touchdown", &path("wide.board")],
        &["reduce", "qbf", &path("wide.board")],
        &["plan", &format!("pushfight:{}", path("wide.board"))],
    ] {
        let command = with(arguments);
        let output = failed(&run_with_input(command, ""), arguments, 1);
        assert!(output.contains("UTF-16"), "{arguments:?}: {output}");
    }
}

#[test]
fn a_locale_without_utf8_gets_ascii() {
    let tables = solved(&["touchdown:3x3", "pushfight:mini,pushers=1,pawns=1"]);
    let folder = tables.to_str().unwrap();
    for arguments in [
        &["rules", "pushfight:mini"][..],
        &["probe", "touchdown:3x3"],
        &["line", "touchdown:3x3", "--boards"],
        &["stats", "touchdown:3x3"],
        &["solve", "touchdown:3x3"],
        &["probe", "pushfight:mini,pushers=1,pawns=1", "--all"],
        &["games"],
        &["--help"],
        &["probe", "--help"],
    ] {
        let arguments = [arguments, &["--tables", folder]].concat();
        for locale in [("LC_ALL", "C"), ("LC_ALL", "POSIX")] {
            let output = answer(&arguments, &[locale], "");
            assert!(output.is_ascii(), "{arguments:?}: {output}");
        }
    }
    // The columns of a board stay aligned.
    let output = answer(&["probe", "touchdown:3x3", "--tables", folder], &[("LC_ALL", "C")], "");
    let unicode = answer(&["probe", "touchdown:3x3", "--tables", folder], &[], "");
    let widths = |output: &str| output.lines().take(9).map(|line| line.chars().count()).collect::<Vec<_>>();
    assert_eq!(widths(&output), widths(&unicode));
    assert!(unicode.contains('┌') && output.contains("+---+"), "{output}");
    let mut wrong = with(&["probe", "chess"]);
    wrong.env("LC_ALL", "C");
    assert!(failed(&run_with_input(wrong, ""), &["probe"], 1).is_ascii());
}

#[test]
fn variables_switch_colours() {
    let tables = solved(&["touchdown:3x3"]);
    let arguments = ["probe", "touchdown:3x3", "--tables", tables.to_str().unwrap()];
    let colored = |variables: &[(&str, &str)]| answer(&arguments, variables, "").contains('\u{1b}');
    assert!(!colored(&[]));
    assert!(colored(&[("CLICOLOR_FORCE", "1")]));
    assert!(!colored(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}

/// The message about a table with a horizon does not mention search limits.
#[test]
fn a_horizon_is_not_a_search_limit() {
    let tables = new_folder();
    let folder = tables.to_str().unwrap();
    let solved = answer(
        &["solve", "pushfight:mini,pushers=1,pawns=1", "--max-turns", "3", "--tables", folder],
        &[],
        "",
    );
    assert!(solved.contains("solved up to 3 turns") && !solved.contains("--nodes"), "{solved}");
    for command in ["probe", "line"] {
        let asked = with(&[command, "pushfight:mini,pushers=1,pawns=1", "--tables", folder]);
        let output = run_with_input(asked, "");
        let printed = String::from_utf8(output.stdout).unwrap().replace('\n', " ");
        assert!(printed.contains("solved up to 3") && !printed.contains("--nodes"), "{command}: {printed}");
    }
}

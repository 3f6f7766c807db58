//! A side that does not lose has a certificate, which a program that only knows the rules can
//! check; a losing side has no certificate.

use certificate_checker::prove;

use crate::common::{self, answer, fails, failure, json, new_folder, prints};

const DRAWN: [&str; 10] = [
    "pushfight:mini,pushers=2,pawns=0,moves=0",
    "pushfight:mini,pushers=2,pawns=0,moves=1",
    "pushfight:mini,pushers=2,pawns=0",
    "pushfight:mini,pushers=2,pawns=0,moves=3",
    "pushfight:mini,pushers=1,pawns=1,moves=1",
    "pushfight:mini,pushers=1,pawns=1",
    "pushfight:twocolumn,pushers=1,pawns=1",
    "pushfight:onecolumn,pushers=2,pawns=0",
    "pushfight:standard,pushers=1,pawns=1",
    "pushfight:full,pushers=2,pawns=0",
];

#[test]
fn an_independent_program_checks_that_both_sides_hold_a_draw() {
    let tables = &new_folder();
    for game in DRAWN {
        assert_eq!(json(tables, &["solve", game])["start"]["outcome"], "draw", "{game}");
        for side in ["first", "second"] {
            let file = tables.join(side);
            let out = file.to_str().unwrap();
            let made = json(tables, &["certificate", game, "--side", side, "--out", out, "--force"]);
            assert_eq!(made["closed"], true, "{game}, {side}: {made}");
            let text = std::fs::read_to_string(&file).unwrap();
            let claim = prove(&text).unwrap();
            assert!(claim.starts_with(&format!("the {side} player never loses")), "{game}: {claim}");
            assert!(text.contains(&format!("positions = {}\n", made["positions"])), "{made}");
            assert_eq!(made["bytes"], text.len());
        }
    }
}

#[test]
fn only_the_winner_has_a_certificate() {
    let tables = &new_folder();
    let board = tables.join("drawn.board");
    // A board with a side rail, different pieces, and unlimited moves.
    let text = "moves = unlimited\n\n+-+-+-+-+\n|O . . x|\n+ + + + +\n o O X .\n+-+-+-+-+\n";
    std::fs::write(&board, text).unwrap();
    for game in
        ["tactics:4x3", "tactics:3x3,normal", "touchdown:4x4", "touchdown:3x5", board.to_str().unwrap()]
    {
        let game = if game.ends_with(".board") { format!("pushfight:{game}") } else { game.to_owned() };
        let outcome = json(tables, &["solve", &game])["start"]["outcome"].as_str().unwrap().to_owned();
        for (side, loses) in [("first", outcome == "loss"), ("second", outcome == "win")] {
            let file = tables.join(format!("{side}.certificate"));
            let arguments = ["certificate", &game, "--side", side, "--out", file.to_str().unwrap()];
            if loses {
                fails(tables, &arguments, 1, "be forced to lose");
                assert!(!file.exists());
                continue;
            }
            prints(tables, &arguments, "never loses");
            let proved = prove(&std::fs::read_to_string(&file).unwrap());
            assert!(proved.is_ok(), "{game}, {side}: {proved:?}");
            std::fs::remove_file(&file).unwrap();
        }
    }
}

#[test]
fn a_set_that_is_not_closed_is_not_a_certificate() {
    let tables = &new_folder();
    let file = tables.join("set.certificate");
    let game = "pushfight:mini,pushers=1,pawns=1";
    let arguments = ["certificate", game, "--out", file.to_str().unwrap(), "--limit", "5"];
    fails(tables, &arguments, 1, "there is no table");
    answer(tables, &["solve", game]);
    let output = common::run(tables, &arguments);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("no certificate for Red") && text.contains("without a turn"), "{text}");
    let names = std::fs::read_dir(&**tables).unwrap().map(|entry| entry.unwrap().file_name());
    let names: Vec<_> = names.filter(|name| name.to_string_lossy().contains("certificate")).collect();
    assert!(names.is_empty(), "{names:?}");
    answer(tables, &["solve", "pushfight:mini,pushers=1,pawns=2", "--max-turns", "3"]);
    let arguments = ["certificate", "pushfight:mini,pushers=1,pawns=2", "--out", file.to_str().unwrap()];
    fails(tables, &arguments, 1, "only up to --max-turns");
}

/// The certificate of an impartial game has positions after turns, found by a search or in a table.
#[test]
fn the_winner_of_an_impartial_game_has_a_certificate_with_and_without_a_table() {
    let tables = &new_folder();
    for (game, winner) in [
        ("tactics:4x4", "second"),
        ("tactics:5x4", "first"),
        ("tactics:4x3,line=2", "second"),
        ("tactics:5x2,line=1", "first"),
        ("tactics:4x3,normal", "first"),
    ] {
        let file = tables.join("set.certificate");
        let out = file.to_str().unwrap();
        let loser = if winner == "first" { "second" } else { "first" };
        let refused = failure(tables, &["certificate", game, "--side", loser, "--out", out], 1);
        assert!(refused.contains("be forced to lose") && !file.exists(), "{game}: {refused}");
        let made = json(tables, &["certificate", game, "--side", winner, "--out", out]);
        assert_eq!(made["closed"], true, "{game}: {made}");
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("Retrograde certificate 2\n"), "{game}");
        assert_eq!(made["bytes"], text.len());
        assert!(prove(&text).unwrap().starts_with(&format!("the {winner} player never loses")), "{game}");
        answer(tables, &["solve", game, "--outcome-only"]);
        let made = json(tables, &["certificate", game, "--side", winner, "--out", out, "--force"]);
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.contains(&format!("positions = {}\n", made["positions"])), "{game}: {made}");
        assert!(prove(&text).is_ok(), "{game}");
        fails(
            tables,
            &["certificate", game, "--side", loser, "--out", out, "--force"],
            1,
            "be forced to lose",
        );
        std::fs::remove_file(&file).unwrap();
        std::fs::remove_dir_all(tables.join(retrograde_table::directory_name(game))).unwrap();
    }
    let file = tables.join("set.certificate");
    let arguments =
        ["certificate", "tactics", "--side", "blue", "--out", file.to_str().unwrap(), "--limit", "5"];
    let output = common::run(tables, &arguments);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("no certificate for Blue"));
    assert!(!file.exists());
}

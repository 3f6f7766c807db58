//! Tests of `play` through a pipe. `probe` judges the computer's turns, so the tests contain no
//! expected game.

use std::path::Path;
use std::process::Output;

use serde_json::Value as Json;

use crate::common::{self, json, new_folder, run_with_input, solved, with};

fn run(tables: &Path, arguments: &[&str], typed: &str) -> Output {
    run_with_input(with(&[arguments, &["--tables", tables.to_str().unwrap()]].concat()), typed)
}

/// The output for this input.
fn play(tables: &Path, arguments: &[&str], typed: &str) -> String {
    let arguments = [&["play"], arguments].concat();
    let output = run(tables, &arguments, typed);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && message.is_empty(), "{arguments:?}: {message}");
    let screen = String::from_utf8(output.stdout).unwrap();
    for line in screen.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    screen
}

fn probe(tables: &Path, game: &str, position: Option<&str>) -> Json {
    let mut arguments = vec!["probe", game];
    arguments.extend(position);
    json(tables, &arguments)
}

/// The turns that the computer announced.
fn played(screen: &str) -> Vec<String> {
    let turns = screen.lines().filter_map(|line| line.rsplit_once(" plays ")?.1.strip_suffix('.'));
    turns.map(str::to_owned).collect()
}

fn turn<'a>(probe: &'a Json, text: &str) -> &'a Json {
    let turns = probe["turns_available"].as_array().unwrap();
    turns.iter().find(|turn| turn["turn"] == text).unwrap()
}

#[test]
fn a_strength_limits_how_far_the_computer_looks() {
    let tables = &solved(&["touchdown"]);
    let start = probe(tables, "touchdown", None);
    let first = |arguments: &[&str], typed: &str| {
        let all = [&["touchdown"], arguments].concat();
        let turn_played = played(&play(tables, &all, typed)).remove(0);
        turn(&start, &turn_played).clone()
    };
    let seeds = ["1", "2", "3", "4", "5", "6", "7", "8"];
    for seed in seeds {
        let best = first(&["--blue", "--seed", seed], "");
        assert_eq!((&best["outcome"], &best["turns"]), (&start["outcome"], &start["turns"]));
        // A typed strength acts like the option.
        let blind = first(&["--blue", "--seed", seed, "--strength", "2"], "");
        assert_eq!(first(&["--seed", seed], "strength 2\nswap\n")["turn"], blind["turn"]);
    }
    let blind = seeds.map(|seed| first(&["--blue", "--seed", seed, "--strength", "2"], ""));
    assert!(
        blind.iter().any(|turn| turn["turns"] != start["turns"]),
        "a player who looks two turns ahead cannot see a win in eleven"
    );

    // It never misses an end within its horizon.
    let near = "..../X.../...O/....";
    let value = probe(tables, "touchdown", Some(near));
    assert_eq!((&value["outcome"], &value["turns"]), (&"win".into(), &1.into()));
    for seed in seeds {
        let screen = play(tables, &["touchdown", near, "--blue", "--strength", "1", "--seed", seed], "");
        assert!(screen.contains("you lose"), "{screen}");
    }
}

#[test]
fn a_hint_is_a_best_turn_and_undo_takes_back_your_own_turn() {
    let tables = &solved(&["touchdown"]);
    let screen = play(tables, &["touchdown"], "undo\nhint\neval\na1a2\nundo\nhint\nquit\n");
    assert!(screen.contains("There is no turn to take back."), "{screen}");
    assert!(screen.contains("With best play, you win in 11 turns"), "{screen}");
    let hints: Vec<&str> = screen.lines().filter(|line| line.contains("(win in 11)")).collect();
    assert_eq!(hints.len(), 2, "the same before and after: {screen}");
    assert_eq!(hints[0], hints[1]);
    let boards = |screen: &str, row: &str| screen.lines().filter(|line| *line == row).count();
    assert_eq!(boards(&screen, "1 │ X │ X │ X │ X │ 1"), 2, "the start, twice: {screen}");
    // Blue's own turn is taken back, not the computer's first.
    let screen = play(tables, &["touchdown", "--blue"], "undo\n1\nundo\nquit\n");
    assert!(screen.contains("There is no turn to take back."), "{screen}");
    assert_eq!(played(&screen).len(), 2);
}

#[test]
fn turns_are_those_of_the_board() {
    let tables = &solved(&["touchdown"]);
    let game = tables.join("game.txt");
    // Blue's pawns move down the board; both notations are accepted.
    let typed = format!("turns\nd4d3\nsave {}\nquit\n", game.display());
    let screen = play(tables, &["touchdown", "--blue"], &typed);
    assert!(screen.contains("   1  d4d3") && screen.contains("Saved"), "{screen}");
    let saved = std::fs::read_to_string(&game).unwrap();
    assert_eq!(saved.lines().nth(1), Some("# coordinates: board"), "{saved}");
    assert_eq!(saved.lines().nth(3), Some("d4d3"), "{saved}");
    let machine = &played(&screen)[1];
    assert!(saved.contains(&machine.to_owned()[..]), "{saved}");
    let marked = run(tables, &["annotate", "touchdown", game.to_str().unwrap()], "");
    assert!(marked.status.success());
    let line = run(tables, &["annotate", "touchdown", "-"], "a1a2\nd4d3\nb1b2\n");
    assert!(line.status.success(), "a line copied from the screen");
    // The computer's turns are in the board's coordinates, too.
    let screen = play(tables, &["touchdown"], "a1a2\nquit\n");
    let reply = &played(&screen)[0];
    assert_eq!(&reply[1..2], "4", "{reply}");
}

#[test]
fn wrong_commands_do_not_end_a_game() {
    let tables = &solved(&["tactics:2x2"]);
    let typed = "\nfrobnicate\nz9\n99\n0\nsave\nstrength many\nhelp\na1-a2\nb1\nb2\n";
    let screen = play(tables, &["tactics:2x2"], typed);
    assert!(screen.contains("`help` lists the commands"), "{screen}");
    assert!(
        screen.contains("Name the file, as in: save game.txt") && screen.contains("not “many”"),
        "{screen}"
    );
    assert!(screen.contains("The game is over"), "{screen}");
    // The end of the input ends the program, even during a game.
    assert!(play(tables, &["tactics:2x2"], "").contains("your turn>"));
    let placed = play(tables, &["pushfight:mini", "--time", "0"], "O:a2,b1 o:b2,c1\nundo\nquit\n");
    assert!(placed.contains("Blue (X, x) plays X:"), "{placed}");
    let json = run(tables, &["play", "tactics:2x2", "--json"], "");
    assert_eq!(json.status.code(), Some(1));
}

/// Red loses the win on the first turn and plays to the end; `words` follow.
fn lost_game(words: &str) -> String {
    format!("b1b2\n{}{words}", "1\n".repeat(3))
}

#[test]
fn after_the_end_the_mistake_is_named_and_the_game_can_continue() {
    let tables = &solved(&["touchdown"]);
    let file = tables.join("lost.txt");
    let after = format!("frobnicate\nreview\nsave {}\nundo\nundo\nundo\nundo\nhint\nquit\n", file.display());
    let screen = play(tables, &["touchdown"], &lost_game(&after));
    let (_, end) = screen.split_once("The game is over: Blue (O) wins, you lose.").unwrap();
    let flat = end.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("Your decisive mistake was turn 1, b1b2: Red threw the win away"), "{flat}");
    for word in ["`undo`", "`new`", "`save FILE`", "`quit`", "The game is over; `help` lists"] {
        assert!(flat.contains(word), "{word}: {flat}");
    }
    // All turns with marks, then back to the first one, the mistake, and the better turn.
    assert!(flat.contains("1. Red b1b2? win in 11 →"), "{flat}");
    assert!(end.contains("a1a2 (win in 11)"), "{end}");
    let saved = std::fs::read_to_string(&file).unwrap();
    assert!(saved.starts_with("# touchdown:4x4\n# coordinates: board\nb1b2\n"), "{saved}");
    // `new` starts again, on the other side if requested.
    let screen = play(tables, &["touchdown"], &lost_game("new blue\nquit\n"));
    let (_, again) = screen.split_once("what now> new blue").unwrap();
    assert!(again.contains("Red (X) plays ") && again.contains("Blue (O), your turn>"), "{again}");
    let screen = play(tables, &["touchdown"], &lost_game("new green\nquit\n"));
    assert!(screen.contains("“green” is not a player") && screen.contains("what now> quit"), "{screen}");
    let screen = play(tables, &["touchdown"], &lost_game("again\nquit\n"));
    assert!(screen.ends_with("Red (X), your turn> quit\n"), "{screen}");
    // The winner is announced. Red plays perfectly and makes no mistakes.
    let screen = play(tables, &["touchdown", "--blue", "--seed", "3"], &"1\n".repeat(6));
    assert!(screen.contains("Red (X) wins, you lose."), "{screen}");
    let screen = play(tables, &["touchdown", "..../X.../...O/...."], "a3a4\n");
    assert!(
        screen.contains("Red (X) wins, you win!") && screen.contains("There were no mistakes"),
        "{screen}"
    );
}

#[test]
fn rules_are_shown_during_a_game() {
    let tables = &solved(&["tactics:2x2"]);
    let rules = common::answer(tables, &["rules", "tactics:2x2"]);
    for word in ["?", "rules"] {
        let screen = play(tables, &["tactics:2x2"], &format!("{word}\nquit\n"));
        assert!(screen.contains(&rules), "{screen}");
    }
}

#[test]
fn resigning_shows_the_value_of_the_position() {
    let tables = &solved(&["touchdown"]);
    let screen = play(tables, &["touchdown"], "resign\nundo\nhint\nquit\n");
    assert!(screen.contains("You resign: Blue (O) wins.\nYou could still have won."), "{screen}");
    assert!(screen.contains("a1a2 (win in 11)"), "undo continues the game: {screen}");
    let screen = play(tables, &["touchdown"], "b1b2\nresign\nquit\n");
    assert!(screen.contains("Your decisive mistake was turn 1, b1b2"), "{screen}");
}

#[test]
fn mistakes_are_commented_on_at_once_unless_that_is_off() {
    let tables = &solved(&["touchdown"]);
    let remark = "Red threw the win away";
    let screen = play(tables, &["touchdown"], "b1b2\nquit\n");
    let (before, after) = screen.split_once(remark).unwrap();
    assert!(before.ends_with("your turn> b1b2\n") && after.contains("plays"), "before the answer: {screen}");
    assert!(after.contains("a1a2") && after.contains("`undo`"), "{screen}");
    assert!(!play(tables, &["touchdown"], "a1a2\nquit\n").contains("Better"), "nothing about good turns");
    assert!(!play(tables, &["touchdown", "--no-comments"], "b1b2\nquit\n").contains(remark));
    assert!(!play(tables, &["touchdown"], "comments off\nb1b2\nquit\n").contains(remark));
    let screen = play(tables, &["touchdown", "--no-comments"], "comments maybe\ncomments on\nb1b2\nquit\n");
    assert!(screen.contains(remark) && screen.contains("not “maybe”"), "{screen}");
}

#[test]
fn without_a_table_unknown_values_stay_unknown() {
    let folder = new_folder();
    let screen = play(&folder, &["touchdown:8x6", "--nodes", "5"], "hint\nline\na1a2\nresign\nquit\n");
    let flat = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("There is no table of this game, so I search"), "{screen}");
    assert!(screen.contains("I do not see the end from here, so I do not know the best turn."), "{screen}");
    assert!(!screen.contains("(unknown)") && screen.contains("I do not see a line to the end"), "{screen}");
    assert!(screen.contains("The decisive turn is unknown"), "{screen}");
    // The value after a turn may be known while the one before it is not. And there may be no turn at all.
    let position = ".OOOOO/....../....../....../.O..../X.XXXX";
    for (arguments, typed) in [
        (&["touchdown:6x6", position, "--nodes", "2000"][..], "f1f2\nreview\nquit\n"),
        (&["touchdown:6x6", "--nodes", "5"], "resign\nquit\n"),
    ] {
        let screen = play(&folder, arguments, typed);
        assert!(!screen.contains("no mistakes"), "{screen}");
        assert!(screen.contains("The decisive turn is unknown"), "{screen}");
    }
}

//! Tests Tactics against its promises, the assertions of "Solving Tactics", and what is known of the 4×4
//! board.

use std::collections::HashMap;

use retrograde_game::{Dense, Game, GameSpec, Index, Outcome, Show, Squares, Stored, Value, conformance};
use retrograde_solve::testing::job;
use retrograde_solve::{NoCheckpoint, Silent, sweep};
use retrograde_tactics::{Tactics, fill};

fn game(name: &str) -> Tactics {
    Tactics::from_spec(GameSpec::parse(name).unwrap()).unwrap()
}

#[test]
fn keeps_its_promises_on_many_boards() {
    let names = [
        "tactics:1x1",
        "tactics:1x2",
        "tactics:7x1",
        "tactics:1x7,line=2",
        "tactics:2x2,normal",
        "tactics:3x3",
        "tactics:4x3,line=1",
        "tactics:3x4,line=2,normal",
        "tactics:5x2,line=5",
    ];
    for name in names {
        let game = game(name);
        assert_eq!(game.name(), name);
        let positions = conformance::numbered(&game, 300, 1);
        conformance::check_game(&game, &positions);
        conformance::check_dense(&game, &positions);
        conformance::check_counts(&game);
        conformance::check_graded(&game, &positions);
        conformance::check_predecessors(&game, &positions, 4);
        conformance::check_symmetries(&game, &positions);
        conformance::check_show(&game, &positions);
        conformance::check_planes_are_read(&game, &positions[..positions.len().min(100)]);
        conformance::check_guide(&game);
        conformance::check_refusals(&game, &positions);
        conformance::check_layered(&game);
    }
    conformance::check_layered(&game("tactics:4x4"));
    let large = game("tactics:9x7");
    conformance::check_game(&large, &conformance::playouts(&large, 2, 10, 5));
}

/// The bit-parallel solver has its own rules: it fills sets of cells.
#[test]
fn the_bit_parallel_solver_agrees_with_the_sweep() {
    for columns in 1..=12_u32 {
        for rows in 1..=12 / columns {
            for (longest, normal) in (1..=columns.max(rows)).flat_map(|line| [(line, false), (line, true)]) {
                let game = Tactics::new(columns, rows, longest, normal).unwrap();
                let swept = sweep::solve(&game, &mut job(1, &Silent, &mut NoCheckpoint)).unwrap();
                let cells = game.fill_game();
                let scores = fill::solve(&cells, &mut job(2, &Silent, &mut NoCheckpoint)).unwrap();
                assert!(scores == swept, "{}", game.name());
                let bits = fill::outcomes(&cells, &mut job(1, &Silent, &mut NoCheckpoint)).unwrap();
                for index in (0..bits.len()).map(Index) {
                    let Stored::Known(known) = swept.stored(index) else {
                        panic!("index {index} has no value")
                    };
                    assert_eq!(known.outcome(), Some(bits.outcome(index)), "{} {index}", game.name());
                }
            }
        }
    }
}

#[test]
fn sentences_match_the_variant() {
    for (name, sentence) in [
        (
            "tactics",
            "The board is a grid of four columns and four rows; it starts empty, and Red moves first.",
        ),
        ("tactics", "A turn fills one to four adjacent empty squares in one row or one column."),
        ("tactics", "The player who fills the last square loses."),
        ("tactics,normal", "The player who fills the last square wins."),
        ("tactics:9x2,line=3", "A turn fills one to three adjacent empty squares"),
        ("tactics,line=2", "A turn fills one empty square, or two adjacent ones in a row or a column."),
        ("tactics,line=1", "A turn fills one empty square."),
        ("tactix:6x6", "this is Piet Hein's TacTix"),
    ] {
        let output = game(name).guide().sentences.join(" ");
        assert!(output.contains(sentence), "{name}: {output}");
    }
    for (name, count) in [("tactics", 3), ("tactics:6x6", 3), ("tactics,normal", 3), ("tactics:1x1", 1)] {
        assert_eq!(game(name).guide().examples.len(), count, "{name}");
    }
    // The last example ends as its caption says.
    for name in ["tactics", "tactics,normal", "tactics:3x5,line=1", "tactics:3x5,line=1,normal"] {
        let (game, guide) = (game(name), game(name).guide());
        let last = guide.examples.last().unwrap();
        let position = game.parse_position(&last.position).unwrap();
        let next = game.play(&position, &game.parse_turn(&position, &last.turn).unwrap());
        let outcome = game.result(&next);
        let expected = if name.ends_with("normal") { Some(Outcome::Loss) } else { None };
        assert_eq!(outcome, expected, "{name}: {}", last.caption);
    }
}

#[test]
fn names_leave_defaults_out() {
    for (given, canonical) in [
        ("tactics", "tactics:4x4"),
        ("tactics:4x4,line=4", "tactics:4x4"),
        ("tactics:3x2,line=9", "tactics:3x2"),
        ("tactics:3x2,line=3", "tactics:3x2"),
        ("tactics:5x5,line=9", "tactics:5x5,line=5"),
        ("tactics,normal,line=2", "tactics:4x4,line=2,normal"),
        // Piet Hein's TacTix: lines as long as the board.
        ("tactix", "tactics:4x4"),
        ("tactix:5x5", "tactics:5x5,line=5"),
        ("tactix:7x6", "tactics:7x6,line=7"),
        ("tactix:6x6,normal", "tactics:6x6,line=6,normal"),
    ] {
        assert_eq!(game(given).name(), canonical);
    }
    for bad in [
        "tactics:8x8",
        "tactics:0x3",
        "tactics,line=0",
        "tactics,lines=2",
        "tactics,normal=yes",
        "tactix,line=3",
    ] {
        assert!(Tactics::from_spec(GameSpec::parse(bad).unwrap()).is_err(), "{bad}");
    }
}

#[test]
fn texts_are_read_strictly() {
    let game = game("tactics:3x2");
    assert_eq!(game.parse_position("X__/_X.").unwrap(), Squares(0b01_0001));
    assert_eq!(game.parse_position("100010").unwrap(), Squares(0b01_0001));
    for (text, reason) in [
        ("X__/_XO", "found 'O' at character 7"),
        ("X_/__X", "found '/' at character 3"),
        ("X___/_X", "found '_' at character 4"),
        ("X__/_X", "ends too early, expected 1 more"),
        ("X__/_X__", "expected the end"),
        ("X__//_X_", "found '/' at character 5"),
        ("", "ends too early"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let board = Squares(0b1);
    assert_eq!(game.parse_turn(&board, "b2-c2").unwrap(), game.parse_turn(&board, "c2-b2").unwrap());
    for (text, reason) in [
        ("a2-c2", "a2 is filled"),
        ("a1-b2", "not in the same row"),
        ("d1", "a column from `a` to `c`"),
        ("a3", "a row from 1 to 2"),
        ("a01", "a row from 1 to 2"),
        ("b1-", "ends too early"),
        ("b1c1", "`-` and the other end"),
        ("b1-c1-", "expected the end"),
        ("", "a column"),
    ] {
        let error = game.parse_turn(&board, text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let short = self::game("tactics:5x1,line=2");
    assert!(short.parse_turn(&Squares(0), "a1-c1").unwrap_err().to_string().contains("longer"));
}

/// The value by the rules alone, memoised.
fn value(game: &Tactics, position: Squares, known: &mut HashMap<u64, Value>) -> Value {
    if let Some(&value) = known.get(&position.0) {
        return value;
    }
    let found = match game.result(&position) {
        Some(outcome) => Value::over(outcome),
        None => {
            let turns = game.turns(&position);
            turns.iter().map(|(_, next)| value(game, *next, known).before_turn()).max().unwrap()
        }
    };
    known.insert(position.0, found);
    found
}

#[test]
fn the_seeds_assertions_hold() {
    let game = game("tactics");
    let mut known = HashMap::new();
    let mut checked = 0;
    for line in include_str!("data/tactics-seed-assertions.tsv").lines() {
        if line.starts_with('#') || line.starts_with("squares") {
            continue;
        }
        let (squares, outcome) = line.split_once('\t').unwrap();
        let position = game.parse_position(squares).unwrap();
        assert_eq!(value(&game, position, &mut known).outcome().word(), outcome, "{squares}");
        checked += 1;
    }
    assert_eq!(checked, 97);
    assert_eq!(value(&game, Squares(0), &mut known).to_string(), "loss in 15");
    let all: Vec<Value> =
        (0..65536).map(|index| value(&game, game.position(Index(index)).unwrap(), &mut known)).collect();
    let wins = all.iter().filter(|value| value.outcome() == Outcome::Win).count();
    assert_eq!((wins, all.len() - wins), (56_968, 8_568));
}

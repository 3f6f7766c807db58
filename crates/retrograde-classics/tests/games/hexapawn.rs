//! Hexapawn: promises; the same values as TouchDown, which has the same rules; compulsory captures
//! against a slow implementation.

use std::collections::HashSet;

use retrograde_classics::Hexapawn;
use retrograde_game::conformance::*;
use retrograde_game::{Game, GameSpec};
use retrograde_touchdown::TouchDown;

use crate::solvers;

pub(crate) fn hexapawn(name: &str) -> Hexapawn {
    Hexapawn::from_spec(GameSpec::parse(name).unwrap()).unwrap()
}

const GAMES: [&str; 11] = [
    "hexapawn:3x3",
    "hexapawn:3x3,forced",
    "hexapawn:1x2",
    "hexapawn:1x5,forced",
    "hexapawn:2x2",
    "hexapawn:2x4,forced",
    "hexapawn:4x2",
    "hexapawn:4x3,forced",
    "hexapawn:4x4",
    "hexapawn:5x5,forced",
    "hexapawn:8x6",
];

#[test]
fn every_board_keeps_its_promises() {
    for name in GAMES {
        let game = hexapawn(name);
        assert_eq!(game.name(), name);
        for positions in [playouts(&game, 100, 200, 1), numbered(&game, 1500, 2)] {
            check_game(&game, &positions);
            check_dense(&game, &positions);
            check_graded(&game, &positions);
            check_symmetries(&game, &positions);
            check_predecessors(&game, &positions, 3);
        }
        check_show(&game, &playouts(&game, 20, 100, 3));
        check_guide(&game);
        if !["hexapawn:5x5,forced", "hexapawn:8x6"].contains(&name) {
            check_counts(&game);
        }
    }
}

#[test]
fn turns_agree_with_touchdown_except_for_compulsory_captures() {
    for name in GAMES {
        let (game, spec) = (hexapawn(name), name.replace("hexapawn", "touchdown").replace(",forced", ""));
        let twin = TouchDown::from_spec(GameSpec::parse(&spec).unwrap()).unwrap();
        let mut positions = playouts(&game, 100, 100, 7);
        positions.extend(numbered(&game, 2000, 8));
        for position in positions {
            let text = game.position_text(&position);
            let same = twin.parse_position(&text).unwrap();
            assert_eq!(game.result(&position), twin.result(&same), "{text}");
            let pawns = |text: &str| text.chars().filter(|letter| "XO".contains(*letter)).count();
            let mut expected: HashSet<String> =
                twin.turns(&same).into_iter().map(|(_, next)| twin.position_text(&next)).collect();
            let captures = |next: &String| pawns(next) < pawns(&text);
            if name.contains("forced") && expected.iter().any(captures) {
                expected.retain(captures);
            }
            let texts =
                game.turns(&position).into_iter().map(|(_, next)| game.position_text(&next)).collect();
            assert_eq!(expected, texts, "{name}: {text}");
        }
    }
}

#[test]
fn values_agree_with_touchdown() {
    for size in ["3x3", "4x3", "3x4", "2x5"] {
        let game = hexapawn(&format!("hexapawn:{size}"));
        let twin = TouchDown::from_spec(GameSpec::parse(&format!("touchdown:{size}")).unwrap()).unwrap();
        let scores = solvers::retrograde(&game);
        let expected = solvers::in_one_pass(&twin);
        for position in numbered(&game, u64::MAX, 0) {
            let same = twin.parse_position(&game.position_text(&position)).unwrap();
            let value = solvers::value(&game, &scores, &position);
            assert_eq!(value, solvers::value(&twin, &expected, &same), "{}", game.position_text(&position));
        }
    }
}

#[test]
fn small_boards_agree_with_the_sweep() {
    for name in
        ["hexapawn:3x3", "hexapawn:3x3,forced", "hexapawn:4x3,forced", "hexapawn:2x4,forced", "hexapawn:1x5"]
    {
        solvers::check_retrograde(&hexapawn(name));
    }
}

#[test]
fn wrong_texts_are_rejected_with_a_reason() {
    let game = hexapawn("hexapawn");
    for text in ["X../.O./...", ".../.../XXX", "OOO/O../XX.", "X./", ".../.../..?"] {
        assert!(game.parse_position(text).is_err(), "{text}");
    }
    for (name, reason) in [
        ("hexapawn:3x1", "two rows"),
        ("hexapawn:9x8", "at most 64"),
        ("hexapawn:3x3,line=2", "unknown option"),
    ] {
        let error = Hexapawn::from_spec(GameSpec::parse(name).unwrap()).unwrap_err().to_string();
        assert!(error.contains(reason), "{name}: {error}");
    }
}

//! Teeko: promises, rules against a slow implementation, small boards against the sweep.

use std::collections::HashSet;

use retrograde_classics::Teeko;
use retrograde_game::conformance::*;
use retrograde_game::{Dense, Flow, Game, GameSpec, Symmetries};
use retrograde_testkit::some_of;

use crate::solvers;

pub(crate) fn teeko(name: &str) -> Teeko {
    Teeko::from_spec(GameSpec::parse(name).unwrap()).unwrap()
}

const GAMES: [&str; 8] = [
    "teeko:3x3",
    "teeko:3x3,advanced",
    "teeko:5x2",
    "teeko:2x6",
    "teeko:4x3,advanced",
    "teeko:4x4",
    "teeko:5x5",
    "teeko:5x5,advanced",
];

/// Images that are ranked together have the indices of images that are ranked one by one.
fn check_image_indices(game: &Teeko, position: &<Teeko as Game>::Position) {
    let mut found = Vec::new();
    let _ = game.each_image_index(position, |index| {
        found.push(Some(index));
        Flow::Continue(())
    });
    let images = (1..game.symmetry_count()).map(|symmetry| game.index(&game.image(symmetry, position)));
    assert_eq!(found, images.collect::<Vec<_>>(), "{}", game.position_text(position));
}

#[test]
fn every_board_keeps_its_promises() {
    let small = GAMES.into_iter().filter(|name| teeko(name).index_count() <= 1 << 20);
    let small: Vec<&str> = some_of(3, small).collect();
    for name in GAMES {
        let game = teeko(name);
        assert_eq!(game.name(), name);
        for positions in [playouts(&game, 60, 200, 1), numbered(&game, 1500, 2)] {
            let positions: Vec<_> = some_of(3, positions).collect();
            check_game(&game, &positions);
            check_dense(&game, &positions);
            check_symmetries(&game, &positions);
            check_predecessors(&game, &positions, 3);
            positions.iter().for_each(|position| check_image_indices(&game, position));
        }
        check_show(&game, &playouts(&game, 20, 100, 3));
        check_guide(&game);
        // Every index, which takes most of the time.
        if small.contains(&name) {
            check_counts(&game);
            check_staged(&game);
        }
    }
}

/// Whether four men are in a row or in a square, judging by the distances between them.
fn wins(men: &[(i32, i32)], advanced: bool) -> bool {
    let &[first, second, third, fourth] = men else { return false };
    let ways = [(1, 0), (0, 1), (1, 1), (1, -1)];
    let in_row = |&(x, y): &(i32, i32)| {
        let row: HashSet<(i32, i32)> = (0..4).map(|step| (first.0 + x * step, first.1 + y * step)).collect();
        men.iter().all(|man| row.contains(man))
    };
    // The men are sorted by column, then row, so the corners of a square have this order.
    let side = second.1 - first.1;
    let square = second.0 == first.0
        && side > 0
        && (side == 1 || advanced)
        && third == (first.0 + side, first.1)
        && fourth == (first.0 + side, first.1 + side);
    ways.iter().any(in_row) || square
}

/// The texts of the positions after every turn; `None` if the game is over.
fn successors(text: &str, advanced: bool) -> Option<HashSet<String>> {
    let rows: Vec<Vec<char>> = text.split('/').map(|row| row.chars().collect()).collect();
    let find = |letter: char| -> Vec<(i32, i32)> {
        let squares = (0..rows[0].len()).flat_map(|column| (0..rows.len()).map(move |row| (column, row)));
        squares
            .filter(|&(column, row)| rows[row][column] == letter)
            .map(|(c, r)| (c as i32, r as i32))
            .collect()
    };
    let (own, other) = (find('X'), find('O'));
    if wins(&other, advanced) {
        return None;
    }
    // The other player sees the letters exchanged.
    let after = |from: Option<(i32, i32)>, to: (i32, i32)| -> String {
        let letter = |at: (i32, i32), letter: char| match letter {
            _ if at == to => 'O',
            _ if Some(at) == from => '.',
            'X' => 'O',
            'O' => 'X',
            other => other,
        };
        let row = |(y, row): (usize, &Vec<char>)| -> String {
            row.iter().enumerate().map(|(x, &old)| letter((x as i32, y as i32), old)).collect()
        };
        rows.iter().enumerate().map(row).collect::<Vec<_>>().join("/")
    };
    let empty = find('.');
    if own.len() + other.len() < 8 {
        return Some(empty.into_iter().map(|to| after(None, to)).collect());
    }
    let near = |a: (i32, i32), b: (i32, i32)| (a.0 - b.0).abs().max((a.1 - b.1).abs()) == 1;
    let moves = own.iter().flat_map(|&from| empty.iter().map(move |&to| (from, to)));
    Some(moves.filter(|&(from, to)| near(from, to)).map(|(from, to)| after(Some(from), to)).collect())
}

#[test]
fn turns_agree_with_the_slow_implementation() {
    for name in GAMES {
        let game = teeko(name);
        let advanced = name.contains("advanced");
        let mut positions = playouts(&game, 60, 100, 7);
        positions.extend(numbered(&game, 2000, 8));
        for position in some_of(3, positions) {
            let text = game.position_text(&position);
            let expected = successors(&text, advanced);
            assert_eq!(game.result(&position).is_some(), expected.is_none(), "{name}: {text}");
            let texts =
                game.turns(&position).into_iter().map(|(_, next)| game.position_text(&next)).collect();
            assert_eq!(expected.unwrap_or_default(), texts, "{name}: {text}");
        }
    }
}

#[test]
fn small_boards_agree_with_the_sweep() {
    let names =
        ["teeko:3x3", "teeko:3x3,advanced", "teeko:5x2", "teeko:2x6", "teeko:4x3", "teeko:4x3,advanced"];
    for name in some_of(3, names) {
        solvers::check_retrograde(&teeko(name));
        solvers::check_stages(&teeko(name));
    }
}

#[test]
fn wrong_texts_are_rejected_with_a_reason() {
    let game = teeko("teeko");
    for (text, reason) in [
        ("X..../...../...../...../.....", "the same number of men as `O` or one fewer"),
        ("OO.../...../...../...../.....", "the same number of men as `O` or one fewer"),
        ("XXXX./OOO../O..../...../.....", "has already won"),
        ("?..../...../...../...../.....", "found '?' at character 1"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    for (name, reason) in [
        ("teeko:2x4", "nine squares"),
        ("teeko:20x1", "two rows"),
        ("teeko:9x9", "at most 64"),
        ("teeko:8x8,x", "unknown option"),
    ] {
        let error = Teeko::from_spec(GameSpec::parse(name).unwrap()).unwrap_err().to_string();
        assert!(error.contains(reason), "{name}: {error}");
    }
    assert!(teeko("teeko:8x8").index(&game.start()).is_some());
}

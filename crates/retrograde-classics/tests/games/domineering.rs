//! Domineering: promises, who wins small boards, and a slow implementation.

use std::collections::HashMap;

use retrograde_classics::Domineering;
use retrograde_game::conformance::*;
use retrograde_game::{Dense, Game, Grid, Outcome, Score, Value};
use retrograde_solve::reachable::{ByIndex, Reachable, solve};
use retrograde_solve::testing::job;
use retrograde_solve::{NoCheckpoint, Silent};

use crate::solvers;

pub(crate) fn domineering(columns: u32, rows: u32) -> Domineering {
    Domineering::new(Grid::new(columns, rows).unwrap()).unwrap()
}

/// The value of the start, by solving the positions reachable from it.
pub(crate) fn value_of_start(game: &Domineering) -> Value {
    let mut checkpoint = NoCheckpoint;
    let start = game.start();
    let scores = solve(&Reachable::graded(game, ByIndex, &start), &job(2, &Silent, &mut checkpoint)).unwrap();
    let score = scores.score(game.index(&start).unwrap().0).unwrap();
    score.and_then(Score::value).unwrap()
}

#[test]
fn every_board_keeps_its_promises() {
    for (columns, rows) in [(1, 1), (1, 4), (4, 1), (3, 3), (4, 3), (3, 4), (6, 6), (9, 7)] {
        let game = domineering(columns, rows);
        let positions = [playouts(&game, 20, 40, 1), numbered(&game, 500, 2)].concat();
        check_game(&game, &positions);
        check_dense(&game, &positions);
        check_graded(&game, &positions);
        check_show(&game, &playouts(&game, 20, 40, 1));
        check_planes_are_read(&game, &playouts(&game, 2, 10, 1));
        if columns * rows <= 12 {
            check_counts(&game);
            check_layered(&game);
            solvers::check_layered(&game);
        }
    }
    assert!(Domineering::new(Grid::new(8, 8).unwrap()).is_ok());
}

#[test]
fn players_place_dominoes_in_turn() {
    let game = domineering(3, 2);
    let texts = |position| -> Vec<String> {
        game.turns(&position).iter().map(|(turn, _)| game.turn_text(&position, turn)).collect()
    };
    assert_eq!(texts(game.start()), ["a1a2", "b1b2", "c1c2"]);
    assert_eq!(texts(game.parse_position("X../X..").unwrap()), ["b2c2", "b1c1"]);
    assert!(texts(game.parse_position(".X./.X.").unwrap()).is_empty());
    let error = game.parse_position("X../...").unwrap_err().to_string();
    assert!(error.contains("an even number of squares must be filled"), "{error}");
}

/// Whether the side to move wins, on a board as a list of rows, by the rules in words.
fn wins(
    board: &mut Vec<Vec<bool>>,
    upright: bool,
    known: &mut HashMap<(Vec<Vec<bool>>, bool), bool>,
) -> bool {
    if let Some(&known) = known.get(&(board.clone(), upright)) {
        return known;
    }
    let (rows, columns) = (board.len(), board[0].len());
    let (down, right) = if upright { (1, 0) } else { (0, 1) };
    let mut found = false;
    for row in 0..rows - down {
        for column in 0..columns - right {
            if !found && !board[row][column] && !board[row + down][column + right] {
                (board[row][column], board[row + down][column + right]) = (true, true);
                found = !wins(board, !upright, known);
                (board[row][column], board[row + down][column + right]) = (false, false);
            }
        }
    }
    known.insert((board.clone(), upright), found);
    found
}

#[test]
fn small_boards_agree_with_a_slow_implementation() {
    for (columns, rows) in (1..=4).flat_map(|columns| (1..=4).map(move |rows| (columns, rows))) {
        let game = domineering(columns, rows);
        let mut board = vec![vec![false; columns as usize]; rows as usize];
        let expected = if wins(&mut board, true, &mut HashMap::new()) { Outcome::Win } else { Outcome::Loss };
        let value = value_of_start(&game);
        assert_eq!(value.outcome(), expected, "{}: {value}", game.name());
    }
}

#[test]
fn positions_are_those_with_an_even_number_of_filled_squares() {
    assert_eq!((domineering(4, 4).index_count(), domineering(6, 6).position_count()), (1 << 15, 1 << 35));
}

//! Dots and Boxes: promises, turns and values against a slow implementation that draws edge by
//! edge, small boards against the sweep.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use retrograde_classics::DotsAndBoxes;
use retrograde_game::conformance::*;
use retrograde_game::{Game, GameSpec, Outcome};

use crate::solvers;

pub(crate) fn dots_and_boxes(name: &str) -> DotsAndBoxes {
    DotsAndBoxes::from_spec(GameSpec::parse(name).unwrap()).unwrap()
}

const GAMES: [&str; 7] = [
    "dotsandboxes:1x1",
    "dotsandboxes:2x1",
    "dotsandboxes:1x3",
    "dotsandboxes:2x2",
    "dotsandboxes:3x2",
    "dotsandboxes:3x3",
    "dotsandboxes:4x3",
];

#[test]
fn every_board_keeps_its_promises() {
    for name in GAMES {
        let game = dots_and_boxes(name);
        assert_eq!(game.name(), name);
        for positions in [playouts(&game, 30, 60, 1), numbered(&game, 500, 2)] {
            check_game(&game, &positions);
            check_dense(&game, &positions);
            check_graded(&game, &positions);
            check_symmetries(&game, &positions[..positions.len().min(150)]);
        }
        check_show(&game, &playouts(&game, 10, 60, 3));
        check_guide(&game);
        if !["dotsandboxes:3x3", "dotsandboxes:4x3"].contains(&name) {
            check_counts(&game);
            check_layered(&game);
        }
    }
}

/// A drawing as letters: rows of dots and edges, as in position texts.
type Letters = Vec<Vec<char>>;

/// The number of boxes with all four edges.
fn closed(board: &Letters) -> usize {
    let rows = (1..board.len()).step_by(2);
    let boxes = rows.flat_map(|row| (1..board[0].len()).step_by(2).map(move |column| (row, column)));
    let has_all = |&(r, c): &(usize, usize)| {
        [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)].iter().all(|&(r, c)| board[r][c] != '.')
    };
    boxes.filter(has_all).count()
}

/// The edges that are not drawn, as row, column and letter.
fn open(board: &Letters) -> Vec<(usize, usize, char)> {
    let squares = (0..board.len()).flat_map(|row| (0..board[0].len()).map(move |column| (row, column)));
    let edges = squares.filter(|(row, column)| (row + column) % 2 == 1 && board[*row][*column] == '.');
    edges.map(|(row, column)| (row, column, if row % 2 == 0 { '-' } else { '|' })).collect()
}

fn letters(text: &str) -> Letters {
    text.split(':').next().unwrap().split('/').map(|row| row.chars().collect()).collect()
}

/// Finds every way to end the turn of a player with `own` boxes: drawings, and the number of boxes.
fn ends(board: &Letters, own: usize, found: &mut HashSet<(Letters, usize)>) {
    for (row, column, letter) in open(board) {
        let mut next = board.clone();
        next[row][column] = letter;
        let taken = closed(&next) - closed(board);
        if taken == 0 || open(&next).is_empty() {
            found.insert((next, own + taken));
        } else {
            ends(&next, own + taken, found);
        }
    }
}

/// The number of further boxes that the player to draw gets more than the other, edge by edge.
fn margin(board: &Letters, known: &mut HashMap<Letters, i32>) -> i32 {
    if let Some(&margin) = known.get(board) {
        return margin;
    }
    let mut best = None;
    for (row, column, letter) in open(board) {
        let mut next = board.clone();
        next[row][column] = letter;
        let taken = (closed(&next) - closed(board)) as i32;
        let rest = margin(&next, known);
        best = best.max(Some(if taken > 0 { taken + rest } else { -rest }));
    }
    let best = best.unwrap_or(0);
    known.insert(board.clone(), best);
    best
}

#[test]
fn turns_agree_with_the_slow_implementation() {
    for name in &GAMES[..5] {
        let game = dots_and_boxes(name);
        let mut positions = playouts(&game, 20, 60, 7);
        positions.extend(numbered(&game, 300, 8));
        for position in positions {
            let text = game.position_text(&position);
            let board = letters(&text);
            // There are too many orders of the last edges for the slow implementation.
            if open(&board).len() > 9 && closed(&board) > 1 {
                continue;
            }
            let (own, all) = (usize::from(position.own()), closed(&board));
            let over = open(&board).is_empty();
            let outcome = match own.cmp(&(all - own)) {
                Ordering::Less => Outcome::Loss,
                Ordering::Equal => Outcome::Draw,
                Ordering::Greater => Outcome::Win,
            };
            assert_eq!(game.result(&position), over.then_some(outcome), "{text}");
            let mut expected = HashSet::new();
            ends(&board, own, &mut expected);
            let turns = game.turns(&position).into_iter().map(|(_, next)| {
                let board = letters(&game.position_text(&next));
                let other = closed(&board) - usize::from(next.own());
                (board, other)
            });
            assert_eq!(expected, turns.collect(), "{name}: {text}");
        }
    }
}

#[test]
fn outcomes_follow_from_the_margin_with_best_play() {
    for (name, start) in
        [("dotsandboxes:1x1", -1), ("dotsandboxes:2x1", 0), ("dotsandboxes:1x3", -1), ("dotsandboxes:2x2", 2)]
    {
        let game = dots_and_boxes(name);
        let scores = solvers::in_one_pass(&game);
        let mut known = HashMap::new();
        for position in numbered(&game, u64::MAX, 0) {
            let text = game.position_text(&position);
            let board = letters(&text);
            let lead = 2 * i32::from(position.own()) - closed(&board) as i32;
            let expected = match (lead + margin(&board, &mut known)).cmp(&0) {
                Ordering::Less => Outcome::Loss,
                Ordering::Equal => Outcome::Draw,
                Ordering::Greater => Outcome::Win,
            };
            assert_eq!(solvers::value(&game, &scores, &position).outcome(), expected, "{name}: {text}");
        }
        assert_eq!(known[&letters(&game.position_text(&game.start()))], start, "{name}");
    }
}

#[test]
fn small_boards_agree_with_the_sweep() {
    for name in &GAMES[..4] {
        solvers::check_layered(&dots_and_boxes(name));
    }
}

#[test]
fn steps_lead_to_the_turns_that_begin_with_them() {
    let game = dots_and_boxes("dotsandboxes:2x2");
    check_steps(&game, &playouts(&game, 40, 60, 4));
}

#[test]
fn wrong_texts_are_rejected_with_a_reason() {
    let game = dots_and_boxes("dotsandboxes:1x1");
    for (text, reason) in [
        ("+-+/|.|/+-.", "in their own places"),
        ("+|+/|.|/+-+:1-0", "in their own places"),
        ("+-+/|.|/+-+", "as in `:1-0`"),
        ("+-+/|.|/+-+:1-1", "as in `:1-0`"),
        ("+-+/|.|/+.+:0-0", "0 together"),
        ("+-+/|.|", "ends too early"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let position = game.parse_position("+-+/|../+.+").unwrap();
    for (text, reason) in [
        ("z9", "no edge `z9`"),
        ("b2", "is not an edge"),
        ("b3", "already drawn"),
        ("c2,b1", "ends the turn"),
        ("", "no edge ``"),
    ] {
        let error = game.parse_turn(&position, text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let two = dots_and_boxes("dotsandboxes:2x1");
    let position = two.parse_position("+-+.+/|.|.|/+.+.+").unwrap();
    let error = two.parse_turn(&position, "b1").unwrap_err().to_string();
    assert!(error.contains("draw another edge"), "{error}");
    for (name, reason) in [
        ("dotsandboxes:4x4", "at most 64"),
        ("dotsandboxes:2x2,misere", "no options"),
        ("dotsandboxes:0x2", "from 1"),
    ] {
        let error = DotsAndBoxes::from_spec(GameSpec::parse(name).unwrap()).unwrap_err().to_string();
        assert!(error.contains(reason), "{name}: {error}");
    }
}

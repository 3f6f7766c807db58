//! Positions and turns as people write them.
//!
//! A position is its rows of points from the top, `XO./.../...`, with `X` to move, followed by a
//! colon and the number of men that both sides together still have to place: `.../.../...:6`. A
//! turn is the point on which a man is placed, `d7`, or the two points of a move, `d7-g7`, followed
//! by `x` and the man that is taken, if any: `d7-g7xb2`.

use retrograde_game::{Seat, Square, Squares, TextError};

use super::board::Board;
use super::rules::{Position, Rules, Turn};

/// The points of each row, from the top.
fn rows(board: &Board) -> Vec<Vec<Square>> {
    let in_row = |row: u16| {
        let points = (0..).map(Square).zip(&board.places);
        points.filter(|(_, at)| at.row == row).map(|(point, _)| point).collect()
    };
    (0..board.rows).map(in_row).collect()
}

pub(super) fn board(board: &Board, x: Squares, o: Squares, in_hands: u8) -> String {
    let letter = |point: &Square| match (x.contains(*point), o.contains(*point)) {
        (true, _) => 'X',
        (_, true) => 'O',
        _ => '.',
    };
    let rows: Vec<String> = rows(board).iter().map(|row| row.iter().map(letter).collect()).collect();
    let hands = if in_hands > 0 { format!(":{in_hands}") } else { String::new() };
    rows.join("/") + &hands
}

/// Parses a position; `X` is the first player, `to_move` or not.
pub(super) fn parse_board(rules: &Rules, text: &str, to_move: Seat) -> Result<Position, TextError> {
    let unexpected = |at: usize, expected: &str| TextError::unexpected("position", text, at, expected);
    let mut letters = text.chars().enumerate();
    let mut men = [Squares::EMPTY; 2];
    let end = text.chars().count();
    let rows = rows(&rules.board);
    for (number, row) in rows.iter().enumerate() {
        if number > 0 {
            match letters.next() {
                Some((_, '/')) => {}
                other => return Err(unexpected(other.map_or(end, |(at, _)| at), "`/` between two rows")),
            }
        }
        for &point in row {
            match letters.next() {
                Some((_, 'X')) => men[0].insert(point),
                Some((_, 'O')) => men[1].insert(point),
                Some((_, '.')) => {}
                other => return Err(unexpected(other.map_or(end, |(at, _)| at), "one of `X`, `O` or `.`")),
            }
        }
    }
    let in_hands = match letters.next() {
        None => 0,
        Some((at, ':')) => {
            let number: String = letters.map(|(_, letter)| letter).collect();
            let plain = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
            let most = 2 * rules.men;
            let read = number.parse().ok().filter(|&number| plain && u32::from(number) <= most);
            read.ok_or_else(|| unexpected(at + 1, &format!("the men still to be placed, from 1 to {most}")))?
        }
        Some((at, _)) => return Err(unexpected(at, "the end, or `:` and the men still to be placed")),
    };
    let [own, other] = match to_move {
        Seat::First => men,
        Seat::Second => [men[1], men[0]],
    };
    let position = Position { own, other, in_hands };
    match rules.fault(&position, to_move) {
        Some(reason) => Err(TextError::impossible("position", text, reason)),
        None => Ok(position),
    }
}

pub(super) fn turn(board: &Board, turn: &Turn) -> String {
    let from = turn.from.map_or_else(String::new, |from| board.name(from) + "-");
    let takes = turn.takes.map_or_else(String::new, |taken| format!("x{}", board.name(taken)));
    from + &board.name(turn.to) + &takes
}

//! Positions and turns as people write them.
//!
//! A position is its rows from the top, `OOOO/..../..../XXXX`, with `X` to move, upwards; the
//! slashes are optional. A turn is two squares, `b1b2`: columns a, b, … z, aa, …, and rows counted
//! from the mover's side.

use retrograde_game::{Game, Picture, Square, Squares, TextError};

use crate::board::{Board, Position, Turn};
use crate::rules::TouchDown;

/// The letters of the side to move and of the opponent.
const LETTERS: [char; 2] = ['X', 'O'];

/// The rows from the top, joined by slashes: `X` for the first set, `O` for the second.
pub(crate) fn board(board: &Board, x: Squares, o: Squares) -> String {
    board.grid.text(LETTERS, [x, o])
}

pub(crate) fn square(board: &Board, square: Square) -> String {
    board.grid.name(square)
}

pub(crate) fn turn(board: &Board, turn: &Turn) -> String {
    square(board, turn.from) + &square(board, turn.to)
}

pub(crate) fn parse_position(game: &TouchDown, text: &str) -> Result<Position, TextError> {
    let [own, other] = game.board.grid.parse(LETTERS, text)?;
    match game.fault(own, other) {
        Some(reason) => Err(TextError::impossible("position", text, reason)),
        None => Ok(Position { own, other }),
    }
}

/// Parses a square at a place. Returns it with the place after it.
fn parse_square(
    board: &Board,
    text: &str,
    letters: &[char],
    from: usize,
) -> Result<(Square, usize), TextError> {
    let run = |from: usize, belongs: fn(&char) -> bool| {
        from + letters[from..].iter().take_while(|letter| belongs(letter)).count()
    };
    let column_end = run(from, char::is_ascii_lowercase);
    let row_end = run(column_end, char::is_ascii_digit);
    let label: String = letters[from..column_end].iter().collect();
    let Some(column) = (0..board.columns).find(|&column| Picture::column_label(column as u16) == label)
    else {
        let last = Picture::column_label(board.columns as u16 - 1);
        return Err(TextError::unexpected("turn", text, from, format!("a column from `a` to `{last}`")));
    };
    let number: String = letters[column_end..row_end].iter().collect();
    let Some(row) = (1..=board.rows).find(|row| row.to_string() == number) else {
        let expected = format!("a row from 1 to {}", board.rows);
        return Err(TextError::unexpected("turn", text, column_end, expected));
    };
    Ok((Square(((board.rows - row) * board.columns + column) as u8), row_end))
}

pub(crate) fn parse_turn(game: &TouchDown, position: &Position, text: &str) -> Result<Turn, TextError> {
    let letters: Vec<char> = text.chars().collect();
    let (from, middle) = parse_square(&game.board, text, &letters, 0)?;
    let (to, end) = parse_square(&game.board, text, &letters, middle)?;
    if end < letters.len() {
        return Err(TextError::unexpected("turn", text, end, "the end"));
    }
    let turn = Turn { from, to };
    if game.turns(position).iter().any(|(legal, _)| *legal == turn) {
        return Ok(turn);
    }
    let (from_name, to_name) = (square(&game.board, from), square(&game.board, to));
    let reason = if game.over(*position) {
        "the game is over".to_owned()
    } else if !position.own.contains(from) {
        format!("the side to move has no pawn on {from_name}")
    } else if from.0.checked_sub(game.board.columns as u8) == Some(to.0) {
        format!("{to_name} is occupied; a step needs an empty square")
    } else if game.board.captors(to).contains(from) {
        format!("there is no opponent's pawn on {to_name} to capture")
    } else {
        "a pawn goes one row forward, straight to an empty square or diagonally to capture".to_owned()
    };
    Err(TextError::impossible("turn", text, reason))
}

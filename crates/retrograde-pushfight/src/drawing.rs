//! The drawn form of boards and positions: 2H + 1 lines of 2W + 1 characters, with `+` at the corners, `-` and `|`
//! for rails, `#` for no square, and `.` or a piece on a square. A board file has lines `key = value` before it, for
//! what a drawing cannot say.

use retrograde_game::TextError;

use crate::Board;

/// A drawing: a board and what stands on its squares.
pub(crate) struct Drawing {
    pub board: Board,
    /// `.`, or the letter of a piece, in the order of the squares.
    pub pieces: String,
}

/// A board file.
pub(crate) struct BoardFile {
    pub drawing: Drawing,
    pub name: Option<String>,
    pub pushers: Option<u32>,
    pub pawns: Option<u32>,
    /// As in the name of a game: a number or `unlimited`.
    pub moves: Option<String>,
}

/// What is wrong, where: line and column counted from 1.
fn wrong(text: &str, line: usize, column: usize, reason: &str) -> TextError {
    TextError::impossible("board", text, format!("line {}, column {}: {reason}", line + 1, column + 1))
}

/// Reads a board file.
///
/// # Errors
/// With line and column.
pub(crate) fn board_file(text: &str) -> Result<BoardFile, TextError> {
    let before = text.lines().take_while(|line| !line.starts_with('+')).count();
    let (mut name, mut pushers, mut pawns, mut moves) = (None, None, None, None);
    let mut places = [None, None];
    for (number, line) in text.lines().take(before).enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let error = |reason: String| wrong(text, number, 0, &reason);
        let Some((key, value)) = line.split_once('=').map(|(key, value)| (key.trim(), value.trim())) else {
            return Err(error("expected `key = value`, or `+`, with which a drawing begins".to_owned()));
        };
        let whole = || value.parse::<u32>().map_err(|_| error(format!("`{key}` is a whole number")));
        let twice = match key {
            "name" => {
                let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
                if value.is_empty() || value.len() > 40 || !value.chars().all(plain) {
                    return Err(error("a name is up to 40 letters, digits, `-` and `_`".to_owned()));
                }
                name.replace(value.to_owned()).is_some()
            }
            "pushers" => pushers.replace(whole()?).is_some(),
            "pawns" => pawns.replace(whole()?).is_some(),
            "moves" => moves.replace(value.to_owned()).is_some(),
            "first" => places[0].replace((number, value)).is_some(),
            "second" => places[1].replace((number, value)).is_some(),
            _ => {
                return Err(error(format!("`{key}` is none of name, pushers, pawns, moves, first, second")));
            }
        };
        if twice {
            return Err(error(format!("`{key}` stands twice")));
        }
    }
    let mut drawing = drawn(text, before)?;
    for (half, place) in places.into_iter().enumerate() {
        let Some((number, list)) = place else { continue };
        let mut set = 0_u64;
        for label in list.split(',').map(str::trim) {
            let square = drawing.board.labelled(label);
            let square =
                square.ok_or_else(|| wrong(text, number, 0, &format!("there is no square `{label}`")))?;
            set |= 1 << square;
        }
        drawing.board.halves[half] = set;
    }
    if drawing.board.halves[0] & drawing.board.halves[1] != 0 {
        return Err(wrong(text, 0, 0, "`first` and `second` share a square"));
    }
    Ok(BoardFile { drawing, name, pushers, pawns, moves })
}

/// Reads a drawing that begins in some line of a text.
///
/// # Errors
/// With line and column.
pub(crate) fn drawn(text: &str, skip: usize) -> Result<Drawing, TextError> {
    let wrong = |line: usize, column: usize, reason: &str| wrong(text, line + skip, column, reason);
    let mut lines: Vec<Vec<char>> =
        text.lines().skip(skip).map(|line| line.trim_end().chars().collect()).collect();
    while lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    let width = lines.first().map_or(0, Vec::len);
    if lines.len() < 3 || lines.len().is_multiple_of(2) || width < 3 || width.is_multiple_of(2) {
        return Err(wrong(0, 0, "a drawing has 2H + 1 lines of 2W + 1 characters"));
    }
    let (height, across) = (lines.len() / 2, width / 2);
    if height > MOST || across > MOST {
        return Err(wrong(0, 0, "a drawing has at most 1,000 rows and columns"));
    }
    let at = |line: usize, column: usize| lines[line].get(column).copied().unwrap_or(' ');
    for (number, line) in lines.iter().enumerate() {
        if line.len() > width {
            return Err(wrong(number, width, "the line is longer than the first"));
        }
        for column in 0..width {
            let allowed = match (number % 2, column % 2) {
                // Blanks at the ends of lines may be left out, so corners may not.
                (0, 0) => "+",
                (0, _) => "- ",
                (_, 0) => "| ",
                _ => ".#oOxXYP",
            };
            if !allowed.contains(at(number, column)) {
                let found = at(number, column);
                return Err(wrong(number, column, &format!("found {found:?}, expected one of “{allowed}”")));
            }
        }
    }
    let rows: Vec<String> =
        (0..height).map(|row| (0..across).map(|column| at(2 * row + 1, 2 * column + 1)).collect()).collect();
    let square = |row: usize, column: usize| {
        rows.get(row).and_then(|r| r.as_bytes().get(column)).is_some_and(|&c| c != b'#')
    };
    let inside = "a rail stands between a square and what is none";
    for row in 0..=height {
        for column in 0..across {
            let above = row > 0 && square(row - 1, column);
            if at(2 * row, 2 * column + 1) == '-' && above == square(row, column) {
                return Err(wrong(2 * row, 2 * column + 1, inside));
            }
        }
    }
    for row in 0..height {
        for column in 0..=across {
            let left = column > 0 && square(row, column - 1);
            if at(2 * row + 1, 2 * column) == '|' && left == square(row, column) {
                return Err(wrong(2 * row + 1, 2 * column, inside));
            }
        }
    }
    let pieces: String = rows.iter().flat_map(|row| row.chars()).filter(|&c| c != '#').collect();
    if pieces.is_empty() || pieces.len() > 64 {
        return Err(wrong(0, 0, &format!("a board has 1 to 64 squares, this has {}", pieces.len())));
    }
    let names: Vec<&str> = rows.iter().map(String::as_str).collect();
    let board = Board::from_rows(&names, |row, column, d| match d {
        0 => at(2 * row, 2 * column + 1) == '-',
        1 => at(2 * row + 1, 2 * column + 2) == '|',
        2 => at(2 * row + 2, 2 * column + 1) == '-',
        _ => at(2 * row + 1, 2 * column) == '|',
    });
    Ok(Drawing { board, pieces })
}

/// Rows and columns of a drawing.
const MOST: usize = 1000;

impl Board {
    /// The board as a drawing, without pieces.
    pub(crate) fn drawing(&self) -> String {
        let (rows, columns) = (usize::from(self.rows), usize::from(self.columns));
        let mut lines: Vec<Vec<u8>> = (0..=2 * rows)
            .map(|line| {
                let cell = |column| match (line % 2, column % 2) {
                    (0, 0) => b'+',
                    (1, 1) => b'#',
                    _ => b' ',
                };
                (0..=2 * columns).map(cell).collect()
            })
            .collect();
        for (square, &(row, column)) in self.places.iter().enumerate() {
            let (line, column) = (2 * usize::from(row) + 1, 2 * usize::from(column) + 1);
            lines[line][column] = b'.';
            let rails = &self.rail[square];
            for (rail, line, column, mark) in [
                (rails[0], line - 1, column, b'-'),
                (rails[1], line, column + 1, b'|'),
                (rails[2], line + 1, column, b'-'),
                (rails[3], line, column - 1, b'|'),
            ] {
                if rail {
                    lines[line][column] = mark;
                }
            }
        }
        lines.iter().map(|line| String::from_utf8_lossy(line).trim_end().to_owned() + "\n").collect()
    }
}

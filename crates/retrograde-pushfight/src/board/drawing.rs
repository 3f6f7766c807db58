//! The drawn form of boards and positions: 2H + 1 lines of 2W + 1 characters, with `+` at the
//! corners, `-` and `|` for rails, `#` for no square, and `.` or a piece on a square. A drawing may
//! be much larger than a board for play: mate in one is decided on boards with thousands of
//! squares.

use std::fmt;

use retrograde_game::{GridSquare, Picture, TextError, clean_text};

/// The row and column offsets of the square above, right, below and left. The opposite of direction
/// `d` is `(d + 2) % 4`.
pub(crate) const DIRECTIONS: [(i32, i32); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// A drawn board of any size, with its pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawing {
    rows: u16,
    columns: u16,
    /// Row by row from the top: `#`, `.` or the letter of a piece.
    cells: Vec<u8>,
    /// The directions in which each cell has a rail, as bits.
    rails: Vec<u8>,
}

/// An error at a line and a column, counted from 0 here and from 1 in the message.
pub(crate) fn error_at(text: &str, line: usize, column: usize, reason: &str) -> TextError {
    TextError::impossible("board", text, format!("line {}, column {}: {reason}", line + 1, column + 1))
}

impl Drawing {
    /// The most rows, and the most columns.
    pub const MAX_SIDE: usize = 1000;

    /// Parses a drawing, as separate lines or joined by `/`.
    ///
    /// # Errors
    /// With line and column: a line longer than the first, an invalid character, a rail inside the
    /// board, a second anchor, no squares, or more than [`Drawing::MAX_SIDE`] rows or columns.
    pub fn parse(text: &str) -> Result<Drawing, TextError> {
        let text = &*clean_text(text);
        if text.contains('\n') {
            Drawing::from_line(text, 0)
        } else {
            Drawing::from_line(&text.replace('/', "\n"), 0)
        }
    }

    /// Parses a drawing that begins at a line of a text.
    pub(crate) fn from_line(text: &str, skip: usize) -> Result<Drawing, TextError> {
        let wrong = |line: usize, column: usize, reason: &str| error_at(text, line + skip, column, reason);
        let mut lines: Vec<Vec<char>> =
            text.lines().skip(skip).map(|line| line.trim_end().chars().collect()).collect();
        while lines.last().is_some_and(Vec::is_empty) {
            lines.pop();
        }
        let width = lines.first().map_or(0, Vec::len);
        if lines.len() < 3 || lines.len().is_multiple_of(2) || width < 3 || width.is_multiple_of(2) {
            return Err(wrong(0, 0, "a drawing of W × H squares has 2H + 1 lines of 2W + 1 characters"));
        }
        let (rows, columns) = (lines.len() / 2, width / 2);
        if rows > Drawing::MAX_SIDE || columns > Drawing::MAX_SIDE {
            return Err(wrong(0, 0, "a drawing has at most 1,000 rows and columns"));
        }
        let at = |line: usize, column: usize| lines[line].get(column).copied().unwrap_or(' ');
        let mut anchored = false;
        for (number, line) in lines.iter().enumerate() {
            if line.len() > width {
                return Err(wrong(number, width, "the line is longer than the first"));
            }
            for column in 0..width {
                let found = at(number, column);
                let allowed = match (number % 2, column % 2) {
                    // Blanks at the ends of lines are optional, so corners are required.
                    (0, 0) => "+",
                    (0, _) => "- ",
                    (_, 0) => "| ",
                    _ => ".#oOxXYP",
                };
                if !allowed.contains(found) {
                    let expected = match allowed {
                        "+" => "`+`".to_owned(),
                        "- " => "`-` or a blank".to_owned(),
                        "| " => "`|` or a blank".to_owned(),
                        letters => format!("one of `{letters}`"),
                    };
                    let reason = format!("found {found:?}, expected {expected}");
                    return Err(wrong(number, column, &reason));
                }
                if matches!(found, 'Y' | 'P') && std::mem::replace(&mut anchored, true) {
                    return Err(wrong(number, column, "this is a second anchor"));
                }
            }
        }
        let mut drawing =
            Drawing { rows: rows as u16, columns: columns as u16, cells: Vec::new(), rails: Vec::new() };
        for row in 0..rows {
            drawing.cells.extend((0..columns).map(|column| at(2 * row + 1, 2 * column + 1) as u8));
        }
        drawing.rails = vec![0; drawing.cells.len()];
        if drawing.cells.iter().all(|&cell| cell == b'#') {
            return Err(wrong(0, 0, "the board has no square"));
        }
        // Visits every edge of the grid once: the upper and left edge of each cell, and the lower
        // and right end of the grid.
        for line in 0..lines.len() {
            for column in (0..width).filter(|column| (line + column) % 2 == 1) {
                if !matches!(at(line, column), '-' | '|') {
                    continue;
                }
                let (above, below) = if line % 2 == 0 { (0, 2) } else { (3, 1) };
                let (row, across) = ((line / 2) as i32, (column / 2) as i32);
                // The cells on both sides of the edge, with the direction of the edge from each.
                let before = if line % 2 == 0 { (row - 1, across) } else { (row, across - 1) };
                let behind = drawing.cell(row, across);
                match (drawing.cell(before.0, before.1), behind) {
                    (None, Some(cell)) => drawing.rails[cell] |= 1 << above,
                    (Some(cell), None) => drawing.rails[cell] |= 1 << below,
                    _ => {
                        let reason = "there is a rail where the board has no edge";
                        return Err(wrong(line, column, reason));
                    }
                }
            }
        }
        Ok(drawing)
    }

    /// The index of a square in `cells`.
    fn cell(&self, row: i32, column: i32) -> Option<usize> {
        let row = u16::try_from(row).ok().filter(|&row| row < self.rows)?;
        let column = u16::try_from(column).ok().filter(|&column| column < self.columns)?;
        let cell = usize::from(row) * usize::from(self.columns) + usize::from(column);
        (self.cells[cell] != b'#').then_some(cell)
    }

    /// Creates the drawing of a board. `of` returns for each row and column `None` if there is no
    /// square, otherwise `.` or the letter of a piece, and the directions with a rail (above,
    /// right, below, left). Rails are only allowed where there is no neighbour.
    pub fn from_cells(rows: u16, columns: u16, of: impl Fn(u16, u16) -> Option<(u8, [bool; 4])>) -> Drawing {
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let (cells, rails) = all
            .map(|(row, column)| match of(row, column) {
                Some((letter, rails)) => {
                    (letter, (0..4).filter(|&d| rails[d]).fold(0, |set, d| set | 1 << d))
                }
                None => (b'#', 0),
            })
            .unzip();
        Drawing { rows, columns, cells, rails }
    }

    /// The same board without pieces.
    #[must_use]
    pub fn emptied(&self) -> Drawing {
        let cells = self.cells.iter().map(|&cell| if cell == b'#' { b'#' } else { b'.' }).collect();
        Drawing { cells, rails: self.rails.clone(), ..*self }
    }

    /// Swaps the contents of two squares. Does nothing if one of them is not on the board.
    pub fn swap(&mut self, one: GridSquare, other: GridSquare) {
        let cell = |place: GridSquare| self.cell(i32::from(place.row), i32::from(place.column));
        if let (Some(one), Some(other)) = (cell(one), cell(other)) {
            self.cells.swap(one, other);
        }
    }

    /// The number of rows of the grid.
    pub fn rows(&self) -> u16 {
        self.rows
    }

    /// The number of columns of the grid.
    pub fn columns(&self) -> u16 {
        self.columns
    }

    /// The squares with their contents, `.` or the letter of a piece, row by row from the top.
    pub fn squares(&self) -> impl Iterator<Item = (GridSquare, char)> + '_ {
        self.cells.iter().enumerate().filter(|&(_, &cell)| cell != b'#').map(|(cell, &letter)| {
            let columns = usize::from(self.columns);
            let place = GridSquare { column: (cell % columns) as u16, row: (cell / columns) as u16 };
            (place, char::from(letter))
        })
    }

    /// Whether there is a square at a place.
    pub fn is_square(&self, place: GridSquare) -> bool {
        self.cell(i32::from(place.row), i32::from(place.column)).is_some()
    }

    /// The square next to a place: above (0), right (1), below (2), left (3).
    pub fn neighbour(&self, place: GridSquare, direction: usize) -> Option<GridSquare> {
        let (down, right) = DIRECTIONS[direction];
        let (row, column) = (i32::from(place.row) + down, i32::from(place.column) + right);
        self.cell(row, column).map(|_| GridSquare { column: column as u16, row: row as u16 })
    }

    /// Whether a square has a rail in a direction. Only possible where there is no neighbour.
    pub fn has_rail(&self, place: GridSquare, direction: usize) -> bool {
        self.cell(i32::from(place.row), i32::from(place.column))
            .is_some_and(|cell| self.rails[cell] >> direction & 1 == 1)
    }

    /// The name of a square: letters for the column and a number for the row, counted from below.
    pub fn label(&self, place: GridSquare) -> String {
        format!("{}{}", Picture::column_label(place.column), self.rows - place.row)
    }

    /// The square with a name.
    pub fn labelled(&self, label: &str) -> Option<GridSquare> {
        let digits = label.find(|c: char| c.is_ascii_digit())?;
        let row = label[digits..].parse::<u16>().ok().filter(|&row| 0 < row && row <= self.rows)?;
        let column = (0..self.columns).find(|&column| Picture::column_label(column) == label[..digits])?;
        let place = GridSquare { column, row: self.rows - row };
        (self.is_square(place) && self.label(place) == label).then_some(place)
    }
}

impl fmt::Display for Drawing {
    /// Writes the lines, each with a line end but without trailing blanks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
        for (cell, &letter) in self.cells.iter().enumerate() {
            let (line, column) = (2 * (cell / columns) + 1, 2 * (cell % columns) + 1);
            lines[line][column] = letter;
            let sides = [(line - 1, column), (line, column + 1), (line + 1, column), (line, column - 1)];
            for (d, (line, column)) in sides.into_iter().enumerate() {
                if self.rails[cell] >> d & 1 == 1 {
                    lines[line][column] = if d % 2 == 0 { b'-' } else { b'|' };
                }
            }
        }
        lines.iter().try_for_each(|line| writeln!(f, "{}", String::from_utf8_lossy(line).trim_end()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_are_read_and_written() {
        let text = "+ +-+ +\n # O|#\n+ + + +\n|. Y x\n+-+-+ +\n";
        let drawing = Drawing::parse(text).unwrap();
        assert_eq!(drawing.to_string(), text);
        assert_eq!(Drawing::parse(&text.replace('\n', "/")).unwrap(), drawing);
        let at = |label| drawing.labelled(label).unwrap();
        assert_eq!(at("b2"), GridSquare { column: 1, row: 0 });
        assert_eq!(
            (0..4).map(|d| drawing.has_rail(at("b2"), d)).collect::<Vec<_>>(),
            [true, true, false, false]
        );
        assert_eq!(
            (0..4).map(|d| drawing.has_rail(at("a1"), d)).collect::<Vec<_>>(),
            [false, false, true, true]
        );
        assert_eq!(drawing.neighbour(at("b2"), 2), Some(at("b1")));
        assert!(["a2", "c2", "d1", "b0", "b02", "b", "2", ""].iter().all(|l| drawing.labelled(l).is_none()));
    }

    #[test]
    fn invalid_drawings_are_rejected_with_the_place() {
        for (text, reason) in [
            ("", "line 1, column 1: a drawing of"),
            ("+ +/ ./", "line 1, column 1: a drawing of"),
            ("+ +/ ./+ + +", "line 3, column 4: the line is longer"),
            ("+ +/ ?/+ +", "line 2, column 2: found '?'"),
            ("+|+/ ./+ +", "line 1, column 2: found '|'"),
            ("+ + +/ .|./+ + +", "line 2, column 3: there is a rail"),
            ("+-+/ #/+ +", "line 1, column 1: the board has no square"),
            ("+-+ +/ # ./+ + +", "line 1, column 2: there is a rail"),
            ("+ + +/ Y P/+ + +", "line 2, column 4: this is a second anchor"),
        ] {
            let error = Drawing::parse(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
        let wide = format!("+{}", " +".repeat(1001));
        let error = Drawing::parse(&format!("{wide}\n{}\n{wide}", " .".repeat(1001))).unwrap_err();
        assert!(error.to_string().contains("at most 1,000 rows and columns"));
    }
}

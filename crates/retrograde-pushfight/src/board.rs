//! Boards: squares of a grid with rails along some of their sides, and the built-in ones.

use retrograde_game::TextError;

/// Directions: up, right, down, left; the opposite of `d` is `(d + 2) % 4`.
pub(crate) const STEPS: [(i32, i32); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// A board of up to 64 squares, numbered row by row from the top.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    pub(crate) rows: u16,
    pub(crate) columns: u16,
    /// Row and column of every square.
    pub(crate) places: Vec<(u16, u16)>,
    /// The neighbouring square in every direction.
    pub(crate) next: Vec<[Option<u8>; 4]>,
    /// Whether a rail keeps pieces on the board in a direction in which there is no square.
    pub(crate) rail: Vec<[bool; 4]>,
    /// Where each player places his pieces: the left and the right half.
    pub(crate) halves: [u64; 2],
}

impl Board {
    /// A board from rows of `#` (no square) and any other character (a square); `railed` says whether a
    /// square has a rail above (0) or below (2) where no square follows.
    pub(crate) fn from_rows(rows: &[&str], railed: impl Fn(usize, usize, usize) -> bool) -> Board {
        let columns = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let is_square = |row: i32, column: i32| {
            let row = usize::try_from(row).ok().and_then(|row| rows.get(row));
            let at = usize::try_from(column).ok();
            row.zip(at).and_then(|(row, at)| row.as_bytes().get(at)).is_some_and(|&c| c != b'#')
        };
        let mut places = Vec::new();
        for row in 0..rows.len() {
            for column in 0..columns {
                if is_square(row as i32, column as i32) {
                    places.push((row as u16, column as u16));
                }
            }
        }
        let find = |row: i32, column: i32| {
            let place = (u16::try_from(row).ok()?, u16::try_from(column).ok()?);
            places.iter().position(|&known| known == place).map(|square| square as u8)
        };
        let next: Vec<[Option<u8>; 4]> = places
            .iter()
            .map(|&(row, column)| {
                STEPS.map(|(down, right)| find(i32::from(row) + down, i32::from(column) + right))
            })
            .collect();
        let rail = places
            .iter()
            .zip(&next)
            .map(|(&(row, column), next)| {
                std::array::from_fn(|d| next[d].is_none() && railed(usize::from(row), usize::from(column), d))
            })
            .collect();
        let half = |left: bool| {
            let of = |&(_, column): &(u16, u16)| {
                let twice = 2 * usize::from(column) + 1;
                if left { twice < columns } else { twice > columns }
            };
            places.iter().enumerate().filter(|(_, place)| of(place)).fold(0, |set, (at, _)| set | 1 << at)
        };
        let halves = [half(true), half(false)];
        Board { rows: rows.len() as u16, columns: columns as u16, next, rail, halves, places }
    }

    /// The number of squares.
    pub fn squares(&self) -> usize {
        self.places.len()
    }

    /// All squares.
    pub(crate) fn all(&self) -> u64 {
        if self.squares() == 64 { u64::MAX } else { (1 << self.squares()) - 1 }
    }

    /// The permutations of squares that turn or mirror the board into itself, the identity first.
    pub(crate) fn symmetries(&self) -> Vec<Vec<u8>> {
        let (rows, columns) = (i32::from(self.rows) - 1, i32::from(self.columns) - 1);
        let mut found = Vec::new();
        for kind in 0..8 {
            if kind & 4 != 0 && rows != columns {
                continue;
            }
            let map = |row: i32, column: i32| {
                let (mut row, mut column) = if kind & 4 != 0 { (column, row) } else { (row, column) };
                if kind & 1 != 0 {
                    row = rows - row;
                }
                if kind & 2 != 0 {
                    column = columns - column;
                }
                (row, column)
            };
            let image: Option<Vec<u8>> = self
                .places
                .iter()
                .map(|&(row, column)| {
                    let (row, column) = map(i32::from(row), i32::from(column));
                    let place = (row as u16, column as u16);
                    self.places.iter().position(|&known| known == place).map(|square| square as u8)
                })
                .collect();
            let Some(image) = image else { continue };
            let keeps_rails = (0..self.squares()).all(|square| {
                (0..4).all(|d| {
                    let (down, right) = STEPS[d];
                    let (r0, c0) = map(0, 0);
                    let (r1, c1) = map(down, right);
                    let step = (r1 - r0, c1 - c0);
                    let image_d = STEPS.iter().position(|&known| known == step);
                    image_d.is_some_and(|e| self.rail[square][d] == self.rail[usize::from(image[square])][e])
                })
            });
            if keeps_rails && !found.contains(&image) {
                found.push(image);
            }
        }
        found
    }
}

/// A built-in board with the numbers of pushers and pawns a side.
pub(crate) fn built_in(name: &str) -> Option<(Board, u32, u32)> {
    let rows: &[&str] = match name {
        "standard" | "2k3p" => &["##.....#", "........", "........", "#.....##"],
        "onecolumn" => &["##....#", ".......", ".......", "#....##"],
        "twocolumn" => &["##...#", "......", "......", "#...##"],
        "mini" => &["#....#", "......", "#....#"],
        "full" => &["........", "........", "........", "........"],
        _ => return None,
    };
    let last = rows.len() - 1;
    // The straight top and bottom have rails; everything else is open.
    let board = Board::from_rows(rows, |row, _, d| (row == 0 && d == 0) || (row == last && d == 2));
    let (pushers, pawns) = match name {
        "mini" => (2, 2),
        "2k3p" => (2, 3),
        _ => (3, 2),
    };
    Some((board, pushers, pawns))
}

/// Reads the drawn form of a board: 2H + 1 lines of 2W + 1 characters, with `+` at the corners, `-` and `|`
/// for rails, `.` for squares and `#` for none. Pieces are not wanted here: a board is empty.
///
/// # Errors
/// With line and column, counted from 1.
pub(crate) fn drawn(text: &str) -> Result<Board, TextError> {
    let wrong = |line: usize, column: usize, reason: &str| {
        let reason = format!("line {}, column {}: {reason}", line + 1, column + 1);
        TextError::impossible("board", text, reason)
    };
    let lines: Vec<Vec<char>> = text.lines().map(|line| line.trim_end().chars().collect()).collect();
    let lines: Vec<Vec<char>> = {
        let mut lines = lines;
        while lines.last().is_some_and(Vec::is_empty) {
            lines.pop();
        }
        lines
    };
    let width = lines.first().map_or(0, Vec::len);
    if lines.len() < 3 || lines.len().is_multiple_of(2) || width < 3 || width.is_multiple_of(2) {
        return Err(wrong(0, 0, "a drawing has 2H + 1 lines of 2W + 1 characters"));
    }
    let (height, across) = (lines.len() / 2, width / 2);
    let at = |line: usize, column: usize| lines[line].get(column).copied().unwrap_or(' ');
    for (number, line) in lines.iter().enumerate() {
        if line.len() > width {
            return Err(wrong(number, width, "the line is longer than the first"));
        }
        for column in 0..width {
            let allowed = match (number % 2, column % 2) {
                (0, 0) => "+",
                (0, _) => "- ",
                (_, 0) => "| ",
                _ => ".#",
            };
            if !allowed.contains(at(number, column)) {
                return Err(wrong(
                    number,
                    column,
                    &format!("found {:?}, expected one of “{allowed}”", at(number, column)),
                ));
            }
        }
    }
    let rows: Vec<String> =
        (0..height).map(|row| (0..across).map(|column| at(2 * row + 1, 2 * column + 1)).collect()).collect();
    let square =
        |row: usize, column: usize| rows.get(row).and_then(|r| r.as_bytes().get(column)) == Some(&b'.');
    for row in 0..=height {
        for column in 0..across {
            if at(2 * row, 2 * column + 1) == '-' {
                let above = row > 0 && square(row - 1, column);
                if above == (row < height && square(row, column)) {
                    return Err(wrong(
                        2 * row,
                        2 * column + 1,
                        "a rail stands between a square and what is none",
                    ));
                }
            }
        }
    }
    for row in 0..height {
        for column in 0..=across {
            if at(2 * row + 1, 2 * column) == '|' {
                let left = column > 0 && square(row, column - 1);
                if left == (column < across && square(row, column)) {
                    return Err(wrong(
                        2 * row + 1,
                        2 * column,
                        "a rail stands between a square and what is none",
                    ));
                }
            }
        }
    }
    let count = rows.iter().flat_map(|row| row.bytes()).filter(|&c| c == b'.').count();
    if count == 0 || count > 64 {
        return Err(wrong(0, 0, &format!("a board has 1 to 64 squares, this has {count}")));
    }
    let names: Vec<&str> = rows.iter().map(String::as_str).collect();
    Ok(Board::from_rows(&names, |row, column, d| match d {
        0 => at(2 * row, 2 * column + 1) == '-',
        1 => at(2 * row + 1, 2 * column + 2) == '|',
        2 => at(2 * row + 2, 2 * column + 1) == '-',
        _ => at(2 * row + 1, 2 * column) == '|',
    }))
}

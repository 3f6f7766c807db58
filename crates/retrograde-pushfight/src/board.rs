//! Boards: squares of a grid, with rails along some edges, and the built-in boards.

pub(crate) mod drawing;
pub(crate) mod file;

use retrograde_game::{GridSquare, Picture, Square, Squares, TextError};

use crate::Drawing;
use crate::board::drawing::{DIRECTIONS, error_at};
use crate::position::Step;

/// The number of characters of a step and its comma, on most boards.
const STEP_CHARACTERS: usize = 6;

/// A board of up to 64 squares, numbered row by row from the top.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    pub(crate) rows: u16,
    pub(crate) columns: u16,
    /// The row and column of every square.
    pub(crate) places: Vec<(u16, u16)>,
    /// The name of every square. Lists of turns contain thousands of names, so they are created once.
    labels: Vec<Box<str>>,
    /// The alphabetical rank of every square's name.
    order: Vec<u8>,
    /// The neighbouring square in every direction.
    pub(crate) next: Vec<[Option<Square>; 4]>,
    /// Whether a rail keeps pieces on the board in a direction without a square.
    pub(crate) rail: Vec<[bool; 4]>,
    /// The squares on which each player places their pieces: the left and the right half.
    pub(crate) halves: [Squares; 2],
}

impl Board {
    /// Creates a board from rows of `#` (no square) and any other character (a square). `railed`
    /// returns whether a square at the edge has a rail above (0) or below (2).
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
            places.iter().position(|&known| known == place).map(|square| Square(square as u8))
        };
        let next: Vec<[Option<Square>; 4]> = places
            .iter()
            .map(|&(row, column)| {
                DIRECTIONS.map(|(down, right)| find(i32::from(row) + down, i32::from(column) + right))
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
            let half = places.iter().enumerate().filter(|(_, place)| of(place));
            half.map(|(square, _)| Square(square as u8)).collect()
        };
        let halves = [half(true), half(false)];
        let label = |&(row, column): &(u16, u16)| {
            format!("{}{}", Picture::column_label(column), rows.len() - usize::from(row)).into_boxed_str()
        };
        let labels: Vec<Box<str>> = places.iter().map(label).collect();
        let order =
            labels.iter().map(|one| labels.iter().filter(|other| *other < one).count() as u8).collect();
        Board { labels, order, rows: rows.len() as u16, columns: columns as u16, next, rail, halves, places }
    }

    /// Creates the board of a drawing.
    ///
    /// # Errors
    /// If it has more than 64 squares.
    pub(crate) fn from_drawing(drawing: &Drawing, text: &str) -> Result<Board, TextError> {
        let squares = drawing.squares().count();
        if squares > 64 {
            let reason = format!("games are played on boards of up to 64 squares; this one has {squares}");
            return Err(error_at(text, 0, 0, &reason));
        }
        let mut rows = vec![vec![b'#'; usize::from(drawing.columns())]; usize::from(drawing.rows())];
        for (place, _) in drawing.squares() {
            rows[usize::from(place.row)][usize::from(place.column)] = b'.';
        }
        let rows: Vec<String> = rows.iter().map(|row| String::from_utf8_lossy(row).into_owned()).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        Ok(Board::from_rows(&rows, |row, column, d| {
            drawing.has_rail(GridSquare { column: column as u16, row: row as u16 }, d)
        }))
    }

    /// Draws the board. `letters` are the pieces on its squares in order; missing letters are empty squares.
    pub(crate) fn drawing(&self, letters: &str) -> Drawing {
        Drawing::from_cells(self.rows, self.columns, |row, column| {
            let square = self.places.iter().position(|&place| place == (row, column))?;
            Some((letters.as_bytes().get(square).copied().unwrap_or(b'.'), self.rail[square]))
        })
    }

    /// The squares at some places of the grid. Ignores places without a square.
    pub(crate) fn squares_at(&self, places: &[GridSquare]) -> Squares {
        let found = |place: &GridSquare| self.places.iter().position(|&at| at == (place.row, place.column));
        places.iter().filter_map(found).map(|square| Square(square as u8)).collect()
    }

    /// The number of squares.
    pub fn square_count(&self) -> usize {
        self.places.len()
    }

    /// The square next to a square: above (0), right (1), below (2), left (3).
    ///
    /// # Panics
    /// If there is no such square or direction.
    pub fn neighbour(&self, square: Square, direction: usize) -> Option<Square> {
        self.next[square.index()][direction]
    }

    /// Whether a rail keeps pieces on the board in a direction. Only possible where there is no neighbour.
    ///
    /// # Panics
    /// If there is no such square or direction.
    pub fn has_rail(&self, square: Square, direction: usize) -> bool {
        self.rail[square.index()][direction]
    }

    /// The squares on which the first and the second player place their pieces.
    pub fn halves(&self) -> [Squares; 2] {
        self.halves
    }

    /// The name of a square: a letter for the column and a number for the row, counted from below.
    pub(crate) fn label(&self, square: Square) -> &str {
        &self.labels[square.index()]
    }

    /// The square with a name.
    pub(crate) fn labelled(&self, label: &str) -> Option<Square> {
        self.all().into_iter().find(|&square| self.label(square) == label)
    }

    /// Formats moves and pushes, such as `d1-a2,c2-d2`.
    pub(crate) fn steps_text(&self, steps: &[Step]) -> String {
        let mut text = String::with_capacity(steps.len() * STEP_CHARACTERS);
        for (number, step) in steps.iter().enumerate() {
            if number > 0 {
                text.push(',');
            }
            text.push_str(self.label(step.from));
            text.push('-');
            text.push_str(self.label(step.to));
        }
        text
    }

    /// The alphabetical ranks of the squares of steps. Comparing these gives the same order as
    /// comparing the texts. (If a name is a prefix of another, such as `a1` and `a12`, it comes
    /// first in both: in a text, the next character comes before all digits.)
    pub(crate) fn places_of<'a>(
        &'a self,
        steps: impl IntoIterator<Item = &'a Step>,
    ) -> impl Iterator<Item = u8> {
        steps.into_iter().flat_map(|step| [step.from, step.to]).map(|square| self.order[square.index()])
    }

    /// All squares.
    pub(crate) fn all(&self) -> Squares {
        Squares::below(self.square_count())
    }

    /// The symmetries of the board as permutations of its squares, identity first.
    pub(crate) fn symmetries(&self) -> Vec<Vec<Square>> {
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
            let image: Option<Vec<Square>> = self
                .places
                .iter()
                .map(|&(row, column)| {
                    let (row, column) = map(i32::from(row), i32::from(column));
                    let place = (row as u16, column as u16);
                    self.places.iter().position(|&known| known == place).map(|square| Square(square as u8))
                })
                .collect();
            let Some(image) = image else { continue };
            let keeps_rails = (0..self.square_count()).all(|square| {
                (0..4).all(|d| {
                    let (down, right) = DIRECTIONS[d];
                    let (r0, c0) = map(0, 0);
                    let (r1, c1) = map(down, right);
                    let step = (r1 - r0, c1 - c0);
                    let image_d = DIRECTIONS.iter().position(|&known| known == step);
                    image_d.is_some_and(|e| self.rail[square][d] == self.rail[image[square].index()][e])
                })
            });
            if keeps_rails && !found.contains(&image) {
                found.push(image);
            }
        }
        found
    }
}

/// A built-in board with the numbers of pushers and pawns per side.
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
    // The straight parts of the top and bottom edges have rails; all other edges are open.
    let board = Board::from_rows(rows, |row, _, d| (row == 0 && d == 0) || (row == last && d == 2));
    let (pushers, pawns) = match name {
        "mini" => (2, 2),
        "2k3p" => (2, 3),
        _ => (3, 2),
    };
    Some((board, pushers, pawns))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boards whose names have one letter and one digit, and two of each.
    #[test]
    fn steps_have_the_order_of_their_texts() {
        let tall = vec!["."; 12];
        let wide = [".".repeat(30), ".".repeat(30)];
        let boards = [
            built_in("standard").unwrap().0,
            Board::from_rows(&tall, |_, _, _| false),
            Board::from_rows(&[&*wide[0], &*wide[1]], |_, _, _| false),
        ];
        let mut seed = 5_u32;
        for board in boards {
            let squares: Vec<Square> = board.all().into_iter().collect();
            let mut any = |most: usize| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (seed >> 8) as usize % most
            };
            let mut steps = || -> Vec<Step> {
                let count = any(4);
                (0..count)
                    .map(|_| Step { from: squares[any(squares.len())], to: squares[any(squares.len())] })
                    .collect()
            };
            for _ in 0..3000 {
                let (one, mut other) = (steps(), steps());
                // Half of them have the same beginning.
                if one.len() % 2 == 0 {
                    other.splice(0..0, one.iter().copied());
                }
                let texts = board.steps_text(&one).cmp(&board.steps_text(&other));
                assert_eq!(board.places_of(&one).cmp(board.places_of(&other)), texts, "{one:?} {other:?}");
            }
        }
    }
}

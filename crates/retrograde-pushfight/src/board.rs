//! Boards: squares of a grid, with rails along some edges, and the built-in boards.

pub(crate) mod drawing;
pub(crate) mod file;

use retrograde_game::{GridSquare, Square, Squares, TextError};

use crate::Drawing;
use crate::board::drawing::DIRECTIONS;
use crate::position::Step;

/// The number of characters of a step and its comma, on most boards.
const STEP_CHARACTERS: usize = 6;

/// A board of up to 64 squares, numbered row by row from the top.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    pub(crate) rows: u16,
    pub(crate) columns: u16,
    /// The place of every square.
    pub(crate) places: Vec<GridSquare>,
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
    /// Creates the board of a drawing.
    ///
    /// # Errors
    /// If it has more than 64 squares.
    pub(crate) fn from_drawing(drawing: &Drawing, text: &str) -> Result<Board, TextError> {
        let squares = drawing.squares().count();
        if squares > 64 {
            let reason = format!("games are played on boards of up to 64 squares; this one has {squares}");
            return Err(TextError::impossible("board", text, reason));
        }
        Ok(Board::of(drawing))
    }

    /// The same for a drawing that is small enough.
    fn of(drawing: &Drawing) -> Board {
        let (rows, columns) = (drawing.rows(), drawing.columns());
        let places: Vec<GridSquare> = drawing.squares().map(|(place, _)| place).collect();
        let next = |&place: &GridSquare| {
            std::array::from_fn(|d| drawing.neighbour(place, d).and_then(|next| number(&places, next)))
        };
        let next = places.iter().map(next).collect();
        let rail = |&place: &GridSquare| std::array::from_fn(|d| drawing.has_rail(place, d));
        let rail = places.iter().map(rail).collect();
        let halves = [true, false].map(|left| half(&places, columns, left));
        let labels: Vec<Box<str>> =
            places.iter().map(|&place| drawing.label(place).into_boxed_str()).collect();
        let order =
            labels.iter().map(|one| labels.iter().filter(|other| *other < one).count() as u8).collect();
        Board { rows, columns, places, labels, order, next, rail, halves }
    }

    /// Draws the board. `letters` are the pieces on its squares in order; missing letters are empty squares.
    pub(crate) fn drawing(&self, letters: &str) -> Drawing {
        Drawing::from_cells(self.rows, self.columns, |row, column| {
            let square = number(&self.places, GridSquare { column, row })?.index();
            Some((letters.as_bytes().get(square).copied().unwrap_or(b'.'), self.rail[square]))
        })
    }

    /// The squares at some places of the grid. Ignores places without a square.
    pub(crate) fn squares_at(&self, places: &[GridSquare]) -> Squares {
        places.iter().filter_map(|&place| number(&self.places, place)).collect()
    }

    /// The number of squares.
    #[inline]
    pub fn square_count(&self) -> usize {
        self.places.len()
    }

    /// The square next to a square: above (0), right (1), below (2), left (3).
    ///
    /// # Panics
    /// If there is no such square or direction.
    #[inline]
    pub fn neighbour(&self, square: Square, direction: usize) -> Option<Square> {
        self.next[square.index()][direction]
    }

    /// The same as a set.
    ///
    /// # Panics
    /// If there is no such square or direction.
    #[inline]
    pub fn ahead(&self, square: Square, direction: usize) -> Squares {
        self.neighbour(square, direction).map_or(Squares::EMPTY, Square::set)
    }

    /// A set of squares moved one step; squares that would leave the board are dropped.
    ///
    /// # Panics
    /// If there is no such square or direction.
    #[inline]
    pub fn shifted(&self, set: Squares, direction: usize) -> Squares {
        set.into_iter().fold(Squares::EMPTY, |moved, square| moved | self.ahead(square, direction))
    }

    /// The neighbours of a square in two opposite directions, if both are on the board: left and
    /// right, or upper and lower.
    #[inline]
    pub(crate) fn opposite_neighbours(&self, square: Square, first: usize) -> Option<[Square; 2]> {
        let next = &self.next[square.index()];
        Some([next[first]?, next[(first + 2) % 4]?])
    }

    /// The pairs of opposite neighbours: left and right, upper and lower.
    ///
    /// # Panics
    /// If there is no such square.
    #[inline]
    pub fn neighbour_pairs(&self, square: Square) -> impl Iterator<Item = [Square; 2]> {
        [3, 0].into_iter().filter_map(move |first| self.opposite_neighbours(square, first))
    }

    /// The direction of a step to a neighbour; `None` if it goes further.
    pub(crate) fn direction(&self, Step { from, to }: Step) -> Option<usize> {
        self.next[from.index()].iter().position(|&next| next == Some(to))
    }

    /// The squares of the left or of the right half.
    pub(crate) fn half(&self, left: bool) -> Squares {
        half(&self.places, self.columns, left)
    }

    /// Whether a rail keeps pieces on the board in a direction. Only possible where there is no neighbour.
    ///
    /// # Panics
    /// If there is no such square or direction.
    #[inline]
    pub fn has_rail(&self, square: Square, direction: usize) -> bool {
        self.rail[square.index()][direction]
    }

    /// The squares on which the first and the second player place their pieces.
    #[inline]
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
    #[inline]
    pub fn all(&self) -> Squares {
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
            let image = |at: &GridSquare| {
                let (row, column) = map(at.row.into(), at.column.into());
                number(&self.places, GridSquare { column: column as u16, row: row as u16 })
            };
            let image = self.places.iter().map(image).collect::<Option<Vec<Square>>>();
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

/// The number of the square at a place.
fn number(places: &[GridSquare], place: GridSquare) -> Option<Square> {
    places.iter().position(|&known| known == place).map(|square| Square(square as u8))
}

/// The squares of the left or of the right half of a grid.
fn half(places: &[GridSquare], columns: u16, left: bool) -> Squares {
    let half = (0..).map(Square).zip(places).filter(|(_, place)| in_half(place.column, columns, left));
    half.map(|(square, _)| square).collect()
}

/// Whether a column is in the left or in the right half of a grid. The middle column is in neither.
fn in_half(column: u16, columns: u16, left: bool) -> bool {
    if left { 2 * column + 1 < columns } else { 2 * column + 1 > columns }
}

/// A built-in board with the numbers of pushers and pawns per side.
pub(crate) fn built_in(name: &str) -> Option<(Board, u32, u32)> {
    let rows: &[&[u8]] = match name {
        "standard" | "2k3p" => &[b"##.....#", b"........", b"........", b"#.....##"],
        "onecolumn" => &[b"##....#", b".......", b".......", b"#....##"],
        "twocolumn" => &[b"##...#", b"......", b"......", b"#...##"],
        "mini" => &[b"#....#", b"......", b"#....#"],
        "full" => &[b"........", b"........", b"........", b"........"],
        _ => return None,
    };
    let last = rows.len() as u16 - 1;
    // The straight parts of the top and bottom edges have rails; all other edges are open.
    let cell = |row: u16, column: u16| {
        let is_square = rows[usize::from(row)][usize::from(column)] == b'.';
        is_square.then_some((b'.', [row == 0, false, row == last, false]))
    };
    let board = Board::of(&Drawing::from_cells(last + 1, rows[0].len() as u16, cell));
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
        let open =
            |rows, columns| Board::of(&Drawing::from_cells(rows, columns, |_, _| Some((b'.', [false; 4]))));
        let boards = [built_in("standard").unwrap().0, open(12, 1), open(2, 30)];
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

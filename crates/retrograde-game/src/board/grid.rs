//! Rectangular boards of up to 64 squares ([`Grid`]), with the code that games on them would
//! otherwise each write.
//!
//! Square `row × columns + column`, with row 0 at the top, is a bit of a set. A step of all pieces
//! is therefore one shift, a half turn reverses the bits, and squares have the same order as in
//! texts and in a [`Picture`]. Names count from the lower left: `a1`.
//!
//! ```
//! use retrograde_game::{Direction, Grid};
//!
//! let grid = Grid::new(3, 3)?;
//! let [x, o] = grid.parse(['X', 'O'], "..O/.X./X..")?;
//! assert!(!grid.has_line(x, 3) && grid.has_line(x | o, 3));
//! assert_eq!(grid.text(['X', 'O'], [grid.half_turn(x), o]), "..X/.X./...");
//! assert_eq!(grid.step(x, Direction::Up), grid.parse(['X'], ".X./X../...")?[0]);
//! assert_eq!(grid.name(x.first().unwrap()), "b2");
//! # Ok::<(), retrograde_game::TextError>(())
//! ```

use std::fmt;

use super::picture::{GridSquare, Picture, Piece};
use super::squares::{Square, Squares};
use crate::text::{GameSpec, TextError};
use crate::values::Seat;

/// A rectangle of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Grid {
    columns: u8,
    rows: u8,
    all: Squares,
    left: Squares,
}

/// A direction to a neighbour, as the side to move sees the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// To the row above.
    Up,
    /// To the column on the right.
    Right,
    /// To the row below.
    Down,
    /// To the column on the left.
    Left,
    /// Diagonally.
    UpRight,
    /// Diagonally.
    DownRight,
    /// Diagonally.
    DownLeft,
    /// Diagonally.
    UpLeft,
}

use Direction::{Down, DownLeft, DownRight, Left, Right, Up, UpLeft, UpRight};

impl Direction {
    /// The directions along rows and columns.
    pub const STRAIGHT: [Direction; 4] = [Up, Right, Down, Left];
    /// The diagonal directions.
    pub const DIAGONAL: [Direction; 4] = [UpRight, DownRight, DownLeft, UpLeft];
    /// All eight directions.
    pub const ALL: [Direction; 8] = [Up, Right, Down, Left, UpRight, DownRight, DownLeft, UpLeft];
    /// One of each pair of opposite directions, so that every line is counted once.
    const OF_LINES: [Direction; 4] = [Right, Down, DownRight, DownLeft];

    /// The opposite direction.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Direction {
        match self {
            Up => Down,
            Right => Left,
            Down => Up,
            Left => Right,
            UpRight => DownLeft,
            DownRight => UpLeft,
            DownLeft => UpRight,
            UpLeft => DownRight,
        }
    }
}

/// A rotation or reflection of the board. Exchanging columns and rows is a symmetry of square boards only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symmetry {
    /// Leaves everything in place.
    Identity,
    /// Exchanges left and right.
    Mirror,
    /// Exchanges top and bottom.
    Flip,
    /// Rotates by 180 degrees.
    HalfTurn,
    /// Reflects in the diagonal through `a1`.
    Diagonal,
    /// Reflects in the other diagonal, through the upper left corner.
    Antidiagonal,
    /// Rotates by 90 degrees clockwise.
    QuarterTurn,
    /// Rotates by 90 degrees counterclockwise.
    ThreeQuarterTurn,
}

impl Symmetry {
    /// All symmetries of a square board. The first four are symmetries of every board.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::Identity,
        Symmetry::Mirror,
        Symmetry::Flip,
        Symmetry::HalfTurn,
        Symmetry::Diagonal,
        Symmetry::Antidiagonal,
        Symmetry::QuarterTurn,
        Symmetry::ThreeQuarterTurn,
    ];
}

/// Boards and their squares.
impl Grid {
    /// A board of this size.
    ///
    /// # Errors
    /// If it has no squares or more than 64.
    pub fn new(columns: u32, rows: u32) -> Result<Grid, TextError> {
        Grid::checked(columns, rows).ok_or_else(|| {
            TextError::impossible("board", &format!("{columns}x{rows}"), "a board has from 1 to 64 squares")
        })
    }

    /// Reads the board size `WxH` from the name of a game, or uses the `default` size.
    ///
    /// # Errors
    /// If it is not of that form, or has more than 64 squares.
    pub fn from_spec(spec: &GameSpec, default: (u32, u32)) -> Result<Grid, TextError> {
        let (columns, rows) = spec.grid(default, 64)?;
        Grid::checked(columns, rows)
            .ok_or_else(|| spec.error(format!("a board has at most 64 squares, found {columns} x {rows}")))
    }

    fn checked(columns: u32, rows: u32) -> Option<Grid> {
        let count = columns.checked_mul(rows).filter(|count| (1..=64).contains(count))?;
        let left = (0..rows).map(|row| Square((row * columns) as u8)).collect();
        Some(Grid { columns: columns as u8, rows: rows as u8, all: Squares::below(count as usize), left })
    }

    /// The number of columns.
    #[inline]
    #[must_use]
    pub const fn columns(self) -> u32 {
        self.columns as u32
    }

    /// The number of rows.
    #[inline]
    #[must_use]
    pub const fn rows(self) -> u32 {
        self.rows as u32
    }

    /// All squares.
    #[inline]
    #[must_use]
    pub const fn all(self) -> Squares {
        self.all
    }

    /// The number of squares, from 1 to 64.
    #[inline]
    #[must_use]
    pub const fn count(self) -> u32 {
        self.all.len()
    }

    /// The squares of a column, counted from the left; none if there is no such column.
    #[inline]
    #[must_use]
    pub const fn column(self, column: u32) -> Squares {
        if column < self.columns() { Squares(self.left.0 << column) } else { Squares::EMPTY }
    }

    /// The squares of a row, counted from the top; none if there is no such row.
    #[inline]
    #[must_use]
    pub const fn row(self, row: u32) -> Squares {
        if row < self.rows() {
            Squares(Squares::below(self.columns as usize).0 << (row * self.columns()))
        } else {
            Squares::EMPTY
        }
    }

    /// The uppermost row, on the far side for the side to move.
    #[inline]
    #[must_use]
    pub const fn top(self) -> Squares {
        self.row(0)
    }

    /// The lowest row.
    #[inline]
    #[must_use]
    pub const fn bottom(self) -> Squares {
        self.row(self.rows() - 1)
    }

    /// The square in a column and a row, counted from the upper left, if there is one.
    #[inline]
    #[must_use]
    pub fn square(self, column: u32, row: u32) -> Option<Square> {
        (column < self.columns() && row < self.rows()).then(|| Square((row * self.columns() + column) as u8))
    }

    /// The position of a square in a picture.
    #[inline]
    #[must_use]
    pub fn place(self, square: Square) -> GridSquare {
        let (square, columns) = (u16::from(square.0), u16::from(self.columns));
        GridSquare { column: square % columns, row: square / columns }
    }
}

/// Formats the size: `5x4`.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

/// Text and pictures.
impl Grid {
    /// The name of a square: its column (a, b, …, z, aa, …) and its row, counted from below.
    #[must_use]
    pub fn name(self, square: Square) -> String {
        self.name_of(self.place(square))
    }

    /// The name of a square in a picture.
    pub(super) fn name_of(self, GridSquare { column, row }: GridSquare) -> String {
        format!("{}{}", Picture::column_label(column), self.rows() - u32::from(row))
    }

    /// The square with a name.
    #[must_use]
    pub fn named(self, name: &str) -> Option<Square> {
        self.all.into_iter().find(|&square| self.name(square) == name)
    }

    /// Formats sets of squares: the rows from the top, joined by slashes. Each square has the
    /// letter of the first set that contains it, or `.`.
    #[must_use]
    pub fn text(self, letters: impl AsRef<[char]>, sets: impl AsRef<[Squares]>) -> String {
        let mut text = String::with_capacity((self.count() + self.rows()) as usize);
        for square in self.all {
            if square.0 > 0 && square.0 % self.columns == 0 {
                text.push('/');
            }
            let here = letters.as_ref().iter().zip(sets.as_ref()).find(|(_, set)| set.contains(square));
            text.push(here.map_or('.', |(letter, _)| *letter));
        }
        text
    }

    /// Parses what [`Grid::text`] formats into the squares of each letter. Slashes are optional.
    ///
    /// # Errors
    /// Reports the wrong character, its place, and what was expected.
    pub fn parse<const N: usize>(self, letters: [char; N], text: &str) -> Result<[Squares; N], TextError> {
        let mut sets = [Squares::EMPTY; N];
        self.parse_into(&mut sets, &letters, text)?;
        Ok(sets)
    }

    /// Does the same, but writes into `sets`, which must be empty.
    pub(super) fn parse_into(
        self,
        sets: &mut [Squares],
        letters: &[char],
        text: &str,
    ) -> Result<(), TextError> {
        let unexpected = |at, expected: String| Err(TextError::unexpected("position", text, at, expected));
        let slashes = text.contains('/');
        let (mut seen, mut after_slash) = (0, true);
        for (at, letter) in text.chars().enumerate() {
            if seen == self.count() {
                return unexpected(at, "the end".to_owned());
            }
            if slashes && seen % self.columns() == 0 && !after_slash {
                if letter != '/' {
                    return unexpected(at, "`/` between two rows".to_owned());
                }
                after_slash = true;
                continue;
            }
            match letters.iter().position(|known| *known == letter) {
                Some(found) => sets[found].insert(Square(seen as u8)),
                None if letter == '.' => {}
                None => return unexpected(at, one_of(letters)),
            }
            seen += 1;
            after_slash = false;
        }
        match self.count() - seen {
            0 => Ok(()),
            1 => unexpected(text.chars().count(), "1 more square".to_owned()),
            missing => unexpected(text.chars().count(), format!("{missing} more squares")),
        }
    }

    /// A picture with a piece on each square of some sets, as the first player sees them.
    #[must_use]
    pub fn picture(
        self,
        to_move: Seat,
        pieces: impl IntoIterator<Item = Piece>,
        sets: impl IntoIterator<Item = Squares>,
    ) -> Picture {
        let mut picture = Picture::grid(self.columns.into(), self.rows.into(), to_move);
        for (piece, set) in pieces.into_iter().zip(sets) {
            for square in set & self.all {
                picture.put(self.place(square), Some(piece));
            }
        }
        picture
    }

    /// Fills one 0/1 plane per set, as [`Show::planes`](crate::Show::planes) expects.
    pub fn planes(self, sets: impl IntoIterator<Item = Squares>, out: &mut [u8]) {
        for (plane, set) in out.chunks_exact_mut(self.count() as usize).zip(sets) {
            for (square, value) in plane.iter_mut().enumerate() {
                *value = u8::from(set.contains(Square(square as u8)));
            }
        }
    }

    /// The sets of squares from planes that [`Grid::planes`] filled; `None` if a value is not 0 or
    /// 1, or if there is not one plane per set.
    pub fn sets_of_planes<const N: usize>(self, planes: &[u8]) -> Option<[Squares; N]> {
        let mut sets = [Squares::EMPTY; N];
        self.planes_into(&mut sets, planes).then_some(sets)
    }

    /// Does the same, but writes into `sets`, which must be empty. Returns whether the planes are valid.
    pub(super) fn planes_into(self, sets: &mut [Squares], planes: &[u8]) -> bool {
        let size = self.count() as usize;
        for (set, plane) in sets.iter_mut().zip(planes.chunks_exact(size)) {
            for (square, &value) in plane.iter().enumerate() {
                *set = if value == 1 { set.with(Square(square as u8)) } else { *set };
            }
        }
        planes.len() == sets.len() * size && planes.iter().all(|&value| value <= 1)
    }
}

/// "one of `X`, `O` or `.`"
fn one_of(letters: &[char]) -> String {
    let quoted: Vec<String> = letters.iter().map(|letter| format!("`{letter}`")).collect();
    if quoted.is_empty() { "`.`".to_owned() } else { format!("one of {} or `.`", quoted.join(", ")) }
}

/// Neighbours and lines.
impl Grid {
    /// Moves all squares of a set by one step. Squares that leave the board are dropped.
    #[inline(always)]
    #[must_use]
    pub const fn step(self, set: Squares, direction: Direction) -> Squares {
        let columns = self.columns();
        // A square that wraps around to the first column has left the board through the last one,
        // and vice versa.
        let from_left = set.0 & !self.left.0;
        let (not_first, all) = (!self.left.0, self.all.0);
        Squares(match direction {
            Up => shifted_down(set.0, columns),
            Down => shifted_up(set.0, columns) & all,
            Left => from_left >> 1,
            Right => (set.0 << 1) & not_first & all,
            UpLeft => shifted_down(from_left, columns + 1),
            DownLeft => shifted_up(from_left, columns - 1) & all,
            UpRight => shifted_down(set.0, columns - 1) & not_first,
            DownRight => shifted_up(set.0, columns + 1) & not_first & all,
        })
    }

    /// The squares one step from some square of a set, in any of some directions. Includes squares
    /// of the set itself that have a neighbour in it.
    #[inline]
    #[must_use]
    pub fn neighbours(self, set: Squares, directions: &[Direction]) -> Squares {
        directions.iter().fold(Squares::EMPTY, |all, &direction| all | self.step(set, direction))
    }

    /// All lines of `length` squares in a row, a column or a diagonal. A single square is one line.
    #[must_use]
    pub fn lines(self, length: u32) -> Vec<Squares> {
        let mut lines = Vec::new();
        let directions = if length == 1 { &Direction::OF_LINES[..1] } else { &Direction::OF_LINES[..] };
        for direction in directions {
            for square in self.all {
                let mut end = square.set();
                let mut line = end;
                for _ in 1..length {
                    end = self.step(end, *direction);
                    line |= end;
                }
                if length > 0 && !end.is_empty() {
                    lines.push(line);
                }
            }
        }
        lines
    }

    /// Whether a set contains a line of `length` squares.
    #[inline]
    #[must_use]
    pub fn has_line(self, set: Squares, length: u32) -> bool {
        if length < 2 {
            return !set.is_empty();
        }
        let (set, off_left) = (set.0, set.0 & !self.left.0);
        let beside = |from: u64, to: u64, step| (shifted_down(from, step) & to, step);
        // Squares of the set with a neighbour in it; rows of these make lines. Only this step has
        // to make sure that the neighbour is on the board.
        let pairs = [
            beside(off_left, set, 1),
            beside(set, set, self.columns()),
            beside(off_left, set, self.columns() + 1),
            beside(set, off_left, self.columns() - 1),
        ];
        pairs.into_iter().any(|(pairs, step)| {
            let mut lines = pairs;
            for _ in 2..length {
                lines &= shifted_down(lines, step);
            }
            lines != 0
        })
    }
}

/// Shifts towards lower numbers. On a board with one row the shift can be up to 65.
const fn shifted_down(bits: u64, by: u32) -> u64 {
    if by < 64 { bits >> by } else { 0 }
}

const fn shifted_up(bits: u64, by: u32) -> u64 {
    if by < 64 { bits << by } else { 0 }
}

/// Symmetries, and the other player's view.
impl Grid {
    /// The symmetries of the board, identity first: eight for a square board, four for any other.
    #[must_use]
    pub fn symmetries(self) -> &'static [Symmetry] {
        if self.columns == self.rows { &Symmetry::ALL } else { &Symmetry::ALL[..4] }
    }

    /// The permutation of a symmetry: entry `n` is the square that square `n` moves to. A symmetry
    /// that exchanges columns and rows numbers the squares of the exchanged board.
    #[must_use]
    pub fn permutation(self, symmetry: Symmetry) -> Vec<u8> {
        let (width, height) = (self.columns, self.rows);
        let image = |square: u8| {
            let (column, row) = (square % width, square / width);
            let (right, below) = (width - 1 - column, height - 1 - row);
            match symmetry {
                Symmetry::Identity => square,
                Symmetry::Mirror => row * width + right,
                Symmetry::Flip => below * width + column,
                Symmetry::HalfTurn => below * width + right,
                Symmetry::Diagonal => right * height + below,
                Symmetry::Antidiagonal => column * height + row,
                Symmetry::QuarterTurn => column * height + below,
                Symmetry::ThreeQuarterTurn => right * height + row,
            }
        };
        (0..width * height).map(image).collect()
    }

    /// The image of a set, computed square by square. For frequent use, a table of
    /// [`Grid::permutation`] is faster (`BoardSymmetry` in `retrograde-index`).
    #[must_use]
    pub fn image(self, symmetry: Symmetry, set: Squares) -> Squares {
        match symmetry {
            Symmetry::Identity => set,
            Symmetry::HalfTurn => self.half_turn(set),
            _ => {
                let to = self.permutation(symmetry);
                (set & self.all).into_iter().map(|square| Square(to[square.index()])).collect()
            }
        }
    }

    /// The set after a half turn of the board: what the other player sees from the opposite side.
    #[inline]
    #[must_use]
    pub const fn half_turn(self, set: Squares) -> Squares {
        set.rotated(self.count())
    }

    /// The set with left and right exchanged, column by column.
    #[inline]
    #[must_use]
    pub fn mirror(self, set: Squares) -> Squares {
        let (pairs, last) = (self.columns() / 2, self.columns() - 1);
        let middle = if self.columns() % 2 == 1 { self.left << pairs } else { Squares::EMPTY };
        (0..pairs).fold(set & middle, |mirrored, column| {
            let (left, apart) = (self.left << column, last - 2 * column);
            mirrored | (set & left) << apart | (set >> apart) & left
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Random;

    /// All boards of up to 64 squares with at most 9 columns and rows, and the longest ones.
    fn grids() -> Vec<Grid> {
        let sizes = (1..=9).flat_map(|columns| (1..=9).map(move |rows| (columns, rows)));
        let long = [(64, 1), (1, 64), (32, 2), (2, 32), (63, 1), (1, 63), (21, 3)];
        sizes.chain(long).filter_map(|(columns, rows)| Grid::new(columns, rows).ok()).collect()
    }

    fn sets(grid: Grid, random: &mut Random) -> Vec<Squares> {
        let dense = Squares(random.bits()) & grid.all();
        let sparse = dense & Squares(random.bits() & random.bits());
        vec![Squares::EMPTY, grid.all(), dense, sparse]
    }

    /// Columns to the right and rows downwards.
    fn offset(direction: Direction) -> (i32, i32) {
        match direction {
            Up => (0, -1),
            Right => (1, 0),
            Down => (0, 1),
            Left => (-1, 0),
            UpRight => (1, -1),
            DownRight => (1, 1),
            DownLeft => (-1, 1),
            UpLeft => (-1, -1),
        }
    }

    /// The square `steps` steps away, computed from columns and rows.
    fn walked(grid: Grid, square: Square, direction: Direction, steps: i32) -> Option<Square> {
        let (right, down) = offset(direction);
        let at = grid.place(square);
        let column = u32::try_from(i32::from(at.column) + right * steps).ok()?;
        grid.square(column, u32::try_from(i32::from(at.row) + down * steps).ok()?)
    }

    #[test]
    fn steps_move_each_square() {
        let mut random = Random::new(1);
        for grid in grids() {
            for set in sets(grid, &mut random) {
                for direction in Direction::ALL {
                    let plain: Squares =
                        set.into_iter().filter_map(|square| walked(grid, square, direction, 1)).collect();
                    assert_eq!(grid.step(set, direction), plain, "{grid:?} {set:?} {direction:?}");
                    let kept = set & grid.step(grid.all(), direction.opposite());
                    assert_eq!(grid.step(plain, direction.opposite()), kept, "{grid:?} {direction:?}");
                }
                let around = grid.neighbours(set, &Direction::STRAIGHT);
                let plain = grid.all().into_iter().filter(|&square| {
                    Direction::STRAIGHT
                        .iter()
                        .any(|&way| walked(grid, square, way, 1).is_some_and(|beside| set.contains(beside)))
                });
                assert_eq!(around, plain.collect(), "{grid:?} {set:?}");
            }
        }
    }

    #[test]
    fn lines_are_found_by_walking() {
        let mut random = Random::new(2);
        for grid in grids() {
            for length in 1..=5 {
                let mut plain: Vec<Squares> = Vec::new();
                for square in grid.all() {
                    for direction in Direction::ALL {
                        let steps = (0..length as i32).map(|steps| walked(grid, square, direction, steps));
                        if let Some(line) = steps.collect::<Option<Squares>>() {
                            plain.push(line);
                        }
                    }
                }
                plain.sort_unstable();
                plain.dedup();
                let mut lines = grid.lines(length);
                lines.sort_unstable();
                assert_eq!(lines, plain, "{grid:?} {length}");
                for set in sets(grid, &mut random) {
                    let found = plain.iter().any(|&line| line & set == line);
                    assert_eq!(grid.has_line(set, length), found, "{grid:?} {length} {set:?}");
                }
            }
            assert!(grid.lines(0).is_empty());
        }
    }

    #[test]
    fn symmetries_keep_neighbours_and_have_inverses() {
        let mut random = Random::new(3);
        for grid in grids() {
            let count = if grid.columns() == grid.rows() { 8 } else { 4 };
            assert_eq!(grid.symmetries().len(), count);
            for &symmetry in grid.symmetries() {
                for set in sets(grid, &mut random) {
                    let image = grid.image(symmetry, set);
                    assert_eq!(image.len(), set.len());
                    let back = |&other: &Symmetry| grid.image(other, image) == set;
                    assert!(grid.symmetries().iter().any(back), "{grid:?} {symmetry:?}");
                    let around = grid.neighbours(set, &Direction::STRAIGHT);
                    assert_eq!(
                        grid.neighbours(image, &Direction::STRAIGHT),
                        grid.image(symmetry, around),
                        "{grid:?} {symmetry:?} {set:?}"
                    );
                }
            }
            for set in sets(grid, &mut random) {
                assert_eq!(grid.mirror(set), grid.image(Symmetry::Mirror, set), "{grid:?}");
                let both = grid.image(Symmetry::Flip, grid.mirror(set));
                assert_eq!(grid.half_turn(set), both, "{grid:?} {set:?}");
            }
        }
    }

    #[test]
    fn symmetries_do_what_their_names_say() {
        let grid = Grid::new(3, 3).unwrap();
        let [set] = grid.parse(['X'], "XX./.../..X").unwrap();
        let text = |symmetry| grid.text(['X'], [grid.image(symmetry, set)]);
        assert_eq!(
            Symmetry::ALL.map(text),
            [
                "XX./.../..X",
                ".XX/.../X..",
                "..X/.../XX.",
                "X../.../.XX",
                "X../..X/..X",
                "X../X../..X",
                "..X/..X/X..",
                "..X/X../X.."
            ]
        );
        let oblong = Grid::new(3, 2).unwrap();
        assert_eq!(oblong.permutation(Symmetry::QuarterTurn), [1, 3, 5, 0, 2, 4]);
    }

    #[test]
    fn texts_and_names_are_read_back() {
        let mut random = Random::new(4);
        for grid in grids() {
            for set in sets(grid, &mut random) {
                let other = Squares(random.bits()) & grid.all() & !set;
                let text = grid.text(['X', 'O'], [set, other]);
                assert_eq!(grid.parse(['X', 'O'], &text), Ok([set, other]), "{text}");
                assert_eq!(grid.parse(['X', 'O'], &text.replace('/', "")), Ok([set, other]), "{text}");
                let mut planes = vec![7; 2 * grid.count() as usize];
                grid.planes([set, other], &mut planes);
                let read = |plane: &[u8]| -> Squares {
                    (0..)
                        .map(Square)
                        .zip(plane)
                        .filter(|(_, one)| **one == 1)
                        .map(|(square, _)| square)
                        .collect()
                };
                let (first, second) = planes.split_at(grid.count() as usize);
                assert_eq!((read(first), read(second)), (set, other));
            }
            for square in grid.all() {
                assert_eq!(grid.named(&grid.name(square)), Some(square));
                let at = grid.place(square);
                assert_eq!(grid.square(at.column.into(), at.row.into()), Some(square));
                let (column, row) = (grid.column(at.column.into()), grid.row(at.row.into()));
                assert_eq!(column & row, square.set());
            }
            assert_eq!((grid.top(), grid.bottom()), (grid.row(0), grid.row(grid.rows() - 1)));
            assert!(grid.row(grid.rows()).is_empty() && grid.column(grid.columns()).is_empty());
        }
        assert_eq!(Grid::new(3, 2).unwrap().named("c2"), Some(Square(2)));
    }

    #[test]
    fn errors_report_the_place() {
        let grid = Grid::new(3, 2).unwrap();
        for (text, reason) in [
            ("X.O/.Y.", "found 'Y' at character 6, expected one of `X`, `O` or `.`"),
            ("X.O.../", "found '.' at character 4, expected `/` between two rows"),
            ("X.O/...x", "found 'x' at character 8, expected the end"),
            ("X.O/..", "ends too early, expected 1 more square"),
            ("X.O/", "ends too early, expected 3 more squares"),
            ("/X.O/...", "found '/' at character 1, expected one of `X`, `O` or `.`"),
        ] {
            let error = grid.parse(['X', 'O'], text).unwrap_err();
            assert_eq!(error.reason(), reason, "{text}");
        }
        assert_eq!(grid.parse([], "a").unwrap_err().reason(), "found 'a' at character 1, expected `.`");
        for (columns, rows) in [(0, 3), (3, 0), (13, 5), (u32::MAX, u32::MAX)] {
            assert!(Grid::new(columns, rows).is_err(), "{columns} {rows}");
        }
        let spec = GameSpec::parse("game:13x5").unwrap();
        let error = Grid::from_spec(&spec, (3, 3)).unwrap_err().to_string();
        assert!(error.contains("at most 64 squares, found 13 x 5"), "{error}");
        assert_eq!(Grid::from_spec(&GameSpec::parse("game").unwrap(), (3, 2)), Ok(grid));
    }

    #[test]
    fn pictures_show_the_pieces_of_the_sets() {
        use crate::board::PieceShape;
        let grid = Grid::new(2, 2).unwrap();
        let pieces = Piece::sides(PieceShape::Round);
        let sets = grid.parse(['X', 'O'], "X./.O").unwrap();
        let picture = grid.picture(Seat::Second, pieces, sets);
        assert_eq!(picture.to_move, Seat::Second);
        assert_eq!(picture.squares, [Some(Some(pieces[0])), Some(None), Some(None), Some(Some(pieces[1]))]);
    }
}

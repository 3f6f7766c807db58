//! The parts of a position. No line reaches from one connected set of empty squares to another, so a turn is
//! a turn in one of them. A part is represented by a position in which everything else is filled.
//!
//! Parts that differ only by their place, a half turn, a reflection or a quarter turn have the same turns.
//! Each part is moved into the upper left corner, and its canonical form is the smallest of its images that
//! fit the board.

use retrograde_game::Squares;

use crate::Tactics;

impl Tactics {
    /// Visits the connected sets of empty squares. If a turn fills a single square, every square is its own
    /// part.
    pub(crate) fn each_shape(&self, filled: u64, mut visit: impl FnMut(u64)) {
        let mut left = self.grid.all().0 & !filled;
        let columns = self.grid.columns();
        let (first, last) = (self.grid.column(0).0, self.grid.column(columns - 1).0);
        while left != 0 {
            let mut shape = left & left.wrapping_neg();
            if self.longest > 1 {
                loop {
                    let sideways = (shape & !last) << 1 | (shape & !first) >> 1;
                    let grown = (shape | sideways | shape << columns | shape >> columns) & left;
                    if grown == shape {
                        break;
                    }
                    shape = grown;
                }
            }
            left &= !shape;
            visit(shape);
        }
    }

    /// Moves a shape into the upper left corner.
    fn in_corner(&self, shape: u64, first_column: u64) -> u64 {
        let columns = self.grid.columns();
        let mut moved = shape >> (shape.trailing_zeros() / columns * columns);
        while moved & first_column == 0 {
            moved >>= 1;
        }
        moved
    }

    /// Exchanges rows and columns of a shape, if the result fits the board.
    fn transposed(&self, shape: u64) -> Option<u64> {
        let (columns, mut image, mut left) = (self.grid.columns(), 0, shape);
        while left != 0 {
            let square = left.trailing_zeros();
            let (column, row) = (square % columns, square / columns);
            if row >= columns || column >= self.grid.rows() {
                return None;
            }
            image |= 1 << (column * columns + row);
            left &= left - 1;
        }
        Some(image)
    }

    /// The canonical form of a shape.
    pub(crate) fn canonical_shape(&self, shape: u64) -> u64 {
        let first = self.grid.column(0).0;
        let least = |shape: u64| {
            let half_turn = |shape: u64| self.grid.half_turn(Squares(shape)).0;
            let mirrored = self.grid.mirror(Squares(shape)).0;
            let images = [shape, half_turn(shape), mirrored, half_turn(mirrored)];
            images.into_iter().map(|image| self.in_corner(image, first)).min().unwrap_or(shape)
        };
        let upright = least(shape);
        match self.transposed(upright) {
            Some(transposed) => upright.min(least(transposed)),
            None => upright,
        }
    }
}

#[cfg(test)]
mod tests {
    use retrograde_game::Random;

    use super::*;

    /// A simple version: squares as pairs of numbers, all eight images, and only images that fit the board.
    fn canonical_by_squares(game: &Tactics, shape: u64) -> u64 {
        let columns = game.grid.columns() as u8;
        let squares = Squares(shape).into_iter();
        let squares: Vec<[i32; 2]> =
            squares.map(|square| [square.0 % columns, square.0 / columns].map(i32::from)).collect();
        let image = |symmetry: u32| {
            let turned = squares.iter().map(|&[mut x, mut y]| {
                if symmetry & 1 != 0 {
                    x = -x;
                }
                if symmetry & 2 != 0 {
                    y = -y;
                }
                if symmetry & 4 != 0 { [y, x] } else { [x, y] }
            });
            let turned: Vec<[i32; 2]> = turned.collect();
            let least = [0, 1].map(|axis| turned.iter().map(|square| square[axis]).min().unwrap());
            let mut set = 0_u64;
            for [x, y] in turned {
                let (x, y) = ((x - least[0]) as u32, (y - least[1]) as u32);
                if x >= game.grid.columns() || y >= game.grid.rows() {
                    return None;
                }
                set |= 1 << (y * game.grid.columns() + x);
            }
            Some(set)
        };
        (0..8).filter_map(image).min().unwrap()
    }

    #[test]
    fn shapes_do_not_depend_on_place_or_orientation() {
        let mut random = Random::new(5);
        for (columns, rows) in
            [(1, 1), (1, 9), (9, 1), (3, 2), (4, 4), (5, 7), (7, 5), (7, 9), (21, 3), (8, 7)]
        {
            let game = Tactics::new(columns, rows, 4, false).unwrap();
            let all = 1_u64 << game.grid.count();
            for _ in 0..400 {
                let filled = random.below(all) & random.below(all);
                game.each_shape(filled, |shape| {
                    let text = format!("{columns}x{rows} {shape:x}");
                    assert_eq!(game.canonical_shape(shape), canonical_by_squares(&game, shape), "{text}");
                });
            }
        }
    }
}

//! Mirror images of the whole board, with which a player can answer every turn.
//!
//! Take a symmetry of the board that is its own inverse: a half turn or a reflection. If the filled squares
//! are their own image, and no empty line meets its own image, then every line that a player fills leaves its
//! image empty. The other player fills that, and the position is symmetric again. This continues until
//! nothing is left, so the second player fills last.

use retrograde_game::Symmetries;

use crate::{Filled, Tactics};

/// The symmetries that are their own inverse, numbered as in [`Symmetries::image`], the half turn first: it
/// has the fewest lines that meet their images. The last two need a square board.
const INVOLUTIONS: [usize; 5] = [3, 1, 2, 4, 7];

/// A symmetry that is its own inverse, and the lines that meet their images under it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mirror {
    symmetry: usize,
    crossing: Vec<u64>,
}

impl Mirror {
    /// All mirrors of a board.
    pub(crate) fn all(game: &Tactics) -> Vec<Mirror> {
        let there = INVOLUTIONS.into_iter().filter(|&symmetry| symmetry < game.symmetry_count());
        let mirror = |symmetry| {
            let meets = |line: &u64| line & game.image(symmetry, &Filled(*line)).0 != 0;
            Mirror { symmetry, crossing: game.lines.iter().copied().filter(meets).collect() }
        };
        there.map(mirror).collect()
    }

    /// Whether every empty line leaves its image empty.
    fn separates(&self, filled: u64) -> bool {
        self.crossing.iter().all(|line| line & filled != 0)
    }
}

impl Tactics {
    fn mirror_image(&self, mirror: &Mirror, squares: u64) -> u64 {
        let half_turn = |squares: u64| squares.reverse_bits() >> (64 - self.squares());
        match mirror.symmetry {
            1 => half_turn(self.rows_reversed(squares)),
            2 => self.rows_reversed(squares),
            3 => half_turn(squares),
            other => self.image(other, &Filled(squares)).0,
        }
    }

    /// The image in which the last row is the first.
    pub(crate) fn rows_reversed(&self, squares: u64) -> u64 {
        let row = (1 << self.columns) - 1;
        let place = |number: u32| number * self.columns;
        (0..self.rows).fold(0, |image, number| {
            image | (squares >> place(number) & row) << place(self.rows - 1 - number)
        })
    }

    /// Whether a player can answer every turn by its image.
    pub(crate) fn has_mirror(&self, filled: u64) -> bool {
        let mut mirrors = self.mirrors.iter();
        mirrors.any(|mirror| self.mirror_image(mirror, filled) == filled && mirror.separates(filled))
    }

    /// A line after which that is possible: the missing images, or a line that is its own image.
    pub(crate) fn mirroring_line(&self, filled: u64) -> Option<u64> {
        self.mirrors.iter().find_map(|mirror| {
            let image = self.mirror_image(mirror, filled);
            let lacking = image & !filled;
            if lacking == 0 {
                // The filled squares are their own image, so the line must be its own image too. Such a line
                // meets its image.
                return mirror.crossing.iter().copied().find(|line| {
                    line & filled == 0
                        && self.mirror_image(mirror, *line) == *line
                        && mirror.separates(filled | line)
                });
            }
            let after = filled | lacking;
            let completes =
                self.is_line(lacking) && self.mirror_image(mirror, after) == after && mirror.separates(after);
            completes.then_some(lacking)
        })
    }
}

//! Mirror images of the whole board, with which a player can answer every turn.
//!
//! Take a symmetry of the board that is its own inverse: a half turn or a reflection. If the filled squares
//! are their own image, and no empty line meets its own image, then every line that a player fills leaves its
//! image empty. The other player fills that, and the position is symmetric again. This continues until
//! nothing is left, so the second player fills last.

use retrograde_game::{Grid, Squares, Symmetry};

/// The symmetries that are their own inverse, the half turn first: it has the fewest lines that meet their
/// images. The last two need a square board.
const INVOLUTIONS: [Symmetry; 5] =
    [Symmetry::HalfTurn, Symmetry::Mirror, Symmetry::Flip, Symmetry::Antidiagonal, Symmetry::Diagonal];

/// A symmetry that is its own inverse, and the lines that meet their images under it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mirror {
    pub symmetry: Symmetry,
    pub crossing: Vec<Squares>,
}

impl Mirror {
    /// All mirrors of a board with these lines.
    pub(crate) fn all(grid: Grid, lines: &[Squares]) -> Vec<Mirror> {
        let there = INVOLUTIONS.into_iter().filter(|symmetry| grid.symmetries().contains(symmetry));
        let mirror = |symmetry| {
            let meets = |line: &Squares| line.intersects(grid.image(symmetry, *line));
            Mirror { symmetry, crossing: lines.iter().copied().filter(meets).collect() }
        };
        there.map(mirror).collect()
    }

    /// Whether every empty line leaves its image empty.
    pub(crate) fn separates(&self, filled: Squares) -> bool {
        self.crossing.iter().all(|line| line.intersects(filled))
    }
}

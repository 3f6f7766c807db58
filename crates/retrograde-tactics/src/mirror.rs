//! Mirror images of the whole board, with which a player can answer every turn.
//!
//! Take a symmetry of the board that is its own inverse: a half turn or a reflection. If the filled squares
//! are their own image, and no empty line meets its own image, then every line that a player fills leaves its
//! image empty. The other player fills that, and the position is symmetric again. This continues until
//! nothing is left, so the second player fills last.

/// The symmetries that are their own inverse, numbered as in [`retrograde_game::Symmetries::image`], the half
/// turn first: it has the fewest lines that meet their images. The last two need a square board.
const INVOLUTIONS: [usize; 5] = [3, 1, 2, 4, 7];

/// A symmetry that is its own inverse, and the lines that meet their images under it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mirror {
    pub symmetry: usize,
    pub crossing: Vec<u64>,
}

impl Mirror {
    /// All mirrors of a board with `symmetries` symmetries and these lines.
    pub(crate) fn all(symmetries: usize, lines: &[u64], image: impl Fn(usize, u64) -> u64) -> Vec<Mirror> {
        let there = INVOLUTIONS.into_iter().filter(|&symmetry| symmetry < symmetries);
        let mirror = |symmetry| {
            let meets = |line: &u64| line & image(symmetry, *line) != 0;
            Mirror { symmetry, crossing: lines.iter().copied().filter(meets).collect() }
        };
        there.map(mirror).collect()
    }

    /// Whether every empty line leaves its image empty.
    pub(crate) fn separates(&self, filled: u64) -> bool {
        self.crossing.iter().all(|line| line & filled != 0)
    }
}

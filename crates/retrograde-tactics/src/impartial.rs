//! Tactics is impartial: both players can fill the same squares.

use retrograde_game::{Impartial, Squares};

use crate::Tactics;

impl Impartial for Tactics {
    fn last_turn_wins(&self) -> bool {
        self.is_normal()
    }

    fn each_part(&self, position: &Squares, mut visit: impl FnMut(Squares)) {
        let full = self.grid.all();
        self.each_shape(position.0, |shape| visit(full & !Squares(self.canonical_shape(shape))));
    }

    /// Whether a player can answer every turn by its image.
    fn is_mirrored(&self, position: &Squares) -> bool {
        let image = |symmetry| self.grid.image(symmetry, *position);
        self.mirrors.iter().any(|mirror| image(mirror.symmetry) == *position && mirror.separates(*position))
    }

    /// A line after which that is possible: the missing images, or a line that is its own image.
    fn mirroring_turn(&self, &filled: &Squares) -> Option<Squares> {
        self.mirrors.iter().find_map(|mirror| {
            let image = |squares| self.grid.image(mirror.symmetry, squares);
            let lacking = image(filled) & !filled;
            if lacking.is_empty() {
                // The filled squares are their own image, so the line must be its own image too. Such a line
                // meets its image.
                return mirror.crossing.iter().copied().find(|&line| {
                    !line.intersects(filled) && image(line) == line && mirror.separates(filled | line)
                });
            }
            let after = filled | lacking;
            let is_line = self.lines.binary_search(&lacking).is_ok();
            (is_line && image(after) == after && mirror.separates(after)).then_some(lacking)
        })
    }
}

//! Tactics is impartial: both players can fill the same squares.

use retrograde_game::{Impartial, Symmetries};

use crate::mirror::Mirror;
use crate::{Filled, Segment, Tactics};

impl Impartial for Tactics {
    fn last_turn_wins(&self) -> bool {
        self.is_normal()
    }

    fn each_part(&self, position: &Filled, mut visit: impl FnMut(Filled)) {
        let full = self.full_set();
        self.each_shape(position.0, |shape| visit(Filled(full & !self.canonical_shape(shape))));
    }

    /// Whether a player can answer every turn by its image.
    fn is_mirrored(&self, position: &Filled) -> bool {
        self.mirrors
            .iter()
            .any(|mirror| self.mirror_image(mirror, position.0) == position.0 && mirror.separates(position.0))
    }

    /// A line after which that is possible: the missing images, or a line that is its own image.
    fn mirroring_turn(&self, &Filled(filled): &Filled) -> Option<Segment> {
        let line = self.mirrors.iter().find_map(|mirror| {
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
        });
        line.map(Segment)
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
}

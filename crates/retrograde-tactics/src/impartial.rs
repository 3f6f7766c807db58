//! Tactics is impartial: both players can fill the same squares.

use retrograde_game::Impartial;

use crate::{Filled, Segment, Tactics};

impl Impartial for Tactics {
    fn last_turn_wins(&self) -> bool {
        self.is_normal()
    }

    fn each_part<F>(&self, position: &Filled, mut visit: F)
    where
        F: FnMut(Filled),
    {
        let full = self.full_set();
        self.each_shape(position.0, |shape| visit(Filled(full & !self.canonical_shape(shape))));
    }

    fn is_mirrored(&self, position: &Filled) -> bool {
        self.has_mirror(position.0)
    }

    fn mirroring_turn(&self, position: &Filled) -> Option<Segment> {
        self.mirroring_line(position.0).map(Segment)
    }
}

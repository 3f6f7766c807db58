//! Pictures of the board. Filled squares belong to neither player, and both players see the same.

use retrograde_game::{Guide, Seat, Show, Squares};

use crate::Tactics;

impl Show for Tactics {
    fn refusal(
        &self,
        position: &Squares,
        _to_move: Seat,
        _prefix: &[String],
        squares: &[&str],
    ) -> Option<String> {
        self.why_no_step(*position, squares)
    }

    fn guide(&self) -> Guide {
        self.rules_guide()
    }

    fn plane_names(&self) -> Vec<&'static str> {
        vec!["filled"]
    }
}

//! Pictures of positions.

use retrograde_game::{Guide, Seat, Show};

use crate::board::Position;
use crate::rules::TouchDown;

impl Show for TouchDown {
    fn refusal(
        &self,
        position: &Position,
        to_move: Seat,
        _prefix: &[String],
        squares: &[&str],
    ) -> Option<String> {
        self.why_no_step(position, to_move, squares)
    }

    fn guide(&self) -> Guide {
        self.rules_guide()
    }

    fn plane_names(&self) -> Vec<&'static str> {
        vec!["own pawns", "opponent pawns"]
    }
}

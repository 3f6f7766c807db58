//! Pictures of the board. Filled squares belong to neither player, and both players see the same.

use retrograde_game::{GridSquare, Guide, Mark, Picture, Piece, Seat, Show, TextError};

use crate::{Filled, Segment, Tactics};

impl Tactics {
    fn places(&self, squares: u64) -> impl Iterator<Item = GridSquare> {
        let columns = self.columns;
        (0..self.squares()).filter(move |square| squares >> square & 1 == 1).map(move |square| GridSquare {
            column: (square % columns) as u16,
            row: (square / columns) as u16,
        })
    }
}

impl Show for Tactics {
    fn picture(&self, position: &Filled, to_move: Seat) -> Picture {
        let mut picture = Picture::grid(self.columns as u16, self.rows as u16, to_move);
        for place in self.places(position.0) {
            picture.put(place, Some(Piece::FILLED));
        }
        picture
    }

    fn palette(&self) -> Vec<Piece> {
        vec![Piece::FILLED]
    }

    fn marks(&self, _position: &Filled, turn: &Segment, _to_move: Seat) -> Vec<Mark> {
        vec![Mark::Fill(self.places(turn.0).collect())]
    }

    fn refusal(
        &self,
        position: &Filled,
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

    fn plane_shape(&self) -> (usize, usize) {
        (self.rows as usize, self.columns as usize)
    }

    fn planes(&self, position: &Filled, out: &mut [u8]) {
        for (square, value) in out.iter_mut().enumerate() {
            *value = (position.0 >> square & 1) as u8;
        }
    }

    fn position_of_planes(&self, planes: &[u8]) -> Result<Filled, TextError> {
        if planes.len() != self.squares() as usize || planes.iter().any(|&value| value > 1) {
            return Err(self.no_planes(planes, "every value is 0 or 1"));
        }
        Ok(Filled(planes.iter().rev().fold(0, |filled, &value| filled << 1 | u64::from(value))))
    }
}

//! Plays [`Motion`]s on a picture, and derives motions from marks.
//!
//! Motions turn the picture before a turn into the picture after it, so code that draws them does
//! not need the rules.

use super::picture::{GridSquare, Mark, Motion, Picture, Piece};

impl Picture {
    /// Plays one step. Pieces that leave the board are off the board afterwards. `palette` contains
    /// the pieces with and without the anchor, for their letters. A motion from or to a place
    /// without a square does nothing.
    pub fn play(&mut self, step: &[Motion], palette: &[Piece]) {
        let mut landing = Vec::new();
        for motion in step {
            match motion {
                Motion::Slide { from, to, .. } => landing.extend(self.lift(*from).map(|piece| (*to, piece))),
                Motion::Leave { from, .. } => {
                    let piece = self.lift(*from);
                    self.off_board.extend(piece);
                }
                Motion::Appear { to, piece } => landing.push((*to, *piece)),
                Motion::Anchor { .. } => {}
            }
        }
        for (to, piece) in landing {
            self.set(to, Some(piece));
        }
        for motion in step {
            let Motion::Anchor { from, to } = motion else { continue };
            let changes = [from.map(|from| (from, false)), Some((*to, true))];
            for (place, anchored) in changes.into_iter().flatten() {
                let Some(Some(piece)) = self.at(place) else { continue };
                self.set(place, Some(with_anchor(piece, anchored, palette)));
            }
        }
    }

    fn lift(&mut self, place: GridSquare) -> Option<Piece> {
        let piece = self.at(place).flatten()?;
        self.set(place, None);
        Some(piece)
    }

    /// Changes the piece on a square, if the square exists.
    fn set(&mut self, place: GridSquare, piece: Option<Piece>) {
        if self.at(place).is_some() {
            self.put(place, piece);
        }
    }

    /// The motions from this picture to the one after a turn: one step per mark, and a last step
    /// for changes that the marks do not show.
    pub fn motions_to(&self, after: &Picture, marks: &[Mark]) -> Vec<Vec<Motion>> {
        let mut now = self.clone();
        let mut steps: Vec<Vec<Motion>> = Vec::with_capacity(marks.len());
        for mark in marks {
            let step: Vec<Motion> = match mark {
                Mark::Move(from, to) | Mark::Push(from, to) => {
                    let taken = now.at(*to).flatten().map(|_| Motion::Leave { from: *to, toward: None });
                    let slide = Motion::Slide { from: *from, via: Vec::new(), to: *to };
                    taken.into_iter().chain([slide]).collect()
                }
                Mark::Fill(places) => places.iter().flat_map(|&place| now.change(after, place)).collect(),
            };
            now.play(&step, &[]);
            steps.push(step);
        }
        let rest: Vec<Motion> = now.places().flat_map(|place| now.change(after, place)).collect();
        if !rest.is_empty() {
            steps.push(rest);
        }
        steps
    }

    /// The change of a square: the old piece leaves, the new one appears.
    fn change(&self, after: &Picture, place: GridSquare) -> Vec<Motion> {
        let (old, new) = (self.at(place).flatten(), after.at(place).flatten());
        if old == new {
            return Vec::new();
        }
        let leaves = old.map(|_| Motion::Leave { from: place, toward: None });
        let appears = new.map(|piece| Motion::Appear { to: place, piece });
        leaves.into_iter().chain(appears).collect()
    }
}

/// The piece with or without the anchor, taken from the palette.
fn with_anchor(piece: Piece, anchored: bool, palette: &[Piece]) -> Piece {
    let alike =
        |other: &&Piece| (other.owner, other.shape, other.anchored) == (piece.owner, piece.shape, anchored);
    palette.iter().find(alike).copied().unwrap_or(Piece { anchored, ..piece })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Edge, PieceShape};
    use crate::values::Seat;

    fn pawn(owner: Seat) -> Piece {
        Piece { shape: PieceShape::Pawn, owner: Some(owner), anchored: false, letter: 'x' }
    }

    fn at(column: u16) -> GridSquare {
        GridSquare { column, row: 0 }
    }

    #[test]
    fn marks_become_motions_and_the_rest_is_one_last_step() {
        let mut before = Picture::grid(4, 1, Seat::First);
        before.put(at(0), Some(pawn(Seat::First)));
        before.put(at(1), Some(pawn(Seat::Second)));
        let mut after = Picture::grid(4, 1, Seat::Second);
        after.put(at(1), Some(pawn(Seat::First)));
        after.put(at(3), Some(pawn(Seat::Second)));
        let steps = before.motions_to(&after, &[Mark::Push(at(0), at(1))]);
        let taken = Motion::Leave { from: at(1), toward: None };
        let slide = Motion::Slide { from: at(0), via: Vec::new(), to: at(1) };
        let rest = Motion::Appear { to: at(3), piece: pawn(Seat::Second) };
        assert_eq!(steps, [vec![taken, slide], vec![rest]]);
        for step in &steps {
            before.play(step, &[]);
        }
        assert_eq!(before.squares, after.squares);
        assert_eq!(before.off_board, [pawn(Seat::Second)]);
    }

    #[test]
    fn a_row_shifts_by_one_and_its_last_piece_falls() {
        let mut picture = Picture::grid(3, 1, Seat::First);
        for column in 0..3 {
            picture.put(at(column), Some(pawn(if column == 0 { Seat::First } else { Seat::Second })));
        }
        let slide = |from: u16| Motion::Slide { from: at(from), via: Vec::new(), to: at(from + 1) };
        let fall = Motion::Leave { from: at(2), toward: Some(Edge::Right) };
        picture.play(&[slide(0), slide(1), fall, Motion::Anchor { from: None, to: at(1) }], &[]);
        let anchored = Piece { anchored: true, ..pawn(Seat::First) };
        assert_eq!(picture.squares, [Some(None), Some(Some(anchored)), Some(Some(pawn(Seat::Second)))]);
        assert_eq!(picture.off_board, [pawn(Seat::Second)]);
        // There is no piece on the first place, and the last one is not on the board.
        picture.play(&[Motion::Leave { from: at(0), toward: None }, slide(2), slide(7)], &[]);
        assert_eq!(picture.squares[2], Some(None));
    }
}

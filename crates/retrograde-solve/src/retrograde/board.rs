//! Shared by all ways to solve a stage: the game with its capabilities, the scores, and writing a score to a
//! whole orbit.
//!
//! The canonical position of an orbit is the one with the greatest index. Ranges are walked downwards, so it
//! is met first, and its images are decided when they are met.

use std::ops::ControlFlow;

use retrograde_game::{Dense, Index, Score, Turns, Value};

use super::capabilities::Capabilities;
use super::places::PlaceSet;
use super::stage::{Piece, Stage};
use crate::array::ScoreArray;
use crate::job::SolveError;
use crate::position::walk_with_gaps;

/// A stage of a game that is being solved.
pub(crate) struct Board<'a, G: Dense> {
    pub game: &'a G,
    pub able: Capabilities<G>,
    pub scores: &'a ScoreArray,
    pub stage: &'a Stage,
    /// Whether some successors are in earlier stages.
    pub has_earlier: bool,
    /// Whether wins in one turn are decided before the first phase.
    pub wins_at_once: bool,
    /// Whether a player can move several times in a row.
    pub has_seats: bool,
}

impl<G: Dense> Board<'_, G> {
    /// Whether the same player is to move at an index and at a successor.
    #[inline]
    pub(crate) fn moves_again(&self, index: u64, next: u64) -> bool {
        self.has_seats
            && match (self.game.position(Index(index)), self.game.position(Index(next))) {
                (Some(position), Some(next)) => self.game.moves_again(&position, &next),
                _ => false,
            }
    }

    /// Writes a score to a position and its images. Returns the index of the canonical position.
    pub(crate) fn decide(&self, index: u64, score: u16) -> u64 {
        let set = self.scores.setter(score);
        set(index);
        let mut greatest = index;
        if let Some(images) = self.able.images
            && let Some(position) = self.game.position(Index(index))
        {
            images(self.game, &position, &mut |image| {
                set(image);
                greatest = greatest.max(image);
                ControlFlow::Continue(())
            });
        }
        greatest
    }

    /// Returns the index of the canonical position of an orbit.
    pub(crate) fn canonical(&self, index: u64) -> u64 {
        let mut greatest = index;
        if let Some(images) = self.able.images
            && let Some(position) = self.game.position(Index(index))
        {
            images(self.game, &position, &mut |image| {
                greatest = greatest.max(image);
                ControlFlow::Continue(())
            });
        }
        greatest
    }

    /// Whether the position at an index is canonical.
    fn is_canonical(&self, index: u64, position: &G::Position) -> bool {
        let Some(images) = self.able.images else { return true };
        let mut greatest = true;
        images(self.game, position, &mut |image| {
            greatest = image <= index;
            if greatest { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        greatest
    }

    /// Before the first phase: decides the indices of a piece without a position, and positions that are over
    /// or, if requested, won at once. Passes the other canonical positions to `open`. Decisions are written
    /// at once, since no relevant score is read.
    ///
    /// If there is a score of a win already, it came from an earlier stage. It is removed and passed on as
    /// due in that number of turns.
    ///
    /// Images of canonical positions are added to `images`, so that they are left out when they are met. What
    /// is not in this set yet, since another thread meets its canonical position later, is recognised by its
    /// index.
    pub(crate) fn first_look(
        &self,
        piece: &Piece,
        images: &PlaceSet,
        mut open: impl FnMut(u64, &G::Position, Option<Turns>),
    ) {
        let mut orbit = Vec::new();
        let win = u16::from_value(Value::Win(Turns(1))).filter(|_| self.wins_at_once);
        let none = self.scores.setter(u16::NONE);
        let _ = walk_with_gaps(self.game, piece.indices.clone(), none, |index, position| {
            let known = self.scores.get(index);
            if let Some(each_image) = self.able.images {
                if images.contains(piece.place + (index - piece.indices.start)) {
                    return ControlFlow::Continue(());
                }
                orbit.clear();
                each_image(self.game, &position, &mut |image| {
                    orbit.push(image);
                    if image <= index { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                });
                if orbit.last().is_some_and(|&image| image > index) {
                    return ControlFlow::Continue(());
                }
                for &image in orbit.iter().filter(|&&image| image != index) {
                    self.stage.place(image).map(|place| images.insert(place));
                }
            }
            let score = match (self.game.result(&position), win) {
                (Some(outcome), _) => u16::over(outcome),
                (None, Some(win)) if self.game.wins_now(&position) => win,
                _ => {
                    let due = if let Some(Value::Win(turns)) = known.value() { Some(turns) } else { None };
                    if due.is_some() {
                        let forget = self.scores.setter(u16::UNKNOWN);
                        forget(index);
                        orbit.iter().copied().for_each(forget);
                    }
                    open(index, &position, due);
                    return ControlFlow::Continue(());
                }
            };
            let set = self.scores.setter(score);
            set(index);
            orbit.iter().copied().for_each(set);
            ControlFlow::Continue(())
        });
    }

    /// An empty set of the images of this stage, for the first look.
    pub(crate) fn no_images(&self) -> Result<PlaceSet, SolveError> {
        PlaceSet::new(if self.able.images.is_some() { self.stage.places } else { 0 })
    }

    /// Visits the undecided canonical positions of a piece.
    pub(crate) fn each_open(&self, piece: &Piece, mut open: impl FnMut(u64, &G::Position)) {
        let _ = self.game.walk_down(indices(piece), |Index(index), position| {
            if self.scores.is_unknown(index) && self.is_canonical(index, &position) {
                open(index, &position);
            }
            ControlFlow::Continue(())
        });
    }
}

fn indices(piece: &Piece) -> std::ops::Range<Index> {
    Index(piece.indices.start)..Index(piece.indices.end)
}

/// Whether a turn to a position with this value was refuted before phase `turns`. Wins in one turn are known
/// before the first phase, but count only after it.
pub(crate) fn refuted(value: Option<Value>, turns: Turns) -> bool {
    matches!(value, Some(Value::Win(won)) if won < turns)
}

//! A position ready to be drawn.

use retrograde_game::{Mark, Motion, Picture};

/// A position along a game, ready to be shown: everything as the first player sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scene {
    /// The picture.
    pub picture: Picture,
    /// Marks of the turn that is made next, if one was given.
    pub marks: Vec<Mark>,
    /// How the pieces go in that turn, step by step.
    pub motions: Vec<Vec<Motion>>,
    /// The turn, as text on the board.
    pub turn: Option<String>,
}

//! Boards of squares, and how games show themselves.

mod grid;
mod guide;
mod motion;
mod picture;
mod squares;

pub use grid::{Direction, Grid, Symmetry};
pub use guide::{Example, Guide, counted, number_in_words};
pub use picture::{Edge, GridSquare, Mark, Motion, Picture, Piece, PieceShape, Rail, Show};
pub use squares::{Square, Squares, SquaresIter};

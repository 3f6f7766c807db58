//! Boards of squares, their pictures, and guides.

mod direction;
mod grid;
mod guide;
mod layout;
mod motion;
mod picture;
mod squares;

pub use direction::{Direction, Symmetry};
pub use grid::Grid;
pub use guide::{Example, Guide, counted, number_in_words};
pub use layout::{Layout, SquareSets, SquareTurn};
pub use picture::{Edge, GridSquare, Mark, Motion, Picture, Piece, PieceShape, Rail};
pub use squares::{Square, Squares, SquaresIter};

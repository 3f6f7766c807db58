//! Symmetries of a board, and counts up to symmetry.

pub(crate) mod board_symmetry;
pub(crate) mod orbits;
pub(crate) mod symmetry_group;

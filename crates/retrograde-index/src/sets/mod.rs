//! Sets of squares as bits of an integer: collecting bits, ranks of sets of equal size, and steps between them.

pub(crate) mod bits;
pub(crate) mod colex_lists;
pub(crate) mod colex_ranks;
pub(crate) mod combinations;
pub(crate) mod gather;
pub(crate) mod patterns;
pub(crate) mod subsets;
pub(crate) mod tuples;

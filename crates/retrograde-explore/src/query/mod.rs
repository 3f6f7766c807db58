//! The questions, one file each: free functions over an open game.

pub(crate) mod ahead;
pub(crate) mod annotate;
pub(crate) mod batch;
pub(crate) mod certificate;
pub(crate) mod comment;
pub(crate) mod convert;
pub(crate) mod find;
pub(crate) mod line;
pub(crate) mod lookup;
pub(crate) mod meaning;
pub(crate) mod numbers;
pub(crate) mod occurring;
pub(crate) mod perft;
pub(crate) mod probe;
pub(crate) mod puzzle_depths;
pub(crate) mod puzzles;
pub(crate) mod read_turns;
pub(crate) mod refusal;
pub(crate) mod resolve;
pub(crate) mod rows;
pub(crate) mod scenes;
pub(crate) mod standing;
pub(crate) mod statistics;
pub(crate) mod steps;
pub(crate) mod turns;
pub(crate) mod view;

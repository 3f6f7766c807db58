//! One file a command: its options, and the function that runs it and prints the answer.

pub(crate) mod annotate;
pub(crate) mod board;
pub(crate) mod certificate;
pub(crate) mod completions;
pub(crate) mod export;
pub(crate) mod find;
pub(crate) mod games;
pub(crate) mod index;
pub(crate) mod line;
pub(crate) mod mate;
pub(crate) mod occurring;
pub(crate) mod openings;
pub(crate) mod perft;
pub(crate) mod plan;
pub(crate) mod play;
pub(crate) mod position;
pub(crate) mod probe;
pub(crate) mod puzzles;
pub(crate) mod reduce;
pub(crate) mod render;
pub(crate) mod rules;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod solve;
pub(crate) mod stats;
pub(crate) mod verify;

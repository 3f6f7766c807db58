//! Numberings of positions: the codes of squares, the numberings of all positions after a push, of
//! placements, and of plausible positions, and their counts.

pub(crate) mod codes;
pub(crate) mod minimized;
pub(crate) mod placements;
mod plausible;
pub(crate) mod ranks;

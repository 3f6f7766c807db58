//! Numberings of positions: the codes that they rest on, the one of all positions after a push, that
//! of placements, the one of plausible positions, and counts of these.

pub(crate) mod codes;
pub(crate) mod minimized;
pub(crate) mod placements;
mod plausible;
pub(crate) mod ranks;

//! Numberings of positions: the codes that they rest on, the one of plausible positions, and counts
//! of these.

pub(crate) mod codes;
pub(crate) mod minimized;
mod plausible;

//! The games of this crate: the promises of their traits, slow twins of their rules, their solvers
//! against the sweep, and the values that are known from literature.

mod dots_and_boxes;
mod hexapawn;
mod literature;
mod morris;
mod solvers;
mod teeko;

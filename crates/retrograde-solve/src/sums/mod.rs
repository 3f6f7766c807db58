//! Impartial games as sums of their parts: outcomes in normal and in misère play, nimbers, and winning
//! strategies.
//!
//! A position that falls into parts is their sum ([`Impartial::each_part`]). Positions with the same parts
//! have the same outcome wherever the parts are, so they share a table entry, and equal small parts are one
//! part (`classes.rs`). The search for an outcome first tries the turn that leaves a mirror image, then turns
//! by an estimate: misère play is like normal play until little is left, so the estimate is nearly always
//! right, and a wrong one only costs time.
//!
//! [`Impartial::each_part`]: retrograde_game::Impartial::each_part

mod budget;
mod classes;
mod nimbers;
mod outcome;
mod strategy;
mod table;
mod trees;

pub use budget::Ended;
pub use nimbers::{Nimber, Nimbers};
pub use outcome::{KnownLost, OutcomeSearch, sum_outcome};
pub use strategy::{Strategy, winning_strategy};

//! The tests of the questions about a game as one program: what they have in common, games with
//! their solvers, is compiled once.

mod answers;
mod choice;
mod common;
mod faults;
mod json;
#[cfg(feature = "cluster")]
mod together;

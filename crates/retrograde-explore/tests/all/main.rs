//! The tests of queries as one program, so that their common games and solvers are compiled once.

mod answers;
mod choice;
mod common;
mod cost;
mod faults;
mod json;
mod kalah;
mod limits;
mod pressure;
mod promises;
mod questions;
#[cfg(feature = "cluster")]
mod together;
mod verification;
mod waiting;

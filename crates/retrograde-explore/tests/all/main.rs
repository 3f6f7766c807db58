//! The tests of queries as one program, so that their common games and solvers are compiled once.

mod answers;
mod choice;
mod common;
mod cost;
mod faults;
mod json;
mod kalah;
mod pressure;
mod promises;
#[cfg(feature = "cluster")]
mod together;
mod waiting;

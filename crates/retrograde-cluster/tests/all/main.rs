//! The tests of clusters as one program, so that games and solvers they share are compiled once. Those
//! with processes of their own run it again, for the one test `child`.

mod common;

mod faults;
mod handing_over;
#[cfg(unix)]
mod network;
#[cfg(unix)]
mod processes;
mod reachable;
mod solvers;

//! The tests of clusters as one program, so that the games and solvers they share are compiled once. Tests
//! with separate processes start this program again, only for the test `child`.

mod common;

mod faults;
mod handing_over;
#[cfg(unix)]
mod network;
#[cfg(unix)]
mod processes;
mod reachable;
mod solvers;

//! The tests of the server as one program, so that the games and solvers they share are compiled
//! once.

mod answers;
mod common;
mod guard;
mod hostile;
mod local;
mod malformed;
mod page;
mod study;
mod turns;
mod uwapi;

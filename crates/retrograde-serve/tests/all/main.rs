//! The tests of the server as one program: what they have in common, games with their solvers, is compiled once.

mod answers;
mod common;
mod guard;
mod malformed;
mod page;
mod uwapi;

//! The tests as one program. Separate ones would compile and link the solvers of all games again.

mod answers;
mod guests;
mod sites;

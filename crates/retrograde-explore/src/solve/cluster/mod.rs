//! Solving with several processes: the solver and its estimate, and the run, from connecting to the
//! table or archive. Process 0 writes these with the same code as a single machine.

mod reachable;
mod run;
mod session;
mod table;

//! Solving on several processes: the solver and its costs, and the way from finding the others to
//! the table or the archive, which process 0 writes with the very code of a single machine.

mod archive;
mod occurring;
mod plan;
mod run;
mod session;
mod table;

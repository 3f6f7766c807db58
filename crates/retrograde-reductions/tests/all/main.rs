//! The tests of the reductions as one program, which is linked once.

mod docs;
mod gadgets;
mod qbf;
mod qdimacs;
mod rules;
mod steiner;
mod turns;
mod unique;
mod waste;

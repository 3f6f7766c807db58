//! The tests as one program, which is compiled and linked once.

mod promises;
mod touchdown_db;
mod twin;

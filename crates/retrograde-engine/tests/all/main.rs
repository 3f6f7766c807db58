//! Tests of the engine in this process, with tables in memory.

mod ugi;

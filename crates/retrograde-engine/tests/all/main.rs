//! Tests of the engine in the test process, with tables in memory.

mod ugi;

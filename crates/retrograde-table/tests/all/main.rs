//! Tests of tables in files: everything that is written is read back, and everything that is
//! damaged, truncated or interrupted is noticed.

mod bytes;
mod common;
mod damage;
mod faults;
mod roundtrip;
mod work;

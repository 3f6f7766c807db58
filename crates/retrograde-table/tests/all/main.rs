//! The tests of tables in files: everything that is written is read again, and everything that is
//! damaged, cut off or interrupted is noticed.

mod bytes;
mod common;
mod damage;
mod faults;
mod roundtrip;
mod work;

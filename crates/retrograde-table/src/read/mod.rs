//! Reads complete tables: probes, scans, counts, and a check of every checksum.

pub(crate) mod block;
pub(crate) mod check;
pub(crate) mod list;
pub(crate) mod table;
mod values;

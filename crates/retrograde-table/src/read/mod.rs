//! Reading complete tables: probes, scans, counts, and the check of every checksum.

pub(crate) mod block;
pub(crate) mod check;
pub(crate) mod list;
pub(crate) mod table;
mod values;

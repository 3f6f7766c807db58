//! Files of values from other programs: one byte per value, plain or compressed with xz.

pub(crate) mod bytes;
mod xz;

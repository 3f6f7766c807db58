//! Verification: the files, every value derived again, and what that proves.

pub(crate) mod archive;
pub(crate) mod tables;

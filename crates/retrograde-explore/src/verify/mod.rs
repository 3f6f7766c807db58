//! Verification: the files, every value derived again, and what that proves.

pub(crate) mod by_codes;
pub(crate) mod by_position;
pub(crate) mod store;

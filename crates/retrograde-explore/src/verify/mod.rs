//! Verification: checks the files, recomputes values, and says what that proves.

pub(crate) mod by_codes;
pub(crate) mod by_position;
pub(crate) mod store;

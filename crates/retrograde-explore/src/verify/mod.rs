//! Verification: checks the files, recomputes values, and says what that proves.

mod by_codes;
mod by_position;
mod places;
mod store;

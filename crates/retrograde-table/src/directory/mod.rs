//! The directory of a game: its name, the names of its files, and the lock that lets one writer in
//! at a time.

pub(crate) mod files;
pub(crate) mod lock;
pub(crate) mod names;
pub(crate) mod remains;

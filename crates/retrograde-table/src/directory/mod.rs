//! The directory of a game: its name, the names of its files, and the lock that admits one writer at a time.

pub(crate) mod files;
pub(crate) mod leftovers;
pub(crate) mod lock;
pub(crate) mod names;

//! Stores, which return values by index: the trait, dense and sparse tables and their checks, and
//! the shades of draws.

pub(crate) mod block_file;
pub(crate) mod codes;
pub(crate) mod dense;
pub(crate) mod derive;
pub(crate) mod in_memory;
pub(crate) mod open;
pub(crate) mod shades;
pub(crate) mod sparse;
pub(crate) mod value_store;

//! Everything that answers by index: dense tables, sparse tables, archives.

pub(crate) mod codes;
pub(crate) mod dense;
pub(crate) mod derive;
pub(crate) mod sparse;
pub(crate) mod value_store;

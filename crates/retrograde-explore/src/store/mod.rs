//! Everything that answers by index: dense tables, sparse tables, archives.

pub(crate) mod archive;
pub(crate) mod codes;
pub(crate) mod derive;
pub(crate) mod sparse;
pub(crate) mod values;

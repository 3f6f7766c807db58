//! Everything that answers by index: the trait, dense and sparse tables, and what checks them; and
//! the shades of draws beside them.

pub(crate) mod block_file;
pub(crate) mod codes;
pub(crate) mod dense;
pub(crate) mod derive;
pub(crate) mod in_memory;
pub(crate) mod open;
pub(crate) mod shades;
pub(crate) mod sparse;
pub(crate) mod value_store;

//! A game, seen from outside and from inside: its object-safe face, the registry, and its entry
//! with all it can do.

pub(crate) mod archive_solver;
pub(crate) mod dense;
pub(crate) mod entry;
pub(crate) mod face;
pub(crate) mod names;
pub(crate) mod numbering;
pub(crate) mod open;
pub(crate) mod published;
pub(crate) mod registry;
pub(crate) mod sample;
pub(crate) mod shelf;
pub(crate) mod solvers;
pub(crate) mod stamp;
pub(crate) mod sums;
pub(crate) mod table_folders;

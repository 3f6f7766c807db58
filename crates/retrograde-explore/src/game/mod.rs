//! A game: its builder, its type-erased form, the registry, and an open game.

pub(crate) mod any_game;
pub(crate) mod archive_solver;
pub(crate) mod entry;
pub(crate) mod names;
pub(crate) mod numbered;
pub(crate) mod numbering;
pub(crate) mod open;
pub(crate) mod perft;
pub(crate) mod published;
pub(crate) mod registry;
pub(crate) mod rules;
pub(crate) mod sample;
pub(crate) mod shelf;
pub(crate) mod solvers;
pub(crate) mod stamp;
pub(crate) mod sums;
pub(crate) mod table_folders;

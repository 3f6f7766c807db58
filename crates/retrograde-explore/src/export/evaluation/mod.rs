//! Evaluation sets: a few thousand positions of a game with the values of all their turns, for measuring how
//! close a player or a network is to perfect play.
//!
//! Positions are drawn by fixed rules ([`DrawRule`]) from a seed. Of positions that are images of each other
//! under the game's symmetries, at most one is drawn. They are split into training, validation and test by a
//! hash of the smallest image (`Split::of`). The same kind of table, options and seed give the same bytes
//! on any machine. The folder has a temporary name until it is complete; `docs/data-sets.md` describes the
//! files.

mod card;
mod draw;
mod files;
#[cfg(feature = "parquet")]
mod parquet;
mod read;
pub(super) mod set;

#[cfg(test)]
mod tests;

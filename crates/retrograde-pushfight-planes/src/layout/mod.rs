//! Arranges positions: numberings, sparse planes, and parts of a board. Knows no files and no
//! solving.
//!
//! - `numbering`: the layout of a board, made of the tables that follow
//! - `symmetry`: images; `lanes` and `lane_numbering`: the numbers of sets of pawns; `superblocks`: the stored superblocks;
//!   `flood_groups`: places of one piece; `scope`: the positions that are worked on; `list_index`:
//!   lists with an entry for each lane or superblock
//! - `sets`: sets of squares and lanes as bits
//! - `sparse`: sparse planes
//! - `pusher_set_job`: the unit of work, all positions with one set of opposing pushers
//! - `legal_rows`: the legal positions of a row
//! - `location`: from a position to its bit, and back; `by_mover`: the numbering by the pieces of the
//!   side to move, for depth files
//! - `partition`: parts of a board
//! - `standard_board`: the standard board at compile time

pub(crate) mod by_mover;
pub(crate) mod flood_groups;
pub(crate) mod lane_numbering;
pub(crate) mod lanes;
pub(crate) mod legal_rows;
pub(crate) mod list_index;
pub(crate) mod location;
pub(crate) mod numbering;
pub(crate) mod partition;
pub(crate) mod pusher_set_job;
pub(crate) mod scope;
pub(crate) mod sets;
pub(crate) mod sparse;
#[cfg(target_arch = "x86_64")]
pub(crate) mod standard_board;
pub(crate) mod superblocks;
pub(crate) mod symmetry;

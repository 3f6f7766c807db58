//! Bijections between arrangements of pieces and integers, independent of any game. A game can
//! return [`Arrangements`], [`Stacks`] or [`Listed`] from `Numbered::numbering`.
//!
//! | arrangement of pieces | numbering |
//! |---|---|
//! | on any squares, at most one per square, several kinds with fixed or varying counts | [`Arrangements`] |
//! | the same, on a board with symmetries | [`ReducedArrangements`] with a [`SymmetryGroup`] |
//! | in columns, each filled from the bottom | [`Stacks`] |
//! | one kind on any squares | [`Combinations`] |
//! | anything, if a list of all positions fits into memory | [`Listed`] |
//! | the same as [`Arrangements`] with fixed counts, in lexicographic order of the squares' codes | [`Multiset`] |
//!
//! Teeko, with four pieces per side on 25 squares, takes one line. Until all pieces are on the
//! board, the side to move has the same number of pieces as the other side or one fewer:
//!
//! ```
//! use retrograde_index::Arrangements;
//!
//! let counts: Vec<[u32; 2]> = (0..8).map(|placed| [placed / 2, (placed + 1) / 2]).chain([[4, 4]]).collect();
//! let teeko = Arrangements::of_counts(25, &counts)?;
//! assert_eq!(teeko.block([4, 4]).unwrap().end, teeko.count());
//!
//! // The side to move first. Sets of squares are bits of an integer.
//! let (own, other) = (0b01111, 0b11110 << 20);
//! let index = teeko.rank([own, other]).unwrap();
//! assert_eq!(teeko.unrank(index), Some([own, other]));
//!
//! // Two sides on one square, or more pieces than there are: no index.
//! assert_eq!(teeko.rank([0b01111, 0b11110]), None);
//! assert_eq!(teeko.rank([0b11111, 0]), None);
//!
//! // A solver visits many neighbours. Each is derived from the previous one.
//! let _ = teeko.walk_down(index - 1000..index, |index, sets| {
//!     assert_eq!(teeko.unrank(index), Some(sets));
//!     std::ops::ControlFlow::Continue(())
//! });
//! # Ok::<(), retrograde_index::IndexError>(())
//! ```
//!
//! The eight symmetries make a table of Teeko almost eight times smaller. All images of a position
//! share one index, so the game does not need to list symmetries for its solver:
//!
//! ```
//! # use retrograde_index::{Arrangements, ReducedArrangements, SymmetryGroup};
//! let squares = || (0..25_u8).map(|square| (square % 5, square / 5));
//! let mirror: Vec<u8> = squares().map(|(x, y)| y * 5 + 4 - x).collect();
//! let diagonal: Vec<u8> = squares().map(|(x, y)| x * 5 + y).collect();
//! let group = SymmetryGroup::generated_by(25, &[mirror, diagonal])?;
//! assert_eq!(group.order(), 8);
//!
//! let all = Arrangements::new(25, [4..=4, 4..=4])?;
//! let reduced = ReducedArrangements::new(group, [4..=4, 4..=4])?;
//! assert_eq!((all.count(), reduced.count(), reduced.orbits()), (75_710_250, 9_971_010, Some(9_469_965)));
//! # Ok::<(), retrograde_index::IndexError>(())
//! ```

mod arrangements;
mod error;
mod listed;
mod multiset;
mod radix;
mod ranking;
mod reduced;
mod sets;
mod stacks;
mod symmetry;

pub use arrangements::{Arrangements, FirstSetRanker};
pub use error::IndexError;
pub use listed::Listed;
pub use multiset::{Head, Multiset, SquareRanks, State};
pub use reduced::{FixedSetRanker, ReducedArrangements};
pub use sets::combinations::{Combinations, binomial};
pub use sets::gather::{gather, scatter};
pub use sets::patterns::Patterns;
pub use stacks::Stacks;
pub use symmetry::board_symmetry::BoardSymmetry;
pub use symmetry::orbits::{fixed_arrangements, orbits};
pub use symmetry::symmetry_group::SymmetryGroup;

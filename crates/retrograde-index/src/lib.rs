//! Bijections between arrangements of pieces and integers, which know no games.
//!
//! ```
//! use retrograde_index::{Combinations, Multiset};
//!
//! let numbering = Multiset::new(&[2, 1])?;
//! assert_eq!(numbering.count(), 3);
//! assert_eq!(numbering.rank(&[0, 1, 0]), 1);
//! let sets = Combinations::new(5)?;
//! assert_eq!(sets.unrank(2, sets.rank(0b10010)), Some(0b10010));
//! # Ok::<(), retrograde_index::IndexError>(())
//! ```

mod arrangements;
mod bits;
mod board_symmetry;
mod colex_lists;
mod combinations;
mod count_table;
mod digits;
mod divisor;
mod error;
mod gather;
mod multiset;
mod orbits;
mod product;
mod reduced;
mod stacks;
mod subsets;
mod symmetry_group;
mod tuples;

pub use arrangements::{Arrangements, Walk};
pub use board_symmetry::BoardSymmetry;
pub use combinations::{Combinations, binomial};
pub use error::IndexError;
pub use gather::{gather, scatter};
pub use multiset::{Head, Multiset, State};
pub use orbits::{fixed_arrangements, orbits};
pub use product::Product;
pub use reduced::{ReducedArrangements, ReducedWalk};
pub use stacks::Stacks;
pub use symmetry_group::SymmetryGroup;

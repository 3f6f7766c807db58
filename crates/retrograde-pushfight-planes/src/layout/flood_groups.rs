//! The floods of one piece while the others of its kind stand still.

use retrograde_index::Combinations;

use crate::layout::sets::{PackedSquares, subsets};

/// For the floods of one piece while the others of its kind stand still: its possible squares, and the
/// number of the set for each.
pub(crate) struct FloodGroup {
    pub fixed: PackedSquares,
    pub places: Vec<(u8, u16)>,
}

impl FloodGroup {
    /// For each set with one square less than `count`, the squares that can be added.
    pub(super) fn all(sets: &Combinations, squares: usize, count: usize) -> Option<Vec<FloodGroup>> {
        if count == 0 {
            return Some(Vec::new());
        }
        let add = |fixed: u64| {
            let open = (0..squares).filter(|square| fixed >> square & 1 == 0);
            open.map(|square| (square as u8, sets.rank(fixed | 1 << square) as u16)).collect()
        };
        let fixed = subsets(sets, squares, count - 1)?;
        let group = |fixed| FloodGroup { fixed: PackedSquares(fixed), places: add(fixed) };
        Some(fixed.into_iter().map(group).collect())
    }
}

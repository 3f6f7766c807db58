//! The rules of a game that fills cells.

use retrograde_game::Outcome;

/// A game in which every turn fills some empty cells of a set, chosen from a fixed list. A position is
/// its own index: the set of filled cells, where cell 0 is the lowest bit. The game ends when all cells
/// are full.
#[derive(Clone, Debug)]
pub struct FillGame {
    /// The number of cells, at most 63.
    pub cells: u32,
    /// The sets of cells that a turn can fill. Every single cell is one of them.
    pub lines: Vec<u64>,
    /// The outcome for the side to move when all cells are full.
    pub full: Outcome,
}

impl FillGame {
    /// The number of positions.
    pub(super) fn positions(&self) -> u64 {
        1 << self.cells
    }
}

//! Domineering by Göran Andersson: one player places dominoes upright, the other one lays them flat;
//! a player without room loses. Rules: E. R. Berlekamp, J. H. Conway and R. K. Guy, "Winning Ways for
//! your Mathematical Plays" (1982).

use retrograde::{Entry, Family};
use retrograde_game::*;
use retrograde_index::{Arrangements, IndexError};

/// Domineering on a board.
pub struct Domineering {
    grid: Grid,
    numbering: Arrangements<1>,
}

impl Domineering {
    /// Creates the game.
    ///
    /// # Errors
    /// If there are too many ways to fill the board.
    pub fn new(grid: Grid) -> Result<Domineering, IndexError> {
        let counts: Vec<[u32; 1]> = (0..=grid.count()).step_by(2).map(|filled| [filled]).collect();
        Ok(Domineering { grid, numbering: Arrangements::of_counts(grid.count(), &counts)? })
    }
}

impl Game for Domineering {
    /// The filled squares. Their number says whose turn it is.
    type Position = Squares;
    /// The two squares of a domino.
    type Turn = Squares;
    fn name(&self) -> String {
        format!("domineering:{}", self.grid)
    }
    fn position_count(&self) -> u128 {
        self.numbering.count().into()
    }
    fn start(&self) -> Squares {
        Squares::EMPTY
    }
    fn turns(&self, &filled: &Squares) -> Vec<(Squares, Squares)> {
        let (free, upright) = (self.grid.all() & !filled, filled.len() % 4 == 0);
        let to = if upright { Direction::Up } else { Direction::Right };
        let ends = self.grid.step(free, to) & free;
        let domino = |end: Square| self.grid.step(end.set(), to.opposite()).with(end);
        ends.into_iter().map(|end| (domino(end), filled | domino(end))).collect()
    }
    fn layout(&self) -> Option<Layout<'_, Squares, Squares>> {
        let even = |filled: &Squares| filled.len().is_multiple_of(2);
        let layout = Layout::new(self.grid, [Piece::FILLED]);
        Some(layout.only_if(even, "an even number of squares must be filled"))
    }
}

impl Numbered for Domineering {
    fn numbering(&self) -> &impl Ranking<Squares> {
        &self.numbering
    }
}

impl Graded for Domineering {
    fn grade(&self, filled: &Squares) -> u64 {
        (self.grid.count() - filled.len()).into()
    }
}

/// More filled squares are larger numbers.
impl Layered for Domineering {}

impl Show for Domineering {}

pub(crate) fn family() -> Family {
    let about = "place dominoes, Red upright and Blue flat; a player without room loses";
    let family = Family::grid("domineering", "Domineering", about, (4, 4), move |grid| {
        Ok(Entry::new(Domineering::new(grid)?, about).layered().graded_reachable())
    });
    family.examples(["domineering", "domineering:5x5", "domineering:6x6"])
}

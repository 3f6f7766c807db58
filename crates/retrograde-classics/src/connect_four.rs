//! Connect Four on boards of several sizes: discs fall into columns, and four in a line win. First
//! solved by J. D. Allen and by V. Allis, "A Knowledge-based Approach of Connect-Four" (1988).

use retrograde::{Entry, Family};
use retrograde_game::*;
use retrograde_index::Stacks;

/// Connect Four on a board of any size.
pub struct ConnectFour {
    grid: Grid,
    numbering: Stacks,
}
/// The discs of the side to move, and the other player's.
type Discs = [Squares; 2];

impl ConnectFour {
    /// Creates the game on a board; `None` if there are too many ways to fill the columns.
    pub fn new(columns: u32, rows: u32) -> Option<ConnectFour> {
        let numbering = Stacks::new(columns, rows).ok()?;
        Some(ConnectFour { grid: Grid::new(columns, rows).ok()?, numbering })
    }
}

impl Game for ConnectFour {
    type Position = Discs;
    /// The square on which the disc lands.
    type Turn = Square;
    fn name(&self) -> String {
        format!("connectfour:{}", self.grid)
    }
    fn position_count(&self) -> u128 {
        self.numbering.count().into()
    }
    fn start(&self) -> Discs {
        [Squares::EMPTY; 2]
    }
    fn result(&self, &[own, other]: &Discs) -> Option<Outcome> {
        let won = |discs, outcome| self.grid.has_line(discs, 4).then_some(outcome);
        // A position in which the side to move has four in a line is numbered, though it cannot occur.
        let over = won(other, Outcome::Loss).or_else(|| won(own, Outcome::Win));
        over.or_else(|| (own | other == self.grid.all()).then_some(Outcome::Draw))
    }
    fn each_turn(&self, discs: &Discs, mut visit: impl FnMut(Square, Discs) -> Flow) -> Flow {
        let filled = if self.result(discs).is_some() { self.grid.all() } else { discs[0] | discs[1] };
        let landing = (self.grid.step(filled, Direction::Up) | self.grid.bottom()) & !filled;
        landing.into_iter().try_for_each(|square| visit(square, [discs[1], discs[0].with(square)]))
    }
    fn layout(&self) -> Option<Layout<'_, Discs, Square>> {
        let layout = Layout::new(self.grid, Piece::sides(PieceShape::Round));
        let reason =
            "discs must not hang in the air, and `X`, to move, must have as many as `O` or one fewer";
        Some(layout.only_if(|discs| self.index(discs).is_some(), reason))
    }
}

impl Numbered for ConnectFour {
    fn numbering(&self) -> &impl Ranking<Discs> {
        &self.numbering
    }
}

impl Graded for ConnectFour {
    fn grade(&self, discs: &Discs) -> u64 {
        (self.grid.all() & !(discs[0] | discs[1])).len().into()
    }
}

impl Layered for ConnectFour {
    fn layer_count(&self) -> usize {
        self.grid.count() as usize + 1
    }
    fn layer(&self, layer: usize) -> Vec<Range<Index>> {
        // The fullest boards come first.
        side_by_side(self.numbering.of_discs(self.grid.count() - layer as u32))
    }
}

impl Show for ConnectFour {}

pub(crate) fn family() -> Family {
    let about = "drop discs into columns; four in a row, a column or a diagonal win";
    let family = Family::grid("connectfour", "Connect Four", about, (5, 4), move |grid| {
        let game = ConnectFour::new(grid.columns(), grid.rows()).ok_or("this board is too large")?;
        Ok(Entry::new(game, about).layered().graded_reachable())
    });
    family.examples(["connectfour", "connectfour:4x4", "connectfour:5x5"])
}

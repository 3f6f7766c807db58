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
    const RULES_VERSION: u32 = 1;
    fn name(&self) -> String {
        format!("connectfour:{}x{}", self.grid.columns(), self.grid.rows())
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
    fn each_turn<F: FnMut(Square, Discs) -> Flow>(&self, discs: &Discs, mut visit: F) -> Flow {
        let filled = if self.result(discs).is_some() { self.grid.all() } else { discs[0] | discs[1] };
        let landing = (self.grid.step(filled, Direction::Up) | self.grid.bottom()) & !filled;
        landing.into_iter().try_for_each(|square| visit(square, [discs[1], discs[0].with(square)]))
    }
    fn parse_position(&self, text: &str) -> Result<Discs, TextError> {
        let reason = "discs lie on each other, and `X`, to move, has as many as `O` or one fewer";
        self.numbered(self.grid.parse(['X', 'O'], text)?, text, reason)
    }
    fn position_text(&self, discs: &Discs) -> String {
        self.grid.text(['X', 'O'], *discs)
    }
    fn turn_text(&self, _: &Discs, square: &Square) -> String {
        self.grid.name(*square)
    }
}

impl Dense for ConnectFour {
    const INDEX_VERSION: u32 = 1;
    fn index_count(&self) -> u128 {
        self.numbering.count().into()
    }
    fn index(&self, discs: &Discs) -> Option<Index> {
        self.numbering.rank(discs.map(|discs| discs.0)).map(Index)
    }
    fn position(&self, index: Index) -> Option<Discs> {
        self.numbering.unrank(index.0).map(|discs| discs.map(Squares))
    }
    fn walk_down<F: FnMut(Index, Discs) -> Flow>(&self, indices: Range<Index>, mut visit: F) -> Flow {
        self.numbering.walk_down(numbers(indices), |index, discs| visit(Index(index), discs.map(Squares)))
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

impl Show for ConnectFour {
    fn picture(&self, discs: &Discs, to_move: Seat) -> Picture {
        self.grid.picture(to_move, Piece::sides(PieceShape::Round), self.first_view(discs, to_move))
    }
    fn marks(&self, _: &Discs, square: &Square, _: Seat) -> Vec<Mark> {
        vec![Mark::Fill(vec![self.grid.place(*square)])]
    }
    fn first_view(&self, &[own, other]: &Discs, to_move: Seat) -> Discs {
        if to_move == Seat::First { [own, other] } else { [other, own] }
    }
}

pub(crate) fn family() -> Family {
    let about = "drop discs into columns; four in a row, a column or a diagonal win";
    let family = Family::new("connectfour", about, move |spec, _| {
        let (columns, rows) = spec.grid((5, 4), 7)?;
        let game = ConnectFour::new(columns, rows).ok_or_else(|| spec.error("this board is too large"))?;
        spec.finish(&[])?;
        let title = format!("Connect Four {columns} × {rows}");
        Ok(Entry::new(game, about).title(title).layered().graded_reachable().build())
    });
    family.forms("[:CxR]   columns and rows").examples(["connectfour", "connectfour:4x4", "connectfour:5x5"])
}

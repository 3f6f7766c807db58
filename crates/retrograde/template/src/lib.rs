//! Three in a row on a board of 3 × 3 squares. Change it to your own game: first the rules
//! (`Game`), then the numbering (`Numbered`).

use retrograde::{Entry, Family, Registry};
use retrograde_game::*;
use retrograde_index::Arrangements;

/// The board, and the numbering of its positions.
pub struct MyGame {
    grid: Grid,
    numbering: Arrangements<2>,
}
/// All that the rules need, seen by the side to move: its pieces, and the opponent's.
type Pieces = [Squares; 2];

impl MyGame {
    /// The game on a board of this size, unless it is too large.
    pub fn new(columns: u32, rows: u32) -> Option<MyGame> {
        let grid = Grid::new(columns, rows).ok()?;
        // The side to move has half of the pieces on the board, or one fewer than the opponent.
        let counts: Vec<[u32; 2]> = (0..=grid.count()).map(|all| [all / 2, all - all / 2]).collect();
        Some(MyGame { grid, numbering: Arrangements::of_counts(grid.count(), &counts).ok()? })
    }
}

impl Game for MyGame {
    type Position = Pieces;
    /// The square on which a piece is put.
    type Turn = Square;
    fn name(&self) -> String {
        format!("mygame:{}", self.grid)
    }
    fn position_count(&self) -> u128 {
        self.numbering.count().into()
    }
    fn start(&self) -> Pieces {
        [Squares::EMPTY; 2]
    }
    /// The outcome for the side to move: the opponent has just moved.
    fn result(&self, &[own, other]: &Pieces) -> Option<Outcome> {
        let won = |pieces, outcome| self.grid.has_line(pieces, 3).then_some(outcome);
        let over = won(other, Outcome::Loss).or_else(|| won(own, Outcome::Win));
        over.or_else(|| (own | other == self.grid.all()).then_some(Outcome::Draw))
    }
    fn turns(&self, pieces: &Pieces) -> Vec<(Square, Pieces)> {
        let empty = self.grid.all() & !(pieces[0] | pieces[1]);
        let to = if self.result(pieces).is_some() { Squares::EMPTY } else { empty };
        to.into_iter().map(|square| (square, self.play(pieces, &square))).collect()
    }
    /// The position after a turn, seen by the opponent.
    fn play(&self, &[own, other]: &Pieces, square: &Square) -> Pieces {
        [other, own.with(*square)]
    }
    /// How positions and turns are written and drawn.
    fn layout(&self) -> Option<Layout<'_, Pieces, Square>> {
        let layout = Layout::new(self.grid, Piece::sides(PieceShape::Round));
        let reason = "`X` is to move and must have as many pieces as `O`, or one fewer";
        Some(layout.only_if(|pieces| self.index(pieces).is_some(), reason))
    }
}

/// The numbering of the positions, to solve the game completely and store it in a table.
impl Numbered for MyGame {
    fn numbering(&self) -> &impl Ranking<Pieces> {
        &self.numbering
    }
}

/// No position repeats. (A game with cycles omits this and `Layered`.)
impl Graded for MyGame {
    fn grade(&self, pieces: &Pieces) -> u64 {
        (self.grid.all() & !(pieces[0] | pieces[1])).len().into()
    }
}

/// Every turn leads to a greater number, so all numbers form one layer, solved from its end. (With
/// a layer for each number of pieces, several threads could share the work:
/// `retrograde_game::side_by_side`.)
impl Layered for MyGame {}

/// Pictures for the terminal, the browser, SVG and PNG, from the layout.
impl Show for MyGame {}

/// The games of this program: their names, and the traits that solvers can use.
pub fn registry() -> Registry {
    let about = "put pieces on a board; three in a row, a column or a diagonal win";
    let family = Family::grid("mygame", "MyGame", about, (3, 3), move |grid| {
        let game = MyGame::new(grid.columns(), grid.rows()).ok_or("this board is too large")?;
        Ok(Entry::new(game, about).layered())
    });
    Registry::new().with(family.examples(["mygame", "mygame:4x3"]))
}

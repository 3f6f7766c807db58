//! Three in a row on a board of 3 × 3 squares. Change it to your own game: first the rules
//! (`Game`), then the numbering (`Dense`), then the picture (`Show`).

use std::ops::{ControlFlow, Range};

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
    const RULES_VERSION: u32 = 1;
    fn name(&self) -> String {
        format!("mygame:{}x{}", self.grid.columns(), self.grid.rows())
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
    fn parse_position(&self, text: &str) -> Result<Pieces, TextError> {
        let reason = "`X` is to move and must have as many pieces as `O`, or one fewer";
        self.numbered(self.grid.parse(['X', 'O'], text)?, text, reason)
    }
    fn position_text(&self, pieces: &Pieces) -> String {
        self.grid.text(['X', 'O'], *pieces)
    }
    fn turn_text(&self, _: &Pieces, square: &Square) -> String {
        self.grid.name(*square)
    }
}

/// The numbering of the positions, to solve the game completely and store it in a table.
impl Dense for MyGame {
    const INDEX_VERSION: u32 = 1;
    fn index_count(&self) -> u128 {
        self.numbering.count().into()
    }
    fn index(&self, pieces: &Pieces) -> Option<Index> {
        self.numbering.rank(pieces.map(|pieces| pieces.0)).map(Index)
    }
    fn position(&self, index: Index) -> Option<Pieces> {
        self.numbering.unrank(index.0).map(|pieces| pieces.map(Squares))
    }
    fn walk_down<F>(&self, indices: Range<Index>, mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(Index, Pieces) -> ControlFlow<()>,
    {
        let range = numbers(indices);
        let mut all = range.clone().rev().zip(self.numbering.walk(range).rev());
        all.try_for_each(|(index, pieces)| visit(Index(index), pieces.map(Squares)))
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
impl Layered for MyGame {
    fn layer_count(&self) -> usize {
        1
    }
    fn layer(&self, _: usize) -> Vec<Range<Index>> {
        vec![Index(0)..Index(self.numbering.count())]
    }
}

/// Pictures for the terminal, the browser, SVG and PNG, always from the first player's side.
impl Show for MyGame {
    fn picture(&self, pieces: &Pieces, to_move: Seat) -> Picture {
        self.grid.picture(to_move, Piece::sides(PieceShape::Round), self.first_view(pieces, to_move))
    }
    fn marks(&self, _: &Pieces, square: &Square, _: Seat) -> Vec<Mark> {
        vec![Mark::Fill(vec![self.grid.place(*square)])]
    }
    fn first_view(&self, &[own, other]: &Pieces, to_move: Seat) -> Pieces {
        if to_move == Seat::First { [own, other] } else { [other, own] }
    }
}

/// The games of this program: their names, and the traits that solvers can use.
pub fn registry() -> Registry {
    let about = "put pieces on a board; three in a row, a column or a diagonal win";
    let family = Family::new("mygame", about, move |spec, _| {
        let (columns, rows) = spec.grid((3, 3), 4)?;
        let game = MyGame::new(columns, rows).ok_or_else(|| spec.error("this board is too large"))?;
        spec.finish(&[])?;
        Ok(Entry::new(game, about).layered().build())
    });
    Registry::new().with(family.forms("[:CxR]   columns and rows").examples(["mygame", "mygame:4x3"]))
}

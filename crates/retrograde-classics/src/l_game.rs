//! The L game by Edward de Bono: each player moves an L of four squares and then, optionally, one of
//! two neutral pieces. A player who cannot move the L loses. Rules: E. R. Berlekamp, J. H. Conway and
//! R. K. Guy, "Winning Ways for your Mathematical Plays" (1982).

use retrograde::{Entry, Family};
use retrograde_game::*;
use retrograde_index::Listed;

/// The L game, on 4 × 4 squares.
pub struct LGame {
    grid: Grid,
    /// The 48 places of an L.
    places: Vec<Squares>,
    numbering: Listed<Pieces>,
}
/// The L of the side to move, the other L, and the two neutral pieces.
type Pieces = [Squares; 3];
/// The new squares of the L, and the move of a neutral piece.
type LTurn = (Squares, Option<(Square, Square)>);

impl Default for LGame {
    /// Lists all 18,368 positions. Images under symmetries count separately.
    fn default() -> LGame {
        let grid = Grid::new(4, 4).expect("16 squares");
        let corner = Squares(0b0001_0111);
        let shifted = (0..6).map(|shift| corner << (shift % 3 * 4 + shift / 3));
        let images = shifted.flat_map(|l| grid.symmetries().iter().map(move |&to| grid.image(to, l)));
        let places: Vec<Squares> = images.collect();
        let mut positions = Vec::new();
        for (&own, &other) in places.iter().flat_map(|own| places.iter().map(move |other| (own, other))) {
            let free = grid.all() & !(own | other);
            let pairs = free.into_iter().flat_map(|one| free.into_iter().map(move |two| one.set().with(two)));
            let apart = !own.intersects(other);
            positions.extend(pairs.filter(|pair| apart && pair.len() == 2).map(|pair| [own, other, pair]));
        }
        LGame { grid, places, numbering: Listed::new(positions) }
    }
}

impl Game for LGame {
    type Position = Pieces;
    type Turn = LTurn;
    fn name(&self) -> String {
        "lgame".to_owned()
    }
    fn position_count(&self) -> u128 {
        self.numbering.count().into()
    }
    fn start(&self) -> Pieces {
        self.grid.parse(['X', 'O', 'n'], "nXX./.OX./.OX./.OOn").expect("a position")
    }
    fn turns(&self, &[own, other, neutral]: &Pieces) -> Vec<(LTurn, Pieces)> {
        let mut turns = Vec::new();
        for &to in self.places.iter().filter(|&&to| to != own && !to.intersects(other | neutral)) {
            turns.push(((to, None), [other, to, neutral]));
            for from in neutral {
                for goal in self.grid.all() & !(to | other | neutral) {
                    let after = neutral.without(from).with(goal);
                    turns.push(((to, Some((from, goal))), [other, to, after]));
                }
            }
        }
        turns
    }
    fn layout(&self) -> Option<Layout<'_, Pieces, LTurn>> {
        let neutral = Piece { shape: PieceShape::Round, letter: 'n', ..Piece::FILLED };
        let [x, o] = Piece::sides(PieceShape::Square);
        let layout = Layout::new(self.grid, [x, o, neutral]);
        Some(
            layout.only_if(
                |pieces| self.index(pieces).is_some(),
                "there must be two Ls and two neutral pieces",
            ),
        )
    }
}

impl Numbered for LGame {
    fn numbering(&self) -> &impl Ranking<Pieces> {
        &self.numbering
    }
}

impl Symmetries for LGame {
    fn symmetry_count(&self) -> usize {
        Symmetry::ALL.len()
    }
    fn image(&self, symmetry: usize, pieces: &Pieces) -> Pieces {
        pieces.map(|squares| self.grid.image(Symmetry::ALL[symmetry], squares))
    }
}

impl Show for LGame {}

pub(crate) fn family() -> Family {
    let about = "move your L, then a neutral piece if you like; a player who cannot move loses";
    let family = Family::new("lgame", about, move |spec, _| {
        spec.finish(&[])?;
        Ok(Entry::new(LGame::default(), about).title("L game").symmetries().build())
    });
    family.examples(["lgame"])
}

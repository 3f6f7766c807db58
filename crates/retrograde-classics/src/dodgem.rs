//! Dodgem by Colin Vout: two players drive their cars off a square board, across each other's way.
//! Rules: E. R. Berlekamp, J. H. Conway and R. K. Guy, "Winning Ways for your Mathematical Plays" (1982).

use retrograde::{Entry, Family};
use retrograde_game::Direction::{Down, Left, Right, Up};
use retrograde_game::*;
use retrograde_index::{Arrangements, BoardSymmetry};

/// Dodgem on a square board. Each player has one car fewer than there are rows.
pub struct Dodgem {
    grid: Grid,
    /// The reflection in the diagonal through `a1`, which turns cars that go right into cars that go up.
    reflection: BoardSymmetry,
    numbering: Arrangements<2>,
}
/// The cars of the side to move, which go up, and the other player's, which go right.
type Cars = [Squares; 2];
/// The square of a car, and the square that it goes to; `None` off the board.
type Drive = (Square, Option<Square>);

impl Dodgem {
    /// The game on a board of 2 to 8 rows and columns; `None` for other sizes.
    pub fn new(rows: u32) -> Option<Dodgem> {
        let grid = Grid::new(rows, rows).ok().filter(|_| rows >= 2)?;
        let reflection = BoardSymmetry::new(&grid.permutation(Symmetry::Diagonal)).ok()?;
        // The game has ended before both have no cars left.
        let counts: Vec<[u32; 2]> = (1..rows * rows).map(|n| [n / rows, n % rows]).collect();
        Some(Dodgem { grid, reflection, numbering: Arrangements::of_counts(rows * rows, &counts).ok()? })
    }
    /// The board as the other player sees it.
    fn swapped(&self, [own, other]: Cars) -> Cars {
        [other, own].map(|cars| Squares(self.reflection.image(cars.0)))
    }
}

impl Game for Dodgem {
    type Position = Cars;
    type Turn = Drive;
    fn name(&self) -> String {
        format!("dodgem:{}", self.grid)
    }
    fn position_count(&self) -> u128 {
        self.numbering.count().into()
    }
    fn start(&self) -> Cars {
        let own = self.grid.bottom() & !self.grid.column(0);
        [own, self.swapped([own, own])[0]]
    }
    fn result(&self, [own, other]: &Cars) -> Option<Outcome> {
        if other.is_empty() { Some(Outcome::Loss) } else { own.is_empty().then_some(Outcome::Win) }
    }
    fn wins_now(&self, [own, other]: &Cars) -> bool {
        own.len() == 1 && !other.is_empty() && own.intersects(self.grid.top()) // The last car leaves.
    }
    fn outcome_without_turns(&self) -> Outcome {
        Outcome::Win // A player who blocks all cars of the other player loses.
    }
    fn each_turn(&self, cars: &Cars, mut visit: impl FnMut(Drive, Cars) -> Flow) -> Flow {
        let [own, other] = *cars;
        for from in if other.is_empty() { Squares::EMPTY } else { own } {
            let ways = self.grid.neighbours(from.set(), &[Left, Up, Right]) & !(own | other);
            let mut go = |to| visit((from, to), self.play(cars, &(from, to)));
            ways.into_iter().try_for_each(|to| go(Some(to)))?;
            if self.grid.top().contains(from) {
                go(None)?;
            }
        }
        Flow::Continue(())
    }
    fn play(&self, &[own, other]: &Cars, &(from, to): &Drive) -> Cars {
        self.swapped([own.without(from) | to.map_or(Squares::EMPTY, Square::set), other])
    }
    fn layout(&self) -> Option<Layout<'_, Cars, Drive>> {
        let layout = Layout::new(self.grid, Piece::sides(PieceShape::Square)).other_view(Symmetry::Diagonal);
        let reason =
            "each player must have fewer cars than the board has rows, and one player at least one car";
        Some(layout.only_if(|cars| self.index(cars).is_some(), reason))
    }
    fn turn_text(&self, _: &Cars, (from, to): &Drive) -> String {
        self.grid.name(*from) + &to.map_or("-off".to_owned(), |to| self.grid.name(to))
    }
}

impl Dense for Dodgem {
    const INDEX_VERSION: u32 = 1;
    fn index_count(&self) -> u128 {
        self.numbering.count().into()
    }
    fn index(&self, cars: &Cars) -> Option<Index> {
        self.numbering.number_of(cars).map(Index)
    }
    fn position(&self, index: Index) -> Option<Cars> {
        self.numbering.position_at(index.0)
    }
    fn walk_down(&self, indices: Range<Index>, mut visit: impl FnMut(Index, Cars) -> Flow) -> Flow {
        self.numbering.positions_down(numbers(indices), |index, cars| visit(Index(index), cars))
    }
    fn each_numbered_successor(&self, cars: &Cars, mut visit: impl FnMut(Successor) -> Flow) -> Flow {
        // If no car leaves, only one set changes.
        let fixed = self.numbering.fixing(self.swapped(*cars)[0].0, cars[0].len());
        self.each_turn(cars, |(_, to), next| {
            let stays = to.and_then(|_| fixed?.rank(next[1].0));
            match stays.or_else(|| self.numbering.number_of(&next)) {
                Some(index) if !next[1].is_empty() => visit(Successor::At(Index(index))),
                _ => visit(Successor::Terminal(Outcome::Loss)),
            }
        })
    }
}

impl Unmoves for Dodgem {
    const EXACT: bool = true;
    fn each_unmove(&self, cars: &Cars, mut visit: impl FnMut(Cars) -> Flow) -> Flow {
        let [own, other] = self.swapped(*cars); // As the player saw it who has just moved.
        let empty = self.grid.all() & !(own | other);
        for to in own {
            for from in self.grid.neighbours(to.set(), &[Left, Down, Right]) & empty {
                visit([own.without(to).with(from), other])?;
            }
        }
        // With too many cars it has no number.
        (self.grid.top() & empty).into_iter().try_for_each(|from| visit([own.with(from), other]))
    }
}

impl Show for Dodgem {}

pub(crate) fn family() -> Family {
    let about = "drive your cars off the board; a player with no cars or no moves left wins";
    let family = Family::grid("dodgem", "Dodgem", about, (3, 3), move |grid| {
        let game = Dodgem::new(grid.rows()).filter(|_| grid.columns() == grid.rows());
        let game = game.ok_or("the board must be square, with 2 to 8 rows")?;
        Ok(Entry::new(game, about).predecessors().reachable())
    });
    family.forms("[:NxN]   columns and rows").examples(["dodgem", "dodgem:4x4", "dodgem:5x5"])
}

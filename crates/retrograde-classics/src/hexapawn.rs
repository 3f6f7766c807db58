//! Hexapawn by Martin Gardner ("Mathematical Games", Scientific American, March 1962), on boards of
//! any size: pawns run for the other side's row.
//!
//! The rules are the same as in TouchDown. With `forced`, a player who can capture must do so. On
//! three rows that is Dawson's Chess (T. R. Dawson, 1935); a player without a turn loses.

use retrograde::{Entry, Family};
use retrograde_game::*;
use retrograde_index::{Arrangements, binomial};

/// Hexapawn on a board.
#[derive(Clone, Debug)]
pub struct Hexapawn {
    grid: Grid,
    forced: bool,
    numbering: Arrangements<2>,
}

/// The pawns of the side to move, which go up, and of the opponent.
type Pawns = [Squares; 2];
/// The directions of pawns: captures, then steps.
const AHEAD: [Direction; 3] = [Direction::UpLeft, Direction::UpRight, Direction::Up];

impl Hexapawn {
    /// Creates the game of a name such as `hexapawn:3x3` or `hexapawn:5x3,forced`.
    ///
    /// # Errors
    /// If the board is too small or too large, or the name has an unknown option.
    pub fn from_spec(mut spec: GameSpec) -> Result<Hexapawn, TextError> {
        let grid = Grid::from_spec(&spec, (3, 3))?;
        let forced = spec.take_flag("forced")?;
        if grid.rows() < 2 {
            return Err(spec.error("a board needs at least two rows"));
        }
        let pawns = 1..=grid.columns();
        let numbering = Arrangements::new(grid.count(), [pawns.clone(), pawns]);
        let numbering = numbering.map_err(|error| spec.error(error.to_string()))?;
        spec.finish(&["forced"])?;
        Ok(Hexapawn { grid, forced, numbering })
    }

    /// The board as the other player sees it.
    #[inline]
    fn turned(&self, [own, other]: Pawns) -> Pawns {
        [self.grid.half_turn(other), self.grid.half_turn(own)]
    }

    /// Whether the position can occur: the opponent has just moved, and the side to move had not won before.
    fn is_legal(&self, &[own, other]: &Pawns) -> bool {
        !own.intersects(self.grid.top())
            && !other.is_empty()
            && own.len().max(other.len()) <= self.grid.columns()
    }

    /// Whether the side to move can capture.
    fn captures(&self, &[own, other]: &Pawns) -> bool {
        self.grid.neighbours(own, &AHEAD[..2]).intersects(other)
    }
}

impl Game for Hexapawn {
    type Position = Pawns;
    /// The pawn's square before and after the turn.
    type Turn = (Square, Square);

    fn name(&self) -> String {
        let forced = if self.forced { ",forced" } else { "" };
        format!("hexapawn:{}{forced}", self.grid)
    }
    fn position_count(&self) -> u128 {
        let (columns, squares) = (self.grid.columns(), self.grid.count());
        let choose = |n, k| binomial(n, k).unwrap_or(0);
        let others = |own| -> u128 { (1..=columns).map(|other| choose(squares - own, other)).sum() };
        (0..=columns).map(|own| choose(squares - columns, own) * others(own)).sum()
    }
    fn start(&self) -> Pawns {
        [self.grid.bottom(), self.grid.top()]
    }
    fn result(&self, &[own, other]: &Pawns) -> Option<Outcome> {
        (own.is_empty() || other.intersects(self.grid.bottom())).then_some(Outcome::Loss)
    }
    fn each_turn(&self, pawns: &Pawns, mut visit: impl FnMut(Self::Turn, Pawns) -> Flow) -> Flow {
        let [own, other] = *pawns;
        let over = self.result(pawns).is_some();
        let must_capture = self.forced && self.captures(pawns);
        for direction in AHEAD {
            let free = match direction {
                Direction::Up if must_capture => Squares::EMPTY,
                Direction::Up => !(own | other),
                _ => other,
            };
            for to in if over { Squares::EMPTY } else { self.grid.step(own, direction) & free } {
                let from = self.grid.step(to.set(), direction.opposite());
                let next = self.turned([(own & !from).with(to), other.without(to)]);
                from.into_iter().try_for_each(|from| visit((from, to), next))?;
            }
        }
        Flow::Continue(())
    }
    fn play(&self, &[own, other]: &Pawns, &(from, to): &Self::Turn) -> Pawns {
        self.turned([own.without(from).with(to), other.without(to)])
    }
    fn layout(&self) -> Option<Layout<'_, Pawns, Self::Turn>> {
        let layout = Layout::new(self.grid, Piece::sides(PieceShape::Pawn)).other_view(Symmetry::HalfTurn);
        let reason = "`O` must have a pawn, since it has just moved, `X` no pawn on its last row, and neither side \
                      more pawns than columns";
        Some(layout.begins_with(self.grid.columns()).only_if(|pawns| self.is_legal(pawns), reason))
    }
    fn step_kind(&self, _: &Pawns, _ends: bool) -> StepKind {
        StepKind::Move
    }
}

impl Graded for Hexapawn {
    /// The number of rows that all pawns together still have to go.
    fn grade(&self, &[own, other]: &Pawns) -> u64 {
        let rows = |pawns: Squares| {
            pawns.into_iter().map(|square| u64::from(self.grid.place(square).row)).sum::<u64>()
        };
        rows(own) + rows(self.grid.half_turn(other))
    }
}

impl Dense for Hexapawn {
    const INDEX_VERSION: u32 = 1;

    fn index_count(&self) -> u128 {
        self.numbering.count().into()
    }
    fn index(&self, pawns: &Pawns) -> Option<Index> {
        if self.is_legal(pawns) { self.numbering.number_of(pawns).map(Index) } else { None }
    }
    fn position(&self, index: Index) -> Option<Pawns> {
        self.numbering.position_at(index.0).filter(|pawns| self.is_legal(pawns))
    }
    /// The positions in which the side to move has no pawn left.
    fn unnumbered(&self) -> Vec<(Outcome, u128)> {
        let others = (1..=self.grid.columns()).map(|other| binomial(self.grid.count(), other).unwrap_or(0));
        vec![(Outcome::Loss, others.sum())]
    }
}

impl Unmoves for Hexapawn {
    const EXACT: bool = true;

    fn each_unmove(&self, pawns: &Pawns, mut visit: impl FnMut(Pawns) -> Flow) -> Flow {
        // `mine` are the pawns of the player who has just moved, seen going up.
        let [mine, theirs] = self.turned(*pawns);
        let empty = self.grid.all() & !(mine | theirs);
        for direction in AHEAD {
            let steps = direction == Direction::Up;
            for from in self.grid.step(mine, direction.opposite()) & empty {
                let to = self.grid.step(from.set(), direction);
                let before = [(mine & !to).with(from), if steps { theirs } else { theirs | to }];
                if !(steps && self.forced && self.captures(&before)) {
                    visit(before)?;
                }
            }
        }
        Flow::Continue(())
    }
}

impl Symmetries for Hexapawn {
    fn symmetry_count(&self) -> usize {
        2
    }
    fn image(&self, symmetry: usize, pawns: &Pawns) -> Pawns {
        if symmetry == 0 { *pawns } else { pawns.map(|pawns| self.grid.mirror(pawns)) }
    }
}

impl Show for Hexapawn {
    fn guide(&self) -> Guide {
        let must = if self.forced { "; if possible, this is compulsory" } else { "; this is optional" };
        let pawns = counted(self.grid.columns(), "pawn");
        let sentences = vec![
            format!(
                "The board has {} and {pawns} of each side on its own row; Red begins.",
                counted(self.grid.rows(), "row")
            ),
            "A turn moves a pawn one row ahead, Red's up and Blue's down: straight, if that square is empty."
                .to_owned(),
            format!("A pawn may also capture an opposing pawn diagonally ahead{must}."),
            "A player who brings a pawn to the other side wins.".to_owned(),
            "A player without a turn or without pawns loses.".to_owned(),
        ];
        Guide { sentences, examples: self.examples() }
    }
    fn plane_names(&self) -> Vec<&'static str> {
        vec!["own pawns", "opponent pawns"]
    }
}

impl Hexapawn {
    /// Examples of a step, a capture and a win, as far as the board has room for them.
    fn examples(&self) -> Vec<Example> {
        let rows = self.grid.rows();
        let square = |column: u32, row: u32| self.grid.square(column, rows - row);
        let mut examples = Vec::new();
        let mut example = |caption: &str, moved: [Option<Square>; 2], pawns: Pawns| {
            if let [Some(from), Some(to)] = moved {
                let turn = self.turn_text(&pawns, &(from, to));
                examples.push(Example::new(caption, self.position_text(&pawns), turn));
            }
        };
        let [own, other] = self.start();
        if rows > 2 {
            example("A pawn steps straight ahead.", [square(0, 1), square(0, 2)], [own, other]);
        }
        if rows > 3 || (rows == 3 && self.grid.columns() > 1) {
            // Blue's pawn from the second column has advanced to Red's second row.
            if let (Some(pawn), Some(home)) = (square(1, 2), square(1, rows)) {
                example(
                    "A pawn captures diagonally ahead.",
                    [square(0, 1), Some(pawn)],
                    [own, other.without(home).with(pawn)],
                );
            }
        }
        if let (Some(from), Some(to), Some(home)) = (square(0, rows - 1), square(0, rows), square(0, 1)) {
            // There is nothing to capture in the next column.
            let gone: Squares = [Some(to), square(1, rows)].into_iter().flatten().collect();
            let other = (other & !gone)
                .with(square(self.grid.columns() - 1, rows).filter(|&at| at != to).unwrap_or(to));
            let pawns = [own.without(home).with(from), other];
            if self.is_legal(&pawns) && !other.contains(to) && !(self.forced && self.captures(&pawns)) {
                example("Red reaches the other side and wins.", [Some(from), Some(to)], pawns);
            }
        }
        examples
    }
}

const SUMMARY: &str =
    "pawns step or capture ahead; reach the other side to win. With `forced`: Dawson's Chess";

pub(crate) fn family() -> Family {
    Family::new("hexapawn", SUMMARY, |spec, _| {
        let game = Hexapawn::from_spec(spec)?;
        let (columns, rows) = (game.grid.columns(), game.grid.rows());
        let title = match (game.forced, rows) {
            (true, 3) => format!("Dawson's Chess {columns} × 3"),
            (true, _) => format!("Hexapawn {columns} × {rows}, forced"),
            _ => format!("Hexapawn {columns} × {rows}"),
        };
        Ok(Entry::new(game, SUMMARY)
            .title(title)
            .predecessors()
            .symmetries()
            .graded_reachable_by_orbits()
            .build())
    })
    .forms("[:WxH][,forced]   columns x rows, at least two rows; forced: captures are compulsory")
    .examples(["hexapawn:3x3", "hexapawn:4x4", "hexapawn:5x3,forced"])
}

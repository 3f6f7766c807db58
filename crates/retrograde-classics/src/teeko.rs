//! Teeko by John Scarne: each player places four men and then moves them; four in a row or in a square win.
//!
//! Rules: J. Scarne, "Scarne on Teeko" (1955). In the standard game a square is four neighbouring
//! squares; with `advanced`, the men may also be on the corners of any larger square. On 5 × 5
//! squares these are 44 and 58 winning shapes.

use retrograde::{Entry, Family};
use retrograde_game::*;
use retrograde_index::{Arrangements, BoardSymmetry, Combinations, Patterns, binomial};

/// The number of men per side.
const MEN: u32 = 4;

/// Teeko on a board.
#[derive(Clone, Debug)]
pub struct Teeko {
    grid: Grid,
    advanced: bool,
    /// The number of winning shapes.
    shape_count: u128,
    shapes: Patterns,
    /// The positions with all men placed come first, then those with one fewer, and so on.
    numbering: Arrangements<2>,
    symmetries: Vec<BoardSymmetry>,
}

/// The men of the side to move and of the opponent.
type Men = [Squares; 2];

/// The number of men of each side after `placed` placements. Red places first.
fn counts(placed: u32) -> [u32; 2] {
    [placed / 2, placed.div_ceil(2)]
}

impl Teeko {
    /// Creates the game of a name such as `teeko:5x5` or `teeko:4x4,advanced`.
    ///
    /// # Errors
    /// If the board is too small, or the name has an unknown option.
    pub fn from_spec(mut spec: GameSpec) -> Result<Teeko, TextError> {
        let grid = Grid::from_spec(&spec, (5, 5))?;
        let advanced = spec.take_flag("advanced")?;
        if grid.count() <= 2 * MEN || grid.columns().min(grid.rows()) < 2 {
            return Err(spec.error("a board needs at least two columns, two rows and nine squares"));
        }
        let blocks: Vec<[u32; 2]> = (0..=2 * MEN).rev().map(counts).collect();
        let numbering = Arrangements::of_counts(grid.count(), &blocks);
        let numbering = numbering.map_err(|error| spec.error(error.to_string()))?;
        let symmetry = |&symmetry: &Symmetry| BoardSymmetry::new(&grid.permutation(symmetry));
        let symmetries = grid.symmetries().iter().map(symmetry).collect::<Result<_, _>>();
        let symmetries = symmetries.map_err(|error| spec.error(error.to_string()))?;
        spec.finish(&["advanced"])?;
        let mut shapes = grid.lines(MEN);
        let sides = if advanced { 1..grid.columns().min(grid.rows()) } else { 1..2 };
        for (side, corner) in sides.flat_map(|side| grid.all().into_iter().map(move |corner| (side, corner)))
        {
            let GridSquare { column, row } = grid.place(corner);
            let (column, row) = (u32::from(column), u32::from(row));
            let corners = [(0, 0), (side, 0), (0, side), (side, side)];
            let square: Option<Squares> =
                corners.iter().map(|(x, y)| grid.square(column + x, row + y)).collect();
            shapes.extend(square);
        }
        let sets: Vec<u64> = shapes.iter().map(|shape| shape.0).collect();
        let (shape_count, shapes) = (sets.len() as u128, Patterns::new(&sets));
        Ok(Teeko { grid, advanced, shape_count, shapes, numbering, symmetries })
    }

    /// Whether men form a winning shape.
    #[inline]
    fn wins(&self, men: Squares) -> bool {
        self.shapes.any_in(men.0)
    }

    fn all_placed(men: &Men) -> bool {
        men[0].len() + men[1].len() == 2 * MEN
    }
}

impl Game for Teeko {
    type Position = Men;
    /// The square that a man leaves, `None` if it is placed, and the square that it reaches.
    type Turn = (Option<Square>, Square);

    fn name(&self) -> String {
        let advanced = if self.advanced { ",advanced" } else { "" };
        format!("teeko:{}{advanced}", self.grid)
    }
    fn position_count(&self) -> u128 {
        let squares = self.grid.count();
        let choose = |n, k| binomial(n, k).unwrap_or(0);
        let count = |[own, other]: [u32; 2]| {
            // The side to move has no winning shape.
            let won = if own == MEN { self.shape_count } else { 0 };
            (choose(squares, own) - won) * choose(squares - own, other)
        };
        (0..=2 * MEN).map(|placed| count(counts(placed))).sum()
    }
    fn start(&self) -> Men {
        [Squares::EMPTY; 2]
    }
    fn result(&self, men: &Men) -> Option<Outcome> {
        self.wins(men[1]).then_some(Outcome::Loss)
    }
    fn each_turn(&self, men: &Men, mut visit: impl FnMut(Self::Turn, Men) -> Flow) -> Flow {
        let [own, other] = *men;
        let empty = self.grid.all() & !(own | other);
        if self.wins(other) {
            return Flow::Continue(());
        }
        if !Teeko::all_placed(men) {
            return empty.into_iter().try_for_each(|to| visit((None, to), [other, own.with(to)]));
        }
        for from in own {
            for to in self.grid.neighbours(from.set(), &Direction::ALL) & empty {
                visit((Some(from), to), [other, own.without(from).with(to)])?;
            }
        }
        Flow::Continue(())
    }
    fn play(&self, &[own, other]: &Men, &(from, to): &Self::Turn) -> Men {
        [other, from.map_or(own, |from| own.without(from)).with(to)]
    }
    fn layout(&self) -> Option<Layout<'_, Men, Self::Turn>> {
        let layout = Layout::new(self.grid, Piece::sides(PieceShape::Round));
        let counted = |&[own, other]: &Men| {
            own.len() <= MEN && (own.len() == other.len() || own.len() + 1 == other.len())
        };
        let reason = "`X`, to move, must have the same number of men as `O` or one fewer, and at most four";
        let won = "`X` has already won and cannot be to move";
        Some(layout.only_if(counted, reason).only_if(|men| !self.wins(men[0]), won))
    }
    fn turn_text(&self, _: &Men, &(from, to): &Self::Turn) -> String {
        from.map_or_else(String::new, |from| self.grid.name(from) + "-") + &self.grid.name(to)
    }
    fn step_kind(&self, men: &Men, _ends: bool) -> StepKind {
        if Teeko::all_placed(men) { StepKind::Move } else { StepKind::Place }
    }
}

impl Dense for Teeko {
    const INDEX_VERSION: u32 = 1;

    fn index_count(&self) -> u128 {
        self.numbering.count().into()
    }
    fn index(&self, men: &Men) -> Option<Index> {
        if self.wins(men[0]) { None } else { self.numbering.number_of(men).map(Index) }
    }
    fn position(&self, index: Index) -> Option<Men> {
        self.numbering.position_at(index.0).filter(|men| !self.wins(men[0]))
    }
    fn walk_down(&self, indices: Range<Index>, mut visit: impl FnMut(Index, Men) -> Flow) -> Flow {
        self.numbering.positions_down(numbers(indices), |index, men: Men| {
            if self.wins(men[0]) { Flow::Continue(()) } else { visit(Index(index), men) }
        })
    }
    /// Successors of legal positions are legal.
    fn each_numbered_successor(&self, men: &Men, mut visit: impl FnMut(Successor) -> Flow) -> Flow {
        let placed = u32::from(!Teeko::all_placed(men));
        let fixed = self.numbering.fixing(men[1].0, men[0].len() + placed);
        self.each_successor(men, |[_, moved]| match fixed.and_then(|fixed| fixed.rank(moved.0)) {
            Some(index) if !self.wins(moved) => visit(Successor::At(Index(index))),
            _ => visit(Successor::Terminal(Outcome::Loss)),
        })
    }
}

impl Staged for Teeko {
    /// Men that are placed never leave the board.
    fn stage_count(&self) -> usize {
        2 * MEN as usize + 1
    }
    fn stage(&self, stage: usize) -> Vec<Range<Index>> {
        let block = self.numbering.block(counts(2 * MEN - stage as u32));
        block.into_iter().map(|block| Index(block.start)..Index(block.end)).collect()
    }
}

impl Unmoves for Teeko {
    const EXACT: bool = true;

    fn each_unmove(&self, men: &Men, mut visit: impl FnMut(Men) -> Flow) -> Flow {
        let [theirs, mine] = *men; // `mine` are the men of the player who has just moved.
        let empty = self.grid.all() & !(theirs | mine);
        for to in mine {
            let stay = mine.without(to);
            visit([stay, theirs])?;
            if Teeko::all_placed(men) {
                let ways = self.grid.neighbours(to.set(), &Direction::ALL) & empty;
                ways.into_iter().try_for_each(|from| visit([stay.with(from), theirs]))?;
            }
        }
        Flow::Continue(())
    }
}

impl Symmetries for Teeko {
    fn symmetry_count(&self) -> usize {
        self.symmetries.len()
    }
    fn image(&self, symmetry: usize, men: &Men) -> Men {
        men.map(|men| Squares(self.symmetries[symmetry].image(men.0)))
    }
    fn each_image_index(&self, men: &Men, mut visit: impl FnMut(Index) -> Flow) -> Flow {
        self.numbering.each_image(men.map(|men| men.0), &self.symmetries[1..], |index| visit(Index(index)))
    }
}

impl Show for Teeko {
    fn piece_name(&self, _: Piece) -> &'static str {
        "man"
    }
    fn guide(&self) -> Guide {
        let squares = if self.advanced {
            "at the corners of a square of any size"
        } else {
            "in a square of two by two"
        };
        let sentences = [
            format!(
                "The board has {} and {}; Red and Blue have four men each, and Red begins.",
                counted(self.grid.columns(), "column"),
                counted(self.grid.rows(), "row")
            ),
            "First the players place their men on empty squares, one per turn.".to_owned(),
            "Then a turn moves a man to one of the eight squares around it, if that is empty.".to_owned(),
            format!("A player with all four men in a row, a column or a diagonal, or {squares}, wins."),
            "A player who cannot move loses; a game that never ends is a draw.".to_owned(),
        ];
        Guide { sentences: sentences.to_vec(), examples: self.examples() }
    }
    fn plane_names(&self) -> Vec<&'static str> {
        vec!["own men", "opponent men"]
    }
}

impl Teeko {
    /// Three turns of Red: a man is placed, a man moves, and a man completes a square.
    fn examples(&self) -> Vec<Example> {
        let set =
            |names: &[&str]| -> Squares { names.iter().filter_map(|name| self.grid.named(name)).collect() };
        let outside = if self.grid.rows() > 2 { "b3" } else { "c2" };
        let own = set(&["a1", "b1", "a2", outside]);
        // Four men of Blue that have not won, away from the square that Red completes.
        let free = self.grid.all() & !own & !set(&["b2"]);
        let sets = Combinations::new(free.len()).ok();
        let fours =
            sets.iter().flat_map(|sets| (0..sets.count(MEN)).rev().filter_map(|rank| sets.unrank(MEN, rank)));
        let mut fours = fours.map(|bits| Squares(retrograde_index::scatter(bits, free.0)));
        let Some(other) = fours.find(|&men| !self.wins(men)) else { return Vec::new() };
        let example =
            |caption: &str, men: Men, turn: String| Example::new(caption, self.position_text(&men), turn);
        vec![
            example("A man is placed on an empty square.", [set(&["a1"]), set(&["b2"])], "a2".to_owned()),
            example("All men are placed, and Red moves one.", [own, other], "a1-b2".to_owned()),
            example("Red completes a square and wins.", [own, other], format!("{outside}-b2")),
        ]
    }
}

const SUMMARY: &str = "four men each, placed and then moved: four in a row or in a square win";

pub(crate) fn family() -> Family {
    Family::new("teeko", SUMMARY, |spec, _| {
        let game = Teeko::from_spec(spec)?;
        let advanced = if game.advanced { ", advanced" } else { "" };
        let title = format!("Teeko {} × {}{advanced}", game.grid.columns(), game.grid.rows());
        let entry = Entry::new(game, SUMMARY).title(title).predecessors().symmetries().staged();
        Ok(entry.reachable().build())
    })
    .forms("[:WxH][,advanced]   columns x rows, at least nine squares; advanced: larger squares win too")
    .examples(["teeko:5x5", "teeko:4x4", "teeko:5x5,advanced"])
}

//! Measures the cost of a numbering: Teeko, solved with a straightforward numbering written by hand, with one
//! from `retrograde-index`, and with its numbering up to symmetry.
//!
//! `cargo run --release -p retrograde-solve --features measure --example numberings -- kit 5 5 4` has two
//! sides of four pieces on 5 × 5 squares; the first word is `hand`, `kit` or `reduced`. The turns,
//! predecessors and symmetries are the same for all three. Each prints the number of positions with each
//! value; the first two print the same.

use std::error::Error;
use std::ops::Range;
use std::time::Instant;

use retrograde_game::{
    Dense, Flow, Game, Index, Outcome, Predecessors, Score, Symmetries, TextError, numbers,
};
use retrograde_index::{Arrangements, BoardSymmetry, ReducedArrangements, SymmetryGroup};
use retrograde_solve::{Job, NoCheckpoint, Scores, Silent, retrograde::Retrograde};

/// The pieces of the side to move, and the other pieces.
type Sets = [u64; 2];

/// How positions are numbered.
trait Numbering: Send + Sync {
    fn count(&self) -> u64;
    fn rank(&self, sets: Sets) -> Option<u64>;
    fn unrank(&self, index: u64) -> Option<Sets>;
    fn canonical(&self, sets: Sets) -> Sets {
        sets
    }
    fn walk_down(&self, indices: Range<u64>, visit: &mut dyn FnMut(u64, Sets) -> Flow) {
        for index in indices.rev() {
            if let Some(sets) = self.unrank(index)
                && visit(index, sets).is_break()
            {
                return;
            }
        }
    }
}

/// Binomials by multiplication and division in 128 bits, free squares counted one by one.
struct ByHand {
    squares: u32,
    /// The counts of every block and its first index.
    blocks: Vec<([u32; 2], u64)>,
    count: u64,
}

fn choose(n: u32, k: u32) -> u64 {
    if k > n {
        return 0;
    }
    (0..k).fold(1_u128, |product, i| product * u128::from(n - i) / u128::from(i + 1)) as u64
}

impl ByHand {
    fn new(squares: u32, counts: &[[u32; 2]]) -> ByHand {
        let (mut blocks, mut count) = (Vec::new(), 0);
        for &[own, other] in counts {
            blocks.push(([own, other], count));
            count += choose(squares, own) * choose(squares - own, other);
        }
        ByHand { squares, blocks, count }
    }
}

impl Numbering for ByHand {
    fn count(&self) -> u64 {
        self.count
    }

    fn rank(&self, sets: Sets) -> Option<u64> {
        let counts = sets.map(u64::count_ones);
        let (_, start) = self.blocks.iter().find(|(block, _)| *block == counts)?;
        let (mut index, mut taken) = (0, 0);
        for set in sets {
            let (mut place, mut met, mut rank) = (0, 0, 0);
            for square in (0..self.squares).filter(|square| taken >> square & 1 == 0) {
                if set >> square & 1 == 1 {
                    met += 1;
                    rank += choose(place, met);
                }
                place += 1;
            }
            index = index * choose(place, met) + rank;
            taken |= set;
        }
        Some(start + index)
    }

    fn unrank(&self, index: u64) -> Option<Sets> {
        let (counts, start) = self.blocks.iter().rfind(|(_, start)| *start <= index)?;
        let index = index - start;
        let second = choose(self.squares - counts[0], counts[1]);
        let (mut taken, mut sets) = (0_u64, [0; 2]);
        for (at, mut rank) in [index / second, index % second].into_iter().enumerate() {
            let free: Vec<u32> = (0..self.squares).filter(|square| taken >> square & 1 == 0).collect();
            let mut place = free.len() as u32;
            for left in (1..=counts[at]).rev() {
                place -= 1;
                while choose(place, left) > rank {
                    place -= 1;
                }
                rank -= choose(place, left);
                sets[at] |= 1 << free[place as usize];
            }
            taken |= sets[at];
        }
        Some(sets)
    }
}

impl Numbering for Arrangements<2> {
    fn count(&self) -> u64 {
        self.count()
    }
    fn rank(&self, sets: Sets) -> Option<u64> {
        self.rank(sets)
    }
    fn unrank(&self, index: u64) -> Option<Sets> {
        self.unrank(index)
    }
    fn walk_down(&self, indices: Range<u64>, visit: &mut dyn FnMut(u64, Sets) -> Flow) {
        let _ = Arrangements::walk_down(self, indices, visit);
    }
}

impl Numbering for ReducedArrangements<2> {
    fn count(&self) -> u64 {
        self.count()
    }
    fn rank(&self, sets: Sets) -> Option<u64> {
        self.rank(sets)
    }
    fn unrank(&self, index: u64) -> Option<Sets> {
        self.unrank(index)
    }
    fn canonical(&self, sets: Sets) -> Sets {
        self.canonical(sets).unwrap_or(sets)
    }
    fn walk_down(&self, indices: Range<u64>, visit: &mut dyn FnMut(u64, Sets) -> Flow) {
        let _ = ReducedArrangements::walk_down(self, indices, visit);
    }
}

/// Teeko: place your pieces in turn, then move one to a neighbouring square. A side with all four in a row or
/// in a small square has won.
struct Teeko<N> {
    squares: u32,
    pieces: u32,
    neighbours: Vec<u64>,
    goals: Vec<u64>,
    symmetries: Vec<BoardSymmetry>,
    numbering: N,
}

/// Sets of squares on a board.
fn goals(columns: i32, rows: i32) -> Vec<u64> {
    let square = |x: i32, y: i32| {
        let there = (0..columns).contains(&x) && (0..rows).contains(&y);
        there.then(|| 1_u64 << (y * columns + x))
    };
    let shapes = [
        [(0, 0), (1, 0), (2, 0), (3, 0)],
        [(0, 0), (0, 1), (0, 2), (0, 3)],
        [(0, 0), (1, 1), (2, 2), (3, 3)],
        [(3, 0), (2, 1), (1, 2), (0, 3)],
        [(0, 0), (1, 0), (0, 1), (1, 1)],
    ];
    let places = (0..columns).flat_map(|x| (0..rows).map(move |y| (x, y)));
    places
        .flat_map(|(x, y)| {
            shapes.map(|shape| {
                shape.into_iter().try_fold(0, |set, (dx, dy)| Some(set | square(x + dx, y + dy)?))
            })
        })
        .flatten()
        .collect()
}

fn neighbours(columns: i32, rows: i32) -> Vec<u64> {
    let places: Vec<(i32, i32)> = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))).collect();
    let near = |a: (i32, i32), b: (i32, i32)| a != b && (a.0 - b.0).abs() <= 1 && (a.1 - b.1).abs() <= 1;
    let all = |a: (i32, i32)| places.iter().enumerate().filter(move |&(_, &b)| near(a, b));
    places.iter().map(|&a| all(a).fold(0, |set, (square, _)| set | 1 << square)).collect()
}

/// A reflection in each axis and, on square boards, in a diagonal.
fn generators(columns: u8, rows: u8) -> Vec<Vec<u8>> {
    let squares = || (0..columns * rows).map(|square| (square % columns, square / columns));
    let mut generators = vec![
        squares().map(|(x, y)| y * columns + columns - 1 - x).collect(),
        squares().map(|(x, y)| (rows - 1 - y) * columns + x).collect(),
    ];
    if columns == rows {
        generators.push(squares().map(|(x, y)| x * columns + y).collect());
    }
    generators
}

fn squares_of(set: u64) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(set), |&rest| Some(rest & rest.wrapping_sub(1)))
        .take_while(|&rest| rest != 0)
        .map(u64::trailing_zeros)
}

impl<N: Numbering> Teeko<N> {
    fn wins(&self, set: u64) -> bool {
        self.goals.iter().any(|goal| set & goal == *goal)
    }

    fn each_placement(&self, [own, other]: Sets, visit: &mut dyn FnMut(Sets) -> Flow) -> bool {
        let empty = ((1_u64 << self.squares) - 1) & !(own | other);
        squares_of(empty).any(|to| visit([other, own | 1 << to]).is_break())
    }

    fn each_move(&self, [own, other]: Sets, visit: &mut dyn FnMut(Sets) -> Flow) -> bool {
        squares_of(own).any(|from| {
            let to = self.neighbours[from as usize] & !(own | other);
            squares_of(to).any(|to| visit([other, own ^ 1 << from ^ 1 << to]).is_break())
        })
    }
}

fn flow(stopped: bool) -> Flow {
    if stopped { Flow::Break(()) } else { Flow::Continue(()) }
}

fn no_text(text: &str) -> TextError {
    TextError::impossible("position", text, "this measurement reads none")
}

impl<N: Numbering> Game for Teeko<N> {
    type Position = Sets;
    type Turn = Sets;
    const RULES_VERSION: u32 = 1;

    fn name(&self) -> String {
        "teeko".to_owned()
    }
    fn position_count(&self) -> u128 {
        u128::from(self.numbering.count())
    }
    fn start(&self) -> Sets {
        [0, 0]
    }
    fn result(&self, &[own, other]: &Sets) -> Option<Outcome> {
        match (self.wins(other), self.wins(own)) {
            (true, _) => Some(Outcome::Loss),
            // No turn leads here.
            (false, true) => Some(Outcome::Win),
            (false, false) => None,
        }
    }
    fn turns(&self, position: &Sets) -> Vec<(Sets, Sets)> {
        let mut all = Vec::new();
        let _ = self.each_successor(position, |next| {
            all.push((next, next));
            Flow::Continue(())
        });
        all
    }
    fn play(&self, _position: &Sets, turn: &Sets) -> Sets {
        *turn
    }
    fn each_successor(&self, position: &Sets, mut visit: impl FnMut(Sets) -> Flow) -> Flow {
        if self.result(position).is_some() {
            return Flow::Continue(());
        }
        let placed = position[0].count_ones() == self.pieces;
        flow(if placed {
            self.each_move(*position, &mut visit)
        } else {
            self.each_placement(*position, &mut visit)
        })
    }
    fn parse_position(&self, text: &str) -> Result<Sets, TextError> {
        Err(no_text(text))
    }
    fn position_text(&self, [own, other]: &Sets) -> String {
        format!("{own:x}/{other:x}")
    }
    fn parse_turn(&self, _position: &Sets, text: &str) -> Result<Sets, TextError> {
        Err(no_text(text))
    }
    fn turn_text(&self, _position: &Sets, turn: &Sets) -> String {
        self.position_text(turn)
    }
}

impl<N: Numbering> Dense for Teeko<N> {
    const INDEX_VERSION: u32 = 1;
    const UP_TO_SYMMETRY: bool = true;

    fn index_count(&self) -> u128 {
        u128::from(self.numbering.count())
    }
    fn index(&self, position: &Sets) -> Option<Index> {
        self.numbering.rank(*position).map(Index)
    }
    fn position(&self, index: Index) -> Option<Sets> {
        (index.0 < self.numbering.count()).then(|| self.numbering.unrank(index.0))?
    }
    fn representative(&self, position: &Sets) -> Sets {
        self.numbering.canonical(*position)
    }
    fn walk_down(&self, indices: Range<Index>, mut visit: impl FnMut(Index, Sets) -> Flow) -> Flow {
        let mut flow = Flow::Continue(());
        self.numbering.walk_down(numbers(indices), &mut |index, sets| {
            flow = visit(Index(index), sets);
            flow
        });
        flow
    }
}

impl<N: Numbering> Predecessors for Teeko<N> {
    fn each_predecessor(&self, &[own, other]: &Sets, mut visit: impl FnMut(Sets) -> Flow) -> Flow {
        let mut back = |[own, other]: Sets| match self.result(&[own, other]) {
            None => visit([own, other]),
            Some(_) => Flow::Continue(()),
        };
        let pieces = [own, other].map(u64::count_ones);
        if pieces == [self.pieces; 2] {
            // Moves go both ways, so this is the mover's turn with the sides exchanged.
            let moved = self.each_move([other, own], &mut |[other, own]| back([own, other]));
            flow(moved)?;
        }
        // After a placement, the player who placed has one piece more, or the same number.
        if pieces[0] <= pieces[1] && pieces[1] > 0 {
            for square in squares_of(other) {
                back([other ^ 1 << square, own])?;
            }
        }
        Flow::Continue(())
    }
}

impl<N: Numbering> Symmetries for Teeko<N> {
    fn symmetry_count(&self) -> usize {
        self.symmetries.len()
    }
    fn image(&self, symmetry: usize, position: &Sets) -> Sets {
        position.map(|set| self.symmetries[symmetry].image(set))
    }
}

fn solve<N: Numbering>(game: &Teeko<N>, by_symmetries: bool) -> Result<(), Box<dyn Error>> {
    let mut checkpoint = NoCheckpoint;
    let mut job =
        Job { threads: 1, memory: 3 << 30, horizon: None, progress: &Silent, checkpoint: &mut checkpoint };
    let solver = Retrograde::new(game).predecessors();
    let start = Instant::now();
    let scores = if by_symmetries { solver.symmetries().solve(&mut job) } else { solver.solve(&mut job) }?;
    println!("{} indices in {:.2?}", scores.len(), start.elapsed());
    // A game of Teeko takes fewer turns than one byte can express.
    let Scores::Narrow(codes) = &scores else { return Err("a game takes more than 125 turns".into()) };
    let mut counts = [0_u64; 256];
    codes.iter().for_each(|&code| counts[usize::from(code)] += 1);
    for (code, count) in (0..=u8::MAX).zip(counts).filter(|(_, count)| *count > 0) {
        println!("{count:12} {:?}", code.stored());
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let kind = words.next().unwrap_or_else(|| "kit".to_owned());
    let mut number = |default: u8| words.next().map_or(Ok(default), |word| word.parse());
    let (columns, rows, pieces) = (number(4)?, number(4)?, number(4)?);
    let squares = u32::from(columns) * u32::from(rows);
    if squares >= 64 || 2 * u32::from(pieces) > squares {
        return Err("up to 63 squares, with room for all pieces".into());
    }
    let group = SymmetryGroup::generated_by(squares, &generators(columns, rows))?;
    // If Red is to move, both have the same number of pieces; otherwise Blue has one fewer.
    let pieces = u32::from(pieces);
    let counts: Vec<[u32; 2]> =
        (0..2 * pieces).map(|placed| [placed / 2, placed.div_ceil(2)]).chain([[pieces; 2]]).collect();
    macro_rules! teeko {
        ($numbering:expr) => {
            Teeko {
                squares,
                pieces,
                neighbours: neighbours(columns.into(), rows.into()),
                goals: goals(columns.into(), rows.into()),
                symmetries: group.symmetries().to_vec(),
                numbering: $numbering,
            }
        };
    }
    match &kind[..] {
        "hand" => solve(&teeko!(ByHand::new(squares, &counts)), true),
        "kit" => solve(&teeko!(Arrangements::of_counts(squares, &counts)?), true),
        "reduced" => solve(&teeko!(ReducedArrangements::of_counts(group.clone(), &counts)?), false),
        other => Err(format!("{other}: hand, kit or reduced").into()),
    }
}

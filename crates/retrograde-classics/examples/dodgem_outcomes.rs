//! Solves Dodgem on boards that are too large for a table: `cargo run --release -p retrograde-classics --example
//! dodgem_outcomes -- 6`. It finds and counts all outcomes, but not the turns to the end, and writes no table.
//!
//! The *distance* of a player is the number of steps ahead until the last car has left the board. No turn
//! increases it. A *stage* has all positions with given distances of the player to move and of the other. Turns
//! sideways lead from stage (a, b) to stage (b, a), and steps ahead to stage (b, a − 1), so the two stages with
//! distances a and b are solved together, after those with a smaller one.
//!
//! The outcomes of a stage are bits: a row for each set of cars of one player, with a bit for each set of the
//! other. A turn changes only the row, so an instruction handles 512 positions, and between the turns of the two
//! players the bits are transposed. A stage is finished when nothing changes any more.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use rayon::prelude::*;
use retrograde_classics::Dodgem;
use retrograde_game::Direction::{Left, Right, Up};
use retrograde_game::{Flow, Game, Grid, Outcome, Random, Square, Squares, Symmetry};

/// The columns that are handled together: a panel of them fits into the cache.
const PANEL: usize = 512;
/// A row of a panel, a bit per column.
type Bits = [u64; PANEL / 64];

/// The outcomes of a row of a panel for the side to move; neither bit is set if the position is a draw.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Outcomes {
    won: Bits,
    lost: Bits,
}

/// A turn of a player.
#[derive(Clone, Copy)]
struct Move {
    /// The square that must be empty; [`Cars::OFF`] if the car leaves the board.
    to: u8,
    /// Whether it is a step ahead, to the next smaller distance.
    ahead: bool,
    /// The number of the set of cars after it, among those of its distance.
    set: u32,
}

/// All sets of cars of a player who goes up, by distance.
struct Cars {
    grid: Grid,
    /// The square of each square seen by the other player.
    reflection: Vec<u8>,
    /// By distance, in ascending order.
    sets: Vec<Vec<Squares>>,
    /// By distance: the turns of all sets, and the place where the turns of each set begin.
    moves: Vec<(Vec<Move>, Vec<u32>)>,
}

impl Cars {
    const OFF: u8 = 64;

    fn new(rows: u32) -> Cars {
        let grid = Grid::new(rows, rows).expect("a board of 2 to 8 rows");
        let mut sets = vec![Vec::new(); (rows * (rows - 1)) as usize + 1];
        let distance = |set: Squares| {
            set.into_iter().map(|square| usize::from(grid.place(square).row) + 1).sum::<usize>()
        };
        let mut add = |set: Squares| sets[distance(set)].push(set);
        each_subset(Squares::EMPTY, 0, rows * rows, rows - 1, &mut add);
        sets.iter_mut().for_each(|sets| sets.sort_unstable());
        let mut cars =
            Cars { grid, reflection: grid.permutation(Symmetry::Diagonal), sets, moves: Vec::new() };
        cars.moves = (0..cars.sets.len()).map(|distance| cars.moves_of(distance)).collect();
        cars
    }

    fn moves_of(&self, distance: usize) -> (Vec<Move>, Vec<u32>) {
        let (mut moves, mut begins) = (Vec::new(), vec![0]);
        for &set in &self.sets[distance] {
            for from in set {
                let rest = set.without(from);
                let mut push = |to: Option<Square>, ahead| {
                    let set = self.number(distance - usize::from(ahead), to.map_or(rest, |to| rest.with(to)));
                    moves.push(Move { to: to.map_or(Cars::OFF, |to| to.0), ahead, set });
                };
                for to in self.grid.neighbours(from.set(), &[Left, Right]) & !set {
                    push(Some(to), false);
                }
                for to in self.grid.neighbours(from.set(), &[Up]) & !set {
                    push(Some(to), true);
                }
                if self.grid.top().contains(from) {
                    push(None, true);
                }
            }
            begins.push(moves.len() as u32);
        }
        (moves, begins)
    }

    /// The number of a set among those of its distance.
    fn number(&self, distance: usize, set: Squares) -> u32 {
        self.sets[distance].binary_search(&set).expect("a set of cars") as u32
    }

    /// The cars of the other player, from the view of this one.
    fn reflected(&self, set: Squares) -> Squares {
        set.into_iter()
            .fold(Squares::EMPTY, |image, square| image.with(Square(self.reflection[square.index()])))
    }

    /// For each square, and for [`Cars::OFF`], the columns of a panel whose cars stand on it.
    fn occupied(&self, distance: usize, panel: usize) -> Vec<Bits> {
        let mut occupied = vec![Bits::default(); usize::from(Cars::OFF) + 1];
        for (column, &set) in self.sets[distance].iter().skip(panel * PANEL).take(PANEL).enumerate() {
            for square in self.reflected(set) {
                occupied[square.index()][column / 64] |= 1 << (column % 64);
            }
        }
        occupied
    }
}

/// Visits all sets of up to `most` more squares from `first` on, in addition to `set`.
fn each_subset(set: Squares, first: u32, end: u32, most: u32, visit: &mut impl FnMut(Squares)) {
    visit(set);
    if most > 0 {
        for square in first..end {
            each_subset(set.with(Square(square as u8)), square + 1, end, most - 1, visit);
        }
    }
}

/// The outcomes of a stage for one of the players.
struct Matrix {
    /// The number of rows, a multiple of 64.
    rows: usize,
    /// Panel by panel, and row by row in a panel.
    panels: Vec<Vec<Outcomes>>,
}

impl Matrix {
    fn filled(rows: usize, columns: usize, outcomes: Outcomes) -> Matrix {
        let rows = rows.next_multiple_of(64);
        Matrix { rows, panels: vec![vec![outcomes; rows]; columns.div_ceil(PANEL)] }
    }

    fn outcome(&self, row: usize, column: usize) -> Outcome {
        let outcomes = &self.panels[column / PANEL][row];
        let is_in = |bits: &Bits| bits[column % PANEL / 64] >> (column % 64) & 1 == 1;
        match (is_in(&outcomes.won), is_in(&outcomes.lost)) {
            (true, _) => Outcome::Win,
            (_, true) => Outcome::Loss,
            _ => Outcome::Draw,
        }
    }

    /// 64 rows of a panel, from `row` on, and 64 of their columns.
    fn block(&self, panel: usize, row: usize, word: usize, bits: fn(&Outcomes) -> &Bits) -> [u64; 64] {
        let rows = &self.panels[panel][row..row + 64];
        std::array::from_fn(|at| bits(&rows[at])[word])
    }
}

/// Swaps rows and columns of a block of bits.
fn transpose(block: &mut [u64; 64]) {
    let (mut width, mut mask) = (32, u64::MAX >> 32);
    while width > 0 {
        let mut row = 0;
        while row < 64 {
            let swap = (block[row] >> width ^ block[row + width]) & mask;
            block[row] ^= swap << width;
            block[row + width] ^= swap;
            row = (row + width + 1) & !width;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

/// Half of a pair of stages: a player with a given distance is to move.
struct Half<'a> {
    cars: &'a Cars,
    /// The distances of the player to move, who has the rows, and of the other.
    distances: [usize; 2],
    /// After a step ahead: outcomes for the other player, by cars as here.
    ahead: &'a Matrix,
    /// The outcomes for the player to move.
    now: Matrix,
    /// The same before the last pass.
    before: Matrix,
}

impl<'a> Half<'a> {
    fn new(cars: &'a Cars, distances: [usize; 2], ahead: &'a Matrix) -> Half<'a> {
        let [rows, columns] = distances.map(|distance| cars.sets[distance].len());
        let empty = || Matrix::filled(rows, columns, Outcomes::default());
        Half { cars, distances, ahead, now: empty(), before: empty() }
    }

    /// Finds the outcomes for the player to move, in the panels that have changed. `sideways` has the
    /// outcomes for the other player after a turn sideways.
    fn look(&mut self, sideways: &Matrix, changed: &[bool]) {
        let [rows, columns] = self.distances;
        let (moves, begins) = &self.cars.moves[rows];
        let (cars, ahead) = (self.cars, self.ahead);
        self.now.panels.par_iter_mut().enumerate().filter(|(panel, _)| changed[*panel]).for_each(
            |(panel, now)| {
                let occupied = cars.occupied(columns, panel);
                let (sideways, ahead) = (&sideways.panels[panel], &ahead.panels[panel]);
                for (now, ends) in now.iter_mut().zip(begins.windows(2)) {
                    *now =
                        after_turns(&moves[ends[0] as usize..ends[1] as usize], sideways, ahead, &occupied);
                }
            },
        );
    }

    /// Transposes what has changed in the panels that were looked at into `to`: the outcomes after a turn of
    /// the other player. Returns which panels of `to` have changed.
    fn pass_on(&mut self, looked: &[bool], to: &mut Matrix) -> Vec<bool> {
        let changed: Vec<AtomicBool> = to.panels.iter().map(|_| AtomicBool::new(false)).collect();
        let (now, before) = (&self.now, &self.before);
        to.panels.par_iter_mut().enumerate().for_each(|(target, to)| {
            let rows = target * PANEL..((target + 1) * PANEL).min(now.rows);
            for panel in (0..now.panels.len()).filter(|&panel| looked[panel]) {
                for row in rows.clone().step_by(64) {
                    if now.panels[panel][row..row + 64] == before.panels[panel][row..row + 64] {
                        continue;
                    }
                    changed[target].store(true, Relaxed);
                    for word in 0..(to.len() - panel * PANEL).min(PANEL) / 64 {
                        let mut won = now.block(panel, row, word, |outcomes| &outcomes.won);
                        let mut lost = now.block(panel, row, word, |outcomes| &outcomes.lost);
                        transpose(&mut won);
                        transpose(&mut lost);
                        let first = panel * PANEL + word * 64;
                        for (at, to) in to[first..first + 64].iter_mut().enumerate() {
                            to.won[row % PANEL / 64] = won[at];
                            to.lost[row % PANEL / 64] = lost[at];
                        }
                    }
                }
            }
        });
        let pairs = self.before.panels.par_iter_mut().zip(&self.now.panels).enumerate();
        pairs.filter(|(panel, _)| looked[*panel]).for_each(|(_, (before, now))| before.copy_from_slice(now));
        changed.into_iter().map(AtomicBool::into_inner).collect()
    }

    /// The numbers of won, lost and drawn positions.
    fn count(&self) -> [u64; 3] {
        let counts = [(); 3].map(|()| AtomicU64::new(0));
        let [rows, columns] = self.distances.map(|distance| &self.cars.sets[distance]);
        self.now.panels.par_iter().enumerate().for_each(|(panel, now)| {
            let occupied = self.cars.occupied(self.distances[1], panel);
            let there = columns.len() - panel * PANEL;
            let there: Bits = std::array::from_fn(|word| match there.saturating_sub(word * 64) {
                bits @ 0..64 => (1 << bits) - 1,
                _ => u64::MAX,
            });
            let mut sums = [0; 3];
            for (outcomes, &set) in now.iter().zip(rows) {
                for word in 0..there.len() {
                    let taken =
                        set.into_iter().fold(0, |taken, square| taken | occupied[square.index()][word]);
                    let valid = there[word] & !taken;
                    let [won, lost] = [outcomes.won, outcomes.lost].map(|bits| bits[word] & valid);
                    assert_eq!(won & lost, 0, "a position that is won and lost");
                    let drawn = valid & !(won | lost);
                    for (sum, bits) in sums.iter_mut().zip([won, lost, drawn]) {
                        *sum += u64::from(bits.count_ones());
                    }
                }
            }
            counts.iter().zip(sums).for_each(|(count, sum)| _ = count.fetch_add(sum, Relaxed));
        });
        counts.map(AtomicU64::into_inner)
    }

    /// Compares the outcomes of some positions with the outcomes that follow from their turns by the rules.
    /// `sideways` has the outcomes after a turn of the player to move.
    fn check(&self, game: &Dodgem, sideways: &Matrix, positions: usize, random: &mut Random) {
        let [rows, columns] = self.distances.map(|distance| &self.cars.sets[distance]);
        for _ in 0..positions {
            let [row, column] = [rows, columns].map(|sets| random.below(sets.len() as u64) as usize);
            let position = [rows[row], self.cars.reflected(columns[column])];
            if position[0].intersects(position[1]) {
                continue;
            }
            let mut best = None;
            _ = game.each_turn(&position, |_, [other, own]| {
                // After the turn the board is seen by the other player.
                debug_assert_eq!(other, columns[column]);
                let own = self.cars.reflected(own);
                let child = match self.cars.sets[self.distances[0]].binary_search(&own) {
                    Ok(row) => sideways.outcome(row, column),
                    Err(_) => {
                        self.ahead.outcome(self.cars.number(self.distances[0] - 1, own) as usize, column)
                    }
                };
                best = best.max(Some(2 - rank(child)));
                Flow::Continue(())
            });
            let expected = best.unwrap_or(rank(game.outcome_without_turns()));
            assert_eq!(rank(self.now.outcome(row, column)), expected, "{}", game.position_text(&position));
        }
    }
}

/// Higher is better for the side to move.
fn rank(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Loss => 0,
        Outcome::Draw => 1,
        Outcome::Win => 2,
    }
}

/// The outcomes for the player to move of the positions of a row.
fn after_turns(moves: &[Move], sideways: &[Outcomes], ahead: &[Outcomes], occupied: &[Bits]) -> Outcomes {
    let mut won = Bits::default();
    let (mut refuted, mut blocked) = ([u64::MAX; PANEL / 64], [u64::MAX; PANEL / 64]);
    for turn in moves {
        let taken = &occupied[usize::from(turn.to)];
        let next = if turn.ahead { &ahead[turn.set as usize] } else { &sideways[turn.set as usize] };
        for word in 0..won.len() {
            won[word] |= next.lost[word] & !taken[word];
            refuted[word] &= next.won[word] | taken[word];
            blocked[word] &= taken[word];
        }
    }
    // A player without a turn has won.
    let lost = std::array::from_fn(|word| refuted[word] & !blocked[word]);
    Outcomes { won: std::array::from_fn(|word| won[word] | blocked[word]), lost }
}

/// The result of a solve.
struct Solved {
    /// The numbers of won, lost and drawn positions, with the finished ones, as in a table.
    counts: [u64; 3],
    /// The outcome of the start for the player to move.
    start: Outcome,
}

/// Solves the game on a board, and checks up to this many positions of each stage. Calls `report` with each pair of
/// stages, and with the counts so far.
fn solve(rows: u32, checks: usize, mut report: impl FnMut(&[&Half<'_>], [u64; 3])) -> Solved {
    let game = Dodgem::new(rows).expect("a board of 2 to 8 rows");
    let cars = Cars::new(rows);
    let most = cars.sets.len() - 1;
    let size = |distance: usize| cars.sets[distance].len();
    // If all cars of a player have left, the other one has lost.
    let left =
        |columns| Matrix::filled(1, columns, Outcomes { won: Bits::default(), lost: [u64::MAX; PANEL / 64] });
    // In finished positions one player has no cars left: that is a win or a loss.
    let finished = (1..=most).map(|distance| size(distance) as u64).sum();
    let (mut counts, mut start, mut random) = ([finished, finished, 0], Outcome::Draw, Random::new(1));
    // By distance of the other player: outcomes for it, after a turn of the player with the larger distance, in
    // the previous round.
    let mut previous: Vec<Matrix> = Vec::new();
    for large in 1..=most {
        let mut current = Vec::new();
        // Outcomes for the player with the larger distance, after a turn of the other one to one less.
        let mut below = left(size(large));
        for small in 1..=large {
            // The outcomes after a turn of the player with the larger distance, and of the other.
            let mut after_large = Matrix::filled(size(large), size(small), Outcomes::default());
            let ahead = if small == large { &below } else { &previous[small - 1] };
            let mut one = Half::new(&cars, [large, small], ahead);
            let mut changed = vec![true; after_large.panels.len()];
            if small == large {
                while changed.contains(&true) {
                    one.look(&after_large, &changed);
                    changed = one.pass_on(&changed, &mut after_large);
                }
                one.check(&game, &after_large, checks, &mut random);
                if large == most {
                    start = start_of(&game, &one);
                }
                add(&mut counts, one.count());
                report(&[&one], counts);
            } else {
                let mut after_small = Matrix::filled(size(small), size(large), Outcomes::default());
                let mut other = Half::new(&cars, [small, large], &below);
                // The first pass must look at all panels of both.
                let mut other_changed = vec![true; after_small.panels.len()];
                while changed.contains(&true) {
                    one.look(&after_large, &changed);
                    let passed = one.pass_on(&changed, &mut after_small);
                    other_changed.iter_mut().zip(passed).for_each(|(changed, passed)| *changed |= passed);
                    other.look(&after_small, &other_changed);
                    changed = other.pass_on(&other_changed, &mut after_large);
                    other_changed.fill(false);
                }
                one.check(&game, &after_large, checks, &mut random);
                other.check(&game, &after_small, checks, &mut random);
                add(&mut counts, one.count());
                add(&mut counts, other.count());
                report(&[&one, &other], counts);
                below = after_small;
            }
            current.push(after_large);
        }
        previous = current;
    }
    Solved { counts, start }
}

fn add(counts: &mut [u64; 3], more: [u64; 3]) {
    counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
}

/// The outcome of the start, which is in the last stage.
fn start_of(game: &Dodgem, last: &Half<'_>) -> Outcome {
    let [own, other] = game.start();
    let [row, column] = [own, last.cars.reflected(other)].map(|set| last.cars.number(last.distances[0], set));
    last.now.outcome(row as usize, column as usize)
}

fn main() {
    let rows = std::env::args().nth(1).map(|text| text.parse());
    let Some(Ok(rows @ 2..=6)) = rows else {
        eprintln!("error: the argument must be a number of rows from 2 to 6");
        std::process::exit(2);
    };
    let began = Instant::now();
    let solved = solve(rows, 1000, |halves, counts| {
        let [large, small] = halves[0].distances;
        if large == small {
            let positions: u64 = counts.iter().sum();
            eprintln!(
                "after {:.0} s: distances up to {large}, {positions} positions",
                began.elapsed().as_secs_f64()
            );
        }
    });
    let [won, lost, drawn] = solved.counts;
    println!("dodgem:{rows}x{rows}: {} for the side to move at the start", solved.start.word());
    println!("{} positions: {won} won, {lost} lost, {drawn} drawn for the side to move", won + lost + drawn);
}

#[cfg(test)]
mod tests {
    use retrograde_game::{Dense, Index, Stored};
    use retrograde_solve::retrograde::Retrograde;
    use retrograde_solve::{Job, NoCheckpoint, Silent};

    use super::*;

    /// Every position of small boards has the outcome that the solver for any game finds.
    #[test]
    fn outcomes_are_those_of_the_general_solver() {
        for rows in 2..=4 {
            let game = Dodgem::new(rows).unwrap();
            let mut unkept = NoCheckpoint;
            let mut job = Job {
                threads: 2,
                memory: 1 << 28,
                horizon: None,
                progress: &Silent,
                checkpoint: &mut unkept,
            };
            let scores = Retrograde::new(&game).predecessors().solve(&mut job).unwrap();
            let mut seen = 0_u64;
            let solved = solve(rows, 100, |halves, _| {
                for half in halves {
                    let [own, other] = half.distances.map(|distance| &half.cars.sets[distance]);
                    for (row, &own) in own.iter().enumerate() {
                        for (column, &other) in other.iter().enumerate() {
                            let other = half.cars.reflected(other);
                            if own.intersects(other) {
                                continue;
                            }
                            let Stored::Known(expected) = scores.stored(game.index(&[own, other]).unwrap())
                            else {
                                panic!("unknown");
                            };
                            seen += 1;
                            assert_eq!(Some(half.now.outcome(row, column)), expected.outcome());
                        }
                    }
                }
            });
            let numbered = 0..game.index_count() as u64;
            let finished =
                |index| game.position(Index(index)).is_some_and(|cars| game.result(&cars).is_some());
            assert_eq!(seen + numbered.clone().filter(|&index| finished(index)).count() as u64, numbered.end);
            assert_eq!(solved.counts.iter().sum::<u64>(), numbered.end);
            let start = scores.stored(game.index(&game.start()).unwrap());
            assert!(matches!(start, Stored::Known(known) if known.outcome() == Some(solved.start)));
        }
    }
}

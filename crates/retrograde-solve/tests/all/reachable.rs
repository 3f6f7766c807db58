//! The solvers of reachable positions, compared with the sweep and a simple walk.

use std::collections::{BTreeMap, HashSet};

use retrograde_game::{
    Dense, Flow, Game, Graded, Index, Knowledge, Outcome, Predecessors, Score, Stored, TextError, Value,
    conformance,
};
use retrograde_solve::reachable::{
    ByIndex, ByPack, Coding, Orbits, Reachable, ReachableScores, hashed, solve, solve_repeating_numbered,
};
use retrograde_solve::retrograde::Capabilities;
use retrograde_solve::testing::{StopsAfter, all_stored, job};
use retrograde_solve::{NoCheckpoint, Silent, SolveError, sweep};
use retrograde_testkit::{Graph, some_of};
use retrograde_touchdown::TouchDown;

/// The unfinished positions reachable from a start, with the values of the sweep.
fn expected<G: Dense>(game: &G, start: &G::Position, swept: &[Stored]) -> BTreeMap<u64, Value> {
    let mut seen = HashSet::from([start.clone()]);
    let mut stack = vec![start.clone()];
    let mut values = BTreeMap::new();
    while let Some(position) = stack.pop() {
        if game.result(&position).is_some() {
            continue;
        }
        let index = game.index(&position).unwrap();
        let Stored::Known(Knowledge::Exact(value)) = swept[index.0 as usize] else { panic!("{position:?}") };
        values.insert(index.0, value);
        let _ = game.each_successor(&position, |next| {
            if seen.insert(next.clone()) {
                stack.push(next);
            }
            Flow::Continue(())
        });
    }
    values
}

fn swept<G: Dense>(game: &G) -> Vec<Stored> {
    all_stored(&sweep::solve(game, &mut job(1, &Silent, &mut NoCheckpoint)).unwrap())
}

/// The solver with a coding finds exactly the expected values.
fn agrees<G: Dense + Graded, C: Coding<G>>(
    game: &G,
    start: &G::Position,
    coding: C,
    expected: &BTreeMap<u64, Value>,
) {
    let mut nothing = NoCheckpoint;
    let means = job(1 + expected.len() % 3, &Silent, &mut nothing);
    says(&solve(&Reachable::graded(game, coding, start), &means).unwrap(), expected);
}

/// The same for the solver of games that can repeat, which is only for players who alternate.
fn repeating_agrees<G: Predecessors, C: Coding<G>>(
    game: &G,
    start: &G::Position,
    coding: C,
    expected: &BTreeMap<u64, Value>,
) {
    match solve(&Reachable::repeating(game, coding, start), &job(2, &Silent, &mut NoCheckpoint)) {
        Err(SolveError::NotAlternating(_)) => assert!(game.seat(start).is_some()),
        solved => says(&solved.unwrap(), expected),
    }
}

/// The same for the solver that may keep the game's own numbering. Returns whether it does.
fn numbered_agrees<G: Predecessors>(
    game: &G,
    start: &G::Position,
    able: Capabilities<G>,
    expected: &BTreeMap<u64, Value>,
) -> bool {
    let threads = 1 + expected.len() % 3;
    let solved = solve_repeating_numbered(game, start, able, &mut job(threads, &Silent, &mut NoCheckpoint));
    let scores = solved.unwrap();
    says(&scores, expected);
    matches!(scores, ReachableScores::Marked(_))
}

/// The values are exactly the expected ones, through all accessors.
fn says(found: &ReachableScores, expected: &BTreeMap<u64, Value>) {
    let pairs: Vec<(u64, u16)> = found.iter().unwrap().map(Result::unwrap).collect();
    let values: BTreeMap<u64, Value> =
        pairs.iter().map(|&(index, score)| (index, score.value().unwrap())).collect();
    assert_eq!((&values, pairs.is_sorted(), pairs.len()), (expected, true, expected.len()));
    let mut counts = BTreeMap::new();
    pairs.iter().for_each(|&(_, score)| *counts.entry(score).or_insert(0) += 1);
    assert_eq!(found.counts(), counts);
    for index in 0..expected.keys().last().map_or(0, |last| last + 2) {
        assert_eq!(found.score(index).unwrap().and_then(Score::value), expected.get(&index).copied());
    }
}

#[test]
fn reachable_positions_have_the_same_values() {
    let mut marked = [0; 2];
    for seed in some_of(3, 0..400) {
        let forward = seed % 2 == 0;
        let mirrored = seed % 4 < 2;
        let game = Graph::random(seed, forward, mirrored).some_seated(seed);
        let swept = swept(&game);
        let starts: Vec<usize> = (0..game.next.len()).filter(|&at| game.exists[at]).collect();
        for &start in starts.iter().rev().step_by(7) {
            let expected = expected(&game, &start, &swept);
            let any = hashed::solve(&game, &start, &mut job(1, &Silent, &mut NoCheckpoint)).unwrap();
            let visited: BTreeMap<u64, Value> =
                any.iter().map(|(&position, value)| (position as u64, value)).collect();
            assert_eq!((&visited, any.len()), (&expected, expected.len() as u64), "seed {seed}");
            repeating_agrees(&game, &start, ByIndex, &expected);
            repeating_agrees(&game, &start, ByPack, &expected);
            let able = if mirrored { Capabilities::default().symmetries() } else { Capabilities::default() };
            marked[usize::from(numbered_agrees(&game, &start, able, &expected))] += 1;
            if !forward {
                continue;
            }
            agrees(&game, &start, ByIndex, &expected);
            agrees(&game, &start, ByPack, &expected);
        }
    }
    assert!(marked.iter().all(|&times| times > 20), "{marked:?}");
}

/// With symmetries, all images of reachable positions occur: on boards whose start is its own image, and on
/// graphs from any start.
#[test]
fn with_symmetries_the_images_have_the_same_values_too() {
    for seed in some_of(3, 0..200) {
        let game = Graph::random(seed, true, true).some_seated(seed);
        conformance::check_packed(&game, &conformance::numbered(&game, 1000, seed));
        let main: Vec<usize> = (0..game.next.len() - game.prelude).filter(|&at| game.exists[at]).collect();
        conformance::check_graded_images(&game, &main);
        let swept = swept(&game);
        for &start in main.iter().rev().step_by(5) {
            let mut both = expected(&game, &start, &swept);
            both.extend(expected(&game, &retrograde_game::Symmetries::image(&game, 1, &start), &swept));
            agrees(&game, &start, Orbits(ByIndex), &both);
            agrees(&game, &start, Orbits(ByPack), &both);
            repeating_agrees(&game, &start, Orbits(ByIndex), &both);
        }
        let game = Graph::random(seed, false, true).some_seated(seed);
        let swept = self::swept(&game);
        for start in (0..game.next.len() - game.prelude).filter(|&at| game.exists[at]).step_by(5) {
            let mut both = expected(&game, &start, &swept);
            both.extend(expected(&game, &retrograde_game::Symmetries::image(&game, 1, &start), &swept));
            repeating_agrees(&game, &start, Orbits(ByIndex), &both);
            repeating_agrees(&game, &start, Orbits(ByPack), &both);
        }
    }
}

/// Positions before the game can have keys in any order, and come last.
#[test]
fn positions_before_the_game_follow_their_successors() {
    for seed in 0..60 {
        let mut game = Graph::random(seed, false, false);
        let main = game.next.len();
        // A ladder of positions before the game, each of which leads to all lower ones and into the game.
        game.prelude = 12;
        game.next.truncate(main);
        for number in 0..game.prelude {
            let into = (0..main).filter(|&to| game.exists[to] && to % 3 == number % 3);
            game.next.push(into.chain(main..main + number).collect());
        }
        game.exists.resize(game.next.len(), true);
        game.over.resize(game.next.len(), None);
        let start = game.next.len() - 1;
        let expected = expected(&game, &start, &swept(&game));
        repeating_agrees(&game, &start, ByIndex, &expected);
        repeating_agrees(&game, &start, ByPack, &expected);
        numbered_agrees(&game, &start, Capabilities::default(), &expected);
    }
    // In a circle, and from the game back to before it.
    let mut circle = Graph::chain(5);
    circle.prelude = 2;
    circle.next[4].push(5);
    let mut back = Graph::chain(5);
    back.prelude = 1;
    back.next[3].push(5);
    for (broken, words) in [(circle, "in a circle"), (back, "3 leads back to 5")] {
        let game = Reachable::repeating(&broken, ByPack, &5);
        match solve(&game, &job(2, &Silent, &mut NoCheckpoint)).err() {
            Some(SolveError::BrokenPromise(reason)) => assert!(reason.contains(words), "{reason}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn small_boards_agree_with_the_sweep() {
    for (columns, rows) in [(1, 2), (1, 6), (2, 3), (2, 5), (3, 3), (3, 4), (4, 3), (3, 5), (5, 2)] {
        let game = TouchDown::new(columns, rows).unwrap();
        let swept = swept(&game);
        let expected = expected(&game, &game.start(), &swept);
        agrees(&game, &game.start(), ByIndex, &expected);
        agrees(&game, &game.start(), ByPack, &expected);
        agrees(&game, &game.start(), Orbits(ByIndex), &expected);
        agrees(&game, &game.start(), Orbits(ByPack), &expected);
    }
}

/// A game of `numbers` numbers and `classes` classes for each, with turns from any number to others of its
/// class.
struct Rings {
    numbers: u64,
    classes: u64,
}

impl Rings {
    /// A turn multiplies by one of these.
    const FACTORS: [u64; 3] = [2, 3, 10];

    fn times(&self, index: u64, factor: u64) -> u64 {
        let (number, class) = (index / self.classes, index % self.classes);
        ((number * factor + class) % self.numbers) * self.classes + class
    }
}

impl Game for Rings {
    type Position = u64;
    type Turn = u64;
    const RULES_VERSION: u32 = 1;
    fn name(&self) -> String {
        "rings".to_owned()
    }
    fn position_count(&self) -> u128 {
        u128::from(self.numbers * self.classes)
    }
    fn start(&self) -> u64 {
        self.classes
    }
    fn result(&self, &index: &u64) -> Option<Outcome> {
        (index / self.classes % 19 == 7).then_some(Outcome::Loss)
    }
    fn outcome_without_turns(&self) -> Outcome {
        Outcome::Loss
    }
    fn turns(&self, &index: &u64) -> Vec<(u64, u64)> {
        Rings::FACTORS.map(|factor| self.times(index, factor)).map(|to| (to, to)).to_vec()
    }
    fn parse_position(&self, text: &str) -> Result<u64, TextError> {
        text.parse().map_err(|_| TextError::impossible("position", text, "no number"))
    }
    fn position_text(&self, index: &u64) -> String {
        index.to_string()
    }
    fn turn_text(&self, _: &u64, turn: &u64) -> String {
        turn.to_string()
    }
}

impl Dense for Rings {
    const INDEX_VERSION: u32 = 1;
    fn index_count(&self) -> u128 {
        self.position_count()
    }
    fn index(&self, &index: &u64) -> Option<Index> {
        Some(Index(index))
    }
    fn position(&self, Index(index): Index) -> Option<u64> {
        Some(index)
    }
}

impl Predecessors for Rings {
    fn each_predecessor(&self, &index: &u64, mut visit: impl FnMut(u64) -> Flow) -> Flow {
        let (number, class) = (index / self.classes, index % self.classes);
        Rings::FACTORS.into_iter().try_for_each(|factor| {
            // One of these is a multiple of the factor, which has no divisor with a prime in common.
            let before = (0..factor).map(|times| number + self.numbers - class + times * self.numbers);
            let before = before.filter(|product| product % factor == 0).map(|product| product / factor);
            before.map(|number| number % self.numbers * self.classes + class).try_for_each(|before| {
                if self.result(&before).is_some() { Flow::Continue(()) } else { visit(before) }
            })
        })
    }
}

/// First a number that starts with keys and continues with marks, which stay or become keys again; then one
/// so small that marks are not used.
#[test]
fn dense_key_sets_become_bitmaps() {
    for (numbers, classes, stay) in [(300_007, 1, true), (30_011, 12, false), (4_517, 80, false)] {
        let game = Rings { numbers, classes };
        let by_keys = Reachable::repeating(&game, ByIndex, &game.start());
        let found = solve(&by_keys, &job(2, &Silent, &mut NoCheckpoint)).unwrap();
        let found = found.iter().unwrap().map(Result::unwrap);
        let expected: BTreeMap<u64, Value> =
            found.map(|(index, score)| (index, score.value().unwrap())).collect();
        assert!(expected.len() as u64 > numbers * 4 / 5);
        assert_eq!(numbered_agrees(&game, &game.start(), Capabilities::default(), &expected), stay);
    }
}

/// Too large for the sweep, so that positions need several tasks.
#[test]
fn a_larger_board_agrees_with_hash_tables() {
    let game = TouchDown::new(4, 5).unwrap();
    let hashed = hashed::solve(&game, &game.start(), &mut job(2, &Silent, &mut NoCheckpoint)).unwrap();
    let coding = Orbits(ByPack);
    let mut nothing = NoCheckpoint;
    let means = job(2, &Silent, &mut nothing);
    let found = solve(&Reachable::graded(&game, coding, &game.start()), &means).unwrap();
    assert_eq!(found.counts().values().sum::<u64>(), hashed.len());
    let mut codes = HashSet::new();
    for (position, value) in hashed.iter() {
        codes.insert(coding.code(&game, position));
        let score = found.score(game.index(position).unwrap().0).unwrap();
        assert_eq!(score.and_then(Score::value), Some(value));
    }
    assert!((codes.len() as u64) < hashed.len() * 51 / 100);
}

#[test]
fn long_reachable_games_have_two_byte_scores() {
    let game = Graph::chain(400);
    let expected = expected(&game, &400, &swept(&game));
    agrees(&game, &400, ByIndex, &expected);
    repeating_agrees(&game, &400, ByPack, &expected);
}

#[test]
fn too_little_memory_stops_and_broken_promises_are_errors() {
    let game = Graph::chain(400);
    let mut no_checkpoint = NoCheckpoint;
    let mut little = job(1, &Silent, &mut no_checkpoint);
    little.memory = 1000;
    assert!(matches!(hashed::solve(&game, &400, &mut little), Err(SolveError::Memory { .. })));
    for bytes in [99, 400] {
        little.memory = bytes;
        let solved = solve_repeating_numbered(&game, &400, Capabilities::default(), &mut little);
        assert!(matches!(solved, Err(SolveError::Memory { limit, .. }) if limit == bytes));
    }
    little.memory = 1000;
    let solved = solve(&Reachable::graded(&game, ByIndex, &400), &little);
    assert!(matches!(solved, Err(SolveError::Memory { .. })));
    for questions in [0, 1, 300, 500] {
        let stops = StopsAfter::new(questions);
        let by_index = Reachable::graded(&game, ByIndex, &400);
        let stopped = solve(&by_index, &job(1, &stops, &mut NoCheckpoint));
        assert!(matches!(stopped, Err(SolveError::Stopped)), "{questions}");
        let (stops, able) = (StopsAfter::new(questions.min(1)), Capabilities::default());
        let stopped = solve_repeating_numbered(&game, &400, able, &mut job(1, &stops, &mut NoCheckpoint));
        assert!(matches!(stopped, Err(SolveError::Stopped)), "{questions}");
    }
    // A turn to a greater number, and one to a number without a position.
    let mut upwards = Graph::chain(5);
    upwards.next[3].push(4);
    let mut holed = Graph::chain(5);
    holed.exists[2] = false;
    for (broken, words) in [(upwards, "3 leads to 4"), (holed, "no position")] {
        let by_index = Reachable::graded(&broken, ByIndex, &5);
        match solve(&by_index, &job(1, &Silent, &mut NoCheckpoint)).err() {
            Some(SolveError::BrokenPromise(reason)) => assert!(reason.contains(words), "{reason}"),
            other => panic!("{other:?}"),
        }
    }
}

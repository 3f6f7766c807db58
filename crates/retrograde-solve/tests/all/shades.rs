//! Compares shades found along predecessors with the definition, position by position.

use retrograde_game::{
    Dense, Flow, Game, Index, Knowledge, Outcome, Predecessors, Stored, TextError, Turns, Value,
};
use retrograde_solve::retrograde::Capabilities;
use retrograde_solve::shades::{self, Draws, Shade, Shades};
use retrograde_solve::testing::{StopsAfter, all_stored, job};
use retrograde_solve::{NoCheckpoint, Silent, SolveError, sweep};
use retrograde_testkit::Graph;

/// The drawn indices of a game.
fn drawn<G: Dense>(game: &G) -> Vec<bool> {
    let scores = sweep::solve(game, &mut job(1, &Silent, &mut NoCheckpoint)).unwrap();
    let draw = Stored::Known(Knowledge::Exact(Value::Draw));
    all_stored(&scores).into_iter().map(|stored| stored == draw).collect()
}

fn draws(drawn: &[bool]) -> Draws {
    let draws = Draws::new(drawn.len() as u64).unwrap();
    (0..).zip(drawn).filter(|(_, drawn)| **drawn).for_each(|(index, _)| draws.insert(Index(index)));
    draws
}

fn quick<G: Dense>(game: &G, able: Capabilities<G>, threads: usize, drawn: &[bool]) -> Shades {
    shades::solve(game, able, &draws(drawn), &job(threads, &Silent, &mut NoCheckpoint)).unwrap()
}

fn all_shades(shades: &Shades) -> Vec<Option<Shade>> {
    (0..shades.codes.len() as u64).map(|index| shades.shade(Index(index))).collect()
}

/// A random graph with many draws: every third finished position is not finished.
fn graph(seed: u64) -> Graph {
    let mut game = match seed % 4 {
        0 => Graph::staged(seed, seed.is_multiple_of(8)),
        _ => Graph::random(seed, seed % 7 == 1, seed % 2 == 1),
    };
    game.outcome_without_turns = [Outcome::Draw, Outcome::Loss][seed as usize % 2];
    game
}

/// A game whose images share an index: the positions of a mirrored graph, in which both positions of a pair
/// have the number of the one in the first half.
struct Reduced(Graph);

impl Reduced {
    fn half(&self) -> usize {
        (self.0.next.len() - self.0.prelude) / 2
    }

    fn first(&self, position: usize) -> usize {
        let image = position >= self.half() && position < 2 * self.half();
        if image { position - self.half() } else { position }
    }
}

impl Game for Reduced {
    type Position = usize;
    type Turn = usize;
    const RULES_VERSION: u32 = 1;
    fn name(&self) -> String {
        "reduced".to_owned()
    }
    fn position_count(&self) -> u128 {
        self.half() as u128
    }
    fn start(&self) -> usize {
        self.0.start()
    }
    fn result(&self, position: &usize) -> Option<Outcome> {
        self.0.result(position)
    }
    fn outcome_without_turns(&self) -> Outcome {
        self.0.outcome_without_turns
    }
    fn turns(&self, position: &usize) -> Vec<(usize, usize)> {
        self.0.turns(position)
    }
    fn play(&self, position: &usize, turn: &usize) -> usize {
        self.0.play(position, turn)
    }
    fn turn_is_counted(&self, position: &usize) -> bool {
        self.0.turn_is_counted(position)
    }
    fn parse_position(&self, text: &str) -> Result<usize, TextError> {
        self.0.parse_position(text)
    }
    fn position_text(&self, position: &usize) -> String {
        position.to_string()
    }
    fn parse_turn(&self, position: &usize, text: &str) -> Result<usize, TextError> {
        self.0.parse_turn(position, text)
    }
    fn turn_text(&self, _position: &usize, turn: &usize) -> String {
        turn.to_string()
    }
}

impl Dense for Reduced {
    const INDEX_VERSION: u32 = 1;
    const UP_TO_SYMMETRY: bool = true;
    fn index_count(&self) -> u128 {
        self.0.index_count()
    }
    fn index(&self, position: &usize) -> Option<Index> {
        Some(Index(self.first(*position) as u64))
    }
    fn position(&self, index: Index) -> Option<usize> {
        self.0.position(index).filter(|&position| self.first(position) == position)
    }
    fn representative(&self, position: &usize) -> usize {
        self.first(*position)
    }
    fn prelude(&self) -> u64 {
        self.0.prelude()
    }
}

impl Predecessors for Reduced {
    fn each_predecessor(&self, position: &usize, mut visit: impl FnMut(usize) -> Flow) -> Flow {
        // Predecessors of the image have images that lead to the position itself.
        let images =
            if *position < self.half() { vec![*position, *position + self.half()] } else { vec![*position] };
        images.iter().try_for_each(|image| self.0.each_predecessor(image, &mut visit))
    }
}

#[test]
fn predecessors_and_lists_agree_with_the_definition() {
    let (mut seen, mut deep, mut prelude) = ([0; 3], 0, 0);
    for seed in 0..8000 {
        let game = graph(seed);
        let drawn = drawn(&game);
        let expected = shades::sweep::solve(&game, &drawn);
        for able in [Capabilities::default(), Capabilities::default().predecessors()] {
            let threads = 1 + seed as usize % 3;
            let found = quick(&game, able, threads, &drawn);
            assert_eq!(all_shades(&found), expected, "seed {seed}, {}", able.has_predecessors());
        }
        for (at, shade) in expected.iter().enumerate() {
            match shade {
                None => assert!(!drawn[at]),
                Some(Shade::Pressed { .. }) => seen[0] += 1,
                Some(Shade::Quiet) => seen[1] += 1,
                Some(Shade::Presses { .. }) => seen[2] += 1,
            }
            let press = shade.and_then(Shade::press);
            deep += u32::from(press.is_some_and(|(level, turns)| level > 1 && turns > Turns(1)));
            prelude += u32::from(press.is_some() && at >= game.next.len() - game.prelude);
        }
    }
    assert!(seen.iter().all(|&count| count > 1500), "{seen:?}");
    assert!(deep > 80 && prelude > 100, "{deep} deep ones, {prelude} in the prelude");
}

#[test]
fn images_that_share_an_index_have_the_shade_of_each() {
    let mut presses = 0;
    for seed in (1..3000).step_by(2) {
        let whole = Graph::random(seed, false, true);
        let expected = shades::sweep::solve(&whole, &drawn(&whole));
        let game = Reduced(whole);
        let drawn = drawn(&game);
        let by_definition = shades::sweep::solve(&game, &drawn);
        for able in [Capabilities::default(), Capabilities::default().predecessors()] {
            assert_eq!(all_shades(&quick(&game, able, 2, &drawn)), by_definition, "seed {seed}");
        }
        for (at, shade) in by_definition.iter().enumerate() {
            if game.position(Index(at as u64)).is_some() {
                assert_eq!(*shade, expected[at], "seed {seed}, position {at}");
                presses += u32::from(shade.and_then(Shade::press).is_some());
            }
        }
    }
    assert!(presses > 500, "{presses}");
}

/// Position 0 is lost, 1 wins, and 2 and 3 lead to each other. From 2 a turn to 1 would lose: it is a task.
/// At 3 the only turn is to 2, so the side to move presses.
#[test]
fn a_single_turn_among_losing_ones_is_a_task_and_a_forced_one_is_none() {
    let mut game = Graph::chain(3);
    game.next = vec![vec![], vec![0], vec![1, 3], vec![2]];
    let drawn = drawn(&game);
    assert_eq!(drawn, [false, false, true, true]);
    let shades = quick(&game, Capabilities::default(), 1, &drawn);
    let task = Shade::Pressed { level: 1, turns: Turns(0) };
    let presses = Shade::Presses { level: 1, turns: Turns(1) };
    assert_eq!(all_shades(&shades), [None, None, Some(task), Some(presses)]);
    let counts = shades.counts(4);
    assert_eq!((counts.draws(), counts.quiet, counts.levels.len()), (2, 0, 1));
    assert_eq!((counts.levels[0].pressed.get(&0), counts.levels[0].presses.get(&1)), (Some(&1), Some(&1)));
    assert_eq!(shades.counts(3).draws(), 1);
}

/// The example of `docs/solvers.md`.
#[test]
fn draws_left_by_a_level_have_tasks_of_the_next_level() {
    let mut game = Graph::chain(7);
    game.next = vec![vec![], vec![0], vec![1, 3], vec![2], vec![3, 5], vec![4, 6], vec![5, 7], vec![6]];
    let drawn = drawn(&game);
    let shades = all_shades(&quick(&game, Capabilities::default(), 1, &drawn));
    let task = |level| Some(Shade::Pressed { level, turns: Turns(0) });
    let presses = |level| Some(Shade::Presses { level, turns: Turns(1) });
    let expected = [None, None, task(1), presses(1), task(2), presses(2), task(3), presses(3)];
    assert_eq!((&shades[..], &shades), (&expected[..], &shades::sweep::solve(&game, &drawn)));
}

/// A line of draws of 300 turns that end in a task: codes take two bytes.
#[test]
fn long_presses_have_wide_codes() {
    let long = 300;
    let mut game = Graph::chain(long);
    // 0 is lost and 1 wins. 2 is the task: to 3 or to 1. All others have only one turn.
    game.next = (0..=long)
        .map(|at| match at {
            0 => vec![],
            2 => vec![1, 3],
            _ => vec![at - 1],
        })
        .collect();
    let drawn = drawn(&game);
    let shades = quick(&game, Capabilities::default().predecessors(), 2, &drawn);
    assert_eq!(all_shades(&shades), shades::sweep::solve(&game, &drawn));
    assert!(!shades.scale.is_narrow());
    assert_eq!(shades.shade(Index(long as u64)), Some(Shade::Pressed { level: 1, turns: Turns(298) }));
}

#[test]
fn it_can_be_stopped_and_rejects_what_does_not_fit() {
    let game = graph(5);
    let drawn = drawn(&game);
    let mut stopped = 0;
    for able in [Capabilities::default(), Capabilities::default().predecessors()] {
        for questions in 0..100 {
            match shades::solve(
                &game,
                able,
                &draws(&drawn),
                &job(2, &StopsAfter::new(questions), &mut NoCheckpoint),
            ) {
                Err(SolveError::Stopped) => stopped += 1,
                found => assert_eq!(all_shades(&found.unwrap()), shades::sweep::solve(&game, &drawn)),
            }
        }
        let mut no_checkpoint = NoCheckpoint;
        let mut little = job(1, &Silent, &mut no_checkpoint);
        little.memory = 10;
        let refused = shades::solve(&game, able, &draws(&drawn), &little);
        assert!(matches!(refused, Err(SolveError::Memory { need, limit: 10 }) if need > 10));
    }
    assert!(stopped > 3, "{stopped}");
}

//! Compares every solver with the sweep, position by position, on thousands of random games.

use retrograde_game::{
    Dense, Game, Index, Knowledge, Layered, Score, Seat, Stored, Turns, Value, conformance,
};
use retrograde_solve::retrograde::Retrograde;
use retrograde_solve::testing::{MemoryCheckpoint, StopsAfter, StopsAtUnit, all_stored, job};
use retrograde_solve::{
    Checkpoint, Job, NoCheckpoint, SavedState, Scores, Silent, SolveError, graded, sweep,
};
use retrograde_tactics::Tactics;
use retrograde_testkit::Graph;

fn swept<G: Dense>(game: &G) -> Vec<Stored> {
    all_stored(&sweep::solve(game, &mut job(1, &Silent, &mut NoCheckpoint)).unwrap())
}

#[test]
fn random_games_keep_their_promises() {
    for seed in 0..60 {
        for (forward, mirrored) in [(false, false), (false, true), (true, false)] {
            let game = Graph::random(seed, forward, mirrored).some_seated(seed);
            let positions = conformance::numbered(&game, 1000, seed);
            let main: Vec<usize> =
                positions.iter().copied().filter(|&p| p < game.next.len() - game.prelude).collect();
            conformance::check_dense(&game, &positions);
            conformance::check_predecessors(&game, &main, 3);
            conformance::check_symmetries(&game, &main);
            if forward {
                conformance::check_graded(&game, &main);
                conformance::check_layered(&game);
            }
        }
        conformance::check_staged(&Graph::staged(seed, seed % 2 == 0).some_seated(seed));
    }
}

/// Checks the sweep itself: values follow from the values of the successors by definition.
#[test]
fn the_sweep_is_consistent_with_the_rules() {
    for seed in 0..500 {
        let game = Graph::random(seed, seed % 2 == 0, seed % 3 == 0).some_seated(seed);
        let stored = swept(&game);
        for (index, stored_here) in stored.iter().enumerate() {
            let Stored::Known(Knowledge::Exact(value)) = stored_here else {
                assert!(!game.exists[index]);
                continue;
            };
            let next: Vec<Value> = game.next[index]
                .iter()
                .map(|&to| match stored[to] {
                    Stored::Known(Knowledge::Exact(value)) => {
                        let again = game.seats.get(index).is_some_and(|&mover| mover == game.seats[to]);
                        (if again { value.flipped() } else { value }).before(game.turn_is_counted(&index))
                    }
                    other => panic!("{other:?} follows {index}"),
                })
                .collect();
            let expected = match (game.over[index], next.iter().max()) {
                (Some(outcome), _) => Value::over(outcome),
                (None, None) => Value::over(game.outcome_without_turns),
                (None, Some(best)) => *best,
            };
            assert_eq!(*value, expected, "seed {seed}, position {index}");
        }
    }
}

#[test]
fn retrograde_agrees_with_the_sweep() {
    for seed in 0..1500 {
        let game = Graph::random(seed, false, seed % 2 == 1).some_seated(seed);
        let expected = swept(&game);
        let threads = 1 + seed as usize % 3;
        let solve = |solver: Retrograde<'_, Graph>| {
            all_stored(&solver.solve(&mut job(threads, &Silent, &mut NoCheckpoint)).unwrap())
        };
        assert_eq!(solve(Retrograde::new(&game)), expected, "seed {seed}");
        assert_eq!(solve(Retrograde::new(&game).predecessors()), expected, "seed {seed}");
        assert_eq!(solve(Retrograde::new(&game).symmetries()), expected, "seed {seed}");
        assert_eq!(solve(Retrograde::new(&game).predecessors().symmetries()), expected, "seed {seed}");
    }
}

#[test]
fn graded_agrees_with_the_sweep() {
    for seed in 0..1500 {
        let game = Graph::random(seed, true, false).some_seated(seed);
        let scores = graded::solve(&game, &mut job(2, &Silent, &mut NoCheckpoint)).unwrap();
        assert_eq!(all_stored(&scores), swept(&game), "seed {seed}");
    }
}

#[test]
fn graded_agrees_with_the_sweep_where_cells_are_filled() {
    let boards = (1..=13).flat_map(|columns| (1..=13 / columns).map(move |rows| (columns, rows)));
    let games = boards.flat_map(|board| (1..=4).map(move |longest| (board, longest)));
    for (number, ((columns, rows), longest)) in games.enumerate() {
        let game = Tactics::new(columns, rows, longest, number % 2 == 0).unwrap();
        let threads = 1 + number % 3;
        let graded = graded::solve(&game, &mut job(threads, &Silent, &mut NoCheckpoint)).unwrap();
        assert_eq!(all_stored(&graded), swept(&game), "{}", game.name());
    }
}

#[test]
fn long_games_have_two_byte_scores() {
    for length in [100_usize, 125, 126, 127, 300] {
        let game = Graph::chain(length);
        let expected = swept(&game);
        let turns = Turns(length as u16);
        let last = if length % 2 == 0 { Value::Loss(turns) } else { Value::Win(turns) };
        assert_eq!(expected[length], Stored::Known(Knowledge::Exact(last)));
        let mut no_checkpoint = NoCheckpoint;
        let scores =
            Retrograde::new(&game).predecessors().solve(&mut job(1, &Silent, &mut no_checkpoint)).unwrap();
        assert_eq!(matches!(scores, Scores::Wide(_)), turns > u8::MAX_TURNS);
        assert_eq!(all_stored(&scores), expected);
        let scores = graded::solve(&game, &mut job(1, &Silent, &mut no_checkpoint)).unwrap();
        assert_eq!(all_stored(&scores), expected);
    }
}

/// A win or loss may be due, by a turn to an earlier stage, in more turns than one byte can express.
#[test]
fn long_games_of_stages_have_two_byte_scores() {
    for length in [125_usize, 126, 127, 300] {
        let mut game = Graph::chain(length);
        game.stages = (0..=length).map(|at| at / 126).collect();
        game.seats = (0..=length).map(|at| [Seat::First, Seat::Second][at % 2]).collect();
        let expected = swept(&game);
        let solve = |job: &mut Job<'_>| Retrograde::new(&game).predecessors().staged().solve(job);
        let scores = solve(&mut job(1, &Silent, &mut NoCheckpoint)).unwrap();
        assert_eq!(matches!(scores, Scores::Wide(_)), length > 125);
        assert_eq!(all_stored(&scores), expected);
        let (scores, stops) = interrupted(solve);
        assert_eq!(all_stored(&scores), expected);
        assert!(stops > 0);
    }
}

/// Stops a solver again and again, each time a little later, and resumes it.
fn interrupted(solve: impl Fn(&mut Job<'_>) -> Result<Scores, SolveError>) -> (Scores, u32) {
    let mut memory = MemoryCheckpoint::default();
    for stops in 0.. {
        let patience = StopsAfter::new(i64::from(stops) * 3);
        match solve(&mut job(1, &patience, &mut memory)) {
            Err(SolveError::Stopped) => assert!(stops < 10_000, "it never ends"),
            other => return (other.unwrap(), stops),
        }
    }
    unreachable!()
}

#[test]
fn interrupted_solves_give_the_same_result() {
    let mut stops = 0;
    for seed in 0..60 {
        let game = Graph::random(seed, false, seed % 2 == 1).some_seated(seed);
        let (scores, stopped) =
            interrupted(|job| Retrograde::new(&game).predecessors().symmetries().solve(job));
        assert_eq!(all_stored(&scores), swept(&game), "seed {seed}");
        stops += stopped;
        let game = Graph::random(seed, true, false).some_seated(seed);
        let (scores, stopped) = interrupted(|job| graded::solve(&game, job));
        assert_eq!(all_stored(&scores), swept(&game), "seed {seed}");
        stops += stopped;
    }
    let (scores, _) = interrupted(|job| graded::solve(&Graph::chain(300), job));
    assert_eq!(all_stored(&scores), swept(&Graph::chain(300)));
    assert!(stops > 200, "hardly anything was interrupted");
}

/// Never due, so that only a stop saves.
#[derive(Default)]
struct NeverDue(MemoryCheckpoint);

impl Checkpoint for NeverDue {
    fn load(&mut self) -> std::io::Result<Option<SavedState>> {
        self.0.load()
    }
    fn due(&self) -> bool {
        false
    }
    fn save(&mut self, stage: u64, parts: &[&[u8]]) -> std::io::Result<()> {
        self.0.save(stage, parts)
    }
}

/// Solves until each number of units is done, and then to the end. More is saved each time.
fn saves_what_is_whole(
    solve: &dyn Fn(&mut Job<'_>) -> Result<Scores, SolveError>,
    stops: &[i64],
    whole: &[Stored],
) {
    let mut kept = NeverDue::default();
    let mut before = 0;
    for &units in stops {
        let patience = StopsAtUnit::new(units);
        assert!(matches!(solve(&mut job(1, &patience, &mut kept)), Err(SolveError::Stopped)));
        let saved = kept.0.0.as_ref().map_or(0, |saved| saved.stage);
        assert!(saved > before, "nothing was saved after {units} units");
        before = saved;
    }
    let scores = solve(&mut job(1, &Silent, &mut kept)).unwrap();
    assert!(all_stored(&scores) == whole);
}

#[test]
fn a_stopped_solver_saves_completed_work() {
    // Every position of these games is a layer.
    let graphs = (0..).map(|seed| Graph::random(seed, true, false));
    for game in graphs.filter(|game| game.layer_count() > 12).take(5) {
        let solve = |job: &mut Job<'_>| graded::solve(&game, job);
        let whole = all_stored(&solve(&mut job(1, &Silent, &mut NoCheckpoint)).unwrap());
        saves_what_is_whole(&solve, &[4, 9], &whole);
    }
}

#[test]
fn a_horizon_leaves_the_rest_unknown() {
    for seed in 0..300 {
        let game = Graph::random(seed, false, false).some_seated(seed);
        let whole = swept(&game);
        let main = game.next.len() - game.prelude;
        for horizon in 1..5 {
            let mut no_checkpoint = NoCheckpoint;
            let mut job = job(1, &Silent, &mut no_checkpoint);
            job.horizon = Some(Turns(horizon));
            let scores = Retrograde::new(&game).predecessors().solve(&mut job).unwrap();
            for (index, &stored) in whole.iter().enumerate().take(main) {
                let near = match stored {
                    Stored::Known(Knowledge::Exact(value)) => {
                        value.turns().is_some_and(|turns| turns.0 <= horizon) || game.over[index].is_some()
                    }
                    _ => true,
                };
                // A position without turns may be a draw by the rules; that is decided at once.
                let at_once = game.next[index].is_empty();
                let expected = if near || at_once { stored } else { Stored::Known(Knowledge::Unknown) };
                assert_eq!(scores.stored(Index(index as u64)), expected, "seed {seed}, {index}");
            }
        }
    }
}

#[test]
fn oversized_arrays_are_rejected_before_allocation() {
    let game = Tactics::new(31, 2, 1, false).unwrap();
    let refused = |result: Result<(), SolveError>| {
        assert!(matches!(result, Err(SolveError::Memory { .. })), "{result:?}");
    };
    let mut no_checkpoint = NoCheckpoint;
    refused(graded::solve(&game, &mut job(1, &Silent, &mut no_checkpoint)).map(drop));
    refused(Retrograde::new(&game).solve(&mut job(1, &Silent, &mut no_checkpoint)).map(drop));
    refused(sweep::solve(&game, &mut job(1, &Silent, &mut no_checkpoint)).map(drop));
}

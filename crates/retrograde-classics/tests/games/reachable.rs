//! Games that can repeat: solving only the reachable positions gives the same values as solving all
//! positions.

use std::collections::{HashMap, HashSet};

use retrograde_classics::{Dodgem, Teeko};
use retrograde_game::{Dense, Flow, Game, GameSpec, Index, Predecessors, Score, Stored, Value};
use retrograde_solve::reachable::{RepeatingValues, hashed, solve_repeating_numbered};
use retrograde_solve::retrograde::{Capabilities, Retrograde};
use retrograde_solve::{Job, NoCheckpoint, Scores, Silent};
use retrograde_table::testing::reachable_file;
use retrograde_testkit::some_of;

use crate::program::run;

fn with_job<T>(solve: impl FnOnce(&mut Job<'_>) -> T) -> T {
    let mut unkept = NoCheckpoint;
    solve(&mut Job { threads: 2, memory: 1 << 29, horizon: None, progress: &Silent, checkpoint: &mut unkept })
}

fn value(scores: &Scores, index: u64) -> Value {
    match scores.stored(Index(index)) {
        Stored::Known(retrograde_game::Knowledge::Exact(value)) => value,
        other => panic!("{index}: {other:?}"),
    }
}

/// The indices of the reachable unfinished positions.
fn walked<G: Dense>(game: &G) -> HashSet<u64> {
    let (mut seen, mut left) = (HashSet::new(), vec![game.start()]);
    seen.insert(game.index(&game.start()).unwrap().0);
    while let Some(position) = left.pop() {
        let _ = game.each_successor(&position, |next| {
            if game.result(&next).is_none() && seen.insert(game.index(&next).unwrap().0) {
                left.push(next);
            }
            Flow::Continue(())
        });
    }
    seen
}

fn check<G: Predecessors>(game: &G, able: Capabilities<G>) {
    let all = with_job(|job| Retrograde::new(game).predecessors().solve(job)).unwrap();
    let reachable = walked(game);
    let expected: HashMap<u64, Value> = reachable.iter().map(|&index| (index, value(&all, index))).collect();
    let numbered = with_job(|job| solve_repeating_numbered(game, &game.start(), able, job)).unwrap();
    let RepeatingValues::Marked(scores) = numbered else { panic!("few positions of {} occur", game.name()) };
    let found: HashMap<u64, Value> = scores.iter().map(|(at, score)| (at, score.value().unwrap())).collect();
    assert!(found == expected, "{}: {} and {} positions", game.name(), found.len(), expected.len());
}

#[test]
fn reachable_positions_of_dodgem_and_teeko_have_the_same_values() {
    for rows in 2..=4 {
        check(&Dodgem::new(rows).unwrap(), Capabilities::default());
    }
    let teeko = Teeko::from_spec(GameSpec::parse("teeko:4x3").unwrap()).unwrap();
    check(&teeko, Capabilities::default());
    // All images of reachable positions occur, and stages are solved one after the other.
    check(&teeko, Capabilities::default().symmetries().staged());
}

/// Compares with the slow solver, which stores every turn.
#[test]
fn hash_tables_agree() {
    let game = Dodgem::new(3).unwrap();
    let hashed = with_job(|job| hashed::solve(&game, &game.start(), job)).unwrap();
    let all = with_job(|job| Retrograde::new(&game).predecessors().solve(job)).unwrap();
    assert_eq!(walked(&game).len() as u64, hashed.len());
    for (position, found) in hashed.iter() {
        assert_eq!(value(&all, game.index(position).unwrap().0), found);
    }
}

#[test]
fn reachable_positions_beyond_memory_have_the_same_file() {
    // Teeko has symmetries, so only one of several images is stored.
    for game in some_of(2, ["dodgem:4x4", "teeko:4x4"]) {
        let (memory, files) =
            (retrograde_testkit::tempdir().unwrap(), retrograde_testkit::tempdir().unwrap());
        assert!(!run(memory.path(), &["solve", game, "--reachable"]).contains("files"));
        let output = run(files.path(), &["solve", game, "--reachable", "--memory", "1200K"]);
        assert!(output.contains("continues in files"), "{game}: {output}");
        assert!(reachable_file(files.path()) == reachable_file(memory.path()), "{game}");
    }
}

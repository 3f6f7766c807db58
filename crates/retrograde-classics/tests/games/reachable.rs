//! Games that can repeat: solving only the reachable positions gives the same values as solving all
//! positions.

use std::collections::{HashMap, HashSet};

use retrograde_classics::{Dodgem, Teeko};
use retrograde_game::{Dense, Flow, Game, GameSpec, Index, Predecessors, Score, Value};
use retrograde_solve::reachable::{ReachableScores, hashed, solve_repeating_numbered};
use retrograde_solve::retrograde::Capabilities;
use retrograde_solve::testing::job;
use retrograde_solve::{NoCheckpoint, Silent};
use retrograde_table::testing::reachable_file;
use retrograde_testkit::some_of;

use crate::program::run;
use crate::solvers::{self, value_at};

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
    let all = solvers::backwards(game);
    let reachable = walked(game);
    let expected: HashMap<u64, Value> =
        reachable.iter().map(|&index| (index, value_at(&all, Index(index)))).collect();
    let mut unkept = NoCheckpoint;
    let scores =
        solve_repeating_numbered(game, &game.start(), able, &mut job(2, &Silent, &mut unkept)).unwrap();
    assert!(matches!(scores, ReachableScores::Marked(_)), "few positions of {} occur", game.name());
    let pairs = scores.iter().unwrap().map(Result::unwrap);
    let found: HashMap<u64, Value> = pairs.map(|(at, score)| (at, score.value().unwrap())).collect();
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
    let hashed = hashed::solve(&game, &game.start(), &mut job(2, &Silent, &mut NoCheckpoint)).unwrap();
    let all = solvers::backwards(&game);
    assert_eq!(walked(&game).len() as u64, hashed.len());
    for (position, found) in hashed.iter() {
        assert_eq!(value_at(&all, game.index(position).unwrap()), found);
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

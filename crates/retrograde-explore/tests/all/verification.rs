//! What `verify` finds, and what it proves.

use std::sync::Arc;

use crate::common::{Graph, LIMITS, Strip, evaluate, options};
use retrograde_explore::{AnyGame, Entry, Resources, SolveOptions};
use retrograde_solve::Silent;
use retrograde_testkit::tempdir;

#[test]
fn tables_in_memory_can_be_verified() {
    for seed in 0..20 {
        // The rules end the game in some positions as draws or wins. These have no turns.
        let graph = Graph::random(seed, 60, false).some_seated(seed);
        let game: Arc<AnyGame> = Entry::new(graph, "").predecessors().build();
        let explore = game.solve_in_memory(&options(), &Silent).unwrap();
        let verification = explore.verify(None, &Resources::new(2, None, &Silent)).unwrap();
        assert!(verification.proved, "{seed}: {:?}", verification.errors);
    }
}

/// Without memory for all values, they are looked up in the file one by one.
#[test]
fn reachable_positions_can_be_verified_in_little_memory() {
    let tables = tempdir().unwrap();
    let entry = Strip::fill(Entry::new(Strip(12), "")).graded_reachable().build();
    let options = SolveOptions { reachable_only: true, ..options() };
    let solved = entry.solve(tables.path(), &options, &Silent).unwrap();
    let explore = entry.explore(tables.path()).unwrap();
    for memory in [Some(1000), None] {
        let verification = explore.verify(None, &Resources::new(2, memory, &Silent)).unwrap();
        assert!(verification.proved, "{verification:?}");
        assert_eq!(verification.positions, solved.positions);
    }
}

/// Values computed for alternating players are wrong if a player moves several times in a row.
#[test]
fn values_for_alternating_players_do_not_prove_other_games() {
    for seed in (1..12).step_by(2) {
        let tables = tempdir().unwrap();
        let alternating = Entry::new(Graph::random(seed, 60, false), "").predecessors().build();
        alternating.solve(tables.path(), &options(), &Silent).unwrap();
        let seated = Entry::new(Graph::random(seed, 60, false).some_seated(seed), "").predecessors().build();
        let explore = seated.explore(tables.path()).unwrap();
        let verification = explore.verify(None, &Resources::new(2, None, &Silent)).unwrap();
        assert!(!verification.proved && !verification.errors.is_empty(), "{seed}");
    }
}

#[test]
fn outcomes_of_loops_are_checked_but_not_proved() {
    let entry = Entry::new(Graph::random(3, 60, false), "").retrograde().build();
    let tables = tempdir().unwrap();
    let outcomes = SolveOptions { outcome_only: true, ..options() };
    entry.solve(tables.path(), &outcomes, &Silent).unwrap();
    let explore = entry.explore(tables.path()).unwrap();
    let verification = explore.verify(None, &Resources::new(2, None, &Silent)).unwrap();
    assert!(verification.errors.is_empty(), "{verification:?}");
    assert!(!verification.proved && verification.full);
    let values = evaluate(&Graph::random(3, 60, false), Graph::random(3, 60, false).positions());
    for (node, value) in values {
        assert_eq!(explore.value(&format!("p{node}"), &LIMITS).unwrap().0.known(), Some(value.outcome()));
    }
}

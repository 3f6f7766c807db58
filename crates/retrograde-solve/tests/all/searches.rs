//! The search of single positions, compared with the sweep on thousands of random games.

use std::time::Duration;

use retrograde_game::{Index, Knowledge, Outcome, Random, Stored, Value};
use retrograde_solve::proof::{Limits, Proof, search};
use retrograde_solve::testing::job;
use retrograde_solve::{NoCheckpoint, Silent, sweep};
use retrograde_testkit::Graph;

fn limits(nodes: u64) -> Limits<'static> {
    Limits { nodes, time: Duration::from_secs(1000), depth: None, memory: 1 << 20, stopped: &|| false }
}

/// Values by the sweep, `None` where there is no position.
fn swept(game: &Graph) -> Vec<Option<Value>> {
    let scores = sweep::solve(game, &mut job(1, &Silent, &mut NoCheckpoint)).unwrap();
    let values = (0..scores.len() as u64).map(|index| match scores.stored(Index(index)) {
        Stored::Known(Knowledge::Exact(value)) => Some(value),
        _ => None,
    });
    values.collect()
}

/// Everything that is known must be true.
fn check(expected: &[Option<Value>], position: usize, proof: &Proof, what: &str) {
    let value = expected[position].unwrap();
    match proof.knowledge {
        Knowledge::Exact(found) => assert_eq!(found, value, "{what}: {position}"),
        Knowledge::Outcome(outcome) => assert_eq!(outcome, value.outcome(), "{what}: {position}"),
        Knowledge::NotLost => assert_ne!(value.outcome(), Outcome::Loss, "{what}: {position}"),
        Knowledge::Unknown => {}
    }
}

/// Too little memory to list reachable positions, so only proof numbers and deepening are left.
const NO_LISTS: u64 = 1 << 8;

#[test]
fn a_large_budget_finds_every_value() {
    let mut draws = 0;
    for seed in 0..500 {
        let game = Graph::random(seed, seed % 3 == 0, false).some_seated(seed);
        let expected = swept(&game);
        for position in (0..game.next.len()).filter(|&at| game.exists[at]) {
            let proof = search(&game, &position, &limits(1 << 20));
            assert_eq!(proof.knowledge.value(), expected[position], "seed {seed}, {position}");
            check(&expected, position, &proof, &format!("seed {seed}"));
            draws += u32::from(proof.knowledge == Knowledge::Exact(Value::Draw));
        }
    }
    assert!(draws > 500, "hardly any draw was met");
}

/// Only proof numbers and deepening, without listing reachable positions. Draws then need certificates.
#[test]
fn the_proof_search_alone_is_right() {
    let (mut found, mut all, mut draws, mut drawn) = (0, 0, 0, 0);
    for seed in 0..1500 {
        let game = Graph::random(seed, seed % 4 == 0, false).some_seated(seed);
        let expected = swept(&game);
        let mut random = Random::new(seed);
        for position in (0..game.next.len()).filter(|&at| game.exists[at]) {
            if random.below(6) > 0 {
                continue;
            }
            let value = expected[position].unwrap();
            let proof = search(&game, &position, &Limits { memory: NO_LISTS, ..limits(1 << 15) });
            check(&expected, position, &proof, &format!("seed {seed}"));
            all += 1;
            drawn += u32::from(value == Value::Draw);
            found += u32::from(proof.knowledge.outcome().is_some());
            draws += u32::from(proof.knowledge.outcome() == Some(Outcome::Draw));
            if value != Value::Draw {
                assert_eq!(proof.knowledge.outcome(), Some(value.outcome()), "seed {seed}, {position}");
            }
        }
    }
    println!("{found} of {all}, draws {draws} of {drawn}");
    assert!(draws * 10 > drawn * 9, "{draws} of {drawn} draws found");
}

/// With a tiny budget, a search may not know anything, but must not be wrong; and it keeps its limits.
#[test]
fn a_small_budget_gives_no_wrong_values() {
    let mut unknown = 0;
    for seed in 0..600 {
        let game = Graph::random(seed, seed % 3 == 0, false).some_seated(seed);
        let expected = swept(&game);
        for position in (0..game.next.len()).filter(|&at| game.exists[at]) {
            for memory in [NO_LISTS, 1 << 14] {
                let nodes = seed % 40;
                let small = Limits { memory, ..limits(nodes) };
                let proof = search(&game, &position, &small);
                check(&expected, position, &proof, &format!("seed {seed}, {nodes} nodes"));
                unknown += u32::from(proof.knowledge == Knowledge::Unknown);
                // Examining the successors of one position is never interrupted.
                assert!(proof.nodes <= nodes + 80, "{} of {nodes}", proof.nodes);
            }
        }
    }
    assert!(unknown > 1000, "the budget was hardly ever too small");
}

#[test]
fn a_search_can_be_stopped() {
    let game = Graph::chain(30_000);
    let stopped = Limits { stopped: &|| true, ..limits(1 << 40) };
    assert_eq!(search(&game, &30_000, &stopped).knowledge, Knowledge::Unknown);
    let late = Limits { time: Duration::ZERO, ..limits(1 << 40) };
    assert_eq!(search(&game, &30_000, &late).knowledge, Knowledge::Unknown);
}

/// A chain that is too long for paths, and a shorter one.
#[test]
fn long_chains() {
    let game = Graph::chain(2000);
    let no_lists = |nodes| Limits { memory: NO_LISTS, ..limits(nodes) };
    let proof = search(&game, &301, &no_lists(1 << 20));
    assert_eq!(proof.knowledge, Knowledge::Exact(swept(&game)[301].unwrap()));
    assert_eq!(search(&game, &2000, &no_lists(1 << 16)).knowledge, Knowledge::Unknown);
    assert_eq!(
        search(&game, &2000, &limits(1 << 16)).knowledge,
        Knowledge::Exact(swept(&game)[2000].unwrap())
    );
}

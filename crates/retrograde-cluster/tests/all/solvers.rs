//! Compares the solvers of a cluster with the solvers of one machine, position by position, on many random
//! games and on games of the workspace: for one to four processes, with different numbers of threads, in many
//! small rounds and few large ones.

use retrograde_game::{Dense, Layered, Predecessors, Turns};
use retrograde_solve::retrograde::{Capabilities, Retrograde};
use retrograde_solve::together::{SharedJob, graded, retrograde};
use retrograde_solve::{NoCheckpoint, Scores, Silent, SolveError};
use retrograde_tactics::Tactics;
use retrograde_testkit::{Graph, push_fight};
use retrograde_touchdown::TouchDown;

use crate::common::{job, together};

const CLUSTERS: [&[u32]; 5] = [&[1], &[2], &[1, 1], &[1, 2, 1], &[3, 1, 1, 2]];

/// Different configurations with the same result. Rounds of few turns are for small games.
fn varied(count: u128, seed: u64) -> SharedJob<'static> {
    let mut job = job();
    job.block_bits = Some((seed % 4) as u32);
    let few = if count < 300 { [Some(1), Some(16)] } else { [Some(1 << 12), Some(1 << 15)] };
    job.batch = [None, few[0], few[1]][(seed / 4 % 3) as usize];
    // Windows that match blocks, cut through them, and are larger than everything.
    job.window = [None, Some(1 + u64::try_from(count).unwrap() / 8), Some(1 << 12)][(seed % 3) as usize];
    job
}

fn one<G: Dense>(game: &G, horizon: Option<u16>) -> Scores {
    let mut no_checkpoint = NoCheckpoint;
    let mut job = retrograde_solve::testing::job(2, &Silent, &mut no_checkpoint);
    job.horizon = horizon.map(Turns);
    Retrograde::new(game).solve(&mut job).unwrap()
}

fn check_graded<G: Layered>(game: &G, seed: u64, clusters: &[&[u32]]) {
    let expected = retrograde_solve::graded::solve(
        game,
        &mut retrograde_solve::testing::job(2, &Silent, &mut NoCheckpoint),
    )
    .unwrap();
    for threads in clusters {
        for divided in [false, true] {
            let scores = together(threads, |session, sink| {
                let mut job = varied(game.index_count(), seed);
                job.divided = divided;
                graded(game, session, &mut job, sink)
            });
            let what = format!("{}, seed {seed}, {threads:?}, divided: {divided}", game.name());
            assert!(scores.unwrap() == expected, "{what}");
        }
    }
}

fn check_retrograde<G: Predecessors>(game: &G, seed: u64, horizon: Option<u16>, clusters: &[&[u32]]) {
    let expected = one(game, horizon);
    for threads in clusters {
        let by_predecessors = together(threads, |session, sink| {
            let mut job = varied(game.index_count(), seed);
            job.horizon = horizon.map(Turns);
            retrograde(game, Capabilities::default().predecessors(), session, &mut job, sink)
        });
        assert!(by_predecessors.unwrap() == expected, "{}, seed {seed}, {threads:?}", game.name());
        let forwards = together(threads, |session, sink| {
            let mut job = varied(game.index_count(), seed);
            job.horizon = horizon.map(Turns);
            retrograde(game, Capabilities::default(), session, &mut job, sink)
        });
        assert!(forwards.unwrap() == expected, "{}, forwards, seed {seed}, {threads:?}", game.name());
    }
}

#[test]
fn random_games_without_repetitions() {
    for seed in 0..60 {
        let game = Graph::random(seed, true, false);
        check_graded(&game, seed, &[CLUSTERS[seed as usize % CLUSTERS.len()]]);
        let (columns, rows) = (1 + seed as u32 % 4, 1 + seed as u32 / 4 % 3);
        let tactics = Tactics::new(columns, rows, 1 + seed as u32 / 12, seed % 2 == 0).unwrap();
        check_graded(&tactics, seed, &[CLUSTERS[(seed as usize + 2) % CLUSTERS.len()]]);
    }
}

#[test]
fn random_games_with_repetitions() {
    for seed in 0..120 {
        let game = Graph::random(seed, seed % 7 == 0, seed % 2 == 1);
        let horizon = (seed % 3 == 0).then_some(1 + seed as u16 % 4);
        check_retrograde(&game, seed, horizon, &[CLUSTERS[seed as usize % CLUSTERS.len()]]);
    }
}

#[test]
fn long_games_have_two_byte_scores() {
    for length in [125_usize, 126, 200] {
        let game = Graph::chain(length);
        check_retrograde(&game, 0, None, &[&[1], &[1, 1, 1]]);
        check_graded(&game, 0, &[&[1], &[1, 1, 1]]);
    }
}

#[test]
fn the_games_of_the_workspace() {
    let tactics = |name: &str| Tactics::from_spec(retrograde_game::GameSpec::parse(name).unwrap()).unwrap();
    let touchdown =
        |name: &str| TouchDown::from_spec(retrograde_game::GameSpec::parse(name).unwrap()).unwrap();
    check_graded(&tactics("tactics"), 0, &CLUSTERS[2..]);
    check_graded(&tactics("tactics:3x5,line=3,normal"), 5, &CLUSTERS[1..4]);
    check_graded(&touchdown("touchdown:4x3"), 10, &CLUSTERS);
    check_retrograde(&push_fight("pushfight:mini,pushers=1,pawns=1"), 4, None, &CLUSTERS);
}

#[test]
fn all_processes_reject_what_does_not_fit() {
    let game = Tactics::new(8, 5, 1, false).unwrap();
    let refused = together(&[1, 1], |session, sink| graded(&game, session, &mut job(), sink)).unwrap_err();
    let refused = refused.to_string();
    assert!(refused.contains("bytes of memory"), "{refused}");
    let error = SolveError::Memory { need: 1, limit: 0 };
    assert!(error.to_string().contains("memory"));
}

//! Compares the retrograde solver in all configurations (predecessors, symmetries, stages, shards, threads,
//! interruptions, horizons) with the sweep, position by position.

use std::sync::atomic::{AtomicI64, Ordering};

use retrograde_game::{Dense, Index, Knowledge, Random, Stored, Turns, Value};
use retrograde_solve::retrograde::Retrograde;
use retrograde_solve::testing::{MemoryCheckpoint, StopsAfter, all_stored, job};
use retrograde_solve::{NoCheckpoint, Progress, Scores, Silent, SolveError, graded, sweep};
use retrograde_testkit::Graph;

fn swept<G: Dense>(game: &G) -> Vec<Stored> {
    all_stored(&sweep::solve(game, &mut job(1, &Silent, &mut NoCheckpoint)).unwrap())
}

/// All configurations that make a difference.
fn ways(game: &Graph, shard: u64) -> Vec<(String, Retrograde<'_, Graph>)> {
    let mut ways = Vec::new();
    for number in 0..8 {
        let [predecessors, symmetries, staged] = [1, 2, 4].map(|bit| number & bit != 0);
        let mut way = Retrograde::new(game).shard(shard);
        if predecessors {
            way = way.predecessors();
        }
        if symmetries {
            way = way.symmetries();
        }
        if staged {
            way = way.staged();
        }
        let name = format!("predecessors {predecessors}, symmetries {symmetries}, staged {staged}");
        ways.push((format!("{name}, shards of {shard}"), way));
    }
    ways
}

/// A random graph, every other time in stages, and sometimes with players who move several times in a row.
fn random(seed: u64, forward: bool, mirrored: bool) -> Graph {
    let graph =
        if seed % 4 < 2 { Graph::staged(seed, mirrored) } else { Graph::random(seed, forward, mirrored) };
    graph.some_seated(seed)
}

#[test]
fn all_shared_solvers_agree_with_the_sweep() {
    for seed in 0..1000 {
        let game = random(seed, seed % 3 == 0, seed % 2 == 1);
        let expected = swept(&game);
        for (name, way) in ways(&game, 1 + seed % 9) {
            let threads = 1 + seed as usize % 3;
            let scores = way.solve(&mut job(threads, &Silent, &mut NoCheckpoint)).unwrap();
            assert_eq!(all_stored(&scores), expected, "seed {seed}: {name}");
        }
    }
}

/// A chain of many turns with further turns that lead astray: most leave every value decided
/// (winners, at odd places, get turns that go back, and losers turns to earlier winners), and a few
/// do not.
fn long_web(seed: u64) -> Graph {
    let mut game = Graph::chain(400);
    let mut random = Random::new(seed);
    for at in 1..=400 {
        for _ in 0..random.below(4) {
            let to = random.below(401) as usize;
            let harmless = if at % 2 == 0 { to % 2 == 1 && to < at } else { to > at };
            if harmless || at > 150 && random.below(10 + 400 * (seed % 2)) == 0 {
                game.next[at].push(to);
            }
        }
        game.next[at].sort_unstable();
        game.next[at].dedup();
    }
    game
}

#[test]
fn long_lines_through_many_shards_agree() {
    let (mut wide, mut draws) = (0, 0);
    for seed in 0..5 {
        let game = long_web(seed);
        let expected = swept(&game);
        for (name, way) in ways(&game, 13) {
            let scores = way.solve(&mut job(3, &Silent, &mut NoCheckpoint)).unwrap();
            assert_eq!(all_stored(&scores), expected, "seed {seed}: {name}");
            wide += u32::from(matches!(scores, Scores::Wide(_)));
        }
        draws += expected.iter().filter(|&&at| at == Stored::Known(Knowledge::Exact(Value::Draw))).count();
    }
    assert!(wide > 0 && draws > 0, "{wide} wide, {draws} draws");
}

/// Stops it again and again, each time a little later. Returns how often it was stopped.
fn interrupted(
    threads: usize,
    longer: i64,
    solve: impl Fn(usize, &dyn Progress, &mut MemoryCheckpoint) -> Result<Scores, SolveError>,
) -> (Scores, u32) {
    let mut memory = MemoryCheckpoint::default();
    for stops in 0.. {
        let patience = StopsAfter::new(longer * i64::from(stops));
        match solve(threads, &patience, &mut memory) {
            Err(SolveError::Stopped) => assert!(stops < 10_000, "it never ends"),
            other => return (other.unwrap(), stops),
        }
    }
    unreachable!()
}

#[test]
fn interrupted_shared_solves_give_the_same_result() {
    let mut stops = 0;
    for seed in 0..40 {
        let (game, patience) = match seed % 20 {
            0 => (long_web(seed), 500),
            _ => (random(seed, false, seed % 2 == 1), 3),
        };
        let expected = swept(&game);
        for (name, way) in ways(&game, 17) {
            let (scores, stopped) =
                interrupted(1 + seed as usize % 3, patience, |threads, progress, memory| {
                    way.solve(&mut job(threads, progress, memory))
                });
            assert_eq!(all_stored(&scores), expected, "seed {seed}: {name}");
            stops += stopped;
        }
    }
    assert!(stops > 1000, "hardly anything was interrupted: {stops}");
}

/// Counts stages and never stops.
struct Stages(AtomicI64);

impl Progress for Stages {
    fn stage(&self, _name: &str, _total: u64) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
    fn advance(&self, _units: u64) {}
}

/// A run that saved two-byte scores resumes with two bytes and does not start over with one.
#[test]
fn long_games_resume_where_they_stopped() {
    let game = Graph::chain(1000);
    let expected = swept(&game);
    for solver in 0..2 {
        let solve = |progress: &dyn Progress, memory: &mut MemoryCheckpoint| match solver {
            0 => graded::solve(&game, &mut job(1, progress, memory)),
            _ => Retrograde::new(&game).predecessors().solve(&mut job(1, progress, memory)),
        };
        let mut memory = MemoryCheckpoint::default();
        let mut stops = 600;
        loop {
            let patience = StopsAfter::new(stops);
            match solve(&patience, &mut memory) {
                Err(SolveError::Stopped) => stops += 100,
                other => break drop(other.unwrap()),
            }
            let saved = memory.0.as_ref().unwrap();
            if saved.bytes.len() == 2 * expected.len() {
                break;
            }
        }
        let saved = memory.0.clone().unwrap();
        assert_eq!(saved.bytes.len(), 2 * expected.len());
        let stages = Stages(AtomicI64::new(0));
        assert_eq!(all_stored(&solve(&stages, &mut memory).unwrap()), expected);
        let again = Stages(AtomicI64::new(0));
        assert_eq!(all_stored(&solve(&again, &mut MemoryCheckpoint::default()).unwrap()), expected);
        assert!(stages.0.into_inner() < again.0.into_inner());
        assert!(memory.0.unwrap().stage >= saved.stage);
    }
}

#[test]
fn all_shared_solvers_respect_a_horizon() {
    for seed in 0..200 {
        let game = random(seed, false, seed % 2 == 1);
        let whole = swept(&game);
        let main = game.next.len() - game.prelude;
        for horizon in 0..5 {
            for (name, way) in ways(&game, 11) {
                let mut no_checkpoint = NoCheckpoint;
                let mut job = job(2, &Silent, &mut no_checkpoint);
                job.horizon = Some(Turns(horizon));
                let scores = way.solve(&mut job).unwrap();
                for (index, &stored) in whole.iter().enumerate() {
                    let found = scores.stored(Index(index as u64));
                    let Stored::Known(Knowledge::Exact(value)) = stored else {
                        assert_eq!(found, Stored::Nothing);
                        continue;
                    };
                    let near = value.turns().is_some_and(|turns| turns.0 <= horizon);
                    let by_the_rules = game.over[index].is_some() || game.next[index].is_empty();
                    let unknown = Stored::Known(Knowledge::Unknown);
                    if index >= main {
                        // Turns before the game proper do not count, and a draw may be certain or
                        // not.
                        assert!(found == stored || found == unknown, "seed {seed}, {index}: {name}");
                        assert!(found == stored || !by_the_rules);
                    } else {
                        let expected = if near || by_the_rules { stored } else { unknown };
                        assert_eq!(found, expected, "seed {seed}, horizon {horizon}, {index}: {name}");
                    }
                }
            }
        }
    }
}

#[test]
fn too_little_memory_is_reported() {
    let game = long_web(1);
    for (memory, enough) in [(100, false), (450, false), (1 << 16, true)] {
        let mut no_checkpoint = NoCheckpoint;
        let mut little = job(2, &Silent, &mut no_checkpoint);
        little.memory = memory;
        let solved = Retrograde::new(&game).predecessors().solve(&mut little);
        match solved {
            Ok(scores) => assert!(enough && all_stored(&scores) == swept(&game)),
            Err(SolveError::Memory { need, limit }) => assert!(!enough && limit == memory && need > memory),
            Err(error) => panic!("{error}"),
        }
    }
}

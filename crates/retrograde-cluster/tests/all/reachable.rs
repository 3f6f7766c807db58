//! Compares reachable positions solved by one to four processes with the solver of one machine, position by
//! position: on random games from many starts and on boards, with every coding, in many small rounds and few
//! large ones, and interrupted and resumed by other processes.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use retrograde_cluster::{ClusterCheckpoint, ClusterError};
use retrograde_game::{Dense, Game, Graded, Predecessors, Score};
use retrograde_solve::reachable::{ByImages, ByIndex, ByPack, Coding, Orbits, Reachable, hashed, solve};
use retrograde_solve::retrograde::Capabilities;
use retrograde_solve::testing::StopsAfter;
use retrograde_solve::together::{
    CollectedReachable, ReachableSink, ReachableTotals, SharedJob, SinkError, reachable,
};
use retrograde_solve::{Exchange, NoCheckpoint, Progress, Silent, SolveError};
use retrograde_table::CheckpointPace;
use retrograde_testkit::{Graph, push_fight, some_of};
use retrograde_touchdown::TouchDown;

use crate::common::{first_error, job, run_with};

const CLUSTERS: [&[u32]; 5] = [&[1], &[2], &[1, 1], &[1, 2, 1], &[3, 1, 1, 2]];

/// Different configurations with the same result.
fn varied(seed: u64) -> SharedJob<'static> {
    let mut job = job();
    job.batch = [None, Some(1), Some(100)][(seed % 3) as usize];
    job.window = [Some(1), None, Some(7)][(seed / 3 % 3) as usize];
    job
}

/// The positions that process 0 receives; the others receive nothing.
fn together(
    game: &Reachable<'_>,
    threads: &[u32],
    job: impl Fn() -> SharedJob<'static> + Sync,
) -> Result<CollectedReachable, ClusterError> {
    let mut sinks = vec![CollectedReachable::default(); threads.len()];
    first_error(run_with(threads, &mut sinks, |session, sink| reachable(game, session, &mut job(), sink)))?;
    let mut sinks = sinks.into_iter();
    let first = sinks.next().unwrap();
    assert!(sinks.all(|sink| sink == CollectedReachable::default()));
    Ok(first)
}

/// Compares what clusters find with what one machine found.
fn compare(
    (name, game): (String, &Reachable<'_>),
    expected: &CollectedReachable,
    seed: u64,
    clusters: &[&[u32]],
) {
    for threads in clusters {
        let found = together(game, threads, || varied(seed)).unwrap();
        assert!(found == *expected, "{name}, seed {seed}, {threads:?}");
    }
}

/// The same positions from the solver of one machine.
fn alone(game: &Reachable<'_>) -> CollectedReachable {
    let mut nothing = NoCheckpoint;
    let scores = solve(game, &retrograde_solve::testing::job(1, &Silent, &mut nothing)).unwrap();
    let positions = scores.iter().unwrap().collect::<Result<_, _>>().unwrap();
    CollectedReachable { counts: Some(scores.counts()), positions }
}

fn agrees<G: Dense + Graded, C: Coding<G>>(
    (game, start): (&G, &G::Position),
    coding: C,
    seed: u64,
    clusters: &[&[u32]],
) {
    let coded = Reachable::graded(game, coding, start);
    compare((game.name(), &coded), &alone(&coded), seed, clusters);
}

#[test]
fn random_games_from_many_starts() {
    for seed in some_of(3, 0..120) {
        let game = Graph::random(seed, true, seed % 2 == 1);
        let clusters = &[CLUSTERS[seed as usize % CLUSTERS.len()]];
        let starts: Vec<usize> = (0..game.next.len()).filter(|&at| game.exists[at]).collect();
        for start in starts.iter().rev().step_by(9) {
            agrees((&game, start), ByIndex, seed, clusters);
            agrees((&game, start), ByPack, seed + 1, clusters);
        }
        // With symmetries, from the game proper, like the solver of one machine.
        let main = starts.into_iter().filter(|&at| at < game.next.len() - game.prelude);
        if game.mirrored {
            for start in main.rev().step_by(9) {
                agrees((&game, &start), Orbits(ByPack), seed, clusters);
            }
        }
    }
}

#[test]
fn boards_of_all_shapes() {
    for (number, (columns, rows)) in [(1, 2), (2, 5), (3, 3), (3, 4), (4, 3), (5, 2)].into_iter().enumerate()
    {
        let game = TouchDown::new(columns, rows).unwrap();
        let start = game.start();
        let few = &CLUSTERS[number % 3..number % 3 + 2];
        agrees((&game, &start), ByIndex, number as u64, few);
        agrees((&game, &start), ByPack, number as u64, few);
        agrees((&game, &start), Orbits(ByIndex), number as u64, few);
        agrees((&game, &start), Orbits(ByPack), number as u64, &CLUSTERS);
    }
    // Rounds of several messages.
    let game = TouchDown::new(4, 4).unwrap();
    agrees((&game, &game.start()), Orbits(ByPack), 0, &CLUSTERS[2..]);
}

#[test]
fn long_games_have_two_byte_scores() {
    for length in [1, 125, 126, 300] {
        let game = Graph::chain(length);
        agrees((&game, &length), ByIndex, length as u64, &[&[1], &[1, 1, 1]]);
    }
}

#[test]
fn all_processes_report_too_little_memory_and_broken_promises() {
    let game = Graph::chain(400);
    let little = || SharedJob::new(1000, &Silent);
    let coded = Reachable::graded(&game, ByIndex, &400);
    let refused = together(&coded, &[1, 1], little).unwrap_err().to_string();
    assert!(refused.contains("bytes of memory"), "{refused}");
    let mut upwards = Graph::chain(5);
    upwards.next[3].push(4);
    let mut holed = Graph::chain(5);
    holed.exists[2] = false;
    for (broken, words) in [(upwards, "3 leads to 4"), (holed, "no position")] {
        let coded = Reachable::graded(&broken, ByIndex, &5);
        let refused = together(&coded, &[1, 1, 1], job).unwrap_err().to_string();
        assert!(refused.contains(words), "{refused}");
    }
}

/// Asks for some scores, and checks what it gets.
struct Wanting {
    wanted: Vec<u64>,
    totals: Option<ReachableTotals>,
    positions: Vec<(u64, u16)>,
    /// Takes at most this number.
    most: usize,
}

impl ReachableSink for Wanting {
    fn wanted(&self) -> Vec<u64> {
        self.wanted.clone()
    }
    fn take(
        &mut self,
        totals: &ReachableTotals,
        positions: &mut dyn Iterator<Item = std::io::Result<(u64, u16)>>,
    ) -> Result<(), SinkError> {
        self.totals = Some(totals.clone());
        for position in positions {
            if self.positions.len() == self.most {
                return Err("there is no room".into());
            }
            self.positions.push(position?);
        }
        Ok(())
    }
}

#[test]
fn a_sink_receives_the_wanted_scores_first_and_may_fail() {
    let game = TouchDown::new(3, 4).unwrap();
    let coded = Reachable::graded(&game, Orbits(ByPack), &game.start());
    let expected = alone(&Reachable::graded(&game, ByPack, &game.start()));
    for most in [usize::MAX, 50] {
        let wanted = vec![expected.positions[7].0, u64::MAX, expected.positions[0].0];
        let mut sinks =
            [(); 3].map(|()| Wanting { wanted: wanted.clone(), totals: None, positions: Vec::new(), most });
        let ended = first_error(run_with(&[1, 1, 1], &mut sinks, |session, sink| {
            reachable(&coded, session, &mut varied(6), sink)
        }));
        let [first, others @ ..] = sinks;
        assert!(others.iter().all(|other| other.totals.is_none() && other.positions.is_empty()));
        let totals = first.totals.unwrap();
        assert_eq!(Some(totals.counts), expected.counts);
        assert_eq!(totals.wanted, [Some(expected.positions[7].1), None, Some(expected.positions[0].1)]);
        match most {
            50 => assert!(ended.unwrap_err().to_string().contains("there is no room")),
            _ => assert!(ended.is_ok() && first.positions == expected.positions),
        }
    }
}

/// Solves with a checkpoint that is saved in every round, until `progress` of process 0 stops it. Returns the
/// result of process 0, and how often the checkpoint was saved.
fn saving(
    game: &Reachable<'_>,
    folder: &Path,
    threads: &[u32],
    progress: &(dyn Progress + Sync),
) -> Result<(CollectedReachable, u64), ClusterError> {
    let mut sinks = vec![(CollectedReachable::default(), 0); threads.len()];
    first_error(run_with(threads, &mut sinks, |session, (sink, saved)| {
        let mut checkpoint = ClusterCheckpoint::new(folder, "a game, reachable")
            .pace(CheckpointPace { factor: 0, least: Duration::ZERO });
        let mut job = SharedJob::new(1 << 30, if session.process() == 0 { progress } else { &Silent });
        job.batch = Some(1 << 9);
        job.checkpoint = Some(&mut checkpoint);
        let solved = reachable(game, session, &mut job, sink);
        *saved = checkpoint.saved();
        solved
    }))?;
    Ok(sinks.swap_remove(0))
}

/// Resumes a solve, with other processes each time, until it is complete. Returns its result, and how often it
/// was stopped. `progress` never allows more steps: without checkpoints it would not end.
fn resumed<P: Progress + Sync>(
    game: &Reachable<'_>,
    progress: impl Fn() -> P,
) -> (CollectedReachable, usize) {
    let folder = retrograde_testkit::tempdir().unwrap();
    for stops in 0..2000 {
        match saving(game, folder.path(), CLUSTERS[stops % CLUSTERS.len()], &progress()) {
            Err(ClusterError::Solve(SolveError::Stopped)) => {}
            ended => return (ended.unwrap().0, stops),
        }
    }
    panic!("it does not come nearer to its end");
}

#[test]
fn another_number_of_processes_resumes_from_saved_work() {
    let game = TouchDown::new(4, 3).unwrap();
    let coded = Reachable::graded(&game, Orbits(ByPack), &game.start());
    let expected = alone(&coded);
    for steps in [2, 3, 7] {
        let (found, stops) = resumed(&coded, || StopsAfter::new(steps));
        assert!(found == expected, "after {stops} stops");
        assert!(stops > 1, "hardly interrupted");
    }
}

#[test]
fn an_incomplete_state_is_rejected() {
    let game = TouchDown::new(3, 3).unwrap();
    let coded = Reachable::graded(&game, Orbits(ByPack), &game.start());
    let folder = retrograde_testkit::tempdir().unwrap();
    let stopping = StopsAfter::new(12);
    assert!(matches!(
        saving(&coded, folder.path(), &[1, 1], &stopping),
        Err(ClusterError::Solve(SolveError::Stopped))
    ));
    let cluster = folder.path().join("cluster");
    let shard = std::fs::read_dir(&cluster)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.to_string_lossy().ends_with("-1.shard"))
        .unwrap();
    let whole = std::fs::read(&shard).unwrap();
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    for (bytes, reason) in
        [(damaged, "damaged"), (whole[..whole.len() - 1].to_vec(), "no process has a complete copy")]
    {
        std::fs::write(&shard, bytes).unwrap();
        let refused = saving(&coded, folder.path(), &[1, 1, 1], &Silent).unwrap_err().to_string();
        assert!(refused.contains(reason) && refused.contains("-1.shard"), "{refused}");
    }
    std::fs::write(&shard, whole).unwrap();
    let (found, saved) = saving(&coded, folder.path(), &[1], &Silent).unwrap();
    assert!(found == alone(&coded) && saved > 0);
}

/// The same positions and their images from the solver that keeps every turn.
fn repeating_alone<G: Predecessors, C: Coding<G>>(
    game: &G,
    start: &G::Position,
    coding: C,
) -> CollectedReachable {
    let mut nothing = NoCheckpoint;
    let mut job = retrograde_solve::testing::job(1, &Silent, &mut nothing);
    let mut scores = BTreeMap::new();
    for (position, value) in hashed::solve(game, start, &mut job).unwrap().iter() {
        let _ = coding.each_image(game, position, |image| {
            scores.insert(game.index(image).unwrap().0, u16::from_value(value).unwrap());
            ControlFlow::Continue(())
        });
    }
    let mut counts = BTreeMap::new();
    scores.values().for_each(|&score| *counts.entry(score).or_default() += 1);
    CollectedReachable { counts: Some(counts), positions: scores.into_iter().collect() }
}

fn repeating_agrees<G: Predecessors, C: Coding<G>>(
    (game, start): (&G, &G::Position),
    coding: C,
    seed: u64,
    clusters: &[&[u32]],
) {
    let coded = Reachable::repeating(game, coding, start);
    compare((game.name(), &coded), &repeating_alone(game, start, coding), seed, clusters);
}

#[test]
fn random_games_with_repetitions_from_many_starts() {
    for seed in some_of(3, 0..60) {
        let game = Graph::random(seed, seed % 7 == 0, seed % 2 == 1);
        let clusters = &[CLUSTERS[seed as usize % CLUSTERS.len()]];
        let starts: Vec<usize> = (0..game.next.len()).filter(|&at| game.exists[at]).collect();
        for start in starts.iter().rev().step_by(7) {
            repeating_agrees((&game, start), ByIndex, seed, clusters);
            repeating_agrees((&game, start), ByPack, seed + 1, clusters);
        }
        let main = starts.into_iter().filter(|&at| at < game.next.len() - game.prelude);
        if game.mirrored {
            for start in main.rev().step_by(9) {
                repeating_agrees((&game, &start), Orbits(ByPack), seed, clusters);
                let able = Capabilities::default().symmetries();
                assert!(ByImages::of_all(&game, &start, able).is_none(), "it has another image than itself");
            }
        }
    }
}

#[test]
fn boards_with_repetitions() {
    for board in ["pushfight:mini,pushers=1,pawns=1", "pushfight:mini,pushers=2,pawns=0"] {
        let game = push_fight(board);
        repeating_agrees((&game, &game.start()), ByIndex, 0, &CLUSTERS);
    }
    for length in [1, 125, 126, 300] {
        let game = Graph::chain(length);
        repeating_agrees((&game, &length), ByIndex, length as u64, &[&[1], &[1, 1, 1]]);
    }
}

#[test]
fn games_with_repetitions_get_the_same_errors() {
    let game = Graph::chain(400);
    let refused = |game: &Graph, start, threads: &[u32], job: fn() -> SharedJob<'static>| {
        together(&Reachable::repeating(game, ByIndex, &start), threads, job).unwrap_err().to_string()
    };
    let message = refused(&game, 400, &[1, 1], || SharedJob::new(1000, &Silent));
    assert!(message.contains("bytes of memory"), "{message}");
    let mut holed = Graph::chain(5);
    holed.exists[2] = false;
    let message = refused(&holed, 5, &[1, 1, 1], job);
    assert!(message.contains("no position"), "{message}");
    let mut circle = Graph::chain(5);
    circle.prelude = 2;
    circle.next[4].push(5);
    let message = refused(&circle, 5, &[1, 2], job);
    assert!(message.contains("in a circle"), "{message}");
}

/// Progress that stops after a number of phases.
struct StopsAfterPhases {
    solving: AtomicBool,
    left: AtomicI64,
}

impl Progress for StopsAfterPhases {
    fn stage(&self, name: &str, _total: u64) {
        self.solving.store(name == "solving, turn by turn", Ordering::Relaxed);
    }
    fn advance(&self, _units: u64) {
        if self.solving.load(Ordering::Relaxed) {
            self.left.fetch_sub(1, Ordering::Relaxed);
        }
    }
    fn stopped(&self) -> bool {
        self.solving.load(Ordering::Relaxed) && self.left.load(Ordering::Relaxed) <= 0
    }
}

/// Checks what is found after many stops; returns how many there were.
fn goes_on<G: Predecessors, P: Progress + Sync>(game: &G, progress: impl Fn() -> P) -> usize {
    let start = game.start();
    let (found, stops) = resumed(&Reachable::repeating(game, ByIndex, &start), progress);
    assert!(found == repeating_alone(game, &start, ByIndex), "{}, after {stops} stops", game.name());
    stops
}

#[test]
fn another_number_of_processes_resumes_a_game_with_repetitions() {
    let game = push_fight("pushfight:mini,pushers=1,pawns=1");
    // Some phase makes this number of calls.
    assert!(goes_on(&game, || StopsAfter::new(25)) > 1);
    let phases = |left| StopsAfterPhases { solving: AtomicBool::new(false), left: AtomicI64::new(left) };
    let mut stops = goes_on(&game, || phases(1));
    for seed in 0..150 {
        let game = Graph::random(seed, false, false);
        if game.exists[game.start()] {
            stops += goes_on(&game, || phases(1 + seed as i64 % 2));
        }
    }
    assert!(stops > 150, "hardly interrupted: {stops} stops");
}

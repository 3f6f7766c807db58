//! Occurring positions solved in files: against the solver in memory, interrupted, on a disk that
//! fails, and with files that are damaged.

use std::path::Path;
use std::sync::Arc;

use retrograde_game::{Dense, Game, Graded, Index};
use retrograde_solve::reachable::{
    ByIndex, ByPack, Coding, Orbits, Spill, solve_graded, solve_graded_on_disk,
};
use retrograde_solve::{Job, NoCheckpoint, Progress, Silent, SolveError, pool};
use retrograde_table::{DiskStorage, SpillFolder, Storage};
use retrograde_testkit::{Fault, FaultyStorage, Graph, StopsAfter, job};
use retrograde_touchdown::TouchDown;

use crate::faults::no_fault_gives_wrong_values;

fn index_of<G: Dense>(game: &G, position: &G::Position) -> Option<u64> {
    game.index(position).map(|Index(index)| index)
}

fn in_memory<G: Dense + Graded, C: Coding<G>>(game: &G, start: &G::Position, coding: C) -> Vec<(u64, u16)> {
    let values = solve_graded(game, start, coding, &mut job(1, &Silent, &mut NoCheckpoint)).unwrap();
    values.into_numbered(game, index_of, &pool(1).unwrap()).unwrap().iter().collect()
}

fn files(storage: Arc<dyn Storage>, place: &Path) -> Result<Box<dyn Spill>, SolveError> {
    let folder = SpillFolder::open(storage, place, "a test").map_err(std::io::Error::from)?;
    Ok(Box::new(folder))
}

/// Solves with so little memory that everything is written again and again.
fn on_disk<G: Dense + Graded, C: Coding<G>>(
    game: &G,
    start: &G::Position,
    coding: C,
    (place, memory): (&Path, u64),
    (storage, progress): (Arc<dyn Storage>, &dyn Progress),
) -> Result<Vec<(u64, u16)>, SolveError> {
    let mut nothing = NoCheckpoint;
    let mut job = Job { threads: 2, memory, horizon: None, progress, checkpoint: &mut nothing };
    let solved = solve_graded_on_disk(game, start, (coding, index_of), &mut job, files(storage, place)?)?;
    let all = solved.iter()?.collect::<Result<Vec<_>, _>>()?;
    assert_eq!(solved.counts().values().sum::<u64>(), all.len() as u64);
    for &(number, score) in all.iter().step_by(97) {
        assert_eq!(solved.score(number)?, Some(score));
    }
    assert_eq!(solved.score(u64::MAX)?, None);
    Ok(all)
}

fn plain() -> Arc<dyn Storage> {
    Arc::new(DiskStorage)
}

#[test]
fn files_hold_what_memory_holds() {
    for seed in 0..40 {
        let game = Graph::random(seed, true, true);
        let start = (0..game.next.len() - game.prelude).rev().find(|&at| game.exists[at]).unwrap_or(0);
        if !game.exists[start] {
            continue;
        }
        let place = tempfile::tempdir().unwrap();
        let solved = on_disk(&game, &start, Orbits(ByPack), (place.path(), 100), (plain(), &Silent)).unwrap();
        assert_eq!(solved, in_memory(&game, &start, Orbits(ByPack)), "seed {seed}");
    }
    for (columns, rows) in [(1, 2), (3, 3), (4, 4), (3, 6), (5, 3)] {
        let game = TouchDown::new(columns, rows).unwrap();
        let expected = in_memory(&game, &game.start(), ByIndex);
        for memory in [1 << 18, 1 << 22] {
            let place = tempfile::tempdir().unwrap();
            let means = || (plain(), &Silent as &dyn Progress);
            let solved = on_disk(&game, &game.start(), Orbits(ByPack), (place.path(), memory), means());
            assert_eq!(solved.unwrap(), expected, "{columns} x {rows} in {memory} bytes");
            // Once more, with all files there.
            let solved = on_disk(&game, &game.start(), Orbits(ByPack), (place.path(), memory), means());
            assert_eq!(solved.unwrap(), expected);
        }
    }
    let chain = Graph::chain(300);
    let place = tempfile::tempdir().unwrap();
    let solved = on_disk(&chain, &300, ByIndex, (place.path(), 1 << 12), (plain(), &Silent)).unwrap();
    assert_eq!(solved, in_memory(&chain, &300, ByIndex));
}

#[test]
fn interrupted_solves_go_on_from_their_files() {
    let game = TouchDown::new(4, 4).unwrap();
    let expected = in_memory(&game, &game.start(), ByPack);
    let place = tempfile::tempdir().unwrap();
    let mut stops = 0;
    let solved = loop {
        // Always as patient: without the files of the runs before it would never end.
        let patience = StopsAfter::new(60);
        let means = (plain(), &patience as &dyn Progress);
        match on_disk(&game, &game.start(), Orbits(ByPack), (place.path(), 1 << 17), means) {
            Err(SolveError::Stopped) => stops += 1,
            other => break other.unwrap(),
        }
        if stops > 50 {
            break Vec::new();
        }
    };
    assert_eq!(solved, expected, "after {stops} stops");
    assert!(stops > 1, "hardly interrupted");
}

/// Whatever call of the file system fails, the solve fails with an error, or it comes out right;
/// and then it goes on from what is there.
#[test]
fn no_fault_of_the_disk_gives_wrong_values() {
    let game = TouchDown::new(2, 3).unwrap();
    let expected = in_memory(&game, &game.start(), ByPack);
    let run = |storage: FaultyStorage, place: &Path| {
        on_disk(&game, &game.start(), Orbits(ByPack), (place, 1 << 12), (Arc::new(storage), &Silent))
    };
    assert!(no_fault_gives_wrong_values(&expected, 17, run) > 50);
    let place = tempfile::tempdir().unwrap();
    assert_eq!(run(FaultyStorage::new(Fault::Short(5)), place.path()).unwrap(), expected);
}

#[test]
fn damaged_files_are_errors() {
    let game = TouchDown::new(3, 3).unwrap();
    let place = tempfile::tempdir().unwrap();
    let run = || on_disk(&game, &game.start(), Orbits(ByPack), (place.path(), 1 << 14), (plain(), &Silent));
    run().unwrap();
    let mut tried = 0;
    for entry in std::fs::read_dir(place.path()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if !name.starts_with("keys-") && !name.starts_with("scores-") {
            continue;
        }
        let right = std::fs::read(&path).unwrap();
        let mut wrong = right.clone();
        wrong[right.len() / 2] ^= 4;
        std::fs::write(&path, wrong).unwrap();
        let error = run().unwrap_err().to_string();
        assert!(error.contains("is damaged") && error.contains(&name), "{error}");
        std::fs::write(&path, right).unwrap();
        tried += 1;
    }
    assert!(tried > 4);
    run().unwrap();
}

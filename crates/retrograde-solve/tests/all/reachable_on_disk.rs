//! Reachable positions solved in files, compared with the solver in memory, interrupted, on a disk that
//! fails, and with damaged files.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use retrograde_game::{Dense, Game, Graded, Predecessors, Score};
use retrograde_solve::reachable::{
    ByIndex, ByPack, Coding, Orbits, Reachable, Spill, hashed, solve, solve_on_disk,
};
use retrograde_solve::testing::{StopsAfter, job};
use retrograde_solve::{Job, NoCheckpoint, Progress, Silent, SolveError};
use retrograde_table::testing::{Fault, FaultyStorage};
use retrograde_table::{DiskStorage, SpillFolder, Storage};
use retrograde_testkit::{Graph, push_fight, some_of};
use retrograde_touchdown::TouchDown;

use crate::faults::no_fault_gives_wrong_values;

fn in_memory<G: Dense + Graded, C: Coding<G>>(game: &G, start: &G::Position, coding: C) -> Vec<(u64, u16)> {
    let solved = solve(&Reachable::graded(game, coding, start), &job(1, &Silent, &mut NoCheckpoint));
    solved.unwrap().iter().unwrap().map(Result::unwrap).collect()
}

fn repeating_in_memory<G: Predecessors, C: Coding<G>>(
    game: &G,
    start: &G::Position,
    coding: C,
) -> Vec<(u64, u16)> {
    let solved = hashed::solve(game, start, &mut job(1, &Silent, &mut NoCheckpoint)).unwrap();
    let mut scores = BTreeMap::new();
    for (position, value) in solved.iter() {
        let _ = coding.each_image(game, position, |image| {
            scores.insert(game.index(image).unwrap().0, u16::from_value(value).unwrap());
            ControlFlow::Continue(())
        });
    }
    scores.into_iter().collect()
}

fn files(storage: Arc<dyn Storage>, place: &Path) -> Result<Box<dyn Spill>, SolveError> {
    let folder = SpillFolder::open(storage, place, "a test", false).map_err(std::io::Error::from)?;
    Ok(Box::new(folder))
}

/// The folder of a solve, and its memory limit.
type Room<'a> = (&'a Path, u64);
/// The storage and the progress of a solve.
type Means<'a> = (Arc<dyn Storage>, &'a dyn Progress);

/// Solves with so little memory that everything is written repeatedly.
fn on_disk<G: Dense + Graded, C: Coding<G>>(
    game: &G,
    start: &G::Position,
    coding: C,
    room: Room<'_>,
    means: Means<'_>,
) -> Result<Vec<(u64, u16)>, SolveError> {
    in_files(&Reachable::graded(game, coding, start), room, means)
}

/// The same in a game that can repeat.
fn repeating_on_disk<G: Predecessors, C: Coding<G>>(
    game: &G,
    start: &G::Position,
    coding: C,
    room: Room<'_>,
    means: Means<'_>,
) -> Result<Vec<(u64, u16)>, SolveError> {
    in_files(&Reachable::repeating(game, coding, start), room, means)
}

fn in_files(
    game: &Reachable<'_>,
    (place, memory): Room<'_>,
    (storage, progress): Means<'_>,
) -> Result<Vec<(u64, u16)>, SolveError> {
    let mut nothing = NoCheckpoint;
    let job = Job { threads: 2, memory, horizon: None, progress, checkpoint: &mut nothing };
    let solved = solve_on_disk(game, &job, files(storage, place)?)?;
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
fn solving_in_files_agrees_with_solving_in_memory() {
    for seed in some_of(3, 0..40) {
        let game = Graph::random(seed, true, true);
        let start = (0..game.next.len() - game.prelude).rev().find(|&at| game.exists[at]).unwrap_or(0);
        if !game.exists[start] {
            continue;
        }
        let place = retrograde_testkit::tempdir().unwrap();
        let solved = on_disk(&game, &start, Orbits(ByPack), (place.path(), 100), (plain(), &Silent)).unwrap();
        assert_eq!(solved, in_memory(&game, &start, Orbits(ByPack)), "seed {seed}");
    }
    for (columns, rows) in [(1, 2), (3, 3), (4, 4), (3, 6), (5, 3)] {
        let game = TouchDown::new(columns, rows).unwrap();
        let expected = in_memory(&game, &game.start(), ByIndex);
        for memory in [1 << 18, 1 << 22] {
            let place = retrograde_testkit::tempdir().unwrap();
            let means = || (plain(), &Silent as &dyn Progress);
            let solved = on_disk(&game, &game.start(), Orbits(ByPack), (place.path(), memory), means());
            assert_eq!(solved.unwrap(), expected, "{columns} x {rows} in {memory} bytes");
            // Once more, with all files present.
            let solved = on_disk(&game, &game.start(), Orbits(ByPack), (place.path(), memory), means());
            assert_eq!(solved.unwrap(), expected);
        }
    }
    let chain = Graph::chain(300);
    let place = retrograde_testkit::tempdir().unwrap();
    let solved = on_disk(&chain, &300, ByIndex, (place.path(), 1 << 12), (plain(), &Silent)).unwrap();
    assert_eq!(solved, in_memory(&chain, &300, ByIndex));
}

/// Files do not store where the same player moves again.
#[test]
fn games_without_alternating_players_are_rejected() {
    let game = Graph::random(5, true, false).some_seated(5);
    let (start, place) = (game.start(), retrograde_testkit::tempdir().unwrap());
    let refused = [
        on_disk(&game, &start, ByPack, (place.path(), 100), (plain(), &Silent)),
        repeating_on_disk(&game, &start, ByPack, (place.path(), 100), (plain(), &Silent)),
    ];
    for refused in refused {
        assert!(matches!(refused, Err(SolveError::NotAlternating(_))), "{refused:?}");
    }
}

#[test]
fn solving_in_files_agrees_for_games_with_repetitions() {
    fn agrees<G: Predecessors, C: Coding<G>>(game: &G, start: &G::Position, coding: C, memory: u64) {
        let expected = repeating_in_memory(game, start, coding);
        let place = retrograde_testkit::tempdir().unwrap();
        let solve = || repeating_on_disk(game, start, coding, (place.path(), memory), (plain(), &Silent));
        assert!(solve().unwrap() == expected, "{} from {start:?}", game.name());
        if memory > 1 << 13 {
            // Once more, with all files present.
            assert!(solve().unwrap() == expected, "{} from {start:?}", game.name());
        }
    }
    for seed in some_of(3, 0..28) {
        let game = Graph::random(seed, seed % 7 == 0, seed % 2 == 1);
        let starts: Vec<usize> = (0..game.next.len()).filter(|&at| game.exists[at]).collect();
        for start in starts.iter().rev().step_by(23) {
            agrees(&game, start, ByIndex, 1 << 13);
            agrees(&game, start, ByPack, 1 << 20);
        }
        let main = starts.into_iter().filter(|&at| at < game.next.len() - game.prelude);
        if game.mirrored {
            main.rev().step_by(19).for_each(|start| agrees(&game, &start, Orbits(ByPack), 1 << 13));
        }
    }
    for length in [1, 126] {
        agrees(&Graph::chain(length), &length, ByIndex, 1 << 13);
    }
    for board in ["pushfight:mini,pushers=1,pawns=1", "pushfight:mini,pushers=2,pawns=0"] {
        let game = push_fight(board);
        agrees(&game, &game.start(), ByIndex, 1 << 18);
    }
}

#[test]
fn broken_promises_and_too_little_memory_end_a_solve_in_files() {
    let solve = |game: &Graph, memory| {
        let place = retrograde_testkit::tempdir().unwrap();
        repeating_on_disk(game, &5, ByIndex, (place.path(), memory), (plain(), &Silent)).unwrap_err()
    };
    let mut holed = Graph::chain(5);
    holed.exists[2] = false;
    assert!(solve(&holed, 1 << 20).to_string().contains("no position"));
    let mut circle = Graph::chain(5);
    circle.prelude = 2;
    assert!(matches!(solve(&circle, 100), SolveError::Memory { .. }));
    circle.next[4].push(5);
    assert!(solve(&circle, 1 << 20).to_string().contains("in a circle"));
}

/// Solves with limited patience, again and again until it is done.
fn goes_on(
    expected: &[(u64, u16)],
    patience: i64,
    solve: impl Fn(&Path, Means<'_>) -> Result<Vec<(u64, u16)>, SolveError>,
) {
    let place = retrograde_testkit::tempdir().unwrap();
    let mut stops = 0;
    let solved = loop {
        // The patience does not grow: without the files of earlier runs it would never end.
        match solve(place.path(), (plain(), &StopsAfter::new(patience))) {
            Err(SolveError::Stopped) => stops += 1,
            other => break other.unwrap(),
        }
        if stops > 50 {
            break Vec::new();
        }
    };
    assert!(solved == expected, "after {stops} stops");
    assert!(stops > 1, "hardly interrupted");
}

#[test]
fn interrupted_solves_resume_from_their_files() {
    let game = TouchDown::new(4, 4).unwrap();
    goes_on(&in_memory(&game, &game.start(), ByPack), 60, |place, means| {
        on_disk(&game, &game.start(), Orbits(ByPack), (place, 1 << 20), means)
    });
    let game = push_fight("pushfight:mini,pushers=1,pawns=1");
    goes_on(&repeating_in_memory(&game, &game.start(), ByIndex), 30, |place, means| {
        repeating_on_disk(&game, &game.start(), ByIndex, (place, 1 << 23), means)
    });
}

/// Every call of the file system fails in turn. The solve then fails with an error or has the right result,
/// and the next one resumes from what exists.
#[test]
fn disk_faults_never_give_wrong_values() {
    let game = TouchDown::new(2, 3).unwrap();
    let expected = in_memory(&game, &game.start(), ByPack);
    let run = |storage: FaultyStorage, place: &Path| {
        on_disk(&game, &game.start(), Orbits(ByPack), (place, 1 << 12), (Arc::new(storage), &Silent))
    };
    assert!(no_fault_gives_wrong_values(&expected, 17, run) > 50);
    let place = retrograde_testkit::tempdir().unwrap();
    assert_eq!(run(FaultyStorage::new(Fault::Short(5)), place.path()).unwrap(), expected);

    let game = Graph::random(6, false, false);
    let start = (0..game.next.len()).rev().find(|&at| game.exists[at]).unwrap();
    let expected = repeating_in_memory(&game, &start, ByPack);
    let run = |storage: FaultyStorage, place: &Path| {
        repeating_on_disk(&game, &start, ByPack, (place, 1 << 12), (Arc::new(storage), &Silent))
    };
    assert!(no_fault_gives_wrong_values(&expected, 17, run) > 50);
    let place = retrograde_testkit::tempdir().unwrap();
    assert_eq!(run(FaultyStorage::new(Fault::Short(5)), place.path()).unwrap(), expected);
}

/// Damages in turn each of the files that a solve needs.
fn damage_is_told(names: &[&str], solve: impl Fn(&Path) -> Result<Vec<(u64, u16)>, SolveError>) {
    let place = retrograde_testkit::tempdir().unwrap();
    solve(place.path()).unwrap();
    let mut tried = 0;
    for entry in std::fs::read_dir(place.path()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if !names.iter().any(|begins| name.starts_with(begins)) {
            continue;
        }
        let right = std::fs::read(&path).unwrap();
        let mut wrong = right.clone();
        wrong[right.len() / 2] ^= 4;
        std::fs::write(&path, wrong).unwrap();
        let error = solve(place.path()).unwrap_err().to_string();
        assert!(error.contains("is damaged") && error.contains(&name), "{error}");
        std::fs::write(&path, right).unwrap();
        tried += 1;
    }
    assert!(tried > 4);
    solve(place.path()).unwrap();
}

#[test]
fn damaged_files_are_errors() {
    let game = TouchDown::new(3, 3).unwrap();
    damage_is_told(&["keys-", "scores-"], |place| {
        on_disk(&game, &game.start(), Orbits(ByPack), (place, 1 << 14), (plain(), &Silent))
    });
    let game = push_fight("pushfight:mini,pushers=1,pawns=1");
    damage_is_told(&["before", "decided-", "open-"], |place| {
        repeating_on_disk(&game, &game.start(), ByIndex, (place, 1 << 18), (plain(), &Silent))
    });
}

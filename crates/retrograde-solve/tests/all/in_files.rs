//! Stages solved in files, compared with the sweep, interrupted, on a disk that fails, and with damaged
//! files.

use std::path::Path;
use std::sync::Arc;

use retrograde_game::{Dense, Knowledge, Score, Stored, Turns, Value};
use retrograde_solve::reachable::Spill;
use retrograde_solve::retrograde::Retrograde;
use retrograde_solve::testing::{StopsAfter, all_stored, job};
use retrograde_solve::{Job, NoCheckpoint, Progress, Silent, SolveError, sweep};
use retrograde_table::testing::FaultyStorage;
use retrograde_table::{DiskStorage, SpillFolder, Storage};
use retrograde_testkit::Graph;

use crate::faults::no_fault_gives_wrong_values;

fn swept<G: Dense>(game: &G) -> Vec<Stored> {
    all_stored(&sweep::solve(game, &mut job(1, &Silent, &mut NoCheckpoint)).unwrap())
}

fn files(storage: Arc<dyn Storage>, place: &Path) -> Result<Box<dyn Spill>, SolveError> {
    let folder = SpillFolder::open(storage, place, "a test", true).map_err(std::io::Error::from)?;
    Ok(Box::new(folder))
}

fn in_files(
    game: &Graph,
    place: &Path,
    (storage, progress, threads): (Arc<dyn Storage>, &dyn Progress, usize),
) -> Result<Vec<Stored>, SolveError> {
    let mut solver = Retrograde::new(game).predecessors().staged();
    if game.mirrored {
        solver = solver.symmetries();
    }
    let memory = solver.memory_in_files().unwrap();
    let mut nothing = NoCheckpoint;
    let mut job = Job { threads, memory, horizon: None, progress, checkpoint: &mut nothing };
    let solved = solver.solve_in_files(&mut job, files(storage, place)?)?;
    let pieces = solved.pieces().collect::<Result<Vec<_>, _>>()?;
    let scores: Vec<u16> = pieces.into_iter().flatten().collect();
    assert_eq!(solved.len(), scores.len() as u64);
    for (score, count) in solved.counts() {
        assert_eq!(scores.iter().filter(|&other| other == score).count() as u64, *count);
    }
    Ok(scores.into_iter().map(Score::stored).collect())
}

fn plain() -> Arc<dyn Storage> {
    Arc::new(DiskStorage)
}

fn staged(seed: u64) -> Graph {
    Graph::staged(seed, seed % 2 == 1).some_seated(seed).without_prelude()
}

#[test]
fn solving_in_files_agrees_with_the_sweep() {
    for seed in 0..60 {
        let game = staged(seed);
        let place = retrograde_testkit::tempdir().unwrap();
        let expected = swept(&game);
        for run in ["anew", "with all files there"] {
            let means = (plain(), &Silent as &dyn Progress, 1 + seed as usize % 2);
            assert_eq!(in_files(&game, place.path(), means).unwrap(), expected, "seed {seed}, {run}");
        }
    }
}

/// A game of three stages, in which values of the first take more turns than one byte can express.
fn long() -> Graph {
    let mut game = Graph::chain(900);
    game.stages = (0..=900).map(|at| at / 301).collect();
    game
}

#[test]
fn long_games_and_horizons() {
    let game = long();
    let place = retrograde_testkit::tempdir().unwrap();
    let solved = in_files(&game, place.path(), (plain(), &Silent, 1)).unwrap();
    assert_eq!(solved, swept(&game));
    assert_eq!(solved[899], Stored::Known(Knowledge::Exact(Value::Win(Turns(899)))));
    let solver = Retrograde::new(&game).predecessors().staged();
    let (mut nothing, place) = (NoCheckpoint, retrograde_testkit::tempdir().unwrap());
    let mut job = Job {
        threads: 1,
        memory: 1 << 20,
        horizon: Some(Turns(400)),
        progress: &Silent,
        checkpoint: &mut nothing,
    };
    let solved = solver.solve_in_files(&mut job, files(plain(), place.path()).unwrap()).unwrap();
    let scores: Vec<u16> = solved.pieces().flat_map(Result::unwrap).collect();
    for (turns, score) in (0..).zip(scores) {
        assert_eq!(score.stored() == Stored::Known(Knowledge::Unknown), turns > 400, "{turns}");
    }
}

#[test]
fn unsupported_games_give_a_reason() {
    let game = long();
    let plain_solver = Retrograde::new(&game).staged();
    assert_eq!(plain_solver.memory_in_files(), None);
    let place = retrograde_testkit::tempdir().unwrap();
    let solve = |solver: Retrograde<'_, Graph>, memory: u64| {
        let mut nothing = NoCheckpoint;
        let mut job = Job { threads: 1, memory, horizon: None, progress: &Silent, checkpoint: &mut nothing };
        solver.solve_in_files(&mut job, files(plain(), place.path()).unwrap()).err().unwrap().to_string()
    };
    assert!(solve(plain_solver, 1 << 20).contains("too many for a table"));
    let able = || Retrograde::new(&game).predecessors().staged();
    let need = able().memory_in_files().unwrap();
    assert!(need < 4 * 901, "two of three stages: {need}");
    let error = solve(able(), need - 1);
    assert!(error.contains(&format!("{need} bytes of memory")), "{error}");
}

#[test]
fn interrupted_solves_resume_from_their_files() {
    let game = staged(7);
    let expected = swept(&game);
    let place = retrograde_testkit::tempdir().unwrap();
    let mut stops = 0;
    let solved = loop {
        // A little more patience each time, because a stage cannot be interrupted halfway.
        let patience = StopsAfter::new(2 + stops);
        match in_files(&game, place.path(), (plain(), &patience, 1)) {
            Err(SolveError::Stopped) => stops += 1,
            other => break other.unwrap(),
        }
    };
    assert_eq!(solved, expected, "after {stops} stops");
    assert!(stops > 1, "hardly interrupted");
}

/// Every call of the file system fails in turn. The solve then fails with an error or has the right result,
/// and the next one resumes from what exists.
#[test]
fn disk_faults_never_give_wrong_values() {
    let game = staged(3);
    let expected = swept(&game);
    let run = |storage: FaultyStorage, place: &Path| in_files(&game, place, (Arc::new(storage), &Silent, 1));
    no_fault_gives_wrong_values(&expected, 1, run);
}

#[test]
fn damaged_files_are_errors() {
    let game = long();
    let place = retrograde_testkit::tempdir().unwrap();
    let run = || in_files(&game, place.path(), (plain(), &Silent, 1));
    let expected = run().unwrap();
    let mut tried = 0;
    for entry in std::fs::read_dir(place.path()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if !name.starts_with("stage-") {
            continue;
        }
        let right = std::fs::read(&path).unwrap();
        for at in [3, right.len() / 2, right.len() - 5] {
            let mut wrong = right.clone();
            wrong[at] ^= 4;
            std::fs::write(&path, wrong).unwrap();
            let error = run().unwrap_err().to_string();
            assert!(error.contains(&name), "{error}");
        }
        std::fs::write(&path, right).unwrap();
        tried += 1;
    }
    assert_eq!(tried, 3);
    assert_eq!(run().unwrap(), expected);
}

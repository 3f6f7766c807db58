//! Compares solutions with the plain solver, interrupts solves, and damages and truncates files.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use retrograde_game::{Dense, Index, Knowledge, Turns, Value};
use retrograde_solve::Silent;
use retrograde_table::{DiskStorage, Sink, Source, TableError};
use retrograde_testkit::some_of;

use super::*;
use crate::solution::open::Solution;
use crate::testing::{self, Fuse, config_within, exact_value, game, plain_scores};

/// Keeps the logs, and writes no wins.
fn logs() -> Retention {
    Retention { logs: true, wins: false }
}

#[test]
fn a_solution_agrees_with_the_plain_solver() {
    for name in [
        "pushfight:mini,pushers=2,pawns=1",
        "pushfight:mini,pushers=1,pawns=2,moves=1",
        "pushfight:x.board,pushers=1,pawns=3",
    ] {
        let game = game(name);
        let scores = plain_scores(&game);
        let directory = retrograde_testkit::tempdir().unwrap();
        let info =
            solve_into(&game, directory.path(), &config_within(&Silent, None), Retention::default()).unwrap();
        let left: Vec<String> = DiskStorage.names(directory.path()).unwrap();
        assert!(left.iter().all(|name| !name.starts_with("phase-")), "{left:?}");
        let solution = Solution::open(&game, directory.path()).unwrap().unwrap();
        assert_eq!(solution.info(), &info);
        let base = game.index_count() as u64 - game.prelude();
        let (mut lost, mut plausible) = (0, 0);
        for index in 0..game.index_count() as u64 {
            let Some(position) = game.position(Index(index)) else { continue };
            let value = exact_value(&scores, Index(index));
            let expected = match value {
                value if index >= base => Some(Knowledge::Exact(value)),
                _ if !game.is_plausible(&position) => None,
                Value::Loss(_) => Some(Knowledge::Exact(value)),
                _ => Some(Knowledge::NotLost),
            };
            assert_eq!(solution.get(&game, &position).unwrap(), expected, "{name} {index}");
            lost += u64::from(matches!(expected, Some(Knowledge::Exact(_))) && index < base);
            plausible += u64::from(expected.is_some() && index < base);
        }
        // These values take a search.
        for index in some_of(3, 0..game.index_count() as u64).map(Index) {
            let Some(position) = game.position(index) else { continue };
            let exact = Some(Knowledge::Exact(exact_value(&scores, index)));
            assert_eq!(solution.value(&game, &position).unwrap(), exact, "{name} {index}");
        }
        let all = |lost: bool| {
            let count_phase = info.phases.iter().filter(|phase| !lost || phase.turns % 2 == 0);
            count_phase.map(|phase| phase.all).sum::<u64>()
        };
        assert_eq!(all(true), lost, "{name}");
        assert_eq!(all(false) + info.draws.as_ref().unwrap().all, plausible, "{name}");
        assert_eq!(u128::from(plausible), game.plausible_count().unwrap(), "{name}");
        let mut seen = 0;
        solution
            .losses()
            .for_each(|position, turns| {
                let index = game.index(&position).unwrap();
                assert_eq!(exact_value(&scores, index), Value::Loss(Turns(turns)));
                seen += testing::images(&game, &position);
                Ok::<_, TableError>(true)
            })
            .unwrap();
        let expected = info.phases.iter().filter(|phase| phase.turns % 2 == 0);
        assert_eq!(seen, expected.map(|phase| phase.all + phase.starts).sum::<u64>());
        let empty = exact_value(&scores, game.index(&game.start()).unwrap());
        let start = info.start.unwrap();
        assert_eq!((start.outcome, start.turns), (Some(empty.outcome()), empty.turns()), "{name}");
        assert!(solution.check(&Silent).unwrap().1.is_empty());
    }
}

#[test]
fn an_interrupted_solve_ends_with_the_same_bytes() {
    let game = game("pushfight:mini,pushers=2,pawns=1");
    let (whole, parts) = (retrograde_testkit::tempdir().unwrap(), retrograde_testkit::tempdir().unwrap());
    let first = solve_into(&game, whole.path(), &config_within(&Silent, None), logs()).unwrap();
    let mut runs = 0;
    let second = loop {
        let fuse = Fuse::new(270 + 25 * runs);
        match solve_into(&game, parts.path(), &config_within(&fuse, None), logs()) {
            Ok(info) => break info,
            Err(SolveError::Stopped) => runs += 1,
            Err(error) => panic!("{error}"),
        }
        assert!(Solution::open(&game, parts.path()).unwrap().is_none());
    };
    assert!(runs > 3);
    let strip = |mut info: SolutionInfo| {
        info.seconds = None;
        info.phases.iter_mut().for_each(|phase| phase.seconds = 0.0);
        info
    };
    assert_eq!(strip(first), strip(second));
    let bytes = |directory: &Path| {
        let bytes = fs::read(directory.join(DepthFileKind::Losses.file())).unwrap();
        let description = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        // From the end of the description, which contains times, to the directory of blocks.
        let at = u64::from_le_bytes(bytes[bytes.len() - 32..][..8].try_into().unwrap());
        bytes[description + 20..at as usize].to_vec()
    };
    assert!(bytes(whole.path()) == bytes(parts.path()));

    // A damaged log is computed again on the way.
    let log = parts.path().join("phase-003-0.rgl");
    let mut damaged = fs::read(&log).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 4;
    fs::write(&log, damaged).unwrap();
    solve_into(&game, parts.path(), &config_within(&Silent, None), Retention::default()).unwrap();
    assert!(bytes(whole.path()) == bytes(parts.path()));
}

#[test]
fn damaged_losses_are_detected() {
    let game = game("pushfight:mini,pushers=1,pawns=2,moves=1");
    let directory = retrograde_testkit::tempdir().unwrap();
    testing::write_solution(&game, directory.path(), Retention::default());
    testing::assert_damage_is_noticed(&game, directory.path(), DepthFileKind::Losses);
}

#[test]
fn a_horizon_leaves_the_rest_undecided() {
    let game = game("pushfight:mini,pushers=2,pawns=1");
    let directory = retrograde_testkit::tempdir().unwrap();
    let info = solve_into(&game, directory.path(), &config_within(&Silent, Some(3)), logs()).unwrap();
    assert_eq!(info.phases.len(), 4);
    assert_eq!((info.horizon, info.draws.is_none(), info.start), (Some(3), true, None));
    // The next run continues from it.
    let info =
        solve_into(&game, directory.path(), &config_within(&Silent, None), Retention::default()).unwrap();
    assert!(info.phases.len() > 4 && info.horizon.is_none() && info.start.is_some());
}

/// The disk, until the process dies at a step: from then on nothing works, not even cleanup.
#[derive(Clone, Debug)]
struct Dying {
    steps: Arc<AtomicU64>,
    last: u64,
}

impl Dying {
    fn at(last: u64) -> Dying {
        Dying { steps: Arc::default(), last }
    }

    fn died(&self) -> bool {
        self.steps.load(Ordering::Relaxed) > self.last
    }

    fn step(&self) -> io::Result<()> {
        match self.steps.fetch_add(1, Ordering::Relaxed) < self.last {
            true => Ok(()),
            false => Err(io::Error::other("killed")),
        }
    }
}

struct DyingSink(Dying, Box<dyn Sink>);

impl Sink for DyingSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(death) = self.0.step() {
            // Half of the bytes had reached the disk.
            let half = &bytes[..bytes.len() / 2];
            if !half.is_empty() {
                let _ = self.1.write(half);
            }
            return Err(death);
        }
        self.1.write(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.step()?;
        self.1.sync()
    }
}

impl Storage for Dying {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>> {
        DiskStorage.open(path)
    }
    fn create(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        self.step()?;
        Ok(Box::new(DyingSink(self.clone(), DiskStorage.create(path)?)))
    }
    fn append(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        self.step()?;
        Ok(Box::new(DyingSink(self.clone(), DiskStorage.append(path)?)))
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        DiskStorage.rename(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        DiskStorage.remove(path)
    }
    fn create_directory(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        DiskStorage.create_directory(path)
    }
    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        DiskStorage.remove_directory(path)
    }
    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        DiskStorage.sync_directory(path)
    }
    fn names(&self, path: &Path) -> io::Result<Vec<String>> {
        DiskStorage.names(path)
    }
}

/// The names of all files below a directory.
fn names_below(directory: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            names.extend(names_below(&path).into_iter().map(|inner| format!("{name}/{inner}")));
        } else {
            names.push(name);
        }
    }
    names.sort();
    names
}

#[test]
fn a_solve_resumes_after_any_step_and_cleans_up() {
    kill_at_any_step(1);
}

#[test]
fn a_solve_in_parts_resumes_after_any_step_and_cleans_up() {
    kill_at_any_step(3);
}

fn kill_at_any_step(parts: usize) {
    let game = game("pushfight:mini,pushers=1,pawns=1");
    let whole = retrograde_testkit::tempdir().unwrap();
    let keep = Retention { logs: false, wins: true };
    solve_into(&game, whole.path(), &config_within(&Silent, None), keep).unwrap();
    let expected = names_below(whole.path());
    let bytes = |directory: &Path, kind| testing::bytes(directory, kind);
    let mut last = 0;
    for step in some_of(3, (0..40).chain((40..).step_by(3))) {
        let directory = retrograde_testkit::tempdir().unwrap();
        let dying = Dying::at(step);
        let config = SolveConfig {
            storage: Arc::new(dying.clone()),
            threads: 1,
            parts,
            ..config_within(&Silent, None)
        };
        let killed = solve_into(&game, directory.path(), &config, keep);
        assert_eq!(killed.is_err(), dying.died(), "step {step}");
        // A solution is complete or absent.
        let solved = Solution::open(&game, directory.path()).unwrap().is_some();
        let disk: Arc<dyn Storage> = Arc::new(DiskStorage);
        remove_leftovers(&game, directory.path(), &disk, false).unwrap();
        let left = names_below(directory.path());
        assert!(left.iter().all(|name| !name.ends_with(".tmp")), "step {step}: {left:?}");
        let config = SolveConfig { parts, ..config_within(&Silent, None) };
        let again = solve_into(&game, directory.path(), &config, keep);
        again.unwrap_or_else(|error| panic!("step {step}: {error}"));
        assert_eq!(names_below(directory.path()), expected, "step {step}, solved before: {solved}");
        for kind in [DepthFileKind::Losses, DepthFileKind::Wins] {
            assert!(bytes(directory.path(), kind) == bytes(whole.path(), kind), "step {step}");
        }
        if !dying.died() {
            break;
        }
        last = step;
    }
    assert!(last > 100, "{last} steps");
}

/// Collects the notes.
#[derive(Default)]
struct Ear(parking_lot::Mutex<Vec<String>>);

impl retrograde_solve::Progress for Ear {
    fn stage(&self, _name: &str, _total: u64) {}
    fn advance(&self, _units: u64) {}
    fn note(&self, text: &str) {
        self.0.lock().push(text.to_owned());
    }
}

#[test]
fn a_repair_computes_only_results_that_depend_on_damage() {
    let game = game("pushfight:mini,pushers=2,pawns=1");
    let directory = retrograde_testkit::tempdir().unwrap();
    let keep = Retention { logs: false, wins: true };
    let first = solve_into(&game, directory.path(), &config_within(&Silent, None), keep).unwrap();
    let right: Vec<(std::path::PathBuf, Vec<u8>)> =
        ["losses.rgp", "wins.rgp", "placements/values.rgt", "placements/manifest.json"]
            .map(|name| directory.path().join(name))
            .map(|path| (path.clone(), fs::read(&path).unwrap()))
            .into();
    let before = names_below(directory.path());
    for (path, bytes) in &right {
        let mut damaged = bytes.clone();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 8;
        fs::write(path, damaged).unwrap();
        let ear = Ear::default();
        // The wins are repaired without being requested.
        let info = repair(&game, directory.path(), &config_within(&ear, None), Retention::default()).unwrap();
        assert_eq!(
            info.phases.iter().map(|phase| phase.all).collect::<Vec<_>>(),
            first.phases.iter().map(|phase| phase.all).collect::<Vec<_>>()
        );
        for (path, bytes) in right.iter().filter(|(path, _)| !path.ends_with("manifest.json")) {
            assert!(fs::read(path).unwrap() == *bytes, "{}", path.display());
        }
        assert_eq!(names_below(directory.path()), before);
        let solution = Solution::open(&game, directory.path()).unwrap().unwrap();
        assert!(solution.check(&Silent).unwrap().1.is_empty() && solution.wins().is_some());
    }
}

#[test]
fn a_damaged_log_is_reported() {
    let game = game("pushfight:mini,pushers=2,pawns=1");
    let directory = retrograde_testkit::tempdir().unwrap();
    solve_into(&game, directory.path(), &config_within(&Silent, None), logs()).unwrap();
    for name in ["phase-000-0.rgl", "phase-001-0.rgl", "phase-002-0.rgl", "phase-65535-0.rgl"] {
        let path = directory.path().join(name);
        let right = fs::read(&path).unwrap();
        for at in [20, 60, right.len() - 10] {
            let mut damaged = right.clone();
            damaged[at] ^= 1;
            fs::write(&path, damaged).unwrap();
            let ear = Ear::default();
            solve_into(&game, directory.path(), &config_within(&ear, None), logs()).unwrap();
            let notes = ear.0.into_inner();
            assert!(notes.iter().any(|note| note.contains(name)), "{name}, byte {at}: {notes:?}");
        }
    }
}

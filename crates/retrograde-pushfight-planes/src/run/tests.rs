//! Interrupts solves, damages and truncates files, and lets calls of the file system fail.

use std::fs;

use retrograde_solve::Silent;
use retrograde_table::testing::{Fault, FaultyStorage};
use retrograde_table::{DiskStorage, TableError};
use retrograde_testkit::some_of;

use super::*;
use crate::solution::Solution;
use crate::testing::{self, Fuse, config_within, game};

/// Keeps the logs, and writes no wins.
fn logs() -> Retention {
    Retention { logs: true, wins: false }
}

#[test]
fn an_interrupted_solve_ends_with_the_same_bytes() {
    interrupt_and_damage(|_| 1);
}

#[test]
fn a_solve_resumes_with_another_number_of_parts() {
    interrupt_and_damage(|_| 3);
    interrupt_and_damage(|run| [2, 2, 1, 5, 3][run as usize / 2 % 5]);
}

fn interrupt_and_damage(parts_of_run: impl Fn(u64) -> usize) {
    let game = game("pushfight:mini,pushers=2,pawns=1");
    let (whole, parts) = (retrograde_testkit::tempdir().unwrap(), retrograde_testkit::tempdir().unwrap());
    let keep = Retention { logs: true, wins: true };
    testing::write_solution(&game, whole.path(), keep);
    let logs = || {
        let files = fs::read_dir(parts.path()).unwrap().map(|entry| entry.unwrap().path());
        files.filter(|path| path.extension().is_some_and(|ending| ending == "rgl"))
    };
    let mut runs = 0;
    loop {
        // Each run gets a little further than the one before.
        let fuse = Fuse::new(150 + 37 * runs);
        let config = SolveConfig { parts: parts_of_run(runs), ..config_within(&fuse, None) };
        match solve_into(&game, parts.path(), &config, keep) {
            Ok(_) => break,
            Err(SolveError::Stopped) => runs += 1,
            Err(error) => panic!("{error}"),
        }
        assert!(Solution::open(&game, parts.path()).unwrap().is_none());
        // The last log may also end within a record.
        if let Some(path) = logs().max().filter(|_| runs % 3 == 0) {
            let length = fs::metadata(&path).unwrap().len();
            fs::File::options().write(true).open(&path).unwrap().set_len(length - length.min(7)).unwrap();
        }
    }
    assert!(runs > 3);
    assert_same_files(whole.path(), parts.path(), "");

    // One flipped bit in each log, somewhere: what is damaged is computed again.
    assert!(logs().count() > 5);
    for (number, path) in logs().enumerate() {
        let mut bytes = fs::read(&path).unwrap();
        let at = 997 * (number + 1) % bytes.len();
        bytes[at] ^= 1 << (number % 8);
        fs::write(&path, bytes).unwrap();
    }
    fs::remove_file(parts.path().join(DepthFileKind::Losses.file())).unwrap();
    let config = SolveConfig { parts: parts_of_run(0), ..config_within(&Silent, None) };
    solve_into(&game, parts.path(), &config, keep).unwrap();
    assert_same_files(whole.path(), parts.path(), "");
}

/// Both solutions have the same losses and wins.
fn assert_same_files(one: &Path, other: &Path, what: &str) {
    for kind in [DepthFileKind::Losses, DepthFileKind::Wins] {
        assert!(testing::bytes(one, kind) == testing::bytes(other, kind), "{kind:?} {what}");
    }
}

/// Flips bits of a solution's files and truncates them.
#[test]
fn damaged_files_are_detected() {
    let game = game("pushfight:mini,pushers=1,pawns=2,moves=1");
    let directory = retrograde_testkit::tempdir().unwrap();
    testing::write_solution(&game, directory.path(), Retention { logs: false, wins: true });
    for kind in [DepthFileKind::Losses, DepthFileKind::Wins] {
        let path = directory.path().join(kind.file());
        let right = fs::read(&path).unwrap();
        let wrong = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            match Solution::open(&game, directory.path()) {
                Err(_) => true,
                Ok(solution) => !solution.unwrap().check(&Silent).unwrap().1.is_empty(),
            }
        };
        for at in some_of(3, (0..right.len()).step_by(37)) {
            let mut bytes = right.clone();
            bytes[at] ^= 1 << (at % 8);
            assert!(wrong(&bytes), "{kind:?}, byte {at}");
        }
        for length in some_of(3, (0..right.len()).step_by(211)) {
            assert!(wrong(&right[..length]), "{kind:?}, {length} bytes");
        }
        assert!(!wrong(&right));
    }
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

/// The names of all files below a directory.
fn names_below(directory: &Path) -> Vec<String> {
    retrograde_testkit::files(directory).into_keys().collect()
}

#[test]
fn after_any_failing_call_a_solve_resumes_and_cleans_up() {
    resume_after_faults(1);
}

#[test]
fn after_any_failing_call_a_solve_in_parts_resumes_and_cleans_up() {
    resume_after_faults(3);
}

/// Some calls of the file system fail: once, from then on, or because the disk is full.
fn resume_after_faults(parts: usize) {
    let game = game("pushfight:mini,pushers=1,pawns=1");
    let whole = retrograde_testkit::tempdir().unwrap();
    let keep = Retention { logs: false, wins: true };
    testing::write_solution(&game, whole.path(), keep);
    let expected = names_below(whole.path());
    for (fault, first) in [(Fault::Once as fn(u64) -> Fault, 0), (Fault::Forever, 1), (Fault::Full, 2)] {
        let mut faults = 0;
        for number in some_of(3, (first..).step_by(17)) {
            let directory = retrograde_testkit::tempdir().unwrap();
            let faulty = FaultyStorage::new(fault(number));
            let storage: Arc<dyn Storage> = Arc::new(faulty.clone());
            let config = SolveConfig { storage, threads: 1, parts, ..config_within(&Silent, None) };
            let failed = solve_into(&game, directory.path(), &config, keep).err();
            let fired = faulty.fired().unwrap_or_default();
            assert!(failed.is_none() || !fired.is_empty(), "{failed:?}");
            // A solution is complete or absent.
            let solved = Solution::open(&game, directory.path()).unwrap().is_some();
            let disk: Arc<dyn Storage> = Arc::new(DiskStorage);
            remove_leftovers(&game, directory.path(), &disk, false).unwrap();
            let left = names_below(directory.path());
            assert!(left.iter().all(|name| !name.ends_with(".tmp")), "{fired}: {left:?}");
            if failed.is_some() {
                let config = SolveConfig { parts, ..config_within(&Silent, None) };
                let again = solve_into(&game, directory.path(), &config, keep);
                again.unwrap_or_else(|error| panic!("{fired}: {error}"));
            }
            assert_eq!(names_below(directory.path()), expected, "{fired}, solved before: {solved}");
            assert_same_files(directory.path(), whole.path(), &fired);
            if fired.is_empty() {
                break;
            }
            faults += 1;
        }
        assert!(faults > 3, "{faults} faults");
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
        // The wins are repaired without being requested.
        let info =
            repair(&game, directory.path(), &config_within(&Silent, None), Retention::default()).unwrap();
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
fn placements_that_were_removed_are_written_again() {
    let game = game("pushfight:mini,pushers=1,pawns=1");
    let directory = retrograde_testkit::tempdir().unwrap();
    testing::write_solution(&game, directory.path(), Retention::default());
    let (before, placements) = (names_below(directory.path()), directory.path().join(PLACEMENTS));
    let manifest = placements.join("manifest.json");
    for whole_folder in [false, true] {
        if whole_folder {
            fs::remove_dir_all(&placements).unwrap();
        } else {
            fs::remove_file(&manifest).unwrap();
        }
        let error = Solution::open(&game, directory.path()).err();
        assert!(matches!(&error, Some(TableError::Damaged { file, .. }) if *file == placements), "{error:?}");
        repair(&game, directory.path(), &config_within(&Silent, None), Retention::default()).unwrap();
        assert_eq!(names_below(directory.path()), before);
        assert!(Solution::open(&game, directory.path()).unwrap().is_some());
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
            let fuse = Fuse::new(u64::MAX);
            solve_into(&game, directory.path(), &config_within(&fuse, None), logs()).unwrap();
            let notes = fuse.notes.into_inner();
            assert!(notes.iter().any(|note| note.contains(name)), "{name}, byte {at}: {notes:?}");
        }
    }
}

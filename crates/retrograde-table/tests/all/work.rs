//! Work files: a saved state is loaded, or it is not and a warning says why.

use std::sync::Arc;
use std::time::Duration;

use crate::common::{Faulty, GAME};
use retrograde_game::Random;
use retrograde_solve::{Checkpoint, SavedState};
use retrograde_table::{CheckpointPace, DiskStorage, GameLock, TableError, WorkFile, WorkIdentity};

fn identity() -> WorkIdentity {
    WorkIdentity { rules_version: 1, index_version: 2, solver: "fill".to_owned() }
}

fn locked() -> (retrograde_testkit::TempDir, GameLock) {
    let tables = retrograde_testkit::tempdir().unwrap();
    let lock = GameLock::acquire(tables.path(), GAME).unwrap();
    (tables, lock)
}

fn work_file(lock: &GameLock, identity: &WorkIdentity) -> WorkFile {
    WorkFile::new(lock, identity, CheckpointPace::default(), Arc::new(DiskStorage))
}

fn random_bytes(count: usize) -> Vec<u8> {
    let mut random = Random::new(count as u64);
    (0..count).map(|_| random.bits() as u8).collect()
}

#[test]
fn saved_states_are_loaded() {
    let (_tables, lock) = locked();
    let mut work = work_file(&lock, &identity());
    assert_eq!(work.load().unwrap(), None);
    let chunk = 4 << 20;
    for (stage, count) in (0..).zip([0, 1, 1000, chunk - 1, chunk, chunk + 1, 2 * chunk, 2 * chunk + 5]) {
        let bytes = random_bytes(count);
        let (a, b) = bytes.split_at(count / 3);
        work.save(stage, &[a, &[], b]).unwrap();
        let loaded = work_file(&lock, &identity()).load().unwrap();
        assert_eq!(loaded, Some(SavedState { stage, bytes }), "{count} bytes");
    }
    assert!(work.warning().is_none());
    work.remove().unwrap();
    work.remove().unwrap();
    assert_eq!(work.load().unwrap(), None);
    assert!(work.warning().is_none());
}

#[test]
fn damage_is_noticed_and_reported() {
    let (_tables, lock) = locked();
    let mut work = work_file(&lock, &identity());
    work.save(7, &[&random_bytes(300)]).unwrap();
    let whole = std::fs::read(work.path()).unwrap();
    let mut refused = |bytes: &[u8]| {
        std::fs::write(work.path(), bytes).unwrap();
        assert_eq!(work.load().unwrap(), None);
        work.warning().expect("a warning").to_string()
    };
    for at in 0..whole.len() {
        for flip in (0..8).map(|bit| 1 << bit) {
            let mut altered = whole.clone();
            altered[at] ^= flip;
            let warning = refused(&altered);
            assert!(warning.contains("work.rgw"), "{warning}");
        }
        refused(&whole[..at]);
    }
    refused(&[&whole[..], b"x"].concat());
    assert!(refused(b"something else").contains("not a Retrograde file"));
    std::fs::write(work.path(), &whole).unwrap();
    assert!(work.load().unwrap().is_some_and(|saved| saved.stage == 7));
    assert!(work.warning().is_none(), "a good file clears the warning");
}

#[test]
fn work_of_another_kind_is_not_resumed() {
    let (_tables, lock) = locked();
    work_file(&lock, &identity()).save(1, &[b"bytes"]).unwrap();
    for other in [
        WorkIdentity { rules_version: 2, ..identity() },
        WorkIdentity { index_version: 3, ..identity() },
        WorkIdentity { solver: "graded".to_owned(), ..identity() },
    ] {
        let mut work = work_file(&lock, &other);
        assert_eq!(work.load().unwrap(), None);
        assert!(matches!(work.warning(), Some(TableError::WrongGame { .. })), "{:?}", work.warning());
    }
}

#[test]
fn a_save_that_fails_leaves_the_old_state() {
    let (old, new) = (random_bytes(3000), random_bytes(5000));
    let pace = CheckpointPace::default();
    let saved = |stage, bytes: &Vec<u8>| Some(SavedState { stage, bytes: bytes.clone() });
    let faults = |step: u64| [Faulty::dying_at(step), Faulty::with_room(step * 100)];
    let mut finished = 0;
    for storage in (0..49).flat_map(faults) {
        let (_tables, lock) = locked();
        work_file(&lock, &identity()).save(1, &[&old]).unwrap();
        let mut work = WorkFile::new(&lock, &identity(), pace, Arc::new(storage.clone()));
        let result = work.save(2, &[&new]);
        let loaded = work_file(&lock, &identity()).load().unwrap();
        match result {
            Ok(()) => {
                assert_eq!(loaded, saved(2, &new));
                finished += 1;
            }
            Err(error) => {
                assert!(error.to_string().contains("work.rgw"), "{error}");
                // After the rename, it is the new one even if the process was killed.
                let is_new = storage.died() && loaded == saved(2, &new);
                assert!(is_new || loaded == saved(1, &old), "{storage:?}");
            }
        }
    }
    assert!(finished > 0 && finished < 49, "{finished}");
}

#[test]
fn saving_is_paced_by_its_cost() {
    let seconds = Duration::from_secs;
    let pace = CheckpointPace::default();
    assert!(!pace.is_due(seconds(29), seconds(0)));
    assert!(pace.is_due(seconds(30), seconds(1)));
    assert!(!pace.is_due(seconds(199), seconds(10)));
    assert!(pace.is_due(seconds(200), seconds(10)));
    assert!(!pace.is_due(seconds(1 << 40), Duration::MAX));
    let (_tables, lock) = locked();
    let always = CheckpointPace { factor: 0, least: Duration::ZERO };
    let never = CheckpointPace { factor: 0, least: Duration::MAX };
    for (pace, due) in [(always, true), (never, false)] {
        let mut work = WorkFile::new(&lock, &identity(), pace, Arc::new(DiskStorage));
        assert_eq!(work.due(), due);
        work.save(1, &[]).unwrap();
        assert_eq!(work.due(), due);
    }
}

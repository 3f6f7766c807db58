//! Writers that die at any step, full disks, locked and read-only directories: afterwards there is
//! the old table, the new table, or no table and an error that says so.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use crate::common::{Faulty, GAME, expected, files, manifest, read_all, scores};
use retrograde_game::{Score, Stored};
use retrograde_table::{
    CellWidth, Expectations, GameLock, Manifest, Table, TableError, TableKind, TableWriter, WriteOptions,
};

const COUNT: u64 = 5000;

fn old_and_new() -> [Vec<u8>; 2] {
    [1, 2].map(|seed| scores::<u8>(COUNT as usize, seed))
}

fn described() -> Manifest {
    manifest(TableKind::Full, CellWidth::Byte, COUNT)
}

fn options(storage: &Faulty) -> WriteOptions {
    WriteOptions { threads: 2, storage: Arc::new(storage.clone()) }
}

fn stored(scores: &[u8]) -> Vec<Stored> {
    scores.iter().map(|score| score.stored()).collect()
}

fn read(tables: &Path) -> Result<Vec<Stored>, TableError> {
    let table = Table::open(tables, GAME, expected(COUNT))?;
    assert!(table.check_files(|_, _| {})?.is_whole());
    read_all(&table)
}

#[test]
fn a_writer_killed_at_any_step_leaves_no_table() {
    let [first, second] = old_and_new();
    for step in 0.. {
        let tables = retrograde_testkit::tempdir().unwrap();
        let storage = Faulty::dying_at(step);
        let written = crate::common::write(tables.path(), described(), &first, options(&storage));
        match read(tables.path()) {
            Ok(values) => assert_eq!(values, stored(&first), "step {step}"),
            Err(TableError::NotFound { .. } | TableError::Incomplete { .. }) => {
                assert!(written.is_err(), "step {step}");
            }
            Err(error) => panic!("step {step}: {error}"),
        }
        // The next writer cleans up and succeeds.
        crate::common::write(tables.path(), described(), &second, WriteOptions::default()).unwrap();
        assert_eq!(read(tables.path()).unwrap(), stored(&second), "step {step}");
        let left = files(&tables.path().join(retrograde_table::directory_name(GAME)));
        assert_eq!(left.len(), 3, "step {step}: manifest, values, lock: {:?}", left.keys());
        if !storage.died() {
            assert!(step > 10, "only {step} steps");
            break;
        }
    }
}

#[test]
fn a_writer_killed_at_any_step_leaves_the_old_table() {
    let [first, second] = old_and_new();
    let mut replaced_twice = false;
    for step in 0.. {
        let tables = retrograde_testkit::tempdir().unwrap();
        crate::common::write(tables.path(), described(), &first, WriteOptions::default()).unwrap();
        let open = Table::open(tables.path(), GAME, expected(COUNT)).unwrap();
        let storage = Faulty::dying_at(step);
        let written = crate::common::write(tables.path(), described(), &second, options(&storage));
        let values = read(tables.path()).unwrap();
        let (is_old, is_new) = (values == stored(&first), values == stored(&second));
        assert!(is_old || is_new, "step {step}: a mixture");
        assert!(written.is_err() || is_new, "step {step}: written, but not there");
        assert_eq!(read_all(&open).unwrap(), stored(&first), "the open old table can still be read");
        // The same again with these leftovers.
        crate::common::write(tables.path(), described(), &first, WriteOptions::default()).unwrap();
        assert_eq!(read(tables.path()).unwrap(), stored(&first));
        assert_eq!(files(open.directory()).len(), 3, "step {step}");
        replaced_twice |= is_new;
        if !storage.died() {
            break;
        }
    }
    assert!(replaced_twice);
}

#[test]
fn the_same_bytes_keep_their_name_and_repair_damage() {
    let [first, second] = old_and_new();
    for step in 0.. {
        let tables = retrograde_testkit::tempdir().unwrap();
        let write =
            |scores: &[u8], options| crate::common::write(tables.path(), described(), scores, options);
        let manifest = write(&first, WriteOptions::default()).unwrap();
        assert_eq!(manifest.values.file, "values.rgt");
        let directory = tables.path().join(retrograde_table::directory_name(GAME));
        let values = directory.join("values.rgt");
        // Damages the bytes on the disk in every second step.
        if step % 2 == 1 {
            let mut damaged = std::fs::read(&values).unwrap();
            damaged[500] ^= 1;
            std::fs::write(&values, damaged).unwrap();
        }
        let storage = Faulty::dying_at(step / 2);
        let written = write(&first, options(&storage));
        if written.is_ok() || step % 2 == 0 {
            assert_eq!(read(tables.path()).unwrap(), stored(&first), "step {step}");
        }
        assert_eq!(write(&first, WriteOptions::default()).unwrap().values.file, "values.rgt");
        let names: Vec<_> = files(&directory).into_keys().collect();
        assert_eq!(names, ["lock", "manifest.json", "values.rgt"].map(|name| directory.join(name)));
        // With other bytes, the old file stays complete until the new one is written.
        assert_eq!(write(&second, WriteOptions::default()).unwrap().values.file, "values-2.rgt");
        assert_eq!(write(&second, WriteOptions::default()).unwrap().values.file, "values.rgt");
        if !storage.died() {
            break;
        }
    }
}

#[test]
fn counts_that_do_not_add_up_are_rejected() {
    let [scores, _] = old_and_new();
    let tables = retrograde_testkit::tempdir().unwrap();
    let written = crate::common::write(tables.path(), described(), &scores, WriteOptions::default()).unwrap();
    let right = written.counts;
    assert_eq!(right.fault(), None);
    let mut changed = [right.clone(), right.clone(), right.clone(), right.clone()];
    changed[0].wins += 1;
    changed[1].positions += 1;
    (changed[2].wins, changed[2].losses) = (right.losses, right.wins);
    *changed[3].by_turns.loss.values_mut().next().unwrap() += 1;
    for counts in changed {
        let lock = GameLock::acquire(tables.path(), GAME).unwrap();
        let mut writer = TableWriter::create_with(&lock, described(), WriteOptions::default()).unwrap();
        writer.write_scores(&scores).unwrap();
        writer.set_counts(counts);
        let error = writer.finish().unwrap_err().to_string();
        assert!(error.contains("do not add up"), "{error}");
    }
    assert_eq!(read(tables.path()).unwrap(), stored(&scores));
}

#[test]
fn a_full_disk_is_an_error_and_leaves_nothing() {
    let [first, second] = old_and_new();
    let tables = retrograde_testkit::tempdir().unwrap();
    crate::common::write(tables.path(), described(), &first, WriteOptions::default()).unwrap();
    let directory = tables.path().join(retrograde_table::directory_name(GAME));
    let before = files(&directory);
    let needed: usize = before.values().map(Vec::len).sum();
    for room in (0..needed as u64 - 500).step_by(97) {
        match crate::common::write(tables.path(), described(), &second, options(&Faulty::with_room(room))) {
            Err(error @ TableError::DiskFull { .. }) => {
                assert!(error.to_string().starts_with("the disk is full"), "{error}");
            }
            other => panic!("room for {room}: {other:?}"),
        }
        assert_eq!(files(&directory), before, "room for {room}");
    }
    assert_eq!(read(tables.path()).unwrap(), stored(&first));
}

#[test]
fn one_writer_at_a_time() {
    let tables = retrograde_testkit::tempdir().unwrap();
    let writer = TableWriter::create(tables.path(), described()).unwrap();
    let error = TableWriter::create(tables.path(), described()).err().unwrap();
    assert!(matches!(error, TableError::Locked { .. }));
    assert!(error.to_string().contains("is being written by another process"), "{error}");
    assert!(matches!(read(tables.path()), Err(TableError::Locked { .. })));
    drop(writer);
    assert!(matches!(read(tables.path()), Err(TableError::NotFound { .. })));
    drop(TableWriter::create(tables.path(), described()).unwrap());
}

/// Runs the test as another process, which holds the lock until it is asked to exit.
#[test]
fn one_writer_at_a_time_among_processes() {
    const DIRECTORY: &str = "RETROGRADE_TEST_LOCKED_DIRECTORY";
    if let Some(tables) = std::env::var_os(DIRECTORY) {
        let mut writer = TableWriter::create(Path::new(&tables), described()).unwrap();
        writer.write_scores(&[1; 2000]).unwrap();
        println!("\nlocked");
        std::io::stdout().flush().unwrap();
        let _ = std::io::stdin().read_line(&mut String::new());
        std::process::abort();
    }
    let tables = retrograde_testkit::tempdir().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "faults::one_writer_at_a_time_among_processes", "--nocapture"])
        .env(DIRECTORY, tables.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line == "locked"), "the child did not get the lock");
    let refused = TableWriter::create(tables.path(), described()).err();
    let opened = read(tables.path());
    drop(child.stdin.take());
    child.wait().unwrap();
    assert!(matches!(refused, Some(TableError::Locked { .. })), "{refused:?}");
    assert!(matches!(opened, Err(TableError::Locked { .. })), "{opened:?}");
    // It died while writing: this is noticed and does not block anything.
    assert!(matches!(read(tables.path()), Err(TableError::Incomplete { .. })));
    let [first, _] = old_and_new();
    crate::common::write(tables.path(), described(), &first, WriteOptions::default()).unwrap();
    assert_eq!(read(tables.path()).unwrap(), stored(&first));
}

#[test]
fn a_missing_table_is_not_found() {
    let tables = retrograde_testkit::tempdir().unwrap();
    for tables in [tables.path().to_owned(), tables.path().join("nowhere")] {
        let error = read(&tables).unwrap_err();
        assert!(matches!(error, TableError::NotFound { .. }));
        assert!(error.to_string().contains(GAME), "{error}");
        assert!(!tables.join(retrograde_table::directory_name(GAME)).exists(), "a reader creates nothing");
    }
}

#[test]
fn a_file_in_place_of_a_directory_is_an_error() {
    let tables = retrograde_testkit::tempdir().unwrap();
    let path = tables.path().join("file");
    std::fs::write(&path, "").unwrap();
    let error = TableWriter::create(&path, described()).err().unwrap();
    assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
    assert!(matches!(read(&path), Err(TableError::Io { .. } | TableError::NotFound { .. })));
}

#[cfg(unix)]
#[test]
fn a_forbidden_directory_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let tables = retrograde_testkit::tempdir().unwrap();
    let forbid = |mode| {
        std::fs::set_permissions(tables.path(), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    forbid(0o500);
    // The superuser may write anywhere; in that case writing must simply work.
    let is_superuser = std::fs::write(tables.path().join("probe"), "").is_ok();
    let result = GameLock::acquire(tables.path(), GAME);
    forbid(0o700);
    match result {
        Ok(_) => assert!(is_superuser, "a lock in a directory that is read-only"),
        Err(error) => {
            assert!(matches!(error, TableError::Permission { .. }), "{error}");
            assert!(error.to_string().contains("no permission to create"), "{error}");
            assert!(error.to_string().contains(tables.path().to_str().unwrap()), "{error}");
        }
    }
}

#[test]
fn a_table_of_a_newer_format_stays_until_it_is_replaced() {
    let [first, second] = old_and_new();
    let tables = retrograde_testkit::tempdir().unwrap();
    crate::common::write(tables.path(), described(), &first, WriteOptions::default()).unwrap();
    let directory = tables.path().join(retrograde_table::directory_name(GAME));
    let path = directory.join("manifest.json");
    let newer = std::fs::read_to_string(&path).unwrap().replace("\"format\": 1", "\"format\": 9");
    std::fs::write(&path, newer).unwrap();
    let before = files(&directory);
    let lock = GameLock::acquire(tables.path(), GAME).unwrap();
    drop(TableWriter::create_with(&lock, described(), WriteOptions::default()).unwrap());
    drop(lock);
    assert_eq!(files(&directory), before);
    let expectations = Expectations { index_version: 5, ..expected(COUNT) };
    let error = Table::open(tables.path(), GAME, expectations).unwrap_err();
    assert!(matches!(error, TableError::WrongVersion { found: 9, .. }), "{error}");
    crate::common::write(tables.path(), described(), &second, WriteOptions::default()).unwrap();
    assert_eq!(read(tables.path()).unwrap(), stored(&second));
}

//! Damaged files of a table give an error or the right value, never a wrong one, and never a panic.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::common::{GAME, Memory, expected, files, manifest, read_all, scores};
use proptest::prelude::*;
use retrograde_game::{Index, Score, Stored};
use retrograde_table::{
    CellWidth, FilePart, Manifest, ReadOptions, Table, TableError, TableKind, VersionKind, WriteOptions, list,
};

struct Small {
    dir: retrograde_testkit::TempDir,
    files: BTreeMap<PathBuf, Vec<u8>>,
    manifest: PathBuf,
    values: PathBuf,
    stored: Vec<Stored>,
}

const COUNT: u64 = 1700;

/// A table of four blocks, one of them uniform (stored as one byte).
fn small() -> Small {
    let dir = retrograde_testkit::tempdir().unwrap();
    let mut scores = scores::<u8>(COUNT as usize, 1);
    scores[512..1024].fill(7);
    let written = crate::common::write(
        dir.path(),
        manifest(TableKind::Full, CellWidth::Byte, COUNT),
        &scores,
        WriteOptions::default(),
    );
    let directory = dir.path().join(retrograde_table::directory_name(GAME));
    let files = files(&directory);
    Small {
        manifest: directory.join("manifest.json"),
        values: directory.join(written.unwrap().values.file),
        stored: scores.iter().map(|score| score.stored()).collect(),
        files,
        dir,
    }
}

impl Small {
    fn open(&self, path: &Path, bytes: Vec<u8>) -> Result<Table, TableError> {
        Memory::new(&self.files).with(path, bytes).open_table(self.dir.path(), COUNT)
    }

    /// Checks that an altered table gives an error on opening, or for every index an error or the
    /// right value, and that checking the files finds every fault.
    fn check(&self, path: &Path, bytes: Vec<u8>, what: &str) {
        let Ok(table) = self.open(path, bytes) else { return };
        let mut errors = 0;
        for (index, &stored) in self.stored.iter().enumerate() {
            match table.get(Index(index as u64)) {
                Ok(found) => assert_eq!(found, stored, "{what}: a wrong value at {index}"),
                Err(_) => errors += 1,
            }
        }
        let report = table.check_files(|_, _| {}).unwrap();
        assert!(!report.is_whole(), "{what}: the check found nothing");
        let damaged_blocks = report
            .faults
            .iter()
            .filter(|fault| matches!(fault, TableError::Damaged { place, .. } if *place != FilePart::Whole));
        assert_eq!(errors > 0, damaged_blocks.count() > 0, "{what}: {report:?}");
    }
}

#[test]
fn every_flipped_bit_and_byte() {
    let small = small();
    for path in [&small.manifest, &small.values] {
        let bytes = &small.files[path];
        for at in 0..bytes.len() {
            for flip in (0..8).map(|bit| 1 << bit).chain([0xff, bytes[at]]) {
                if flip != 0 {
                    let mut altered = bytes.clone();
                    altered[at] ^= flip;
                    small.check(path, altered, &format!("{}, byte {at} ^ {flip:#x}", path.display()));
                }
            }
        }
        // Every byte of the manifest matters, so opening fails.
        if path == &small.manifest {
            for at in 0..bytes.len() {
                let mut altered = bytes.clone();
                altered[at] ^= 1;
                assert!(small.open(path, altered).is_err(), "byte {at}");
            }
        }
    }
}

#[test]
fn every_truncation_and_every_extension() {
    let small = small();
    for path in [&small.manifest, &small.values] {
        let bytes = &small.files[path];
        for length in 0..bytes.len() {
            let error = small.open(path, bytes[..length].to_vec()).unwrap_err();
            if path == &small.values {
                assert!(matches!(error, TableError::Truncated { .. }), "{length}: {error}");
            }
        }
        for extra in [&b"\n"[..], b"\0", &[0; 4096], b"}"] {
            assert!(small.open(path, [bytes, extra].concat()).is_err());
        }
    }
}

#[test]
fn a_file_cut_off_while_it_is_open() {
    let dir = retrograde_testkit::tempdir().unwrap();
    let scores = scores::<u8>(200_000, 1);
    let written = crate::common::write(
        dir.path(),
        manifest(TableKind::Full, CellWidth::Byte, 200_000),
        &scores,
        WriteOptions::default(),
    )
    .unwrap();
    let table = Table::open(dir.path(), GAME, expected(200_000)).unwrap();
    let file = table.directory().join(&written.values.file);
    std::fs::File::options().write(true).open(file).unwrap().set_len(1000).unwrap();
    assert!(matches!(read_all(&table), Err(TableError::Truncated { .. })));
    assert!(!table.check_files(|_, _| {}).unwrap().is_whole());
}

#[test]
fn short_and_interrupted_reads_change_nothing() {
    let small = small();
    for most in [1, 3, 100] {
        let storage = Memory { most, ..Memory::new(&small.files) };
        let table = storage.open_table(small.dir.path(), COUNT).unwrap();
        assert_eq!(read_all(&table).unwrap(), small.stored);
        assert!(table.check_files(|_, _| {}).unwrap().is_whole());
    }
}

#[test]
fn the_check_names_every_bad_block() {
    let small = small();
    let mut bytes = small.files[&small.values].clone();
    bytes[70] ^= 4;
    let blocks_end = bytes.len() - 40 - (8 + 4 * 8 + 4);
    bytes[blocks_end - 1] ^= 4;
    let report = small.open(&small.values, bytes).unwrap().check_files(|_, _| {}).unwrap();
    let places: Vec<FilePart> = report
        .faults
        .iter()
        .map(|fault| match fault {
            TableError::Damaged { place, .. } => *place,
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(places, [FilePart::Block(0), FilePart::Block(3), FilePart::Whole]);
    assert_eq!((report.whole_blocks, report.blocks), (2, 4));
    assert!(
        report.faults[1].to_string().contains("values.rgt is damaged in block 3"),
        "{}",
        report.faults[1]
    );
}

#[test]
fn a_manifest_that_was_edited() {
    let small = small();
    let text = String::from_utf8(small.files[&small.manifest].clone()).unwrap();
    for (from, to) in [
        ("\"kind\": \"full\"", "\"kind\": \"losses\""),
        ("\"index_count\": 1700", "\"index_count\": 1699"),
        ("\"rules_version\": 3", "\"rules_version\": 4"),
        ("\"complete\": true", "\"complete\": false"),
        ("\"draws\": ", "\"draws\": 1"),
    ] {
        let edited = text.replace(from, to);
        assert_ne!(edited, text, "{from}");
        let error = small.open(&small.manifest, edited.into_bytes()).unwrap_err();
        assert!(matches!(error, TableError::Damaged { place: FilePart::Manifest, .. }), "{error}");
    }
    let newer = text.replace("\"format\": 1", "\"format\": 2").into_bytes();
    match small.open(&small.manifest, newer) {
        Err(TableError::WrongVersion { what: VersionKind::Format, found: 2, expected: 1, .. }) => {}
        other => panic!("{other:?}"),
    }
    for foreign in ["", "hello", "{}", "[1]", "{\"format\": 1}"] {
        let error = small.open(&small.manifest, foreign.into()).unwrap_err();
        assert!(matches!(error, TableError::Foreign { .. }), "{foreign}: {error}");
    }
}

#[test]
fn another_game_another_version_another_file() {
    let small = small();
    let storage = Arc::new(Memory::new(&small.files));
    let options = ReadOptions { storage, ..ReadOptions::default() };
    let right = expected(COUNT);
    for (expected, what) in [
        (retrograde_table::Expectations { rules_version: 4, ..right }, VersionKind::Rules),
        (retrograde_table::Expectations { index_version: 6, ..right }, VersionKind::Numbering),
        (retrograde_table::Expectations { index_count: 1 << 70, ..right }, VersionKind::IndexCount),
    ] {
        match Table::open_with(small.dir.path(), GAME, expected, &options) {
            Err(TableError::WrongVersion { what: found, .. }) => assert_eq!(found, what),
            other => panic!("{other:?}"),
        }
    }
    // A table copied into the directory of another game.
    let other = "tactics:9x9";
    let directory = small.dir.path().join(retrograde_table::directory_name(other));
    std::fs::create_dir(&directory).unwrap();
    for (path, bytes) in &small.files {
        std::fs::write(directory.join(path.file_name().unwrap()), bytes).unwrap();
    }
    assert!(matches!(Table::open(small.dir.path(), other, right), Err(TableError::WrongGame { .. })));
    // The values of another table of the same game and size.
    let elsewhere = retrograde_testkit::tempdir().unwrap();
    let described = manifest(TableKind::Full, CellWidth::Byte, COUNT);
    let scores = scores::<u8>(COUNT as usize, 2);
    let written =
        crate::common::write(elsewhere.path(), described, &scores, WriteOptions::default()).unwrap();
    let directory = elsewhere.path().join(retrograde_table::directory_name(GAME));
    let foreign = std::fs::read(directory.join(written.values.file)).unwrap();
    assert!(small.open(&small.values, foreign).is_err());
    assert!(
        small
            .open(&small.values, b"PK\x03\x04 something else".repeat(9))
            .is_err_and(|error| { matches!(error, TableError::Foreign { .. }) })
    );
    // Missing values.
    let mut files = small.files.clone();
    files.remove(&small.values);
    let error = Memory::new(&files).open_table(small.dir.path(), COUNT).unwrap_err();
    assert!(error.to_string().contains("missing"), "{error}");
}

#[test]
fn listing() {
    let small = small();
    let tables = small.dir.path();
    std::fs::create_dir(tables.join("notes")).unwrap();
    std::fs::write(tables.join("readme"), "").unwrap();
    std::fs::create_dir(tables.join("half")).unwrap();
    std::fs::write(tables.join("half/values.rgt.tmp"), "x").unwrap();
    let found = list(tables);
    let names: Vec<_> = found.iter().map(|(path, _)| path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["half", "tactics_3x3+line-2"]);
    assert!(matches!(found[0].1, Err(TableError::Incomplete { .. })));
    assert_eq!(found[1].1.as_ref().unwrap().game, GAME);
    assert!(list(&tables.join("nowhere")).is_empty());
}

#[test]
fn a_manifest_keeps_its_fields() {
    let tables = retrograde_testkit::tempdir().unwrap();
    let mut described = manifest(TableKind::Full, CellWidth::Byte, 3);
    described
        .extra
        .insert("board".to_owned(), serde_json::json!({"drawing": "+-+\n| |\n}\n", "n": [1, null]}));
    described.start = Some(retrograde_table::StartValue { outcome: None, turns: None });
    let counts = &mut described.counts;
    counts.unknown.0 = u128::MAX - counts.wins.0 - counts.losses.0 - counts.draws.0;
    counts.positions.0 = u128::MAX;
    let lock = retrograde_table::GameLock::acquire(tables.path(), GAME).unwrap();
    let mut writer =
        retrograde_table::TableWriter::create_with(&lock, described.clone(), WriteOptions::default())
            .unwrap();
    writer.write_scores(&[1, 2, 3]).unwrap();
    let written = writer.finish().unwrap();
    let read = Table::open(tables.path(), GAME, expected(3)).unwrap();
    assert_eq!(read.manifest(), &written);
    let unwritten = Manifest { complete: false, values: described.values.clone(), ..written };
    assert_eq!(unwritten, described);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_never_pass(bytes in proptest::collection::vec(any::<u8>(), 0..3000), prefix in 0_usize..2000) {
        thread_local!(static SMALL: Small = small());
        SMALL.with(|small| {
            for path in [&small.manifest, &small.values] {
                let whole = &small.files[path];
                assert!(small.open(path, bytes.clone()).is_err());
                // A valid beginning and a random end, also with the right length.
                let mut mixed = whole[..prefix.min(whole.len())].to_vec();
                mixed.extend(&bytes);
                if &mixed != whole {
                    assert!(small.open(path, mixed.clone()).is_err());
                }
                mixed.resize(whole.len(), 0);
                if &mixed != whole {
                    small.check(path, mixed, "a random end");
                }
            }
        });
    }

    #[test]
    fn damage_at_several_places(places in proptest::collection::vec((any::<prop::sample::Index>(), 1_u8..), 1..20)) {
        thread_local!(static SMALL: Small = small());
        SMALL.with(|small| {
            let mut bytes = small.files[&small.values].clone();
            for (place, flip) in &places {
                let at = place.index(bytes.len());
                bytes[at] ^= flip;
            }
            if bytes != small.files[&small.values] {
                small.check(&small.values, bytes, &format!("{places:?}"));
            }
        });
    }
}

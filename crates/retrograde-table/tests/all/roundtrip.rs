//! Written values are read back: all kinds, all cells, sizes around block boundaries, whole or in
//! pieces, on any number of threads, from memory or from the file.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::common::{GAME, expected, files, manifest, read_all, scores};
use retrograde_game::{Index, Knowledge, Outcome, Random, Score, Stored, Turns, Value};
use retrograde_table::{
    CellWidth, Counts, DiskStorage, GameLock, Manifest, ReadOptions, Table, TableError, TableKind,
    TableWriter, WriteOptions,
};

/// Sizes around the boundaries of words, blocks and chunks of blocks.
fn sizes(cell: CellWidth) -> Vec<u64> {
    let block = 512 * 8 / u64::from(cell.bits());
    let mut sizes = vec![0, 1, 2, 7, 8, 9, 63, 64, 65];
    for blocks in [1, 2, 64, 65, 300] {
        sizes.extend([blocks * block - 1, blocks * block, blocks * block + 1]);
    }
    sizes
}

/// Writes a table in pieces and checks that every way of reading it gives the expected values.
fn check<T>(
    manifest: Manifest,
    values: &[T],
    step: usize,
    write: impl Fn(&mut TableWriter, &[T]) -> Result<(), TableError>,
    stored: &[Stored],
) {
    let count = manifest.index_count;
    let mut bytes = Vec::new();
    for (threads, step, hold_bytes) in [(1, usize::MAX, 0), (3, usize::MAX, u64::MAX), (2, step, 600)] {
        let tables = retrograde_testkit::tempdir().unwrap();
        let lock = GameLock::acquire(tables.path(), GAME).unwrap();
        let options = WriteOptions { threads, storage: Arc::new(DiskStorage) };
        let mut writer = TableWriter::create_with(&lock, manifest.clone(), options).unwrap();
        values.chunks(step.min(values.len().max(1))).for_each(|piece| write(&mut writer, piece).unwrap());
        let written = writer.finish().unwrap();
        let read = ReadOptions { hold_bytes, cache_bytes: 1024, storage: Arc::new(DiskStorage) };
        let table = Table::open_with(tables.path(), GAME, expected(count), &read).unwrap();
        assert_eq!(table.manifest(), &written);

        let mut counts = Counts::default();
        stored.iter().for_each(|&stored| counts.add(stored, 1));
        assert_eq!(table.count(2).unwrap(), counts);
        assert_eq!(read_all(&table).unwrap(), stored, "{threads} threads, {count} values");
        let mut random = Random::new(count);
        for _ in 0..if count == 0 { 0 } else { 50 } {
            let index = random.below(count);
            assert_eq!(table.get(Index(index)).unwrap(), stored[index as usize]);
        }
        for past in [count, count + 1, u64::MAX] {
            assert!(matches!(table.get(Index(past)), Err(TableError::OutOfRange { .. })));
        }
        let blocks = (0..table.block_count()).map(|number| table.block(number).unwrap());
        let scanned: Vec<_> = blocks.flat_map(|block| block.iter().collect::<Vec<_>>()).collect();
        assert!(scanned.iter().map(|(index, _)| index.0).eq(0..count));
        assert!(scanned.iter().map(|(_, stored)| stored).eq(stored));
        for value in [Value::Draw, Value::Loss(Turns(4)), Value::Win(Turns(3)), Value::Loss(Turns(u16::MAX))]
        {
            let blocks = (0..table.block_count()).map(|number| table.block(number).unwrap());
            let found: Vec<_> =
                blocks.flat_map(|block| block.candidates_with(value).collect::<Vec<_>>()).collect();
            let may_be = |known: Knowledge| {
                table.manifest().kind == TableKind::Outcomes
                    || known == Knowledge::Exact(value)
                    || known == Knowledge::NotLost && value.outcome() != Outcome::Loss
            };
            let expected = scanned.iter().filter_map(|&(index, stored)| match stored {
                Stored::Known(known) => may_be(known).then_some((index, known)),
                Stored::Nothing => None,
            });
            assert!(expected.eq(found), "{value} {count}");
        }
        assert!(matches!(table.block(table.block_count()), Err(TableError::OutOfRange { .. })));
        let report = table.check_files(|_, _| {}).unwrap();
        assert!(report.is_whole() && report.whole_blocks == table.block_count(), "{report:?}");
        bytes.push(std::fs::read(table.directory().join(&written.values.file)).unwrap());
        assert_eq!(blake3::hash(&bytes[0]).to_hex().as_str(), written.values.blake3);
    }
    assert!(bytes.iter().all(|other| other == &bytes[0]), "the number of threads or pieces changes the file");
}

#[test]
fn full_tables() {
    for count in sizes(CellWidth::Byte) {
        let scores = scores::<u8>(count as usize, count);
        let stored: Vec<_> = scores.iter().map(|score| score.stored()).collect();
        check(
            manifest(TableKind::Full, CellWidth::Byte, count),
            &scores,
            777,
            TableWriter::write_scores,
            &stored,
        );
    }
    for count in sizes(CellWidth::TwoBytes) {
        let scores = scores::<u16>(count as usize, count);
        let stored: Vec<_> = scores.iter().map(|score| score.stored()).collect();
        check(
            manifest(TableKind::Full, CellWidth::TwoBytes, count),
            &scores,
            777,
            TableWriter::write_wide,
            &stored,
        );
    }
}

fn only_losses(stored: Stored) -> Stored {
    match stored {
        Stored::Known(known) if matches!(known.outcome(), Some(Outcome::Win | Outcome::Draw)) => {
            Stored::Known(Knowledge::NotLost)
        }
        other => other,
    }
}

#[test]
fn tables_of_losses_drop_the_rest() {
    for count in [1, 511, 513, 40_000] {
        let narrow = scores::<u8>(count, 1);
        let stored: Vec<_> = narrow.iter().map(|score| only_losses(score.stored())).collect();
        let described = manifest(TableKind::Losses, CellWidth::Byte, count as u64);
        check(described, &narrow, 100, TableWriter::write_scores, &stored);
        let wide = scores::<u16>(count, 1);
        let stored: Vec<_> = wide.iter().map(|score| only_losses(score.stored())).collect();
        let described = manifest(TableKind::Losses, CellWidth::TwoBytes, count as u64);
        check(described, &wide, 100, TableWriter::write_wide, &stored);
    }
}

fn only_outcome(stored: Stored) -> Stored {
    match stored {
        Stored::Known(known) => {
            known.outcome().map_or(stored, |outcome| Stored::Known(Knowledge::Outcome(outcome)))
        }
        Stored::Nothing => Stored::Nothing,
    }
}

#[test]
fn tables_of_outcomes_drop_the_turns() {
    for count in sizes(CellWidth::TwoBits).into_iter().filter(|&count| count < 200_000) {
        let mut scores = scores::<u8>(count as usize, count);
        scores.iter_mut().filter(|score| **score == u8::UNKNOWN).for_each(|score| *score = 3);
        let stored: Vec<_> = scores.iter().map(|score| only_outcome(score.stored())).collect();
        let described = manifest(TableKind::Outcomes, CellWidth::TwoBits, count);
        check(described, &scores, 77, TableWriter::write_scores, &stored);
    }
}

#[test]
fn one_bit_per_position() {
    for count in sizes(CellWidth::Bit) {
        let mut random = Random::new(count);
        // Runs of equal words, as in real tables, and set bits past the end, which must be ignored.
        let mut words: Vec<u64> = (0..count.div_ceil(64))
            .map(|at| if at / 100 % 2 == 0 { random.bits() | random.bits() } else { u64::MAX })
            .collect();
        if let Some(last) = words.last_mut() {
            *last |= 1 << 63;
        }
        let bit = |index: u64| words[index as usize / 64] >> (index % 64) & 1;
        let outcome = |index| if bit(index) == 1 { Outcome::Win } else { Outcome::Loss };
        let stored: Vec<_> =
            (0..count).map(|index| Stored::Known(Knowledge::Outcome(outcome(index)))).collect();
        let described = manifest(TableKind::Outcomes, CellWidth::Bit, count);
        check(described.clone(), &words, 13, TableWriter::write_bits, &stored);
        if count < 10_000 {
            let scores: Vec<u8> = (0..count).map(|index| if bit(index) == 1 { 250 } else { 4 }).collect();
            check(described, &scores, 77, TableWriter::write_scores, &stored);
        }
        let mut counts = Counts::default();
        stored.iter().for_each(|&stored| counts.add(stored, 1));
        assert_eq!(Counts::of_bits(&words, count), counts);
    }
}

#[test]
fn values_that_do_not_fit_are_rejected_with_their_index() {
    let tables = retrograde_testkit::tempdir().unwrap();
    let lock = GameLock::acquire(tables.path(), GAME).unwrap();
    for (cell, bad) in
        [(CellWidth::Bit, u8::DRAW), (CellWidth::Bit, u8::NONE), (CellWidth::TwoBits, u8::UNKNOWN)]
    {
        for at in [0, 5000, 9999] {
            let mut values = vec![1_u8; 10_000];
            values[at] = bad;
            let described = manifest(TableKind::Outcomes, cell, 10_000);
            let mut writer = TableWriter::create_with(&lock, described, WriteOptions::default()).unwrap();
            writer.write_scores(&values[..1]).unwrap_or_else(|error| assert!(at == 0, "{error}"));
            if at > 0 {
                match writer.write_scores(&values[1..]) {
                    Err(TableError::Unstorable { index, .. }) => assert_eq!(index, Index(at as u64)),
                    other => panic!("{other:?}"),
                }
            }
            drop(writer);
            assert_eq!(files(lock.directory()).len(), 1, "only the lock is left");
        }
    }
}

#[test]
fn misusing_the_writer_is_an_error() {
    let tables = retrograde_testkit::tempdir().unwrap();
    let create = |manifest| TableWriter::create(tables.path(), manifest);
    let misused = |result: Result<_, TableError>| {
        assert!(matches!(result.map(|_: ()| ()), Err(TableError::Misused { .. })));
    };
    misused(create(manifest(TableKind::Full, CellWidth::Bit, 10)).map(|_| ()));
    misused(create(manifest(TableKind::Outcomes, CellWidth::Byte, 10)).map(|_| ()));
    misused(
        create(Manifest { block_bytes: 1000, ..manifest(TableKind::Full, CellWidth::Byte, 10) }).map(|_| ()),
    );
    misused(create(Manifest { prelude: 11, ..manifest(TableKind::Full, CellWidth::Byte, 10) }).map(|_| ()));
    let mut writer = create(manifest(TableKind::Full, CellWidth::Byte, 10)).unwrap();
    misused(writer.write_scores(&[0; 11]));
    misused(writer.write_wide(&[0]));
    misused(writer.write_bits(&[0]));
    writer.write_scores(&[0; 9]).unwrap();
    misused(writer.finish().map(|_| ()));
    assert!(matches!(Table::open(tables.path(), GAME, expected(10)), Err(TableError::NotFound { .. })));
}

#[test]
fn the_prelude_is_not_counted_and_a_scan_can_stop() {
    let tables = retrograde_testkit::tempdir().unwrap();
    let described = Manifest { prelude: 700, ..manifest(TableKind::Full, CellWidth::Byte, 100_000) };
    let scores = scores::<u8>(100_000, 9);
    crate::common::write(tables.path(), described, &scores, WriteOptions::default()).unwrap();
    let table = Table::open(tables.path(), GAME, expected(100_000)).unwrap();
    assert_eq!(table.count(3).unwrap(), Counts::of_scores(&scores[..99_300]));
    let seen = table.scan(
        1,
        || 0,
        |seen, _| {
            *seen += 1;
            if *seen == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    assert_eq!(seen.unwrap(), [3]);
}

//! Measures the time to probe a random position, both with its block decoded in memory and with its
//! block only in the page cache of the system. Uses the table of Tactics 5x5 (33.5 million
//! positions), with turns and with one bit per position.
//!
//! `cargo bench -p retrograde-table --bench probe`

mod realistic;

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use retrograde_game::{Index, Random};
use retrograde_table::{
    CellWidth, DiskStorage, Expectations, Manifest, ReadOptions, Table, TableError, TableKind, TableWriter,
};

const GAME: &str = "tactics:5x5";

fn open(tables: &std::path::Path, count: u64, hold_bytes: u64) -> Result<Table, TableError> {
    let expected = Expectations { rules_version: 1, index_version: 1, index_count: count.into() };
    let options = ReadOptions { hold_bytes, cache_bytes: 0, storage: Arc::new(DiskStorage) };
    Table::open_with(tables, GAME, expected, &options)
}

fn probe(criterion: &mut Criterion) -> Result<(), Box<dyn std::error::Error>> {
    let scores = realistic::tactics(5, 5);
    let bits = realistic::outcomes(&scores);
    let count = scores.len() as u64;
    for (name, kind, cell) in
        [("turns", TableKind::Full, CellWidth::Byte), ("one bit", TableKind::Outcomes, CellWidth::Bit)]
    {
        let tables = retrograde_testkit::tempdir()?;
        let mut writer = TableWriter::create(tables.path(), Manifest::new(GAME, 1, 1, kind, cell, count))?;
        if cell == CellWidth::Bit {
            writer.write_bits(&bits)?
        } else {
            writer.write_scores(&scores)?
        }
        writer.finish()?;
        let mut random = Random::new(1);

        let held = open(tables.path(), count, u64::MAX)?;
        (0..count).step_by(512).try_for_each(|index| held.get(Index(index)).map(drop))?;
        criterion.bench_function(&format!("probe {name}, block decoded"), |bencher| {
            bencher.iter(|| black_box(held.get(Index(random.below(count)))));
        });

        // A cache of one block, which random probes almost never hit.
        let unheld = open(tables.path(), count, 0)?;
        criterion.bench_function(&format!("probe {name}, block not decoded"), |bencher| {
            bencher.iter(|| black_box(unheld.get(Index(random.below(count)))));
        });
    }
    Ok(())
}

fn all(criterion: &mut Criterion) {
    if let Err(error) = probe(criterion) {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

criterion_group!(benches, all);
criterion_main!(benches);

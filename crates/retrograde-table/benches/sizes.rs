//! Measures the time to write tables, and their size, for different block sizes. Uses the values of
//! Tactics 5x5, as turns and as one bit per position; the bits are repeated to have enough data.
//! This is a plain program, since one run of each is enough.
//!
//! `cargo bench -p retrograde-table --bench sizes`. With `-- 2048` it writes only the 8.6 GB of
//! bits that Tactics 6x6 would have, in blocks of 8 KiB. Uses 2 threads.

mod realistic;

use std::sync::Arc;
use std::time::Instant;

use retrograde_table::{CellWidth, DiskStorage, GameLock, Manifest, TableKind, TableWriter, WriteOptions};

const THREADS: usize = 2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let repeated: Option<u64> = std::env::args().find_map(|argument| argument.parse().ok());
    let block_sizes: &[u32] = if repeated.is_some() { &[8] } else { &[4, 8, 16, 32] };
    let scores = realistic::tactics(5, 5);
    let bits = realistic::outcomes(&scores);
    let count = scores.len() as u64;
    for block_bytes in block_sizes.iter().map(|size| size << 10) {
        for (name, kind, cell, times) in [
            ("turns", TableKind::Full, CellWidth::Byte, 1),
            ("one bit", TableKind::Outcomes, CellWidth::Bit, repeated.unwrap_or(64)),
        ] {
            let tables = retrograde_testkit::tempdir()?;
            let lock = GameLock::acquire(tables.path(), "tactics")?;
            let manifest =
                Manifest { block_bytes, ..Manifest::new("tactics", 1, 1, kind, cell, count * times) };
            let begun = Instant::now();
            let options = WriteOptions { threads: THREADS, storage: Arc::new(DiskStorage) };
            let mut writer = TableWriter::create_with(&lock, manifest, options)?;
            for _ in 0..times {
                if cell == CellWidth::Bit {
                    writer.write_bits(&bits)?
                } else {
                    writer.write_scores(&scores)?
                }
            }
            let packed = begun.elapsed();
            let written = writer.finish()?;
            let raw = written.raw_bytes();
            println!(
                "{name:8} blocks of {:2} KiB: {:6.3} s, with sync {:6.3} s, {:5.0} MB/s, {raw} -> {} bytes, {:.1}%",
                block_bytes >> 10,
                packed.as_secs_f64(),
                begun.elapsed().as_secs_f64(),
                raw as f64 / 1e6 / packed.as_secs_f64(),
                written.values.bytes,
                100.0 * written.values.bytes as f64 / raw as f64
            );
        }
    }
    Ok(())
}

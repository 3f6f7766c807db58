//! Measures how fast `verify` recomputes values, on a strip of squares. A turn fills one or two
//! neighbouring squares.
//!
//! `cargo run --release -p retrograde-explore --features measure --example verify_speed -- 25`

use std::time::Instant;

use retrograde_explore::{Entry, Resources, SolveOptions};
use retrograde_game::Score;
use retrograde_solve::Silent;
use retrograde_table::{CellWidth, Counts, Manifest, TableKind, TableWriter};

#[path = "../tests/all/common/mod.rs"]
mod common;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cells: u32 = std::env::args().nth(1).map_or(Ok(22), |cells| cells.parse())?;
    let tables = retrograde_testkit::tempdir()?;
    let full = (1_usize << cells) - 1;
    let mut scores = vec![u8::MAX; full + 1];
    for position in (0..full).rev() {
        let single = (0..cells).map(|at| 1 << at).filter(|line| line & position == 0);
        let double = (1..cells).map(|at| 3 << (at - 1)).filter(|line| line & position == 0);
        let least = single.chain(double).map(|line| scores[position | line]).min();
        scores[position] = least.and_then(Score::before_turn).ok_or("a turn")?;
    }
    let name = format!("strip:{cells}");
    let mut writer = TableWriter::create(
        tables.path(),
        Manifest::new(name, 1, 1, TableKind::Full, CellWidth::Byte, full as u64 + 1),
    )?;
    writer.write_scores(&scores)?;
    writer.set_counts(Counts::of_scores(&scores));
    writer.finish()?;
    let entry = common::Strip::fill(Entry::new(common::Strip(cells), "")).build();
    let threads = SolveOptions::default().threads;
    let began = Instant::now();
    let verification = entry.explore(tables.path())?.verify(None, &Resources::new(threads, None, &Silent))?;
    println!(
        "{} positions, {} errors, {:.2?}",
        verification.positions.0,
        verification.error_count.0,
        began.elapsed()
    );
    Ok(())
}

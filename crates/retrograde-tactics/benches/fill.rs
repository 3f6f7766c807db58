//! Speed of the bit-parallel solver in positions per second, on 5 × 5 squares with lines up to 4: `cargo
//! bench -p retrograde-tactics --bench fill`. For larger grids see `examples/fill_grid.rs`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use retrograde_solve::testing::job;
use retrograde_solve::{NoCheckpoint, Silent};
use retrograde_tactics::{Tactics, fill};

fn grids(criterion: &mut Criterion) {
    let game = Tactics::new(5, 5, 4, false).expect("a board").fill_game();
    let mut group = criterion.benchmark_group("fill 5x5");
    group.throughput(Throughput::Elements(1 << game.cells)).sample_size(10);
    for threads in [1, 2] {
        group.bench_function(format!("turns, {threads} threads"), |bencher| {
            bencher
                .iter(|| fill::solve(&game, &mut job(threads, &Silent, &mut NoCheckpoint)).expect("it fits"));
        });
        group.bench_function(format!("outcomes, {threads} threads"), |bencher| {
            bencher.iter(|| {
                fill::outcomes(&game, &mut job(threads, &Silent, &mut NoCheckpoint)).expect("it fits")
            });
        });
    }
    group.finish();
}

criterion_group!(benches, grids);
criterion_main!(benches);

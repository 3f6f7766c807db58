//! The hot loops of the planes on the standard board: floods of a block, and pushes of all
//! positions with one set of opposing pushers, with dense and with thin data.
//! `cargo bench -p retrograde-pushfight-planes --features measure`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use retrograde_game::GameSpec;
use retrograde_pushfight::PushFight;
use retrograde_pushfight_planes::KernelBench;

fn kernels(criterion: &mut Criterion) {
    let spec = GameSpec::parse("pushfight").expect("a name");
    let game = PushFight::from_spec(spec, &|_| Err(String::new())).expect("the standard board");
    for (name, one_in) in [("1 in 4", 2), ("1 in 32", 5), ("1 in 1024", 10)] {
        let mut kernels = KernelBench::new(&game, one_in).expect("four words a row");
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        group.throughput(Throughput::Elements(kernels.block_positions()));
        let mut block = 0;
        group.bench_function("flood of a block", |bencher| {
            bencher.iter(|| {
                block += 1;
                black_box(kernels.flood(block))
            });
        });
        group.throughput(Throughput::Elements(kernels.positions()));
        group.bench_function("pushes of a unit", |bencher| bencher.iter(|| black_box(kernels.pushes())));
        group.finish();
    }
}

criterion_group!(benches, kernels);
criterion_main!(benches);

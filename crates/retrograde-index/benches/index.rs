//! Measures the speed of the numberings on the multiset of Push Fight's standard board: 26 squares,
//! 401,567,166,000 arrangements. `cargo bench -p retrograde-index`; "elements" are conversions.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use retrograde_index::{Combinations, Multiset};

/// Numbers spread over 0 .. count, always the same ones.
fn ranks(count: u128) -> Vec<u64> {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        ((u128::from(seed) * count) >> 64) as u64
    };
    (0..10_000).map(|_| next()).collect()
}

fn benches(c: &mut Criterion) {
    let multiset = Multiset::new(&[16, 2, 3, 2, 2, 1]).expect("it fits");
    let some = ranks(multiset.count());
    let mut group = c.benchmark_group("multiset");
    group.throughput(Throughput::Elements(some.len() as u64));
    group.bench_function("unrank", |b| {
        b.iter(|| {
            for &rank in &some {
                black_box(multiset.unrank_digits(rank));
            }
        });
    });
    let pieces = |&rank: &u64| -> Vec<(u32, u8)> {
        let digits = multiset.unrank_digits(rank);
        let code = |square| (0..4).fold(0, |code, digit| code | (digits[digit] >> square & 1) << digit) as u8;
        (0..26).map(|square| (square, code(square))).filter(|&(_, code)| code != 0).collect()
    };
    let all: Vec<Vec<(u32, u8)>> = some.iter().map(pieces).collect();
    let rank = |pieces: &Vec<(u32, u8)>| multiset.rank_sparse(multiset.start(), pieces.iter().copied());
    group.bench_function("rank", |b| {
        b.iter(|| all.iter().fold(0, |sum: u64, pieces| sum.wrapping_add(rank(pieces))));
    });
    group.finish();

    let sets = Combinations::new(26).expect("it fits");
    let some = ranks(u128::from(sets.count(10)));
    let masks: Vec<u64> = some.iter().filter_map(|&rank| sets.unrank(10, rank)).collect();
    let mut group = c.benchmark_group("10 of 26 squares");
    group.throughput(Throughput::Elements(some.len() as u64));
    group.bench_function("unrank", |b| {
        b.iter(|| some.iter().filter_map(|&rank| sets.unrank(10, rank)).fold(0, |all, mask| all ^ mask));
    });
    group.bench_function("rank", |b| {
        b.iter(|| masks.iter().fold(0, |sum: u64, &mask| sum.wrapping_add(sets.rank(mask))));
    });
    group.finish();
}

criterion_group! { name = all; config = Criterion::default().sample_size(20); targets = benches }
criterion_main!(all);

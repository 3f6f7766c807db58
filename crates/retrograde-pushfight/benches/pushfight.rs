//! The speed of Push Fight's rules and numberings: successors of undecided positions of the
//! standard board (those without a winning push), and conversions between positions and both
//! numberings.
//!
//! `cargo bench -p retrograde-pushfight`; "elements" are distinct successors, or conversions.

use std::collections::HashSet;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use retrograde_game::{Dense, Flow, Game, Index, Predecessors};
use retrograde_pushfight::{Position, PushFight};
use retrograde_testkit::push_fight;

fn standard() -> PushFight {
    push_fight("pushfight")
}

/// Indices spread over the numbering, always the same ones.
fn indices(count: u64) -> impl Iterator<Item = u64> {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    std::iter::repeat_with(move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        ((u128::from(seed) * u128::from(count)) >> 64) as u64
    })
}

// Over 80 lines: a plain list of independent measurements, which splitting would not make clearer.
fn benches(c: &mut Criterion) {
    let game = standard();
    let count = u64::try_from(game.position_count()).expect("it fits 64 bits");
    let undecided: Vec<Position> = indices(count)
        .filter_map(|index| game.position(Index(index)))
        .filter(|position| !game.wins_now(position))
        .take(100)
        .collect();
    let distinct = |visit: &dyn Fn(&Position, &mut HashSet<Position>)| {
        undecided
            .iter()
            .map(|position| {
                let mut all = HashSet::new();
                visit(position, &mut all);
                all.len() as u64
            })
            .sum::<u64>()
    };
    let next = distinct(&|position, all| {
        let _ = game.each_successor(position, |next| {
            all.insert(next);
            Flow::Continue(())
        });
    });
    let before = distinct(&|position, all| {
        let _ = game.each_predecessor(position, |next| {
            all.insert(next);
            Flow::Continue(())
        });
    });

    let mut group = c.benchmark_group("turns");
    group.throughput(Throughput::Elements(next));
    group.bench_function("successors", |b| {
        b.iter(|| {
            for position in &undecided {
                let _ = game.each_successor(position, |next| {
                    black_box(next);
                    Flow::Continue(())
                });
            }
        });
    });
    group.bench_function("each once, with its steps", |b| {
        b.iter(|| undecided.iter().map(|position| game.turns(position).len()).sum::<usize>());
    });
    group.throughput(Throughput::Elements(before));
    group.bench_function("predecessors", |b| {
        b.iter(|| {
            for position in &undecided {
                let _ = game.each_predecessor(position, |next| {
                    black_box(next);
                    Flow::Continue(())
                });
            }
        });
    });
    group.throughput(Throughput::Elements(10_000));
    let some: Vec<u64> = indices(count).take(10_000).collect();
    group.bench_function("winning this turn?", |b| {
        let positions: Vec<Position> = some.iter().filter_map(|&index| game.position(Index(index))).collect();
        b.iter(|| positions.iter().filter(|position| game.wins_now(position)).count());
    });
    group.finish();

    let mut group = c.benchmark_group("numbering");
    group.throughput(Throughput::Elements(10_000));
    let positions: Vec<Position> = some.iter().filter_map(|&index| game.position(Index(index))).collect();
    group.bench_function("index to position", |b| {
        b.iter(|| {
            for &index in &some {
                black_box(game.position(Index(index)));
            }
        });
    });
    group.bench_function("position to index", |b| {
        b.iter(|| {
            for position in &positions {
                black_box(game.index(position));
            }
        });
    });
    let minimized = game.minimized().expect("the board has one symmetry");
    let some: Vec<u64> = indices(minimized.count()).take(10_000).collect();
    let positions: Vec<Position> =
        some.iter().filter_map(|&number| minimized.position(&game, number)).collect();
    group.bench_function("minimized to position", |b| {
        b.iter(|| {
            for &number in &some {
                black_box(minimized.position(&game, number));
            }
        });
    });
    group.bench_function("position to minimized", |b| {
        b.iter(|| {
            for position in &positions {
                black_box(minimized.number(&game, position));
            }
        });
    });
    group.finish();
}

criterion_group! { name = all; config = Criterion::default().sample_size(20); targets = benches }
criterion_main!(all);

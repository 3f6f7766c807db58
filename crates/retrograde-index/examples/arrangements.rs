//! Compares the speed of the numbering of arrangements with a simple hand-written one: `cargo run
//! --release -p retrograde-index --features measure --example arrangements -- 25 4 4` measures two
//! sets of four on 25 squares. An additional word (`rank`, `unrank`, `down`, `hand-rank`,
//! `hand-unrank`) measures only one operation, so that `valgrind --tool=callgrind` can count its
//! instructions.

use std::error::Error;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

use retrograde_index::Arrangements;

/// The most conversions in a measurement.
const TIMES: u64 = 4_000_000;
/// The number of different arrangements that are converted.
const SAMPLE: usize = 10_000;

/// A simple hand-written numbering: binomials by multiplication and division in 128 bits, free
/// squares counted one by one.
mod by_hand {
    fn choose(n: u32, k: u32) -> u64 {
        if k > n {
            return 0;
        }
        (0..k).fold(1_u128, |product, i| product * u128::from(n - i) / u128::from(i + 1)) as u64
    }

    pub fn rank(squares: u32, sets: [u64; 2]) -> u64 {
        let (mut index, mut taken) = (0, 0);
        for set in sets {
            let (mut place, mut met, mut rank) = (0, 0, 0);
            for square in (0..squares).filter(|square| taken >> square & 1 == 0) {
                if set >> square & 1 == 1 {
                    met += 1;
                    rank += choose(place, met);
                }
                place += 1;
            }
            index = index * choose(place, met) + rank;
            taken |= set;
        }
        index
    }

    pub fn unrank(squares: u32, counts: [u32; 2], index: u64) -> [u64; 2] {
        let second = choose(squares - counts[0], counts[1]);
        let (mut taken, mut sets) = (0_u64, [0; 2]);
        for (at, mut rank) in [index / second, index % second].into_iter().enumerate() {
            let free: Vec<u32> = (0..squares).filter(|square| taken >> square & 1 == 0).collect();
            let mut place = free.len() as u32;
            for left in (1..=counts[at]).rev() {
                place -= 1;
                while choose(place, left) > rank {
                    place -= 1;
                }
                rank -= choose(place, left);
                sets[at] |= 1 << free[place as usize];
            }
            taken |= sets[at];
        }
        sets
    }
}

/// Indices spread over a numbering, always the same ones.
fn indices(count: u64) -> impl Iterator<Item = u64> {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    std::iter::repeat_with(move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        ((u128::from(seed) * u128::from(count)) >> 64) as u64
    })
}

fn fold(sets: [u64; 2]) -> u64 {
    black_box(sets[0].wrapping_mul(3) ^ sets[1])
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let mut number = |default: u32| words.next().map_or(Ok(default), |word| word.parse());
    let (squares, counts) = (number(25)?, [number(4)?, number(4)?]);
    let only = words.next();
    let numbering = Arrangements::of_counts(squares, &[counts])?;
    let count = numbering.count();
    println!("{counts:?} of {squares} squares: {count} arrangements");
    let some: Vec<u64> = indices(count).take(SAMPLE).collect();
    let sets: Vec<[u64; 2]> = some.iter().filter_map(|&index| numbering.unrank(index)).collect();
    for (&index, &sets) in some.iter().zip(&sets) {
        assert_eq!((numbering.rank(sets), by_hand::rank(squares, sets)), (Some(index), index));
        assert_eq!(by_hand::unrank(squares, counts, index), sets);
    }
    let measure = |name: &str, times: u64, work: &mut dyn FnMut() -> u64| {
        if only.as_deref().is_none_or(|only| only == name) {
            let start = Instant::now();
            let sum = work();
            let nanoseconds = start.elapsed().as_nanos() as f64 / times as f64;
            println!("{name:12} {nanoseconds:7.1} ns ({times} times, sum {sum:x})");
        }
    };
    let repeated = |times: u64, once: &dyn Fn(usize) -> u64| {
        (0..times).fold(0_u64, |sum, time| sum.wrapping_add(once(time as usize % SAMPLE)))
    };
    measure("rank", TIMES, &mut || repeated(TIMES, &|at| numbering.rank(sets[at]).unwrap_or(0)));
    measure("unrank", TIMES, &mut || repeated(TIMES, &|at| numbering.unrank(some[at]).map_or(0, fold)));
    let steps = TIMES.min(count);
    let first = (count - steps) / 2;
    measure("down", steps, &mut || {
        let mut sum = 0;
        let _ = numbering.walk_down(first..first + steps, |_, sets| {
            sum ^= fold(sets);
            ControlFlow::Continue(())
        });
        sum
    });
    let times = TIMES / 10;
    measure("hand-rank", times, &mut || repeated(times, &|at| by_hand::rank(squares, sets[at])));
    measure("hand-unrank", times, &mut || {
        repeated(times, &|at| fold(by_hand::unrank(squares, counts, some[at])))
    });
    Ok(())
}

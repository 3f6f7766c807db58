//! Measures the numbering of a board: `cargo run --release --features measure --example speed -- touchdown:5x4`.
//!
//! Prints the time to build it and, for a sample of consecutive indices, the time per position when
//! unranked, when stepped to, and when visited with all its successors.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use retrograde_game::{Dense, Flow, Game, GameSpec, Index, Layered, Successor};
use retrograde_touchdown::{Position, TouchDown};

/// The most positions in a sample.
const SAMPLE: u64 = 20_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "touchdown:4x4".to_owned());
    let game = TouchDown::from_spec(GameSpec::parse(&name)?)?;
    println!("{}: {} positions, {} indices", game.name(), game.position_count(), game.index_count());
    let start = Instant::now();
    if !game.has_numbering() {
        println!("too large to number, found in {:?}", start.elapsed());
        return Ok(());
    }
    println!("numbering of {} layers built in {:?}", game.layer_count(), start.elapsed());
    let count = u64::try_from(game.index_count())?;
    let sample = count.min(SAMPLE);
    let first = (count - sample) / 2;
    let fold = |position: Position| black_box(position.own().0.wrapping_mul(3) ^ position.other().0);
    let start = Instant::now();
    let made = (first..first + sample)
        .filter_map(|index| game.position(Index(index)))
        .fold(0, |sum, position| sum ^ fold(position));
    println!("{:.1} ns per position unranked", start.elapsed().as_nanos() as f64 / sample as f64);
    let start = Instant::now();
    let mut stepped = 0;
    let _ = game.walk_down(Index(first)..Index(first + sample), |_, position| {
        stepped ^= fold(position);
        Flow::Continue(())
    });
    println!("{:.1} ns per position stepped to", start.elapsed().as_nanos() as f64 / sample as f64);
    assert_eq!(made, stepped, "both ways lead to the same positions");
    let start = Instant::now();
    let (mut successors, mut sum) = (0_u64, 0_u64);
    for index in first..first + sample {
        let _ = game.each_successor_at(Index(index), |next| {
            successors += 1;
            if let Successor::At(next) = next {
                sum = sum.wrapping_add(next.0);
            }
            Flow::Continue(())
        });
    }
    let nanoseconds = start.elapsed().as_nanos() as f64 / sample as f64;
    println!(
        "{nanoseconds:.1} ns per position with its {:.2} successors ({sample} positions, sum {sum})",
        successors as f64 / sample as f64
    );
    Ok(())
}

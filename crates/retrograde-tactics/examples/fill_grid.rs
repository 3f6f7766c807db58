//! Solves Tactics on a grid (misère, lines up to 4) and prints the time. With `turns` it finds turns, in one
//! byte per position, otherwise outcomes, in one bit.
//!
//! ```sh
//! cargo run --release -p retrograde-tactics --features measure --example fill_grid -- 6 6 [turns] [THREADS]
//! ```

use std::time::Instant;

use retrograde_game::{Index, Score};
use retrograde_solve::{NoCheckpoint, Scores, Silent};
use retrograde_tactics::{Tactics, fill};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<u32> = arguments.iter().filter_map(|argument| argument.parse().ok()).collect();
    let (columns, rows) = match numbers[..] {
        [columns, rows, ..] => (columns, rows),
        _ => (5, 5),
    };
    let threads = numbers.get(2).map_or(2, |&threads| threads as usize);
    let game = Tactics::new(columns, rows, 4, false).expect("a board").fill_game();
    let mut no_checkpoint = NoCheckpoint;
    let mut job = retrograde_solve::testing::job(threads, &Silent, &mut no_checkpoint);
    job.memory = 1 << 34;
    let positions = (1_u64 << game.cells) as f64;
    let began = Instant::now();
    let say = |what: &str| {
        let seconds = began.elapsed().as_secs_f64();
        println!("{columns}x{rows}, {what}: {seconds:.3} s, {:.3e} positions a second", positions / seconds);
    };
    let losses = if arguments.iter().any(|argument| argument == "turns") {
        let scores = fill::solve(&game, &mut job).expect("it fits");
        say("turns");
        let Scores::Narrow(scores) = scores else { unreachable!("no game is that long") };
        println!("start: {:?}", scores[0].value());
        scores.iter().filter(|&&score| score <= u8::MAX_TURNS.0 as u8).count() as u64
    } else {
        let bits = fill::outcomes(&game, &mut job).expect("it fits");
        say("outcomes");
        println!("start: {}", bits.outcome(Index(0)));
        let wins = bits.words().iter().map(|word| u64::from(word.count_ones()));
        bits.len() - wins.sum::<u64>()
    };
    println!("{losses} lost");
}

//! The winners of Tactics in misère play, board by board: the table of `docs/results/tactics.md`. `cargo run
//! --release -p retrograde-solve --features measure --example misere -- 6 6` decides all boards of up to 6
//! columns and rows, with all lengths of lines, and `… --example misere -- tactics:7x5 tactics:7x6,line=2`
//! single ones.

use std::error::Error;
use std::io::Write;
use std::time::Duration;

use retrograde_game::{Game, GameSpec, Impartial, Outcome};
use retrograde_solve::clock::Instant;
use retrograde_solve::proof::Limits;
use retrograde_solve::sums::sum_outcome;
use retrograde_tactics::Tactics;

/// The memory for outcomes, in bytes.
const MEMORY: u64 = 2 << 30;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<u32> = arguments.iter().filter_map(|text| text.parse().ok()).collect();
    let mut games = Vec::new();
    if let [columns, rows] = numbers[..] {
        for columns in 2..=columns {
            for rows in 2..=rows.min(columns) {
                for longest in 1..=columns {
                    games.push(Tactics::new(columns, rows, longest, false)?);
                }
            }
        }
    } else {
        for name in &arguments {
            games.push(Tactics::from_spec(GameSpec::parse(name)?)?);
        }
    }
    println!("game\tstart\tpositions looked at\tseconds");
    let limits =
        Limits { nodes: u64::MAX, time: Duration::MAX, depth: None, memory: MEMORY, stopped: &|| false };
    for game in games {
        let began = Instant::now();
        let (knowledge, nodes) = sum_outcome(&game, &game.start(), &limits);
        let outcome = knowledge.outcome().map_or("unknown", Outcome::word);
        println!("{}\t{outcome}\t{nodes}\t{:.1}", game.name(), began.elapsed().as_secs_f64());
        debug_assert!(!game.last_turn_wins());
        std::io::stdout().flush()?;
    }
    Ok(())
}

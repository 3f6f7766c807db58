//! Counts what the first phases of a board find:
//! `cargo run --release -p retrograde-pushfight-planes --example phases -- pushfight 6`.

use std::error::Error;
use std::time::Instant;

use retrograde_game::{Game, GameSpec};
use retrograde_pushfight::PushFight;
use retrograde_solve::Silent;

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "pushfight".to_owned());
    let phases = std::env::args().nth(2).map_or(Ok(6), |phases| phases.parse())?;
    let load = |path: &str| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let game = PushFight::from_spec(GameSpec::parse(&name)?, &load)?;
    let threads = std::thread::available_parallelism()?.get();
    println!("{}: {threads} threads", game.name());
    let mut start = Instant::now();
    retrograde_pushfight_planes::count(&game, threads, phases, &Silent, |phase| {
        println!("{phase:?} {:.2?}", start.elapsed());
        start = Instant::now();
    })?;
    Ok(())
}

//! Counts what the phases of a board find, up to so many turns, of all positions or only of
//! plausible ones:
//! `cargo run --release -p retrograde-pushfight-planes --features measure --example phases -- pushfight 5 plausible`.

use std::error::Error;
use std::time::Instant;

use retrograde_game::{Game, GameSpec, Turns};
use retrograde_pushfight::PushFight;
use retrograde_solve::Silent;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "pushfight:mini".to_owned());
    let turns = arguments.next().map_or(Ok(u16::MAX), |turns| turns.parse())?;
    let plausible = match arguments.next().as_deref() {
        None | Some("all") => false,
        Some("plausible") => true,
        Some(other) => return Err(format!("'{other}' is neither all nor plausible").into()),
    };
    let load = |path: &str| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let game = PushFight::from_spec(GameSpec::parse(&name)?, &load)?;
    let threads = std::thread::available_parallelism()?.get();
    println!("{}, {threads} threads", game.name());
    println!("turns        positions  anchors that stand for others  undecided blocks     GB   seconds");
    let mut start = Instant::now();
    retrograde_pushfight_planes::count_phases(&game, plausible, Turns(turns), threads, &Silent, |phase| {
        println!(
            "{:5} {:16} {:30} {:17} {:6.2} {:9.2}",
            phase.turns,
            phase.all,
            phase.count,
            phase.blocks,
            phase.bytes as f64 / 1e9,
            start.elapsed().as_secs_f64()
        );
        start = Instant::now();
    })?;
    Ok(())
}

//! Counts what the phases of a board find, up to so many turns, of all positions or only of
//! plausible ones, and what the phases cost; with how many gigabytes (for the push cache) and
//! threads:
//! `cargo run --release -p retrograde-pushfight-planes --features measure --example phases -- pushfight 5 plausible 12 2`.
//!
//! The last two columns are processor time: of all threads, and of one thread while the others had
//! nothing to do (Linux only).

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use retrograde_game::{Game, GameSpec, Turns};
use retrograde_pushfight::PushFight;
use retrograde_pushfight_planes::{SolveConfig, count_phases, serial_seconds};
use retrograde_solve::Silent;
use retrograde_table::DiskStorage;

/// The processor time of all threads, in ticks of 10 ms.
fn core_seconds() -> f64 {
    let line = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = line.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "pushfight:mini".to_owned());
    let turns = arguments.next().map_or(Ok(u16::MAX), |turns| turns.parse())?;
    let plausible = match arguments.next().as_deref() {
        None | Some("all") => false,
        Some("plausible") => true,
        Some(other) => return Err(format!("'{other}' is neither all nor plausible").into()),
    };
    let gigabytes: f64 = arguments.next().map_or(Ok(0.0), |gigabytes| gigabytes.parse())?;
    let threads = match arguments.next() {
        Some(threads) => threads.parse()?,
        None => std::thread::available_parallelism()?.get(),
    };
    let load = |path: &str| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let game = PushFight::from_spec(GameSpec::parse(&name)?, &load)?;
    let config = SolveConfig {
        threads,
        horizon: Some(Turns(turns)),
        progress: &Silent,
        storage: Arc::new(DiskStorage),
        parts: 1,
        memory: (gigabytes * 1e9) as u64,
    };
    println!("{}, {threads} threads", game.name());
    println!(
        "turns        positions  anchors that stand for others  undecided blocks     GB   seconds    cores   serial"
    );
    let (mut start, mut before) = (Instant::now(), [core_seconds(), serial_seconds()]);
    count_phases(&game, plausible, &config, |phase| {
        let after = [core_seconds(), serial_seconds()];
        println!(
            "{:5} {:16} {:30} {:17} {:6.2} {:9.2} {:8.2} {:8.3}",
            phase.turns,
            phase.all,
            phase.count,
            phase.blocks,
            phase.bytes as f64 / 1e9,
            start.elapsed().as_secs_f64(),
            after[0] - before[0],
            after[1] - before[1],
        );
        (start, before) = (Instant::now(), after);
    })?;
    Ok(())
}

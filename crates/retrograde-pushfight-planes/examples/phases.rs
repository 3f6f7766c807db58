//! Shows what each phase of a solve finds and costs. The arguments are a board, the last phase, the
//! number of threads, the number of parts, gigabytes of memory for the push cache, and a folder for the
//! logs (without it, they stay in memory):
//! `cargo run --release -p retrograde-pushfight-planes --features measure --example phases -- pushfight 5 2 1 12`.
//!
//! Seconds of all threads, and of one thread while the others had nothing to do, are processor time.
//! They and bytes read and written, from the disk or the system's cache, are only known on Linux.

use std::error::Error;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Instant;

use retrograde_game::{Game, GameSpec, Turns};
use retrograde_pushfight::PushFight;
use retrograde_pushfight_planes::{Estimate, SolveConfig, serial_seconds, solve_logged};
use retrograde_table::{DiskStorage, MemoryStorage, Storage};

/// The processor time of all threads, in ticks of 10 ms.
fn core_seconds() -> f64 {
    let line = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = line.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// The number after a name in a file of `/proc`.
fn number(file: &str, name: &str) -> f64 {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next());
    line.and_then(|word| word.parse().ok()).unwrap_or(0.0)
}

/// Bytes of the files whose names begin with a prefix.
fn bytes(storage: &dyn Storage, directory: &Path, prefix: &str) -> f64 {
    let names = storage.names(directory).unwrap_or_default();
    let files = names.iter().filter(|name| name.starts_with(prefix));
    let length = |name| storage.open(&directory.join(name)).and_then(|file| file.length()).unwrap_or(0);
    files.map(length).sum::<u64>() as f64
}

fn parsed<T: FromStr>(argument: Option<String>, otherwise: T) -> Result<T, T::Err> {
    argument.map_or(Ok(otherwise), |text| text.parse())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "pushfight:mini".to_owned());
    let turns = parsed(arguments.next(), u16::MAX)?;
    let threads = parsed(arguments.next(), std::thread::available_parallelism()?.get())?;
    let parts = parsed(arguments.next(), 1)?;
    let gigabytes = parsed(arguments.next(), 0.0)?;
    let (storage, directory): (Arc<dyn Storage>, String) = match arguments.next() {
        Some(directory) => (Arc::new(DiskStorage), directory),
        None => (Arc::new(MemoryStorage::new()), "logs".to_owned()),
    };
    let directory = Path::new(&directory);
    storage.create_directory(directory)?;
    let load = |path: &str| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let game = PushFight::from_spec(GameSpec::parse(&name)?, &load)?;
    let config = SolveConfig {
        threads,
        horizon: Some(Turns(turns)),
        storage: storage.clone(),
        parts,
        memory: (gigabytes * 1e9) as u64,
        ..SolveConfig::default()
    };
    let planned = Estimate::new(&game, threads).ok_or("the board is too large")?.memory(parts);
    println!("{}, {parts} parts, {threads} threads, {:.3} GB planned", game.name(), planned as f64 / 1e9);
    println!(
        "turns        positions  up to symmetry  seconds    cores   serial  read GB written GB  left GB found GB  logs GB memory GB"
    );
    let io = || ["rchar:", "wchar:"].map(|name| number("/proc/self/io", name) / 1e9);
    let seconds = || [core_seconds(), serial_seconds()];
    let (mut start, mut before, mut before_io) = (Instant::now(), seconds(), io());
    solve_logged(&game, directory, &config, &mut |phase| {
        let (after, after_io) = (seconds(), io());
        println!(
            "{:5} {:16} {:15} {:8.2} {:8.2} {:8.3} {:8.3} {:10.3} {:8.3} {:8.3} {:8.3} {:9.3}",
            phase.turns,
            phase.all,
            phase.count,
            start.elapsed().as_secs_f64(),
            after[0] - before[0],
            after[1] - before[1],
            after_io[0] - before_io[0],
            after_io[1] - before_io[1],
            bytes(&*storage, directory, "left-") / 1e9,
            bytes(&*storage, directory, "found-") / 1e9,
            bytes(&*storage, directory, "phase-") / 1e9,
            number("/proc/self/status", "VmHWM:") * 1024.0 / 1e9,
        );
        (start, before, before_io) = (Instant::now(), after, after_io);
    })?;
    Ok(())
}

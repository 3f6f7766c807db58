//! The cost of a solve in parts, phase by phase: seconds, processor time, bytes read and written
//! (whether the disk or the system's memory had them; Linux only), bytes of the work files when the
//! phase ends, and the most memory so far. With board, parts, turns, a folder for the logs, threads:
//! `cargo run --release -p retrograde-pushfight-planes --features measure --example parts -- pushfight:twocolumn 12 99 logs 2`.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use retrograde_game::{Game, GameSpec, Turns};
use retrograde_pushfight::PushFight;
use retrograde_pushfight_planes::{SolveConfig, logged_memory_needed, solve_logged};
use retrograde_solve::Silent;
use retrograde_table::DiskStorage;

/// The processor time of all threads, in ticks of 10 ms.
fn core_seconds() -> f64 {
    let line = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = line.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// A number of a file of the system.
fn number(file: &str, name: &str) -> f64 {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next());
    line.and_then(|word| word.parse().ok()).unwrap_or(0.0)
}

/// Bytes of the files whose names begin so.
fn bytes(directory: &Path, prefix: &str) -> f64 {
    let Ok(entries) = std::fs::read_dir(directory) else { return 0.0 };
    let files = entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix));
    files.filter_map(|entry| Some(entry.metadata().ok()?.len())).sum::<u64>() as f64
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = |missing: &'static str| arguments.next().ok_or(missing);
    let (name, parts) = (next("a board")?, next("a number of parts")?.parse()?);
    let (turns, directory) = (next("a number of turns")?.parse()?, next("a folder")?);
    let threads = next("a number of threads")?.parse()?;
    let load = |path: &str| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let game = PushFight::from_spec(GameSpec::parse(&name)?, &load)?;
    let directory = Path::new(&directory);
    std::fs::create_dir_all(directory)?;
    let config = SolveConfig {
        threads,
        horizon: Some(Turns(turns)),
        progress: &Silent,
        storage: Arc::new(DiskStorage),
        parts,
        memory: 0,
    };
    let planned = logged_memory_needed(&game, parts).ok_or("the board is too large")?;
    println!("{}, {parts} parts, {threads} threads, {:.3} GB planned", game.name(), planned as f64 / 1e9);
    println!(
        "turns        positions seconds   cores  read GB written GB  left GB found GB  logs GB memory GB"
    );
    let io = || ["rchar:", "wchar:"].map(|name| number("/proc/self/io", name) / 1e9);
    let (mut start, mut before, mut before_io) = (Instant::now(), core_seconds(), io());
    solve_logged(&game, directory, &config, &mut |phase| {
        let (after, after_io) = (core_seconds(), io());
        println!(
            "{:5} {:16} {:7.1} {:7.1} {:8.3} {:10.3} {:8.3} {:8.3} {:8.3} {:9.3}",
            phase.turns,
            phase.all,
            start.elapsed().as_secs_f64(),
            after - before,
            after_io[0] - before_io[0],
            after_io[1] - before_io[1],
            bytes(directory, "left-") / 1e9,
            bytes(directory, "found-") / 1e9,
            bytes(directory, "phase-") / 1e9,
            number("/proc/self/status", "VmHWM:") * 1024.0 / 1e9,
        );
        (start, before, before_io) = (Instant::now(), after, after_io);
    })?;
    Ok(())
}
